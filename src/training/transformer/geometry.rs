//! The templates of the geometric bias as a training begins: how the pieces move.

use crate::nets::transformer::shape::SQUARES;

/// Whether two squares are related, by how many ranks and files the second lies from the first.
type Relation = fn(ranks: i32, files: i32) -> bool;

/// The relations that the first templates show, from the side to move: the four kinds of line, leaps of the knight,
/// steps of the king, captures of either side's pawns, the push of a pawn, and the square itself.
const RELATIONS: [Relation; 10] = [
    |ranks, files| files == 0 && ranks != 0,
    |ranks, files| ranks == 0 && files != 0,
    |ranks, files| ranks == files && ranks != 0,
    |ranks, files| ranks == -files && ranks != 0,
    |ranks, files| ranks * ranks + files * files == 5,
    |ranks, files| ranks.abs().max(files.abs()) == 1,
    |ranks, files| ranks == 1 && files.abs() == 1,
    |ranks, files| ranks == -1 && files.abs() == 1,
    |ranks, files| ranks == 1 && files == 0,
    |ranks, files| ranks == 0 && files == 0,
];

/// The relation of the template with this number as 64 × 64 ones and zeros, from each square (a1 = 0) to each; `None`
/// if there are not so many relations: the template then begins as noise.
pub(super) fn relation(template: usize) -> Option<Vec<f32>> {
    let relation = RELATIONS.get(template)?;
    let pairs = (0..SQUARES * SQUARES).map(|pair| {
        let (from, to) = ((pair / SQUARES) as i32, (pair % SQUARES) as i32);
        let seen = relation(to / 8 - from / 8, to % 8 - from % 8);
        if seen { 1.0 } else { 0.0 }
    });
    Some(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Color, Square, attacks};

    /// Beside the attacks of the rules.
    #[test]
    fn templates_show_the_moves_of_the_pieces() {
        let picture = |template: usize, square: Square| {
            let numbers = relation(template).unwrap();
            let row = &numbers[square.index() * SQUARES..][..SQUARES];
            Bitboard(
                (0..SQUARES)
                    .filter(|&to| row[to] == 1.0)
                    .fold(0, |set, to| set | 1 << to),
            )
        };
        for square in Bitboard(!0) {
            let at = |template| picture(template, square);
            assert_eq!(at(0) | at(1), attacks::rook(square, Bitboard(0)));
            assert_eq!(at(2) | at(3), attacks::bishop(square, Bitboard(0)));
            assert_eq!(at(4), attacks::knight(square));
            assert_eq!(at(5), attacks::king(square));
            assert_eq!(at(6), attacks::pawn(Color::White, square));
            assert_eq!(at(7), attacks::pawn(Color::Black, square));
            assert_eq!(at(9), Bitboard(1 << square.index()));
        }
        assert_eq!(relation(RELATIONS.len()), None);
    }
}
