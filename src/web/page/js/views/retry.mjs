// The retry: one mistake after the other, with the answer hidden.

import { h, show } from "../dom.mjs";
import { again, nextRetry, retried, showAnswer, stopRetry } from "../retry.mjs";
import { state, watchLater } from "../state.mjs";
import { sideToMove } from "../tree.mjs";
import { t } from "../words/index.mjs";
import { retriedName } from "./analysis.mjs";
import { button, problem } from "./controls.mjs";
import { sentences } from "./why.mjs";

export function mountRetry(element) {
  watchLater(
    () => [state.retry, state.settings],
    (retry) => {
      element.hidden = !retry;
      if (retry) show(element, card(retry));
    },
  );
}

function card({ nodes, at, phase, tried, reply, text, loss, problem: refused }) {
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
  return [
    h("h2", {}, t("retry.title", { at: at + 1, of: nodes.length })),
    h("p", {}, t(`retry.ask.${side}`, { move: retriedName() })),
    h("p", { class: `verdict ${phase}`, role: "status" }, t(`retry.${phase}`, { move: tried?.san ?? "", percent: Math.round((loss ?? 0) * 100) })),
    phase === "wrong" && reply && h("p", {}, t("retry.reply", { move: reply.san })),
    phase === "wrong" && text && sentences(text),
    problem(refused),
    h("div", { class: "row" }, more[phase], button(t("retry.stop"), stopRetry)),
  ];
}
