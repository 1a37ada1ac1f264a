//! The end of every network: its outputs before the closing tanh become scores.

use super::curve::{Curve, Orientation};
use super::net::NetInfo;
use super::score::Score;
use crate::board::Position;

/// What turns outputs into scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputHead {
    /// From whose side the net sees the board.
    pub orientation: Orientation,
    /// What its output means in centipawns.
    pub curve: Curve,
}

impl OutputHead {
    /// The head of a net.
    pub fn of(info: &NetInfo) -> OutputHead {
        OutputHead {
            orientation: info.orientation,
            curve: info.curve,
        }
    }

    /// The score for the side to move of an output before tanh.
    pub fn score(&self, sum: f32, position: &Position) -> Score {
        let score = self.curve.score_before_tanh(sum);
        self.orientation.for_mover(score, position.side_to_move())
    }

    /// The scores of positions in the order of their outputs, each for its side to move.
    pub fn scores<'a>(
        &self,
        positions: &'a [Position],
        sums: impl IntoIterator<Item = f32> + 'a,
    ) -> impl Iterator<Item = Score> + 'a {
        let head = *self;
        positions
            .iter()
            .zip(sums)
            .map(move |(position, sum)| head.score(sum, position))
    }
}
