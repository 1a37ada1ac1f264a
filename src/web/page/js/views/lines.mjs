// The running lines: every move of them can be played, and shows its position beside the pointer.

import { h, show } from "../dom.mjs";
import { playLine } from "../game.mjs";
import { isOn } from "../match.mjs";
import { shown } from "../notation.mjs";
import { expectedText, scoreText } from "../scores.mjs";
import { change, state, watchLater } from "../state.mjs";
import { numberOf } from "../tree.mjs";
import { askWhy } from "../why.mjs";
import { t } from "../words/index.mjs";
import { button, numbered, problem } from "./controls.mjs";
import { hidePreview, preview } from "./preview.mjs";

const MOST_MOVES = 24;

/** The ranks of the lines that are shown whole. */
const open = new Set();

export function mountLines(element) {
  watchLater(
    () => [state.analysis.on, state.analysis.lines, state.analysis.info, state.analysis.problem, state.position, state.retry, state.match?.over, state.match, state.settings],
    (on, count) => {
      element.style.setProperty("--count", String(count));
      element.classList.toggle("off", !on);
      element.hidden = isOn() || state.retry !== null;
      if (!element.hidden) show(element, on ? content() : h("p", { class: "muted" }, t("analysis.off")));
    },
  );
  watchLater(() => [state.node], hidePreview);
  element.addEventListener("pointerover", (event) => hover(event));
  element.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && hover(event));
  for (const name of ["pointerleave", "focusout"]) element.addEventListener(name, hidePreview);
}

/** Shows the position after the move under the pointer; it stays while the lines change under a pointer that rests. */
function hover(event) {
  if (event.pointerType === "touch") return;
  const move = event.target.closest(".move");
  const { info } = state.analysis;
  if (!move || !info) return hidePreview();
  const line = info.lines[Number(move.dataset.line)];
  if (line) preview(move, info.node, line.pv, Number(move.dataset.ply));
}

function content() {
  const { info, problem: refused } = state.analysis;
  if (refused) return [problem(refused)];
  if (state.position?.result) return [h("p", { class: "muted" }, t(`reason.${state.position.result.reason}`))];
  if (!info) return [h("p", { class: "muted figures" }, t("analysis.starting"))];
  const language = document.documentElement.lang;
  const speed = { depth: info.depth, nodes: info.nodes.toLocaleString(language), speed: Math.round(info.nps / 1000).toLocaleString(language) };
  return [h("p", { class: "muted figures" }, t("analysis.figures", speed)), h("ol", {}, info.lines.map((line, at) => item(line, at, info.node)))];
}

function item(line, at, node) {
  const score = h("b", { class: `score ${line.expected >= 0.5 ? "white" : "black"}`, title: expectedText(line.expected) }, scoreText(line.score));
  const [first] = line.pv;
  const name = first && t("why.of", { move: shown(first.san) });
  const ask = first && state.hello?.explain && button("?", () => askWhy(node, first), { class: "ask", "aria-label": name, title: name, "data-key": `why-${line.rank}` });
  const isOpen = open.has(line.rank);
  const unfold = () => {
    if (!open.delete(line.rank)) open.add(line.rank);
    change(() => {
      state.analysis = { ...state.analysis };
    });
  };
  const more = button(isOpen ? "▴" : "▾", unfold, { class: "ask", "aria-expanded": String(isOpen), "aria-label": t("analysis.whole"), title: t("analysis.whole"), "data-key": `open-${line.rank}` });
  return h("li", { class: isOpen ? "open" : "" }, score, h("span", { class: "pv" }, moves(line, at, node)), ask, more);
}

/** The moves of a line, each with the number that it may need. */
function moves({ pv, rank }, at, node) {
  let { number, side } = numberOf({ parent: node }, state.game.root);
  return pv.slice(0, MOST_MOVES).map((move, i) => {
    const label = side === "w" || i === 0 ? numbered(number, side) : null;
    if (side === "b") number += 1;
    side = side === "w" ? "b" : "w";
    const attributes = { type: "button", class: "move", "data-line": at, "data-ply": i, "data-key": `pv-${rank}-${i}`, tabindex: i === 0 ? "0" : "-1" };
    const own = h("button", { ...attributes, onclick: () => playLine(node, pv.slice(0, i + 1)) }, shown(move.san));
    return [h("span", { class: "ply" }, label, own), " "];
  });
}

/** Plays the engine's first choice. */
export function playBest() {
  const { info, on } = state.analysis;
  const best = on && info?.node === state.node && info.lines[0]?.pv[0];
  if (best && !isOn() && !state.retry) playLine(state.node, [best]);
}
