//! What the output of a net in training means, and the labels that it is compared with.

use crate::board::Color;
use crate::data::Record;
use crate::nets::curve::{Curve, Orientation};
use crate::nets::score::Score;

/// From whose side a net sees the board, and the curve between centipawns and its output in [-1, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meaning {
    /// From whose side the net sees the board, and for whom its output is.
    pub orientation: Orientation,
    /// What its output means.
    pub curve: Curve,
}

impl Meaning {
    /// The side whose view of a position the net has.
    pub fn view(&self, record: &Record) -> Color {
        self.orientation.view(record.side_to_move())
    }

    /// The value in [-1, 1] that the net should answer for a labelled position.
    pub fn target(&self, record: &Record) -> f32 {
        self.curve.value(label_for(record, self.view(record)))
    }

    /// The scores, in centipawns for White, of positions for which the net gave these sums before its closing tanh.
    pub fn scores_for_white(&self, records: &[Record], sums: &[f32]) -> Vec<Score> {
        let scores = records.iter().zip(sums).map(|(record, &sum)| {
            let score = self.curve.score_before_tanh(sum);
            self.orientation.for_white(score, record.side_to_move())
        });
        scores.collect()
    }
}

/// The label of a position for one side, in centipawns, mates near ±[`crate::nets::score::MATE`]; 0 without a label.
pub fn label_for(record: &Record, color: Color) -> Score {
    let score = record.score().unwrap_or(0) as Score;
    if color == Color::White { score } else { -score }
}
