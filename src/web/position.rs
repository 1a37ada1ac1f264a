//! Everything that the page shows of a position by the rules: legal moves, the moves so far, the end of the game.

use super::error::{ApiError, Fault};
use super::state::{Replay, State, side_letter};
use super::typed;
use crate::board::{Color, Ending, Move, Position, SanError};
use crate::board::{chess960, openings};
use crate::explain::words::Language;
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A request that needs nothing but a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionQuestion {
    state: State,
}

/// The answer of `/api/position`.
#[derive(Serialize)]
pub struct PositionAnswer {
    start: String,
    chess960: bool,
    fen: String,
    turn: char,
    ply: usize,
    fullmove: u16,
    check: Option<String>,
    board: BTreeMap<String, char>,
    ignored: Vec<Fault>,
    legal: Vec<LegalMove>,
    history: Vec<PlayedMove>,
    opening: Option<NamedOpening>,
    result: Option<End>,
    claims: Vec<&'static str>,
    mating: Mating,
}

/// A legal move and what the board needs to know of it.
#[derive(Serialize)]
struct LegalMove {
    #[serde(flatten)]
    played: PlayedMove,
    from: String,
    /// Where the piece lands.
    to: String,
    /// In castling the rook's square, on which the king may be dropped, too.
    alt_to: Option<String>,
    promotion: Option<char>,
    piece: char,
    castling: bool,
    capture: bool,
    en_passant: bool,
}

/// A move with the position after it, by which the page shows it without asking again.
#[derive(Serialize)]
pub struct PlayedMove {
    uci: String,
    san: String,
    fen: String,
    /// The square of the king that is in check after it.
    check: Option<String>,
}

impl PlayedMove {
    /// A legal move of a position.
    pub fn new(position: &Position, m: Move, chess960: bool) -> PlayedMove {
        let after = position.after(m);
        PlayedMove {
            uci: m.to_uci(chess960),
            san: position.to_san(m),
            fen: after.to_fen(chess960),
            check: checked_king(&after),
        }
    }
}

/// The opening of the game so far.
#[derive(Serialize)]
struct NamedOpening {
    eco: &'static str,
    name: &'static str,
}

/// How the game ended.
#[derive(Serialize)]
struct End {
    score: &'static str,
    reason: &'static str,
}

/// Which side could still mate by some series of legal moves: what the fall of the other's flag is worth.
#[derive(Serialize)]
struct Mating {
    white: bool,
    black: bool,
}

/// `/api/position`
///
/// # Errors
/// [`ApiError`] if the game is not legal.
pub fn position(question: PositionQuestion) -> Result<PositionAnswer, ApiError> {
    let game = question.state.replay()?;
    let last = game.last();
    let history = game.history();
    let pieces = last.occupied().into_iter();
    let pieces = pieces.filter_map(|square| Some((square.to_string(), last.piece_on(square)?.letter())));
    let legal = last.legal_moves().into_iter();
    let end = last.ending_without_claim(&history).map(|ending| End {
        score: ending.result(last.side_to_move()).to_pgn(),
        reason: reason_without_claim(ending),
    });
    Ok(PositionAnswer {
        start: game.start.to_fen(game.chess960),
        chess960: game.chess960,
        fen: last.to_fen(game.chess960),
        turn: side_letter(last.side_to_move()),
        ply: game.moves.len(),
        fullmove: last.fullmove_number(),
        check: checked_king(last),
        board: pieces.collect(),
        legal: legal.map(|m| legal_move(last, m, game.chess960)).collect(),
        history: played_moves(&game),
        opening: openings::of_game(std::iter::once(&game.start).chain(&game.positions)).map(|opening| {
            NamedOpening {
                eco: opening.eco,
                name: opening.name,
            }
        }),
        claims: match end {
            Some(_) => Vec::new(),
            None => last.claims(&history).map(reason).collect(),
        },
        result: end,
        mating: Mating {
            white: last.can_mate(Color::White),
            black: last.can_mate(Color::Black),
        },
        ignored: game.ignored,
    })
}

fn checked_king(position: &Position) -> Option<String> {
    let king = position.king(position.side_to_move());
    position.in_check().then(|| king.to_string())
}

