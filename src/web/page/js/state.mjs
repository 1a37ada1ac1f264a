// What the page knows, all of it. `change` is the only place where it does.

import { afterFrame } from "./dom.mjs";
import { makeStore } from "./store.mjs";
import { readJson } from "./storage.mjs";
import { makeGame } from "./tree.mjs";
import { readSettings } from "./settings.mjs";

const game = makeGame();

/** What the engine is told beside the position; kept in the browser. `limit` is "infinite", "depth" or "time". */
const ENGINE = { on: false, net: "mlp", lines: 3, threads: 1, hash: 64, limit: "infinite", depth: 20, seconds: 10 };

const start = {
  settings: readSettings(),
  /** "play", "analysis" or "networks". */
  room: "play",
  /** What `enroc board` says of itself, once it has answered. */
  hello: null,
  /** "ok"; "gone" without an answer; "stranger" when it was started again and does not know this tab. */
  connection: "ok",

  game,
  /** The move on the board; the root before the first. */
  node: game.root,
  /** Counts changes of the tree, which is altered in place. */
  treeVersion: 0,
  /** The server's word on `node`: legal moves, result; null until it has come. */
  position: null,
  /** The side at the bottom. */
  bottom: "w",
  /** The square whose piece is picked up. */
  selected: null,
  /** A move that waits for the choice of a piece: `{ moves, square }`. */
  promotion: null,
  /** An arrow or a circle that is being drawn: `{ from, to, kind }`. */
  sketch: null,
  /** A sentence shown beside what it is about: `{ place, text }`. */
  notice: null,

  /** The game that is being played, see match.mjs; null for none. */
  match: null,
  analysis: { ...ENGINE, ...readJson("enroc.engine", {}), info: null, problem: null },
  /** What can be undone, see undo.mjs: `{ key, of, number, canUndo, canRedo }`. */
  undo: { key: null, of: null, number: 0, canUndo: false, canRedo: false },
  /** The opened file with several games, see file.mjs. */
  file: null,
  /** What the tablebases say: `{ node, moves }`. */
  tables: null,
  /** The search for mistakes, `{ done, of }` while it runs, and the retry of them, see retry.mjs. */
  review: null,
  retry: null,
  /** The last question "why": `{ node, uci, san, busy, text, marks, problem }`. */
  why: null,
  /** Whether the fields for signs and a comment are open. */
  notes: false,
  networks: { plies: 2, busy: false, key: null, rows: [], shares: {}, shown: null, problem: null },
};

export const { state, change, watch, watchLater } = makeStore(start, afterFrame);
