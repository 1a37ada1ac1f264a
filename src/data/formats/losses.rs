//! What was lost of the games of a file, by kind and with the first places.

use crate::board::Position;
use crate::board::pgn::{Fault, Loss, WrittenGame};
use std::collections::BTreeMap;

/// Places that are told of each kind of loss.
const PLACES: usize = 3;

/// The number of the move that is the next after so many plies, as PGN writes it.
fn move_number(start: &Position, plies: usize) -> String {
    let before = usize::from(start.side_to_move() == crate::board::Color::Black) + plies;
    let dots = if before.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", usize::from(start.fullmove_number()) + before / 2)
}

/// Where a game is cut short and why, in words without the game's name.
pub fn cut_words(start: &Position, plies: usize, fault: &Fault) -> String {
    format!(
        "cut short before move {} {}",
        move_number(start, plies),
        fault.fault
    )
}

/// How many games were read, and what of them was not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Games that were read, wholly or in part.
    pub read: u64,
    cut: BTreeMap<&'static str, u64>,
    left_out: BTreeMap<&'static str, u64>,
    /// What was passed over within games.
    passed: BTreeMap<&'static str, u64>,
    places: BTreeMap<&'static str, Vec<String>>,
    /// Games of the file so far.
    number: u64,
}

impl Losses {
    /// Counts a game of the file with what is wrong with it: a start and its plies, or the fault for which it is left out.
    pub fn add(&mut self, game: &WrittenGame, played: &Result<(Position, usize, Vec<Fault>), Fault>) {
        if game.is_empty() {
            // words without a game
            for fault in &game.faults {
                self.pass(fault, "outside of the games");
            }
            return;
        }
        self.number += 1;
        let name = format!("game {} ({})", self.number, game.players());
        match played {
            Err(fault) => {
                *self.left_out.entry(fault.fault.kind()).or_default() += 1;
                self.tell(fault, format!("{name} is left out: {}", fault.fault));
            }
            Ok((start, plies, faults)) => {
                self.read += 1;
                for fault in faults {
                    match fault.fault.loss() {
                        Loss::Part => self.pass(fault, &name),
                        _ => {
                            *self.cut.entry(fault.fault.kind()).or_default() += 1;
                            self.tell(fault, format!("{name} is {}", cut_words(start, *plies, fault)));
                        }
                    }
                }
            }
        }
    }

    fn pass(&mut self, fault: &Fault, name: &str) {
        *self.passed.entry(fault.fault.kind()).or_default() += 1;
        self.tell(fault, format!("{name}: {}", fault.fault));
    }

    fn tell(&mut self, fault: &Fault, words: String) {
        let places = self.places.entry(fault.fault.kind()).or_default();
        if places.len() < PLACES {
            places.push(format!("line {}: {words}", fault.spot.line));
        }
    }

    /// Games that are cut short.
    #[cfg(test)]
    pub fn cut(&self) -> u64 {
        self.cut.values().sum()
    }

    /// Games that are left out.
    #[cfg(test)]
    pub fn left_out(&self) -> u64 {
        self.left_out.values().sum()
    }

    /// What was lost, a line each: the counts, then the first places; nothing if nothing was.
    pub fn lines(&self) -> Vec<String> {
        if self.places.is_empty() {
            return Vec::new();
        }
        let mut counts = format!("games read: {}", self.read);
        for (words, kinds) in [
            ("cut short", &self.cut),
            ("left out", &self.left_out),
            ("passed over in them", &self.passed),
        ] {
            if !kinds.is_empty() {
                let total: u64 = kinds.values().sum();
                let kinds: Vec<String> = kinds
                    .iter()
                    .map(|(kind, count)| format!("{count} {kind}"))
                    .collect();
                counts.push_str(&format!("; {words}: {total} ({})", kinds.join(", ")));
            }
        }
        let places = self.places.values().flatten().cloned();
        std::iter::once(counts).chain(places).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_on_from_the_start() {
        let start = Position::from_fen("4k3/8/8/8/8/8/8/4K2R b K - 0 12").unwrap();
        let numbers = [0, 1, 2, 3].map(|plies| move_number(&start, plies));
        assert_eq!(numbers, ["12...", "13.", "13...", "14."]);
        assert_eq!(move_number(&Position::default(), 0), "1.");
    }
}
