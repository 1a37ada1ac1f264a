// The sheet that lists the keys.

import { h } from "../dom.mjs";
import { t } from "../words/index.mjs";
import { openDialog } from "./dialog.mjs";

const KEYS = [
  ["←", "→", "steps"],
  ["Home", "End", "ends"],
  ["⇧ →", "⇧ ←", "variation"],
  ["↑", "↓", "siblings"],
  ["Space", "best"],
  ["L", "engine"],
  ["V", "flip"],
  ["A–H", "1–8", "typed"],
  ["Ctrl Z", "Ctrl ⇧ Z", "undo"],
  ["Tab", "Enter", "squares"],
  ["Esc", "escape"],
  ["?", "sheet"],
];
const HANDS = ["wheel", "draw", "line"];

export function openKeys() {
  const row = (entry) => h("tr", {}, h("td", {}, entry.slice(0, -1).map((key) => [h("kbd", {}, key), " "])), h("td", {}, t(`keys.${entry.at(-1)}`)));
  const hand = (name) => h("tr", {}, h("td", {}, t(`keys.${name}.how`)), h("td", {}, t(`keys.${name}`)));
  openDialog("settings", t("keys.title"), h("table", { class: "keys" }, h("tbody", {}, KEYS.map(row), HANDS.map(hand))));
}
