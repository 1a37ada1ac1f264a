// The game on the board: going through it, adding moves, reading and writing it. The rules are asked of the server.

import { ask, Refusal } from "./api.mjs";
import { change, state } from "./state.mjs";
import { addMove, lastOf, makeGame, path, remove, stateAt, toWrite } from "./tree.mjs";

/** The server's word on each node that was visited. */
const positions = new WeakMap();

/** The node whose position is being asked for, with what breaks the question off. */
let asking = null;

/** Shows a node; the legal moves follow when the server has named them. */
export async function goTo(node) {
  change(() => {
    Object.assign(state, { node, selected: null, promotion: null, position: positions.get(node) ?? null });
  });
  return state.position ?? lookUp(node);
}

/** Asks for the position of a node. Null where it could not be had, or the board has moved on. */
async function lookUp(node) {
  const { game } = state;
  await null; // the board shows the node before this is asked
  asking?.abort();
  asking = new AbortController();
  try {
    const position = await ask("/api/position", { state: stateAt(game, node) }, asking.signal);
    positions.set(node, position);
    path(node).forEach((move, i) => Object.assign(move, position.history[i]));
    if (!node.parent) node.check = position.check;
    if (state.node !== node) return null;
    change(() => {
      state.position = position;
      state.treeVersion += 1;
    });
    return position;
  } catch (error) {
    if (error instanceof Refusal) say("board", error);
    // without the server the position stays unknown until `refresh`
    return null;
  }
}

/** Asks again for the position on the board, if it is not known. */
export async function refresh() {
  return state.position ?? lookUp(state.node);
}

/** Plays a legal move, one of `position.legal`, from the position on the board. */
export function play(move) {
  const { node } = state;
  const before = node.children.length;
  const child = addMove(node, move);
  if (node.children.length > before) state.treeVersion += 1;
  return goTo(child);
}

/** The legal moves from one square to another: several for a promotion, none for what is not allowed. */
export function movesBetween(from, to) {
  const legal = state.position?.legal ?? [];
  return legal.filter((move) => move.from === from && (move.to === to || move.alt_to === to));
}

/** The legal move that a typed text stands for; refused by the server if there is none, or more than one. */
export async function moveTyped(text) {
  const { uci } = await ask("/api/move", { state: stateAt(state.game, state.node), text });
  return state.position?.legal.find((move) => move.uci === uci);
}

/** Puts another game on the board, at its start or at its end. */
export function replaceGame(game, node = game.root) {
  change(() => {
    Object.assign(state, { game, node, match: null, review: null, retry: null, why: null, notice: null });
    state.treeVersion += 1;
  });
  return goTo(node);
}

/** Takes a move and what follows it out of the tree. */
export function removeMove(node) {
  const goBack = path(state.node).includes(node);
  remove(node);
  change(() => {
    state.treeVersion += 1;
  });
  if (goBack) goTo(node.parent);
}

/** The arrows and circles drawn by hand at the move on the board. */
export const drawings = () => state.node.drawings ?? [];

export const setDrawings = (marks) =>
  change(() => {
    state.node.drawings = marks.length > 0 ? marks : undefined;
    state.treeVersion += 1;
  });

export const clearDrawings = () => drawings().length > 0 && setDrawings([]);

/** Says what was refused, beside where it was asked. */
export function say(place, error) {
  change(() => {
    state.notice = { place, error };
  });
}

export const unsay = () =>
  change(() => {
    state.notice = null;
  });

/** A FEN or PGN, whichever the text is. The game on the board stays until the server has read the new one. */
export async function readText(text) {
  const looksLikeFen = /^\s*[^\s[]+(\/[^\s[]+){4,}/.test(text); // of a PGN no first word has so many strokes
  if (looksLikeFen) return readFen(text.trim());
  return (await ask("/api/pgn/read", { text })).games;
}

async function readFen(fen) {
  const read = (chess960) => ask("/api/position", { state: { start: fen, chess960, moves: [] } });
  let position = await read(false);
  // castling rights that ordinary chess cannot have may be those of Chess960
  if (position.ignored.some(({ code }) => code === "fen_castling")) position = await read(true);
  const problems = position.ignored;
  return [{ start: position.fen, chess960: position.chess960, tags: [], nodes: [], result: "*", problems }];
}

/** Opens one of the games that `readText` returned, at its end. */
export function open(plain) {
  const game = makeGame(plain);
  return replaceGame(game, lastOf(game.root));
}

/** The game as PGN. */
export async function writePgn() {
  return (await ask("/api/pgn/write", { game: toWrite(state.game) })).text;
}
