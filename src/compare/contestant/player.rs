//! A contestant at the board: it answers one position after the other, each as if it were its first.

use super::guess::Guess;
use super::spec::{Budget, Contestant, ContestantKind};
use crate::board::{Move, Position};
use crate::compare::answer::Answer;
use crate::compare::error::CompareError;
use crate::compare::score::of_uci;
use crate::engine::level::{self, Level, LevelRequest};
use crate::engine::searcher::{Searcher, SearcherError, SearcherPlan, searcher};
use crate::nets::score::Score;
use crate::search::{Control, Game, Limits, Outcome, Pool, Settings};
use crate::uci_client::{ClientError, Effort, EngineSettings, UciClient};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

/// The size of our table in MiB, and of an outside engine's, so that neither has more memory.
const HASH: usize = 16;

/// A contestant, ready to be asked.
pub enum Player {
    /// A network, or hand-written rules, in our search, on one thread.
    Net {
        /// The search and its network.
        searcher: Box<dyn Searcher>,
        /// How much it may search.
        budget: Budget,
    },
    /// One that does not search.
    Guess(Guess),
    /// An outside engine.
    Engine {
        /// The running program.
        engine: Box<UciClient>,
        /// How much it may search.
        effort: Effort,
    },
}

impl Player {
    /// Reads the net or starts the engine; `settings` are for engines, but for the program.
    ///
    /// # Errors
    /// [`CompareError`] if that fails.
    pub fn new(contestant: &Contestant, settings: &EngineSettings) -> Result<Player, CompareError> {
        let budget = contestant.budget;
        Ok(match &contestant.kind {
            ContestantKind::Net(net) => Player::Net {
                searcher: searcher(&SearcherPlan {
                    net: net.clone(),
                    backend: contestant.backend,
                    threads: 1,
                    hash: HASH,
                })?
                .0,
                budget,
            },
            ContestantKind::Heuristics(rules) => Player::Net {
                searcher: Box::new(Pool::new(HASH, vec![*rules]).map_err(SearcherError::from)?),
                budget,
            },
            ContestantKind::Guesser(guesser) => Player::Guess(guesser.ready(budget.look_ahead.unwrap_or(1))?),
            ContestantKind::Engine(program) => {
                let effort = budget.effort.unwrap_or(Effort::Depth(1));
                Player::Engine {
                    engine: Box::new(UciClient::start(&engine_settings(program, effort, settings))?),
                    effort,
                }
            }
        })
    }

    /// Its answer to a position that has a legal move.
    ///
    /// # Errors
    /// [`ClientError`] if an outside engine breaks down; it cannot be used any more.
    pub fn answer(&mut self, position: &Position) -> Result<Answer, ClientError> {
        match self {
            Player::Net { searcher, budget } => Ok(think(searcher.as_mut(), *budget, position)),
            Player::Guess(guess) => Ok(guess.answer(position)),
            Player::Engine { engine, effort } => {
                let start = Instant::now();
                let analysis = engine.analyse(position, *effort, 1, &[])?;
                Ok(Answer {
                    best: Some(analysis.best),
                    score: analysis.lines.first().map(|&(_, score)| of_uci(score)),
                    static_score: None,
                    nodes: analysis.nodes,
                    evaluations: None,
                    micros: start.elapsed().as_micros() as u64,
                })
            }
        }
    }
}

impl Player {
    /// Forgets everything, as before a new game.
    ///
    /// # Errors
    /// As [`Player::answer`].
    pub fn begin_game(&mut self) -> Result<(), ClientError> {
        match self {
            Player::Net { searcher, .. } => {
                searcher.clear();
                Ok(())
            }
            Player::Guess(_) => Ok(()),
            Player::Engine { engine, .. } => engine.begin_game(),
        }
    }

    /// Its move in a game that began with `start` and these moves, and its score for the side to move. It may use what it
    /// has learnt in this game. The game must not be over.
    ///
    /// # Errors
    /// As [`Player::answer`].
    pub fn choose(
        &mut self,
        game: &Game,
        start: &Position,
        moves: &[Move],
    ) -> Result<(Move, Score), ClientError> {
        match self {
            Player::Net { searcher, budget } => {
                let settings = Settings {
                    // there is no client to wait for
                    move_overhead: Duration::ZERO,
                    ..settings(*budget)
                };
                let outcome = search(searcher.as_mut(), game, *budget, &settings, moves.len());
                let best = outcome.best.expect("a game that goes on has a legal move");
                Ok((best, outcome.score))
            }
            Player::Guess(guess) => Ok((guess.choose(&game.position), 0)),
            Player::Engine { engine, effort } => {
                engine.ask_in_game(&game.position, *effort, start, moves)?;
                let answer = engine.answer()?;
                Ok((answer.best, of_uci(answer.score)))
            }
        }
    }
}

