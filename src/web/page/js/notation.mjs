// How moves are written: with the letters of the language, or with figurines. Inside the page they have English letters.

import { state } from "./state.mjs";
import { t } from "./words/index.mjs";

const FIGURINES = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘" };

/** A move as the reader has chosen to see it. */
export function shown(san) {
  const figurines = state.settings.notation === "figurines";
  return (san ?? "").replace(/[KQRBN]/g, (letter) => (figurines ? FIGURINES[letter] : t(`letter.${letter.toLowerCase()}`)));
}

const OTHERS = { "♔": "K", "♕": "Q", "♖": "R", "♗": "B", "♘": "N", "♚": "K", "♛": "Q", "♜": "R", "♝": "B", "♞": "N", "♙": "", "♟": "" };

/** The parts of a PGN that are no tag and no comment, changed by `change`. */
const inMoves = (pgn, change) => pgn.replace(/\{[^}]*\}|;[^\n]*|^\s*\[[^\n]*\]\s*$|[^{;[]+|\[/gm, (part) => (/^(\{|;|\s*\[)/.test(part) ? part : change(part)));

/** A PGN whose figurines are letters that the server reads. */
export const withoutFigurines = (pgn) => inMoves(pgn, (text) => text.replace(/[♔-♟]\ufe0e?/g, (sign) => OTHERS[sign[0]] ?? sign));

const CATALAN = { R: "K", D: "Q", T: "R", A: "B", C: "N" };

/** The same of the letters of Catalan and Spanish; of a text that has none of them, the text itself. */
export const fromCatalan = (pgn) => inMoves(pgn, (text) => text.replace(/\b[RDTAC](?=[a-h1-8x])|=[DTAC]\b/g, (sign) => sign.replace(/[RDTAC]/, (letter) => CATALAN[letter])));
