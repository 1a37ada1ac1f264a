// The mistakes of a game again, with the answer hidden; a wrong try is told what is wrong with it.

import { brokenOff, Refusal } from "./api.mjs";
import { goTo } from "./game.mjs";
import { isMistake, judgeMove, mistakes } from "./review.mjs";
import { change, state } from "./state.mjs";
import { sideToMove } from "./tree.mjs";
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

/** A try: right if the server finds nothing much better, else explained. */
export async function tryMove(move) {
  const node = retried();
  set({ tried: move, text: null, marks: [], problem: null });
  if (move.uci === node.judged.best.uci) return set({ phase: "right" });
  set({ phase: "judging" });
  judging?.abort();
  judging = new AbortController();
  try {
    const { judged, reply } = await judgeMove(node.parent, move.uci, judging.signal);
    if (!isMistake(judged)) return set({ phase: "right" });
    const arrow = reply && { from: reply.uci.slice(0, 2), to: reply.uci.slice(2, 4), kind: "bad" };
    set({ phase: "wrong", loss: judged.loss, reply, marks: arrow ? [arrow] : [] });
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
  const { best } = retried().judged;
  set({ phase: "shown", tried: best, text: null, marks: [{ from: best.uci.slice(0, 2), to: best.uci.slice(2, 4), kind: "good" }] });
}
