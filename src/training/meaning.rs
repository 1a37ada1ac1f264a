//! What the output of a net in training means, and the labels that it is compared with.

use crate::board::{Color, GameResult};
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

    /// The scores, in centipawns for White, of positions for which the net gave these sums before its closing tanh.
    pub fn scores_for_white(&self, records: &[Record], sums: &[f32]) -> Vec<Score> {
        let scores = records.iter().zip(sums).map(|(record, &sum)| {
            let score = self.curve.score_before_tanh(sum);
            self.orientation.for_white(score, record.side_to_move())
        });
        scores.collect()
    }
}

/// What a net in training should answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// What the answers mean.
    pub meaning: Meaning,
    /// How much the result of the game counts beside the score, from 0 to 1.
    pub result_share: f32,
}

impl Goal {
    /// The value in [-1, 1] that the net should answer for a labelled position.
    pub fn target(&self, record: &Record) -> f32 {
        let view = self.meaning.view(record);
        let score = self.meaning.curve.value(label_for(record, view));
        match result_for(record, view) {
            Some(result) => score + self.result_share * (result - score),
            None => score,
        }
    }
}

/// The result of a position's game for one side: 1 is won, 0 drawn, −1 lost; `None` where it is not known.
fn result_for(record: &Record, color: Color) -> Option<f32> {
    match record.result() {
        GameResult::Unknown => None,
        GameResult::Draw => Some(0.0),
        result => Some(if result == GameResult::win(color) {
            1.0
        } else {
            -1.0
        }),
    }
}

/// The label of a position for one side, in centipawns, mates near ±[`crate::nets::score::MATE`]; 0 without a label.
pub fn label_for(record: &Record, color: Color) -> Score {
    let score = record.score().unwrap_or(0) as Score;
    if color == Color::White { score } else { -score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Label;

    #[test]
    fn results_have_their_share_of_the_target() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").unwrap();
        let record = Record::new(&position).with_label(Label::centipawns(250));
        let target = |orientation, result, result_share| {
            let meaning = Meaning {
                orientation,
                curve: Curve::Linear { centipawns: 1000.0 },
            };
            Goal {
                meaning,
                result_share,
            }
            .target(&record.with_result(result))
        };
        // White is a quarter ahead, and Black to move
        for (result, for_white) in [
            (GameResult::Unknown, 0.25),
            (GameResult::WhiteWins, 0.25 + 0.2 * 0.75),
            (GameResult::Draw, 0.25 - 0.2 * 0.25),
            (GameResult::BlackWins, 0.25 - 0.2 * 1.25),
        ] {
            for (orientation, wanted) in [(Orientation::White, for_white), (Orientation::Mover, -for_white)] {
                let found = target(orientation, result, 0.2);
                assert!((found - wanted).abs() < 1e-6, "{result:?}: {found} {wanted}");
                assert_eq!(target(orientation, result, 0.0).abs(), 0.25);
            }
        }
    }
}
