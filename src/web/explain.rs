//! `/api/explain`: why a move is good or bad, as a value, in words, and as marks for the board.

use super::board::Board;
use super::error::{ApiError, Fault};
use super::explainer::Explainer;
use super::reply::{self, Reply};
use super::request::SessionId;
use super::sessions::{Kind, Running};
use super::state::{State, read_move};
use super::work::spawn;
use crate::board::Move;
use crate::explain::explanation::{Grade, Reason, Role, Said};
use crate::explain::words::{Language, Notation, Writer};
use crate::explain::{Explanation, Options};
use crate::search::Control;
use hyper::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::oneshot;

/// The most positions that are searched for one score.
const MOST_NODES: u64 = 2_000_000;

/// Which move, and in which language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplainQuestion {
    /// The game before the move.
    state: State,
    #[serde(rename = "move")]
    m: String,
    lang: String,
    nodes: Option<u64>,
}

/// The answer.
#[derive(Serialize)]
struct ExplainAnswer {
    #[serde(flatten)]
    explanation: Explanation,
    text: Words,
    marks: Vec<Mark>,
}

#[derive(Serialize)]
struct Words {
    summary: Vec<String>,
    details: Vec<String>,
}

/// An arrow on the board.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Mark {
    from: String,
    to: String,
    kind: &'static str,
}

/// A question that can be asked.
struct Order {
    state: State,
    m: Move,
    language: Language,
    options: Options,
}

/// Stops what nobody waits for any more.
struct StopWhenLeft(Arc<Control>);

impl Drop for StopWhenLeft {
    fn drop(&mut self) {
        self.0.stop.store(true, Relaxed);
    }
}

/// Explains a move; the explanation before it of this session is stopped.
///
/// # Errors
/// [`ApiError`] if the question is not sound, or there is no room for this session.
pub async fn explain(
    board: &Arc<Board>,
    id: &SessionId,
    question: ExplainQuestion,
) -> Result<Reply, ApiError> {
    let order = Order::new(question)?;
    let running = board.sessions.enter(id)?.begin(Kind::Explanation);
    let _left = StopWhenLeft(Arc::clone(&running.control));
    let (sender, answer) = oneshot::channel();
    let board = Arc::clone(board);
    spawn("board explain", move || {
        // where it is gone, nobody waits
        let _ = sender.send(order.run(&board.explainer, &running));
    })?;
    answer.await.map_err(ApiError::internal)?
}

impl Order {
    fn new(question: ExplainQuestion) -> Result<Order, ApiError> {
        let game = question.state.replay()?;
        let m = read_move(game.last(), &question.m).map_err(|fault| fault.in_field("move"))?;
        let language = question.lang.parse();
        let language = language.map_err(|error| Fault::new("language", error).in_field("lang"))?;
        let mut options = Options::default();
        if let Some(nodes) = question.nodes {
            options.nodes = nodes.clamp(1, MOST_NODES);
        }
        Ok(Order {
            state: question.state,
            m,
            language,
            options,
        })
    }

    fn run(&self, explainer: &Explainer, running: &Running) -> Result<Reply, ApiError> {
        let explanation = explainer.ask(|engine| {
            // the game was replayed before
            let _ = engine.set_position(self.state.start.as_deref(), &self.state.moves);
            engine.explain(self.m, &self.options, &running.control)
        });
        let explanation = explanation.map_err(ApiError::internal)?;
        if running.control.stop.load(Relaxed) {
            let message = "another explanation was asked for";
            return Err(ApiError::new(StatusCode::CONFLICT, "stopped", message));
        }
        let text = Writer::new(self.language, Notation::default()).explanation(&explanation);
        let answer = ExplainAnswer {
            marks: marks(&explanation),
            explanation,
            text: Words {
                summary: text.summary,
                details: text.details,
            },
        };
        Ok(reply::json(StatusCode::OK, &answer))
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

/// The move that a reason is about, where it is one. Later moves than the answer begin where their piece does not stand
/// yet: for what the move allows, the answer stands for them.
fn subject(reason: &Reason) -> Option<Move> {
    match (&reason.said, reason.role) {
        (Said::Claim(claim), Role::Allows) => reason.line.at(claim.ply.min(1)),
        (Said::Claim(claim), _) if claim.ply <= 1 => reason.line.at(claim.ply),
        _ => None,
    }
}

fn role(reason: &Reason) -> &'static str {
    match reason.role {
        Role::Achieves | Role::Avoids => "good",
        Role::Allows => "bad",
    }
}
