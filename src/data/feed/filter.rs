//! Which positions are worth learning from.
//!
//! The search resolves checks, captures and promotions by itself; a network that need not judge them learns the rest
//! better.

use crate::data::count::Counts;
use crate::data::record::hint::retain_with_hints;
use crate::data::record::{Hint, NO_HINT, Record};
use serde::{Deserialize, Serialize};

/// The hashes in one line of the memory of [`Filter`].
const WAYS: usize = 8;

/// What to leave out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FilterSettings {
    /// Positions in check.
    pub in_check: bool,
    /// Positions whose best move captures or promotes.
    pub noisy: bool,
    /// Positions without a label.
    pub unlabelled: bool,
    /// Scores beyond ± this many centipawns, mates included.
    pub max_score: Option<u16>,
    /// Duplicates of earlier positions, which are remembered in this many MiB, 8 bytes each. Once these are full, any
    /// of them may be forgotten, not only the oldest.
    pub duplicate_memory: Option<usize>,
}

impl Default for FilterSettings {
    /// Nothing is left out but positions without a label.
    fn default() -> FilterSettings {
        FilterSettings {
            in_check: false,
            noisy: false,
            unlabelled: true,
            max_score: None,
            duplicate_memory: None,
        }
    }
}

/// Why a record was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// No label.
    Unlabelled,
    /// The side to move is in check.
    InCheck,
    /// The best move captures or promotes.
    Noisy,
    /// The score is beyond the bound.
    Score,
    /// The position came before.
    Duplicate,
}

impl Rejected {
    /// The name of every reason, in the order of the counts.
    pub const NAMES: [&'static str; 5] = [
        "without a label",
        "in check",
        "best move captures or promotes",
        "score beyond the bound",
        "duplicate",
    ];
}

/// Leaves records out and counts them by reason.
#[derive(Debug)]
pub struct Filter {
    settings: FilterSettings,
    seen: Option<Seen>,
    rejected: Counts<5>,
}

impl Filter {
    /// A filter that has seen nothing yet.
    pub fn new(settings: FilterSettings) -> Filter {
        Filter {
            seen: settings.duplicate_memory.map(Seen::new),
            rejected: Counts::new(Rejected::NAMES),
            settings,
        }
    }

    /// Whether to keep a record.
    pub fn keep(&mut self, record: &Record) -> bool {
        let reason = self.reason(record);
        if let Some(reason) = reason {
            self.rejected.add(reason as usize);
        }
        reason.is_none()
    }

    /// Leaves records of a group out, with their hints if there are any. Returns whether a rejected first record was kept without its label: it is if
    /// others stay, because its position decides the part of the group. Training skips records without a label.
    pub fn keep_group(&mut self, group: &mut Vec<Record>, hints: &mut Vec<Hint>) -> bool {
        let first = group.first().copied();
        let mut first_kept = None;
        retain_with_hints(group, hints, |record| {
            let keep = self.keep(record);
            first_kept.get_or_insert(keep);
            keep
        });
        match first {
            Some(first) if first_kept == Some(false) && !group.is_empty() => {
                group.insert(0, first.without_label());
                if !hints.is_empty() {
                    hints.insert(0, NO_HINT);
                }
                true
            }
            _ => false,
        }
    }

    /// What was left out so far.
    pub fn rejected(&self) -> &Counts<5> {
        &self.rejected
    }

    fn reason(&mut self, record: &Record) -> Option<Rejected> {
        let settings = &self.settings;
        let bound = settings.max_score.unwrap_or(u16::MAX);
        if settings.unlabelled && record.score().is_none() {
            Some(Rejected::Unlabelled)
        } else if settings.in_check && record.in_check() {
            Some(Rejected::InCheck)
        } else if settings.noisy && record.best().is_some_and(|best| !best.is_quiet()) {
            Some(Rejected::Noisy)
        } else if record.score().is_some_and(|score| score.unsigned_abs() > bound) {
            Some(Rejected::Score)
        } else if self.seen.as_mut().is_some_and(|seen| seen.insert(record.hash())) {
            Some(Rejected::Duplicate)
        } else {
            None
        }
    }
}

/// Remembers hashes in a fixed amount of memory. Each belongs to one line, which holds eight; the ninth pushes out one of
/// them, not always the oldest: a counter that all lines share says which.
#[derive(Debug)]
struct Seen {
    lines: Vec<[u64; WAYS]>,
    next: u8,
}

