// A small board beside the pointer: the position after the move of a line that it is on.

import { ask } from "../api.mjs";
import { byId, s } from "../dom.mjs";
import { piecesOf, placeOf, sideOf } from "../board/geometry.mjs";
import { state } from "../state.mjs";
import { stateAt } from "../tree.mjs";

const known = new WeakMap(); // node → Map of line → positions after each of its moves

/** The positions after each move of a line from a node. */
async function positionsOf(node, line) {
  const moves = line.map(({ uci }) => uci);
  const key = moves.join(" ");
  if (!known.has(node)) known.set(node, new Map());
  const lines = known.get(node);
  if (!lines.has(key)) {
    const at = stateAt(state.game, node);
    const asked = ask("/api/position", { state: { ...at, moves: [...at.moves, ...moves] } });
    lines.set(key, asked.then(({ history }) => history.slice(at.moves.length).map(({ fen }) => fen)));
    if (lines.size > 200) lines.delete(lines.keys().next().value);
  }
  return lines.get(key);
}

/** A board as a picture. `last` is the move that led to it. */
export function smallBoard(fen, bottom, last) {
  const square = (name, at) => {
    const { column, row } = placeOf(at, bottom);
    return s("rect", { class: name, x: column * 100, y: row * 100, width: 100, height: 100 });
  };
  const piece = ([at, sign]) => {
    const { column, row } = placeOf(at, bottom);
    return s("use", { href: `#piece-${sign.toLowerCase()}`, class: `piece ${sideOf(sign)}`, x: column * 100, y: row * 100, width: 100, height: 100 });
  };
  const marked = last ? [last.slice(0, 2), last.slice(2, 4)].map((at) => square("last", at)) : [];
  return s("svg", { viewBox: "0 0 800 800", class: "small-board", "aria-hidden": "true" }, marked, Object.entries(piecesOf(fen)).map(piece));
}

let wanted = 0;

/** Shows the position after the move `index` of a line from a node, beside an element. */
export async function preview(element, node, line, index) {
  wanted += 1;
  const own = wanted;
  const fens = await positionsOf(node, line.slice(0, index + 1)).catch(() => []);
  const fen = fens[index];
  if (own !== wanted || !fen) return;
  const box = byId("preview");
  box.replaceChildren(smallBoard(fen, state.bottom, line[index].uci));
  box.hidden = false;
  const { left, bottom, top } = element.getBoundingClientRect();
  const size = box.offsetWidth;
  const below = bottom + size + 8 < innerHeight;
  box.style.left = `${Math.max(4, Math.min(innerWidth - size - 4, left))}px`;
  box.style.top = `${Math.max(4, below ? bottom + 6 : top - size - 6)}px`;
}

export function hidePreview() {
  wanted += 1;
  byId("preview").hidden = true;
}
