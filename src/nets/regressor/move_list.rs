//! The homework's numbers of moves (its `gen_moves` and `encode_mv`).
//!
//! Squares are listed by files: a1, a2 … a8, b1 … h8. The list holds every pair of two different squares, by the first and
//! then by the second, legal on some board or not. Where a pawn could promote (from the second rank to the first, or from
//! the seventh to the eighth, on whatever files) the promotion to a queen follows as an entry of its own; other promotions
//! have its number too. That makes 64 × 63 + 128 entries.

use crate::board::{Move, Piece, PieceType, Position, Square};

/// Entries of the list.
pub const MOVES: usize = 4160;

/// The number of every pair of squares; the queen promotion of a pair has the next one.
static NUMBERS: [[u16; 64]; 64] = numbers();

const fn numbers() -> [[u16; 64]; 64] {
    let mut numbers = [[0; 64]; 64];
    let mut next = 0;
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            // by files: the file is the slower digit
            let (from_rank, to_rank) = (from % 8, to % 8);
            if from != to {
                numbers[from_rank * 8 + from / 8][to_rank * 8 + to / 8] = next as u16;
                next += 1;
                if (from_rank == 1 && to_rank == 0) || (from_rank == 6 && to_rank == 7) {
                    next += 1;
                }
            }
            to += 1;
        }
        from += 1;
    }
    assert!(next == MOVES);
    numbers
}

/// The number of a move; castling is the king's two steps.
pub fn number(m: Move) -> u16 {
    let plain = NUMBERS[m.from().index()][m.landing().index()];
    plain + u16::from(m.promoted().is_some())
}

/// The move whose number is nearest to a prediction. Of two that are as near it is the one with the lower number, of
/// promotions the one to a queen. `None` where there is no move.
pub fn nearest(moves: &[Move], prediction: f64) -> Option<Move> {
    let distance = |m: Move| (f64::from(number(m)) - prediction).abs();
    let lesser_promotion = |m: Move| m.promoted().is_some_and(|piece| piece.kind() != PieceType::Queen);
    moves.iter().copied().min_by(|&a, &b| {
        distance(a)
            .total_cmp(&distance(b))
            .then(number(a).cmp(&number(b)))
            .then(lesser_promotion(a).cmp(&lesser_promotion(b)))
    })
}

/// The homework's number for a piece on a square: 0 where there is none, then pawns, rooks, knights, bishops, queens and
/// kings, Black's odd and White's even (its `MAPPING`).
pub fn code(piece: Option<Piece>) -> u8 {
    match piece {
        None => 0,
        Some(Piece::BlackPawn) => 1,
        Some(Piece::WhitePawn) => 2,
        Some(Piece::BlackRook) => 3,
        Some(Piece::WhiteRook) => 4,
        Some(Piece::BlackKnight) => 5,
        Some(Piece::WhiteKnight) => 6,
        Some(Piece::BlackBishop) => 7,
        Some(Piece::WhiteBishop) => 8,
        Some(Piece::BlackQueen) => 9,
        Some(Piece::WhiteQueen) => 10,
        Some(Piece::BlackKing) => 11,
        Some(Piece::WhiteKing) => 12,
    }
}

/// The codes of a board from a8 to h1, in the order of the ranks of a FEN. (The homework's table calls its columns a1, b1 …
/// but fills them in this order: it shows Black's pieces in the first eight.)
pub fn codes(position: &Position) -> [u8; 64] {
    std::array::from_fn(|place| code(position.piece_on(Square::new(place as u8).flip_rank())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number_of(fen: &str, m: &str) -> u16 {
        number(Position::from_fen(fen).unwrap().parse_uci(m).unwrap())
    }

    /// The list made as the homework makes it.
    fn list() -> Vec<String> {
        let names: Vec<String> = ('a'..='h')
            .flat_map(|file| (1..=8).map(move |rank| format!("{file}{rank}")))
            .collect();
        let mut moves = Vec::new();
        for from in &names {
            for to in names.iter().filter(|&to| to != from) {
                moves.push(format!("{from}{to}"));
                let ranks = (&from[1..], &to[1..]);
                if ranks == ("2", "1") || ranks == ("7", "8") {
                    moves.push(format!("{from}{to}q"));
                }
            }
        }
        moves
    }

    #[test]
    fn numbers_are_places_in_the_list() {
        let list = list();
        assert_eq!(list.len(), MOVES);
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let name = format!("{from}{to}");
                let place = list.iter().position(|entry| *entry == name);
                assert_eq!(place, Some(NUMBERS[from.index()][to.index()] as usize), "{name}");
            }
        }
        let promotes = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        for m in ["a7a8q", "a7a8n"] {
            assert_eq!(list[number_of(promotes, m) as usize], "a7a8q");
        }
        let castles = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert_eq!(list[number_of(castles, "e1c1") as usize], "e1c1");
    }

    /// The numbers in the first rows of the homework's data.
    #[test]
    fn the_homeworks_numbers() {
        let mut position = Position::default();
        for (m, printed) in [("c2c4", 1124), ("a7a5", 390), ("a2a4", 66)] {
            let m = position.parse_uci(m).unwrap();
            assert_eq!(number(m), printed);
            position.play(m);
        }
        assert_eq!(number_of(Position::START_FEN, "e2e4"), 2182);
    }

    #[test]
    fn the_nearest_legal_move() {
        let start = Position::default();
        let chosen = |prediction: f64| nearest(&start.legal_moves(), prediction).unwrap().to_uci(false);
        assert_eq!(chosen(2182.0), "e2e4");
        assert_eq!(chosen(-1e9), "a2a3");
        assert_eq!(chosen(1e9), "h2h4");
        // a2a3 is 65 and a2a4 is 66
        assert_eq!((chosen(65.5), chosen(65.6)), ("a2a3".into(), "a2a4".into()));
        let promotes = Position::from_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
        assert_eq!(
            nearest(&promotes.legal_moves(), 394.0).unwrap().to_uci(false),
            "a7a8q"
        );
        let mated = Position::from_fen("R3k3/8/4K3/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(nearest(&mated.legal_moves(), 7.0), None);
    }

    #[test]
    fn the_first_row_of_the_homeworks_board() {
        let codes = codes(&Position::default());
        assert_eq!(codes[..16], [3, 5, 7, 9, 11, 7, 5, 3, 1, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(codes[48..], [2, 2, 2, 2, 2, 2, 2, 2, 4, 6, 8, 10, 12, 8, 6, 4]);
    }
}
