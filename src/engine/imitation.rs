//! A player that does not search: the homework's regressor chooses the move, and a search of that move alone says what
//! becomes of it.

use super::bench::{Step, Totals};
use super::player::Searcher;
use crate::board::{Move, Position};
use crate::explain::contributions::Effort;
use crate::nets::Score;
use crate::nets::regressor::Regressor;
use crate::search::{Control, Game, Limits, MemoryError, Outcome, Report, Settings};

/// The plies of the minimax that is imitated where no look-ahead is set; the homework's deepest.
const PLIES: u32 = 3;

/// A regressor with a search for its one move.
pub struct Imitation {
    pub regressor: Regressor,
    pub searcher: Box<dyn Searcher>,
}

impl Searcher for Imitation {
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        settings: &Settings,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Outcome {
        let legal = game.position.legal_moves();
        let asked: Vec<Move> = legal
            .into_iter()
            .filter(|m| limits.search_moves.is_empty() || limits.search_moves.contains(m))
            .collect();
        let plies = match settings.look_ahead {
            0 => PLIES,
            plies => plies,
        };
        let chosen = self.regressor.choose(&game.position, plies, &asked);
        let limits = Limits {
            search_moves: chosen.into_iter().collect(),
            ..limits.clone()
        };
        let settings = Settings {
            look_ahead: plies,
            ..settings.clone()
        };
        self.searcher.search(game, &limits, &settings, control, report)
    }

    fn evaluate(&mut self, positions: &[Position]) -> Vec<Score> {
        self.searcher.evaluate(positions)
    }

    fn effort(&self) -> Effort {
        self.searcher.effort()
    }

    fn clear(&mut self) {
        self.searcher.clear();
    }

    fn resize(&mut self, hash: usize) -> Result<(), MemoryError> {
        self.searcher.resize(hash)
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError> {
        self.searcher.set_threads(threads)
    }

    fn bench(
        &self,
        depth: u32,
        control: &Control,
        tell: &mut dyn FnMut(&Step),
    ) -> Result<Totals, MemoryError> {
        self.searcher.bench(depth, control, tell)
    }
}
