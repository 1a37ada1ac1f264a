//! How a position becomes the 65 inputs of a control net: a number for each square, and one for the side to move.
//!
//! Black's pieces and squares are positive, White's negative. A piece is its code (`CODES`); an empty square is 1 where
//! Black controls it, −1 where White does and 0 where neither does; the last input is +10 when Black is to move and −10
//! when White is (the section on the input layer of the document).
//!
//! The document calls its rule for control "quite deterministic" and prints one example, but not the rule. Ours is the
//! one that agrees with the example best:
//!
//! 1. The side with more attackers of the square controls it. Queens are not counted.
//! 2. With equal numbers the side whose cheapest attacker is cheaper controls it: a pawn, then a knight or bishop, then
//!    a rook, then a queen, then the king.
//! 3. If these are equal too, or nobody attacks the square, nobody controls it.
//!
//! Pinned pieces attack as others do, and pieces behind others do not attack. This gives 61 of the 64 numbers of the
//! example. The other three are d6, g6 and h6, which Black alone attacks and which are 0 in print; no rule that we tried
//! gives 0 for them without losing others.

use crate::board::{Bitboard, Color, PieceType, Position, attacks};

/// Numbers that a control net is given.
pub const INPUTS: usize = 65;
/// The input that says who is to move; those before it are the squares from a1 to h8.
pub const SIDE_TO_MOVE: usize = 64;
/// The value of the side-to-move input when Black is to move; negated for White.
const TURN: i8 = 10;
/// The codes of Black's pawn, knight, bishop, rook, queen and king, the order of [`PieceType`]; White's are negative.
const CODES: [i8; 6] = [2, 5, 4, 3, 7, 6];
/// Binary digits of the number of attackers of a square, of which a side has at most 16.
const DIGITS: usize = 5;

/// The 65 inputs of a position.
pub fn encode(position: &Position) -> [i8; INPUTS] {
    let mut inputs = [0; INPUTS];
    let [white, black] = controlled(position);
    for square in white {
        inputs[square.index()] = -1;
    }
    for square in black {
        inputs[square.index()] = 1;
    }
    for color in Color::ALL {
        for kind in PieceType::ALL {
            for square in position.pieces(color, kind) {
                inputs[square.index()] = signed(CODES[kind.index()], color);
            }
        }
    }
    inputs[SIDE_TO_MOVE] = signed(TURN, position.side_to_move());
    inputs
}

const fn signed(number: i8, color: Color) -> i8 {
    match color {
        Color::White => -number,
        Color::Black => number,
    }
}

/// The empty squares that White controls, and those that Black controls.
pub fn controlled(position: &Position) -> [Bitboard; 2] {
    let [white, black] = Color::ALL.map(|color| Attackers::of(position, color));
    let empty = !position.occupied();
    let [mut ours, mut theirs] = more_attackers(&white.counts, &black.counts);
    let mut undecided = empty & !(ours | theirs);
    for (white, black) in white.by_price.iter().zip(black.by_price) {
        ours |= undecided & *white & !black;
        theirs |= undecided & black & !*white;
        undecided &= !(*white | black);
    }
    [ours & empty, theirs & empty]
}

/// What one side attacks.
struct Attackers {
    /// How many attackers each square has, queens apart: the n-th board holds the n-th binary digit.
    counts: [Bitboard; DIGITS],
    /// The squares that are attacked by pawns, by knights or bishops, by rooks, by queens, and by the king.
    by_price: [Bitboard; 5],
}

impl Attackers {
    fn of(position: &Position, color: Color) -> Attackers {
        let occupied = position.occupied();
        let mut attackers = Attackers {
            counts: [Bitboard::EMPTY; DIGITS],
            by_price: [Bitboard::EMPTY; 5],
        };
        for kind in PieceType::ALL {
            let price = match kind {
                PieceType::Pawn => 0,
                PieceType::Knight | PieceType::Bishop => 1,
                PieceType::Rook => 2,
                PieceType::Queen => 3,
                PieceType::King => 4,
            };
            for square in position.pieces(color, kind) {
                let attacked = match kind {
                    PieceType::Pawn => attacks::pawn(color, square),
                    _ => attacks::of(kind, square, occupied),
                };
                attackers.by_price[price] |= attacked;
                if kind != PieceType::Queen {
                    attackers.count(attacked);
                }
            }
        }
        attackers
    }

    /// Adds one attacker to each of these squares, with a carry from digit to digit.
    fn count(&mut self, attacked: Bitboard) {
        let mut carry = attacked;
        for digit in &mut self.counts {
            let both = *digit & carry;
            *digit ^= carry;
            carry = both;
        }
    }
}

