//! The homework's regressor, which imitates the moves of a minimax without searching: a line through the numbers of its
//! moves, and the legal move nearest to it.

pub mod features;
pub mod kind;
pub mod move_list;
pub mod regression;

use super::heuristics::Heuristics;
use super::heuristics::kind::{heuristics_of, homework_net};
use super::net::{Net, NetError, NetTensor};
use crate::board::{Move, Position};
use features::{FEATURES, MoveModel, features};

/// The name of this kind in net files.
pub const KIND: &str = "regressor";

/// A fitted model, and the heuristics that its features are taken from.
#[derive(Clone, Debug, PartialEq)]
pub struct Regressor {
    /// Gives the number of a move.
    pub model: MoveModel,
    pub heuristics: Heuristics,
}

impl Regressor {
    /// Its move, of those that may be chosen, in the place of a minimax at so many plies; `None` where there is none.
    pub fn choose(&self, position: &Position, plies: u32, moves: &[Move]) -> Option<Move> {
        let row = features(position, plies, self.heuristics);
        move_list::nearest(moves, self.model.predict(&row))
    }

    /// A net file's contents, with how many moves it was fitted to. Its numbers are rounded to single floats.
    pub fn to_net(&self, rows: u64) -> Net {
        let mut net = Net::empty(homework_net(KIND, self.heuristics, rows));
        let [means, weights] = [self.model.means(), self.model.weights()];
        for (name, numbers) in [
            ("means", &means[..]),
            ("weights", weights),
            ("mean", &[self.model.mean()]),
        ] {
            let tensor = NetTensor {
                shape: vec![numbers.len()],
                values: numbers.iter().map(|&number| number as f32).collect(),
            };
            net.tensors.insert(name.to_string(), tensor);
        }
        net
    }

    /// Reads it from a net.
    ///
    /// # Errors
    /// [`NetError`] if the net is of another kind, its layout names no heuristics, or a tensor is missing.
    pub fn of(net: &Net) -> Result<Regressor, NetError> {
        net.expect_kind(KIND)?;
        let numbers = |name: &str| -> Result<[f64; FEATURES], NetError> {
            let values = &net.tensor(name, &[FEATURES])?.values;
            Ok(std::array::from_fn(|n| f64::from(values[n])))
        };
        let mean = f64::from(net.tensor("mean", &[1])?.values[0]);
        Ok(Regressor {
            model: MoveModel::new(numbers("means")?, numbers("weights")?, mean),
            heuristics: heuristics_of(net)?,
        })
    }
}
