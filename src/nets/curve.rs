//! What the output of a net means: from whose side it sees the board, and how its number in [-1, 1] becomes
//! centipawns and back.

use super::score;
use super::score::{EVALUATION_LIMIT, Score};
use crate::board::Color;
use serde::{Deserialize, Serialize};
use std::fmt;

/// From whose side a net sees the board, and for whom its output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Orientation {
    /// The board as it is; the output is for White.
    White,
    /// When Black moves, colours are swapped and ranks flipped; the output is for the side to move.
    Mover,
}

impl Orientation {
    /// As recipes and net files write it.
    pub fn name(self) -> &'static str {
        match self {
            Orientation::White => "white",
            Orientation::Mover => "mover",
        }
    }

    /// The side whose view is the net's, when this side has the move.
    #[inline]
    pub fn view(self, side_to_move: Color) -> Color {
        match self {
            Orientation::White => Color::White,
            Orientation::Mover => side_to_move,
        }
    }

    /// A score of the net for the side to move.
    #[inline]
    pub fn for_mover(self, score: Score, side_to_move: Color) -> Score {
        if self.view(side_to_move) == side_to_move {
            score
        } else {
            -score
        }
    }

    /// A score of the net for White.
    #[inline]
    pub fn for_white(self, score: Score, side_to_move: Color) -> Score {
        match self.view(side_to_move) {
            Color::White => score,
            Color::Black => -score,
        }
    }
}

/// How centipawns became the number in [-1, 1] that a net was trained on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Curve {
    /// Centipawns divided by this, clipped; seed `001` has ten pawns, 1000.
    Linear {
        /// The score that is 1.
        centipawns: f32,
    },
    /// The hyperbolic tangent of centipawns divided by this scale.
    Tanh {
        /// The score whose value is tanh 1 = 0.76.
        scale: f32,
    },
}

impl fmt::Display for Curve {
    /// As recipes write it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            // the other form of a float leaves out the point that TOML asks for
            Curve::Linear { centipawns } => write!(f, "{{ linear = {{ centipawns = {centipawns:?} }} }}"),
            Curve::Tanh { scale } => write!(f, "{{ tanh = {{ scale = {scale:?} }} }}"),
        }
    }
}

/// A score in the seed's unit: ten pawns are 1, more is 1 too, and so is a mate.
pub fn thesis_unit(score: Score) -> f64 {
    f64::from(Curve::THESIS.value(score))
}

impl Curve {
    /// The seed's curve: ten pawns are 1, more is 1 too.
    pub const THESIS: Curve = Curve::Linear { centipawns: 1000.0 };

    /// The value in [-1, 1] of a score; a forced mate is ±1.
    pub fn value(self, score: Score) -> f32 {
        if score::is_mate(score) {
            return score.signum() as f32;
        }
        match self {
            Curve::Linear { centipawns } => (score as f32 / centipawns).clamp(-1.0, 1.0),
            Curve::Tanh { scale } => (score as f32 / scale).tanh(),
        }
    }

    /// The score of a value in [-1, 1], within ±[`EVALUATION_LIMIT`]. A value beyond counts as ±1.
    pub fn score(self, value: f32) -> Score {
        match self {
            Curve::Linear { centipawns } => centipawn(value.clamp(-1.0, 1.0) * centipawns),
            Curve::Tanh { scale } => centipawn(value.clamp(-1.0, 1.0).atanh() * scale),
        }
    }

    /// The score of what a net computes before its closing tanh. It is finer than [`Curve::score`] where the value
    /// comes near ±1, and needs no tanh at all under [`Curve::Tanh`].
    pub fn score_before_tanh(self, sum: f32) -> Score {
        match self {
            Curve::Linear { centipawns } => centipawn(sum.tanh() * centipawns),
            Curve::Tanh { scale } => centipawn(sum * scale),
        }
    }

    /// Whether the numbers of the curve make sense: positive and finite.
    pub fn is_valid(self) -> bool {
        let (Curve::Linear { centipawns: unit } | Curve::Tanh { scale: unit }) = self;
        unit.is_finite() && unit > 0.0
    }
}

/// Rounds to a whole centipawn within the bounds of an evaluation; what is not a number becomes 0.
fn centipawn(score: f32) -> Score {
    // `as` saturates, and takes NaN to 0
    (score.round() as Score).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::score::{mate_in, mated_in};

    const TANH: Curve = Curve::Tanh { scale: 800.0 };

    #[test]
    fn scores_survive_the_way_there_and_back() {
        for cp in -990..=990 {
            assert_eq!(Curve::THESIS.score(Curve::THESIS.value(cp)), cp);
            assert_eq!(TANH.score(TANH.value(cp)), cp);
        }
    }

    #[test]
    fn the_ends_are_bounded() {
        for curve in [Curve::THESIS, TANH] {
            assert_eq!(curve.value(mate_in(3)), 1.0);
            assert_eq!(curve.value(mated_in(4)), -1.0);
            for value in [-9.0, -1.0, 1.0, f32::INFINITY, f32::NAN] {
                assert!(curve.score(value).abs() <= EVALUATION_LIMIT);
                assert!(curve.score_before_tanh(value * 1e9).abs() <= EVALUATION_LIMIT);
            }
        }
        assert_eq!(Curve::THESIS.value(2500), 1.0);
        assert_eq!(Curve::THESIS.score(1.0), 1000);
        assert_eq!(TANH.score(1.0), EVALUATION_LIMIT);
        assert_eq!(TANH.score(f32::NAN), 0);
    }

    #[test]
    fn the_score_before_the_tanh_is_the_same_score() {
        for sum in [-2.0, -0.3, 0.0, 0.1, 1.5_f32] {
            for curve in [Curve::THESIS, TANH] {
                assert!((curve.score_before_tanh(sum) - curve.score(sum.tanh())).abs() <= 1);
            }
        }
    }
}