/// The squares where the first number is greater, and those where the second is.
fn more_attackers(white: &[Bitboard; DIGITS], black: &[Bitboard; DIGITS]) -> [Bitboard; 2] {
    let mut more = [Bitboard::EMPTY; 2];
    // the highest digit that differs decides
    for (white, black) in white.iter().zip(black).rev() {
        let undecided = !(more[0] | more[1]);
        more[0] |= undecided & *white & !*black;
        more[1] |= undecided & *black & !*white;
    }
    more
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    /// The example of the document: the position, its 64 numbers as printed, from a8 to h1, and the turn.
    const EXAMPLE: &str = "r3kb1r/1p3ppp/p1n1pn2/2pq4/6b1/2PP1N2/PP1N1PPP/R1BQRBK1 w kq - 0 11";
    #[rustfmt::skip]
    const PRINTED: [[i8; 8]; 8] = [
        [ 3,  1,  1,  1,  6,  4,  1,  3],
        [ 1,  2,  0,  1,  1,  2,  2,  2],
        [ 2,  0,  5,  0,  2,  5,  0,  0],
        [ 1,  1,  2,  7, -1,  1, -1,  1],
        [-1,  1, -1,  0, -1,  0,  4, -1],
        [-1, -1, -2, -2, -1, -5, -1, -1],
        [-2, -2, -1, -5, -1, -2, -2, -2],
        [-3, -1, -4, -7, -3, -4, -6, -1],
    ];
    const PRINTED_TURN: i8 = -10;

    #[test]
    fn all_but_three_numbers_of_the_printed_example() {
        let inputs = encode(&Position::from_fen(EXAMPLE).unwrap());
        let differing: Vec<(String, i8, i8)> = Square::all()
            .map(|square| {
                let printed = PRINTED[7 - square.rank() as usize][square.file() as usize];
                (square.to_string(), inputs[square.index()], printed)
            })
            .filter(|(_, found, printed)| found != printed)
            .collect();
        // Black alone attacks these three: d6 by its bishop, g6 by two pawns, h6 by one
        let known = ["d6", "g6", "h6"].map(|square| (square.to_string(), 1, 0));
        assert_eq!(differing, known);
        assert_eq!(inputs[SIDE_TO_MOVE], PRINTED_TURN);
    }

    /// The rule square by square, from the list of a square's attackers.
    fn slow_control(position: &Position, square: Square) -> i8 {
        let attackers = position.attackers_to(square, position.occupied());
        let kinds = |color: Color| -> Vec<PieceType> {
            let squares = attackers & position.of_color(color);
            squares
                .into_iter()
                .filter_map(|square| position.piece_on(square))
                .map(|piece| piece.kind())
                .collect()
        };
        let price = |kind: PieceType| match kind {
            PieceType::Pawn => 1,
            PieceType::Knight | PieceType::Bishop => 3,
            PieceType::Rook => 5,
            PieceType::Queen => 9,
            PieceType::King => 100,
        };
        let [white, black] = Color::ALL.map(kinds);
        let counted = |kinds: &[PieceType]| kinds.iter().filter(|&&kind| kind != PieceType::Queen).count();
        let cheapest = |kinds: &[PieceType]| kinds.iter().map(|&kind| price(kind)).min().unwrap_or(1_000);
        let by_number = counted(&black).cmp(&counted(&white));
        by_number.then(cheapest(&white).cmp(&cheapest(&black))) as i8
    }

    #[test]
    fn control_is_that_of_the_slow_rule() {
        let mut checked = 0;
        for fen in [
            Position::START_FEN,
            EXAMPLE,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            // fourteen white attackers of e4
            "k3R3/7B/3N1N2/2NK2N1/R6R/2N3N1/3N1N2/4R3 b - - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let mut position = Position::from_fen(fen).unwrap();
            for ply in 0..60 {
                let inputs = encode(&position);
                for square in Square::all().filter(|&square| position.piece_on(square).is_none()) {
                    let found = inputs[square.index()];
                    assert_eq!(
                        found,
                        slow_control(&position, square),
                        "{square} of {}",
                        position.to_fen(false)
                    );
                    checked += 1;
                }
                let moves = position.legal_moves();
                let Some(&m) = moves.get(ply * 7 % moves.len().max(1)) else {
                    break;
                };
                position.play(m);
            }
        }
        assert!(checked > 2_000, "only {checked} squares");
    }

    #[test]
    fn the_other_colour_has_the_other_sign() {
        let position = Position::from_fen(EXAMPLE).unwrap();
        let exchanged = "r1bqrbk1/pp1n1ppp/2pp1n2/6B1/2PQ4/P1N1PN2/1P3PPP/R3KB1R b KQ - 0 11";
        let (one, other) = (encode(&position), encode(&Position::from_fen(exchanged).unwrap()));
        assert!(Square::all().all(|square| one[square.index()] == -other[square.flip_rank().index()]));
        assert_eq!(one[SIDE_TO_MOVE], -other[SIDE_TO_MOVE]);
    }
}
