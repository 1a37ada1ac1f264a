//! What a contestant says of a position.

use crate::board::Move;
use crate::nets::score::Score;

/// One contestant's answer to one position. Scores are for the side to move, in centipawns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Its move; `None` for a contestant that only judges.
    pub best: Option<Move>,
    /// Its score after look-ahead.
    pub score: Option<Score>,
    /// Its network's score of the position itself; `None` for an outside engine.
    pub static_score: Option<Score>,
    pub nodes: u64,
    /// Positions that its network was asked about; `None` where that is not known.
    pub evaluations: Option<u64>,
    /// Microseconds that it took.
    pub micros: u64,
}

/// All answers of one contestant, in the order of the positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// As reports call the contestant.
    pub name: String,
    /// Its exact identity: the file of its network, or the engine's own name.
    pub identity: String,
    /// `None` where it has not answered yet.
    pub rows: Vec<Option<Answer>>,
}

impl Answers {
    /// Answers that are there.
    pub fn count(&self) -> usize {
        self.rows.iter().flatten().count()
    }
}
