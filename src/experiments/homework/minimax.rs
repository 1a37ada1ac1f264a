//! The homework's minimax: a plain search of so many plies over the heuristics.

use crate::board::{Move, Position};
use crate::nets::heuristics::Heuristics;
use crate::search::{Control, Game, Limits, MemoryError, Pool, Settings};

/// The table's size in MiB: it holds the scores of leaves only.
const TABLE: usize = 1;

/// A search of one thread.
pub struct Minimax {
    pool: Pool<Heuristics>,
    heuristics: Heuristics,
}

impl Minimax {
    /// A minimax with these heuristics.
    ///
    /// # Errors
    /// When the table's memory is not to be had.
    pub fn new(heuristics: Heuristics) -> Result<Minimax, MemoryError> {
        Ok(Minimax {
            pool: Pool::new(TABLE, vec![heuristics])?,
            heuristics,
        })
    }

    /// What the positions at its leaves are scored by.
    pub fn heuristics(&self) -> Heuristics {
        self.heuristics
    }

    /// Its move; `history` holds the keys of the positions before, oldest first. The same whatever was asked before.
    /// `None` where there is no legal move.
    pub fn choose(&mut self, position: &Position, history: &[u64], plies: u32) -> Option<Move> {
        // what earlier searches have learnt decides between equal moves
        self.pool.clear();
        let game = Game {
            position: *position,
            history: history.to_vec(),
        };
        let limits = Limits {
            depth: Some(plies),
            ..Limits::default()
        };
        let settings = Settings {
            look_ahead: plies,
            ..Settings::default()
        };
        let search = &mut self.pool;
        search
            .search(&game, &limits, &settings, &Control::default(), &mut |_| {})
            .best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::draws::Ending;
    use crate::nets::score::{DRAW, INFINITE, Score, mated_in};

    /// Minimax without anything else.
    fn slow(
        position: &Position,
        history: &mut Vec<u64>,
        plies: u32,
        ply: usize,
        heuristics: Heuristics,
    ) -> Score {
        match position.ending(history) {
            Some(Ending::Checkmate) => return mated_in(ply),
            Some(_) => return DRAW,
            None if plies == 0 => return heuristics.score(position),
            None => {}
        }
        history.push(position.key());
        let children = position.legal_moves().into_iter().map(|m| position.after(m));
        let best = children.fold(-INFINITE, |best, child| {
            best.max(-slow(&child, history, plies - 1, ply + 1, heuristics))
        });
        history.pop();
        best
    }

    #[test]
    fn its_move_has_the_minimax_value() {
        for name in ["heuristics", "heuristics:mobility+check"] {
            let heuristics: Heuristics = name.parse().unwrap();
            let mut minimax = Minimax::new(heuristics).unwrap();
            for fen in [
                "r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 4 6",
                "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
                "8/5pk1/4p1p1/3pP2p/3P1P1P/r5P1/4R1K1/8 b - - 0 41",
            ] {
                let position = Position::from_fen(fen).unwrap();
                for plies in 1..=3 {
                    let m = minimax.choose(&position, &[], plies).unwrap();
                    let mut history = vec![position.key()];
                    let value = -slow(&position.after(m), &mut history, plies - 1, 1, heuristics);
                    let best = slow(&position, &mut Vec::new(), plies, 0, heuristics);
                    assert_eq!(value, best, "{name}, {plies} plies: {m:?} in {fen}");
                    assert_eq!(minimax.choose(&position, &[], plies), Some(m));
                }
            }
        }
    }
}
