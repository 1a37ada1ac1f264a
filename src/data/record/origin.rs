//! What a position comes from.

/// Where a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Origin {
    /// A list of positions without a history.
    List,
    /// A game that was played.
    Game,
    /// Self-play, mostly after random moves.
    Play,
    /// A single position drawn from a game, perhaps after random moves.
    Sample,
}

impl Origin {
    /// Every origin in the order of its number.
    pub const ALL: [Origin; 4] = [Origin::List, Origin::Game, Origin::Play, Origin::Sample];
}
