//! `/api/explain`: why a move is good or bad, as a value, in words, and as marks for the board; `/api/grade`: only how
//! good it is. Both have the same [`JudgedMove`] for the same question.

use super::board::Board;
use super::error::{ApiError, Fault};
use super::explainer::Explainer;
use super::judged_move::JudgedMove;
use super::position::NamedMove;
use super::reply::{self, Reply};
use super::request::SessionId;
use super::sessions::Kind;
use super::state::{State, read_move};
use super::work::spawn;
use crate::board::{Move, Position};
use crate::engine::Engine;
use crate::explain::explanation::{Grade, Reason, Role, Said, Verdict};
use crate::explain::words::{Notation, Writer};
use crate::explain::{Explanation, Options};
use crate::search::Control;
use hyper::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::oneshot;

/// About so many positions are searched for a verdict where the page asks for no number: it grades whole games.
const NODES: u64 = 400_000;

/// The most positions that may be asked for.
const MOST_NODES: u64 = 2_000_000;
/// The most moves of a line that goes with a grade.
const LONGEST_LINE: usize = 10;

/// Which move, and in which language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplainQuestion {
    /// The game before the move.
    state: State,
    #[serde(rename = "move")]
    m: String,
    lang: String,
    /// How moves are written in the words: `letters` of the language, or `figurines`.
    #[serde(default)]
    notation: Option<String>,
    nodes: Option<u64>,
}

/// Which move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GradeQuestion {
    /// The game before the move.
    state: State,
    #[serde(rename = "move")]
    m: String,
    nodes: Option<u64>,
}

/// The answer to an [`ExplainQuestion`].
#[derive(Serialize)]
struct ExplainAnswer {
    #[serde(flatten)]
    explanation: Explanation,
    judged: JudgedMove,
    text: Words,
    marks: Vec<Mark>,
}

/// The answer to a [`GradeQuestion`].
#[derive(Serialize)]
struct GradeAnswer {
    judged: JudgedMove,
    /// The opponent's best answer, if the game goes on.
    reply: Option<NamedMove>,
    /// The line of the best move, where it is another one, in UCI notation.
    line: Vec<String>,
}

#[derive(Serialize)]
struct Words {
    summary: Vec<String>,
    details: Vec<String>,
    /// Counts and the network's view.
    more: Vec<String>,
}

/// An arrow on the board.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Mark {
    from: String,
    to: String,
    kind: &'static str,
}

/// A move that can be asked about.
struct ExplainTask {
    state: State,
    position: Position,
    chess960: bool,
    m: Move,
    options: Options,
}

/// Stops the work when it is dropped, which also happens when the client leaves.
struct StopWhenLeft(Arc<Control>);

impl Drop for StopWhenLeft {
    fn drop(&mut self) {
        self.0.stop.store(true, Relaxed);
    }
}

/// Explains a move; the session's previous explanation is stopped.
///
/// # Errors
/// [`ApiError`] if the question is not sound, or there is no room for this session.
pub async fn explain(
    board: &Arc<Board>,
    id: &SessionId,
    question: ExplainQuestion,
) -> Result<Reply, ApiError> {
    let order = ExplainTask::new(question.state, &question.m, question.nodes)?;
    let language = question.lang.parse();
    let language = language.map_err(|error| Fault::new("language", error).in_field("lang"))?;
    let notation = match &question.notation {
        Some(notation) => {
            let notation = notation.parse();
            notation.map_err(|error| Fault::new("notation", error).in_field("notation"))?
        }
        None => Notation::default(),
    };
    let writer = Writer::new(language, notation);
    answered(board, id, Kind::Explanation, move |explainer, control| {
        order.explain(&writer, explainer, control)
    })
    .await
}

/// Grades a move as an explanation would; the session's previous grading is stopped.
///
/// # Errors
/// [`ApiError`] if the question is not sound, or there is no room for this session.
pub async fn grade(board: &Arc<Board>, id: &SessionId, question: GradeQuestion) -> Result<Reply, ApiError> {
    let order = ExplainTask::new(question.state, &question.m, question.nodes)?;
    answered(board, id, Kind::Grading, move |explainer, control| {
        order.grade(explainer, control)
    })
    .await
}

