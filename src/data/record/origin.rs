//! What is known of the game that a position belongs to.

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum GameResult {
    /// Not known, or the position belongs to no finished game.
    Unknown,
    /// White won.
    WhiteWins,
    /// Nobody won.
    Draw,
    /// Black won.
    BlackWins,
}

impl GameResult {
    /// Every result in the order of its number.
    pub const ALL: [GameResult; 4] = [
        GameResult::Unknown,
        GameResult::WhiteWins,
        GameResult::Draw,
        GameResult::BlackWins,
    ];

    /// As PGN writes it; `*` when it is not known.
    #[must_use]
    pub fn to_pgn(self) -> &'static str {
        match self {
            GameResult::Unknown => "*",
            GameResult::WhiteWins => "1-0",
            GameResult::Draw => "1/2-1/2",
            GameResult::BlackWins => "0-1",
        }
    }

    /// What PGN writes in this way.
    #[must_use]
    pub fn from_pgn(text: &[u8]) -> Option<GameResult> {
        let is_written = |result: &GameResult| result.to_pgn().as_bytes() == text;
        GameResult::ALL.into_iter().find(is_written)
    }
}

/// Where a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Origin {
    /// A list of positions without a history.
    List,
    /// A game that somebody played.
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