fn legal_move(position: &Position, m: Move, chess960: bool) -> LegalMove {
    LegalMove {
        played: PlayedMove::new(position, m, chess960),
        from: m.from().to_string(),
        to: m.landing().to_string(),
        alt_to: m.is_castling().then(|| m.to().to_string()),
        promotion: m.promoted().map(|piece| piece.kind().letter()),
        piece: m.piece().letter(),
        castling: m.is_castling(),
        capture: m.is_capture(),
        en_passant: m.is_en_passant(),
    }
}

fn played_moves(game: &Replay) -> Vec<PlayedMove> {
    let moves = game.moves.iter().enumerate();
    moves
        .map(|(number, &m)| PlayedMove::new(game.before(number), m, game.chess960))
        .collect()
}

/// An ending's word in the answers.
fn reason(ending: Ending) -> &'static str {
    match ending {
        Ending::Checkmate => "checkmate",
        Ending::Stalemate => "stalemate",
        Ending::InsufficientMaterial => "insufficient_material",
        Ending::FiftyMoves => "fifty_moves",
        Ending::Repetition => "repetition",
    }
}

/// The word for an ending that nobody claimed.
fn reason_without_claim(ending: Ending) -> &'static str {
    match ending {
        Ending::FiftyMoves => "seventyfive_moves",
        Ending::Repetition => "fivefold_repetition",
        other => reason(other),
    }
}

/// A move as the page takes it down.
#[derive(Clone, Debug, Serialize)]
pub struct NamedMove {
    /// In UCI notation.
    pub uci: String,
    /// In algebraic notation.
    pub san: String,
}

impl NamedMove {
    /// A legal move of a position.
    pub fn new(position: &Position, m: Move, chess960: bool) -> NamedMove {
        NamedMove {
            uci: m.to_uci(chess960),
            san: position.to_san(m),
        }
    }
}

/// A move typed by hand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveQuestion {
    state: State,
    text: String,
    /// The language of the page, whose letters come first where two have the same.
    #[serde(default)]
    lang: Option<String>,
}

/// `/api/move`
///
/// # Errors
/// [`ApiError`] if the game is not legal, or the text is not clearly a legal move, see [`typed::read`].
pub fn read_move(question: MoveQuestion) -> Result<NamedMove, ApiError> {
    let game = question.state.replay()?;
    let position = game.last();
    let language = match &question.lang {
        Some(lang) => {
            let language = lang.parse();
            language.map_err(|error| Fault::new("language", error).in_field("lang"))?
        }
        None => Language::English,
    };
    let m = typed::read(position, &question.text, language).map_err(|error| {
        let code = match error {
            SanError::Malformed(_) => "san_malformed",
            SanError::Illegal(_) => "san_illegal",
            SanError::Ambiguous(_) => "san_ambiguous",
        };
        Fault::new(code, error).in_field("text")
    })?;
    Ok(NamedMove::new(position, m, game.chess960))
}

/// Which start of Chess960.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chess960Question {
    number: Option<u16>,
}

/// A start of Chess960.
#[derive(Serialize)]
pub struct Chess960Answer {
    number: u16,
    fen: String,
}

/// `/api/chess960`: the start with this number, or any.
///
/// # Errors
/// [`ApiError`] for a number above 959.
pub fn chess960_start(question: Chess960Question) -> Result<Chess960Answer, ApiError> {
    let number = question
        .number
        .unwrap_or_else(|| rand::rng().random_range(0..chess960::STARTS));
    let start = chess960::start(number).ok_or_else(|| {
        let message = format!(
            "the starts of Chess960 are numbered 0 to {}",
            chess960::STARTS - 1
        );
        Fault::new("chess960_number", message).in_field("number")
    })?;
    Ok(Chess960Answer {
        number,
        fen: start.to_fen(true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_claimed_in_a_game_that_is_over() {
        let answer = |start: &str| {
            let state = State {
                start: Some(start.to_string()),
                ..State::default()
            };
            let answer = position(PositionQuestion { state }).unwrap_or_else(|_| panic!("{start}"));
            (answer.result.map(|end| end.score), answer.claims)
        };
        // a mate on the hundredth ply counts
        assert_eq!(answer("R6k/6pp/8/8/8/8/8/K7 b - - 100 90"), (Some("1-0"), vec![]));
        assert_eq!(
            answer("7k/6pp/8/8/8/8/8/K6R b - - 100 90"),
            (None, vec!["fifty_moves"])
        );
    }
}
