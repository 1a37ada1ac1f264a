//! A longer measurement of speed than the benchmark: the engine plays against itself with all its threads and a large
//! table, as in a game.

use super::Engine;
use super::bench::POSITIONS;
use super::game::GameError;
use crate::search::{Control, Limits, Report};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Games, from the openings of the benchmark.
const GAMES: usize = 5;
/// Moves of each game, of either side.
const MOVES: u32 = 30;
/// Moves of a game before the measurement, while the table's memory is touched for the first time.
const WARM_UP: u32 = 3;

/// Why the measurement broke off.
#[derive(Debug, Error)]
pub enum SpeedTestError {
    /// A position of its own was refused, which is a bug.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// What was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Speed {
    /// Positions searched, warming up not counted.
    pub moves: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time spent searching.
    pub time: Duration,
    /// The sum over the moves of how full the table was at the end, in thousandths.
    pub hash_full: u64,
}

impl Speed {
    /// Nodes a second.
    pub fn per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }

    /// How full the table was on average at the end of a move, in thousandths.
    pub fn mean_hash_full(&self) -> u64 {
        self.hash_full / u64::from(self.moves.max(1))
    }
}

/// Plays for about `duration` with this engine, whose table and game are lost; `tell` is called with the number of
/// [`steps`] done.
///
/// # Errors
/// [`SpeedTestError`] if a position is refused.
pub fn run(
    engine: &mut Engine,
    duration: Duration,
    tell: &mut dyn FnMut(u32),
) -> Result<Speed, SpeedTestError> {
    let move_time = duration / steps();
    let mut speed = Speed::default();
    let mut done = 0;
    for opening in &POSITIONS[..GAMES] {
        engine.clear();
        let mut moves: Vec<String> = Vec::new();
        for number in 0..MOVES + WARM_UP {
            engine.set_position(Some(opening), &moves)?;
            let start = Instant::now();
            let (nodes, hash_full, best) = think(engine, move_time);
            if number >= WARM_UP {
                speed.moves += 1;
                speed.nodes += nodes;
                speed.time += start.elapsed();
                speed.hash_full += u64::from(hash_full);
            }
            done += 1;
            tell(done);
            match best {
                Some(best) => moves.push(best),
                // the game is over: go on with the next one
                None => break,
            }
        }
    }
    Ok(speed)
}

/// The most moves that a measurement has.
pub const fn steps() -> u32 {
    GAMES as u32 * (MOVES + WARM_UP)
}

/// Searches a move; nodes, thousandths of the table, and the move.
fn think(engine: &mut Engine, time: Duration) -> (u64, u32, Option<String>) {
    let limits = Limits {
        move_time: Some(time),
        ..Limits::default()
    };
    let mut hash_full = 0;
    let mut note = |report: &Report| hash_full = report.hash_full;
    let outcome = engine.search(&limits, &Control::default(), &mut note);
    (outcome.nodes, hash_full, outcome.best.map(|m| m.to_uci(true)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::EngineOptions;

    #[test]
    fn every_game_is_played_and_counted() {
        let mut engine = Engine::new(EngineOptions::default()).unwrap();
        let mut told = 0;
        let speed = run(
            &mut engine,
            Duration::from_millis(u64::from(steps())),
            &mut |done| told = done,
        )
        .unwrap();
        assert!(told > 0 && told <= steps());
        assert!(speed.moves > 0 && speed.moves <= GAMES as u32 * MOVES);
        assert!(speed.nodes >= u64::from(speed.moves) && speed.per_second() > 0);
        assert!(speed.mean_hash_full() <= 1_000);
        let known = Speed {
            moves: 4,
            nodes: 3_000,
            time: Duration::from_millis(500),
            hash_full: 300,
        };
        assert_eq!((known.mean_hash_full(), known.per_second()), (75, 6_000));
    }
}
