//! Boards for people: what `d` and `eval` print.

use crate::board::{Color, Piece, PieceType, Position, Square, Wing};
use crate::nets::score::Score;
use std::fmt::Write;

/// The board, its FEN, its key and the pieces that give check.
pub fn board(position: &Position, chess960: bool) -> String {
    let letter = |square| position.piece_on(square).map_or(' ', Piece::letter);
    let mut text = grid(3, &[&|square| letter(square).to_string()]);
    let checkers: Vec<String> = position
        .checkers()
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    let _ = write!(
        text,
        "\nFen: {}\nKey: {:016X}\nCheckers: {}",
        position.to_fen(chess960),
        position.key(),
        checkers.join(" ")
    );
    text
}

/// The static evaluation and what each piece adds to it: the score with the piece minus the score without, in pawns
/// from White's view. Kings cannot be taken away; nor can a piece that shields the king of the side that is not to
/// move, and that place shows dashes.
///
/// `evaluate` gives the scores of several positions, each for its side to move.
pub fn evaluation(position: &Position, evaluate: &mut dyn FnMut(&[Position]) -> Vec<Score>) -> String {
    let squares: Vec<Square> = position.occupied().into_iter().collect();
    let without: Vec<Option<Position>> = squares.iter().map(|&square| without(position, square)).collect();
    let positions: Vec<Position> = std::iter::once(*position)
        .chain(without.iter().flatten().copied())
        .collect();
    let for_white = |score: Score| match position.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    };
    let mut scores = evaluate(&positions).into_iter().map(for_white);
    let score = scores.next().unwrap_or_default();
    let mut cells = vec![String::new(); 64];
    for (square, removed) in squares.iter().zip(&without) {
        let is_king = position.piece_on(*square).map(Piece::kind) == Some(PieceType::King);
        cells[square.index()] = match removed {
            Some(_) => pawns(score - scores.next().unwrap_or_default()),
            None if is_king => String::new(),
            None => "--".to_string(),
        };
    }
    let letter = |square| position.piece_on(square).map_or(' ', Piece::letter);
    let mut text = grid(
        7,
        &[&|square| letter(square).to_string(), &|square| {
            cells[square.index()].clone()
        }],
    );
    let mover = match position.side_to_move() {
        Color::White => "White",
        Color::Black => "Black",
    };
    let _ = write!(
        text,
        "\nStatic evaluation: {} pawns for White ({:+} cp for {mover}, to move)",
        pawns(score),
        for_white(score)
    );
    text
}

fn pawns(score: Score) -> String {
    format!("{:+.2}", f64::from(score) / 100.0)
}

/// A ruled board; each cell shows the given lines, centred.
fn grid(width: usize, lines: &[&dyn Fn(Square) -> String]) -> String {
    let rule = format!("+{}\n", format!("{}+", "-".repeat(width)).repeat(8));
    let mut text = rule.clone();
    for rank in (0..8).rev() {
        for (number, line) in lines.iter().enumerate() {
            for file in 0..8 {
                let _ = write!(text, "|{:^width$}", line(Square::at(file, rank)));
            }
            match number {
                0 => drop(writeln!(text, "| {}", rank + 1)),
                _ => text.push_str("|\n"),
            }
        }
        text.push_str(&rule);
    }
    for file in b'a'..=b'h' {
        let _ = write!(text, " {:^width$}", file as char);
    }
    text.push('\n');
    text
}

/// The position without the piece on a square, if it is still one: written as a FEN and read again, so that checks,
/// pins, castling rights and en passant are found anew.
fn without(position: &Position, square: Square) -> Option<Position> {
    let fen = position.to_fen(true);
    let fields: Vec<&str> = fen.split(' ').collect();
    let [_, side, _, en_passant, halfmoves, moves] = fields[..] else {
        return None;
    };
    // the pawn that may be taken en passant stands in front of the square it passed
    let passed = position.en_passant().is_some_and(|passed| {
        passed.file() == square.file() && matches!((passed.rank(), square.rank()), (2, 3) | (5, 4))
    });
    let en_passant = if passed { "-" } else { en_passant };
    let board = board_without(position, square);
    let castling = castling_without(position, square);
    Position::from_fen(&format!(
        "{board} {side} {castling} {en_passant} {halfmoves} {moves}"
    ))
    .ok()
}

