//! Squares, pieces, colours and endings as plain text in JSON.

use crate::board::{Color, Ending, Piece, PieceType, Square};
use serde::{Serialize, Serializer};

pub(super) fn square<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
}

pub(super) fn squares<S: Serializer>(squares: &[Square], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(squares.iter().map(Square::to_string))
}

pub(super) fn kind<S: Serializer>(kind: &PieceType, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(kind.letter())
}

pub(super) fn color<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match color {
        Color::White => "white",
        Color::Black => "black",
    })
}

pub(super) fn optional_kind<S: Serializer>(
    kind: &Option<PieceType>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match kind {
        Some(piece) => serializer.serialize_some(&piece.letter()),
        None => serializer.serialize_none(),
    }
}

pub(super) fn optional_ending<S: Serializer>(
    ending: &Option<Ending>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let name = ending.map(|ending| match ending {
        Ending::Checkmate => "checkmate",
        Ending::Stalemate => "stalemate",
        Ending::InsufficientMaterial => "insufficient_material",
        Ending::FiftyMoves => "fifty_moves",
        Ending::Repetition => "repetition",
    });
    name.serialize(serializer)
}

pub(super) fn piece<S: Serializer>(piece: &Piece, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_char(piece.letter())
}

pub(super) fn optional_square<S: Serializer>(
    square: &Option<Square>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match square {
        Some(square) => serializer.collect_str(square),
        None => serializer.serialize_none(),
    }
}
