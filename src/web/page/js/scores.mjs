// Scores as the page writes them.

import { t } from "./words/index.mjs";

/** A score for White in pawns, or the moves to mate; of a position that is mate already, only its sign. */
export function scoreText(score, digits = 2) {
  if (!score) return "";
  if (score.mate !== undefined) return score.mate === 0 ? "#" : `${score.mate < 0 ? "−" : ""}#${Math.abs(score.mate)}`;
  const pawns = (Math.abs(score.cp) / 100).toFixed(digits);
  const sign = Number(pawns) === 0 ? "" : score.cp > 0 ? "+" : "−";
  return `${sign}${pawns}`;
}

/** An expected score in per cent of a point, for White. */
export const expectedText = (expected) => t("score.percent", { percent: Math.round(expected * 100) });
