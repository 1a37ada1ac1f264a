//! The arguments of `go`.

use super::error::CommandError;
use crate::board::Color;
use crate::nets::score::MAX_PLY;
use crate::search::Limits;
use std::time::Duration;

/// The parsed arguments of `go`.
///
/// Values out of range are clamped: a clock of zero or less becomes a millisecond, numbers that are too large become the
/// largest that clocks and counters hold. An argument without a valid number is ignored.
#[derive(Clone, Debug, Default)]
pub struct Go {
    /// All limits but the moves to search, which need a position to be understood.
    pub limits: Limits,
    /// The moves after `searchmoves`, in UCI notation.
    pub search_moves: Vec<String>,
    /// Run perft to this depth instead of searching.
    pub perft: Option<u32>,
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
                    if let Some(number) = words.peek().and_then(|word| number(word)) {
                        words.next();
                        go.set(name, number);
                    }
                }
                _ => {}
            }
        }
        Ok(go)
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

/// Parses an integer; one that does not fit saturates.
fn number(word: &str) -> Option<i64> {
    match word.parse::<i64>() {
        Ok(number) => Some(number),
        Err(error) => match error.kind() {
            std::num::IntErrorKind::PosOverflow => Some(i64::MAX),
            std::num::IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
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
    fn arguments_without_a_number_are_ignored() {
        let limits = go("wtime btime 300 depth winc x movetime").limits;
        assert_eq!(limits.clock, [None, Some(Duration::from_millis(300))]);
        assert_eq!((limits.depth, limits.move_time), (None, None));
        assert_eq!(go("searchmoves").search_moves, Vec::<String>::new());
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
