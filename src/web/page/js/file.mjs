// A file with many games: they are found here, and each is read by the server when it is opened.

import { Refusal } from "./api.mjs";
import { open, readText } from "./game.mjs";
import { change, state } from "./state.mjs";
import { remember } from "./undo.mjs";

const TAG = /^\s*\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]/;
/** Those of a game's tags that the list shows and the filter looks into. */
const SHOWN = ["White", "Black", "Result", "Date", "Event", "Site", "Round", "ECO", "Opening"];

/** The games of a PGN as `{ from, to, tags }`, places in the text; the tags are those that are shown. */
export function gamesOf(text) {
  const games = [];
  let game = null;
  let hasMoves = false; // of the game so far
  let inComment = false;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end + 1;
    let line = text.slice(from, to);
    let tag = null;
    const startsTag = () => !inComment && line.trimStart().startsWith("[");
    while (startsTag() && (tag = TAG.exec(line))) {
      const [, name, value] = tag;
      if (!game || hasMoves || (name === "Event" && game.tags.Event !== undefined)) {
        const start = to - line.length;
        if (game) game.to = start;
        game = { from: start, to: text.length, tags: {} };
        games.push(game);
        hasMoves = false;
      }
      if (SHOWN.includes(name)) game.tags[name] = value.replace(/\\(.)/g, "$1");
      line = line.slice(tag[0].length); // other tags, or moves
    }
    if (line.trim()) {
      if (!game) {
        game = { from, to: text.length, tags: {} };
        games.push(game);
      }
      hasMoves = true;
      inComment = endsInComment(line, inComment);
    }
    from = to;
  }
  return games;
}

/** Whether a comment in braces is open at the end of a line of moves. */
function endsInComment(line, before) {
  let open = before;
  for (const sign of line) {
    if (open) open = sign !== "}";
    else if (sign === ";") return false;
    else open = sign === "{";
  }
  return open;
}

/** A game of the list that the server has read. */
export const plainGame = (plain) => ({ tags: { ...Object.fromEntries(plain.tags), Result: plain.result }, plain });

/** Puts another file beside the board, or none. The one that was there can be had back. */
function replaceFile(file) {
  let other = state.file;
  change(() => {
    state.file = file;
  });
  if (!other) return;
  remember("undo.file", () => {
    const now = state.file;
    change(() => {
      state.file = other;
    });
    other = now;
  });
}

/** Keeps the games of a file beside the board. */
export const keepFile = (name, text, games) => replaceFile({ name, text, games, at: null, filter: "" });

export const closeFile = () => replaceFile(null);

export const setFilter = (filter) =>
  change(() => {
    state.file = { ...state.file, filter };
  });

const plainText = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The indices of the games that have all the words of the filter, whatever their accents. */
export function filtered({ games, filter }) {
  const words = plainText(filter).split(/\s+/).filter(Boolean);
  const all = games.map((_, index) => index);
  if (words.length === 0) return all;
  return all.filter((index) => {
    const text = plainText(Object.values(games[index].tags).join(" "));
    return words.every((word) => text.includes(word));
  });
}

/** Opens a game of the file; what could not be read of it is returned. */
export async function openAt(index) {
  const { file } = state;
  const game = file.games[index];
  const read = game.plain ? [game.plain] : await readText(file.text.slice(game.from, game.to));
  if (read.length === 0) throw new Refusal({ code: "pgn_empty", message: "" });
  // the server knows better where a game ends
  const games = read.length === 1 ? file.games : file.games.toSpliced(index, 1, ...read.map(plainGame));
  open(read[0]);
  change(() => {
    state.file = { ...state.file, games, at: index };
    if (state.room === "play") state.room = "analysis";
  });
  return read[0].problems ?? [];
}
