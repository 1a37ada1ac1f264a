//! Drawing positions from games, the same number from each phase of the game.
//!
//! The draw depends on the games and the seed alone. At most one position of a game is taken, and none twice. A share
//! of them is changed by random moves, for positions of good players do not show what a lost piece costs; their
//! game's result then says nothing and is dropped.

use super::Tell;
use super::case::Case;
use crate::board::Position;
use crate::compare::error::CompareError;
use crate::data::formats::games::{GameReader, GameSettings};
use crate::data::{Part, Record, Split};
use crate::support::mix::mix;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use std::path::PathBuf;

/// The most random moves that change a position.
const MOST_RANDOM: u32 = 4;

/// How positions are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleSettings {
    pub count: usize,
    /// The seed of the random generator that draws them.
    pub seed: u64,
    /// The share, 0 to 1, that 1 to 4 random moves change.
    pub random_share: f64,
    /// Only positions that the default split of the training data keeps for its test part.
    pub held_out: bool,
}

impl Default for SampleSettings {
    /// 500 positions, two in five changed.
    fn default() -> SampleSettings {
        SampleSettings {
            count: 500,
            seed: 0,
            random_share: 0.4,
            held_out: false,
        }
    }
}

/// A position that may be drawn: those with the smallest random numbers are taken.
struct Candidate {
    draw: u64,
    game: usize,
    /// The place of its file.
    file: usize,
    record: Record,
}

/// Draws positions from PGN files. `tell` hears what of their games is lost.
///
/// # Errors
/// [`CompareError::Data`] if a file cannot be read, [`CompareError::Empty`] if no position is found.
pub fn from_games(
    paths: &[PathBuf],
    settings: &SampleSettings,
    tell: Tell,
) -> Result<Vec<Case>, CompareError> {
    let mut candidates = candidates(paths, settings, tell)?;
    candidates.sort_unstable_by_key(|candidate| candidate.draw);
    let (mut games, mut keys) = (HashSet::new(), HashSet::new());
    let mut drawn: [Vec<Case>; 3] = Default::default();
    let wanted = |phase: usize| settings.count / 3 + usize::from(phase < settings.count % 3);
    for candidate in &candidates {
        if games.contains(&candidate.game) {
            continue;
        }
        let Some(mut case) = draw(candidate, settings) else {
            continue;
        };
        let phase = case.phase() as usize;
        if drawn[phase].len() < wanted(phase) && keys.insert(case.position.key()) {
            games.insert(candidate.game);
            let file = paths[candidate.file].file_stem().unwrap_or_default();
            case.id = format!("{} {}", file.to_string_lossy(), case.id)
                .trim()
                .to_string();
            drawn[phase].push(case);
        }
    }
    let cases: Vec<Case> = drawn.into_iter().flatten().collect();
    match cases.is_empty() {
        true => Err(CompareError::Empty),
        false => Ok(cases),
    }
}

fn candidates(
    paths: &[PathBuf],
    settings: &SampleSettings,
    tell: Tell,
) -> Result<Vec<Candidate>, CompareError> {
    let mut candidates = Vec::new();
    let (mut records, mut game) = (Vec::new(), 0);
    let split = Split::default();
    for (file, path) in paths.iter().enumerate() {
        let mut reader = GameReader::open(path, GameSettings::default())?;
        while reader.read(&mut records)? {
            for record in records.drain(..) {
                game += usize::from(record.starts_group());
                if settings.held_out && split.part(&record) != Part::Test {
                    continue;
                }
                let draw = mix(record.hash() ^ mix(settings.seed));
                candidates.push(Candidate {
                    draw,
                    game,
                    file,
                    record,
                });
            }
        }
        let lines = reader.losses().lines().into_iter();
        lines.for_each(|line| tell(format!("{}: {line}", path.display())));
    }
    Ok(candidates)
}

/// The position, perhaps changed; `None` if the game is over there.
fn draw(candidate: &Candidate, settings: &SampleSettings) -> Option<Case> {
    let mut position = candidate.record.position().ok()?;
    let mut rng = ChaCha8Rng::seed_from_u64(mix(candidate.draw));
    let changed = rng.random::<f64>() < settings.random_share;
    let mut id = format!("move {}", position.fullmove_number());
    if changed {
        let moves = rng.random_range(1..=MOST_RANDOM);
        play_randomly(&mut position, moves, &mut rng)?;
        id.push_str(&format!(" + {moves} random"));
    }
    if position.ending(&[]).is_some() {
        return None;
    }
    let mut case = Case::new(id, position);
    if !changed {
        case.result = candidate.record.result();
    }
    Some(case)
}

fn play_randomly(position: &mut Position, moves: u32, rng: &mut ChaCha8Rng) -> Option<()> {
    for _ in 0..moves {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return None;
        }
        position.make(legal[rng.random_range(0..legal.len())]);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::GameResult;

    /// A game that goes through all phases: everything is traded on the way.
    const GAME: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 6. d4 exd4 7. Nxd4 c5 8. Nb3 Qxd1 9. Rxd1 Bg4 \
        10. f3 Be6 11. Nc3 Bd6 12. Be3 b6 13. a4 O-O-O 14. a5 Kb7 15. e5 Be7 16. Rxd8 Bxd8 17. Ne4 Kc6 18. axb6 cxb6 \
        19. Nbxc5 Bc8 20. Nxa6 fxe5 21. Nb4+ *\n";

    fn draw_from(text: &str, settings: SampleSettings) -> Vec<Case> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Games.pgn");
        std::fs::write(&path, text).unwrap();
        from_games(&[path], &settings, &mut |_| {}).unwrap()
    }

    #[test]
    fn a_sample_is_the_same_every_time_and_takes_one_position_of_a_game() {
        let settings = SampleSettings {
            count: 6,
            random_share: 0.5,
            ..SampleSettings::default()
        };
        let text = GAME.repeat(4);
        let fens = |seed| -> Vec<String> {
            let cases = draw_from(&text, SampleSettings { seed, ..settings });
            assert!(cases.len() <= 4 && cases.iter().all(|case| case.id.starts_with("Games move ")));
            cases.iter().map(Case::fen).collect()
        };
        assert_eq!(fens(1), fens(1));
        assert_ne!(fens(1), fens(2));
    }

    #[test]
    fn results_stay_with_positions_that_were_played() {
        let text = GAME.replace('*', "1-0").repeat(3);
        let cases = |random_share| {
            let settings = SampleSettings {
                random_share,
                ..SampleSettings::default()
            };
            draw_from(&text, settings)
        };
        assert!(cases(0.0).iter().all(|case| case.result == GameResult::WhiteWins));
        assert!(
            cases(1.0)
                .iter()
                .all(|case| case.result == GameResult::Unknown && case.id.ends_with(" random"))
        );
    }
}
