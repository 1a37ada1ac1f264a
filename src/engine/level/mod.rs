//! Playing like a weaker player, for the options `UCI_LimitStrength`, `UCI_Elo` and `Skill Level`.
//!
//! A weaker player looks less far ahead, and not equally far at every move. So each legal move gets a score from every
//! look-ahead up to the level's: from the static evaluation of the position after it, which takes a protected pawn
//! gladly, to a search of several plies. Then the player follows each move for a number of plies drawn around the
//! level's, misjudges what it sees a little, and plays the move that looks best. A mistake is therefore a move whose
//! refutation lies beyond the look-ahead, never a blunder chosen at random. Endings that such a player knows by heart are
//! played at full strength.

mod choice;
mod endings;
mod play;

pub use play::{LevelRequest, play};

use choice::SPREAD;
use rand::Rng;

/// The weakest and the strongest level, in Elo.
pub const ELO: (u32, u32) = (800, 2600);

/// The `Skill Level` that means full strength.
pub const FULL_SKILL: u32 = 20;

/// The look-ahead of levels in plies, by Elo: measured by matches, see `docs/levels.md`. Between two entries it is
/// interpolated linearly.
const LOOK_AHEAD: &[(u32, f64)] = &[
    (800, 1.4),
    (1000, 1.79),
    (1200, 2.16),
    (1400, 2.61),
    (1600, 3.27),
    (1800, 4.28),
    (2000, 5.40),
    (2200, 6.30),
    (2400, 7.24),
    (2600, 8.32),
];

/// How strong to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    elo: u32,
    /// Plies that the player looks ahead on average.
    plies: f64,
}

impl Level {
    /// The level of an Elo number, the nearest one there is.
    pub fn of_elo(elo: u32) -> Level {
        let elo = elo.clamp(ELO.0, ELO.1);
        let above = LOOK_AHEAD.partition_point(|&(at, _)| at < elo).max(1);
        let [(low, few), (high, many)] = [LOOK_AHEAD[above - 1], LOOK_AHEAD[above]];
        let share = f64::from(elo - low) / f64::from(high - low);
        Level {
            elo,
            plies: few + share * (many - few),
        }
    }

    /// The level of a `Skill Level`, in equal steps of Elo; `None` for full strength.
    pub fn of_skill(skill: u32) -> Option<Level> {
        let (weakest, strongest) = ELO;
        let step = (strongest - weakest) / (FULL_SKILL - 1);
        (skill < FULL_SKILL).then(|| Level::of_elo(weakest + skill * step))
    }

    /// The strength that it stands for.
    pub fn elo(self) -> u32 {
        self.elo
    }

    /// Plies that the player looks ahead on average.
    pub fn plies(self) -> f64 {
        self.plies
    }

    /// The farthest that the player looks at one move of a game, in plies: a whole number drawn so that its mean is
    /// right, because rounding would make levels of different strength look equally far.
    fn most_plies(self, random: &mut impl Rng) -> u32 {
        (self.plies + 2.0 * SPREAD + random.random::<f64>()) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn stronger_levels_look_farther() {
        let plies: Vec<f64> = (ELO.0..=ELO.1)
            .step_by(50)
            .map(|elo| Level::of_elo(elo).plies)
            .collect();
        assert!(plies.is_sorted_by(|one, next| one < next), "{plies:?}");
        assert_eq!(Level::of_elo(0), Level::of_elo(ELO.0));
        assert_eq!(Level::of_elo(9_999), Level::of_elo(ELO.1));
        for (elo, plies) in LOOK_AHEAD {
            assert_eq!(Level::of_elo(*elo).plies, *plies);
        }
    }

    #[test]
    fn the_farthest_look_ahead_has_its_mean() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for elo in [ELO.0, 1500, 1600, 1700, ELO.1] {
            let level = Level::of_elo(elo);
            let drawn: Vec<u32> = (0..4_000).map(|_| level.most_plies(&mut random)).collect();
            let wanted = level.plies + 2.0 * SPREAD;
            let mean = f64::from(drawn.iter().sum::<u32>()) / 4_000.0;
            assert!((mean - wanted).abs() < 0.03, "{elo}: {mean}, not {wanted}");
            assert!(
                drawn.iter().all(|&most| (f64::from(most) - wanted).abs() < 1.0),
                "{elo}"
            );
        }
    }

    #[test]
    fn skill_levels_span_the_same_range() {
        assert_eq!(Level::of_skill(0), Some(Level::of_elo(ELO.0)));
        let elos: Vec<u32> = (0..FULL_SKILL)
            .filter_map(Level::of_skill)
            .map(Level::elo)
            .collect();
        let steps: Vec<u32> = elos.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(steps.iter().all(|&step| step == steps[0] && step > 0), "{elos:?}");
        // the steps are whole numbers
        assert!(ELO.1 - elos[elos.len() - 1] < FULL_SKILL, "{elos:?}");
        assert_eq!(Level::of_skill(FULL_SKILL), None);
    }
}
