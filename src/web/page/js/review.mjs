// Goes through the main line with the engine, and marks the moves that lost much of the expected score.

import { brokenOff, Refusal, stream } from "./api.mjs";
import { say } from "./game.mjs";
import { change, state } from "./state.mjs";
import { mainLine, sideToMove, stateAt } from "./tree.mjs";

/** For every position, whichever ends first; the marks of a game should not take minutes, whatever the network. */
const LIMIT = { nodes: 60_000, movetime_ms: 3000 };

/**
 * The expected score that a move loses, from which on it has a name. These are the steps of Lichess (0.1, 0.2 and 0.3
 * of winning chances between -1 and 1), halved because an expected score lies between 0 and 1.
 */
const STEPS = [
  ["blunder", 0.15],
  ["mistake", 0.1],
  ["inaccuracy", 0.05],
];

let search = null;

/** What the server's search says of a position: `{ expected, score, best, line }`, expected for White. */
export async function judgePosition(question, signal) {
  let info = null;
  let best = null;
  const hear = (name, data) => {
    if (name === "info") info = data;
    if (name === "done") best = data.bestmove;
  };
  const player = { net: state.analysis.net, mode: "search" };
  await stream("/api/search", { state: question, player, limit: LIMIT, multipv: 1 }, hear, signal);
  const line = info?.lines[0];
  return line && { expected: line.expected, score: line.score, best, line: line.pv };
}

/** What the side that played lost of its expected score between two positions, at least 0. */
export const lossOf = (side, before, after) => Math.max(0, side === "w" ? before - after : after - before);

/** The name of a loss, or null. */
export const nameOf = (loss) => STEPS.find(([, from]) => loss >= from)?.[0] ?? null;

/** The name of the mistake that a move of the main line was, or null; undefined while it is not known. */
export function mistakeAt(node) {
  const [before, after] = [node.parent?.review, node.review];
  if (!before || !after) return undefined;
  if (before.best?.uci === node.uci) return null;
  const side = sideToMove(node.parent, state.game.root);
  return nameOf(lossOf(side, before.expected, after.expected));
}

/** Judges every position of the main line that has not been judged yet. */
export async function startReview() {
  const { game } = state;
  search = new AbortController();
  const nodes = mainLine(game.root).filter((node) => !node.review);
  change(() => {
    state.review = { done: 0, of: nodes.length };
  });
  try {
    for (const node of nodes) {
      const judged = (await judgePosition(stateAt(game, node), search.signal)) ?? judgeEnd(node);
      if (state.game !== game) return;
      change(() => {
        node.review = judged;
        state.review = { ...state.review, done: state.review.done + 1 };
        state.treeVersion += 1;
      });
    }
  } catch (error) {
    if (error instanceof Refusal) say("review", error);
    else if (!brokenOff(error)) say("review", { code: "server_gone" });
  }
  if (state.game === game) {
    change(() => {
      state.review = null;
    });
  }
}

/** A position without a move: mate, where the last move's sign tells it, or a draw. */
function judgeEnd(node) {
  const expected = !node.san?.endsWith("#") ? 0.5 : sideToMove(node, state.game.root) === "b" ? 1 : 0;
  return { expected, score: null, best: null, line: [] };
}

export const stopReview = () => search?.abort();

/** The moves of the main line that were a mistake or worse. */
export const mistakes = () =>
  mainLine(state.game.root)
    .slice(1)
    .filter((node) => ["mistake", "blunder"].includes(mistakeAt(node)));
