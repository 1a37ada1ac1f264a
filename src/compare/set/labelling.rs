//! Labelling a set: an engine gives its score of every legal move, and a file keeps what it said.
//!
//! A third of the nodes or time goes to all legal moves, the rest to the best four of them again, searched as lines of
//! their own; with a limit of plies, the first search gets two thirds of these and the second all. The other moves keep
//! their distance from the best: their loss in the first search is subtracted from the best score of the second.

use super::case::{Case, Set};
use super::reference::Reference;
use crate::board::{Move, Position};
use crate::compare::error::CompareError;
use crate::compare::score::of_uci;
use crate::engine::parallel::each;
use crate::nets::score::{EVALUATION_LIMIT, Score, is_mate};
use crate::uci_client::{Analysis, ClientError, Effort, EngineSettings, UciClient};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// Moves that are searched again.
const AGAIN: usize = 4;

/// Labels are written at most this often.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// Who labels, and how.
#[derive(Clone, Debug)]
pub struct ReferenceEngine {
    pub engine: EngineSettings,
    /// How much work goes into one position.
    pub effort: Effort,
    /// Engine processes at once.
    pub workers: usize,
}

impl ReferenceEngine {
    /// The engine's own name, its options beyond the default ones and the effort, as label files name them; starts the
    /// engine once.
    ///
    /// # Errors
    /// [`ClientError`] if it cannot be started.
    pub fn describe(&self) -> Result<String, ClientError> {
        let engine = UciClient::start(&self.engine)?;
        Ok(format!(
            "{}{} at {}",
            engine.name(),
            self.engine.beyond_default(),
            self.effort
        ))
    }
}

/// Gives every position a reference. Labels that `cache` holds are used, new ones are added to it; `tell` hears how
/// many positions have one.
///
/// # Errors
/// [`CompareError::OtherLabels`] if the file holds labels of another engine or effort, [`CompareError::Labelling`]
/// when the engine breaks down; what it said before is kept.
pub fn label(
    set: &mut Set,
    reference_engine: &ReferenceEngine,
    cache: &Path,
    tell: &mut (dyn FnMut(usize) + Send),
) -> Result<(), CompareError> {
    let wanted = reference_engine.describe()?;
    let others = adopt(set, &wanted, cache)?;
    set.labelled_by = wanted;
    let open: Vec<usize> = (0..set.cases.len())
        .filter(|&place| !set.cases[place].reference.is_complete())
        .collect();
    let done = set.cases.len() - open.len();
    tell(done);
    let (mut finished, mut saved) = (done, Instant::now());
    let positions: Vec<Position> = open.iter().map(|&place| set.cases[place].position).collect();
    let result = each(
        &positions,
        reference_engine.workers,
        || Ok(UciClient::start(&reference_engine.engine)?),
        |engine, position| Ok(score_moves(engine, position, reference_engine.effort)?),
        |number, reference| {
            set.cases[open[number]].reference = reference;
            finished += 1;
            tell(finished);
            if saved.elapsed() < SAVE_EVERY {
                return Ok(());
            }
            saved = Instant::now();
            save(set, &others, cache)
        },
    );
    if finished > done {
        save(set, &others, cache)?;
    }
    result.map_err(|fault| match fault.error {
        CompareError::Engine(error) => CompareError::Labelling {
            path: cache.to_path_buf(),
            kept: finished,
            error: Box::new(error),
        },
        other => other,
    })
}

