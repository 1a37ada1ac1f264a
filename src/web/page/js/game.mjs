// The game on the board: going through it, adding moves, reading and writing it. The rules are asked of the server.

import { ask, Refusal } from "./api.mjs";
import { fromCatalan, withoutFigurines } from "./notation.mjs";
import { languageOf } from "./settings.mjs";
import { change, state } from "./state.mjs";
import { addMove, lastOf, makeGame, path, promote, remove, stateAt, trial } from "./tree.mjs";
import { alter, remember } from "./undo.mjs";

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

/** Notes that the game is no longer what was read. */
const touch = () => {
  state.game.touched = true;
  state.treeVersion += 1;
};

/** Plays a legal move, one of `position.legal`, from the position on the board. */
export function play(move) {
  const { node } = state;
  const before = node.children.length;
  const child = addMove(node, move);
  if (node.children.length > before) touch();
  return goTo(child);
}

/** The legal moves from one square to another: several for a promotion, none for what is not allowed. */
export function movesBetween(from, to) {
  const legal = state.position?.legal ?? [];
  return legal.filter((move) => move.from === from && (move.to === to || move.alt_to === to));
}

/** The legal move that a typed text stands for; refused by the server if there is none, or more than one. */
export async function moveTyped(text) {
  const lang = languageOf(state.settings);
  const { uci } = await ask("/api/move", { state: stateAt(state.game, state.node), text, lang });
  return (await refresh())?.legal.find((move) => move.uci === uci);
}

/** What belongs to a game that is being played, and ends or begins with the game on the board. */
let held = { leave() {}, comeBack() {} };

/** `leave` is called before another game comes on the board, `comeBack` after one has come back. */
export function holdWithGame(hooks) {
  held = hooks;
}

/** All that a game on the board consists of. */
function picture() {
  held.leave();
  const { game, node, match, bottom, room, file } = state;
  return { game, node, match, bottom, room, file };
}

function putUp(shown) {
  change(() => {
    Object.assign(state, { ...shown, review: null, retry: null, why: null, notice: null });
    state.treeVersion += 1;
  });
  return goTo(shown.node);
}

const isEmpty = ({ game: { root, start }, match }) => root.children.length === 0 && start === null && !root.drawings?.length && !match;

/**
 * Puts another game on the board, at its start or at its end; `file` is the one that it is of. What was there can be had
 * back.
 */
export function replaceGame(game, node = game.root, key = "undo.game", file = state.file) {
  let other = picture();
  const { bottom, room } = other;
  const shown = putUp({ game, node, match: null, bottom, room, file });
  if (!isEmpty(other) || other.file !== file) {
    remember(key, () => {
      const now = picture();
      putUp(other).then(() => held.comeBack());
      other = now;
    }, key === "undo.game" && !other.match && !other.game.touched);
    game.touched = false;
  }
  return shown;
}

/** Shows that the tree was altered in place. */
const treeChanged = () =>
  change(() => {
    state.treeVersion += 1;
  });

/** Remembers what follows some moves, which is about to change. */
function rememberChildren(key, nodes) {
  let other = nodes.map((node) => node.children);
  let at = state.node;
  remember(key, () => {
    const [now, here] = [nodes.map((node) => node.children), state.node];
    nodes.forEach((node, i) => {
      node.children = other[i];
    });
    const target = at;
    [other, at] = [now, here];
    treeChanged();
    goTo(target);
  });
}

/** Takes a move and what follows it out of the tree. */
export function removeMove(node) {
  const goBack = path(state.node).includes(node);
  rememberChildren("undo.remove", [node.parent]);
  remove(node);
  treeChanged();
  if (goBack) goTo(node.parent);
}

/** Makes the line to a move the main one. */
export function promoteMove(node) {
  rememberChildren("undo.promote", path(node).map((move) => move.parent));
  promote(node);
  treeChanged();
}

