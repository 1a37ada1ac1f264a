//! The arguments of `go`.

use super::error::CommandError;
use super::suggestion::hint;
use crate::board::Color;
use crate::nets::score::MAX_PLY;
use crate::search::Limits;
use std::time::Duration;

/// The parsed arguments of `go`.
///
/// Values out of range are clamped: a clock of zero or less becomes a millisecond, numbers that are too large become the
/// largest that clocks and counters hold. What is not understood is left out and told in [`Go::faults`].
#[derive(Clone, Debug, Default)]
pub struct Go {
    /// All limits but the moves to search, which need a position to be understood.
    pub limits: Limits,
    /// The moves after `searchmoves`, in UCI notation.
    pub search_moves: Vec<String>,
    /// Run perft to this depth instead of searching.
    pub perft: Option<u32>,
    /// What was not understood, in the order of the line.
    pub faults: Vec<GoFault>,
}

/// A part of a `go` that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoFault {
    /// A keyword with something else than a number after it.
    #[error("'{0}' needs a number, not '{1}'")]
    Number(String, String),
    /// A keyword at the end of the line.
    #[error("'{0}' needs a number")]
    NoNumber(String),
    /// A mate in no moves.
    #[error("'mate' needs at least one move, not '{0}'")]
    Mate(i64),
    /// A word that is no keyword.
    #[error("'{}' is not understood{}", .0, hint(.0, KEYWORDS))]
    Unknown(String),
}

/// The longest time that is accepted: a year, in milliseconds.
const LONGEST: i64 = 365 * 24 * 3600 * 1000;

/// The keywords of `go`; any of them ends a list of moves.
const KEYWORDS: &[&str] = &[
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

impl Go {
    /// Parses the words after `go`.
    ///
    /// # Errors
    /// [`CommandError::PerftDepth`] if `perft` has no depth.
    pub fn parse(words: &[&str]) -> Result<Go, CommandError> {
        let mut go = Go::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => {
                    while let Some(m) = words.next_if(|word| !KEYWORDS.contains(word)) {
                        go.search_moves.push(m.to_string());
                    }
                }
                "ponder" => go.limits.ponder = true,
                "infinite" => go.limits.infinite = true,
                "perft" => {
                    let depth = words.next().and_then(|word| word.parse().ok());
                    go.perft = Some(depth.ok_or(CommandError::PerftDepth)?);
                }
                name if KEYWORDS.contains(&name) => {
                    let value = words.next_if(|word| !KEYWORDS.contains(word));
                    match value.map(number) {
                        Some(Some(moves)) if name == "mate" && moves < 1 => {
                            go.faults.push(GoFault::Mate(moves))
                        }
                        Some(Some(number)) => go.set(name, number),
                        Some(None) => {
                            let value = value.unwrap_or_default().to_string();
                            go.faults.push(GoFault::Number(name.to_string(), value));
                        }
                        None => go.faults.push(GoFault::NoNumber(name.to_string())),
                    }
                }
                word => {
                    go.faults.push(GoFault::Unknown(word.to_string()));
                    // its value says nothing either
                    words.next_if(|word| number(word).is_some());
                }
            }
        }
        Ok(go)
    }

    /// Whether a limit was not understood and none is left: the search would never end, which the client did not ask for.
    pub fn has_lost_its_limit(&self) -> bool {
        let limits = &self.limits;
        !self.faults.is_empty() && limits.is_endless() && !limits.infinite && !limits.ponder
    }

    fn set(&mut self, name: &str, number: i64) {
        let limits = &mut self.limits;
        let time = Duration::from_millis(number.clamp(1, LONGEST) as u64);
        let increment = Duration::from_millis(number.clamp(0, LONGEST) as u64);
        let count = number.clamp(1, i64::from(u32::MAX)) as u32;
        match name {
            "wtime" => limits.clock[0] = Some(time),
            "btime" => limits.clock[1] = Some(time),
            "winc" => limits.increment[0] = increment,
            "binc" => limits.increment[1] = increment,
            // some clients write 0 for "until the end of the game"
            "movestogo" => limits.moves_to_go = (number > 0).then_some(count),
            "depth" => limits.depth = Some(count.min(MAX_PLY as u32)),
            "nodes" => limits.nodes = Some(number.max(1) as u64),
            "mate" => limits.mate = Some(count),
            "movetime" => limits.move_time = Some(time),
            _ => {}
        }
    }

    /// The limits for the side to move. If the client sent only the other side's clock, it is used for both: a search
    /// without a time limit would lose the game.
    pub fn limits_for(&self, side: Color) -> Limits {
        let mut limits = self.limits.clone();
        let clock = &mut limits.clock;
        clock[side.index()] = clock[side.index()].or(clock[(!side).index()]);
        limits
    }
}

