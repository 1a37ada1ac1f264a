// A game as a tree of moves. Nothing here knows the rules: moves come from the server.

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The seven tags that every PGN has. */
const ROSTER = { Event: "?", Site: "?", Date: "????.??.??", Round: "?", White: "?", Black: "?", Result: "*" };

let lastId = 0;

/**
 * `drawings` are the arrows and circles drawn by hand: `[{ kind, from, to }]`; a circle has no `to`. `standing` is the score
 * that a game which was read has after the move, `clock` what the mover's clock then showed (`clock_ms` of the server's).
 */
function makeNode(parent, { uci = null, san = null, fen = null, check = null, before, comment, nags = [], drawings, judged, standing, clock_ms, clock = clock_ms }) {
  lastId += 1;
  return { id: lastId, parent, children: [], uci, san, fen, check, before, comment, nags, drawings, judged, standing, clock };
}

/** A game from plain data: what the server read, what was saved, or nothing for a new one. */
export function makeGame({ tags = [], start = null, chess960 = false, comment, drawings, nodes = [], result = "*" } = {}) {
  const root = makeNode(null, { fen: start ?? START, comment, drawings });
  const made = [];
  for (const plain of nodes) {
    const parent = plain.parent === null ? root : made[plain.parent];
    const node = makeNode(parent, plain);
    parent.children.push(node);
    made.push(node);
  }
  return { tags: { ...ROSTER, ...Object.fromEntries(tags) }, start, chess960, root, result };
}

const SAVED = ["uci", "san", "fen", "check", "before", "comment", "nags", "drawings", "judged", "standing", "clock"];
const WRITTEN = ["uci", "before", "comment", "nags", "drawings"];

/** The game as plain data: nodes in a row, parents before their children, as the server has them. */
function plainGame({ tags, start, chess960, root, result }, fields, more = () => ({})) {
  const nodes = [];
  const index = new Map([[root, null]]);
  const waiting = [...root.children].reverse();
  while (waiting.length > 0) {
    const node = waiting.pop();
    index.set(node, nodes.length);
    const values = fields.filter((field) => node[field] !== undefined).map((field) => [field, node[field]]);
    nodes.push({ parent: index.get(node.parent), ...Object.fromEntries(values), ...more(node) });
    waiting.push(...[...node.children].reverse());
  }
  return { tags: Object.entries(tags), start, chess960, comment: root.comment ?? null, drawings: root.drawings ?? [], nodes, result };
}

/** The game as the page saves it, with the engine's judgements. */
export const toSave = (game) => plainGame(game, SAVED);

/** The game as the server writes it into a PGN; `more(node)` gives further fields of a move. */
export const toWrite = (game, more = () => ({})) => plainGame(game, WRITTEN, more);

/** The moves to a node as a game of their own, with what is written at them. */
export const pathAsPlain = (game, node) => ({
  start: game.start,
  chess960: game.chess960,
  comment: game.root.comment,
  drawings: game.root.drawings,
  nodes: path(node).map((move, i) => ({ ...move, parent: i === 0 ? null : i - 1 })),
});

/** The nodes after the root down to `node`. */
export function path(node) {
  const nodes = [];
  for (let at = node; at.parent; at = at.parent) nodes.push(at);
  return nodes.reverse();
}

/** How many moves lead to a node. */
export const depth = (node) => path(node).length;

/** The nodes of the main line, the root first. */
export function mainLine(root) {
  const nodes = [root];
  for (let at = root; at.children.length > 0; at = at.children[0]) nodes.push(at.children[0]);
  return nodes;
}

export const lastOf = (node) => mainLine(node).at(-1);

/** What the server calls the state of a game. */
export const stateAt = (game, node) => ({
  start: game.start,
  chess960: game.chess960,
  moves: path(node).map((move) => move.uci),
});

/** A move from a node that the game does not have: what is tried, and may be wrong. */
export const trial = (node, move) => makeNode(node, move);

/** The child with this move; added as a variation if it is new. */
export function addMove(node, move) {
  const known = node.children.find((child) => child.uci === move.uci);
  if (known) return known;
  const child = makeNode(node, move);
  node.children.push(child);
  return child;
}

/** Takes a node and what follows it out of the tree. */
export function remove(node) {
  node.parent.children = node.parent.children.filter((child) => child !== node);
}

/** Makes every move down to `node` the main one of its position. */
export function promote(node) {
  for (let at = node; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    at.parent.children = [at, ...siblings.filter((child) => child !== at)];
  }
}

/** Whose turn a FEN says it is. */
export const turnOf = (fen) => (fen.split(" ")[1] === "b" ? "b" : "w");

export const otherSide = (side) => (side === "w" ? "b" : "w");

/** Whose turn it is after a node's move. */
export const sideToMove = (node, root) => ((turnOf(root.fen) === "b") === (depth(node) % 2 === 0) ? "b" : "w");

/** The number of a node's move and the side that played it, e.g. `{ number: 12, side: "b" }`. */
export function numberOf(node, root) {
  const [, turn, , , , number] = root.fen.split(" ");
  const ply = (turn === "b" ? 1 : 0) + depth(node) - 1;
  return { number: Number(number ?? 1) + Math.floor(ply / 2), side: ply % 2 === 0 ? "w" : "b" };
}

/** Takes all that follows a node out of the tree. */
export function removeAfter(node) {
  node.children = [];
}
