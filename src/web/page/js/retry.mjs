// The mistakes of a side again, with the answer hidden; of a wrong try the page says what answers it, and no more.

import { brokenOff, Refusal } from "./api.mjs";
import { goTo, tryOut } from "./game.mjs";
import { isMistake, judgeMove, mistakesOf } from "./review.mjs";
import { change, state } from "./state.mjs";
import { otherSide, sideToMove } from "./tree.mjs";

let judging = null;

/** The side whose mistakes are tried first: the person's of a game, else the one at the bottom, if it has any. */
export function retrySide() {
  const { human } = state.match ?? {};
  const side = human && human.w !== human.b ? (human.w ? "w" : "b") : state.bottom;
  return mistakesOf(side).length > 0 ? side : otherSide(side);
}

/** Begins with the first mistake of a side; a mistake's `node` is the move that was played. */
export function startRetry(side = retrySide()) {
  const nodes = mistakesOf(side);
  if (nodes.length > 0) begin(nodes, 0);
}

const fresh = { phase: "asking", tried: null, loss: 0, reply: null, marks: [], problem: null };

function begin(nodes, at) {
  judging?.abort();
  change(() => {
    state.retry = { nodes, at, ...fresh };
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

/** A try, which is shown on the board: right if the server finds nothing much better. */
export async function tryMove(move) {
  const node = retried();
  set({ ...fresh, tried: move });
  tryOut(node.parent, move);
  if (move.uci === node.judged.best.uci) return set({ phase: "right" });
  set({ phase: "judging" });
  judging?.abort();
  judging = new AbortController();
  try {
    const { judged, reply } = await judgeMove(node.parent, move.uci, judging.signal);
    if (!isMistake(judged)) return set({ phase: "right" });
    const arrow = reply && { from: reply.uci.slice(0, 2), to: reply.uci.slice(2, 4), kind: "bad" };
    set({ phase: "wrong", loss: judged.loss, reply, marks: arrow ? [arrow] : [] });
  } catch (error) {
    if (brokenOff(error) || !state.retry) return;
    set({ phase: "wrong", problem: error instanceof Refusal ? error : { code: "server_gone" } });
  }
}

/** The same mistake once more. */
export function again() {
  set(fresh);
  goTo(retried().parent);
}

/** Gives up: the engine's move, on the board. */
export function showAnswer() {
  const { best } = retried().judged;
  judging?.abort();
  set({ ...fresh, phase: "shown", tried: best, marks: [{ from: best.uci.slice(0, 2), to: best.uci.slice(2, 4), kind: "good" }] });
  tryOut(retried().parent, best);
}
