//! `/api/search`: a search with the engine of the tab, told while it goes on.

use super::board::Board;
use super::error::{ApiError, Fault};
use super::events::Events;
use super::position::{NamedMove, PlayedMove};
use super::reply::Reply;
use super::request::SessionId;
use super::score::Judged;
use super::sessions::{Kind, Running};
use super::state::{State, read_move};
use super::work::streamed;
use crate::board::{Move, Position};
use crate::engine::Engine;
use crate::engine::level::ELO;
use crate::engine::options::{EngineOption, EngineOptions};
use crate::engine::searcher::SearcherError;
use crate::nets::choice::NetChoice;
use crate::nets::score::MAX_PLY;
use crate::search::{Bound, Limits, Outcome, Report};
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

/// The most lines at once.
pub const MOST_LINES: usize = 5;
/// The longest plain look-ahead, in plies.
pub const MOST_PLIES: u32 = 32;
/// The table of a session, in MiB, where the page asks for no other.
pub const HASH: usize = 64;
/// The largest table, in MiB: six tabs may have one each.
pub const MOST_HASH: usize = 1024;
/// The longest time that is accepted: a day, in milliseconds.
const LONGEST: u64 = 24 * 3600 * 1000;

/// What is to be searched, by whom and for how long.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchQuestion {
    state: State,
    player: Player,
    #[serde(default)]
    limit: Limit,
    #[serde(default = "one")]
    multipv: usize,
    #[serde(default = "one")]
    threads: usize,
    /// The size of the table in MiB.
    #[serde(default = "usual_hash")]
    hash: usize,
    /// Only these moves, if there are any.
    #[serde(default)]
    only: Vec<String>,
}

fn one() -> usize {
    1
}

fn usual_hash() -> usize {
    HASH
}

/// Who searches.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Player {
    net: String,
    mode: Mode,
    #[serde(default)]
    plies: u32,
    #[serde(default)]
    quiescence: bool,
    #[serde(default)]
    elo: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
    /// The full search.
    Search,
    /// A plain one of so many plies.
    LookAhead,
    /// As a player of a level would.
    Level,
}

/// When it ends.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limit {
    movetime_ms: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    clock: Option<ClockTimes>,
    #[serde(default)]
    infinite: bool,
}

/// The clocks of both players.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockTimes {
    white_ms: u64,
    black_ms: u64,
    #[serde(default)]
    white_inc_ms: u64,
    #[serde(default)]
    black_inc_ms: u64,
    moves_to_go: Option<u32>,
}

/// A search that can begin.
struct SearchTask {
    state: State,
    root: Position,
    chess960: bool,
    net: NetChoice,
    tables: Option<String>,
    options: Vec<EngineOption>,
    limits: Limits,
}

/// An event `info`.
#[derive(Serialize)]
struct Info {
    depth: u32,
    seldepth: u32,
    nodes: u64,
    nps: u64,
    time_ms: u64,
    hashfull: u32,
    lines: Vec<Line>,
}

/// One of the best lines.
#[derive(Clone, Serialize)]
struct Line {
    rank: usize,
    #[serde(flatten)]
    judged: Judged,
    bound: &'static str,
    depth: u32,
    pv: Vec<NamedMove>,
}

/// The event `done`.
#[derive(Serialize)]
struct Done {
    bestmove: Option<PlayedMove>,
    ponder: Option<NamedMove>,
    stopped: bool,
}

/// Begins a search; the session's previous search is stopped.
///
/// # Errors
/// [`ApiError`] if the question is not sound, or there is no engine for this session.
pub fn search(board: &Board, id: &SessionId, question: SearchQuestion) -> Result<Reply, ApiError> {
    let order = SearchTask::new(board, question)?;
    let work = move |running: &Running, events: &Events| order.run(running, events);
    streamed(board, id, Kind::Search, "board search", work)
}

