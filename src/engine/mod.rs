//! The engine without a protocol: a game, options as typed values, and a search with the net that the options choose.
//! It takes and returns values; UCI, the comparison and other callers turn them into text.

pub mod bench;
pub mod game;
#[cfg(feature = "lab")]
mod imitation;
pub mod judge;
pub mod level;
pub mod openings;
pub mod options;
pub mod parallel;
pub mod perft;
mod player;
pub mod searcher;
pub mod speedtest;

use crate::board::{FenError, Move, Position};
use crate::explain::contributions::Contributions;
use crate::explain::grading::Graded;
use crate::explain::judge::Judge;
use crate::explain::{self, Explanation, Played, Subject};
use crate::search::{Control, Game, Limits, MemoryError, Outcome, Report};
use bench::{Step, Totals};
use game::GameError;
use judge::EngineJudge;
use level::LevelRequest;
use options::{EngineOption, EngineOptions};
use searcher::{Identity, Searcher, SearcherError, searcher};

/// The engine's state: the options, the search with its network and table, and the game.
pub struct Engine {
    options: EngineOptions,
    searcher: Box<dyn Searcher>,
    identity: Identity,
    game: Game,
    /// The last move of the game.
    previous: Option<Played>,
    /// Whether a fault of the current tablebases was already reported.
    fault_told: bool,
}

impl Engine {
    /// An engine at the start of a game.
    ///
    /// # Errors
    /// [`SearcherError`] if the net cannot be used or memory cannot be allocated.
    pub fn new(options: EngineOptions) -> Result<Engine, SearcherError> {
        let (searcher, identity) = searcher(&options.plan())?;
        Ok(Engine {
            searcher,
            identity,
            options,
            fault_told: false,
            game: Game {
                position: Position::default(),
                history: Vec::new(),
            },
            previous: None,
        })
    }

    /// The options' values.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// The net and how it is computed.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The game up to the position to search.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Sets an option. Setting it to its present value does nothing: clients resend options, and that must not clear
    /// the table.
    ///
    /// # Errors
    /// [`SearcherError`] if the net cannot be used or memory cannot be allocated; the engine is then unchanged.
    pub fn set_option(&mut self, option: EngineOption) -> Result<(), SearcherError> {
        let mut options = self.options.clone();
        #[cfg(feature = "syzygy")]
        if matches!(option, EngineOption::SyzygyPath(_)) {
            self.fault_told = false;
        }
        options.set(option);
        let (plan, before) = (options.plan(), self.options.plan());
        if (&plan.net, plan.backend) != (&before.net, before.backend) {
            (self.searcher, self.identity) = searcher(&plan)?;
        } else if plan.hash != before.hash {
            self.searcher.resize(plan.hash)?;
        } else if plan.threads != before.threads {
            self.searcher.set_threads(plan.threads)?;
        }
        self.options = options;
        Ok(())
    }

    /// Clears the transposition table and the search's histories, as before a new game.
    pub fn clear(&mut self) {
        self.searcher.clear();
    }

    /// Sets up a position and plays moves from it; returns what was ignored in the FEN (see [`game::set_up`]).
    ///
    /// # Errors
    /// [`GameError`] if the position or a move is not legal; the game is then unchanged.
    pub fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<Vec<FenError>, GameError> {
        let (game, ignored) = game::set_up(fen, moves)?;
        self.previous = game::last_move(fen, moves);
        self.game = game;
        Ok(ignored)
    }

    /// Searches the game's position until a limit is met or `control` stops it. A search that only the client ends is
    /// analysis and of full strength; any other is of the level that the options ask for.
    pub fn search(&mut self, limits: &Limits, control: &Control, report: &mut dyn FnMut(&Report)) -> Outcome {
        let (game, settings) = (&self.game, &self.options.search);
        match self.options.level() {
            Some(level) if limits.ponder || !limits.is_endless() => {
                let question = LevelRequest {
                    game,
                    limits,
                    settings,
                    control,
                };
                level::play(&mut *self.searcher, question, level, &mut rand::rng(), report)
            }
            _ => self.searcher.search(game, limits, settings, control, report),
        }
    }

    /// The first table that was needed and could not be used, told once.
    pub fn new_tablebase_fault(&mut self) -> Option<String> {
        let tables = self.options.search.tablebases.tables.as_ref()?;
        let fault = tables.fault().filter(|_| !self.fault_told)?;
        self.fault_told = true;
        Some(fault.to_string())
    }

    /// The static evaluation of the game's position, piece by piece.
    pub fn contributions(&mut self) -> Contributions {
        let searcher = &mut self.searcher;
        let effort = searcher.effort();
        Contributions::of(&self.game.position, effort, &mut |positions| {
            searcher.evaluate(positions)
        })
    }

    /// The engine as a judge of any positions, for as long as `control` does not stop it.
    pub fn judge<'a>(&'a mut self, control: &'a Control) -> EngineJudge<'a> {
        EngineJudge::new(&mut *self.searcher, &self.options.search, control)
    }

    /// Why a legal move of the game's position is good or bad. With one thread the answer is always the same.
    pub fn explain(&mut self, m: Move, options: &explain::Options, control: &Control) -> Explanation {
        self.judge_move(m, control, |subject, judge| {
            explain::explain(subject, judge, options)
        })
    }

    /// How good a legal move of the game's position is, by the same searches.
    pub fn grade(&mut self, m: Move, nodes: u64, control: &Control) -> Graded {
        self.judge_move(m, control, |subject, judge| explain::grade(subject, judge, nodes))
    }

    /// Lends `ask` this engine as a judge, and a move of its game as the subject.
    fn judge_move<T>(
        &mut self,
        m: Move,
        control: &Control,
        ask: impl FnOnce(&Subject, &mut dyn Judge) -> T,
    ) -> T {
        let game = self.game.clone();
        let subject = Subject {
            position: &game.position,
            history: &game.history,
            m,
            previous: self.previous,
            known: None,
        };
        ask(&subject, &mut self.judge(control))
    }

    /// Runs the benchmark with the network of this engine.
    ///
    /// # Errors
    /// [`MemoryError`] if the table cannot be allocated.
    pub fn bench(
        &self,
        depth: u32,
        control: &Control,
        tell: &mut dyn FnMut(&Step),
    ) -> Result<Totals, MemoryError> {
        self.searcher.bench(depth, control, tell)
    }
}
