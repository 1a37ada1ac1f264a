//! The phases of a game.

use super::position::Position;

/// A phase of the game, by the number of pieces on the board, kings and pawns included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// 26 pieces and more.
    Opening,
    /// 13 to 25 pieces.
    Middlegame,
    /// At most 12 pieces.
    Endgame,
}

impl Phase {
    /// Every phase in the order of a game.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// The phase of a position with so many pieces.
    pub fn of_pieces(count: u32) -> Phase {
        match count {
            26.. => Phase::Opening,
            13..26 => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }
}

impl Position {
    /// The phase of the game.
    pub fn phase(&self) -> Phase {
        Phase::of_pieces(self.occupied().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_go_by_the_pieces() {
        assert_eq!(Position::default().phase(), Phase::Opening);
        for (count, phase) in [
            (26, Phase::Opening),
            (25, Phase::Middlegame),
            (13, Phase::Middlegame),
            (12, Phase::Endgame),
        ] {
            assert_eq!(Phase::of_pieces(count), phase);
        }
    }
}
