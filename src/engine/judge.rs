//! The engine's search as the judge of an explanation.

use super::searcher::Searcher;
use crate::board::Position;
use crate::explain::contributions::Effort;
use crate::explain::judge::{Finding, Judge, Question};
use crate::nets::Score;
use crate::search::{Control, Game, Limits, Report, Settings};

/// A search that answers the questions of an explanation.
pub struct EngineJudge<'a> {
    searcher: &'a mut dyn Searcher,
    settings: Settings,
    control: &'a Control,
}

impl<'a> EngineJudge<'a> {
    /// A judge that searches one line at a time.
    pub(super) fn new(
        searcher: &'a mut dyn Searcher,
        settings: &Settings,
        control: &'a Control,
    ) -> EngineJudge<'a> {
        EngineJudge {
            searcher,
            settings: Settings {
                multi_pv: 1,
                ..settings.clone()
            },
            control,
        }
    }
}

impl Judge for EngineJudge<'_> {
    fn forget(&mut self) {
        self.searcher.clear();
    }

    fn search(&mut self, question: &Question) -> Finding {
        let game = Game {
            position: *question.position,
            history: question.history.to_vec(),
        };
        let limits = Limits {
            nodes: Some(question.nodes),
            search_moves: question.moves.to_vec(),
            ..Limits::default()
        };
        let mut line = Vec::new();
        let mut note = |report: &Report| line.clone_from(&report.line);
        let outcome = self
            .searcher
            .search(&game, &limits, &self.settings, self.control, &mut note);
        if line.first().copied() != outcome.best {
            line = outcome.best.into_iter().collect();
        }
        Finding {
            score: outcome.score,
            line,
            nodes: outcome.nodes,
        }
    }

    fn effort(&self) -> Effort {
        self.searcher.effort()
    }

    fn evaluate(&mut self, positions: &[Position]) -> Vec<Score> {
        self.searcher.evaluate(positions)
    }
}
