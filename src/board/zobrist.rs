//! The random numbers of Zobrist hashing, computed at compile time from one seed.

use super::magics::splitmix;
use super::types::{Color, Piece, Square};

/// The seed of the numbers below.
const SEED: u64 = 0x007a_6f62_7269_7374;

struct Numbers {
    pieces: [[u64; 64]; 12],
    castling: [[u64; 8]; 2],
    en_passant: [u64; 8],
    black: u64,
}

static NUMBERS: Numbers = numbers();

const fn numbers() -> Numbers {
    let mut state = SEED;
    let mut numbers = Numbers {
        pieces: [[0; 64]; 12],
        castling: [[0; 8]; 2],
        en_passant: [0; 8],
        black: 0,
    };
    let mut i = 0;
    while i < 12 * 64 {
        numbers.pieces[i / 64][i % 64] = splitmix(&mut state);
        i += 1;
    }
    let mut right = 0;
    while right < 16 {
        numbers.castling[right / 8][right % 8] = splitmix(&mut state);
        right += 1;
    }
    let mut file = 0;
    while file < 8 {
        numbers.en_passant[file] = splitmix(&mut state);
        file += 1;
    }
    numbers.black = splitmix(&mut state);
    numbers
}

/// The number of a piece on a square.
#[inline]
pub fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// The number of a player's right to castle with the rook on this square's file.
#[inline]
pub fn castling(color: Color, rook: Square) -> u64 {
    NUMBERS.castling[color.index()][rook.file() as usize]
}

/// The number of an en passant capture on this square's file.
#[inline]
pub fn en_passant(square: Square) -> u64 {
    NUMBERS.en_passant[square.file() as usize]
}

/// The number for Black to move.
#[inline]
pub fn black_to_move() -> u64 {
    NUMBERS.black
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn numbers_differ() {
        let mut all: Vec<u64> = NUMBERS.pieces.concat();
        all.extend(NUMBERS.castling.concat());
        all.extend(NUMBERS.en_passant);
        all.push(NUMBERS.black);
        let distinct: HashSet<u64> = all.iter().copied().collect();
        assert_eq!(distinct.len(), 12 * 64 + 16 + 8 + 1);
        assert!(!distinct.contains(&0));
    }
}
