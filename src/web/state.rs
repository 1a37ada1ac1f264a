//! A game as the page sends it, replayed by the rules. The server keeps no games.

use super::error::{ApiError, Fault};
use crate::board::pgn::read::MOST_NODES;
use crate::board::{Color, FenError, Move, Position, UciMoveError};
use serde::Deserialize;

/// The most moves of a game: as many as are read from a text.
pub const MOST_MOVES: usize = MOST_NODES;

/// How UCI writes a move that is passed, which variations of books have.
pub const PASSED: &str = "0000";

/// A game up to the position of a request.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The FEN of its start; the standard one if absent.
    #[serde(default)]
    pub start: Option<String>,
    /// Whether castling is written as king takes rook.
    #[serde(default)]
    pub chess960: bool,
    /// Its moves, in UCI notation.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A replayed game.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Where it started.
    pub start: Position,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Its moves.
    pub moves: Vec<Move>,
    /// The positions after each of them.
    pub positions: Vec<Position>,
    /// What did not fit the board in the start's FEN, and was ignored.
    pub ignored: Vec<Fault>,
}

impl State {
    /// Replays the game. Where a move is passed, another game begins: for the rules no game goes on from there.
    ///
    /// # Errors
    /// For a start that is no legal position, and for the first move that is not legal.
    pub fn replay(&self) -> Result<Replay, ApiError> {
        if self.moves.len() > MOST_MOVES {
            let message = format!("a game has at most {MOST_MOVES} moves");
            return Err(Fault::new("too_many_moves", message).in_field("moves").into());
        }
        let (start, ignored) = match &self.start {
            Some(fen) => read_fen(fen).map_err(|fault| fault.in_field("start"))?,
            None => (Position::default(), Vec::new()),
        };
        let mut replay = Replay {
            start,
            chess960: self.chess960 || start.needs_chess960(),
            moves: Vec::with_capacity(self.moves.len()),
            positions: Vec::with_capacity(self.moves.len()),
            ignored,
        };
        for (index, text) in self.moves.iter().enumerate() {
            if text == PASSED && !replay.last().in_check() {
                replay.pass();
                continue;
            }
            let m =
                read_move(replay.last(), text).map_err(|fault| fault.in_field("moves").at_move(index + 1))?;
            replay.positions.push(replay.last().after(m));
            replay.moves.push(m);
        }
        Ok(replay)
    }
}

impl Replay {
    /// Begins anew with the other side to move.
    fn pass(&mut self) {
        self.start = *self.last();
        self.start.make_null();
        self.moves.clear();
        self.positions.clear();
    }

    /// The game as it was replayed: without what did not fit the board, and without passed moves.
    pub fn state(&self) -> State {
        State {
            start: Some(self.start.to_fen(self.chess960)),
            chess960: self.chess960,
            moves: self.moves.iter().map(|m| m.to_uci(self.chess960)).collect(),
        }
    }

    /// The position that the moves lead to.
    pub fn last(&self) -> &Position {
        self.positions.last().unwrap_or(&self.start)
    }

    /// The position before the move of this number, counted from 0.
    pub fn before(&self, number: usize) -> &Position {
        number
            .checked_sub(1)
            .map_or(&self.start, |last| &self.positions[last])
    }

    /// The keys of the positions before the last one, oldest first.
    pub fn history(&self) -> Vec<u64> {
        let before = (0..self.moves.len()).map(|number| self.before(number).key());
        before.collect()
    }
}

/// Reads a move in UCI notation.
///
/// # Errors
/// [`Fault`] if it is none, or not legal.
pub fn read_move(position: &Position, text: &str) -> Result<Move, Fault> {
    position.parse_uci(text).map_err(|error| {
        let code = match error {
            UciMoveError::Malformed(_) => "move_malformed",
            UciMoveError::Illegal(_) => "move_illegal",
        };
        Fault::new(code, error)
    })
}

/// Reads a FEN as users write it: castling rights and an en passant square that do not fit are ignored, and returned.
///
/// # Errors
/// [`Fault`] if it is not a legal position.
pub fn read_fen(fen: &str) -> Result<(Position, Vec<Fault>), Fault> {
    let fault = |error: &FenError| {
        let mut fault = Fault::new(fen_code(error), error);
        fault.at = place(fen, error);
        fault
    };
    let (position, ignored) = Position::from_lenient_fen(fen).map_err(|error| fault(&error))?;
    Ok((position, ignored.iter().map(fault).collect()))
}

/// The code of a fault in a FEN.
pub fn fen_code(error: &FenError) -> &'static str {
    match error {
        FenError::Fields(_) => "fen_fields",
        FenError::Ranks(_) => "fen_ranks",
        FenError::RankLength { .. } => "fen_rank_length",
        FenError::Letter(_) => "fen_letter",
        FenError::Kings(..) => "fen_kings",
        FenError::TooMany(..) => "fen_pieces",
        FenError::Promoted(_) => "fen_promoted",
        FenError::PawnRank(_) => "fen_pawn_rank",
        FenError::Side(_) => "fen_side",
        FenError::Castling(_) => "fen_castling",
        FenError::EnPassant(_) => "fen_en_passant",
        FenError::Count(_) => "fen_count",
        FenError::OpponentInCheck => "fen_opponent_in_check",
        FenError::Checkers(_) => "fen_checkers",
    }
}