impl SearchTask {
    fn new(board: &Board, question: SearchQuestion) -> Result<SearchTask, ApiError> {
        let game = question.state.replay()?;
        let root = *game.last();
        let net = board.gallery.net(&question.player.net)?.clone();
        let look_ahead = question.player.mode == Mode::LookAhead;
        let in_range = |value: usize, most: usize, field| match (1..=most).contains(&value) {
            true => Ok(value),
            false => {
                let message = format!("{field} lies between 1 and {most}");
                Err(ApiError::from(Fault::new("range", message).in_field(field)))
            }
        };
        let plies = match look_ahead {
            true => in_range(question.player.plies as usize, MOST_PLIES as usize, "plies")?,
            false => 0,
        };
        let at_level = question.player.mode == Mode::Level;
        let elo = question.player.elo;
        if at_level && !(ELO.0..=ELO.1).contains(&elo) {
            let message = format!("elo lies between {} and {}", ELO.0, ELO.1);
            return Err(Fault::new("range", message).in_field("elo").into());
        }
        let options = vec![
            EngineOption::LimitStrength(at_level),
            EngineOption::Elo(elo),
            EngineOption::Threads(in_range(question.threads, threads(), "threads")?),
            EngineOption::Hash(in_range(question.hash, MOST_HASH, "hash")?),
            EngineOption::MultiPv(in_range(question.multipv, MOST_LINES, "multipv")?),
            EngineOption::LookAhead(plies as u32),
            EngineOption::Quiescence(look_ahead && question.player.quiescence),
        ];
        let mut limits = question.limit.limits()?;
        if at_level && limits.is_endless() {
            // the level itself ends the search
            limits.depth = Some(MAX_PLY as u32);
        }
        if limits.is_endless() && !limits.infinite && !look_ahead {
            let message = "a search needs a limit: movetime_ms, nodes, depth, clock or infinite";
            return Err(Fault::new("limit", message).in_field("limit").into());
        }
        for (index, text) in question.only.iter().enumerate() {
            let m = read_move(&root, text).map_err(|fault| fault.in_field("only").at_move(index + 1))?;
            limits.search_moves.push(m);
        }
        Ok(SearchTask {
            chess960: game.chess960,
            state: game.state(),
            root,
            net,
            tables: board.table_folders.clone(),
            options,
            limits,
        })
    }

    /// Searches, once the engine is free.
    fn run(mut self, running: &Running, events: &Events) {
        let mut place = running.session.engine();
        let stopped = || running.control.stop.load(Relaxed);
        let nothing = |stopped| Done {
            bestmove: None,
            ponder: None,
            stopped,
        };
        if stopped() {
            return events.send("done", &nothing(true));
        }
        if !self.root.has_moves() {
            return events.send("done", &nothing(false));
        }
        // an engine that cannot be set up for this search is dropped
        let engine = match self.prepare(place.take()) {
            Ok(engine) => place.insert(engine),
            Err(error) => {
                events.send("failed", &Fault::new("net", error));
                return events.send("done", &nothing(false));
            }
        };
        let limits = std::mem::take(&mut self.limits);
        let mut lines = Vec::new();
        let outcome = engine.search(&limits, &running.control, &mut |report| {
            self.note(&mut lines, report);
            events.send_newest("info", &Info::new(report, &lines));
        });
        events.send("done", &self.done(&outcome, stopped()));
    }

    /// The engine of the session, or a new one, set up for this search.
    fn prepare(&self, engine: Option<Engine>) -> Result<Engine, SearcherError> {
        let mut engine = match engine {
            Some(engine) => engine,
            None => {
                let mut options = EngineOptions {
                    hash: HASH,
                    ..EngineOptions::default()
                };
                self.choice().into_iter().for_each(|option| options.set(option));
                #[cfg(feature = "syzygy")]
                if let Some(folders) = &self.tables {
                    options.set(EngineOption::SyzygyPath(folders.clone()));
                }
                Engine::new(options)?
            }
        };
        for option in self.choice().into_iter().chain(self.options.iter().cloned()) {
            engine.set_option(option)?;
        }
        // the game was replayed before
        let _ = engine.set_position(self.state.start.as_deref(), &self.state.moves);
        Ok(engine)
    }

    /// The options that choose the net.
    fn choice(&self) -> Vec<EngineOption> {
        match &self.net {
            NetChoice::BuiltIn(name) => vec![EngineOption::Net(name), EngineOption::EvalFile(None)],
            NetChoice::File(path) => vec![EngineOption::EvalFile(Some(path.clone()))],
        }
    }

    /// Puts a reported line into its place among the best ones.
    fn note(&self, lines: &mut Vec<Line>, report: &Report) {
        let line = Line {
            rank: report.multi_pv,
            judged: Judged::new(report.score, self.root.side_to_move()),
            bound: match report.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            depth: report.depth,
            pv: self.name(&report.line),
        };
        place(lines, line);
    }

    /// The moves of a line with their names.
    fn name(&self, line: &[Move]) -> Vec<NamedMove> {
        let mut position = self.root;
        let name = |&m: &Move| {
            let named = NamedMove::new(&position, m, self.chess960);
            position.make(m);
            named
        };
        line.iter().map(name).collect()
    }

