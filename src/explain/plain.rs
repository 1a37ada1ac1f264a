//! Squares, pieces and colours as plain text in JSON.

use crate::board::{Color, PieceType, Square};
use serde::Serializer;

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
