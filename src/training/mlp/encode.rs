//! Positions as an MLP in training takes them: the numbers of the set inputs.

use super::sparse::SparseRows;
use crate::board::Color;
use crate::data::Record;
use crate::nets::curve::Orientation;
use crate::nets::encoding;
use crate::nets::encoding::piece_input;
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
            for view in [first, !first].into_iter().take(shape.perspectives) {
                push_row(record, view, &mut rows);
            }
        }
        Bits {
            rows: Arc::new(rows),
            buckets: Arc::new(records.iter().map(bucket).collect()),
        }
    }
}

/// The same bits as [`encoding::active`] gives for the position.
fn push_row(record: &Record, view: Color, rows: &mut SparseRows) {
    let pieces = record
        .pieces()
        .map(|(piece, square)| piece_input(view, piece, square));
    let passing = record.en_passant().is_some();
    let state = encoding::state_bits(record.side_to_move(), record.castling(), passing, view);
    rows.push(pieces.chain(state));
}