    fn done(&self, outcome: &Outcome, stopped: bool) -> Done {
        let after = outcome.best.map(|best| self.root.after(best));
        let ponder = after.zip(outcome.ponder);
        // the table may have mixed up two positions
        let ponder = ponder.filter(|(after, answer)| after.legal_moves().contains(answer));
        Done {
            bestmove: outcome
                .best
                .map(|best| PlayedMove::new(&self.root, best, self.chess960)),
            ponder: ponder.map(|(after, answer)| NamedMove::new(&after, answer, self.chess960)),
            stopped,
        }
    }
}

impl Info {
    fn new(report: &Report, lines: &[Line]) -> Info {
        // avoids a division by zero
        let micros = report.time.as_micros().max(1);
        Info {
            depth: report.depth,
            seldepth: report.selective_depth,
            nodes: report.nodes,
            nps: (u128::from(report.nodes) * 1_000_000 / micros) as u64,
            time_ms: report.time.as_millis() as u64,
            hashfull: report.hash_full,
            lines: lines.to_vec(),
        }
    }
}

impl Limit {
    fn limits(&self) -> Result<Limits, ApiError> {
        let positive = |value: u64| match value {
            0 => {
                let message = "a limit is at least 1";
                Err(ApiError::from(Fault::new("limit", message).in_field("limit")))
            }
            value => Ok(value),
        };
        let time = |milliseconds: u64| Duration::from_millis(milliseconds.clamp(1, LONGEST));
        let increment = |milliseconds: u64| Duration::from_millis(milliseconds.min(LONGEST));
        let mut limits = Limits {
            infinite: self.infinite,
            nodes: self.nodes.map(positive).transpose()?,
            move_time: self.movetime_ms.map(positive).transpose()?.map(time),
            ..Limits::default()
        };
        if let Some(depth) = self.depth {
            limits.depth = Some(positive(depth.into())?.min(MAX_PLY as u64) as u32);
        }
        if let Some(clock) = &self.clock {
            limits.clock = [clock.white_ms, clock.black_ms].map(|left| Some(time(left)));
            limits.increment = [clock.white_inc_ms, clock.black_inc_ms].map(increment);
            limits.moves_to_go = clock.moves_to_go.filter(|&moves| moves > 0);
        }
        Ok(limits)
    }
}

/// Puts a line into its place. One that begins with the same move has the place of the line that was here: it is the same
/// line, from an earlier iteration.
fn place(lines: &mut Vec<Line>, line: Line) {
    let (place, first) = (line.rank - 1, line.pv.first().map(|m| &m.uci));
    let twin = lines
        .iter()
        .position(|other| other.pv.first().map(|m| &m.uci) == first);
    if let Some(twin) = twin.filter(|&twin| twin != place && place < lines.len()) {
        lines.swap(twin, place);
        lines[twin].rank = twin + 1;
    }
    match lines.get_mut(place) {
        Some(before) => *before = line,
        None => lines.push(line),
    }
}

/// The most threads of a search.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_changes_its_rank_is_there_once() {
        let line = |rank, text: &str, depth| Line {
            rank,
            judged: Judged::new(0, crate::board::Color::White),
            bound: "exact",
            depth,
            pv: vec![NamedMove {
                uci: text.to_string(),
                san: String::new(),
            }],
        };
        let mut lines = Vec::new();
        let shown = |lines: &[Line]| -> Vec<_> {
            let shown = lines
                .iter()
                .map(|line| (line.rank, line.pv[0].uci.clone(), line.depth));
            shown.collect()
        };
        for (rank, text) in [(1, "e2e4"), (2, "d2d4"), (3, "c2c4")] {
            place(&mut lines, line(rank, text, 1));
        }
        place(&mut lines, line(1, "c2c4", 2));
        let expected = [(1, "c2c4", 2), (2, "d2d4", 1), (3, "e2e4", 1)];
        assert_eq!(
            shown(&lines),
            expected.map(|(rank, text, depth)| (rank, text.to_string(), depth))
        );
        place(&mut lines, line(2, "d2d4", 2));
        place(&mut lines, line(3, "e2e4", 2));
        assert!(lines.iter().all(|line| line.depth == 2) && lines.len() == 3);
    }

    #[test]
    fn the_speed_is_in_nodes_a_second() {
        let report = |nodes, time| Report {
            depth: 9,
            selective_depth: 12,
            multi_pv: 1,
            score: 0,
            bound: Bound::Exact,
            is_drawn: false,
            nodes,
            tablebase_hits: 0,
            hash_full: 0,
            time,
            line: Vec::new(),
        };
        let speed = |nodes, time| Info::new(&report(nodes, time), &[]).nps;
        assert_eq!(speed(3_000, Duration::from_millis(500)), 6_000);
        // a search that took no time that could be measured
        assert_eq!(speed(1, Duration::ZERO), 1_000_000);
    }
}
