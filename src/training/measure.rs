//! How far scores are from their labels, beside what two predictors without a network reach.
//!
//! Errors are in the thesis's unit unless a name says otherwise: scores are divided by ten pawns and clipped to ±1.

use super::baselines::{Baselines, material_counts};
use super::meaning::label_for;
use crate::board::{Color, Phase};
use crate::data::Record;
use crate::nets::curve::thesis_unit;
use crate::nets::net::Validation;
use crate::nets::score::EVALUATION_LIMIT;
use crate::nets::score::Score;
use crate::nets::wdl::expected;

/// Labels below this many centipawns count for the error in centipawns.
const CENTIPAWN_BOUND: i32 = 1000;
/// The thesis calls an answer correct within this distance; nearly all are.
const LOOSE: f64 = 0.9;
/// A stricter distance: one pawn.
const STRICT: f64 = 0.1;

/// Whether a search would leave the position alone: not in check, and the best move neither captures nor promotes.
pub fn is_quiet(record: &Record) -> bool {
    !record.in_check() && record.best().is_some_and(|best| best.is_quiet())
}

/// How far a prediction in centipawns is from a label, in the thesis's unit.
pub fn error(predicted: f64, label: Score) -> f64 {
    (clipped(predicted) - thesis_unit(label)).abs()
}

/// A prediction in the thesis's unit.
fn clipped(predicted: f64) -> f64 {
    (predicted / 1000.0).clamp(-1.0, 1.0)
}

/// Sums over positions, from which the measures are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    count: u64,
    absolute: f64,
    expected: f64,
    small: u64,
    centipawns: f64,
    decided: u64,
    right_side: u64,
    loose: u64,
    strict: u64,
    /// Sums of prediction, label, their squares and their product.
    moments: [f64; 5],
}

impl Errors {
    /// Adds a position: what was predicted and the label, in centipawns for White.
    pub fn add(&mut self, predicted: f64, label: Score) {
        let (x, y) = (clipped(predicted), thesis_unit(label));
        let error = error(predicted, label);
        self.count += 1;
        self.absolute += error;
        self.expected += (expected_score(predicted) - expected(label)).abs();
        self.loose += (error <= LOOSE) as u64;
        self.strict += (error <= STRICT) as u64;
        if label.abs() < CENTIPAWN_BOUND {
            self.small += 1;
            self.centipawns += (predicted - label as f64).abs();
        }
        if label != 0 {
            self.decided += 1;
            self.right_side += (predicted * label as f64 > 0.0) as u64;
        }
        for (sum, value) in self.moments.iter_mut().zip([x, y, x * x, y * y, x * y]) {
            *sum += value;
        }
    }

    /// Positions added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean absolute error.
    pub fn mean(&self) -> f64 {
        ratio(self.absolute, self.count)
    }

    /// The mean absolute error, if any position was added.
    pub fn known_mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.mean())
    }

    /// The mean absolute error in the score of the game that is expected, where 1 is a win and 0.5 a draw.
    pub fn expected(&self) -> f64 {
        ratio(self.expected, self.count)
    }

    /// The mean absolute error in centipawns where the label is within ten pawns.
    pub fn centipawns(&self) -> f64 {
        ratio(self.centipawns, self.small)
    }

    /// The share of positions that are not level in which the right side is said to be better.
    pub fn sign(&self) -> f64 {
        ratio(self.right_side as f64, self.decided)
    }

    /// The share within 0.9, what the thesis calls correct.
    pub fn loose(&self) -> f64 {
        ratio(self.loose as f64, self.count)
    }

    /// The share within 0.1.
    pub fn strict(&self) -> f64 {
        ratio(self.strict as f64, self.count)
    }

    /// Pearson's correlation; 0 where one side does not vary.
    pub fn correlation(&self) -> f64 {
        let [x, y, xx, yy, xy] = self.moments.map(|sum| ratio(sum, self.count));
        let spread = ((xx - x * x) * (yy - y * y)).max(0.0).sqrt();
        if spread < 1e-9 { 0.0 } else { (xy - x * y) / spread }
    }
}