/// Runs `work` on a thread with the stack that a search needs; stops it if the client leaves.
async fn answered<A: Serialize>(
    board: &Arc<Board>,
    id: &SessionId,
    kind: Kind,
    work: impl FnOnce(&Explainer, &Control) -> Result<A, ApiError> + Send + 'static,
) -> Result<Reply, ApiError> {
    let running = board.sessions.enter(id)?.begin(kind);
    let _left = StopWhenLeft(Arc::clone(&running.control));
    let (sender, answer) = oneshot::channel();
    let board = Arc::clone(board);
    spawn("board explain", move || {
        let control = &running.control;
        let answer = work(&board.explainer, control).and_then(|answer| match control.stop.load(Relaxed) {
            true => Err(stopped()),
            false => Ok(reply::json(StatusCode::OK, &answer)),
        });
        // the receiver is gone if the client has left
        let _ = sender.send(answer);
    })?;
    answer.await.map_err(ApiError::internal)?
}

fn stopped() -> ApiError {
    let message = "another question of this kind was asked";
    ApiError::new(StatusCode::CONFLICT, "stopped", message)
}

impl ExplainTask {
    fn new(state: State, text: &str, nodes: Option<u64>) -> Result<ExplainTask, ApiError> {
        let game = state.replay()?;
        let position = *game.last();
        let options = Options {
            nodes: nodes.unwrap_or(NODES).clamp(1, MOST_NODES),
            ..Options::default()
        };
        Ok(ExplainTask {
            m: read_move(&position, text).map_err(|fault| fault.in_field("move"))?,
            chess960: game.chess960,
            state: game.state(),
            position,
            options,
        })
    }

    /// Asks the engine of the explanations, with the game set up.
    fn ask<T>(&self, explainer: &Explainer, ask: impl FnOnce(&mut Engine) -> T) -> Result<T, ApiError> {
        let asked = explainer.ask(|engine| {
            // the game was replayed before
            let _ = engine.set_position(self.state.start.as_deref(), &self.state.moves);
            ask(engine)
        });
        asked.map_err(ApiError::internal)
    }

    fn explain(
        &self,
        writer: &Writer,
        explainer: &Explainer,
        control: &Control,
    ) -> Result<ExplainAnswer, ApiError> {
        let explanation = self.ask(explainer, |engine| engine.explain(self.m, &self.options, control))?;
        let text = writer.explanation(&explanation);
        let better = explanation.better.as_ref().and_then(|better| better.line.at(0));
        Ok(ExplainAnswer {
            judged: self.judged(&explanation.verdict, better),
            marks: marks(&explanation),
            explanation,
            text: Words {
                summary: text.summary,
                details: text.details,
                more: text.more,
            },
        })
    }

    fn grade(&self, explainer: &Explainer, control: &Control) -> Result<GradeAnswer, ApiError> {
        let graded = self.ask(explainer, |engine| {
            engine.grade(self.m, self.options.nodes, control)
        })?;
        let after = self.position.after(self.m);
        let reply = graded.findings.played.line.get(1);
        // the table may have mixed up two positions
        let reply = reply.filter(|&reply| after.legal_moves().contains(reply));
        Ok(GradeAnswer {
            judged: self.judged(&graded.verdict, graded.better()),
            reply: reply.map(|&reply| self.name(&after, reply)),
            line: match graded.better() {
                Some(_) => self.legal_part(&graded.findings.best.line),
                None => Vec::new(),
            },
        })
    }

    /// A line as far as it is legal, and no longer than a variation should be.
    fn legal_part(&self, line: &[Move]) -> Vec<String> {
        let mut position = self.position;
        let mut words = Vec::new();
        for &m in line.iter().take(LONGEST_LINE) {
            // the table may have mixed up two positions
            if !position.legal_moves().contains(&m) {
                break;
            }
            words.push(m.to_uci(self.chess960));
            position.make(m);
        }
        words
    }

