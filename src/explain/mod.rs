//! Why a move is good or bad: claims that the rules of chess can prove, and what finds and confirms them.
//!
//! A claim is about one move of a [`Line`]. [`claims`] names what the moves of a line do: candidates found quickly,
//! each then confirmed by a slow checker of its own that knows only the rules. Nothing else is ever said.
//!
//! [`explain()`] asks a [`Judge`] how good a move is and chooses the claims that say why; the result is an
//! [`Explanation`], a value from which words are made last.

mod against;
mod alternatives;
mod answer;
mod better_reason;
pub mod change;
pub mod check;
pub mod claim;
mod compose;
mod contrast;
pub mod contributions;
mod course;
mod declined;
mod defence;
pub mod detect;
mod developments;
mod drawbacks;
pub mod endings;
pub mod explanation;
pub mod facts;
mod forestall;
mod gains;
pub mod grading;
mod headline;
mod importance;
pub mod judge;
pub mod line;
mod merits;
pub mod net_view;
mod null_move;
mod offer;
mod pertinence;
mod plain;
mod prepare;
mod prophylaxis;
mod rank;
mod reasons;
mod relevance;
mod repeats;
pub mod theme;
mod verdict;
mod way_out;
pub mod words;

pub use change::Change;
pub use claim::{Claim, Motif, Underpromotion};
pub use compose::{Options, explain};
pub use explanation::{Explanation, Played};
pub use facts::Facts;
pub use grading::{Subject, grade};
pub use judge::Judge;
pub use line::{Line, LineError};
pub use net_view::NetView;

/// Every confirmed claim about the moves of a line, in the order of the moves; of the pairs of pieces that a move
/// attacks twice only the most valuable.
pub fn claims(line: &Line) -> Vec<Claim> {
    let mut claims = detect::candidates(line);
    claims.retain(|claim| check::confirms(line, claim));
    let is_pair = |claim: &Claim| matches!(claim.motif, Motif::DoubleAttack { .. });
    claims.dedup_by(|next, first| first.ply == next.ply && is_pair(first) && is_pair(next));
    claims
}