/// Takes over the labels of a file, if there is one, instead of those that the set has; returns what else the file holds.
fn adopt(set: &mut Set, wanted: &str, cache: &Path) -> Result<Vec<Case>, CompareError> {
    let known = match cache.exists() {
        true => Set::read(cache, &mut |_| {})?,
        false => Set {
            labelled_by: wanted.to_string(),
            ..Set::default()
        },
    };
    if known.labelled_by != wanted {
        return Err(CompareError::OtherLabels {
            path: cache.to_path_buf(),
            found: known.labelled_by,
            wanted: wanted.to_string(),
        });
    }
    let wanted: HashSet<String> = set.cases.iter().map(Case::fen).collect();
    let (ours, others): (Vec<Case>, Vec<Case>) = known
        .cases
        .into_iter()
        .partition(|case| wanted.contains(&case.fen()));
    let by_fen: HashMap<String, Reference> = ours
        .into_iter()
        .map(|case| (case.fen(), case.reference))
        .collect();
    for case in &mut set.cases {
        case.reference = by_fen.get(&case.fen()).cloned().unwrap_or_default();
    }
    Ok(others)
}

/// Writes the positions that have a label, and behind them others that the file held.
fn save(set: &Set, others: &[Case], cache: &Path) -> Result<(), CompareError> {
    let labelled = Set {
        cases: set
            .cases
            .iter()
            .filter(|case| case.reference.is_complete())
            .chain(others)
            .cloned()
            .collect(),
        labelled_by: set.labelled_by.clone(),
        recorded: Vec::new(),
    };
    labelled.write_csv(cache)
}

/// The engine's opinion of every legal move.
///
/// # Errors
/// [`ClientError`]; [`ClientError::TooLittle`] when moves have no score.
pub fn score_moves(
    engine: &mut UciClient,
    position: &Position,
    effort: Effort,
) -> Result<Reference, ClientError> {
    let legal = position.legal_moves().len();
    let [first, again] = divide(effort);
    let all = engine.analyse(position, first, legal, &[])?;
    let mut moves = scored(&all);
    moves.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
    if moves.len() != legal {
        return Err(ClientError::TooLittle {
            program: engine.name().to_string(),
            scored: moves.len(),
            legal,
            more: enough(effort, moves.len(), legal),
        });
    }
    let best: Vec<Move> = moves.iter().take(AGAIN).map(|&(m, _)| m).collect();
    let closer = engine.analyse(position, again, best.len(), &best)?;
    Ok(Reference::of_moves(merge(scored(&closer), &moves)))
}

/// An effort that should let an engine score every legal move: twice as much for each as it took for those that it scored.
fn enough(effort: Effort, scored: usize, legal: usize) -> Effort {
    let times = (2 * legal).div_ceil(scored.max(1));
    match effort {
        Effort::Depth(plies) => Effort::Depth(plies + 1),
        Effort::Nodes(nodes) => Effort::Nodes(nodes.saturating_mul(times as u64)),
        Effort::Time(time) => Effort::Time(time * times as u32),
    }
}

/// The effort for all moves and for the best of them.
fn divide(effort: Effort) -> [Effort; 2] {
    match effort {
        Effort::Depth(plies) => [Effort::Depth((plies * 2 / 3).max(1)), effort],
        Effort::Nodes(nodes) => [
            Effort::Nodes((nodes / 3).max(1)),
            Effort::Nodes(nodes - nodes / 3),
        ],
        Effort::Time(time) => [Effort::Time(time / 3), Effort::Time(time - time / 3)],
    }
}

fn scored(analysis: &Analysis) -> Vec<(Move, Score)> {
    let lines = analysis.lines.iter();
    lines.map(|&(m, score)| (m, of_uci(score))).collect()
}

