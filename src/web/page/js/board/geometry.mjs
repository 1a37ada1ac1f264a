// Squares, where they lie on the board, and what a FEN has on them.

const FILES = "abcdefgh";

/** All squares in the order in which a reader meets them: from the top left, as seen from `bottom`. */
export function squaresFrom(bottom) {
  const squares = [...Array(64).keys()].map((i) => FILES[i % 8] + (8 - Math.floor(i / 8)));
  return bottom === "w" ? squares : squares.reverse();
}

/** Column and row of a square from the top left, 0 to 7, as seen from `bottom`. */
export function placeOf(square, bottom) {
  const column = FILES.indexOf(square[0]);
  const row = 8 - Number(square[1]);
  return bottom === "w" ? { column, row } : { column: 7 - column, row: 7 - row };
}

/** The square in a column and row, or null beside the board. */
export function squareAt(column, row, bottom) {
  if (column < 0 || column > 7 || row < 0 || row > 7) return null;
  return bottom === "w" ? FILES[column] + (8 - row) : FILES[7 - column] + (row + 1);
}

export const isDark = (square) => (FILES.indexOf(square[0]) + Number(square[1])) % 2 === 1;

/** The pieces of a FEN by square, as its letters. */
export function piecesOf(fen) {
  const pieces = {};
  fen
    .split(" ")[0]
    .split("/")
    .forEach((rank, row) => {
      let column = 0;
      for (const sign of rank) {
        if (/\d/.test(sign)) column += Number(sign);
        else {
          pieces[FILES[column] + (8 - row)] = sign;
          column += 1;
        }
      }
    });
  return pieces;
}

export const sideOf = (piece) => (piece === piece.toUpperCase() ? "w" : "b");
