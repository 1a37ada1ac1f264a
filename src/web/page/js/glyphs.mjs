// The signs beside a move: those of a PGN, and that of the move's grade.

import { mistakeAt } from "./review.mjs";

/** The numeric annotation glyphs that have a sign of their own. */
export const SIGNS = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+",
  22: "⨀", 23: "⨀", 32: "⟳", 36: "↑", 40: "→", 44: "⯹", 132: "⇆", 138: "⨁", 146: "N",
};

/** The signs of a move itself, of which there is one at most. */
export const OF_MOVES = [3, 1, 5, 6, 2, 4];

const OF_GRADES = { inaccuracy: 6, mistake: 2, blunder: 4 };
const PRAISE = [1, 3, 5];

/** The glyphs of a move: of its grade that of the mistake, else those that a hand wrote and the grade does not contradict. */
export function glyphsOf(node) {
  const mistake = mistakeAt(node);
  const others = node.nags.filter((nag) => !OF_MOVES.includes(nag));
  if (mistake) return [OF_GRADES[mistake], ...others];
  const own = node.nags.filter((nag) => OF_MOVES.includes(nag));
  return [...(mistake === null && !node.ownGlyph ? own.filter((nag) => PRAISE.includes(nag)) : own), ...others];
}

/** The same as signs. */
export const signsOf = (node) => glyphsOf(node).map((nag) => SIGNS[nag] ?? "").join("");
