//! Random openings for matches and for making data: some random moves from a start position, kept if a short search calls
//! the result balanced.

use super::Engine;
use super::options::EngineOptions;
use super::searcher::SearcherError;
use crate::board::Position;
use crate::nets::score::Score;
use crate::search::{Control, Limits};
use rand::prelude::*;
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// How often an opening is drawn before the last playable one is taken as it is: nobody should wait for one.
const MOST_DRAWS: usize = 40;

/// How openings are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningSettings {
    /// The least number of random moves.
    pub least_plies: u32,
    /// The greatest number of random moves; either side is then to move.
    pub most_plies: u32,
    /// The largest score for either side, in centipawns.
    pub most_score: Score,
    /// Nodes of the search that judges.
    pub nodes: u64,
    /// The seed of the random generator.
    pub seed: u64,
}

impl Default for OpeningSettings {
    fn default() -> OpeningSettings {
        OpeningSettings {
            least_plies: 8,
            most_plies: 9,
            most_score: 250,
            nodes: 1_000,
            seed: 0,
        }
    }
}

/// Makes openings without end; the same ones for the same settings and starts.
pub struct Openings {
    settings: OpeningSettings,
    /// Where the random moves begin, drawn at random too.
    starts: Vec<Position>,
    engine: Engine,
    rng: ChaCha8Rng,
    /// Keys of the openings so far.
    seen: HashSet<u64>,
}

impl Openings {
    /// Openings from these starts, or from the standard one if there is none.
    ///
    /// # Errors
    /// [`SearcherError`] if the engine that judges cannot be made.
    pub fn new(settings: OpeningSettings, starts: Vec<Position>) -> Result<Openings, SearcherError> {
        let options = EngineOptions {
            hash: 1,
            ..EngineOptions::default()
        };
        Ok(Openings {
            rng: ChaCha8Rng::seed_from_u64(settings.seed),
            settings,
            starts: match starts.is_empty() {
                true => vec![Position::default()],
                false => starts,
            },
            engine: Engine::new(options)?,
            seen: HashSet::new(),
        })
    }

    /// The next opening: new and balanced, unless many draws in a row found none such; `None` if the starts leave no
    /// playable one.
    pub fn draw(&mut self) -> Option<Position> {
        let mut last = None;
        for _ in 0..MOST_DRAWS {
            let Some(position) = self.walk() else { continue };
            last = Some(position);
            if !self.seen.contains(&position.key()) && self.is_balanced(&position) {
                break;
            }
        }
        self.seen.extend(last.map(|position| position.key()));
        last
    }

    /// Random moves from a random start; `None` if the game ends on the way.
    fn walk(&mut self) -> Option<Position> {
        let mut position = *self.starts.choose(&mut self.rng)?;
        let (least, most) = (self.settings.least_plies, self.settings.most_plies);
        for _ in 0..self.rng.random_range(least..=most.max(least)) {
            let moves = position.legal_moves();
            position.make(*moves.choose(&mut self.rng)?);
        }
        position.ending(&[]).is_none().then_some(position)
    }

    fn is_balanced(&mut self, position: &Position) -> bool {
        let fen = position.to_fen(position.needs_chess960());
        if self.engine.set_position(Some(&fen), &[]).is_err() {
            return false;
        }
        // the score must not depend on entries that earlier openings left in the table
        self.engine.clear();
        let limits = Limits {
            nodes: Some(self.settings.nodes),
            ..Limits::default()
        };
        let outcome = self.engine.search(&limits, &Control::default(), &mut |_| {});
        outcome.score.abs() <= self.settings.most_score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(settings: &OpeningSettings, starts: &[Position]) -> Vec<String> {
        let mut openings = Openings::new(settings.clone(), starts.to_vec()).unwrap();
        let drawn = (0..6).map(|_| openings.draw().unwrap().to_fen(false));
        drawn.collect()
    }

    #[test]
    fn openings_differ_and_come_again_with_their_seed() {
        let settings = OpeningSettings {
            nodes: 50,
            ..OpeningSettings::default()
        };
        let first = drawn(&settings, &[]);
        assert_eq!(first, drawn(&settings, &[]));
        assert_eq!(first.iter().collect::<HashSet<_>>().len(), 6);
        let other = OpeningSettings {
            seed: 1,
            ..settings.clone()
        };
        assert_ne!(first, drawn(&other, &[]));
        assert!(first.iter().all(|fen| Position::from_fen(fen).is_ok()));
    }

    #[test]
    fn lost_positions_are_avoided_where_there_are_others() {
        let settings = OpeningSettings {
            least_plies: 0,
            most_plies: 0,
            nodes: 50,
            ..OpeningSettings::default()
        };
        let lost = Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NB1KBN1 w kq - 0 1").unwrap();
        let found = drawn(&settings, &[Position::default(), lost]);
        assert_eq!(found[0], Position::START_FEN);
        // without a balanced start the lost one is returned all the same, instead of drawing for ever
        assert_eq!(drawn(&settings, &[lost])[0], lost.to_fen(false));
        let mated = Position::from_fen("3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1").unwrap();
        let mut openings = Openings::new(settings, vec![mated]).unwrap();
        assert_eq!(openings.draw(), None);
    }

    #[test]
    fn no_opening_is_given_twice_where_there_are_others() {
        let settings = OpeningSettings {
            least_plies: 1,
            most_plies: 1,
            most_score: 9_999,
            nodes: 1,
            ..OpeningSettings::default()
        };
        // of twenty
        assert_eq!(drawn(&settings, &[]).into_iter().collect::<HashSet<_>>().len(), 6);
        let mut openings = Openings::new(settings, Vec::new()).unwrap();
        let drawn: HashSet<u64> = (0..15).map(|_| openings.draw().unwrap().key()).collect();
        assert_eq!(drawn.len(), 15);
    }
}