/// The score of the game, from 0 to 1, that a prediction in centipawns stands for; no prediction is a forced mate.
fn expected_score(predicted: f64) -> f64 {
    let bound = f64::from(EVALUATION_LIMIT);
    expected(predicted.round().clamp(-bound, bound) as Score)
}

fn ratio(sum: f64, count: u64) -> f64 {
    sum / count.max(1) as f64
}

/// The predictors that are measured side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    pub net: Errors,
    /// The best constant.
    pub constant: Errors,
    pub material: Errors,
}

/// Some of the positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    All,
    /// Where a search would stop; see [`is_quiet`].
    Quiet,
    /// 26 pieces and more.
    Opening,
    /// 13 to 25 pieces.
    Middlegame,
    /// At most 12 pieces.
    Endgame,
    /// Material differs by less than a pawn (1, 3, 3, 5, 9).
    Level,
    /// By one or two pawns.
    Pawns,
    /// By three pawns or more.
    Pieces,
}

impl Group {
    /// Every group, in the order of reports.
    pub const ALL: [Group; 8] = [
        Group::All,
        Group::Quiet,
        Group::Opening,
        Group::Middlegame,
        Group::Endgame,
        Group::Level,
        Group::Pawns,
        Group::Pieces,
    ];

    /// How reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Group::All => "all",
            Group::Quiet => "quiet",
            Group::Opening => "26+ pieces",
            Group::Middlegame => "13-25 pieces",
            Group::Endgame => "2-12 pieces",
            Group::Level => "material level",
            Group::Pawns => "1-2 pawns up",
            Group::Pieces => "3+ pawns up",
        }
    }

    /// Whether a position belongs to it.
    pub fn holds(self, record: &Record) -> bool {
        let material = || plain_material(record).unsigned_abs();
        let phase = || Phase::of_pieces(record.piece_count());
        match self {
            Group::All => true,
            Group::Quiet => is_quiet(record),
            Group::Opening => phase() == Phase::Opening,
            Group::Middlegame => phase() == Phase::Middlegame,
            Group::Endgame => phase() == Phase::Endgame,
            Group::Level => material() == 0,
            Group::Pawns => (1..3).contains(&material()),
            Group::Pieces => material() >= 3,
        }
    }
}

/// The errors on each group of positions, in the order of [`Group::ALL`].
#[derive(Clone, Debug, PartialEq)]
pub struct Measures([Row; Group::ALL.len()]);

impl Measures {
    /// Measures scores (for White, in centipawns) on labelled positions, beside the baselines.
    pub fn of(records: &[Record], scores: &[Score], baselines: &Baselines) -> Measures {
        let mut rows = [Row::default(); Group::ALL.len()];
        for (record, &score) in records.iter().zip(scores) {
            let label = label_for(record, Color::White);
            let material = baselines.material(record);
            for (row, group) in rows.iter_mut().zip(Group::ALL) {
                if group.holds(record) {
                    row.net.add(score as f64, label);
                    row.constant.add(baselines.constant, label);
                    row.material.add(material, label);
                }
            }
        }
        Measures(rows)
    }

    /// The errors on one group.
    pub fn row(&self, group: Group) -> &Row {
        &self.0[group as usize]
    }

    /// What of the measures a net file keeps.
    pub fn validation(&self) -> Validation {
        let all = self.row(Group::All);
        Validation {
            positions: all.net.count(),
            error: all.net.mean(),
            error_quiet: self.row(Group::Quiet).net.known_mean(),
            constant: all.constant.mean(),
            material: all.material.mean(),
        }
    }
}

