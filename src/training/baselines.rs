//! Two predictors without a network, to measure nets beside: a constant and a count of material.

use super::meaning::label_for;
use crate::board::{Color, Piece};
use crate::data::Record;
use crate::nets::curve::thesis_unit;

/// What can be said without a network, fitted to labelled positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baselines {
    /// The median of the labels for White, in centipawns: no other constant has a smaller mean error.
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
            let label = thesis_unit(label_for(record, Color::White)) * 1000.0;
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
            *labels.select_nth_unstable_by(middle, f64::total_cmp).1
        };
        Baselines {
            constant,
            values: solve(normal),
        }
    }

    /// What counting material says of a position, in centipawns for White.
    pub fn material(&self, record: &Record) -> f64 {
        let counts = material_counts(record);
        counts
            .iter()
            .zip(self.values)
            .map(|(count, value)| count * value)
            .sum()
    }
}

/// White's pieces less Black's, from pawns to queens, and ±1 for the right to move.
pub(super) fn material_counts(record: &Record) -> [f64; 6] {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Label;

    fn record(fen: &str, score: i32) -> Record {
        Record::new(&Position::from_fen(fen).unwrap()).with_label(Label::centipawns(score))
    }

    #[test]
    fn material_is_found_again() {
        let boards = [
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 120),
            ("4k3/8/8/8/8/8/PP6/4K3 b - - 0 1", 180),
            ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", 320),
            ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", 345),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 520),
            ("4k2q/8/8/8/8/8/8/4K3 w - - 0 1", -880),
        ];
        let records: Vec<Record> = boards.iter().map(|(fen, score)| record(fen, *score)).collect();
        let baselines = Baselines::fit(&records);
        let wanted = [100.0, 300.0, 325.0, 500.0, 900.0, 20.0];
        assert!(
            baselines
                .values
                .iter()
                .zip(wanted)
                .all(|(found, value)| (found - value).abs() < 0.01),
            "{:?}",
            baselines.values
        );
        assert!((baselines.material(&records[1]) - 180.0).abs() < 0.01);
    }
}
