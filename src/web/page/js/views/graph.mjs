// The expected score over the game, with the mistakes marked, and the bar beside the board.

import { byId, h, s, show } from "../dom.mjs";
import { goTo } from "../game.mjs";
import { shown } from "../notation.mjs";
import { mistakeAt, standingAt } from "../review.mjs";
import { expectedText, scoreText } from "../scores.mjs";
import { state, watchLater } from "../state.mjs";
import { mainLine } from "../tree.mjs";
import { t } from "../words/index.mjs";

export function mountGraph(element) {
  watchLater(
    () => [state.game, state.node, state.treeVersion, state.retry, state.settings],
    () => {
      const nodes = mainLine(state.game.root);
      element.hidden = state.retry !== null || nodes.filter(standingAt).length < 2;
      if (!element.hidden) show(element, plot(nodes, element));
    },
  );
  element.addEventListener("click", (event) => {
    const { left, width } = element.getBoundingClientRect();
    const nodes = mainLine(state.game.root);
    const index = Math.round(((event.clientX - left) / width) * (nodes.length - 1));
    goTo(nodes[Math.max(0, Math.min(nodes.length - 1, index))]);
  });
}

/** Stretched to the element: 100 wide and high, White above. */
function plot(nodes, element) {
  const x = (i) => (100 * i) / (nodes.length - 1);
  const y = (node) => 100 * (1 - standingAt(node).expected);
  const known = nodes.map((node, i) => [node, i]).filter(([node]) => standingAt(node));
  // a curve through what is known; where a value is missing it breaks off
  const parts = [];
  for (const [node, i] of known) {
    const part = parts.at(-1);
    const point = { i, at: `${x(i).toFixed(2)} ${y(node).toFixed(2)}` };
    if (part?.at(-1).i === i - 1) part.push(point);
    else parts.push([point]);
  }
  const curve = parts.map((part) => `M${part.map(({ at }) => at).join("L")}${part.length === 1 ? "h0" : ""}`).join("");
  const area = (edge) => parts.map((part) => `M${x(part[0].i)} ${edge}L${part.map(({ at }) => at).join("L")}L${x(part.at(-1).i)} ${edge}Z`).join("");
  const dots = known.filter(([node]) => mistakeAt(node)).map(([node, i]) => dot(node, x(i), y(node)));
  const current = nodes.indexOf(state.node);
  element.setAttribute("aria-label", t("graph.label"));
  return [
    s(
      "svg",
      { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("path", { class: "area black", d: area(0) }),
      s("path", { class: "area white", d: area(100) }),
      s("path", { class: "middle", d: "M0 50H100" }),
      s("path", { class: "curve", d: curve }),
      current >= 0 && s("path", { class: "now", d: `M${x(current)} 0V100` }),
    ),
    dots,
  ];
}

function dot(node, left, top) {
  const mistake = mistakeAt(node);
  const element = h("i", { class: `dot ${mistake}`, title: `${shown(node.san)}: ${t(`mistake.${mistake}`)}` });
  element.style.left = `${left}%`;
  element.style.top = `${top}%`;
  return element;
}

/** A game that is over is worth what it ended with. */
const finalOf = ({ score }) => ({ "1-0": { expected: 1, text: "1–0" }, "0-1": { expected: 0, text: "0–1" } })[score] ?? { expected: 0.5, text: "½" };

/** The expected score of the position on the board, from the running lines or the search for mistakes. */
export function mountBar() {
  const bar = byId("evalbar");
  const part = h("span", { class: "part" });
  const label = h("span", { class: "figure", "aria-hidden": "true" });
  bar.append(part, label);
  watchLater(
    () => [state.node, state.analysis.info, state.treeVersion, state.position?.result, state.room, state.bottom, state.retry, state.settings],
    (node, info, _, result, room, bottom) => {
      const line = result ? finalOf(result) : info?.node === node ? info.lines[0] : standingAt(node);
      bar.classList.toggle("unknown", !line || state.retry !== null);
      bar.classList.toggle("turned", bottom === "b");
      bar.setAttribute("aria-label", line && !state.retry ? `${t("bar.label")}: ${expectedText(line.expected)}` : t("bar.unknown"));
      if (!line || state.retry) return;
      part.style.setProperty("--part", String(line.expected));
      label.textContent = result ? line.text : scoreText(line.score, 1);
    },
  );
}
