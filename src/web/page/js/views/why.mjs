// The answer to "why?".

import { h, iconButton, show } from "../dom.mjs";
import { shown } from "../notation.mjs";
import { state, watchLater } from "../state.mjs";
import { numberOf } from "../tree.mjs";
import { askWhy, forgetWhy } from "../why.mjs";
import { t } from "../words/index.mjs";
import { folded, problem } from "./controls.mjs";

export function mountWhy(element) {
  watchLater(
    () => [state.why, state.settings, state.retry],
    (why) => {
      element.hidden = !why || Boolean(state.retry);
      if (!element.hidden) show(element, card(why));
    },
  );
  // the answer is in the language and the notation in which it was asked
  const spoken = () => `${state.settings.language} ${state.settings.notation}`;
  let before = spoken();
  watchLater(
    () => [spoken()],
    (chosen) => {
      if (chosen === before) return;
      before = chosen;
      if (state.why) askWhy(state.why.node, state.why);
    },
  );
}

function card({ node, san, busy, text, problem: refused }) {
  const { number, side } = numberOf({ parent: node }, state.game.root);
  const title = `${t("why.title")} ${number}${side === "w" ? "." : "…"} ${shown(san)}`;
  return [
    h("div", { class: "card-head" }, h("h2", {}, title), iconButton("close", t("close"), forgetWhy)),
    busy && h("p", { class: "muted", role: "status" }, t("why.busy")),
    text && h("div", { role: "status" }, sentences(text)),
    problem(refused),
  ];
}

/** The first sentence of an explanation, and the rest of it to unfold. */
function sentences({ summary: [first, ...others], details }) {
  const rest = [...others, ...details];
  return [h("p", { class: "prose" }, first), rest.length > 0 && folded(t("why.details"), "why", h("ul", { class: "prose" }, rest.map((sentence) => h("li", {}, sentence))))];
}