fn board_without(position: &Position, removed: Square) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            let square = Square::at(file, rank);
            let piece = position.piece_on(square).filter(|_| square != removed);
            text.push(piece.map_or('1', Piece::letter));
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// The castling rights by the files of their rooks, without that of a removed rook.
fn castling_without(position: &Position, removed: Square) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for wing in Wing::ALL {
            let rook = position.castling_rook(color, wing);
            if position.castling().has(color, wing) && rook != removed {
                let file = (b'a' + rook.file()) as char;
                text.push(match color {
                    Color::White => file.to_ascii_uppercase(),
                    Color::Black => file,
                });
            }
        }
    }
    if text.is_empty() { "-".to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pawn 1, knight 3, bishop 3, rook 5, queen 9 in pawns, for the side to move.
    fn material(positions: &[Position]) -> Vec<Score> {
        let value = |position: &Position, color| -> Score {
            let worth = [100, 300, 300, 500, 900, 0];
            let count = |kind: PieceType| position.pieces(color, kind).count() as Score;
            PieceType::ALL
                .iter()
                .map(|&kind| worth[kind.index()] * count(kind))
                .sum()
        };
        let score = |p: &Position| value(p, p.side_to_move()) - value(p, !p.side_to_move());
        positions.iter().map(score).collect()
    }

    #[test]
    fn a_board_has_its_pieces_and_its_facts() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4KR2 b - - 3 9").unwrap();
        let text = board(&position, false);
        assert_eq!(text.lines().nth(1), Some("|   |   |   |   | k |   |   |   | 8"));
        assert!(text.contains("Fen: 4k3/8/8/8/8/8/8/4KR2 b - - 3 9\n"));
        assert!(text.contains(&format!("Key: {:016X}\n", position.key())));
        assert!(text.ends_with("Checkers: "));
        let check = Position::from_fen("4k3/8/8/8/8/8/4R3/4K3 b - - 3 9").unwrap();
        assert!(board(&check, false).ends_with("Checkers: e2"));
    }

    #[test]
    fn pieces_add_what_they_are_worth_from_whites_view() {
        for side in ["w", "b"] {
            let fen = format!("r3k2r/p7/8/8/8/8/1Q5P/R3K2R {side} KQkq - 0 1");
            let text = evaluation(&Position::from_fen(&fen).unwrap(), &mut material);
            let row = |number: usize| text.lines().nth(number).unwrap();
            assert_eq!(
                row(2),
                "| -5.00 |       |       |       |       |       |       | -5.00 |"
            );
            assert_eq!(
                row(20),
                "|       | +9.00 |       |       |       |       |       | +1.00 |"
            );
            assert!(
                text.contains("Static evaluation: +9.00 pawns for White"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_piece_that_cannot_go_shows_dashes() {
        let position = Position::from_fen("4k3/4n3/8/8/8/8/4R3/4K3 w - - 0 1").unwrap();
        let text = evaluation(&position, &mut material);
        assert_eq!(
            text.lines().nth(5).map(str::trim_end),
            Some("|       |       |       |       |  --   |       |       |       |")
        );
    }

    #[test]
    fn taking_away_keeps_a_position_sound() {
        let fen = "1r2k1r1/8/8/8/pP6/8/8/RR2K2R b KQgb b3 0 1";
        let fen = fen.replace("KQgb", "HBgb");
        let position = Position::from_fen(&fen).unwrap();
        for square in position.occupied() {
            let kind = position.piece_on(square).unwrap().kind();
            let Some(less) = without(&position, square) else {
                assert_eq!(kind, PieceType::King);
                continue;
            };
            assert_eq!(less.occupied().count() + 1, position.occupied().count());
            assert_eq!(less.key(), less.recomputed_key());
            assert_eq!(less.side_to_move(), position.side_to_move());
        }
        let without_pawn = without(&position, Square::at(1, 3)).unwrap();
        assert_eq!(
            (position.en_passant(), without_pawn.en_passant()),
            (Some(Square::at(1, 2)), None)
        );
        let without_rook = without(&position, Square::at(1, 0)).unwrap();
        assert!(!without_rook.castling().has(Color::White, Wing::Queen));
        assert!(without_rook.castling().has(Color::White, Wing::King));
    }
}
