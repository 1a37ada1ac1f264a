//! The squares that castling needs, from every file of the king and of the rook, computed at compile time.

use super::bitboard::Bitboard;
use super::types::{Color, Square, Wing};

/// What one castling move asks of the squares of the back rank.
#[derive(Clone, Copy)]
pub struct Paths {
    /// The squares that the king crosses or reaches, none of which may be attacked.
    pub king: Bitboard,
    /// The squares that king or rook cross or reach, without those that they stand on: no piece may stand there.
    pub empty: Bitboard,
}

/// By the player, the wing, the file of the king and the file of the rook.
static PATHS: [[[[Paths; 8]; 8]; 2]; 2] = [
    [table(Color::White, Wing::King), table(Color::White, Wing::Queen)],
    [table(Color::Black, Wing::King), table(Color::Black, Wing::Queen)],
];

/// The squares that a player's castling needs with king and rook on these squares of the back rank.
#[inline(always)]
pub fn paths(color: Color, wing: Wing, king: Square, rook: Square) -> &'static Paths {
    &PATHS[color as usize][wing as usize][king.file() as usize][rook.file() as usize]
}

const fn table(color: Color, wing: Wing) -> [[Paths; 8]; 8] {
    let nothing = Paths {
        king: Bitboard::EMPTY,
        empty: Bitboard::EMPTY,
    };
    let mut table = [[nothing; 8]; 8];
    let mut i = 0;
    while i < 64 {
        let (king, rook) = (i / 8, i % 8);
        let king_path = way(king, wing.king_target(color).file());
        let both = king_path | way(rook, wing.rook_target(color).file());
        let movers = 1 << king | 1 << rook;
        let rank = 8 * color.back_rank();
        table[king as usize][rook as usize] = Paths {
            king: Bitboard(king_path << rank),
            empty: Bitboard((both & !movers) << rank),
        };
        i += 1;
    }
    table
}

/// The squares of the first rank after one file up to another, and the other itself even where it is the same.
const fn way(from: u8, to: u8) -> u64 {
    let mut squares = 1 << to;
    let mut file = to;
    while file != from {
        squares |= 1 << file;
        file = if file < from { file + 1 } else { file - 1 };
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::attacks::between;

    #[test]
    fn paths_agree_with_the_lines_between_squares() {
        for color in Color::ALL {
            let rank = || (0..8).map(|file| Square::at(file, color.back_rank()));
            for (king, rook) in rank().flat_map(|king| rank().map(move |rook| (king, rook))) {
                for wing in Wing::ALL {
                    let way = |from, to| between(from, to) | Bitboard::of(to);
                    let (king_way, rook_way) = (
                        way(king, wing.king_target(color)),
                        way(rook, wing.rook_target(color)),
                    );
                    let movers = Bitboard::of(king) | Bitboard::of(rook);
                    let found = paths(color, wing, king, rook);
                    assert_eq!(found.king, king_way);
                    assert_eq!(found.empty, (king_way | rook_way) & !movers);
                }
            }
        }
    }
}
