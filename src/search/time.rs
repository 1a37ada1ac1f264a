//! How long to think: a soft limit after which no new iteration begins, and a hard one that ends the search.

use super::params::*;
use super::{Limits, Settings};
use crate::board::Color;
use std::time::{Duration, Instant};

/// Overheads that must always stay on the clock: one for this move, the others for a machine that stumbles. With 30 ms
/// and games of 2 s + 0.02 s a clock settles at about 0.2 s; with a single overhead it settled at 0.05 s, and games
/// were lost on time on a busy machine.
const RESERVE: u32 = 3;
/// Of a fixed time for a move, which no clock punishes, the overhead takes at most one part in so many.
const FIXED_TIME_PART: u32 = 10;
/// Even an empty clock leaves this much, enough for a first iteration.
const LEAST: Duration = Duration::from_millis(1);

/// The clock of one search.
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl Clock {
    /// Starts the clock for the player to move.
    pub fn start(limits: &Limits, settings: &Settings, side: Color) -> Clock {
        let (soft, hard) = plan(limits, settings.move_overhead, side);
        Clock {
            start: Instant::now(),
            soft,
            hard,
        }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must end now.
    pub fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether the plan, stretched or shrunk by `factor`, allows no further iteration.
    pub fn is_enough(&self, factor: f64) -> bool {
        self.soft
            .is_some_and(|soft| self.elapsed().as_secs_f64() >= soft.as_secs_f64() * factor)
    }

    /// Whether the search must end at some time.
    pub fn is_limited(&self) -> bool {
        self.hard.is_some()
    }

    /// Whether the time is the engine's own to divide, as on a chess clock.
    pub fn is_flexible(&self) -> bool {
        self.soft.is_some()
    }
}

/// The soft and the hard limit.
fn plan(limits: &Limits, overhead: Duration, side: Color) -> (Option<Duration>, Option<Duration>) {
    if limits.infinite {
        return (None, None);
    }
    if let Some(time) = limits.move_time {
        return (
            None,
            Some((time - overhead.min(time / FIXED_TIME_PART)).max(LEAST)),
        );
    }
    let Some(left) = limits.clock[side.index()] else {
        return (None, None);
    };
    let increment = limits.increment[side.index()].as_secs_f64();
    let usable = left.saturating_sub(RESERVE * overhead).max(LEAST).as_secs_f64();
    let planned = f64::from(planned_moves());
    let moves = limits
        .moves_to_go
        .map_or(planned, |moves| f64::from(moves.max(1)).min(2.0 * planned));
    let largest = match limits.moves_to_go {
        Some(1) => percent(last_move_share()) * usable,
        _ => percent(largest_share()) * usable,
    };
    let soft = (usable / moves + percent(increment_share()) * increment).min(largest);
    let hard = (percent(hard_limit()) * soft).min(largest);
    (
        Some(Duration::from_secs_f64(soft)),
        Some(Duration::from_secs_f64(hard)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock: [Some(Duration::from_millis(left)); 2],
            increment: [Duration::from_millis(increment); 2],
            moves_to_go,
            ..Limits::default()
        }
    }

    fn planned(limits: &Limits) -> (u128, u128) {
        let (soft, hard) = plan(limits, OVERHEAD, Color::Black);
        (soft.unwrap().as_millis(), hard.unwrap().as_millis())
    }

    #[test]
    fn never_plans_more_than_the_clock_holds() {
        for left in [0, 1, 11, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 20, 1_000, 30_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(1_000)] {
                    let (soft, hard) = planned(&clock(left, increment, moves));
                    assert!(
                        soft <= hard && hard <= left.max(11) as u128 - 10 + 1,
                        "{left} {increment} {moves:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn spends_more_with_an_increment_and_before_a_time_control() {
        let plain = planned(&clock(60_000, 0, None)).0;
        assert!(planned(&clock(60_000, 1_000, None)).0 > plain);
        assert!(planned(&clock(60_000, 0, Some(5))).0 > plain);
    }

    #[test]
    fn fixed_time_and_no_clock() {
        let fixed = Limits {
            move_time: Some(Duration::from_millis(500)),
            ..Limits::default()
        };
        assert_eq!(
            plan(&fixed, OVERHEAD, Color::White),
            (None, Some(Duration::from_millis(490)))
        );
        let short = Limits {
            move_time: Some(Duration::from_millis(20)),
            ..Limits::default()
        };
        assert_eq!(
            plan(&short, OVERHEAD, Color::White),
            (None, Some(Duration::from_millis(18)))
        );
        assert_eq!(
            plan(
                &Limits {
                    depth: Some(3),
                    ..Limits::default()
                },
                OVERHEAD,
                Color::White
            ),
            (None, None)
        );
        let infinite = Limits {
            infinite: true,
            ..clock(10, 0, None)
        };
        assert_eq!(plan(&infinite, OVERHEAD, Color::White), (None, None));
    }

    #[test]
    fn a_clock_for_the_other_side_only_is_no_limit() {
        let limits = Limits {
            clock: [Some(Duration::from_millis(100)), None],
            ..Limits::default()
        };
        assert_eq!(plan(&limits, OVERHEAD, Color::Black), (None, None));
    }
}