/// The search of a budget. The random choices of a level are seeded by position and ply, and so are the same in every
/// run.
fn search(
    searcher: &mut dyn Searcher,
    game: &Game,
    budget: Budget,
    settings: &Settings,
    ply: usize,
) -> Outcome {
    let (limits, control) = (&limits(budget.effort), &Control::default());
    let Some(elo) = budget.elo else {
        return searcher.search(game, limits, settings, control, &mut |_| {});
    };
    let question = LevelRequest {
        game,
        limits,
        settings,
        control,
    };
    let mut random = ChaCha8Rng::seed_from_u64(game.position.key() ^ ply as u64);
    level::play(searcher, question, Level::of_elo(elo), &mut random, &mut |_| {})
}

fn settings(budget: Budget) -> Settings {
    Settings {
        look_ahead: budget.look_ahead.unwrap_or(0),
        quiescence: budget.quiescence,
        ..Settings::default()
    }
}

/// The settings for one engine: the time to think is added to the patience.
fn engine_settings(program: &str, effort: Effort, settings: &EngineSettings) -> EngineSettings {
    let thinking = match effort {
        Effort::Time(time) => time,
        _ => Duration::ZERO,
    };
    EngineSettings {
        program: program.to_string(),
        patience: settings.patience + thinking,
        ..settings.clone()
    }
}

fn think(searcher: &mut dyn Searcher, budget: Budget, position: &Position) -> Answer {
    // answers must not depend on the order of the positions
    searcher.clear();
    let start = Instant::now();
    if budget.look_ahead == Some(0) {
        let score = searcher.evaluate(std::slice::from_ref(position))[0];
        return Answer {
            best: None,
            score: Some(score),
            static_score: Some(score),
            nodes: 1,
            evaluations: Some(1),
            micros: start.elapsed().as_micros() as u64,
        };
    }
    let game = Game {
        position: *position,
        history: Vec::new(),
    };
    let outcome = search(searcher, &game, budget, &settings(budget), 0);
    let micros = start.elapsed().as_micros() as u64;
    Answer {
        best: outcome.best,
        score: Some(outcome.score),
        static_score: Some(searcher.evaluate(std::slice::from_ref(position))[0]),
        nodes: outcome.nodes,
        evaluations: Some(outcome.evaluations),
        micros,
    }
}

fn limits(effort: Option<Effort>) -> Limits {
    let mut limits = Limits::default();
    match effort {
        Some(Effort::Depth(plies)) => limits.depth = Some(plies),
        Some(Effort::Nodes(nodes)) => limits.nodes = Some(nodes),
        Some(Effort::Time(time)) => limits.move_time = Some(time),
        // the look-ahead ends the search; without either it must still end
        None => limits.depth = Some(crate::nets::score::MAX_PLY as u32),
    }
    limits
}

#[cfg(test)]
pub(in crate::compare) mod tests {
    use super::*;
    use crate::nets::score::mate_in;
    use std::path::Path;

    /// The contestant of this text as a player.
    pub fn player(text: &str) -> Player {
        let contestant = Contestant::parse(text, Path::new("none")).unwrap();
        Player::new(&contestant, &EngineSettings::default()).unwrap()
    }

    #[test]
    fn a_network_judges_looks_ahead_and_searches() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
        let judged = player("mlp@0").answer(&position).unwrap();
        assert_eq!((judged.best, judged.evaluations), (None, Some(1)));
        for text in [
            "mlp@1",
            "mlp@2+q",
            "mlp@depth:3",
            "mlp@3@nodes:100000",
            "mlp@nodes:2000",
        ] {
            let answer = player(text).answer(&position).unwrap();
            assert_eq!(answer.best.unwrap().to_uci(false), "d1d8", "{text}");
            assert_eq!(answer.score, Some(mate_in(1)), "{text}");
            assert_eq!(answer.static_score, judged.score, "{text}");
            assert!(answer.nodes > 0, "{text}");
        }
    }

    #[test]
    fn heuristics_evaluate_and_look_ahead() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
        let judged = player("heuristics@0").answer(&position).unwrap();
        assert_eq!((judged.best, judged.score), (None, Some(500)));
        for text in [
            "heuristics@1",
            "heuristics:mobility+check@3",
            "heuristics@depth:4",
        ] {
            let answer = player(text).answer(&position).unwrap();
            assert_eq!(answer.best.unwrap().to_uci(false), "d1d8", "{text}");
            assert_eq!(answer.score, Some(mate_in(1)), "{text}");
        }
    }

    #[test]
    fn the_answer_does_not_depend_on_what_was_asked_before() {
        let positions = [
            "r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 4 6",
            "8/5pk1/4p1p1/3pP2p/3P1P1P/r5P1/4R1K1/8 w - - 0 41",
        ]
        .map(|fen| Position::from_fen(fen).unwrap());
        for text in ["mlp@2+q", "mlp@depth:5"] {
            let alone = player(text).answer(&positions[1]).unwrap();
            let mut player = player(text);
            player.answer(&positions[0]).unwrap();
            let after = player.answer(&positions[1]).unwrap();
            assert_eq!(
                (after.best, after.score, after.nodes, after.evaluations),
                (alone.best, alone.score, alone.nodes, alone.evaluations)
            );
        }
    }
}
