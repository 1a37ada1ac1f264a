// What a gesture on the board means: picking up, putting down, choosing a piece, typing a move.

import { clearDrawings, movesBetween, moveTyped, play, say } from "./game.mjs";
import { handsOf, humanMove, isOn, premove } from "./match.mjs";
import { retried, tryMove } from "./retry.mjs";
import { begin } from "./setup.mjs";
import { change, state } from "./state.mjs";
import { piecesOf, sideOf } from "./board/geometry.mjs";
import { sideToMove } from "./tree.mjs";

const turn = () => sideToMove(state.node, state.game.root);

/** The side whose pieces can be picked up now, or null. */
function hands() {
  if (state.retry) return state.retry.phase === "asking" && state.node === retried().parent ? turn() : null;
  if (isOn()) return handsOf();
  return turn();
}

/** Whether what is put down now is kept until the other side has moved, and the legal moves are known. */
const inAdvance = () => isOn() && !state.retry && (hands() !== turn() || state.position === null);

export function canPickUp(square) {
  const piece = state.node.fen && piecesOf(state.node.fen)[square];
  return Boolean(piece) && hands() === sideOf(piece) && !state.position?.result;
}

/** Picks up the piece on a square; false if it is not to be had. */
export function pickUp(square) {
  if (!canPickUp(square)) return false;
  change(() => Object.assign(state, { selected: square, promotion: null }));
  return true;
}

export const letGo = () =>
  change(() => {
    Object.assign(state, { selected: null, promotion: null });
    if (state.match) state.match.premove = null;
  });

/** Lets go of what is in the hand, or else takes the drawings away; false if there was neither. */
export function giveUp() {
  const holds = state.selected || state.promotion || state.match?.premove;
  if (holds) letGo();
  return Boolean(holds) || clearDrawings();
}

/** Where the piece that is picked up may go: `{ square: "move" | "capture" }`. */
export function targets() {
  const from = state.selected;
  if (!from || inAdvance()) return {};
  const legal = (state.position?.legal ?? []).filter((move) => move.from === from);
  const squares = legal.map((move) => [move.to, move.capture ? "capture" : "move"]);
  return Object.fromEntries(squares);
}

/** Puts the picked up piece on a square. True if that was a move, or a choice of one. */
export function putDown(to) {
  const from = state.selected;
  if (!from) return false;
  // another piece of one's own is picked up instead, even before the legal moves are known
  if (hands() === turn() && from !== to && state.position === null && canPickUp(to)) return false;
  if (inAdvance()) {
    change(() => {
      state.selected = null;
    });
    if (from !== to) premove({ from, to });
    return from !== to;
  }
  const moves = chosen(movesBetween(from, to), to);
  if (moves.length === 0) return false;
  if (moves.length === 1) commit(moves[0]);
  else change(() => Object.assign(state, { selected: null, promotion: { moves, square: to } }));
  return true;
}

/** In Chess960 the king may step to where it would castle to: then castling is meant by putting it on the rook. */
function chosen(moves, to) {
  const castling = moves.filter((move) => move.castling);
  if (castling.length === 0 || castling.length === moves.length) return moves.slice(0, castling.length || moves.length);
  const onRook = castling.filter((move) => move.alt_to === to && move.to !== to);
  return onRook.length > 0 ? onRook : moves.filter((move) => !move.castling);
}

/** Plays a legal move where it belongs: into a retry, a match, or the tree. */
export function commit(move) {
  change(() => Object.assign(state, { selected: null, promotion: null }));
  if (state.retry) return tryMove(move);
  if (isOn()) return humanMove(move);
  if (state.room !== "play") return play(move);
  // where a game can be set up, the first move starts it; later ones say what they are
  if (!state.match && state.game.root.children.length === 0) return begin({ first: move });
  say("play", { code: "no_game" });
  return play(move);
}

/** The promotions of one pawn that a typed move without its piece may mean, e.g. `a8` or `bxa8`; none otherwise. */
function promotionsOf(text) {
  const [, file, square] = /^([a-h])?[1-8]?x?([a-h][18])$/.exec(text) ?? [];
  const moves = (state.position?.legal ?? []).filter(({ promotion, from, to }) => promotion && to === square && (file ?? square[0]) === from[0]);
  return moves.every(({ from }) => from === moves[0].from) ? moves : [];
}

/** Plays what was typed, SAN or squares. Throws what the server refused; false if it is not one's turn. */
export async function typed(text) {
  if (hands() !== turn()) return false;
  const moves = promotionsOf(text);
  if (moves.length > 0) {
    change(() => Object.assign(state, { selected: null, promotion: { moves, square: moves[0].to } }));
    return true;
  }
  const move = await moveTyped(text);
  if (!move) return false;
  commit(move);
  return true;
}
