//! A batch as the fused training takes it: sorted by output bucket, with the inputs of both views side by side, and for
//! every input the list of views that have it.

use super::BLOCK;
use crate::board::{Color, PieceType, Square};
use crate::data::Record;
use crate::nets::curve::Orientation;
use crate::nets::encoding::{INPUTS, state_bits};
use crate::nets::mlp::shape::MlpShape;
use arrayvec::ArrayVec;

/// Views of a position: the mover's, then the opponent's.
pub const VIEWS: usize = 2;

/// Consecutive places whose positions share an output bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    pub bucket: usize,
    /// The first place.
    pub start: usize,
    /// How many places hold a position.
    pub positions: usize,
    /// How many places there are, a multiple of [`BLOCK`]; the last ones are empty.
    pub places: usize,
}

/// Positions encoded for the fused training.
#[derive(Debug, Default)]
pub struct Sorted {
    /// Which position of the batch stands at each place; `None` at the empty ones.
    pub order: Vec<Option<u32>>,
    /// By bucket; one without positions has no segment.
    pub segments: Vec<Segment>,
    /// Where the inputs of each place begin in `inputs`, and at last their number.
    starts: Vec<u32>,
    /// The set inputs of both views; where one view has fewer, [`input_count`] fills it up.
    inputs: Vec<[u16; VIEWS]>,
    /// The reverse: which views have which input.
    pub seen: Seen,
}

/// For every input that occurs in a batch the views that have it; view `v` of place `p` is `VIEWS · p + v`.
#[derive(Debug, Default)]
pub struct Seen {
    /// The inputs, ascending.
    pub inputs: Vec<u16>,
    /// Where the views of each begin in `views`, and at last their number.
    starts: Vec<u32>,
    views: Vec<u32>,
}

/// How many inputs the first layer has, those of all regions.
pub fn input_count(shape: &MlpShape) -> usize {
    INPUTS * shape.regions
}

/// The number of an input here. The weights of one bit for all regions stand together, because the factoriser's weights
/// change with them.
#[inline(always)]
pub fn input(bit: usize, region: usize, regions: usize) -> usize {
    bit * regions + region
}

impl Sorted {
    /// Encodes positions for a net of this shape with two perspectives.
    pub fn encode(records: &[Record], shape: &MlpShape) -> Sorted {
        let buckets: Vec<u8> = records
            .iter()
            .map(|record| shape.bucket(record.piece_count() as usize) as u8)
            .collect();
        let mut sorted = Sorted::default();
        sorted.sort(&buckets, shape.buckets);
        sorted.inputs.reserve(records.len() * 34);
        sorted.starts.push(0);
        for place in 0..sorted.order.len() {
            if let Some(number) = sorted.order[place] {
                push_inputs(&records[number as usize], shape, &mut sorted.inputs);
            }
            sorted.starts.push(sorted.inputs.len() as u32);
        }
        sorted.seen = sorted.inverted(input_count(shape));
        sorted
    }

    /// Gives every position its place.
    fn sort(&mut self, buckets: &[u8], count: usize) {
        let mut positions = vec![0; count];
        for &bucket in buckets {
            positions[bucket as usize] += 1;
        }
        let (mut start, mut next) = (0, Vec::with_capacity(count));
        for (bucket, positions) in positions.into_iter().enumerate() {
            next.push(start);
            let places = usize::next_multiple_of(positions, BLOCK);
            if positions > 0 {
                self.segments.push(Segment {
                    bucket,
                    start,
                    positions,
                    places,
                });
            }
            start += places;
        }
        self.order = vec![None; start];
        for (number, &bucket) in buckets.iter().enumerate() {
            let next = &mut next[bucket as usize];
            self.order[*next] = Some(number as u32);
            *next += 1;
        }
    }

    /// How many places there are, the empty ones included.
    pub fn places(&self) -> usize {
        self.order.len()
    }

