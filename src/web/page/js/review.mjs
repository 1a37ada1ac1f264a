// How good the moves of the game are. A move has one judgement, `node.judged`: the record of the server's that the list of
// moves, the graph, the retry and "Why?" show. The moves of the main line get theirs in a row, any other when it is asked about.

import { ask, brokenOff, Refusal } from "./api.mjs";
import { say } from "./game.mjs";
import { change, state } from "./state.mjs";
import { mainLine, numberOf, stateAt } from "./tree.mjs";

const MISTAKES = ["inaccuracy", "mistake", "blunder"];

let search = null;

/** What the server says of a move played from `node`: `{ judged, reply, line }`, the line of a better move. */
export const judgeMove = (node, uci, signal) => ask("/api/grade", { state: stateAt(state.game, node), move: uci }, signal);

/** Keeps the judgement of a move from `node`, where it is a move of the game. A shorter search does not replace a longer one. */
export function keepJudgement(node, uci, judged, line) {
  const child = node.children.find((move) => move.uci === uci);
  if (!child || child.judged?.nodes > judged.nodes) return;
  child.judged = { ...judged, line: line ?? child.judged?.line ?? [] };
  state.game.touched = true;
  state.treeVersion += 1;
}

/** The name of the mistake that a move was, or null; undefined while it is not known. */
export function mistakeAt({ judged }) {
  if (!judged) return undefined;
  return isMistake(judged) ? judged.grade : null;
}

export const isMistake = (judged) => MISTAKES.includes(judged.grade);

/** The score and the expected score of a position: from the move to it, the first one from it, or the game as it was read; undefined if none is known. */
export const standingAt = (node) => node.judged?.after ?? node.children[0]?.judged?.before ?? node.standing;

/** Judges every move of the main line that has not been judged yet. */
export async function startReview() {
  const { game } = state;
  search = new AbortController();
  const nodes = mainLine(game.root).filter((node) => node.parent && !node.judged);
  change(() => {
    state.review = { done: 0, of: nodes.length };
  });
  try {
    for (const node of nodes) {
      const { judged, line } = await judgeMove(node.parent, node.uci, search.signal);
      if (state.game !== game) return;
      change(() => {
        keepJudgement(node.parent, node.uci, judged, line);
        state.review = { ...state.review, done: state.review.done + 1 };
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

export const stopReview = () => search?.abort();

/** The moves of a side in the main line that were a mistake or worse. */
export const mistakesOf = (side) =>
  mainLine(state.game.root)
    .slice(1)
    .filter((node) => ["mistake", "blunder"].includes(mistakeAt(node)) && numberOf(node, state.game.root).side === side);
