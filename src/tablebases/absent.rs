//! Builds without tablebases.

use super::{Ranking, Wdl};
use crate::board::Position;

/// Has no value in this build.
#[derive(Debug)]
pub enum Tablebases {}

impl Tablebases {
    /// See the builds with tablebases.
    pub fn most_pieces(&self) -> u32 {
        match *self {}
    }

    /// See the builds with tablebases.
    pub fn wdl(&self, _: &Position) -> Option<Wdl> {
        match *self {}
    }

    /// See the builds with tablebases.
    pub fn rank(&self, _: &Position, _: &[u64], _: bool) -> Option<Ranking> {
        match *self {}
    }

    /// See the builds with tablebases.
    pub fn fault(&self) -> Option<&str> {
        match *self {}
    }
}
