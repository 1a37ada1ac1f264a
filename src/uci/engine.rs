//! The engine with UCI's text: options and moves as strings, answers as lines.

use super::go::Go;
use super::info;
use super::info::Style;
use super::options::{Declaration, OptionEffect, OptionError};
use super::show;
use crate::board::{FenError, UciMoveError};
use crate::engine::Engine;
use crate::engine::bench::{self, Totals};
use crate::engine::game::GameError;
use crate::engine::options::{EngineOption, EngineOptions};
use crate::engine::perft::divide;
use crate::engine::searcher::{Identity, SearcherError};
use crate::explain;
use crate::explain::words::{Language, Notation, UnknownWord, Writer};
use crate::nets::score::{DRAW, mated_in};
use crate::nets::wdl::material;
use crate::search::{Control, MemoryError};
use crate::support::foreign::one_line;
use crate::support::log;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use thiserror::Error;

/// Why an option cannot be set; the engine is then unchanged.
#[derive(Debug, Error)]
pub enum SetOptionError {
    /// The option does not exist or does not take this value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The net cannot be used, or memory cannot be allocated.
    #[error(transparent)]
    Searcher(#[from] SearcherError),
    /// The log cannot be written there.
    #[error("cannot write a log to {}: {error}", .path.display())]
    Log { path: PathBuf, error: io::Error },
}

/// Why a move is not explained.
#[derive(Debug, Error)]
pub enum ExplainError {
    /// It cannot be played.
    #[error("explain: {0}")]
    Move(#[from] UciMoveError),
    /// The language is not known.
    #[error("explain: {0}")]
    Language(#[from] UnknownWord),
    /// The client did not wait for the end.
    #[error("explain: stopped before the move was judged")]
    CutOff,
}

/// What is told when `Net` is set while `EvalFile` names a net.
const NET_WAITS: &str =
    "info string EvalFile takes precedence over Net: clear it with 'setoption name EvalFile value <empty>'";

/// Receives the lines that the engine prints.
pub type Say<'a> = &'a mut dyn FnMut(String);

/// An engine and the style of its answers.
pub struct UciEngine {
    engine: Engine,
    /// The options that only change how lines are written.
    style: Style,
}

impl UciEngine {
    /// An engine with the defaults of all options, at the start of a game.
    ///
    /// # Errors
    /// [`SearcherError`] if the built-in net is invalid or memory cannot be allocated.
    pub fn new() -> Result<UciEngine, SearcherError> {
        Ok(UciEngine {
            engine: Engine::new(EngineOptions::default())?,
            style: Style::default(),
        })
    }

    /// The line that names the net and how it is computed.
    pub fn identity(&self) -> String {
        info::identity(self.engine.identity())
    }

    /// Sets an option from the texts of its name and value; returns what the client should be told.
    ///
    /// # Errors
    /// [`SetOptionError`] if the option does not exist or cannot be set to this value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<Option<String>, SetOptionError> {
        #[cfg(feature = "tune")]
        if let Some(done) = super::tune::set(name, value) {
            done?;
            return Ok(None);
        }
        match Declaration::effect(name, value)? {
            OptionEffect::Engine(option) => {
                let before = self.engine.identity().clone();
                self.engine.set_option(option.clone())?;
                return Ok(self.news(&option, &before));
            }
            OptionEffect::ClearHash => self.engine.clear(),
            OptionEffect::Chess960(on) => self.style.chess960 = on,
            OptionEffect::ShowWdl(on) => self.style.wdl = on,
            OptionEffect::Log(None) => log::close(),
            OptionEffect::Log(Some(path)) => {
                log::open(&path).map_err(|error| SetOptionError::Log { path, error })?;
            }
            OptionEffect::Nothing => {}
        }
        Ok(None)
    }

    /// What the client should be told after this option was set; `before` is the net that was in use.
    fn news(&self, option: &EngineOption, before: &Identity) -> Option<String> {
        let options = self.engine.options();
        match option {
            EngineOption::Net(_) if options.eval_file.is_some() => Some(NET_WAITS.to_string()),
            EngineOption::LimitStrength(_) | EngineOption::Elo(_) | EngineOption::SkillLevel(_) => {
                Some(info::level(options.level()))
            }
            #[cfg(feature = "syzygy")]
            EngineOption::SyzygyPath(_) => options.tablebases.as_ref().map(info::tablebases),
            _ => (self.engine.identity() != before).then(|| self.identity()),
        }
    }

    /// Clears the table and the histories for a new game.
    pub fn new_game(&mut self) {
        self.engine.clear();
    }

    /// Sets up a position and plays moves from it; returns what was ignored in the FEN.
    ///
    /// # Errors
    /// [`GameError`] if the FEN is not a legal position, or for the first move that is not legal.
    pub fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<Vec<FenError>, GameError> {
        self.engine.set_position(fen, moves)
    }

    /// Runs the search of a `go` command and returns the `bestmove` line. Illegal moves after `searchmoves` are reported
    /// and ignored; if none remains, all moves are searched because the client waits for a move.
    pub fn search(&mut self, go: &Go, control: &Control, say: Say) -> String {
        let position = self.engine.game().position;
        let style = self.style();
        let mut limits = go.limits_for(position.side_to_move());
        let (known, unknown): (Vec<_>, Vec<_>) = go
            .search_moves
            .iter()
            .map(|text| position.parse_uci(text))
            .partition(Result::is_ok);
        if let Some(error) = unknown.into_iter().find_map(Result::err) {
            say(format!(
                "info string searchmoves: {}",
                one_line(&error.to_string())
            ));
        }
        limits.search_moves = known.into_iter().flatten().collect();
        if !position.has_moves() {
            let score = if position.in_check() { mated_in(0) } else { DRAW };
            say(info::info_of_the_end(score));
        }
        let outcome = self
            .engine
            .search(&limits, control, &mut |report| say(info::info(report, style)));
        if let Some(fault) = self.engine.new_tablebase_fault() {
            say(format!("info string tablebases: {}", one_line(&fault)));
        }
        info::best_move(&position, &outcome, style)
    }

    /// Prints the perft count below each move, then the sum. If `control` stops it, it ends without a sum.
    pub fn perft(&self, depth: u32, control: &Control, say: Say) {
        let chess960 = self.style().chess960;
        let position = &self.engine.game().position;
        let sum = divide(position, depth, &control.stop, &mut |m, nodes| {
            say(format!("{}: {nodes}", m.to_uci(chess960)));
        });
        if let Some(sum) = sum {
            say(format!("\nNodes searched: {sum}"));
        }
    }

    /// Runs the benchmark with the network of this engine and prints its results.
    ///
    /// # Errors
    /// [`MemoryError`] if the table cannot be allocated.
    pub fn bench(&self, depth: u32, control: &Control, say: Say) -> Result<Totals, MemoryError> {
        let totals = self
            .engine
            .bench(depth, control, &mut |step| say(bench_line(step)))?;
        say(totals.to_string());
        Ok(totals)
    }

    /// A text picture of the board.
    pub fn show(&self) -> String {
        show::board(&self.engine.game().position, self.style().chess960)
    }

    /// The static evaluation of the game's position, piece by piece, as text.
    pub fn evaluation(&mut self) -> String {
        let contributions = self.engine.contributions();
        show::evaluation(&self.engine.game().position, &contributions)
    }

    /// Why a move of the game's position is good or bad, a sentence each; English by default.
    ///
    /// # Errors
    /// [`ExplainError`] if the move is not legal or the language is none of those that there are.
    pub fn explain(
        &mut self,
        text: &str,
        language: Option<&str>,
        control: &Control,
    ) -> Result<Vec<String>, ExplainError> {
        let language = language.map_or(Ok(Language::default()), str::parse)?;
        let position = &self.engine.game().position;
        let m = position
            .parse_uci(text)
            .or_else(|error| position.parse_san(text).map_err(|_| error))?;
        let options = explain::Options {
            net_view: false,
            ..explain::Options::default()
        };
        let explanation = self.engine.explain(m, &options, control);
        if control.stop.load(Relaxed) {
            return Err(ExplainError::CutOff);
        }
        let text = Writer::new(language, Notation::default()).explanation(&explanation);
        Ok([text.summary, text.details].concat())
    }

    /// Castling that standard notation cannot express is written as in Chess960 even with the option off.
    fn style(&self) -> Style {
        Style {
            chess960: self.style.chess960 || self.engine.game().position.needs_chess960(),
            material: material(&self.engine.game().position),
            ..self.style
        }
    }
}

fn bench_line(step: &bench::Step) -> String {
    let best = step.outcome.best.map_or("(none)".to_string(), |m| m.to_uci(true));
    format!(
        "{:>2} {:>9} {:<6} {}",
        step.number, step.outcome.nodes, best, step.position
    )
}

#[cfg(test)]
mod tests;
