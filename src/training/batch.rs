//! Batches of labelled positions as a network takes them.

use super::mlp::sparse::SparseRows;
use super::recipe::NetShape;
use crate::board::Color;
use crate::data::Record;
use crate::nets::cnn::blocks::BLOCK;
use crate::nets::curve::{Curve, Orientation};
use crate::nets::encoding;
use crate::nets::encoding::{PLANE_INPUTS, PLANES, SIDE_PLANE, piece_input};
use crate::nets::mlp::shape::MlpShape;
use std::sync::Arc;

/// What of a net decides how its positions are encoded.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoding {
    /// How the layers are joined.
    pub shape: NetShape,
    /// From whose side the net sees the board.
    pub orientation: Orientation,
    /// What its output means.
    pub curve: Curve,
}

/// Positions encoded for a net, with what it should answer.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The positions.
    pub inputs: Inputs,
    /// The value in [-1, 1] of each.
    pub targets: Vec<f32>,
}

/// Positions as a network takes them.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// For an MLP.
    Bits(Bits),
    /// For a CNN.
    Boards(Boards),
}

/// Positions as an MLP takes them.
#[derive(Clone, Debug)]
pub struct Bits {
    /// The set inputs: for each position one row, or two where the net has two perspectives.
    pub rows: Arc<SparseRows>,
    /// The output bucket of each position.
    pub buckets: Arc<Vec<u8>>,
}

/// Positions as a CNN takes them.
#[derive(Clone, Debug)]
pub struct Boards {
    /// Blocks × 16 planes × 64 squares × lanes; position n stands in block n / lanes, lane n % lanes. Lanes that are left
    /// over at the end are empty boards.
    pub planes: Vec<f32>,
    /// Positions side by side in a block.
    pub lanes: usize,
}

impl Boards {
    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.planes.len() / (PLANE_INPUTS * self.lanes)
    }
}

impl Encoding {
    /// Encodes labelled positions.
    pub fn encode(&self, records: &[Record]) -> Batch {
        let target = |record: &Record| self.curve.value(score_for(record, self.view(record)));
        Batch {
            inputs: match &self.shape {
                NetShape::Mlp(shape) => Inputs::Bits(self.bits(shape, records)),
                NetShape::Cnn(_) => Inputs::Boards(self.boards(records, BLOCK)),
            },
            targets: records.iter().map(target).collect(),
        }
    }

    fn view(&self, record: &Record) -> Color {
        self.orientation.view(record.side_to_move())
    }

    fn bits(&self, shape: &MlpShape, records: &[Record]) -> Bits {
        let bucket = |record: &Record| shape.bucket(record.piece_count() as usize) as u8;
        let mut rows = SparseRows::new();
        for record in records {
            let first = self.view(record);
            for view in [first, !first].into_iter().take(shape.perspectives) {
                push_row(record, view, &mut rows);
            }
        }
        Bits {
            rows: Arc::new(rows),
            buckets: Arc::new(records.iter().map(bucket).collect()),
        }
    }

    /// Positions in blocks of so many lanes.
    pub fn boards(&self, records: &[Record], lanes: usize) -> Boards {
        let block = PLANE_INPUTS * lanes;
        let mut planes = vec![0f32; records.len().div_ceil(lanes) * block];
        for (records, block) in records.chunks(lanes).zip(planes.chunks_exact_mut(block)) {
            for (lane, record) in records.iter().enumerate() {
                encoding::spread(&plane_boards(record, self.view(record)), lane, lanes, block);
            }
        }
        Boards { planes, lanes }
    }
}

/// The same planes as [`encoding::plane_boards`] gives for the position.
fn plane_boards(record: &Record, view: Color) -> [u64; PLANES] {
    let mut planes = [0; PLANES];
    for (piece, square) in record.pieces() {
        let input = piece_input(view, piece, square);
        planes[input as usize / 64] |= 1 << (input % 64);
    }
    let state = encoding::state_planes(
        record.side_to_move(),
        record.castling(),
        record.en_passant(),
        view,
    );
    planes[SIDE_PLANE..].copy_from_slice(&state);
    planes
}

/// The score of a labelled position for one side, mates near ±[`crate::nets::score::MATE`].
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn planes_of_records_are_those_of_positions() {
        let fens = [
            Position::START_FEN,
            "r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ];
        let positions = fens.map(|fen| Position::from_fen(fen).unwrap());
        let records = positions.map(|position| Record::new(&position));
        for view in Color::ALL {
            for (record, position) in records.iter().zip(&positions) {
                assert_eq!(plane_boards(record, view), encoding::plane_boards(position, view));
            }
        }
        let encoding = Encoding {
            shape: NetShape::Cnn("16-4-pool-1".parse().unwrap()),
            orientation: Orientation::White,
            curve: Curve::SEED,
        };
        let boards = encoding.boards(&records, 2);
        assert_eq!((boards.blocks(), boards.planes.len()), (2, 2 * 2 * PLANE_INPUTS));
        for (number, position) in positions.iter().enumerate() {
            let planes = encoding::planes(position, Color::White);
            let block = &boards.planes[number / 2 * 2 * PLANE_INPUTS..];
            assert!((0..PLANE_INPUTS).all(|place| block[place * 2 + number % 2] == planes[place]));
        }
    }
}
