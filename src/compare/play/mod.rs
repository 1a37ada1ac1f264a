//! Games between contestants, in pairs from the same opening with both colours.
//!
//! [`game`] plays one, [`mod@matches`] plays those of two contestants and keeps them in a file ([`store`], [`pgn`]), [`elo`] says
//! what their results are worth, and [`book`] makes openings.

pub mod book;
pub mod elo;
pub mod game;
pub mod matches;
pub mod pgn;
pub mod store;

pub use elo::Standing;
pub use game::{Played, Reason};
pub use matches::{Match, MatchSettings, Meeting};
