// The mouse, a finger or a pen on the board: drag, click after click, and drawing with the right button.

import { clearDrawings, drawings, setDrawings } from "../game.mjs";
import { canPickUp, letGo, pickUp, putDown } from "../hand.mjs";
import { change, state } from "../state.mjs";
import { step } from "../steps.mjs";
import { piecesOf, squareAt } from "./geometry.mjs";
import { UNIT } from "./pieces.mjs";

/** How far a pointer moves, in parts of a square, before a click becomes a drag. */
const SLACK = 0.12;

/** How far a wheel turns, in pixels, before it steps to another move. */
const NOTCH = 40;

/**
 * Lets `board`, an element, be played on; `pieces` is the layer of the pieces in it. `touched(square)` is told of every
 * press.
 */
export function listen(board, pieces, touched) {
  let press = null;
  let hovered = null;

  const point = (event) => {
    const { left, top, width } = board.getBoundingClientRect();
    const scale = (8 * UNIT) / width;
    return [(event.clientX - left) * scale, (event.clientY - top) * scale];
  };
  const squareOf = ([x, y]) => squareAt(Math.floor(x / UNIT), Math.floor(y / UNIT), state.bottom);
  const hover = (square) => {
    board.querySelector(`[data-square="${hovered}"]`)?.classList.remove("hovered");
    board.querySelector(`[data-square="${square}"]`)?.classList.add("hovered");
    hovered = square;
  };

  // a pointer gives no square the keyboard, which would ring it at the next key
  board.addEventListener("mousedown", (event) => event.target.closest(".promotion") || event.preventDefault());

  let turned = 0;
  board.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.shiftKey || press?.kind === "piece") return; // to zoom and to scroll sideways
      event.preventDefault();
      turned += event.deltaMode === 0 ? event.deltaY : event.deltaY * NOTCH;
      if (Math.abs(turned) < NOTCH) return;
      step(turned > 0 ? "forth" : "back");
      turned = 0;
    },
    { passive: false },
  );

  board.addEventListener("contextmenu", (event) => event.preventDefault());

  board.addEventListener("pointerdown", (event) => {
    if (event.target.closest(".promotion") || !event.isPrimary) return;
    const at = point(event);
    const square = squareOf(at);
    if (!square) return;
    if (event.button === 2) {
      // first it takes back what the other button did
      if (state.match?.premove || state.selected) return letGo();
      press = { kind: "draw", from: square, colour: colourOf(event), id: event.pointerId };
      sketch(markOf(square, square, press.colour));
      return board.setPointerCapture(event.pointerId);
    }
    if (event.button !== 0) return;
    event.preventDefault();
    touched(square);
    const again = state.selected === square;
    if (state.selected && !again && putDown(square)) return;
    if (!canPickUp(square)) {
      const isEmpty = !piecesOf(state.node.fen ?? "")[square];
      if (isEmpty && !state.selected && !state.match?.premove) clearDrawings();
      return letGo();
    }
    pickUp(square);
    press = { kind: "piece", from: square, at, again, dragged: false, id: event.pointerId };
    board.setPointerCapture(event.pointerId);
  });

  board.addEventListener("pointermove", (event) => {
    if (!press || event.pointerId !== press.id) return;
    const at = point(event);
    if (press.kind === "draw") return sketch(markOf(press.from, squareOf(at) ?? press.from, press.colour));
    press.dragged ||= Math.hypot(at[0] - press.at[0], at[1] - press.at[1]) > SLACK * UNIT;
    if (!press.dragged) return;
    pieces.hold(press.from, ...at);
    hover(squareOf(at));
  });

  const end = (event, given) => {
    if (!press || event.pointerId !== press.id) return;
    const { kind, from, colour, again, dragged } = press;
    const to = given ? squareOf(point(event)) : null;
    press = null;
    hover(null);
    if (kind === "draw") {
      sketch(null);
      return to && draw(markOf(from, to, colour));
    }
    if (!dragged) return again && letGo();
    const moved = to && to !== from && putDown(to);
    pieces.leave(from, moved && !state.match?.premove ? to : from);
    if (!moved && to !== from) letGo();
  };
  board.addEventListener("pointerup", (event) => end(event, true));
  board.addEventListener("pointercancel", (event) => end(event, false));
}

function colourOf(event) {
  const red = event.shiftKey || event.ctrlKey;
  if (event.altKey) return red ? "doubt" : "neutral";
  return red ? "bad" : "good";
}

const markOf = (from, to, kind) => (from === to ? { from, kind } : { from, to, kind });

/** Shows what would be drawn if the button were let go now. */
function sketch(mark) {
  if (mark?.from === state.sketch?.from && mark?.to === state.sketch?.to) return;
  change(() => {
    state.sketch = mark;
  });
}

/** Draws an arrow or a circle; the same once more takes it away. */
function draw(mark) {
  const same = (other) => ["from", "to", "kind"].every((field) => other[field] === mark[field]);
  const before = drawings();
  setDrawings(before.some(same) ? before.filter((other) => !same(other)) : [...before, mark]);
}
