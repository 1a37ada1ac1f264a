// The retry: one mistake after the other, with the answer hidden.

import { h, show } from "../dom.mjs";
import { shown } from "../notation.mjs";
import { again, nextRetry, retried, showAnswer, startRetry, stopRetry } from "../retry.mjs";
import { mistakesOf } from "../review.mjs";
import { state, watchLater } from "../state.mjs";
import { sideToMove } from "../tree.mjs";
import { t } from "../words/index.mjs";
import { retriedName } from "./analysis.mjs";
import { button, problem, segmented } from "./controls.mjs";

export function mountRetry(element) {
  watchLater(
    () => [state.retry, state.settings],
    (retry) => {
      element.hidden = !retry;
      if (retry) show(element, card(retry));
    },
  );
}

function card({ nodes, at, phase, tried, reply, loss, problem: refused }) {
  const side = sideToMove(retried().parent, state.game.root);
  const last = at + 1 === nodes.length;
  const next = button(t(last ? "retry.end" : "retry.next"), nextRetry, { class: "primary", "data-key": "next" });
  const more = {
    asking: [button(t("retry.show"), showAnswer)],
    judging: [],
    wrong: [button(t("retry.again"), again, { class: "primary" }), button(t("retry.show"), showAnswer)],
    right: [next],
    shown: [next],
  };
  const counts = { w: mistakesOf("w").length, b: mistakesOf("b").length };
  const sides = ["w", "b"].map((own) => [own, `${t(`side.${own}`)} (${counts[own]})`]);
  const verdict = t(`retry.${phase}`, { move: shown(tried?.san), percent: Math.round((loss ?? 0) * 100) });
  return [
    h("h2", {}, t("retry.title", { at: at + 1, of: nodes.length })),
    counts.w > 0 && counts.b > 0 && segmented(t("retry.side"), "retry-side", sides, side, startRetry),
    h("p", {}, t(`retry.ask.${side}`, { move: retriedName() })),
    h("p", { class: `verdict ${phase}`, role: "status" }, verdict),
    phase === "wrong" && reply && h("p", {}, t("retry.reply", { move: shown(reply.san) })),
    problem(refused),
    h("div", { class: "row" }, more[phase], button(t("retry.stop"), stopRetry)),
  ];
}
