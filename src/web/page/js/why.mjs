// "Why?": what can be said of a move, with squares and lines for the board.

import { ask, brokenOff, Refusal } from "./api.mjs";
import { keepJudgement } from "./review.mjs";
import { languageOf } from "./settings.mjs";
import { change, state } from "./state.mjs";
import { stateAt } from "./tree.mjs";

let question = null;

/** Asks the server of a move, `{ uci, san }`, played from `node`. Its grade is the move's from then on. */
export async function explain(node, move) {
  question?.abort();
  question = new AbortController();
  const body = { state: stateAt(state.game, node), move: move.uci, lang: languageOf(state.settings), notation: state.settings.notation };
  const { game } = state;
  const answer = await ask("/api/explain", body, question.signal);
  if (state.game === game) {
    change(() => {
      keepJudgement(node, move.uci, answer.judged);
    });
  }
  return answer;
}

/** Asks why of a move that was or might be played from `node`, and shows the answer. */
export async function askWhy(node, move) {
  const why = { node, uci: move.uci, san: move.san, busy: true, text: null, marks: [], problem: null };
  change(() => {
    state.why = why;
  });
  let answer;
  try {
    const { text, marks } = await explain(node, move);
    answer = { text, marks };
  } catch (error) {
    if (brokenOff(error)) return;
    answer = { problem: error instanceof Refusal ? error : { code: "server_gone" } };
  }
  if (state.why !== why) return;
  change(() => {
    state.why = { ...why, busy: false, ...answer };
  });
}

export function forgetWhy() {
  question?.abort();
  change(() => {
    state.why = null;
  });
}

/** The marks for the board beside the words: those of the last answer, at its move or the position before it. */
export function marksNow() {
  const { why, node, retry, room } = state;
  if (room !== "analysis") return [];
  if (retry) return retry.marks;
  if (!why || !why.marks) return [];
  const shown = node === why.node || (node.parent === why.node && node.uci === why.uci);
  return shown ? why.marks : [];
}