    /// The record of the move, with the better one if there is one.
    fn judged(&self, verdict: &Verdict, better: Option<Move>) -> JudgedMove {
        let best = self.name(&self.position, better.unwrap_or(self.m));
        JudgedMove::new(verdict, self.position.side_to_move(), best, self.options.nodes)
    }

    fn name(&self, position: &Position, m: Move) -> NamedMove {
        NamedMove::new(position, m, self.chess960)
    }
}

/// The move, the better one, and the moves that the two most important reasons are about.
fn marks(explanation: &Explanation) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut add = |m: Option<Move>, kind| {
        let Some(m) = m else {
            return;
        };
        let (from, to) = (m.from().to_string(), m.landing().to_string());
        if marks
            .iter()
            .all(|mark: &Mark| (&mark.from, &mark.to) != (&from, &to))
        {
            marks.push(Mark { from, to, kind });
        }
    };
    let kind = match explanation.verdict.grade {
        Grade::Best | Grade::Good => "good",
        Grade::Inaccuracy => "neutral",
        Grade::Mistake | Grade::Blunder => "bad",
    };
    add(Some(explanation.played.m), kind);
    for reason in explanation.reasons.iter().take(2) {
        add(subject(reason), role(reason));
    }
    if let Some(better) = &explanation.better {
        add(better.line.at(0), "good");
    }
    marks
}

/// The move to mark for a reason, if there is one. A move after the opponent's reply may start from a square where its
/// piece does not stand yet: for what the move allows, the reply is marked instead.
fn subject(reason: &Reason) -> Option<Move> {
    match (&reason.said, reason.role) {
        (_, role) if role.is_threat() || role == Role::Answers => reason.line.at(0),
        (Said::Claim(claim), Role::Allows) => reason.line.at(claim.ply.min(1)),
        (Said::Claim(claim), _) if claim.ply <= 1 => reason.line.at(claim.ply),
        _ => None,
    }
}

fn role(reason: &Reason) -> &'static str {
    match reason.role {
        Role::Achieves | Role::Avoids | Role::Threatens | Role::Prepares => "good",
        Role::Allows | Role::AllowsThreat | Role::Answers | Role::AnswersThreat | Role::Prevents => "bad",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PieceType;
    use crate::explain::{Claim, Line, Motif};

    #[test]
    fn a_move_is_marked_only_where_its_piece_stands_by_then() {
        let marked = |role, ply| {
            let line = Line::parse(Position::default(), "e4 d5 exd5").expect("legal moves");
            let motif = Motif::TakesFree {
                square: line.at(2).expect("a move").to(),
                piece: PieceType::Pawn,
            };
            let reason = Reason {
                role,
                said: Said::Claim(Claim { ply, motif }),
                line,
                way_out: None,
                made_by: None,
            };
            subject(&reason).map(|m| m.to_uci(false))
        };
        assert_eq!(marked(Role::Achieves, 0).as_deref(), Some("e2e4"));
        assert_eq!(marked(Role::Achieves, 2), None);
        assert_eq!(marked(Role::Allows, 1).as_deref(), Some("d7d5"));
        assert_eq!(marked(Role::Allows, 2).as_deref(), Some("d7d5"));
        assert_eq!(marked(Role::Threatens, 2).as_deref(), Some("e2e4"));
    }

    #[test]
    fn nobody_asks_for_more_nodes_than_there_are() {
        let asked = |nodes| {
            let task = ExplainTask::new(State::default(), "e2e4", nodes);
            task.unwrap_or_else(|_| panic!("{nodes:?}")).options.nodes
        };
        assert!(asked(Some(u64::MAX)) < 1 << 40);
        assert_eq!((asked(Some(0)), asked(Some(777))), (1, 777));
        assert_eq!(asked(None), NODES);
    }
}