/// Material for White in pawns, as books for beginners count it.
fn plain_material(record: &Record) -> i32 {
    const VALUES: [f64; 5] = [1.0, 3.0, 3.0, 5.0, 9.0];
    let counts = material_counts(record);
    counts
        .iter()
        .zip(VALUES)
        .map(|(count, value)| count * value)
        .sum::<f64>() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Label;

    fn record(fen: &str, score: i32) -> Record {
        Record::new(&Position::from_fen(fen).unwrap()).with_label(Label::centipawns(score))
    }

    #[test]
    fn measures_by_hand() {
        let mut errors = Errors::default();
        for (predicted, label) in [(100.0, 150), (-300.0, 100), (2000.0, 1500), (50.0, 0)] {
            errors.add(predicted, label);
        }
        assert_eq!(errors.count(), 4);
        assert!((errors.mean() - (0.05 + 0.4 + 0.0 + 0.05) / 4.0).abs() < 1e-6);
        assert!((errors.centipawns() - (50.0 + 400.0 + 50.0) / 3.0).abs() < 1e-6);
        let lost =
            [(100, 150), (-300, 100), (2000, 1500), (50, 0)].map(|(a, b)| (expected(a) - expected(b)).abs());
        assert!((errors.expected() - lost.iter().sum::<f64>() / 4.0).abs() < 1e-12);
        assert!(
            errors.expected() > 0.1,
            "from worse to better is much: {}",
            errors.expected()
        );
        assert!((errors.sign() - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!((errors.loose(), errors.strict()), (1.0, 0.75));
        assert_eq!(errors.known_mean(), Some(errors.mean()));
        assert_eq!(Errors::default().known_mean(), None);
        assert!(errors.correlation() > 0.5 && errors.correlation() < 1.0);
    }

    #[test]
    fn a_mate_is_a_win_and_no_prediction_is_a_mate() {
        let mut errors = Errors::default();
        errors.add(0.0, crate::nets::score::mate_in(3));
        assert_eq!(errors.expected(), 0.5);
        let mut errors = Errors::default();
        errors.add(1e9, -EVALUATION_LIMIT);
        assert!(errors.expected() < 1.0 + 1e-12 && errors.expected() > 0.999);
    }

    #[test]
    fn correlation_of_a_straight_line_is_one() {
        let mut line = Errors::default();
        let mut flat = Errors::default();
        for label in -50..=50 {
            line.add(2.0 * label as f64 + 30.0, label);
            flat.add(7.0, label);
        }
        assert!((line.correlation() - 1.0).abs() < 1e-6);
        assert!(flat.correlation().abs() < 1e-6);
    }

    #[test]
    fn groups_divide_the_positions() {
        let start = record(Position::START_FEN, 20);
        let queen_up = record("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", 900);
        let in_group = |record: &Record| Group::ALL.map(|group| group.holds(record));
        // neither has a best move, so neither is known to be quiet
        assert_eq!(
            in_group(&start),
            [true, false, true, false, false, true, false, false]
        );
        assert_eq!(
            in_group(&queen_up),
            [true, false, false, false, true, false, false, true]
        );
        let baselines = Baselines {
            constant: 0.0,
            values: [100.0, 300.0, 300.0, 500.0, 900.0, 0.0],
        };
        let measures = Measures::of(&[start, queen_up], &[20, 500], &baselines);
        assert_eq!(measures.row(Group::All).net.count(), 2);
        assert!((measures.row(Group::All).net.mean() - 0.2).abs() < 1e-6);
        assert!((measures.row(Group::Pieces).material.mean()).abs() < 1e-6);
        assert!((measures.row(Group::Endgame).constant.mean() - 0.9).abs() < 1e-6);
    }

    #[test]
    fn two_pawns_are_pawns_and_three_are_a_piece() {
        let groups = |pawns: &str| {
            let record = record(&format!("4k3/8/8/8/8/8/{pawns}/4K3 w - - 0 1"), 0);
            [Group::Level, Group::Pawns, Group::Pieces].map(|group| group.holds(&record))
        };
        assert_eq!(groups("8"), [true, false, false]);
        assert_eq!(groups("P7"), [false, true, false]);
        assert_eq!(groups("PP6"), [false, true, false]);
        assert_eq!(groups("PPP5"), [false, false, true]);
    }
}
