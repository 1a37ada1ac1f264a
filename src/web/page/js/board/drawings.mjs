// Arrows and circles: those drawn by hand, those of an explanation, and the engine's first choice.

import { s } from "../dom.mjs";
import { placeOf } from "./geometry.mjs";
import { UNIT } from "./pieces.mjs";

const HEAD = 34;

function centre(square, bottom) {
  const { column, row } = placeOf(square, bottom);
  return [(column + 0.5) * UNIT, (row + 0.5) * UNIT];
}

function arrow(from, to, kind, bottom) {
  const [[x1, y1], [x2, y2]] = [centre(from, bottom), centre(to, bottom)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (along, across) => `${x1 + dx * along - dy * across} ${y1 + dy * along + dx * across}`;
  const [start, neck, end] = [UNIT * 0.28, length - HEAD - 8, length - 8];
  const outline = [at(start, -8), at(neck, -8), at(neck, -24), at(end, 0), at(neck, 24), at(neck, 8), at(start, 8)];
  return s("path", { class: `mark ${kind}`, d: `M${outline.join("L")}Z` });
}

function circle(square, kind, bottom) {
  const [cx, cy] = centre(square, bottom);
  return s("circle", { class: `mark ring ${kind}`, cx, cy, r: UNIT * 0.44 });
}

/** The layer of the drawings. */
export class Drawings {
  constructor() {
    this.element = s("svg", { class: "drawings", viewBox: "0 0 800 800", "aria-hidden": "true" });
  }

  /** Shows marks: `{ from, to, kind }` for an arrow, `{ from, kind }` for a circle. */
  show(marks, bottom) {
    const shapes = marks.map(({ from, to, kind }) => (to ? arrow(from, to, kind, bottom) : circle(from, kind, bottom)));
    this.element.replaceChildren(...shapes);
  }
}
