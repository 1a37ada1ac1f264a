//! Small helpers for text files: decompression by the file's name, and moves as UCI writes them.

use super::DataError;
use crate::board::{Move, Position};
use liblzma::read::XzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 1 << 18;

/// The text of a file, decompressed if its name ends in `.xz`.
pub(super) fn decompressed(path: &Path, file: File) -> Result<Box<dyn BufRead + Send>, DataError> {
    let raw = BufReader::with_capacity(BUFFER_BYTES, file);
    Ok(match path.extension().and_then(|extension| extension.to_str()) {
        Some("xz") => Box::new(BufReader::with_capacity(
            BUFFER_BYTES,
            XzDecoder::new_multi_decoder(raw),
        )),
        _ => Box::new(raw),
    })
}

/// The legal move that a text such as `e2e4` or `a7a8q` names; castling as the king's two steps or as king takes rook.
pub fn find_move(position: &Position, text: &str) -> Option<Move> {
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let promotion = text.get(4..)?;
    let mut same = position.legal_moves().into_iter().filter(|m| {
        let promoted = m.promoted().map(|piece| piece.kind().letter());
        m.from() == from
            && (m.to() == to || m.landing() == to)
            && promoted.map_or(promotion.is_empty(), |letter| {
                promotion.len() == 1 && promotion.starts_with(letter)
            })
    });
    let first = same.next()?;
    // in Chess960 a king's step may look like castling: the plain move is meant
    Some(
        same.find(|m| !m.is_castling())
            .filter(|_| first.is_castling() && first.to() != to)
            .unwrap_or(first),
    )
}
