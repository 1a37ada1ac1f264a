//! Whole games: a verdict on every move and an explanation of those that give something away, as PGN and as one page.
//!
//! [`input`] reads the games, [`review`] has them searched in pieces, [`accuracy`] and [`story`] sum up, [`pgn`] and [`page`] write,
//! [`journal`] keeps what is finished, and [`run`] does all of it in order.

pub mod accuracy;
pub mod input;
pub mod journal;
pub mod page;
pub mod pgn;
pub mod review;
pub mod run;
pub mod story;
pub mod texts;

pub use input::{BrokenGame, Game};
pub use run::{AnnotateError, Done, Event, Settings, annotate};
pub use texts::Texts;
