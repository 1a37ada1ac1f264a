//! Games in PGN, read and written for the page.

use super::error::{ApiError, Fault};
use super::score::{Judged, ShownScore};
use super::state::{PASSED, fen_code, read_fen, read_move};
use crate::board::pgn::annotations::{self, Value};
use crate::board::pgn::drawings::{self, Paint};
use crate::board::pgn::engine_scores::engine_score;
use crate::board::pgn::{self, PgnFault, PgnGame, Problem};
use crate::board::{Color, GameResult, Move, Position, SanError, Square};
use crate::uci_client::UciScore;
use serde::{Deserialize, Serialize};

/// A text in PGN.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PgnQuestion {
    text: String,
}

/// The games of a text.
#[derive(Serialize)]
pub struct PgnAnswer {
    games: Vec<ReadGame>,
}

/// A game, and what could not be read of it.
#[derive(Serialize)]
struct ReadGame {
    #[serde(flatten)]
    game: Game,
    problems: Vec<Fault>,
}

/// A game as the page has it.
#[derive(Serialize, Deserialize)]
pub struct Game {
    #[serde(default)]
    tags: Vec<(String, String)>,
    start: Option<String>,
    #[serde(default)]
    chess960: bool,
    comment: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    drawings: Vec<Drawing>,
    nodes: Vec<Node>,
    result: String,
}

/// A move of a game, after the one that it follows.
#[derive(Serialize, Deserialize)]
struct Node {
    parent: Option<usize>,
    uci: String,
    #[serde(default)]
    san: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    drawings: Vec<Drawing>,
    /// The score after the move, for White; only written.
    #[serde(default, skip_serializing)]
    score: Option<ShownScore>,
    /// The score that the game has for the position after the move; only read.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    standing: Option<Judged>,
    /// What the mover's clock showed after it, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_ms: Option<u64>,
}

/// An arrow, or without its end a circle, with the page's name for its colour.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Drawing {
    kind: Kind,
    from: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

/// The page colours what it draws by what it means.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Good,
    Bad,
    Doubt,
    Neutral,
}

/// A text in PGN.
#[derive(Serialize)]
pub struct WrittenGame {
    text: String,
}

/// A game to write.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteQuestion {
    game: Game,
}

/// `/api/pgn/read`
///
/// # Errors
/// [`ApiError`] if there is no game in the text.
pub fn read(question: PgnQuestion) -> Result<PgnAnswer, ApiError> {
    let games = pgn::read(&question.text);
    let is_empty = |game: &PgnGame| game.tags.is_empty() && game.nodes.is_empty();
    if games.iter().all(|(game, _)| is_empty(game)) {
        let problem = games.iter().find_map(|(_, problems)| problems.first());
        let fault = problem.map_or_else(|| Fault::new("pgn_empty", "there is no game in this text"), fault);
        return Err(fault.in_field("text").into());
    }
    let games = games.iter().map(|(game, problems)| ReadGame {
        game: Game::of(game),
        problems: problems.iter().map(fault).collect(),
    });
    Ok(PgnAnswer {
        games: games.collect(),
    })
}

fn fault(problem: &Problem) -> Fault {
    let code = match &problem.fault {
        PgnFault::Fen(error) | PgnFault::FenPart(error) => fen_code(error),
        PgnFault::Variant(_) => "pgn_variant",
        PgnFault::Tag => "pgn_tag",
        PgnFault::Move(SanError::Malformed(_)) | PgnFault::Word(_) => "san_malformed",
        PgnFault::Move(SanError::Illegal(_)) => "san_illegal",
        PgnFault::Move(SanError::Ambiguous(_)) => "san_ambiguous",
        PgnFault::NullMove | PgnFault::NullInCheck => "pgn_null_move",
        PgnFault::NoMove => "pgn_variation",
        PgnFault::Unclosed(_) => "pgn_unclosed",
        PgnFault::LongComment | PgnFault::LongGame | PgnFault::TooLong(..) => "pgn_too_long",
    };
    let place = problem.place;
    Fault {
        at: Some(place.at),
        line: Some(place.line),
        column: Some(place.column),
        ..Fault::new(code, &problem.fault)
    }
}

impl Game {
    fn of(game: &PgnGame) -> Game {
        let nodes = game.nodes.iter().enumerate().map(|(index, node)| {
            let (drawings, comment) = Drawing::take(node.comment.as_deref());
            let text = node.comment.as_deref().unwrap_or_default();
            let (score, clock_ms) = annotations::take(text);
            let mover = game.position(node.parent).side_to_move();
            let score = score.or_else(|| engine_score(text)?.after_move(mover));
            Node {
                parent: node.parent,
                uci: game.uci(index),
                san: game.san(index),
                before: node.before.clone(),
                comment,
                nags: node.nags.clone(),
                drawings,
                score: None,
                standing: score.map(standing),
                clock_ms,
            }
        });
        let (drawings, comment) = Drawing::take(game.comment.as_deref());
        Game {
            tags: game.tags.clone(),
            start: (game.start != Position::default()).then(|| game.start.to_fen(game.chess960)),
            chess960: game.chess960,
            comment,
            drawings,
            nodes: nodes.collect(),
            result: game.result.to_pgn().to_string(),
        }
    }
}

