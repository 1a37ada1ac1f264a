//! What a player of a level sees of the legal moves, and which one it plays.

use super::Level;
use crate::board::Move;
use crate::nets::score::Score;
use rand::Rng;

/// The standard deviation, in plies, of how far ahead a move is followed.
pub(super) const SPREAD: f64 = 0.75;
/// The standard deviation, in centipawns, of the misjudgement of a player without any look-ahead.
const MISJUDGED: f64 = 40.0;
/// With a look-ahead of this many plies the misjudgement is half as large.
const HALVED_AFTER: f64 = 2.0;

/// A legal move and what it is worth for the side to move, by the plies of the look-ahead: at 0 the static evaluation of
/// the position after it.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub m: Move,
    pub scores: Vec<Score>,
}

impl View {
    /// The score at a look-ahead, or at the farthest there is.
    fn at(&self, plies: usize) -> Score {
        self.scores[plies.min(self.scores.len() - 1)]
    }

    /// The score at the farthest look-ahead.
    pub fn last(&self) -> Score {
        self.at(usize::MAX)
    }
}

/// The place of the move that the player plays.
///
/// # Panics
/// Without any move.
pub(super) fn choose(views: &[View], level: Level, random: &mut impl Rng) -> usize {
    let error = MISJUDGED / (1.0 + level.plies / HALVED_AFTER);
    let seen = views.iter().map(|view| {
        let plies = (level.plies + SPREAD * bell(random)).round().max(0.0);
        f64::from(view.at(plies as usize)) + error * bell(random)
    });
    let best = seen
        .enumerate()
        .max_by(|(_, one), (_, other)| one.total_cmp(other));
    best.expect("a game that goes on has a legal move").0
}

/// A random number of mean 0 and variance 1, never beyond ±3.5: the sum of four uniform ones, close to a normal
/// distribution without its tails.
fn bell(random: &mut impl Rng) -> f64 {
    let sum: f64 = (0..4).map(|_| random.random::<f64>()).sum();
    (sum - 2.0) * 3f64.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn level(plies: f64) -> Level {
        Level { elo: 0, plies }
    }

    fn view(text: &str, scores: &[Score]) -> View {
        View {
            m: Position::default().parse_uci(text).unwrap(),
            scores: scores.to_vec(),
        }
    }

    /// How often of 1,000 times the first move is chosen.
    fn first_of(views: &[View], plies: f64) -> usize {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        (0..1_000)
            .filter(|_| choose(views, level(plies), &mut random) == 0)
            .count()
    }

    #[test]
    fn a_fault_is_seen_by_those_who_look_far_enough() {
        // wins a pawn at first sight and loses the queen three plies later
        let views = [
            view("e2e4", &[100, 100, 100, -800, -800]),
            view("d2d4", &[0, 0, 0, 0, 0]),
        ];
        let often: Vec<usize> = [0.0, 2.0, 3.0, 5.0].map(|plies| first_of(&views, plies)).into();
        assert!(often[0] > 850 && often[3] == 0, "{often:?}");
        assert!(often.is_sorted_by(|one, next| one >= next), "{often:?}");
    }

    #[test]
    fn nobody_plays_a_move_that_looks_bad_at_once() {
        let views = [view("a2a3", &[-300, -300]), view("d2d4", &[0, 0])];
        assert_eq!(first_of(&views, 0.0), 0);
    }

    #[test]
    fn moves_of_equal_worth_are_all_played() {
        let views = [view("a2a3", &[0, 0]), view("d2d4", &[0, 0])];
        assert!((400..600).contains(&first_of(&views, 4.0)));
    }

    #[test]
    fn the_bell_has_its_moments_and_no_tails() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let drawn: Vec<f64> = (0..20_000).map(|_| bell(&mut random)).collect();
        let mean = |of: fn(f64) -> f64| drawn.iter().map(|&x| of(x)).sum::<f64>() / 20_000.0;
        assert!(mean(|x| x).abs() < 0.03 && (mean(|x| x * x) - 1.0).abs() < 0.05);
        assert!(drawn.iter().all(|x| x.abs() < 3.5));
    }
}
