//! Boards for human readers: the output of `d` and `eval`.

use crate::board::{Color, Piece, Position, Square};
use crate::explain::contributions::Contributions;
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

/// The static evaluation and the contribution of each piece, in pawns from White's point of view.
pub fn evaluation(position: &Position, contributions: &Contributions) -> String {
    let mut cells = vec![String::new(); 64];
    for piece in &contributions.pieces {
        cells[piece.square.index()] = pawns(piece.score);
    }
    let letter = |square| position.piece_on(square).map_or(' ', Piece::letter);
    let mut text = grid(
        7,
        &[&|square| letter(square).to_string(), &|square| {
            cells[square.index()].clone()
        }],
    );
    let side = position.side_to_move();
    let mover = match side {
        Color::White => "White",
        Color::Black => "Black",
    };
    if position.insufficient_material() {
        text.push_str("\nNeither side can give mate with what is left: a draw, whatever the network says.");
    }
    let errors = contributions.pieces.iter().map(|piece| piece.error);
    let _ = write!(
        text,
        "\nPieces: what each adds, on average, where all are added to the kings one by one in some order \
         (standard error up to {:.2})\nKings alone: {} pawns\n\
         Static evaluation, the sum: {} pawns for White ({:+} cp for {mover}, to move); nothing is searched",
        errors.fold(0.0, f64::max) / 100.0,
        pawns(contributions.kings.into()),
        pawns(contributions.score.into()),
        side.for_white(contributions.score)
    );
    text
}

fn pawns(centipawns: f64) -> String {
    format!("{:+.2}", centipawns / 100.0)
}

/// A board with ruled lines; each cell shows the given lines of text, centred.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PieceType;
    use crate::explain::contributions::Effort;
    use crate::nets::score::Score;

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

    fn evaluation_of(fen: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        let effort = Effort { pairs: 1, seed: 0 };
        evaluation(&position, &Contributions::of(&position, effort, &mut material))
    }

    #[test]
    fn a_board_shows_pieces_fen_key_and_checkers() {
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
    fn contributions_are_from_whites_point_of_view() {
        for side in ["w", "b"] {
            let fen = format!("r3k2r/p7/8/8/8/8/1Q5P/R3K2R {side} KQkq - 0 1");
            let text = evaluation_of(&fen);
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
                text.contains("Static evaluation, the sum: +9.00 pawns for White"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_dead_position_is_called_a_draw() {
        let is_draw = |fen: &str| evaluation_of(fen).contains("a draw");
        assert!(is_draw("4k3/8/8/8/8/8/8/4KN2 w - - 0 1"));
        assert!(!is_draw("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    }
}
