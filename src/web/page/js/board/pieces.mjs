// The pieces: one picture each, which glides to its new square.

import { s } from "../dom.mjs";
import { START } from "../tree.mjs";
import { piecesOf, placeOf, sideOf } from "./geometry.mjs";

/** The board is 800 units wide in its drawings. */
export const UNIT = 100;

/** The layer of the pieces; `show` puts a FEN on it. */
export class Pieces {
  /** `element` holds the pictures of the start already, in the order of its FEN. */
  constructor(element) {
    this.element = element;
    this.placed = new WeakMap(); // picture → transform
    this.bottom = "w";
    const start = Object.entries(piecesOf(START));
    this.on = new Map(start.map(([square], i) => [square, element.children[i]])); // square → picture
    start.forEach(([, piece], i) => {
      element.children[i].dataset.piece = piece;
    });
  }

  /** Shows a position; pieces that went from one square to another keep their picture. */
  show(fen, bottom) {
    const wanted = piecesOf(fen);
    this.element.classList.toggle("turning", bottom !== this.bottom);
    this.bottom = bottom;
    const free = [];
    const next = new Map();
    for (const [square, picture] of this.on) {
      if (wanted[square] === picture.dataset.piece) next.set(square, picture);
      else free.push([square, picture]);
    }
    for (const [square, piece] of Object.entries(wanted)) {
      if (!next.has(square)) next.set(square, takeNearest(free, square, piece) ?? this.make(piece));
    }
    for (const [, picture] of free) picture.remove();
    this.on = next;
    for (const [square, picture] of next) this.place(picture, square);
  }

  make(piece) {
    const side = sideOf(piece);
    const picture = s("use", { href: `#piece-${piece.toLowerCase()}`, class: `piece ${side}`, width: UNIT, height: UNIT });
    picture.dataset.piece = piece;
    this.element.append(picture);
    return picture;
  }

  place(picture, square) {
    const { column, row } = placeOf(square, this.bottom);
    const transform = `translate(${column * UNIT}px, ${row * UNIT}px)`;
    if (this.placed.get(picture) === transform) return;
    this.placed.set(picture, transform);
    picture.style.transform = transform;
  }

  /** Holds the piece of a square under the pointer, at a point in units of the board. */
  hold(square, x, y) {
    const picture = this.on.get(square);
    if (!picture) return;
    if (!picture.classList.contains("held")) {
      picture.classList.add("held");
      this.element.append(picture); // above the others
    }
    this.placed.delete(picture);
    picture.style.transform = `translate(${x - UNIT / 2}px, ${y - UNIT / 2}px)`;
  }

  /** Leaves a held piece on a square until the server's word comes, or brings it back. It is there at once, as the hand is. */
  leave(square, on) {
    const picture = this.on.get(square);
    if (picture) this.place(picture, on);
    for (const held of this.element.querySelectorAll(".held")) {
      getComputedStyle(held).getPropertyValue("transform"); // takes effect before it may glide again
      held.classList.remove("held");
    }
  }
}

function takeNearest(free, square, piece) {
  const distance = ([from]) => {
    const [a, b] = [placeOf(from, "w"), placeOf(square, "w")];
    return Math.hypot(a.column - b.column, a.row - b.row);
  };
  const same = free.filter(([, picture]) => picture.dataset.piece === piece).sort((a, b) => distance(a) - distance(b));
  if (same.length === 0) return null;
  free.splice(free.indexOf(same[0]), 1);
  return same[0][1];
}
