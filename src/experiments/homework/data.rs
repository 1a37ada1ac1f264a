//! The data of the regression: a row for every move that minimax has played.

use super::game::{HomeworkGame, HomeworkPlayer};
use crate::board::Position;
use crate::nets::heuristics::Heuristics;
use crate::nets::regressor::features::{MoveFeatures, MoveModel, features};
use crate::nets::regressor::move_list;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The share of the rows that a model is fitted to; on the others its error is measured.
const FITTED_SHARE: f64 = 0.8;

/// The moves of minimax and the positions before them.
#[derive(Clone, Debug, Default)]
pub struct MoveData {
    positions: Vec<Position>,
    features: Vec<MoveFeatures>,
    numbers: Vec<f64>,
}

/// A model, and how well it does.
#[derive(Clone, Debug)]
pub struct MoveFit {
    /// The model, fitted to four fifths of the rows.
    pub model: MoveModel,
    /// Which rows it was fitted to.
    fitted: Vec<usize>,
    held_out: Vec<usize>,
    /// The root of the mean square error on the others, in numbers of the list of moves; `None` where there are none.
    pub error: Option<f64>,
}

/// How often the nearest legal move to a prediction was the one that minimax had played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictedMoves {
    /// Rows looked at.
    pub rows: usize,
    /// Rows whose move was predicted.
    pub right: usize,
    /// How many a mover that draws among the legal moves would be expected to predict.
    pub by_chance: f64,
}

impl MoveData {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The positions in which minimax moved.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Whether there is nothing to learn from.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Adds every move that minimax played in a game.
    pub fn add(&mut self, game: &HomeworkGame, heuristics: Heuristics) {
        let mut position = game.opening;
        for &m in &game.moves {
            if let HomeworkPlayer::Minimax(plies) = game.players[position.side_to_move().index()] {
                self.positions.push(position);
                self.features.push(features(&position, plies, heuristics));
                self.numbers.push(f64::from(move_list::number(m)));
            }
            position.play(m);
        }
    }

    /// Fits a model to four fifths of the rows, drawn by the seed.
    pub fn fit(&self, seed: u64) -> MoveFit {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let held_out = order.split_off((self.len() as f64 * FITTED_SHARE).round() as usize);
        let (features, numbers) = self.rows(&order);
        let model = MoveModel::fit(&features, &numbers);
        let (features, numbers) = self.rows(&held_out);
        MoveFit {
            error: model.root_mean_square_error(&features, &numbers),
            model,
            fitted: order,
            held_out,
        }
    }

    fn rows(&self, places: &[usize]) -> (Vec<MoveFeatures>, Vec<f64>) {
        let row = |&place: &usize| (self.features[place], self.numbers[place]);
        places.iter().map(row).unzip()
    }

    /// How many moves a model would have predicted, of the rows it was fitted to and of the others.
    pub fn predicted(&self, fit: &MoveFit) -> [PredictedMoves; 2] {
        [&fit.fitted, &fit.held_out].map(|places| {
            let mut predicted = PredictedMoves {
                rows: places.len(),
                right: 0,
                by_chance: 0.0,
            };
            for &place in places {
                let position = &self.positions[place];
                let nearest =
                    move_list::nearest(&position.legal_moves(), fit.model.predict(&self.features[place]));
                let hit = nearest.is_some_and(|m| f64::from(move_list::number(m)) == self.numbers[place]);
                predicted.right += usize::from(hit);
                predicted.by_chance += 1.0 / position.legal_moves().len() as f64;
            }
            predicted
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::homework::game;
    use crate::experiments::homework::minimax::Minimax;
    use crate::nets::regressor::Regressor;

    #[test]
    fn rows_are_minimaxs_moves_and_a_fit_divides_them() {
        let heuristics: Heuristics = "heuristics:mobility".parse().unwrap();
        let mut minimax = Minimax::new(heuristics).unwrap();
        let mut data = MoveData::default();
        let fitted = |data: &MoveData| Regressor {
            model: data.fit(1).model,
            heuristics,
        };
        assert!(data.fit(1).error.is_none());
        let opening = game::opening(4, 1, 1);
        let both = game::play(
            [HomeworkPlayer::Minimax(1), HomeworkPlayer::Minimax(2)],
            opening,
            &fitted(&data),
            &mut minimax,
        );
        data.add(&both, heuristics);
        assert_eq!(data.len(), both.moves.len());
        let one = game::play(
            [HomeworkPlayer::Regressor, HomeworkPlayer::Minimax(1)],
            opening,
            &fitted(&data),
            &mut minimax,
        );
        let before = data.len();
        data.add(&one, heuristics);
        assert_eq!(
            data.len() - before,
            one.moves.len() / 2,
            "White moves first in the opening"
        );
        let fit = data.fit(5);
        let [fitted, others] = data.predicted(&fit);
        assert_eq!(fitted.rows + others.rows, data.len());
        assert!(fitted.rows > 3 * others.rows && others.rows > 0);
        assert!(fitted.right <= fitted.rows && fitted.by_chance < fitted.rows as f64 / 2.0);
    }
}
