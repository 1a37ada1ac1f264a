//! Positions as an MLP in training takes them: the numbers of the set inputs.

use super::sparse::SparseRows;
use crate::board::{Color, PieceType, Square};
use crate::data::Record;
use crate::nets::curve::Orientation;
use crate::nets::encoding::{self, View, piece_input};
use crate::nets::mlp::shape::MlpShape;
use std::sync::Arc;

/// Positions as an MLP takes them.
#[derive(Clone, Debug)]
pub struct Bits {
    /// The set inputs: for each position one row, or two where the net has two perspectives.
    pub rows: Arc<SparseRows>,
    /// The output bucket of each position.
    pub buckets: Arc<Vec<u8>>,
}

impl Bits {
    /// Encodes positions for a net of this shape, which sees the board from the side that the orientation says.
    pub fn encode(records: &[Record], shape: &MlpShape, orientation: Orientation) -> Bits {
        let bucket = |record: &Record| shape.bucket(record.piece_count() as usize) as u8;
        let mut rows = SparseRows::new();
        for record in records {
            let first = orientation.view(record.side_to_move());
            for side in [first, !first].into_iter().take(shape.perspectives) {
                push_row(record, shape.view(side, king(record, side)), &mut rows);
            }
        }
        Bits {
            rows: Arc::new(rows),
            buckets: Arc::new(records.iter().map(bucket).collect()),
        }
    }
}

/// The same bits as [`encoding::active`] gives for the position, among the inputs of the view's region.
fn push_row(record: &Record, view: View, rows: &mut SparseRows) {
    let pieces = record
        .pieces()
        .map(|(piece, square)| piece_input(view, piece, square));
    let passing = record.en_passant().is_some();
    let state = encoding::state_bits(record.side_to_move(), record.castling(), passing, view.side);
    let first = view.first_input() as u16;
    rows.push(pieces.chain(state).map(|bit| first + bit));
}

/// The square of a side's king.
fn king(record: &Record, side: Color) -> Square {
    let king = PieceType::King.of(side);
    let mut pieces = record.pieces();
    pieces
        .find(|&(piece, _)| piece == king)
        .expect("each side has a king")
        .1
}
