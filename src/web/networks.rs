//! `/api/networks`: what the networks and Stockfish think of one position at a few plies, side by side.

use super::board::Board;
use super::error::{ApiError, Fault};
use super::events::Events;
use super::gallery::{Gallery, STOCKFISH};
use super::position::NamedMove;
use super::reply::Reply;
use super::request::SessionId;
use super::score::Judged;
use super::sessions::{Kind, Running};
use super::state::State;
use super::work::streamed;
use crate::engine::searcher::Searcher;
use crate::explain::contributions::Contributions;
use crate::nets::score::{DRAW, mated_in};
use crate::search::{Control, Game, Limits, Settings};
use crate::uci_client::{Effort, UciClient};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The most plies.
pub const MOST_PLIES: u32 = 4;
/// The longest time for one row, in seconds.
const LONGEST: u64 = 60;

/// Who is asked what.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworksQuestion {
    state: State,
    plies: Vec<u32>,
    nets: Vec<String>,
    #[serde(default)]
    shares: bool,
    #[serde(default = "ten")]
    seconds: u64,
}

fn ten() -> u64 {
    10
}

/// Questions that can be asked.
struct NetworksTask {
    gallery: Arc<Gallery>,
    game: Game,
    chess960: bool,
    plies: Vec<u32>,
    nets: Vec<String>,
    shares: bool,
    time: Duration,
}

/// The event `row`: what one of them thinks at one look-ahead.
#[derive(Serialize)]
struct Row<'a> {
    net: &'a str,
    plies: u32,
    #[serde(flatten)]
    answer: NetworksAnswer,
    ms: u64,
}

#[derive(Serialize)]
struct NetworksAnswer {
    /// The plies that were searched in time.
    depth: u32,
    complete: bool,
    #[serde(flatten)]
    judged: Judged,
    #[serde(rename = "move")]
    best: Option<NamedMove>,
}

/// The event `shares`: how much of a network's score each piece is worth.
#[derive(Serialize)]
struct Shares<'a> {
    net: &'a str,
    /// The whole score, in centipawns for White.
    cp: i32,
    /// That of the two kings alone; the rest is the pieces'.
    kings: i32,
    pieces: Vec<Share>,
}

/// A piece and its part of the score, in centipawns for White, with the standard error of that.
#[derive(Serialize)]
struct Share {
    square: String,
    piece: char,
    cp: f64,
    error: f64,
}

/// The event `failed`: one of them cannot be asked.
#[derive(Serialize)]
struct Failed<'a> {
    net: &'a str,
    plies: Option<u32>,
    #[serde(flatten)]
    fault: Fault,
}

/// Begins to ask; what was asked before in this session is stopped.
///
/// # Errors
/// [`ApiError`] if the question is not sound, or there is no room for this session.
pub fn networks(board: &Board, id: &SessionId, question: NetworksQuestion) -> Result<Reply, ApiError> {
    let order = NetworksTask::new(board, question)?;
    let work = move |running: &Running, events: &Events| order.run(running, events);
    streamed(board, id, Kind::Look, "board networks", work)
}

impl NetworksTask {
    fn new(board: &Board, mut question: NetworksQuestion) -> Result<NetworksTask, ApiError> {
        let replay = question.state.replay()?;
        let refuse = |message: String, field| Err(Fault::new("range", message).in_field(field).into());
        if question.plies.iter().any(|&plies| plies > MOST_PLIES) {
            return refuse(format!("plies lie between 0 and {MOST_PLIES}"), "plies");
        }
        if !(1..=LONGEST).contains(&question.seconds) {
            return refuse(format!("seconds lie between 1 and {LONGEST}"), "seconds");
        }
        if let Some(id) = question.nets.iter().find(|id| !board.gallery.has(id)) {
            let fault = Fault::new("net", format!("there is no network or engine '{id}' here"));
            return Err(fault.in_field("nets").into());
        }
        question.plies.sort_unstable();
        question.plies.dedup();
        let mut nets = Vec::new();
        for id in question.nets {
            if !nets.contains(&id) {
                nets.push(id);
            }
        }
        Ok(NetworksTask {
            gallery: Arc::clone(&board.gallery),
            game: Game {
                position: *replay.last(),
                history: replay.history(),
            },
            chess960: replay.chess960,
            plies: question.plies,
            nets,
            shares: question.shares,
            time: Duration::from_secs(question.seconds),
        })
    }

