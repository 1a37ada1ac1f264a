//! Batches of labelled positions as a network takes them.

use super::sparse::SparseRows;
use crate::board::Color;
use crate::data::Record;
use crate::evaluation::encoding::{self, piece_input};
use crate::evaluation::{Curve, MlpShape, Orientation};
use std::sync::Arc;

/// What of a net decides how its positions are encoded.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoding {
    /// How the layers are joined.
    pub shape: MlpShape,
    /// From whose side the net sees the board.
    pub orientation: Orientation,
    /// What its output means.
    pub curve: Curve,
}

/// Positions encoded for an MLP, with what it should answer.
#[derive(Clone, Debug)]
pub struct MlpBatch {
    /// The set inputs: for each position one row, or two where the net has two perspectives.
    pub rows: Arc<SparseRows>,
    /// The value in [-1, 1] of each position.
    pub targets: Vec<f32>,
    /// The output bucket of each position.
    pub buckets: Arc<Vec<u8>>,
}

impl Encoding {
    /// Encodes labelled positions.
    pub fn encode(&self, records: &[Record]) -> MlpBatch {
        let bucket = |record: &Record| self.shape.bucket(record.piece_count() as usize) as u8;
        let mut rows = SparseRows::new();
        let mut targets = Vec::with_capacity(records.len());
        for record in records {
            let first = match self.orientation {
                Orientation::White => Color::White,
                Orientation::Mover => record.side_to_move(),
            };
            for view in [first, !first].into_iter().take(self.shape.perspectives) {
                push_row(record, view, &mut rows);
            }
            targets.push(self.curve.value(score_for(record, first)));
        }
        MlpBatch {
            rows: Arc::new(rows),
            targets,
            buckets: Arc::new(records.iter().map(bucket).collect()),
        }
    }
}

/// The score of a labelled position for one side, mates near ±[`crate::evaluation::score::MATE`].
pub fn score_for(record: &Record, color: Color) -> i32 {
    let score = record.score().unwrap_or(0) as i32;
    if color == Color::White { score } else { -score }
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