/// The scores of the second search first, then the others, shifted by as much as the best score changed. Where a mate
/// is involved nothing is shifted, but no score is better than the best.
fn merge(closer: Vec<(Move, Score)>, all: &[(Move, Score)]) -> Vec<(Move, Score)> {
    let best = |moves: &[(Move, Score)]| moves.iter().map(|&(_, score)| score).max();
    let (Some(now), Some(before)) = (best(&closer), best(all)) else {
        return closer;
    };
    let moved = |score: Score| match is_mate(score) || is_mate(now) || is_mate(before) {
        true => score.min(now),
        false => (score - before + now).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT),
    };
    let others: Vec<(Move, Score)> = all
        .iter()
        .filter(|(m, _)| !closer.iter().any(|(known, _)| known == m))
        .map(|&(m, score)| (m, moved(score)))
        .collect();
    closer.into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::score::mate_in;
    use std::time::Duration;

    #[test]
    fn the_second_look_decides_and_the_rest_keeps_its_distance() {
        let moves: Vec<Move> = Position::default().legal_moves().into_iter().take(4).collect();
        let all: Vec<(Move, Score)> = moves.iter().copied().zip([50, 40, 30, -10]).collect();
        let closer = vec![(moves[1], 35), (moves[0], 20)];
        let merged = Reference::of_moves(merge(closer, &all));
        let scores: Vec<Score> = merged.moves.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [35, 20, 15, -25]);
        assert_eq!(merged.best, [moves[1]]);
        let mates = vec![(moves[0], mate_in(3)), (moves[1], 20)];
        let merged = Reference::of_moves(merge(mates, &all));
        assert_eq!(
            (merged.score, merged.score_of(moves[3])),
            (Some(mate_in(3)), Some(-10))
        );
    }

    #[test]
    fn both_looks_together_take_the_whole_effort() {
        let time = Duration::from_secs;
        assert_eq!(divide(Effort::Time(time(9))), [3, 6].map(time).map(Effort::Time));
        assert_eq!(divide(Effort::Nodes(9)), [3, 6].map(Effort::Nodes));
        assert_eq!(divide(Effort::Depth(9)), [6, 9].map(Effort::Depth));
    }

    #[test]
    fn moves_without_a_score_ask_for_more_effort() {
        assert_eq!(enough(Effort::Nodes(2_000), 20, 30), Effort::Nodes(6_000));
        assert_eq!(enough(Effort::Nodes(10), 0, 30), Effort::Nodes(600));
        assert_eq!(enough(Effort::Depth(1), 1, 2), Effort::Depth(2));
    }

    #[test]
    fn efforts_are_divided_a_third_to_two_thirds() {
        assert_eq!(divide(Effort::Depth(15)), [Effort::Depth(10), Effort::Depth(15)]);
        assert_eq!(divide(Effort::Depth(1)), [Effort::Depth(1), Effort::Depth(1)]);
        assert_eq!(
            divide(Effort::Nodes(900)),
            [Effort::Nodes(300), Effort::Nodes(600)]
        );
    }

    #[test]
    fn no_move_is_better_than_the_best_of_the_second_look() {
        let moves: Vec<Move> = Position::default().legal_moves().into_iter().take(3).collect();
        // the first look saw a mate where the second one saw none
        let all: Vec<(Move, Score)> = moves.iter().copied().zip([mate_in(3), mate_in(5), 40]).collect();
        let merged = Reference::of_moves(merge(vec![(moves[0], 90)], &all));
        let scores = moves.iter().map(|&m| merged.score_of(m).unwrap());
        assert!(scores.max() == Some(90), "{:?}", merged.moves);
    }

    /// A comparison on other positions must not cost the labels that are there.
    #[test]
    fn labels_of_other_positions_stay_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("labels.csv");
        let all = Set::built_in().unwrap();
        let part = |range: std::ops::Range<usize>| Set {
            cases: all.cases[range].to_vec(),
            ..all.clone()
        };
        save(&part(0..3), &[], &cache).unwrap();
        let mut next = part(2..5);
        let others = adopt(&mut next, &all.labelled_by, &cache).unwrap();
        assert_eq!(others.len(), 2);
        assert!(next.cases[0].reference.is_complete() && !next.cases[1].reference.is_complete());
        next.cases[1].reference = all.cases[3].reference.clone();
        save(&next, &others, &cache).unwrap();
        let fens = |cases: &[Case]| -> HashSet<String> { cases.iter().map(Case::fen).collect() };
        let kept = Set::read(&cache, &mut |_| {}).unwrap();
        assert_eq!(fens(&kept.cases), fens(&all.cases[..4]));
    }
}
