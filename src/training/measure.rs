//! How far scores are from their labels, and what two predictors without a network reach.
//!
//! Errors are in the seed's unit: scores are divided by ten pawns and clipped to ±1.

use super::batch::score_for;
use crate::board::{Color, Piece};
use crate::data::Record;
use crate::evaluation::net::Validation;
use crate::evaluation::{Curve, Score};

/// A score in the seed's unit.
pub fn seed_unit(score: Score) -> f64 {
    Curve::SEED.value(score) as f64
}

/// Whether a search would leave the position alone: not in check, and the best move neither captures nor promotes.
pub fn is_quiet(record: &Record) -> bool {
    !record.in_check() && record.best().is_some_and(|best| best.is_quiet())
}

/// The mean of the numbers, 0 for none.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
}

/// The errors of scores (for White) on labelled positions, beside those of the baselines.
pub fn errors(records: &[Record], scores: &[Score], baselines: &Baselines) -> Validation {
    let [mut all, mut quiet, mut constant, mut material] = [Mean::default(); 4];
    for (record, &score) in records.iter().zip(scores) {
        let label = seed_unit(score_for(record, Color::White));
        let error = (seed_unit(score) - label).abs();
        all.add(error);
        if is_quiet(record) {
            quiet.add(error);
        }
        constant.add((baselines.constant - label).abs());
        material.add((baselines.material(record) - label).abs());
    }
    Validation {
        positions: records.len() as u64,
        error: all.value(),
        error_quiet: quiet.value(),
        constant: constant.value(),
        material: material.value(),
    }
}

/// What can be said without a network, fitted to training positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baselines {
    /// The median of the labels for White, in the seed's unit.
    pub constant: f64,
    /// What a pawn, knight, bishop, rook and queen are worth, then the right to move, in centipawns.
    pub values: [f64; 6],
}

impl Baselines {
    /// Fits the constant and, by least squares on labels clipped to ten pawns, the values of pieces.
    pub fn fit(records: &[Record]) -> Baselines {
        let mut labels: Vec<f64> = Vec::with_capacity(records.len());
        let mut normal = [[0f64; 7]; 6];
        for record in records {
            let label = seed_unit(score_for(record, Color::White)) * 1000.0;
            labels.push(label);
            let counts = material_counts(record);
            for row in 0..6 {
                for column in 0..6 {
                    normal[row][column] += counts[row] * counts[column];
                }
                normal[row][6] += counts[row] * label;
            }
        }
        let middle = labels.len() / 2;
        let constant = if labels.is_empty() {
            0.0
        } else {
            *labels.select_nth_unstable_by(middle, f64::total_cmp).1 / 1000.0
        };
        Baselines {
            constant,
            values: solve(normal),
        }
    }

    /// What counting material says of a position, for White, in the seed's unit.
    pub fn material(&self, record: &Record) -> f64 {
        let counts = material_counts(record);
        let centipawns: f64 = counts
            .iter()
            .zip(self.values)
            .map(|(count, value)| count * value)
            .sum();
        (centipawns / 1000.0).clamp(-1.0, 1.0)
    }
}

/// White's pieces less Black's, from pawns to queens, and ±1 for the right to move.
fn material_counts(record: &Record) -> [f64; 6] {
    let mut counts = [0.0; 6];
    let side = |color: Color| if color == Color::White { 1.0 } else { -1.0 };
    for (piece, _) in record.pieces() {
        if !matches!(piece, Piece::WhiteKing | Piece::BlackKing) {
            counts[piece.kind().index()] += side(piece.color());
        }
    }
    counts[5] = side(record.side_to_move());
    counts
}

/// Solves six linear equations by elimination; a little is added to the diagonal, so that pieces that never occur are
/// worth 0.
fn solve(mut rows: [[f64; 7]; 6]) -> [f64; 6] {
    for (place, row) in rows.iter_mut().enumerate() {
        row[place] += 1e-6;
    }
    for pivot in 0..6 {
        // the matrix is positive definite: no exchange of rows is needed
        let chosen = rows[pivot].map(|value| value / rows[pivot][pivot]);
        for (place, row) in rows.iter_mut().enumerate() {
            let factor = row[pivot];
            if place != pivot {
                row.iter_mut()
                    .zip(chosen)
                    .for_each(|(value, part)| *value -= factor * part);
            }
        }
        rows[pivot] = chosen;
    }
    rows.map(|row| row[6])
}
