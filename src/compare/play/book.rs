//! Openings for matches: random moves from the start position, kept where a search finds them uneven but not decided.
//!
//! From even positions good players draw, and weak ones repeat themselves; where one side is a little ahead, a pair of games
//! with both colours tells the players apart.

use crate::board::Position;
use crate::compare::error::CompareError;
use crate::compare::set::{Tell, epd};
use crate::data::formats::text;
use crate::engine::searcher::Searcher;
use crate::nets::score::Score;
use crate::search::{Control, Game, Limits, Settings};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use std::path::Path;

/// The book that is built into the program.
const BUILT_IN: &str = include_str!("../../../positions/openings.epd");

/// So many random lines are tried for each opening that is wanted, before it is given up.
const TRIES: usize = 1_000;

/// How a book is made.
#[derive(Clone, Copy, Debug)]
pub struct BookSettings {
    pub count: usize,
    /// The seed of the random generator.
    pub seed: u64,
    /// Random plies, from and to.
    pub plies: (u32, u32),
    /// Nodes of the search that judges an opening.
    pub nodes: u64,
    /// The least and the most that one side may be ahead, in centipawns.
    pub ahead: (Score, Score),
}

impl Default for BookSettings {
    /// 500 openings of 8 or 9 plies in which one side is 0.4 to 1.2 pawns ahead.
    fn default() -> BookSettings {
        BookSettings {
            count: 500,
            seed: 1,
            plies: (8, 9),
            nodes: 10_000,
            ahead: (40, 120),
        }
    }
}

/// Makes openings, none twice, the same ones for the same settings and searcher; fewer than wanted where the settings
/// leave too few. `tell` hears how many there are.
pub fn make(settings: &BookSettings, judge: &mut dyn Searcher, tell: &mut dyn FnMut(usize)) -> Vec<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let (mut openings, mut keys) = (Vec::new(), HashSet::new());
    let (least, most) = settings.ahead;
    for _ in 0..settings.count.saturating_mul(TRIES) {
        if openings.len() == settings.count {
            break;
        }
        let plies = rng.random_range(settings.plies.0..=settings.plies.1);
        let Some(position) = random_line(plies, &mut rng) else {
            continue;
        };
        if !keys.insert(position.key()) {
            continue;
        }
        if (least..=most).contains(&score(&position, settings.nodes, judge).abs()) {
            openings.push(position);
            tell(openings.len());
        }
    }
    openings
}

/// `None` if the game is over there, or the side to move is in check.
fn random_line(plies: u32, rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut position = Position::default();
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return None;
        }
        position.make(legal[rng.random_range(0..legal.len())]);
    }
    (position.ending(&[]).is_none() && !position.in_check()).then_some(position)
}

fn score(position: &Position, nodes: u64, judge: &mut dyn Searcher) -> Score {
    judge.clear();
    let game = Game {
        position: *position,
        history: Vec::new(),
    };
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let (settings, control) = (Settings::default(), Control::default());
    judge
        .search(&game, &limits, &settings, &control, &mut |_| {})
        .score
}

/// The openings of a file: `.epd`, `.fen` or `.txt` with one a line; of the book that is built in without one. `tell` hears
/// of lines that are skipped.
///
/// # Errors
/// [`CompareError`] names the file and the first line where none can be used.
pub fn read(path: Option<&Path>, tell: Tell) -> Result<Vec<Position>, CompareError> {
    let set = match path {
        Some(path) => epd::read(path, &text::read(path)?, tell)?,
        None => epd::read(Path::new("built-in openings"), BUILT_IN, tell)?,
    };
    Ok(set.cases.into_iter().map(|case| case.position).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::searcher::{SearcherPlan, searcher};
    use crate::nets::choice::NetChoice;
    use crate::nets::kind::Backend;

    fn judge() -> Box<dyn Searcher> {
        let plan = SearcherPlan {
            net: NetChoice::built_in("mlp").unwrap(),
            backend: Backend::default(),
            threads: 1,
            hash: 1,
        };
        searcher(&plan).unwrap().0
    }

    #[test]
    fn a_book_is_uneven_and_the_same_again() {
        let settings = BookSettings {
            count: 5,
            nodes: 300,
            ..BookSettings::default()
        };
        let mut judge = judge();
        let openings = make(&settings, judge.as_mut(), &mut |_| {});
        assert_eq!(openings.len(), 5);
        for opening in &openings {
            let ahead = score(opening, settings.nodes, judge.as_mut()).abs();
            assert!((40..=120).contains(&ahead), "{ahead}");
        }
        let fens = |openings: &[Position]| -> Vec<String> {
            openings.iter().map(|opening| opening.to_fen(false)).collect()
        };
        assert_eq!(
            fens(&make(&settings, judge.as_mut(), &mut |_| {})),
            fens(&openings)
        );
        let none = BookSettings {
            count: 1,
            plies: (1, 1),
            ahead: (5_000, 6_000),
            ..settings
        };
        assert!(make(&none, judge.as_mut(), &mut |_| {}).is_empty());
    }

    #[test]
    fn the_built_in_book_is_sound() {
        let openings = read(None, &mut |_| {}).unwrap();
        let keys: HashSet<u64> = openings.iter().map(Position::key).collect();
        assert_eq!((openings.len(), keys.len()), (500, 500));
        let black = openings.iter().filter(|opening| opening.fullmove_number() == 5);
        assert!(black.count() > 100);
    }

    #[test]
    fn no_opening_begins_in_check() {
        let settings = BookSettings {
            count: 300,
            nodes: 1,
            ahead: (0, 30_000),
            ..BookSettings::default()
        };
        let openings = make(&settings, judge().as_mut(), &mut |_| {});
        assert_eq!(openings.len(), 300);
        assert!(openings.iter().all(|opening| !opening.in_check()));
    }
}
