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
use crate::search::{Control, TableError};
use crate::support::log;
use std::io;
use std::path::PathBuf;
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
    Log {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
}

/// Why a move cannot be explained.
#[derive(Debug, Error)]
pub enum ExplainError {
    /// It cannot be played.
    #[error("explain: {0}")]
    Move(#[from] UciMoveError),
    /// The language is not known.
    #[error("explain: {0}")]
    Language(#[from] UnknownWord),
}

/// What is told when `Net` is set while `EvalFile` names a net.
const NET_WAITS: &str =
    "info string EvalFile goes before Net: clear it with 'setoption name EvalFile value <empty>'";

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
            say(format!("info string searchmoves: {error}"));
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
            say(format!("info string tablebases: {fault}"));
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
    /// [`TableError`] if the table cannot be allocated.
    pub fn bench(&self, depth: u32, control: &Control, say: Say) -> Result<Totals, TableError> {
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
        let explanation = self.engine.explain(m, &explain::Options::default(), control);
        let text = Writer::new(language, Notation::default()).explanation(&explanation);
        Ok([text.summary, text.details].concat())
    }

    /// Castling that standard notation cannot express is written as in Chess960 even with the option off.
    fn style(&self) -> Style {
        Style {
            chess960: self.style.chess960 || self.engine.game().position.needs_chess960(),
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
mod tests {
    use super::*;
    use crate::nets::built_in::BUILT_IN;
    use crate::nets::choice::NetChoice;
    #[cfg(feature = "cuda")]
    use crate::nets::device;
    #[cfg(not(feature = "lab"))]
    use crate::nets::net::Precision;
    use crate::nets::score::MAX_PLY;
    #[cfg(feature = "lab")]
    use crate::nets::{kind::Backend, registry};
    use crate::uci::options::{OPTIONS, OptionKind};
    use std::sync::atomic::Ordering::Relaxed;

    fn engine() -> UciEngine {
        UciEngine::new().unwrap()
    }

    fn texts(moves: &str) -> Vec<String> {
        moves.split_whitespace().map(str::to_string).collect()
    }

    fn searched(engine: &mut UciEngine, words: &str) -> (Vec<String>, String) {
        let mut lines = Vec::new();
        let go = Go::parse(&words.split(' ').collect::<Vec<_>>()).unwrap();
        let best = engine.search(&go, &Control::default(), &mut |line| lines.push(line));
        (lines, best)
    }

    #[test]
    fn refused_commands_change_nothing() {
        let mut engine = engine();
        engine.set_position(None, &texts("e2e4 e7e5")).unwrap();
        let before = engine.show();
        for (fen, moves, error) in [
            (Some("8/8 w - -"), "", "the board has 2 ranks instead of 8"),
            (None, "e2e4 e7e5 e1e3", "move 3: e1e3 is not a legal move here"),
            (None, "xyz", "move 1: 'xyz' is not a move"),
        ] {
            let refused = engine.set_position(fen, &texts(moves)).unwrap_err().to_string();
            assert!(refused.contains(error), "{refused}");
        }
        for (name, value, error) in [
            ("EvalFile", "/no/such/net", "/no/such/net"),
            (
                "EvalFile",
                concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
                "Cargo.toml",
            ),
            ("Threads", "0", "Threads is a number from 1 to 256"),
        ] {
            let refused = engine.set_option(name, value).unwrap_err().to_string();
            assert!(refused.contains(error), "{refused}");
            assert!(!refused.contains('\n'), "{refused}");
        }
        assert_eq!(
            (
                engine.engine.options().threads,
                &engine.engine.options().eval_file
            ),
            (1, &None)
        );
        assert_eq!(engine.show(), before);
        assert!(searched(&mut engine, "nodes 50").1.starts_with("bestmove "));
    }

    #[test]
    fn strength_can_be_limited_but_not_that_of_analysis() {
        let mut engine = engine();
        let told = engine.set_option("UCI_LimitStrength", "true").unwrap().unwrap();
        assert!(told.contains("about 1500 Elo"), "{told}");
        let told = engine.set_option("UCI_Elo", "1000").unwrap().unwrap();
        assert!(told.contains("about 1000 Elo"), "{told}");
        let (lines, best) = searched(&mut engine, "depth 30");
        let played = best.split(' ').nth(1).unwrap();
        let last = lines.last().unwrap();
        assert!(
            last.contains(" score ") && last.contains(&format!(" pv {played}")),
            "{last} {best}"
        );
        // without the limit a skill level counts
        engine.set_option("UCI_LimitStrength", "false").unwrap();
        let told = engine.set_option("Skill Level", "3").unwrap().unwrap();
        assert!(told.contains("Elo"), "{told}");
        let told = engine.set_option("Skill Level", "20").unwrap().unwrap();
        assert!(told.ends_with("full"), "{told}");
        engine.set_option("Skill Level", "0").unwrap();
        let control = Control::default();
        let go = Go::parse(&["infinite"]).unwrap();
        let mut depths = 0;
        engine.search(&go, &control, &mut |line| {
            depths += usize::from(line.contains(" depth "));
            if line.contains(" depth 8 ") {
                control.stop.store(true, Relaxed);
            }
        });
        assert!(depths >= 8, "{depths}");
        assert!(engine.set_option("UCI_Elo", "300").is_err());
    }

    #[test]
    fn the_net_in_use_is_told_after_a_change() {
        let mut engine = engine();
        let first = engine.identity();
        assert!(
            first.starts_with("info string net mlp (built in, ") && first.contains("incremental"),
            "{first}"
        );
        assert_eq!(engine.set_option("Hash", "8").unwrap(), None);
        assert_eq!(engine.set_option("Backend", "incremental").unwrap(), None);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.safetensors");
        std::fs::write(&path, BUILT_IN[0].bytes).unwrap();
        let path = path.display().to_string();
        let own = engine.set_option("EvalFile", &path).unwrap().unwrap();
        assert!(own.contains(&path), "{own}");
        let told = engine.set_option("Net", "mlp").unwrap().unwrap();
        assert!(told.contains("EvalFile goes before Net"), "{told}");
        assert_eq!(engine.set_option("EvalFile", "").unwrap(), Some(first));
    }

    #[cfg(feature = "lab")]
    #[test]
    fn the_laboratory_has_more_ways_to_evaluate() {
        let mut engine = engine();
        let candle = engine.set_option("Backend", "candle").unwrap().unwrap();
        assert!(
            candle.ends_with("candle on the CPU") && candle == engine.identity(),
            "{candle}"
        );
        engine.set_option("Backend", "auto").unwrap();
        let cnn = engine.set_option("Net", "cnn").unwrap().unwrap();
        assert!(
            cnn.contains("net cnn (built in") && cnn.contains("blocks"),
            "{cnn}"
        );
    }

    #[cfg(not(feature = "lab"))]
    #[test]
    fn a_net_of_the_laboratory_is_refused_with_what_to_do() {
        let mut net = NetChoice::default().read().unwrap();
        net.info.architecture.kind = "cnn".to_string();
        let folder = tempfile::tempdir().unwrap();
        let path = net.save_in(folder.path(), Precision::F16).unwrap();
        let refused = engine().set_option("EvalFile", &path.display().to_string());
        let refused = refused.unwrap_err().to_string();
        assert!(
            refused.contains("kind `cnn`") && refused.contains("the feature lab"),
            "{refused}"
        );
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn a_backend_that_was_not_built_in_is_not_offered() {
        let refused = engine().set_option("Backend", "cuda").unwrap_err().to_string();
        let offered = match cfg!(feature = "lab") {
            true => "auto, incremental, candle",
            false => "auto, incremental",
        };
        assert_eq!(refused, format!("option Backend is one of {offered}, not 'cuda'"));
    }

    #[cfg(feature = "cuda")]
    #[test]
    fn a_gpu_is_used_or_its_absence_is_an_error() {
        let mut engine = engine();
        let before = format!("{:?}", engine.engine.options());
        let answer = engine.set_option("Backend", "cuda");
        if let Err(reason) = device::cuda() {
            let refused = answer.unwrap_err().to_string();
            assert!(
                refused.starts_with("Backend cuda") && refused.contains(&reason),
                "{refused}"
            );
            assert!(!refused.contains('\n'), "{refused}");
            assert_eq!(format!("{:?}", engine.engine.options()), before);
        } else {
            answer.unwrap();
        }
        assert!(searched(&mut engine, "nodes 50").1.starts_with("bestmove "));
    }

    #[test]
    fn uci_defaults_are_the_engines_defaults() {
        let mut engine = engine();
        let before = format!("{:?}", engine.engine.options());
        for option in OPTIONS {
            let default = match option.kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo(choices) => choices[0].to_string(),
                OptionKind::Button | OptionKind::Text(_) => String::new(),
            };
            engine.set_option(option.name, &default).unwrap();
        }
        assert_eq!(format!("{:?}", engine.engine.options()), before);
        assert!(!engine.style.chess960 && !engine.style.wdl);
    }

    #[test]
    fn a_finished_game_has_no_best_move() {
        let mut engine = engine();
        engine.set_position(None, &texts("f2f3 e7e5 g2g4 d8h4")).unwrap();
        let (lines, best) = searched(&mut engine, "depth 5");
        assert_eq!(
            (lines, best),
            (
                vec!["info depth 0 score mate 0".to_string()],
                "bestmove (none)".to_string()
            )
        );
        engine
            .set_position(Some("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), &[])
            .unwrap();
        assert_eq!(searched(&mut engine, "depth 5").0, ["info depth 0 score cp 0"]);
    }

    #[test]
    fn illegal_search_moves_are_reported_and_ignored() {
        let mut engine = engine();
        let (lines, best) = searched(&mut engine, "searchmoves e2e5 a2a3 depth 1");
        assert_eq!(lines[0], "info string searchmoves: e2e5 is not a legal move here");
        assert!(best.starts_with("bestmove a2a3"), "{best}");
        let (lines, best) = searched(&mut engine, "searchmoves e2e5 depth 1");
        assert!(
            lines.last().is_some_and(|line| line.contains(" score ")),
            "{lines:?}"
        );
        assert_ne!(best, "bestmove (none)");
    }

    #[test]
    fn perft_divides_and_adds_up() {
        let mut lines = Vec::new();
        let mut engine = engine();
        engine.perft(5, &Control::default(), &mut |line| lines.push(line));
        assert_eq!(lines.len(), 21);
        assert_eq!(
            lines.last().map(String::as_str),
            Some("\nNodes searched: 4865609")
        );
        assert!(lines.contains(&"e2e4: 405385".to_string()));
        engine
            .set_position(Some("1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1"), &[])
            .unwrap();
        lines.clear();
        engine.perft(1, &Control::default(), &mut |line| lines.push(line));
        assert!(lines.contains(&"c1b1: 1".to_string()), "{lines:?}");
    }

    #[test]
    fn a_stopped_perft_prints_no_sum() {
        let control = Control::default();
        control.stop.store(true, Relaxed);
        let mut lines = Vec::new();
        engine().perft(MAX_PLY as u32, &control, &mut |line| lines.push(line));
        assert_eq!(lines, Vec::<String>::new());
    }

    #[cfg(feature = "lab")]
    #[test]
    fn the_evaluation_is_that_of_the_network() {
        let mut engine = engine();
        engine.set_position(None, &texts("e2e4")).unwrap();
        let net = NetChoice::default().read().unwrap();
        let mut network = registry::evaluator(&net, Backend::Candle).unwrap();
        let score = network.evaluate(&engine.engine.game().position);
        let text = engine.evaluation();
        assert!(
            (-3..=3).any(|d| text.contains(&format!("({:+} cp for Black, to move)", score + d))),
            "{score}: {text}"
        );
    }
}
