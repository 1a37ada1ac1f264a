// The squares: a grid for the eye, the keyboard and the screen reader.

import { h } from "../dom.mjs";
import { squareInWords } from "../speech.mjs";
import { isDark, piecesOf, placeOf, squareAt, squaresFrom } from "./geometry.mjs";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Sets an attribute, unless that would change nothing: most squares stay as they are. */
function put(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** The grid; `press(square)` is called when a square is chosen with the keyboard or by a screen reader. */
export class Squares {
  constructor(press) {
    this.cells = new Map();
    this.walking = false; // whether the arrow keys go over the squares
    this.focus = "e2";
    this.bottom = null;
    this.rows = [...Array(8)].map(() => h("div", { role: "row", class: "rank" }));
    for (const square of squaresFrom("w")) this.cells.set(square, this.cell(square, press));
    this.rows.forEach((row) => row.addEventListener("keydown", (event) => this.step(event)));
  }

  cell(square, press) {
    const tone = isDark(square) ? "dark" : "light";
    const cell = h("button", { type: "button", role: "gridcell", class: `square ${tone}`, tabindex: "-1", "data-square": square });
    cell.append(h("span", { class: "file" }), h("span", { class: "rank-number" }));
    // clicks of the pointer are the hand's business (pointer.mjs); those of a key or a screen reader have no detail
    cell.addEventListener("click", (event) => {
      if (event.detail !== 0) return;
      this.walk(true);
      press(square);
    });
    cell.addEventListener("focus", () => this.rove(square));
    return cell;
  }

  rove(square) {
    this.cells.get(this.focus).tabIndex = -1;
    this.cells.get(square).tabIndex = 0;
    this.focus = square;
  }

  /** A pointer was on a square: the keyboard would begin there, and leaves whatever it was on. */
  touch(square) {
    this.rove(square);
    document.activeElement?.blur?.();
  }

  /** Lets the arrow keys go over the squares, or through the game again. */
  walk(on) {
    if (on === this.walking) return;
    this.walking = on;
    this.rows[0].parentElement.classList.toggle("walking", on);
  }

  step(event) {
    const step = this.walking && ARROWS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    const { column, row } = placeOf(this.focus, this.bottom);
    const next = squareAt(column + step[0], row + step[1], this.bottom);
    if (next) this.cells.get(next).focus();
    event.preventDefault();
    event.stopPropagation();
  }

  turn(bottom) {
    if (bottom === this.bottom) return;
    const order = squaresFrom(bottom);
    const focused = document.activeElement?.dataset?.square;
    this.rows.forEach((row, i) => row.replaceChildren(...order.slice(i * 8, i * 8 + 8).map((square) => this.cells.get(square))));
    for (const [square, cell] of this.cells) {
      const { column, row } = placeOf(square, bottom);
      const [file, rank] = cell.children;
      file.dataset.text = row === 7 ? square[0] : "";
      rank.dataset.text = column === 7 ? square[1] : "";
    }
    this.bottom = bottom;
    this.rove(this.focus);
    if (focused) this.cells.get(focused).focus();
  }

  /** Shows what is on the squares and which are marked: `marks` holds classes by square. */
  show(fen, bottom, marks) {
    this.turn(bottom);
    const pieces = piecesOf(fen);
    for (const [square, cell] of this.cells) {
      const own = marks[square] ?? [];
      const tone = isDark(square) ? "dark" : "light";
      put(cell, "class", ["square", tone, ...own].join(" "));
      put(cell, "aria-label", squareInWords(square, pieces[square], own));
      put(cell, "aria-selected", String(own.includes("selected")));
    }
  }
}