/** Writes a comment to a move, or signs. */
export function annotate(node, fields) {
  alter("undo.note", node, fields, treeChanged);
  treeChanged();
}

/** Plays a line from a node into the tree, and shows its end. */
export function playLine(node, moves) {
  let at = node;
  for (const { uci, san } of moves) at = addMove(at, { uci, san });
  touch();
  return goTo(at);
}

/** Shows a move from a node without putting it into the game. */
export function tryOut(node, move) {
  const shown = trial(node, move);
  goTo(shown);
  return shown;
}

/** The arrows and circles drawn by hand at the move on the board. */
export const drawings = () => state.node.drawings ?? [];

export const setDrawings = (marks) =>
  change(() => {
    state.node.drawings = marks.length > 0 ? marks : undefined;
    touch();
  });

/** Takes the arrows and circles of the move on the board away; false if there are none. */
export function clearDrawings() {
  if (drawings().length === 0) return false;
  alter("undo.drawings", state.node, { drawings: undefined }, treeChanged);
  treeChanged();
  return true;
}

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

/** Whether a text is a FEN, or a line of an EPD: its first word has the strokes between eight ranks. */
const looksLikeFen = (line) => /^\s*[^\s[]+(\/[^\s[]+){4,} [wb] /.test(line) || /^\s*[^\s[]+(\/[^\s[]+){4,}\s*$/.test(line);

/**
 * The games of a text: a FEN, positions in EPD, or a PGN. The game on the board stays until the server has read the new
 * one. A PGN in the letters of Catalan or Spanish is read too, where English letters leave more of it unread.
 */
export async function readText(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  if (lines.length > 0 && lines.every(looksLikeFen)) return Promise.all(lines.map((line) => readPosition(line.trim())));
  if (lines.length === 1 && /^\s*[^\s[]+(\/[^\s[]+){4,}/.test(text)) return [await readPosition(text.trim())];
  const plain = withoutFigurines(text);
  const foreign = fromCatalan(plain);
  const read = async (pgn) => (await ask("/api/pgn/read", { text: pgn })).games;
  const faults = (games) => games.reduce((sum, { problems }) => sum + (problems?.length ?? 0), 0);
  const refused = [];
  const tried = await read(plain).catch((error) => (refused.push(error), null));
  if (foreign !== plain && (!tried || faults(tried) > 0)) {
    const again = await read(foreign).catch(() => null);
    if (again && (!tried || faults(again) < faults(tried))) return again;
  }
  if (!tried) throw refused[0];
  return tried;
}

/** A FEN, or a line of an EPD with what it says of its position. */
async function readPosition(line) {
  const [, four, rest] = /^(\S+ [wb] \S+ \S+)(?:\s+(.*))?$/.exec(line) ?? [null, line, ""];
  const isEpd = /^[a-zA-Z]/.test(rest ?? "");
  const operation = (name) => new RegExp(`(?:^|;)\\s*${name} "?([^";]*)`).exec(rest ?? "")?.[1];
  const fen = isEpd ? `${four} ${operation("hmvc") ?? 0} ${operation("fmvn") ?? 1}` : line;
  const read = (chess960) => ask("/api/position", { state: { start: fen, chess960, moves: [] } });
  let position = await read(false);
  // castling rights that ordinary chess cannot have may be those of Chess960
  if (position.ignored.some(({ code }) => code === "fen_castling")) position = await read(true);
  const problems = position.ignored;
  const name = isEpd ? operation("id") : undefined;
  const comment = isEpd ? rest : undefined;
  return { start: position.fen, chess960: position.chess960, tags: name ? [["Event", name]] : [], comment, nodes: [], result: "*", problems };
}

/** Opens one of the games that `readText` returned, at its end; `file` as for `replaceGame`. */
export function open(plain, file = state.file) {
  const game = makeGame(plain);
  return replaceGame(game, lastOf(game.root), "undo.game", file);
}
