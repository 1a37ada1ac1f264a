// Positions and moves in words, for screen readers.

import { piecesOf, sideOf } from "./board/geometry.mjs";
import { t } from "./words/index.mjs";

const pieceInWords = (piece) => t(`man.${sideOf(piece)}.${piece.toLowerCase()}`);

/** e.g. "e4, white knight, legal target". */
export function squareInWords(square, piece, marks) {
  const notes = ["selected", "last", "check", "premove"].filter((mark) => marks.includes(mark)).map((mark) => t(`square.${mark}`));
  if (marks.some((mark) => mark.startsWith("target"))) notes.push(t("square.target"));
  return [square, piece ? pieceInWords(piece) : t("square.empty"), ...notes].join(", ");
}

/** A move in SAN read out, e.g. "knight takes f3, check". */
export function moveInWords(san) {
  const end = san.endsWith("#") ? t("spoken.mate") : san.endsWith("+") ? t("spoken.check") : null;
  const bare = san.replace(/[+#]/, "");
  const withEnd = (words) => (end ? `${words}, ${end}` : words);
  if (bare === "O-O") return withEnd(t("spoken.short"));
  if (bare === "O-O-O") return withEnd(t("spoken.long"));
  const [, letter, from, takes, to, promotion] = /^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])=?([QRBN]?)$/.exec(bare) ?? [];
  if (!to) return withEnd(bare);
  const mover = t(`piece.${(letter || "P").toLowerCase()}`);
  const words = [mover, from, takes ? t("spoken.takes") : "", to].filter(Boolean).join(" ");
  return withEnd(promotion ? `${words}, ${t("spoken.becomes", { piece: t(`piece.${promotion.toLowerCase()}`) })}` : words);
}

/** Every piece and its square, White's first. */
export function positionInWords(fen) {
  const pieces = Object.entries(piecesOf(fen));
  const ofSide = (side) =>
    [..."kqrbnp"]
      .flatMap((kind) => pieces.filter(([, piece]) => sideOf(piece) === side && piece.toLowerCase() === kind))
      .map(([square, piece]) => `${t(`piece.${piece.toLowerCase()}`)} ${square}`)
      .join(", ");
  return `${t("side.w")}: ${ofSide("w")}. ${t("side.b")}: ${ofSide("b")}.`;
}
