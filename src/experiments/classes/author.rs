//! What the author's own program says of a move (§7 of the thesis, and its `explanations.py`), in English.
//!
//! The program asks its net of explanations, and takes the answer only if more than one of the first ten outputs is 1 and
//! nine of them are 0, which cannot both be. So it always falls back on rules and on Stockfish's evaluations, and of the
//! nets only that of free files has a say.

use super::coding::{Task, class_of_evaluation, interval};
use super::rows::MoveFacts;
use crate::board::{Color, Move, Position};
use std::cmp::Ordering::{Equal, Greater, Less};

/// Centipawns of 1 in the bounds, where the program calls Stockfish itself.
const PAWN: u32 = 100;

/// The text of a legal move; `free_file` is what the net of free files says, or the rule.
pub fn text(position: &Position, m: Move, facts: &MoveFacts, free_file: bool) -> String {
    let class = class_of_evaluation(Task::Change, facts.change, PAWN);
    let (for_white, sizes) = interval(Task::Change, class);
    let mover = position.side_to_move();
    let is_good = (mover == Color::White) == for_white.unwrap_or(true);
    let text = [
        if is_good { praise(facts) } else { blame(facts) },
        place(facts.zone),
        mobility(position, &position.after(m)).to_string(),
        control(facts.fewer_attacks, free_file),
    ];
    let evaluation = range(for_white == Some(false), sizes);
    format!("{} Evaluation of the move: {evaluation}.", text.concat())
}

fn praise(facts: &MoveFacts) -> String {
    let rest = match (facts.check, facts.capture, facts.mate) {
        (true, true, true) => {
            "You have stopped the check and captured a piece, but you are still being mated."
        }
        (true, true, false) => "You have stopped the check and captured a piece.",
        (true, false, true) => "You have stopped the check, but you are still being mated.",
        (true, false, false) => "You have stopped the check and improve the position in general.",
        (false, true, true) => "You have captured a piece, but you are still being mated.",
        (false, true, false) => "You have captured a piece and improved the position in general.",
        (false, false, true) => "Even so, you are still being mated.",
        (false, false, false) => "In general, you improve the position.",
    };
    format!("The move is good for you. {rest} ")
}

fn blame(facts: &MoveFacts) -> String {
    let rest = match (facts.check, facts.capture, facts.mate) {
        (true, true, true) => {
            "Although you have stopped the check and captured a piece, you have made the mate easier."
        }
        (true, true, false) => "Although you have stopped the check and captured a piece.",
        (true, false, true) => "Although you have stopped the check, you make the mate easier.",
        (true, false, false) => "Although you have stopped the check, you worsen the position in general.",
        (false, true, true) => "Although it captures a piece, you make the mate easier.",
        (false, true, false) => "Although it captures a piece, there are sometimes better moves.",
        (false, false, true) => "You have made the mate easier for the opponent.",
        (false, false, false) => "In general, this move worsens your position.",
    };
    format!("The move is bad for you. {rest} ")
}

fn place(zone: u8) -> String {
    let zone = ["centre", "middle", "edge"][usize::from(zone)];
    format!("Your piece occupies the {zone}; ")
}

/// How many moves both sides gain or lose. The program compares the two numbers and takes the smaller for a restriction.
fn mobility(before: &Position, after: &Position) -> &'static str {
    let mover = before.side_to_move();
    let gained = |side| Some(moves(after, side)? - moves(before, side)?);
    let (Some(own), Some(other)) = (gained(mover), gained(!mover)) else {
        return "the moves of both sides cannot be counted, for a king is in check. ";
    };
    let both_restricted = own <= 0 && other <= 0;
    match own.cmp(&other) {
        Equal if own == 0 => "this move does not affect how freely the other pieces move. ",
        Equal if own > 0 => "you have more moves, but so has the opponent. ",
        Equal => "you have restricted your moves as much as the opponent's. ",
        Greater if both_restricted => "what is more, you restrict your moves, but the opponent's even more. ",
        Less if both_restricted => {
            "but although you restrict the opponent's moves, you restrict your own even more. "
        }
        Greater => "what is more, you restrict the opponent's moves and add to your own. ",
        Less => "but you have restricted your own moves and added to the opponent's. ",
    }
}

/// The legal moves of a side, whoever is to move; `None` where the other is in check.
fn moves(position: &Position, side: Color) -> Option<i64> {
    let turned = match position.side_to_move() == side {
        true => *position,
        false => position.passed()?,
    };
    Some(i64::from(turned.count_moves()))
}

fn control(fewer: bool, free_file: bool) -> String {
    let (control, link) = match fewer {
        true => (
            "The piece controls less of the board than before, it sees fewer squares",
            "and",
        ),
        false => (
            "The piece controls more of the board than before, it sees as many squares or more",
            "but",
        ),
    };
    match free_file {
        true => format!("{control}, {link} it is on a free file."),
        false => format!("{control}."),
    }
}

/// A range of evaluations as the program writes it.
fn range(negative: bool, [low, high]: [f64; 2]) -> String {
    let sign = if negative { "-" } else { "" };
    match (high.is_infinite(), negative) {
        (true, false) => format!("{low} or more"),
        (true, true) => format!("-{low} or less"),
        (false, _) => format!("from {sign}{low} to {sign}{high}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;

    fn said(fen: &str, m: &str, labels: [i16; 2]) -> String {
        let position = Position::from_fen(fen).unwrap();
        let m = position.parse_uci(m).unwrap();
        let facts = MoveFacts::new(&position, m, labels.map(Label::Centipawns));
        text(&position, m, &facts, facts.free_file)
    }

    #[test]
    fn the_thesiss_example_and_others() {
        // a check stopped by a capture that helps (§7), without the mate
        let text = said("4k3/8/8/8/4r3/3P4/3PK3/8 w - - 0 1", "d3e4", [-400, 150]);
        assert!(
            text.starts_with(
                "The move is good for you. You have stopped the check and captured a piece. Your piece occupies the centre; "
            ) && text.ends_with("Evaluation of the move: 4.5 or more."),
            "{text}"
        );
        // Black's move is good where White's evaluation falls
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let text = said(start, "e7e5", [40, 10]);
        assert!(text.starts_with("The move is good for you. In general"), "{text}");
        // Black has 20 moves before and 29 after, White 30 and 29
        assert!(
            text.contains("you restrict the opponent's moves and add to your own."),
            "{text}"
        );
        assert!(
            text.ends_with("Evaluation of the move: from -0.25 to -0.5."),
            "{text}"
        );
        let text = said(start, "b8a6", [40, 100]);
        assert!(
            text.starts_with("The move is bad for you. In general, this move worsens your position. Your piece occupies the edge; "),
            "{text}"
        );
    }
}