/// A score of a game, with what it is worth.
fn standing(score: Value) -> Judged {
    let score = match score {
        Value::Centipawns(value) => UciScore::Centipawns(value),
        Value::Mate(moves) => UciScore::Mate(moves),
    };
    Judged::of_uci(score, Color::White)
}

impl Drawing {
    /// The drawings of a comment, and its words if there are any.
    fn take(comment: Option<&str>) -> (Vec<Drawing>, Option<String>) {
        let (found, words) = drawings::take(comment.unwrap_or_default());
        let found = found.iter().map(|drawing| Drawing {
            kind: match drawing.paint {
                Paint::Green => Kind::Good,
                Paint::Red => Kind::Bad,
                Paint::Yellow => Kind::Doubt,
                Paint::Blue => Kind::Neutral,
            },
            from: drawing.from.to_string(),
            to: drawing.to.map(|to| to.to_string()),
        });
        (found.collect(), Some(words).filter(|words| !words.is_empty()))
    }

    /// A comment with drawings and words, if there is either.
    fn put(drawings: &[Drawing], words: Option<String>) -> Result<Option<String>, Fault> {
        let square = |text: &str| {
            let square = text.parse::<Square>();
            square.map_err(|_| Fault::new("pgn_drawing", format!("'{text}' is no square to draw on")))
        };
        let read = |drawing: &Drawing| {
            Ok(drawings::Drawing {
                paint: match drawing.kind {
                    Kind::Good => Paint::Green,
                    Kind::Bad => Paint::Red,
                    Kind::Doubt => Paint::Yellow,
                    Kind::Neutral => Paint::Blue,
                },
                from: square(&drawing.from)?,
                to: drawing.to.as_deref().map(square).transpose()?,
            })
        };
        let drawings = drawings.iter().map(read).collect::<Result<Vec<_>, Fault>>()?;
        let comment = drawings::put(&drawings, words.as_deref().unwrap_or_default());
        Ok(Some(comment).filter(|comment| !comment.is_empty()))
    }
}

/// `/api/pgn/write`
///
/// # Errors
/// [`ApiError`] if the start or a move is not legal, a move follows one that comes later, or a drawing is on no square.
pub fn write(question: WriteQuestion) -> Result<WrittenGame, ApiError> {
    let asked = question.game;
    let start = match &asked.start {
        Some(fen) => read_fen(fen).map_err(|fault| fault.in_field("start"))?.0,
        None => Position::default(),
    };
    let mut game = PgnGame::new(start);
    game.tags = asked.tags;
    game.chess960 |= asked.chess960;
    game.comment =
        Drawing::put(&asked.drawings, asked.comment).map_err(|fault| fault.in_field("drawings"))?;
    game.result = GameResult::from_pgn(asked.result.as_bytes())
        .ok_or_else(|| Fault::new("pgn_result", "a result is 1-0, 0-1, 1/2-1/2 or *").in_field("result"))?;
    if asked.nodes.len() > pgn::read::MOST_NODES {
        let message = format!("a game has at most {} moves", pgn::read::MOST_NODES);
        return Err(Fault::new("pgn_too_long", message).in_field("nodes").into());
    }
    for (index, node) in asked.nodes.into_iter().enumerate() {
        let wrong = |fault: Fault| fault.in_field("nodes").at_move(index + 1);
        if node.parent.is_some_and(|parent| parent >= index) {
            let fault = Fault::new(
                "pgn_parent",
                "a move follows one that stands before it in the list",
            );
            return Err(wrong(fault).into());
        }
        let m = read_written(&game, node.parent, &node.uci).map_err(wrong)?;
        let score = node.score.map(|score| match score {
            ShownScore::Cp(value) => Value::Centipawns(value),
            ShownScore::Mate(moves) => Value::Mate(moves),
        });
        let words = annotations::put(score, node.clock_ms, node.comment.as_deref().unwrap_or_default());
        let comment = Drawing::put(&node.drawings, Some(words)).map_err(wrong)?;
        let added = game.add(node.parent, m);
        let added = &mut game.nodes[added];
        added.before = node.before;
        added.comment = comment;
        added.nags = node.nags;
    }
    Ok(WrittenGame {
        text: pgn::write(&game),
    })
}

/// A move in UCI's notation that follows one of the game; `None` for one that is passed, as only a variation may do.
fn read_written(game: &PgnGame, parent: Option<usize>, uci: &str) -> Result<Option<Move>, Fault> {
    let position = game.position(parent);
    if uci != PASSED {
        return read_move(position, uci).map(Some);
    }
    let fault = |fault: PgnFault| Err(Fault::new("pgn_null_move", fault));
    let lines = std::iter::successors(parent, |&node| game.nodes[node].parent);
    let is_main = |node: usize| game.children(game.nodes[node].parent).next() == Some(node);
    if game.children(parent).next().is_none() && lines.into_iter().all(is_main) {
        return fault(PgnFault::NullMove);
    }
    match position.in_check() {
        true => fault(PgnFault::NullInCheck),
        false => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_names_its_start_where_that_is_not_the_usual_one() {
        let start = |text: &str| Game::of(&pgn::read(text)[0].0).start;
        assert_eq!(start("1. e4 *"), None);
        let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. O-O-O *");
        assert_eq!(start(&text).as_deref(), Some(fen));
    }
}
