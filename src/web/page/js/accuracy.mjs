// What a whole game was worth: for each side an accuracy in per cent, and how many mistakes of each kind.

import { isMistake } from "./review.mjs";
import { mainLine, numberOf } from "./tree.mjs";

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** `{ w, b }`, each with `accuracy` and the counts; null for a side without a graded move. */
export function summary(root) {
  const sides = { w: [], b: [] };
  // a game that an earlier version has kept has none
  for (const node of mainLine(root).slice(1)) if (node.judged?.accuracy >= 0) sides[numberOf(node, root).side].push(node.judged);
  const of = (judged) => {
    if (judged.length === 0) return null;
    const values = judged.map(({ accuracy }) => accuracy);
    // one blunder weighs more than a mean of all shows: the harmonic mean does
    const harmonic = values.length / values.reduce((sum, value) => sum + 1 / Math.max(1, value), 0);
    const counts = { inaccuracy: 0, mistake: 0, blunder: 0 };
    for (const record of judged) if (isMistake(record)) counts[record.grade] += 1;
    return { accuracy: Math.round((mean(values) + harmonic) / 2), ...counts };
  };
  return { w: of(sides.w), b: of(sides.b) };
}
