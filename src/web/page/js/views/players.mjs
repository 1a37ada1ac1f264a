// The strips above and below the board: who plays, with which clock, and who is being waited for.

import { clockText, remaining } from "../clock.mjs";
import { byId, h, show } from "../dom.mjs";
import { isOn, watchFlag } from "../match.mjs";
import { state, watchLater } from "../state.mjs";
import { numberOf, otherSide, path, sideToMove } from "../tree.mjs";
import { piecesOf, sideOf } from "../board/geometry.mjs";
import { t } from "../words/index.mjs";

const TICK_MS = 100;
const SHORT_MS = 20_000;

export function mountPlayers() {
  const strips = { top: byId("strip-top"), bottom: byId("strip-bottom") };
  const seen = () => [state.match, state.match?.thinking, state.match?.over, state.node, state.position, state.bottom, state.game, state.settings];
  watchLater(seen, () => {
    showStrip(strips.bottom, state.bottom);
    showStrip(strips.top, otherSide(state.bottom));
    tick();
  });
  setInterval(() => {
    watchFlag();
    tick();
  }, TICK_MS);
}

function showStrip(strip, side) {
  const thinks = isOn() && state.match.thinking && !state.match.human[side];
  const clock = state.match?.clock ? h("span", { class: "clock", "data-side": side, role: "timer" }) : !state.match && noted(side);
  const note = thinks && h("span", { class: "thinking" }, t("match.thinking"));
  strip.dataset.side = side;
  // whose move it is, without a word
  strip.classList.toggle("to-move", sideToMove(state.node, state.game.root) === side && !state.position?.result && !state.match?.over);
  show(strip, h("span", { class: `disc ${side}`, "aria-hidden": "true" }), h("span", { class: "name" }, nameOf(side)), ahead(side), note, clock);
}

function nameOf(side) {
  const { match, game } = state;
  if (match && !match.human[side]) return "Enroc";
  const tag = game.tags[side === "w" ? "White" : "Black"];
  return tag === "?" ? t(`side.${side}`) : tag;
}

/** What the clock of a side showed at the move on the board, in a game that was read or played with clocks. */
function noted(side) {
  const own = path(state.node).findLast((node) => node.clock !== undefined && numberOf(node, state.game.root).side === side);
  return own && h("span", { class: "clock noted", "data-side": side }, clockText(own.clock));
}

const VALUES = { p: 1, n: 3, b: 3, r: 5, q: 9 };

/** By how many pawns a side has more material, if it has. */
function ahead(side) {
  const { fen } = state.node;
  if (!fen) return null;
  const worth = (piece) => (VALUES[piece.toLowerCase()] ?? 0) * (sideOf(piece) === side ? 1 : -1);
  const balance = Object.values(piecesOf(fen)).reduce((sum, piece) => sum + worth(piece), 0);
  return balance > 0 && h("span", { class: "ahead", title: t("match.material") }, `+${balance}`);
}

function tick() {
  const clock = state.match?.clock;
  if (!clock) return;
  for (const element of document.querySelectorAll(".clock")) {
    const left = remaining(clock, element.dataset.side, performance.now());
    const text = clockText(left);
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle("running", clock.running === element.dataset.side);
    element.classList.toggle("short", left < SHORT_MS);
  }
}
