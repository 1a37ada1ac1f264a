// The controls of forms. Each calls `changed` with its new value; the keys keep the focus when a form is shown again.

import { h } from "../dom.mjs";
import { errorText, t } from "../words/index.mjs";
import { state } from "../state.mjs";

/** Whether the pointer was used last, not the keyboard. */
let byPointer = false;
for (const [name, value] of [["pointerdown", true], ["keydown", false]]) {
  addEventListener(name, () => (byPointer = value), { capture: true });
}

/** Tells of a choice. After one by the pointer the arrow keys go through the game again, not through the choices. */
function chosen(changed, value) {
  changed(value);
  if (byPointer) document.activeElement?.blur();
}

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
        onchange: () => chosen(changed, own),
      }),
      h("span", {}, text),
    );
  return h("fieldset", { class: "segmented" }, h("legend", {}, label), h("div", {}, options.map(option)));
}

/** One of many, in a list that opens. */
export function choose(label, key, options, value, changed) {
  const option = ([own, text]) => h("option", { value: own, selected: own === value }, text);
  const select = h("select", { "data-key": key, onchange: (event) => chosen(changed, event.target.value) }, options.map(option));
  return h("label", { class: "field" }, h("span", {}, label), select);
}

/** A number between two bounds. Anything else is brought between them, which is said. */
export function number(label, key, { min, max, step = 1 }, value, changed) {
  const said = h("span", { class: "problem", role: "status", hidden: true });
  const read = (event) => {
    const given = event.target.value.trim() === "" ? NaN : Number(event.target.value);
    const taken = Math.min(max, Math.max(min, Number.isFinite(given) ? given : value));
    outOfBounds = given === taken ? null : { key, text: t("number.bounds", { min, max, value: taken }) };
    event.target.value = String(taken);
    said.hidden = !outOfBounds;
    said.textContent = outOfBounds?.text ?? "";
    changed(taken);
  };
  if (outOfBounds?.key === key) {
    said.hidden = false;
    said.textContent = outOfBounds.text;
  }
  const input = h("input", { type: "number", min, max, step, value, "data-key": key, inputmode: "decimal", onchange: read });
  return h("div", { class: "field" }, h("label", { class: "field" }, h("span", {}, label), input), said);
}

/** The number that was last brought between its bounds: what is said of it stays when its form is shown again. */
let outOfBounds = null;

export function check(label, key, value, changed) {
  const input = h("input", { type: "checkbox", checked: value, "data-key": key, onchange: (event) => changed(event.target.checked) });
  return h("label", { class: "check" }, input, h("span", {}, label));
}

/** A part of a form that folds; whether it is open outlives the form. */
export function folded(label, key, ...children) {
  // at the click, not once it has opened: the form may be shown again in between
  const turn = () => open.delete(key) || open.add(key);
  return h("details", { "data-fold": key, open: open.has(key) }, h("summary", { "data-key": `fold-${key}`, onclick: turn }, label), h("div", { class: "folded" }, children));
}

const open = new Set();

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

export const netOptions = () => (state.hello?.nets ?? [{ id: "mlp", name: "mlp" }]).map((net) => [net.id, net.name]);

/** The number of a move and its dots, as a part that does not leave its move. */
export const numbered = (number, side) => h("span", { class: "number" }, `${number}${side === "w" ? "." : "…"}`);
