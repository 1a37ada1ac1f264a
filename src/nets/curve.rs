//! The meaning of a net's output: its point of view, and the conversion between its value in [-1, 1] and centipawns.

use super::score;
use super::score::{EVALUATION_LIMIT, Score};
use crate::board::Color;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The point of view of a net's input and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Orientation {
    /// The board is unchanged; the output is for White.
    White,
    /// When Black moves, colours are swapped and ranks flipped; the output is for the side to move.
    Mover,
}

impl Orientation {
    /// Its name in recipes and net files.
    pub fn name(self) -> &'static str {
        match self {
            Orientation::White => "white",
            Orientation::Mover => "mover",
        }
    }

    /// The side from which the net sees the board.
    #[inline]
    pub fn view(self, side_to_move: Color) -> Color {
        match self {
            Orientation::White => Color::White,
            Orientation::Mover => side_to_move,
        }
    }

    /// Converts a score of the net to the side to move's point of view.
    #[inline]
    pub fn for_mover(self, score: Score, side_to_move: Color) -> Score {
        if self.view(side_to_move) == side_to_move {
            score
        } else {
            -score
        }
    }

    /// Converts a score of the net to White's point of view.
    #[inline]
    pub fn for_white(self, score: Score, side_to_move: Color) -> Score {
        match self.view(side_to_move) {
            Color::White => score,
            Color::Black => -score,
        }
    }
}

/// The function from centipawns to the value in [-1, 1] that a net is trained on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Curve {
    /// Centipawns divided by this, clipped to ±1; the thesis divides by 1000, ten pawns.
    Linear {
        /// The score whose value is 1.
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
            // `{:?}` writes whole floats with the decimal point that TOML requires
            Curve::Linear { centipawns } => write!(f, "{{ linear = {{ centipawns = {centipawns:?} }} }}"),
            Curve::Tanh { scale } => write!(f, "{{ tanh = {{ scale = {scale:?} }} }}"),
        }
    }
}

/// A score in the unit of the thesis: centipawns divided by 1000, clipped to ±1; a mate is ±1.
pub fn thesis_unit(score: Score) -> f64 {
    f64::from(Curve::THESIS.value(score))
}

impl Curve {
    /// The curve of the thesis: ten pawns and more are 1.
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

    /// The score of a value, which is clamped to [-1, 1], within ±[`EVALUATION_LIMIT`].
    pub fn score(self, value: f32) -> Score {
        match self {
            Curve::Linear { centipawns } => centipawn(value.clamp(-1.0, 1.0) * centipawns),
            Curve::Tanh { scale } => centipawn(value.clamp(-1.0, 1.0).atanh() * scale),
        }
    }

    /// The score of a net's output before the final tanh. Near ±1 it is more precise than [`Curve::score`], and with
    /// [`Curve::Tanh`] it needs no tanh at all.
    pub fn score_before_tanh(self, sum: f32) -> Score {
        match self {
            Curve::Linear { centipawns } => centipawn(sum.tanh() * centipawns),
            Curve::Tanh { scale } => centipawn(sum * scale),
        }
    }

    /// Whether the curve's parameter is positive and finite.
    pub fn is_valid(self) -> bool {
        let (Curve::Linear { centipawns: unit } | Curve::Tanh { scale: unit }) = self;
        unit.is_finite() && unit > 0.0
    }
}

/// Rounds to a whole centipawn within the bounds of an evaluation; NaN becomes 0.
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
    fn scores_round_trip() {
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
