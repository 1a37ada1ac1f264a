// The answer to "why?".

import { h, iconButton, show } from "../dom.mjs";
import { state, watchLater } from "../state.mjs";
import { numberOf } from "../tree.mjs";
import { askWhy, forgetWhy } from "../why.mjs";
import { t } from "../words/index.mjs";
import { problem } from "./controls.mjs";

export function mountWhy(element) {
  watchLater(
    () => [state.why, state.settings, state.retry],
    (why) => {
      element.hidden = !why || Boolean(state.retry);
      if (!element.hidden) show(element, card(why));
    },
  );
  // the answer is in the language in which it was asked
  let language = state.settings.language;
  watchLater(
    () => [state.settings.language],
    (chosen) => {
      if (chosen === language) return;
      language = chosen;
      if (state.why) askWhy(state.why.node, state.why);
    },
  );
}

function card({ node, san, busy, text, problem: refused }) {
  const { number, side } = numberOf({ parent: node }, state.game.root);
  const title = `${t("why.title")} ${number}${side === "w" ? "." : "…"} ${san}`;
  return [
    h("div", { class: "card-head" }, h("h2", {}, title), iconButton("close", t("close"), forgetWhy)),
    busy && h("p", { class: "muted", role: "status" }, t("why.busy")),
    text && h("div", { role: "status" }, sentences(text)),
    problem(refused),
  ];
}

/** The summary of an explanation, and its details to open. */
export function sentences({ summary, details }) {
  return [
    h("p", { class: "prose" }, summary.join(" ")),
    details.length > 0 && h("details", {}, h("summary", {}, t("why.details")), h("ul", { class: "prose" }, details.map((sentence) => h("li", {}, sentence)))),
  ];
}
