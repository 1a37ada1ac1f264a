//! The engine as a client sees it: options, game, and the search that works on them.

use super::go::Go;
use super::info;
use super::info::Style;
use super::options::{Declaration, Id, OptionError, Value};
use super::show;
use crate::board::coordinates::UciMoveError;
use crate::board::{FenError, Position};
use crate::engine::bench;
use crate::engine::bench::Totals;
use crate::engine::perft::perft;
use crate::engine::searcher::{Backend, Brain, BrainError, NetChoice, Plan};
use crate::nets::net::Kind;
use crate::nets::score::{DRAW, mated_in};
use crate::search::{Control, Game, Settings, TableError};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use thiserror::Error;

/// Subtrees of this many plies are counted without looking whether to stop: about a millisecond.
const PERFT_STEP: u32 = 3;

/// Why a command cannot be carried out; the engine is then as it was before.
#[derive(Debug, Error)]
pub enum EngineError {
    /// A text that is no position.
    #[error("the position is refused: {0}")]
    Fen(#[from] FenError),
    /// A move that is none, with its place in the list.
    #[error("the position is refused: move {0}: {1}")]
    Move(usize, UciMoveError),
    /// An option.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A network.
    #[error(transparent)]
    Brain(#[from] BrainError),
    /// No memory.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Receives the lines that the engine says.
pub type Say<'a> = &'a mut dyn FnMut(String);

/// Everything that lasts from one command to the next: table, options, networks and game.
pub struct Engine {
    brain: Brain,
    plan: Plan,
    settings: Settings,
    /// Which of the built-in nets, where there is no file.
    kind: Kind,
    /// The option EvalFile.
    eval_file: Option<PathBuf>,
    chess960: bool,
    wdl: bool,
    game: Game,
}

impl Engine {
    /// An engine with the defaults of all options, at the start of a game.
    ///
    /// # Errors
    /// [`BrainError`] when the embedded net is none, or memory is short.
    pub fn new() -> Result<Engine, BrainError> {
        let settings = Settings::default();
        let plan = Plan {
            net: NetChoice::Embedded(Kind::default()),
            backend: Backend::default(),
            threads: Id::Threads.default_count(),
            hash: Id::Hash.default_count(),
        };
        Ok(Engine {
            brain: Brain::new(&plan)?,
            plan,
            kind: Kind::default(),
            eval_file: None,
            settings,
            chess960: false,
            wdl: false,
            game: Game {
                position: Position::default(),
                history: Vec::new(),
            },
        })
    }

    /// Sets an option from the texts of its name and value.
    ///
    /// # Errors
    /// [`EngineError`] when there is no such option or it cannot have this value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let (option, value) = Declaration::parse(name, value)?;
        match option.id {
            // clients send options again that have not changed, and nobody wants to lose the table for that
            Id::Hash if value.count() == self.plan.hash => {}
            Id::Threads if value.count() == self.plan.threads => {}
            Id::Hash => {
                self.brain.resize(value.count())?;
                self.plan.hash = value.count();
            }
            Id::ClearHash => self.brain.clear(),
            Id::Threads => self.rearrange(Plan {
                threads: value.count(),
                ..self.plan.clone()
            })?,
            Id::EvalFile => {
                self.choose_net(self.kind, eval_file(&value))?;
            }
            Id::Net => {
                let kind = Kind::ALL.into_iter().find(|kind| kind.name() == value.text());
                // the option's own words are all known
                self.choose_net(kind.unwrap_or_default(), self.eval_file.clone())?;
            }
            Id::Backend => self.rearrange(Plan {
                // the option's own words are all known
                backend: Backend::from_word(value.text()).unwrap_or_default(),
                ..self.plan.clone()
            })?,
            Id::MultiPv => self.settings.multi_pv = value.count(),
            Id::MoveOverhead => self.settings.move_overhead = Duration::from_millis(value.count() as u64),
            Id::Chess960 => self.chess960 = value.flag(),
            Id::ShowWdl => self.wdl = value.flag(),
            Id::LookAhead => self.settings.look_ahead = value.count() as u32,
            Id::Quiescence => self.settings.quiescence = value.flag(),
            // the client alone needs to know whether it may ponder; and what the engine is does not change
            Id::Ponder | Id::About => {}
        }
        Ok(())
    }

    /// A net file, or without one the built-in net of a kind.
    fn choose_net(&mut self, kind: Kind, eval_file: Option<PathBuf>) -> Result<(), BrainError> {
        let net = match &eval_file {
            Some(path) => NetChoice::File(path.clone()),
            None => NetChoice::Embedded(kind),
        };
        self.rearrange(Plan {
            net,
            ..self.plan.clone()
        })?;
        (self.kind, self.eval_file) = (kind, eval_file);
        Ok(())
    }

    fn rearrange(&mut self, plan: Plan) -> Result<(), BrainError> {
        self.brain.rearrange(&plan)?;
        self.plan = plan;
        Ok(())
    }

    /// Forgets what was searched: another game begins.
    pub fn new_game(&mut self) {
        self.brain.clear();
    }

    /// Sets up a position and plays moves from it. Castling rights and en passant squares that do not fit the board are
    /// left out and come back, for clients' boards are set up by hand.
    ///
    /// # Errors
    /// [`EngineError`] names what is wrong with the FEN or the first move that is not legal.
    pub fn set_position(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
    ) -> Result<Vec<FenError>, EngineError> {
        let (mut position, left_out) = match fen {
            Some(fen) => Position::from_careless_fen(fen)?,
            None => (Position::default(), Vec::new()),
        };
        let mut history = Vec::new();
        for (index, text) in moves.iter().enumerate() {
            let m = position
                .parse_uci(text)
                .map_err(|error| EngineError::Move(index + 1, error))?;
            history.push(position.key());
            position.make(m);
            // no position before a capture or a pawn move can come again
            if position.halfmove_clock() == 0 {
                history.clear();
            }
        }
        self.game = Game { position, history };
        Ok(left_out)
    }

    /// Searches as `go` asks and returns the `bestmove` line. Moves after `searchmoves` that are not legal are named
    /// and left out; if none remains, all are searched, for the client waits for a move.
    pub fn search(&mut self, go: &Go, control: &Control, say: Say) -> String {
        let position = self.game.position;
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
            .brain
            .search(&self.game, &limits, &self.settings, control, &mut |report| {
                say(info::info(report, style));
            });
        info::best_move(&position, &outcome, style)
    }

    /// Counts the leaves of the move tree, and those behind each move. Ends early, without a sum, when `control`
    /// says so.
    pub fn perft(&self, depth: u32, control: &Control, say: Say) {
        let position = &self.game.position;
        let mut sum = if depth == 0 { 1 } else { 0 };
        let moves = if depth == 0 {
            Default::default()
        } else {
            position.legal_moves()
        };
        for m in moves {
            let Some(nodes) = count_unless_stopped(&position.after(m), depth - 1, control) else {
                return;
            };
            say(format!("{}: {nodes}", m.to_uci(self.style().chess960)));
            sum += nodes;
        }
        say(format!("\nNodes searched: {sum}"));
    }

    /// Runs the benchmark with the network of this engine, and says its last line.
    ///
    /// # Errors
    /// [`TableError`] when memory is short.
    pub fn bench(&mut self, depth: u32, control: &Control, say: Say) -> Result<Totals, TableError> {
        let totals = self
            .brain
            .bench(depth, control, &mut |step| say(bench_line(step)))?;
        say(totals.to_string());
        Ok(totals)
    }

    /// The board of the game.
    pub fn show(&self) -> String {
        show::board(&self.game.position, self.style().chess960)
    }

    /// The static evaluation of the game's position, piece by piece.
    pub fn evaluation(&mut self) -> String {
        let brain = &mut self.brain;
        show::evaluation(&self.game.position, &mut |positions| brain.evaluate(positions))
    }

    /// Castling that standard notation cannot express is written as in Chess960 even if the option is off.
    fn style(&self) -> Style {
        Style {
            chess960: self.chess960 || self.game.position.needs_chess960(),
            wdl: self.wdl,
        }
    }
}

fn eval_file(value: &Value) -> Option<PathBuf> {
    Some(value.text())
        .filter(|text| !text.is_empty())
        .map(PathBuf::from)
}

fn bench_line(step: &bench::Step) -> String {
    let best = step.outcome.best.map_or("(none)".to_string(), |m| m.to_uci(true));
    format!(
        "{:>2} {:>9} {:<6} {}",
        step.number, step.outcome.nodes, best, step.position
    )
}

fn count_unless_stopped(position: &Position, depth: u32, control: &Control) -> Option<u64> {
    if depth <= PERFT_STEP {
        return (!control.stop.load(Relaxed)).then(|| perft(position, depth));
    }
    position
        .legal_moves()
        .into_iter()
        .map(|m| count_unless_stopped(&position.after(m), depth - 1, control))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::device;
    use crate::nets::score::MAX_PLY;
    use crate::uci::options::{Kind, OPTIONS};

    fn engine() -> Engine {
        Engine::new().unwrap()
    }

    fn texts(moves: &str) -> Vec<String> {
        moves.split_whitespace().map(str::to_string).collect()
    }

    fn searched(engine: &mut Engine, words: &str) -> (Vec<String>, String) {
        let mut lines = Vec::new();
        let go = Go::parse(&words.split(' ').collect::<Vec<_>>()).unwrap();
        let best = engine.search(&go, &Control::default(), &mut |line| lines.push(line));
        (lines, best)
    }

    #[test]
    fn what_is_refused_changes_nothing() {
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
        assert_eq!((engine.plan.threads, &engine.eval_file), (1, &None));
        assert_eq!(engine.show(), before);
        assert!(searched(&mut engine, "nodes 50").1.starts_with("bestmove "));
    }

    #[test]
    fn rights_that_do_not_fit_the_board_are_left_out() {
        let mut engine = engine();
        let careless = "4k2r/8/8/8/8/8/8/4K3 w KQkq e3 0 1";
        let left_out = engine.set_position(Some(careless), &[]).unwrap();
        let left_out: Vec<String> = left_out.iter().map(FenError::to_string).collect();
        assert!(left_out.len() == 2 && left_out[0].contains("'KQkq'") && left_out[1].contains("'e3'"));
        assert_eq!(
            engine.game.position.to_fen(false),
            "4k2r/8/8/8/8/8/8/4K3 w k - 0 1"
        );
    }

    #[test]
    fn a_graphics_processor_is_used_or_its_lack_told_in_a_line() {
        let mut engine = engine();
        let before = format!("{:?}", engine.plan);
        let answer = engine.set_option("Backend", "cuda");
        if let Err(reason) = device::cuda() {
            let refused = answer.unwrap_err().to_string();
            assert!(
                refused.starts_with("Backend cuda") && refused.contains(&reason),
                "{refused}"
            );
            assert!(!refused.contains('\n'), "{refused}");
            assert_eq!(format!("{:?}", engine.plan), before);
        } else {
            answer.unwrap();
        }
        assert!(searched(&mut engine, "nodes 50").1.starts_with("bestmove "));
    }

    #[test]
    fn the_defaults_of_the_options_are_those_of_the_search() {
        let mut engine = engine();
        let before = format!("{:?} {:?}", engine.settings, engine.plan);
        for option in OPTIONS {
            let default = match option.kind {
                Kind::Check { default } => default.to_string(),
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Combo(choices) => choices[0].to_string(),
                Kind::Button | Kind::Text(_) => String::new(),
            };
            engine.set_option(option.name, &default).unwrap();
        }
        assert_eq!(format!("{:?} {:?}", engine.settings, engine.plan), before);
        assert!(!engine.chess960 && !engine.wdl);
    }

    #[test]
    fn history_reaches_back_to_the_last_move_that_cannot_be_undone() {
        let mut engine = engine();
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(2_500);
        engine
            .set_position(None, &texts(&format!("e2e4 {shuffle}")))
            .unwrap_err();
        engine.set_position(None, &texts(&shuffle)).unwrap();
        assert_eq!(engine.game.history.len(), 10_000);
        engine
            .set_position(None, &texts("g1f3 g8f6 e2e4 e7e5 f3g1"))
            .unwrap();
        assert_eq!(engine.game.history.len(), 1);
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
    fn illegal_search_moves_are_named_and_left_out() {
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
    fn a_stopped_perft_says_no_sum() {
        let control = Control::default();
        control.stop.store(true, Relaxed);
        let mut lines = Vec::new();
        engine().perft(MAX_PLY as u32, &control, &mut |line| lines.push(line));
        assert_eq!(lines, Vec::<String>::new());
    }

    #[test]
    fn the_evaluation_is_that_of_the_network() {
        let mut engine = engine();
        engine.set_position(None, &texts("e2e4")).unwrap();
        let position = engine.game.position;
        let score = engine.brain.evaluate(&[position])[0];
        let text = engine.evaluation();
        assert!(
            text.contains(&format!("({score:+} cp for Black, to move)")),
            "{text}"
        );
    }
}