impl Seen {
    fn new(mebibytes: usize) -> Seen {
        let lines = (mebibytes.max(1) << 20) / size_of::<[u64; WAYS]>();
        Seen {
            lines: vec![[0; WAYS]; lines],
            next: 0,
        }
    }

    /// Remembers a hash; whether it was there already.
    fn insert(&mut self, hash: u64) -> bool {
        // 0 marks an empty place
        let hash = hash.max(1);
        let place = ((hash as u128 * self.lines.len() as u128) >> 64) as usize;
        let line = &mut self.lines[place];
        if line.contains(&hash) {
            return true;
        }
        let way = line
            .iter()
            .position(|&other| other == 0)
            .unwrap_or(self.next as usize % WAYS);
        line[way] = hash;
        self.next = self.next.wrapping_add(1);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Label;

    fn record(fen: &str) -> Record {
        Record::new(&Position::from_fen(fen).unwrap()).with_label(Label::Centipawns(20))
    }

    /// White takes on d5, or does something else.
    const TENSION: &str = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    const CHECK: &str = "4k3/8/8/8/8/8/8/K3R3 b - - 0 1";

    fn with_move(text: &str) -> Record {
        let position = Position::from_fen(TENSION).unwrap();
        record(TENSION).with_best(position.parse_uci(text).unwrap())
    }

    #[test]
    fn every_reason_is_counted_once() {
        let mut filter = Filter::new(FilterSettings {
            in_check: true,
            noisy: true,
            unlabelled: true,
            max_score: Some(1000),
            duplicate_memory: Some(1),
        });
        let quiet = with_move("e4e5");
        let cases = [
            (quiet, None),
            (quiet, Some(Rejected::Duplicate)),
            (with_move("e4d5"), Some(Rejected::Noisy)),
            (record(CHECK), Some(Rejected::InCheck)),
            (quiet.with_label(Label::Centipawns(-1001)), Some(Rejected::Score)),
            (quiet.with_label(Label::Mate(2)), Some(Rejected::Score)),
            (Record::new(&Position::default()), Some(Rejected::Unlabelled)),
            (
                record(Position::START_FEN).with_label(Label::Centipawns(1000)),
                None,
            ),
        ];
        for (record, reason) in cases {
            assert_eq!(filter.keep(&record), reason.is_none(), "{reason:?}");
        }
        let counts = [0, 1, 2, 3, 4].map(|kind| filter.rejected().of(kind));
        assert_eq!(counts, [1, 1, 1, 2, 1]);
    }

    #[test]
    fn a_group_keeps_its_first_position_while_others_stay() {
        let mut filter = Filter::new(FilterSettings {
            in_check: true,
            noisy: true,
            ..FilterSettings::default()
        });
        let (quiet, noisy) = (with_move("e4e5"), with_move("e4d5"));
        let cases = [
            (vec![quiet, noisy], vec![quiet], false),
            (
                vec![noisy, noisy, quiet],
                vec![noisy.without_label(), quiet],
                true,
            ),
            // such a group may pass again
            (
                vec![noisy.without_label(), quiet],
                vec![noisy.without_label(), quiet],
                true,
            ),
            (vec![noisy, record(CHECK)], vec![], false),
            (vec![], vec![], false),
        ];
        for (mut group, kept, bare) in cases {
            let before = group.clone();
            assert_eq!(filter.keep_group(&mut group, &mut Vec::new()), bare, "{before:?}");
            assert_eq!(group, kept);
        }
    }

    #[test]
    fn by_default_only_labels_matter() {
        let mut filter = Filter::new(FilterSettings::default());
        let kept = [with_move("e4d5"), with_move("e4d5"), record(CHECK)];
        assert!(kept.iter().all(|record| filter.keep(record)));
        assert!(!filter.keep(&Record::new(&Position::default())));
    }

    #[test]
    fn memory_is_bounded_and_remembers_the_last() {
        let mut seen = Seen::new(1);
        let size = (seen.lines.len() * WAYS) as u64;
        assert_eq!(size * 8, 1 << 20);
        let hash = crate::support::mix::mix;
        assert!((0..size / 2).all(|n| !seen.insert(hash(n))));
        let found = (0..size / 2).filter(|&n| seen.insert(hash(n))).count() as u64;
        assert!(
            found > size * 45 / 100,
            "half full, nearly all are remembered: {found} of {}",
            size / 2
        );
        assert!((1_000_000..1_000_000 + 4 * size).all(|n| !seen.insert(hash(n))));
        assert!(seen.insert(hash(1_000_000 + 4 * size - 1)));
        assert_eq!((seen.lines.len() * WAYS) as u64, size);
    }
}
