//! Scores in centipawns, for the side to move unless a name says otherwise, and the encoding of mates.

/// A score in centipawns. A mate in n plies is ±([`MATE`] − n), see [`mate_in`].
pub type Score = i32;

/// The maximum depth of the search tree, in plies.
pub const MAX_PLY: usize = 128;

/// The score of a mate on the board.
pub const MATE: Score = 32_000;

/// Larger than every score.
pub const INFINITE: Score = MATE + 1;

/// The smallest score that means a forced mate.
pub const MATE_FOUND: Score = MATE - MAX_PLY as Score;

/// The score of a position at the root that tablebases call won: below every mate, above every evaluation.
const TABLEBASE_WIN: Score = 31_000;

/// Static evaluations stay within ± this bound, so that they are never mistaken for mates.
pub const EVALUATION_LIMIT: Score = 20_000;

/// The score of a draw.
pub const DRAW: Score = 0;

/// The score of giving mate `plies` from here.
#[inline]
pub const fn mate_in(plies: usize) -> Score {
    MATE - plies as Score
}

/// The score of being mated `plies` from here.
#[inline]
pub const fn mated_in(plies: usize) -> Score {
    plies as Score - MATE
}

/// The score of reaching a position, `plies` from here, that tablebases call won.
#[inline]
pub const fn tablebase_win(plies: usize) -> Score {
    TABLEBASE_WIN - plies as Score
}

/// The score of reaching a position, `plies` from here, that tablebases call lost.
#[inline]
pub const fn tablebase_loss(plies: usize) -> Score {
    plies as Score - TABLEBASE_WIN
}

/// Whether the score is more than an evaluation: a forced mate, or a result from tablebases.
#[inline]
pub const fn is_decisive(score: Score) -> bool {
    score.abs() > EVALUATION_LIMIT
}

/// Whether the score is a forced mate for either side.
#[inline]
pub const fn is_mate(score: Score) -> bool {
    score.abs() >= MATE_FOUND
}

/// For a mate score the number of moves (not plies) until mate, negative if the side to move is mated.
pub const fn mate_moves(score: Score) -> Option<i32> {
    if !is_mate(score) {
        None
    } else if score > 0 {
        Some((MATE - score + 1) / 2)
    } else {
        Some(-(MATE + score) / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(mate_moves(mate_in(1)), Some(1));
        assert_eq!(mate_moves(mate_in(3)), Some(2));
        assert_eq!(mate_moves(mated_in(0)), Some(0));
        assert_eq!(mate_moves(mated_in(2)), Some(-1));
        assert_eq!(mate_moves(mated_in(4)), Some(-2));
        assert_eq!(mate_moves(EVALUATION_LIMIT), None);
        assert!(is_mate(mate_in(MAX_PLY)) && !is_mate(mate_in(MAX_PLY + 1)));
    }

    #[test]
    fn results_of_tablebases_lie_between_evaluations_and_mates() {
        for plies in [0, MAX_PLY] {
            for score in [tablebase_win(plies), tablebase_loss(plies)] {
                assert!(is_decisive(score) && !is_mate(score), "{score}");
            }
        }
        assert!(!is_decisive(EVALUATION_LIMIT) && is_decisive(mated_in(3)));
    }
}
