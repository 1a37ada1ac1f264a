//! What the six outputs of a control net say: kinds of advantage, one number for all of them, and centipawns.

use crate::nets::score::Score;

/// Outputs: a slight, a clear and a decisive advantage of White, then the same of Black.
pub const OUTPUTS: usize = 6;
/// Outputs up to this value are ignored (the document's section on the output).
pub const THRESHOLD: f32 = 0.22;
/// What each output is multiplied by (the document's table of valuations).
pub const WEIGHTS: [f32; OUTPUTS] = [1.0, 2.0, 3.0, -1.0, -2.0, -3.0];
/// The sum of the outputs is clipped to ± this, the valuation of a decisive advantage.
pub const MOST: f32 = 3.0;

/// The least score, in centipawns, of a slight, a clear and a decisive advantage. The document names the kinds and not
/// their bounds; these are ours: half a pawn is more than the right to move, with a pawn and a half one side presses,
/// and with four pawns games are won.
pub const BOUNDS: [Score; 3] = [50, 150, 400];

/// The output that a labelled position should set, from its score for White; `None` where neither side is better. A
/// forced mate is decisive.
pub fn output_of(score: Score) -> Option<usize> {
    let kind = BOUNDS.iter().rposition(|&bound| score.abs() >= bound)?;
    Some(if score > 0 { kind } else { kind + OUTPUTS / 2 })
}

/// The valuation of a position for White, in [−3, 3]: the sum of the outputs above the threshold, each times its weight.
pub fn advantage(outputs: &[f32; OUTPUTS]) -> f32 {
    let above = |(&output, weight): (&f32, f32)| if output > THRESHOLD { output * weight } else { 0.0 };
    let sum: f32 = outputs.iter().zip(WEIGHTS).map(above).sum();
    sum.clamp(-MOST, MOST)
}

/// How much of the first, second and third unit an advantage of this size fills, each in [0, 1].
pub fn units(size: f32) -> [f32; 3] {
    std::array::from_fn(|unit| (size - unit as f32).clamp(0.0, 1.0))
}

/// What an advantage is worth: a piecewise linear function with three segments that starts at 0, the same for both
/// sides. Training fits it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdvantageCurve {
    /// What the first, the second and the third unit of an advantage add to the value, which the curve of the net turns
    /// into centipawns.
    pub steps: [f32; 3],
}

impl AdvantageCurve {
    /// The value in [−1, 1] of an advantage in [−3, 3], for the same side.
    pub fn value(&self, advantage: f32) -> f32 {
        let parts = units(advantage.abs()).into_iter().zip(self.steps);
        let size: f32 = parts.map(|(share, step)| share * step).sum();
        size.min(1.0).copysign(advantage)
    }

    /// Whether a greater advantage is never worth less.
    pub fn is_valid(&self) -> bool {
        self.steps.iter().all(|step| step.is_finite() && *step >= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::score::{mate_in, mated_in};

    #[test]
    fn labels_set_the_output_of_their_kind() {
        for (score, output) in [
            (0, None),
            (-49, None),
            (50, Some(0)),
            (149, Some(0)),
            (150, Some(1)),
            (400, Some(2)),
            (-50, Some(3)),
            (-399, Some(4)),
            (-2000, Some(5)),
            (mate_in(3), Some(2)),
            (mated_in(2), Some(5)),
        ] {
            assert_eq!(output_of(score), output, "{score}");
        }
    }

    #[test]
    fn outputs_below_the_threshold_say_nothing() {
        assert_eq!(advantage(&[0.22, 0.2, 0.1, 0.0, 0.22, 0.21]), 0.0);
        assert_eq!(advantage(&[0.5, 0.0, 0.0, 0.0, 0.0, 0.21]), 0.5);
        assert_eq!(advantage(&[0.0, 0.5, 0.0, 0.5, 0.0, 0.0]), 0.5);
        assert_eq!(advantage(&[0.9, 0.9, 0.9, 0.0, 0.0, 0.0]), 3.0);
        assert_eq!(advantage(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), -3.0);
    }

    #[test]
    fn the_curve_joins_its_corners() {
        let steps = [0.08, 0.12, 0.3];
        let curve = AdvantageCurve { steps };
        for (advantage, value) in [
            (0.0, 0.0),
            (0.5, 0.04),
            (1.0, 0.08),
            (1.5, 0.14),
            (3.0, 0.5),
            (-2.5, -0.35),
        ] {
            assert!((curve.value(advantage) - value).abs() < 1e-6, "{advantage}");
        }
        assert!(curve.is_valid());
        for step in [-0.1, f32::NAN, f32::INFINITY] {
            let steps = [0.1, step, 0.1];
            assert!(!AdvantageCurve { steps }.is_valid());
        }
        let steep = AdvantageCurve { steps: [0.7; 3] };
        assert_eq!((steep.value(3.0), steep.value(-3.0)), (1.0, -1.0));
    }
}
