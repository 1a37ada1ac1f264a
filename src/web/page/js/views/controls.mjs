// The controls of forms. Each calls `changed` with its new value; the keys keep the focus when a form is shown again.

import { h } from "../dom.mjs";
import { errorText, t } from "../words/index.mjs";
import { state } from "../state.mjs";

/** One of a few, all in sight. `options` holds pairs of value and label. */
export function segmented(label, key, options, value, changed) {
  const option = ([own, text]) =>
    h(
      "label",
      {},
      h("input", {
        type: "radio",
        name: key,
        value: own,
        checked: own === value,
        "data-key": `${key}-${own}`,
        onchange: () => changed(own),
      }),
      h("span", {}, text),
    );
  return h("fieldset", { class: "segmented" }, h("legend", {}, label), h("div", {}, options.map(option)));
}

/** One of many, in a list that opens. */
export function choose(label, key, options, value, changed) {
  const option = ([own, text]) => h("option", { value: own, selected: own === value }, text);
  const select = h("select", { "data-key": key, onchange: (event) => changed(event.target.value) }, options.map(option));
  return h("label", { class: "field" }, h("span", {}, label), select);
}

/** A number between two bounds; anything else is brought between them. */
export function number(label, key, { min, max, step = 1 }, value, changed) {
  const read = (event) => {
    const given = Number(event.target.value);
    changed(Math.min(max, Math.max(min, Number.isFinite(given) ? given : min)));
  };
  const input = h("input", { type: "number", min, max, step, value, "data-key": key, inputmode: "decimal", onchange: read });
  return h("label", { class: "field" }, h("span", {}, label), input);
}

export function check(label, key, value, changed) {
  const input = h("input", { type: "checkbox", checked: value, "data-key": key, onchange: (event) => changed(event.target.checked) });
  return h("label", { class: "check" }, input, h("span", {}, label));
}

export const button = (label, onclick, more = {}) => h("button", { type: "button", "data-key": label, onclick, ...more }, label);

/** What was refused at a place, if anything was. */
export function noticeAt(place) {
  const { notice } = state;
  return notice?.place === place && h("p", { class: "problem", role: "alert" }, errorText(notice.error));
}

export const problem = (error) => error && h("p", { class: "problem", role: "alert" }, errorText(error));

/** The name of a network or engine as the page writes it. */
export function netName(id) {
  if (id === "stockfish") return state.hello?.stockfish ?? "Stockfish";
  return state.hello?.nets.find((net) => net.id === id)?.name ?? id;
}

/** This network, or the first that there is if the program that answers now does not have it. */
export function knownNet(id) {
  const nets = state.hello?.nets ?? [];
  return nets.length === 0 || nets.some((net) => net.id === id) ? id : nets[0].id;
}

export const netOptions = () => (state.hello?.nets ?? [{ id: "mlp", name: "mlp" }]).map((net) => [net.id, net.name]);

/** A score for White in pawns, or the moves to mate. */
export function scoreText(score, digits = 2) {
  if (!score) return "";
  if (score.mate !== undefined) return `${score.mate < 0 ? "−" : ""}#${Math.abs(score.mate)}`;
  const pawns = (Math.abs(score.cp) / 100).toFixed(digits);
  return `${score.cp > 0 ? "+" : score.cp < 0 ? "−" : ""}${pawns}`;
}

/** An expected score in per cent of a point, for White. */
export const expectedText = (expected) => t("score.percent", { percent: Math.round(expected * 100) });