    /// Asks all of them: the quick questions first.
    fn run(&self, running: &Running, events: &Events) {
        let stopped = || running.control.stop.load(Relaxed);
        for &plies in &self.plies {
            for net in &self.nets {
                if stopped() {
                    return;
                }
                self.ask(net, plies, &running.control, events);
            }
        }
        for net in self.nets.iter().filter(|net| self.shares && *net != STOCKFISH) {
            if stopped() {
                return;
            }
            match self
                .gallery
                .with_net(net, |searcher| self.contributions(searcher))
            {
                Ok(contributions) => events.send("shares", &Shares::new(net, &contributions)),
                Err(fault) => events.send(
                    "failed",
                    &Failed {
                        net,
                        plies: None,
                        fault,
                    },
                ),
            }
        }
        events.send("done", &serde_json::json!({}));
    }

    fn ask(&self, net: &str, plies: u32, control: &Control, events: &Events) {
        let start = Instant::now();
        let answer = match (net, plies) {
            // engines tell what they have searched, not what they see
            (STOCKFISH, 0) => return,
            (STOCKFISH, plies) => self.ask_stockfish(plies),
            _ => self.gallery.with_net(net, |searcher| match plies {
                0 => self.look(searcher),
                plies => self.look_ahead(searcher, plies, control),
            }),
        };
        match answer {
            // the result of a search that was stopped is not an answer
            Ok(_) if control.stop.load(Relaxed) => {}
            Ok(answer) => {
                let ms = start.elapsed().as_millis() as u64;
                events.send(
                    "row",
                    &Row {
                        net,
                        plies,
                        answer,
                        ms,
                    },
                );
            }
            Err(fault) => {
                let plies = Some(plies);
                events.send("failed", &Failed { net, plies, fault });
            }
        }
    }

    /// The network's own score.
    fn look(&self, searcher: &mut dyn Searcher) -> NetworksAnswer {
        let position = self.game.position;
        let score = searcher.evaluate(&[position])[0];
        NetworksAnswer {
            depth: 0,
            complete: true,
            judged: Judged::new(score, position.side_to_move()),
            best: None,
        }
    }

    fn look_ahead(&self, searcher: &mut dyn Searcher, plies: u32, control: &Control) -> NetworksAnswer {
        // answers must not depend on what earlier questions left in the table
        searcher.clear();
        let settings = Settings {
            look_ahead: plies,
            ..Settings::default()
        };
        let limits = Limits {
            move_time: Some(self.time),
            ..Limits::default()
        };
        let outcome = searcher.search(&self.game, &limits, &settings, control, &mut |_| {});
        let position = &self.game.position;
        NetworksAnswer {
            depth: outcome.depth,
            complete: outcome.best.is_none() || outcome.depth >= plies,
            judged: Judged::new(outcome.score, position.side_to_move()),
            best: outcome
                .best
                .map(|best| NamedMove::new(position, best, self.chess960)),
        }
    }

    fn ask_stockfish(&self, plies: u32) -> Result<NetworksAnswer, Fault> {
        let position = &self.game.position;
        let side = position.side_to_move();
        if !position.has_moves() {
            let score = match position.in_check() {
                true => mated_in(0),
                false => DRAW,
            };
            return Ok(NetworksAnswer {
                depth: 0,
                complete: true,
                judged: Judged::new(score, side),
                best: None,
            });
        }
        let ask = |engine: &mut UciClient| engine.analyse(position, Effort::Depth(plies), 1, &[]);
        let analysis = self.gallery.with_stockfish(ask)?;
        let judged = analysis
            .lines
            .first()
            .map(|&(_, score)| Judged::of_uci(score, side));
        Ok(NetworksAnswer {
            depth: plies,
            complete: true,
            judged: judged.ok_or_else(|| Fault::new("engine", "it told no score"))?,
            best: Some(NamedMove::new(position, analysis.best, self.chess960)),
        })
    }

    fn contributions(&self, searcher: &mut dyn Searcher) -> Contributions {
        let effort = searcher.effort();
        Contributions::of(&self.game.position, effort, &mut |positions| {
            searcher.evaluate(positions)
        })
    }
}

impl<'a> Shares<'a> {
    fn new(net: &'a str, contributions: &Contributions) -> Shares<'a> {
        let pieces = contributions.pieces.iter().map(|piece| Share {
            square: piece.square.to_string(),
            piece: piece.piece.letter(),
            cp: piece.score,
            error: piece.error,
        });
        Shares {
            net,
            cp: contributions.score,
            kings: contributions.kings,
            pieces: pieces.collect(),
        }
    }
}