    /// The set inputs of a place, for both views.
    #[inline(always)]
    pub fn inputs_at(&self, place: usize) -> &[[u16; VIEWS]] {
        &self.inputs[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// The views of each input, by counting.
    fn inverted(&self, count: usize) -> Seen {
        let mut ends = vec![0u32; count + 1];
        for pair in &self.inputs {
            for &input in pair {
                ends[input as usize] += 1;
            }
        }
        // what fills up stands for no input
        ends[count] = 0;
        let mut seen = Seen::default();
        let mut total = 0;
        for (input, end) in ends.iter_mut().enumerate() {
            let views = *end;
            if views > 0 {
                seen.inputs.push(input as u16);
                seen.starts.push(total);
            }
            *end = total;
            total += views;
        }
        seen.starts.push(total);
        // one more, where the views of what fills up go
        seen.views = vec![0; total as usize + 1];
        for place in 0..self.places() {
            for pair in self.inputs_at(place) {
                for (view, &input) in pair.iter().enumerate() {
                    let end = &mut ends[input as usize];
                    seen.views[*end as usize] = (VIEWS * place + view) as u32;
                    *end += u32::from((input as usize) < count);
                }
            }
        }
        seen.views.truncate(total as usize);
        seen
    }
}

impl Seen {
    /// The views that have the input at this place of `inputs`.
    #[inline(always)]
    pub fn views(&self, number: usize) -> &[u32] {
        &self.views[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// From where one side sees the board: what a piece's input is made of.
struct Eye {
    /// Exchanges the colours' bits.
    turned: usize,
    /// Turns a square's number.
    squares: usize,
    region: usize,
}

/// Appends the inputs of a position, mover's view and opponent's.
fn push_inputs(record: &Record, shape: &MlpShape, inputs: &mut Vec<[u16; VIEWS]>) {
    let mut pieces = ArrayVec::<(u8, u8), 32>::new();
    let mut kings = [Square::new(0); 2];
    for (piece, square) in record.pieces() {
        pieces.push((piece.index() as u8, square.index() as u8));
        if piece.kind() == PieceType::King {
            kings[piece.color().index()] = square;
        }
    }
    let mover = Orientation::Mover.view(record.side_to_move());
    let sides = [mover, !mover];
    let eyes = sides.map(|side| {
        let view = shape.view(side, kings[side.index()]);
        Eye {
            turned: if side == Color::Black { 6 } else { 0 },
            squares: if side == Color::Black { 56 } else { 0 } ^ if view.mirrored { 7 } else { 0 },
            region: view.region.into(),
        }
    });
    let regions = shape.regions;
    for &(piece, square) in &pieces {
        inputs.push(eyes.each_ref().map(|eye| {
            let piece = usize::from(piece) + eye.turned;
            let piece = if piece >= 12 { piece - 12 } else { piece };
            let bit = piece * 64 + (usize::from(square) ^ eye.squares);
            input(bit, eye.region, regions) as u16
        }));
    }
    let (castling, passing) = (record.castling(), record.en_passant().is_some());
    let states = sides.map(|side| state_bits(record.side_to_move(), castling, passing, side));
    let filling = input_count(shape) as u16;
    for place in 0..states[0].len().max(states[1].len()) {
        let of = |view: usize| match states[view].get(place) {
            Some(&bit) => input(bit.into(), eyes[view].region, regions) as u16,
            None => filling,
        };
        inputs.push([of(0), of(1)]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::records;
    use super::*;
    use crate::training::mlp::encode::Bits;

    #[test]
    fn the_inputs_are_those_of_the_reference_in_both_directions() {
        let records = records(300);
        for layout in [
            "2x774-64-16-32-1x8",
            "2x774m-64-16-32-1x8",
            "2x774m5-64-16-32-1x8",
        ] {
            let shape: MlpShape = layout.parse().unwrap();
            let bits = Bits::encode(&records, &shape, Orientation::Mover);
            let sorted = Sorted::encode(&records, &shape);
            let mut seen = vec![Vec::new(); VIEWS * sorted.places()];
            for (number, &input) in sorted.seen.inputs.iter().enumerate() {
                for &view in sorted.seen.views(number) {
                    seen[view as usize].push(input);
                }
            }
            let mut found = 0;
            for (place, number) in sorted.order.iter().enumerate() {
                let rows = sorted.inputs_at(place);
                let Some(number) = *number else {
                    assert!(rows.is_empty());
                    continue;
                };
                found += 1;
                for view in 0..VIEWS {
                    let row = bits.rows.row(number as usize * VIEWS + view);
                    let mut wanted: Vec<u16> = row
                        .iter()
                        .map(|&bit| input(bit as usize % INPUTS, bit as usize / INPUTS, shape.regions) as u16)
                        .collect();
                    let mut row: Vec<u16> = rows.iter().map(|pair| pair[view]).collect();
                    row.retain(|&input| usize::from(input) < input_count(&shape));
                    wanted.sort_unstable();
                    row.sort_unstable();
                    assert_eq!(row, wanted, "{layout}");
                    assert_eq!(seen[VIEWS * place + view], wanted, "{layout}");
                }
            }
            assert_eq!(found, records.len());
            for segment in &sorted.segments {
                let places = segment.start..segment.start + segment.places;
                for (place, number) in places.clone().zip(&sorted.order[places]) {
                    let held = place < segment.start + segment.positions;
                    assert_eq!(number.is_some(), held);
                    assert!(number.is_none_or(|n| usize::from(bits.buckets[n as usize]) == segment.bucket));
                }
            }
        }
    }
}