/// Parses a number; a fraction or a power of ten (`1e3`), as some clients send them, is rounded, and what does not fit
/// saturates.
fn number(word: &str) -> Option<i64> {
    let fraction = || {
        // without its letters `inf` and `nan` are no numbers
        let is_plain = word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        let number = word.parse::<f64>().ok().filter(|_| is_plain);
        number.map(|number| number.round() as i64)
    };
    word.parse().ok().or_else(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(words: &str) -> Go {
        Go::parse(&words.split(' ').collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn every_limit_is_read() {
        let go = go(
            "searchmoves e2e4 d2d4 ponder wtime 1000 btime 2000 winc 10 binc 20 movestogo 30 depth 8 \
             nodes 500 mate 3 movetime 700 infinite",
        );
        let limits = &go.limits;
        assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        assert!(limits.ponder && limits.infinite);
        assert_eq!(
            limits.clock,
            [1000, 2000].map(|ms| Some(Duration::from_millis(ms)))
        );
        assert_eq!(limits.increment, [10, 20].map(Duration::from_millis));
        assert_eq!((limits.moves_to_go, limits.depth), (Some(30), Some(8)));
        assert_eq!((limits.nodes, limits.mate), (Some(500), Some(3)));
        assert_eq!(limits.move_time, Some(Duration::from_millis(700)));
        assert_eq!(go.perft, None);
    }

    #[test]
    fn numbers_out_of_range_are_clamped() {
        let limits = go("wtime -50 btime 0 winc -3 movestogo 0 depth 0 nodes -1 movetime -7").limits;
        assert_eq!(limits.clock, [Some(Duration::from_millis(1)); 2]);
        assert_eq!(limits.increment[0], Duration::ZERO);
        assert_eq!(
            (limits.moves_to_go, limits.depth, limits.nodes),
            (None, Some(1), Some(1))
        );
        assert_eq!(limits.move_time, Some(Duration::from_millis(1)));
        let limits =
            go("wtime 99999999999999999999 depth 4000000000 nodes 99999999999999999999 mate 5000000000")
                .limits;
        assert_eq!(limits.clock[0], Some(Duration::from_millis(LONGEST as u64)));
        assert_eq!(limits.depth, Some(MAX_PLY as u32));
        assert_eq!(limits.nodes, Some(i64::MAX as u64));
        assert_eq!(limits.mate, Some(u32::MAX));
    }

    #[test]
    fn fractions_are_rounded() {
        let limits = go("movetime 50.7 wtime 1.5 btime 0.2 winc .4 binc -3.5 nodes 1e3").limits;
        assert_eq!(limits.move_time, Some(Duration::from_millis(51)));
        assert_eq!(limits.clock, [2, 1].map(|ms| Some(Duration::from_millis(ms))));
        assert_eq!(limits.increment, [Duration::ZERO; 2]);
        assert_eq!(limits.nodes, Some(1000));
        assert_eq!(number("1e400"), Some(i64::MAX));
        for word in ["", ".", "-", "e", "1e", "1.2.3", "inf", "nan", "1,5", "0x10"] {
            assert_eq!(number(word), None, "{word}");
        }
    }

    #[test]
    fn what_is_not_understood_is_told_and_left_out() {
        let faulty = go("wtime btime 300 depth winc x movetime");
        let limits = &faulty.limits;
        assert_eq!(limits.clock, [None, Some(Duration::from_millis(300))]);
        assert_eq!((limits.depth, limits.move_time), (None, None));
        let faults: Vec<String> = faulty.faults.iter().map(GoFault::to_string).collect();
        assert_eq!(
            faults,
            [
                "'wtime' needs a number",
                "'depth' needs a number",
                "'winc' needs a number, not 'x'",
                "'movetime' needs a number"
            ]
        );
        assert!(!faulty.has_lost_its_limit());
        assert_eq!(go("searchmoves").search_moves, Vec::<String>::new());
        let odd = go("dept 5");
        assert_eq!(
            odd.faults[0].to_string(),
            "'dept' is not understood; did you mean 'depth'?"
        );
    }

    #[test]
    fn a_search_that_has_lost_its_only_limit_is_known() {
        for words in ["depth four", "movetime", "mate 0", "mate -1", "dept 4", "wtime x"] {
            assert!(go(words).has_lost_its_limit(), "{words}");
        }
        for words in [
            "depth 4",
            "infinite",
            "infinite depth four",
            "depth four nodes 10",
            "ponder wtime x",
        ] {
            assert!(!go(words).has_lost_its_limit(), "{words}");
        }
        assert!(!Go::parse(&[]).unwrap().has_lost_its_limit());
    }

    #[test]
    fn a_single_clock_is_used_for_both_sides() {
        let clock = Some(Duration::from_millis(100));
        for words in ["wtime 100", "btime 100"] {
            for side in Color::ALL {
                assert_eq!(go(words).limits_for(side).clock[side.index()], clock);
            }
        }
        let both = go("wtime 100 btime 900").limits_for(Color::Black);
        assert_eq!(both.clock, [clock, Some(Duration::from_millis(900))]);
    }

    #[test]
    fn perft_takes_a_depth() {
        assert_eq!(go("perft 5").perft, Some(5));
        assert_eq!(Go::parse(&["perft", "x"]).unwrap_err(), CommandError::PerftDepth);
    }
}
