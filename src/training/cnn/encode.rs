//! Positions as a CNN in training takes them: planes in blocks of boards.

use crate::board::Color;
use crate::data::Record;
use crate::nets::curve::Orientation;
use crate::nets::encoding;
use crate::nets::encoding::{PLANE_INPUTS, PLANES, SIDE_PLANE, piece_input};

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

    /// Positions in blocks of so many lanes, each seen from the side that the net takes.
    pub fn encode(records: &[Record], orientation: Orientation, lanes: usize) -> Boards {
        let block = PLANE_INPUTS * lanes;
        let mut planes = vec![0f32; records.len().div_ceil(lanes) * block];
        for (records, block) in records.chunks(lanes).zip(planes.chunks_exact_mut(block)) {
            for (lane, record) in records.iter().enumerate() {
                let view = orientation.view(record.side_to_move());
                encoding::spread(&plane_boards(record, view), lane, lanes, block);
            }
        }
        Boards { planes, lanes }
    }
}

/// The same planes as [`encoding::plane_boards`] gives for the position.
pub(in crate::training) fn plane_boards(record: &Record, view: Color) -> [u64; PLANES] {
    let mut planes = [0; PLANES];
    for (piece, square) in record.pieces() {
        let input = piece_input(view.into(), piece, square);
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
        let boards = Boards::encode(&records, Orientation::White, 2);
        assert_eq!((boards.blocks(), boards.planes.len()), (2, 2 * 2 * PLANE_INPUTS));
        for (number, position) in positions.iter().enumerate() {
            let planes = encoding::planes(position, Color::White);
            let block = &boards.planes[number / 2 * 2 * PLANE_INPUTS..];
            assert!((0..PLANE_INPUTS).all(|place| block[place * 2 + number % 2] == planes[place]));
        }
    }
}
