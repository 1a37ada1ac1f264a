// The mistakes of a game again, with the answer hidden; a wrong try is told what is wrong with it.

import { brokenOff, Refusal } from "./api.mjs";
import { goTo } from "./game.mjs";
import { judgePosition, lossOf, mistakes, nameOf } from "./review.mjs";
import { change, state } from "./state.mjs";
import { sideToMove, stateAt } from "./tree.mjs";
import { explain } from "./why.mjs";

let judging = null;

/** Begins with the first mistake; a mistake's `node` is the move that was played. */
export function startRetry() {
  const nodes = mistakes();
  if (nodes.length > 0) begin(nodes, 0);
}

function begin(nodes, at) {
  judging?.abort();
  change(() => {
    state.retry = { nodes, at, phase: "asking", tried: null, loss: 0, reply: null, text: null, marks: [], problem: null };
    state.why = null;
    state.bottom = sideToMove(nodes[at].parent, state.game.root);
  });
  goTo(nodes[at].parent);
}

/** The mistake that is tried again. */
export const retried = () => state.retry.nodes[state.retry.at];

/** The next mistake, or the end. */
export function nextRetry() {
  const { nodes, at } = state.retry;
  if (at + 1 < nodes.length) begin(nodes, at + 1);
  else stopRetry();
}

export function stopRetry() {
  judging?.abort();
  const node = retried();
  change(() => {
    state.retry = null;
  });
  goTo(node);
}

const set = (more) =>
  change(() => {
    state.retry = { ...state.retry, ...more };
  });

/** A try: right if it is the engine's move or loses next to nothing, else explained. */
export async function tryMove(move) {
  const node = retried();
  const { best, expected } = node.parent.review;
  set({ tried: move, text: null, marks: [], problem: null });
  if (move.uci === best?.uci) return set({ phase: "right" });
  set({ phase: "judging" });
  judging?.abort();
  judging = new AbortController();
  try {
    const before = stateAt(state.game, node.parent);
    const after = { ...before, moves: [...before.moves, move.uci] };
    const judged = move.uci === node.uci ? node.review : await judgePosition(after, judging.signal);
    const side = sideToMove(node.parent, state.game.root);
    // no answer means that the game is over: only mate is good then
    const loss = judged ? lossOf(side, expected, judged.expected) : move.san.endsWith("#") ? 0 : lossOf(side, expected, 0.5);
    if (nameOf(loss) === null) return set({ phase: "right" });
    const reply = judged?.best ?? null;
    const arrow = reply && { from: reply.uci.slice(0, 2), to: reply.uci.slice(2, 4), kind: "bad" };
    set({ phase: "wrong", loss, reply, marks: arrow ? [arrow] : [] });
    if (!state.hello?.explain) return;
    const { text, marks } = await explain(node.parent, move);
    if (state.retry?.tried === move) set({ text, marks });
  } catch (error) {
    if (brokenOff(error) || !state.retry) return;
    set({ phase: "wrong", problem: error instanceof Refusal ? error : { code: "server_gone" } });
  }
}

/** The same mistake once more. */
export const again = () => set({ phase: "asking", tried: null, loss: 0, reply: null, text: null, marks: [], problem: null });

/** Gives up: the engine's move. */
export function showAnswer() {
  const { best } = retried().parent.review;
  set({ phase: "shown", tried: best, text: null, marks: [{ from: best.uci.slice(0, 2), to: best.uci.slice(2, 4), kind: "good" }] });
}
