//! What the results of a match are worth.
//!
//! Games come in pairs, an opening with both colours, and the two of a pair are not independent: an opening that is good
//! for White gives both players a win. So the pair is the unit. Its score is 0, ½, 1, 1½ or 2, and the counts of these five
//! are the match's pentanomial result.

use serde::Serialize;

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_964;

/// A match's outcome for its first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Standing {
    /// Won, drawn and lost games.
    pub games: [usize; 3],
    /// Pairs of games with 0, ½, 1, 1½ and 2 points.
    pub pairs: [usize; 5],
}

/// A value with the interval that holds the true one 95 times in 100.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Standing {
    /// Counts a pair of games by the half points that the first player made in each.
    pub fn add(&mut self, half_points: [usize; 2]) {
        for half_points in half_points {
            self.games[2 - half_points] += 1;
        }
        self.pairs[half_points.iter().sum::<usize>()] += 1;
    }

    pub fn count(&self) -> usize {
        self.games.iter().sum()
    }

    /// The share of the points; `None` without games. The interval is Wilson's for the number of independent games
    /// without draws whose score would have the same variance as that of the pairs. If all pairs are alike, which says
    /// nothing of their variance, each counts as two such games.
    pub fn score(&self) -> Option<Interval> {
        let count = self.pairs.iter().sum::<usize>() as f64;
        if count == 0.0 {
            return None;
        }
        // a pair's share of its two points
        let points = |place: usize| place as f64 / 4.0;
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            let pairs = self.pairs.iter().enumerate();
            pairs
                .map(|(place, &pairs)| pairs as f64 * of(points(place)))
                .sum()
        };
        let score = sum(&|points| points) / count;
        let squares = sum(&|points| (points - score).powi(2));
        let variance = squares / (count - 1.0).max(1.0) / count;
        let n = match variance > 0.0 {
            true => score * (1.0 - score) / variance,
            false => 2.0 * count,
        };
        let center = (score + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (score * (1.0 - score) / n + Z * Z / (4.0 * n * n)).sqrt();
        Some(Interval {
            value: score,
            low: (center - half).clamp(0.0, score),
            high: (center + half).clamp(score, 1.0),
        })
    }

    /// The difference in Elo that this score corresponds to, with its interval; infinite where all points went to one.
    pub fn elo(&self) -> Option<Interval> {
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        self.score().map(|score| Interval {
            value: elo(score.value),
            low: elo(score.low),
            high: elo(score.high),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(pairs: [usize; 5]) -> Standing {
        let mut standing = Standing::default();
        for (half_points, count) in [[0, 0], [0, 1], [1, 1], [2, 1], [2, 2]].into_iter().zip(pairs) {
            (0..count).for_each(|_| standing.add(half_points));
        }
        standing
    }

    #[test]
    fn an_even_match_and_a_won_one() {
        let even = standing([10, 20, 40, 20, 10]);
        assert_eq!((even.games, even.count()), ([40, 120, 40], 200));
        let elo = even.elo().unwrap();
        assert!(elo.value.abs() < 1e-9 && (elo.low + elo.high).abs() < 1e-6);
        // 100 pairs with a standard deviation of sqrt(120/99)/4: the score's error is 0.0275, 1.96 times that 37.6 Elo
        assert!((elo.high - 37.6).abs() < 1.0, "{elo:?}");
        let ahead = standing([0, 0, 20, 40, 40]).elo().unwrap();
        // three quarters plus 0.05: 240.8 Elo
        assert!(
            (ahead.value - 240.8).abs() < 0.1 && ahead.low > 190.0,
            "{ahead:?}"
        );
    }

    #[test]
    fn pairs_that_cancel_out_say_more_than_games_apart() {
        let paired = standing([0, 2, 96, 2, 0]).score().unwrap();
        let apart = standing([24, 0, 52, 0, 24]).score().unwrap();
        assert!(paired.high - paired.low < 0.2 * (apart.high - apart.low));
    }

    #[test]
    fn two_pairs_that_fell_out_differently_say_as_much_as_four_games() {
        let score = standing([0, 1, 0, 1, 0]).score().unwrap();
        // 2 of 4: Wilson's interval is 0.150 to 0.850
        assert!(
            (score.low - 0.150).abs() < 1e-3 && (score.high - 0.850).abs() < 1e-3,
            "{score:?}"
        );
    }

    #[test]
    fn extremes_keep_an_honest_interval() {
        assert_eq!(Standing::default().score(), None);
        let all = standing([0, 0, 0, 0, 10]);
        let score = all.score().unwrap();
        // 20 of 20: Wilson's lower end is 0.839
        assert!(
            score.high == 1.0 && (score.low - 0.8389).abs() < 1e-3,
            "{score:?}"
        );
        let elo = all.elo().unwrap();
        assert!(
            elo.value == f64::INFINITY && (elo.low - 286.6).abs() < 1.0,
            "{elo:?}"
        );
        let level = standing([0, 0, 5, 0, 0]).score().unwrap();
        assert!(level.low < 0.3 && level.high > 0.7);
    }
}
