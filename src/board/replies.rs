//! Counting two plies at once: the replies to every move.

use super::attacks::Sliders;
use super::movegen::count_moves;
use super::position::Position;
use super::types::Color;

impl Position {
    /// How many replies there are to all legal moves together. Always part of its caller, which may be compiled for
    /// instructions that not every processor has.
    #[inline(always)]
    pub fn count_replies(&self, sliders: impl Sliders) -> u64 {
        // compiled once for each colour, as the generator is
        match self.side {
            Color::White => count_replies(Color::White, self, sliders),
            Color::Black => count_replies(Color::Black, self, sliders),
        }
    }
}

#[inline(always)]
fn count_replies(side: Color, position: &Position, sliders: impl Sliders) -> u64 {
    let mut replies = 0;
    for m in position.legal_moves() {
        // in place: `Position::after` would copy the position once more
        let mut child = *position;
        child.play_without_keys(side, m);
        replies += count_moves(!side, &child, sliders) as u64;
    }
    replies
}
