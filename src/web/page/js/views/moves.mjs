// The moves of the game with their variations, comments and marks; each leads to its position.

import { h, iconButton, show } from "../dom.mjs";
import { goTo } from "../game.mjs";
import { signsOf } from "../glyphs.mjs";
import { shown } from "../notation.mjs";
import { mistakeAt } from "../review.mjs";
import { retried } from "../retry.mjs";
import { scoreText } from "../scores.mjs";
import { moveInWords } from "../speech.mjs";
import { change, state, watch, watchLater } from "../state.mjs";
import { step, STEPS } from "../steps.mjs";
import { numberOf } from "../tree.mjs";
import { t } from "../words/index.mjs";
import { numbered } from "./controls.mjs";
import { prose } from "./notes.mjs";

export function mountMoves(element) {
  const seen = () => [state.game, state.node, state.treeVersion, state.retry, state.settings];
  watchLater(seen, (game) => {
    const hideAfter = state.retry ? retried().parent : null;
    element.setAttribute("aria-label", t("moves.label"));
    show(element, comment(game.root), column(game.root, hideAfter), outcome(game));
    // with the next frame: to measure now would hold up the board
    requestAnimationFrame(() => reveal(element, state.node));
  });
  // what opens above it leaves the list another height
  new ResizeObserver(() => reveal(element, state.node)).observe(element);
}

const comment = (node) => prose(node.comment) && h("p", { class: "comment" }, prose(node.comment));

const outcome = (game) => game.result !== "*" && !state.retry && h("p", { class: "outcome" }, game.result.replace("1/2-1/2", "½–½").replace("-", "–"));

/** The main line in two columns; what interrupts it stands between. */
function column(root, hideAfter) {
  const cells = [];
  let { number, side } = numberOf({ parent: root }, root);
  let open = false; // whether White's cell of this row has been written
  for (let node = root; node !== hideAfter && node.children.length > 0; ) {
    const [next, ...others] = node.children;
    if (!open) cells.push(h("span", { class: "number" }, `${number}.`));
    if (!open && side === "b") cells.push(gap());
    cells.push(moveButton(next));
    open = side === "w";
    const between = [prose(next.before) && h("p", { class: "comment" }, prose(next.before)), comment(next), others.length > 0 && variations(others, number, side)].filter(Boolean);
    if (between.length > 0) {
      if (open) cells.push(gap());
      cells.push(h("div", { class: "between" }, between));
      open = false;
    }
    if (side === "b") number += 1;
    side = side === "w" ? "b" : "w";
    node = next;
  }
  return h("div", { class: "column" }, cells);
}

const gap = () => h("span", { class: "gap", "aria-hidden": "true" }, "…");

const variations = (nodes, number, side) => h("ul", { class: "variations" }, nodes.map((node) => h("li", {}, line(node, number, side))));

/** A variation as running text, with its own variations in brackets. */
function line(first, number, side) {
  const parts = [];
  let fresh = true;
  for (let node = first; node; node = node.children[0]) {
    const label = side === "w" || fresh ? numbered(number, side) : null;
    const words = prose(node.comment);
    if (parts.length > 0) parts.push(" ");
    parts.push(h("span", { class: "ply" }, label, moveButton(node)), words && [" ", h("span", { class: "comment" }, words)]);
    fresh = Boolean(words);
    const siblings = node === first ? [] : node.parent.children.slice(1);
    for (const sibling of siblings) {
      parts.push(" ", h("span", { class: "bracket" }, "(", line(sibling, number, side), ")"));
      fresh = true;
    }
    if (side === "b") number += 1;
    side = side === "w" ? "b" : "w";
  }
  return parts;
}

function moveButton(node) {
  const mistake = state.retry ? undefined : mistakeAt(node);
  const signs = state.retry ? "" : signsOf(node);
  const words = [moveInWords(node.san), mistake && t(`mistake.${mistake}`)].filter(Boolean).join(", ");
  const current = node === state.node ? "true" : false;
  const standing = state.retry ? undefined : (node.judged?.after ?? node.standing);
  const score = standing && standing.score.mate !== 0 ? scoreText(standing.score, 1) : false;
  const attributes = { type: "button", class: `move ${mistake ?? ""}`, "aria-current": current, "aria-description": words, "data-key": `move-${node.id}`, "data-score": score };
  return h("button", { ...attributes, onclick: () => goTo(node) }, shown(node.san), signs && h("i", {}, signs));
}

/** Scrolls the list, and nothing else, to the move on the board. */
function reveal(element, node) {
  const current = element.querySelector("[aria-current]");
  if (!current) {
    element.scrollTo(0, node.parent ? element.scrollHeight : 0);
    return;
  }
  const [box, own] = [element.getBoundingClientRect(), current.getBoundingClientRect()];
  element.scrollTop += own.top + own.height / 2 - box.top - box.height / 2;
  element.scrollLeft += own.left + own.width / 2 - box.left - box.width / 2;
}

/** The name of the opening, in English as its table has it. It stays until the next position is known. */
export function mountOpening(element) {
  watchLater(
    () => [state.position, state.game],
    (position) => {
      const { eco, name } = position?.opening ?? {};
      if (position || state.game.root.children.length === 0) element.textContent = eco ? `${eco} ${name}` : "";
    },
  );
}

/** Buttons to go through the game, and to turn the board. */
export function mountSteps(element) {
  const button = (key, onclick) => iconButton(key, "", onclick, { "data-key": key });
  const buttons = ["first", "back", "forth", "last"].map((key) => [button(key, () => step(key)), `step.${key}`, STEPS[key]]);
  buttons.push([button("flip", flip), "board.flip", () => true]);
  element.append(...buttons.map(([made]) => made));
  watch(
    () => [state.node, state.treeVersion, state.retry, state.settings],
    () => {
      for (const [made, name, target] of buttons) {
        made.disabled = !target();
        made.title = made.ariaLabel = t(name);
      }
    },
  );
}

export const flip = () =>
  change(() => {
    state.bottom = state.bottom === "w" ? "b" : "w";
  });