/// Where in a FEN the fault is, in characters from 0, if it lies in one place.
fn place(fen: &str, error: &FenError) -> Option<usize> {
    let fields: Vec<(usize, &str)> = fields(fen);
    let start = |number: usize| fields.get(number).map(|field| field.0);
    match error {
        FenError::Fields(_) => Some(start(6).unwrap_or(fen.chars().count())),
        FenError::Ranks(_) => start(0),
        FenError::RankLength { rank, .. } => {
            let ranks = fields.first()?.1.split('/').take(usize::from(8 - rank));
            Some(start(0)? + ranks.map(|rank| rank.chars().count() + 1).sum::<usize>())
        }
        FenError::Letter(letter) => {
            let before = fields.first()?.1.chars().take_while(|other| other != letter);
            Some(start(0)? + before.count())
        }
        FenError::Side(_) => start(1),
        FenError::Castling(_) => start(2),
        FenError::EnPassant(_) => start(3),
        FenError::Count(text) => fields
            .iter()
            .skip(4)
            .find(|field| field.1 == text)
            .map(|field| field.0),
        FenError::Kings(..)
        | FenError::TooMany(..)
        | FenError::Promoted(_)
        | FenError::PawnRank(_)
        | FenError::OpponentInCheck
        | FenError::Checkers(_) => None,
    }
}

/// The fields of a FEN, each with the number of characters before it.
fn fields(fen: &str) -> Vec<(usize, &str)> {
    let mut fields = Vec::new();
    let mut rest = fen;
    while let Some(offset) = rest.find(|c: char| !c.is_whitespace()) {
        let field = &rest[offset..];
        let length = field.find(char::is_whitespace).unwrap_or(field.len());
        let before = fen[..fen.len() - field.len()].chars().count();
        fields.push((before, &field[..length]));
        rest = &field[length..];
    }
    fields
}

/// `w` or `b`.
pub fn side_letter(side: Color) -> char {
    match side {
        Color::White => 'w',
        Color::Black => 'b',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_in_a_fen_has_its_place() {
        let place = |fen: &str| {
            let fault = read_fen(fen).expect_err("refused");
            (fault.code, fault.at)
        };
        for (fen, expected) in [
            ("", ("fen_fields", Some(0))),
            ("  8/8 w  ", ("fen_fields", Some(9))),
            ("8/8/8/8 w - -", ("fen_ranks", Some(0))),
            (" 4k3/8/9/8/8/8/8/4K3 w - -", ("fen_letter", Some(7))),
            ("4k3/8/é7/8/8/8/8/4K3 w - -", ("fen_letter", Some(6))),
            ("4k3/8/8/ppp/8/8/8/4K3 w - -", ("fen_rank_length", Some(8))),
            ("4k3/8/8/8/8/8/8/4K3  x - -", ("fen_side", Some(21))),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 é", ("fen_count", Some(28))),
            ("4k3/8/8/8/8/8/8/8 w - -", ("fen_kings", None)),
            ("4k3/8/8/8/8/8/4R3/4K3 w - -", ("fen_opponent_in_check", None)),
        ] {
            assert_eq!(place(fen), expected, "{fen}");
        }
        let (position, ignored) = read_fen("4k3/8/8/8/8/8/8/4K3 w K e3 0 1").expect("accepted");
        assert_eq!(position.to_fen(false), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        let ignored: Vec<_> = ignored.iter().map(|fault| (fault.code, fault.at)).collect();
        assert_eq!(
            ignored,
            [("fen_castling", Some(22)), ("fen_en_passant", Some(24))]
        );
    }

    #[test]
    fn a_passed_move_begins_anew() {
        let state = |moves: &str| State {
            moves: moves.split(' ').map(str::to_string).collect(),
            ..State::default()
        };
        let game = state("e2e4 0000 d2d4").replay().expect("a game");
        assert_eq!(
            game.last().to_fen(false),
            "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2"
        );
        assert_eq!(
            game.state().replay().map(|again| *again.last()).ok(),
            Some(*game.last())
        );
        assert!(state("e2e4 f7f5 d1h5 0000").replay().is_err());
    }

    #[test]
    fn an_illegal_move_has_its_number() {
        let state = |moves: &str| State {
            moves: moves.split(' ').map(str::to_string).collect(),
            ..State::default()
        };
        let fault = |moves: &str| state(moves).replay().expect_err("refused").fault;
        assert_eq!(fault("e2e4 e2e4").number, Some(2));
        assert_eq!(fault("e2e4 e7e5 x").code, "move_malformed");
        assert_eq!(
            state("e2e4 e7e5").replay().map(|game| game.history().len()).ok(),
            Some(2)
        );
    }
}
