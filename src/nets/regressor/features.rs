//! What the regression is given of a position.

use super::move_list;
use super::regression::LinearModel;
use crate::board::{Color, Position};
use crate::nets::heuristics::Heuristics;

/// The codes of 64 squares, the depth in plies, and the static score for White in centipawns.
pub const FEATURES: usize = 66;
/// A row of the data, without the move.
pub type MoveFeatures = [f64; FEATURES];
/// What the regressor moves by: it gives the number of a move.
pub type MoveModel = LinearModel<FEATURES>;

/// What the regression knows of a position that minimax at `plies` would move in.
pub fn features(position: &Position, plies: u32, heuristics: Heuristics) -> MoveFeatures {
    let codes = move_list::codes(position);
    let score = heuristics.score(position);
    let for_white = match position.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    };
    let mut features = [0.0; FEATURES];
    for (feature, code) in features.iter_mut().zip(codes) {
        *feature = f64::from(code);
    }
    features[64] = f64::from(plies);
    features[65] = f64::from(for_white);
    features
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rows_of_the_homework() {
        let heuristics: Heuristics = "heuristics:mobility".parse().unwrap();
        let mut position = Position::default();
        let row = features(&position, 3, heuristics);
        assert_eq!(row[..9], [3.0, 5.0, 7.0, 9.0, 11.0, 7.0, 5.0, 3.0, 1.0]);
        assert_eq!(row[64..], [3.0, 200.0]);
        position.play(position.parse_uci("c2c4").unwrap());
        assert_eq!(features(&position, 3, heuristics)[64..], [3.0, -200.0]);
    }
}
