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
    /// Starts the clock for the player to move. What an evaluation of a slow network takes is kept back like the overhead,
    /// once for that which the time interrupts and once for a machine that is slower than it was.
    pub fn start(limits: &Limits, settings: &Settings, side: Color, evaluation: Duration) -> Clock {
        let overhead = match limits.move_time {
            Some(_) => settings.move_overhead,
            None => settings.move_overhead + 2 * evaluation,
        };
        let (soft, hard) = plan(limits, overhead, side);
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

    /// Whether the search must end before so much more time has passed.
    pub fn is_over_in(&self, ahead: Duration) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() + ahead >= hard)
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
    fn evaluations_of_a_slow_network_are_kept_back() {
        let hard = |left, evaluation| {
            let evaluation = Duration::from_millis(evaluation);
            let limits = clock(left, 100, None);
            Clock::start(&limits, &Settings::default(), Color::White, evaluation)
                .hard
                .unwrap()
        };
        // the reserve is three times 30 ms and two evaluations
        assert!(hard(700, 0) > Duration::from_millis(100));
        assert_eq!(hard(700, 110), hard(0, 0));
        let clock = Clock::start(
            &clock(100, 0, Some(1)),
            &Settings::default(),
            Color::White,
            Duration::ZERO,
        );
        assert!(!clock.is_over_in(Duration::ZERO) && clock.is_over_in(Duration::from_secs(1)));
    }

    #[test]
    fn a_clock_for_the_other_side_only_is_no_limit() {
        let limits = Limits {
            clock: [Some(Duration::from_millis(100)), None],
            ..Limits::default()
        };
        assert_eq!(plan(&limits, OVERHEAD, Color::Black), (None, None));
    }

    #[test]
    fn the_last_move_before_a_time_control_may_take_more_than_others() {
        let hard = |moves| planned(&clock(60_000, 0, Some(moves))).1;
        assert!(hard(1) > 3 * hard(2) / 2, "{} {}", hard(1), hard(2));
    }
}
