//! Moves in the letters of a language or with figurines, and lines with move numbers.

use super::{Language, Notation};
use crate::board::Color;
use crate::board::pgn::text::move_number;
use crate::explain::line::Line;
use std::ops::Range;

/// A move in standard notation with other names for the pieces.
pub fn renamed(san: &str, language: Language, notation: Notation) -> String {
    let names = match (notation, language) {
        (Notation::Figurines, _) => ['♔', '♕', '♖', '♗', '♘'],
        (Notation::Letters, Language::Catalan | Language::Spanish) => ['R', 'D', 'T', 'A', 'C'],
        (Notation::Letters, Language::English) => ['K', 'Q', 'R', 'B', 'N'],
    };
    let renamed = |letter: char| {
        let place = ['K', 'Q', 'R', 'B', 'N'].iter().position(|&name| name == letter);
        place.map_or(letter, |place| names[place])
    };
    san.chars().map(renamed).collect()
}

/// One move of a line, without its number.
pub fn one(line: &Line, ply: usize, language: Language, notation: Notation) -> String {
    let san = line.before(ply).to_san(line.moves()[ply]);
    renamed(&san, language, notation)
}

/// Some moves of a line: `24.Kf1 Nc7+ 25.Ke2`, or from Black's move `24...Nc7+ 25.Ke2`.
pub fn numbered(line: &Line, plies: Range<usize>, language: Language, notation: Notation) -> String {
    let mut words = Vec::new();
    for ply in plies.clone() {
        let is_due = ply == plies.start || line.mover(ply) == Color::White;
        let number = is_due.then(|| move_number(line.before(ply)));
        words.push(number.unwrap_or_default() + &one(line, ply, language, notation));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    fn written(fen: &str, moves: &str, language: Language, notation: Notation) -> String {
        let line = Line::parse(Position::from_fen(fen).unwrap(), moves).unwrap();
        numbered(&line, 0..line.len(), language, notation)
    }

    #[test]
    fn each_language_has_its_letters() {
        let fen = "r3k2r/1P6/5b2/8/8/5N2/3Q4/R3K2R w KQkq - 0 20";
        let moves = "b8=Q+ Rxb8 O-O-O Bb2+ Qxb2 O-O";
        let all = |notation| Language::ALL.map(|language| written(fen, moves, language, notation));
        assert_eq!(
            all(Notation::Letters),
            [
                "20.b8=D+ Txb8 21.O-O-O Ab2+ 22.Dxb2 O-O",
                "20.b8=D+ Txb8 21.O-O-O Ab2+ 22.Dxb2 O-O",
                "20.b8=Q+ Rxb8 21.O-O-O Bb2+ 22.Qxb2 O-O",
            ]
        );
        let figurines = "20.b8=♕+ ♖xb8 21.O-O-O ♗b2+ 22.♕xb2 O-O";
        assert_eq!(all(Notation::Figurines), [figurines; 3]);
    }

    #[test]
    fn a_line_may_begin_with_black() {
        let fen = "4k3/8/8/8/8/8/4n3/4K3 b - - 3 9";
        let english = |moves| written(fen, moves, Language::English, Notation::Letters);
        assert_eq!(english("Nc3 Kd2 Nb1+"), "9...Nc3 10.Kd2 Nb1+");
    }
}
