// The board: squares, pieces, drawings and the choice of a promotion, one above the other.

import { h, s } from "../dom.mjs";
import { drawings as drawnByHand } from "../game.mjs";
import { giveUp, letGo, pickUp, putDown, targets } from "../hand.mjs";
import { sharesNow } from "../networks.mjs";
import { state, watch } from "../state.mjs";
import { marksNow } from "../why.mjs";
import { t } from "../words/index.mjs";
import { Drawings } from "./drawings.mjs";
import { placeOf } from "./geometry.mjs";
import { Pieces, UNIT } from "./pieces.mjs";
import { listen } from "./pointer.mjs";
import { showPromotion } from "./promotion.mjs";
import { Squares } from "./squares.mjs";
import { scoreText } from "../scores.mjs";

/** Fills `element` with the board and keeps it as the state says. */
export function makeBoard(element) {
  const squares = new Squares(press);
  const pieces = new Pieces(element.querySelector(".pieces"));
  const drawings = new Drawings();
  const layer = (name) => s("svg", { class: name, viewBox: "0 0 800 800", "aria-hidden": "true" });
  const [shares, labels] = [layer("shares"), layer("labels")];
  const promotion = h("div", { class: "promotion", hidden: true });
  const grid = h("div", { class: "grid", role: "grid" }, squares.rows);
  pieces.element.before(grid, shares);
  pieces.element.after(labels, drawings.element, promotion);
  listen(element, pieces, (square) => squares.touch(square));
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    if (!giveUp()) squares.walk(false);
  });
  element.addEventListener("pointerdown", () => squares.walk(false));
  grid.addEventListener("focusout", (event) => !grid.contains(event.relatedTarget) && squares.walk(false));

  let fen = state.game.root.fen;
  const seen = () => [state.node, state.node.fen, state.position, state.bottom, state.selected, state.match?.premove, state.settings];
  watch(seen, (node, next, position, bottom) => {
    fen = next ?? fen; // of a game that was read, positions come with the server's word
    grid.setAttribute("aria-label", t("board.label"));
    grid.setAttribute("aria-description", t("board.keys"));
    grid.setAttribute("aria-busy", String(position === null)); // until the legal moves are known
    squares.show(fen, bottom, squareMarks(node));
    pieces.show(fen, bottom);
  });
  watch(
    () => [state.promotion, state.bottom, state.settings],
    (choice, bottom) => {
      showPromotion(promotion, choice, bottom);
      if (!choice) pieces.show(fen, bottom);
    },
  );
  const marked = () => [state.node, state.bottom, state.node.drawings, state.why, state.retry, state.room, state.analysis.info, state.analysis.on, state.sketch];
  watch(marked, (node, bottom) => drawings.show([...engineMark(), ...marksNow(), ...drawnByHand(), ...(state.sketch ? [state.sketch] : [])], bottom));
  watch(
    () => [state.networks.shares, state.networks.shown, state.room, state.bottom],
    () => showShares(shares, labels, sharesNow()),
  );
}

/** A square was chosen with the keyboard. */
function press(square) {
  if (state.selected === square) return letGo();
  if (state.selected && putDown(square)) return;
  if (!pickUp(square)) letGo();
}

/** The classes of the squares that are not plain. */
function squareMarks(node) {
  const marks = {};
  const mark = (square, name) => square && (marks[square] ??= []).push(name);
  if (node.uci) [node.uci.slice(0, 2), node.uci.slice(2, 4)].forEach((square) => mark(square, "last"));
  mark(state.position?.check ?? node.check, "check");
  mark(state.selected, "selected");
  for (const [square, kind] of Object.entries(targets())) mark(square, `target-${kind}`);
  const { premove } = state.match ?? {};
  if (premove) [premove.from, premove.to].forEach((square) => mark(square, "premove"));
  return marks;
}

/** The engine's first choice as an arrow, while lines run. */
function engineMark() {
  const { on, info } = state.analysis;
  const best = on && state.room === "analysis" && info?.node === state.node && info.lines[0]?.pv[0];
  return best ? [{ from: best.uci.slice(0, 2), to: best.uci.slice(2, 4), kind: "engine" }] : [];
}

/** The squares blue where a piece is good for White and orange for Black, and its share in pawns on it. */
function showShares(tiles, labels, bySquare) {
  const places = Object.entries(bySquare ?? {}).map(([square, share]) => ({ ...placeOf(square, state.bottom), share }));
  const tile = ({ column, row, share }) =>
    s("rect", {
      class: `tile ${share >= 0 ? "white" : "black"}`,
      x: column * UNIT,
      y: row * UNIT,
      width: UNIT,
      height: UNIT,
      "fill-opacity": 0.25 + 0.6 * Math.min(1, Math.abs(share) / 900),
    });
  const label = ({ column, row, share }) => {
    const text = scoreText({ cp: share }, 1);
    const width = 10 + 11 * text.length;
    const [x, y] = [(column + 1) * UNIT - width - 2, (row + 1) * UNIT - 26];
    return [s("rect", { x, y, width, height: 24, rx: 5 }), s("text", { x: x + width / 2, y: y + 19 }, text)];
  };
  tiles.replaceChildren(...places.map(tile));
  labels.replaceChildren(...places.flatMap(label));
}
