//! The transposition table: what the search found out about positions, shared by all threads without locks.
//!
//! An entry is two atomic words. The first is the key combined with the second by exclusive or, so that an entry torn
//! by two writers no longer matches its key (Hyatt and Mann, "A lock-less transposition table implementation", 2002).

use super::Bound;
use super::params::{table_age_penalty, table_keep_margin};
use crate::arch::{prefer_huge_pages, prefetch};
use crate::board::{Move, PieceType, Position, Square};
use crate::nets::score::{MATE_FOUND, Score, is_decisive, is_mate};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use thiserror::Error;

/// Entries that share one cache line.
const CLUSTER: usize = 4;
/// From so many MiB on, all cores fill a table, for which one core takes seconds where the table is huge; for a smaller
/// table it is not worth starting their threads.
const LARGE: usize = 512;
/// The age of entries is counted modulo this, in searches.
const AGES: u8 = 32;

/// What the system has no memory for.
#[derive(Debug, Error)]
pub enum MemoryError {
    /// A table of so many MiB.
    #[error("cannot allocate a hash table of {0} MB; set a smaller Hash")]
    Table(usize),
    /// So many threads.
    #[error("there is not enough memory for {0} threads; set fewer Threads")]
    Threads(usize),
}

/// The table. Its size is fixed; a search of another size needs another table.
pub struct Table {
    clusters: Vec<Cluster>,
    age: AtomicU8,
}

#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; CLUSTER]);

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or the one that failed high, as [`short`] writes it; 0 for none.
    pub best: u16,
    /// The score as seen from the position itself; meaningful only with a bound.
    pub score: Score,
    /// The network's score before any correction; `None` in check.
    pub evaluation: Option<Score>,
    /// Plies searched below the position; 0 from quiescence.
    pub depth: i32,
    /// How far the score can be trusted; `None` when only the evaluation is known.
    pub bound: Option<Bound>,
    /// Whether the position was on a principal variation.
    pub was_pv: bool,
}

impl Entry {
    /// An entry that holds nothing but the network's score.
    pub fn of_evaluation(score: Score) -> Entry {
        Entry {
            best: 0,
            score: 0,
            evaluation: Some(score),
            depth: -1,
            bound: None,
            was_pv: false,
        }
    }

    /// Whether the score cuts off a search with this window.
    #[inline]
    pub fn allows_cut(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            None => false,
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score >= beta,
            Some(Bound::Upper) => self.score <= alpha,
        }
    }

    /// A better estimate than the evaluation, where the searched score contradicts it.
    #[inline]
    pub fn improve(&self, evaluation: Score) -> Score {
        let contradicts = match self.bound {
            None => false,
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score > evaluation,
            Some(Bound::Upper) => self.score < evaluation,
        };
        if contradicts && !is_decisive(self.score) {
            self.score
        } else {
            evaluation
        }
    }
}

/// A move in 16 bits, enough to find it again among the legal moves: from, to, kind promoted to.
#[inline]
pub fn short(m: Move) -> u16 {
    let promoted = m.promoted().map_or(0, |piece| piece.kind().index() as u16);
    m.from().index() as u16 | (m.to().index() as u16) << 6 | promoted << 12
}

/// The origin of a move in its short form.
#[inline]
pub fn origin(best: u16) -> Square {
    Square::new((best & 63) as u8)
}

/// The target square of a move in its short form.
#[inline]
pub fn target(best: u16) -> Square {
    Square::new((best >> 6 & 63) as u8)
}

/// The legal move that a short form stands for, if there is one.
#[inline]
pub fn find_move(position: &Position, best: u16) -> Option<Move> {
    let promoted = match best >> 12 {
        0 => None,
        kind @ 1..=4 => Some(PieceType::ALL[kind as usize]),
        _ => return None,
    };
    position.find_move(origin(best), target(best), promoted)
}

/// Threads for a table of this size; `None` for one that a single thread fills in a moment, and where the system makes no
/// more threads.
fn cores(megabytes: usize) -> Option<rayon::ThreadPool> {
    match megabytes < LARGE {
        true => None,
        false => rayon::ThreadPoolBuilder::new().build().ok(),
    }
}

impl Table {
    /// A table of at most `megabytes` MiB, all of it allocated at once.
    ///
    /// # Errors
    /// [`MemoryError`] when the memory cannot be allocated.
    pub fn new(megabytes: usize) -> Result<Table, MemoryError> {
        let count = (megabytes.max(1) << 20) / size_of::<Cluster>();
        let mut clusters = Vec::new();
        clusters
            .try_reserve_exact(count)
            .map_err(|_| MemoryError::Table(megabytes))?;
        prefer_huge_pages(clusters.spare_capacity_mut());
        match cores(megabytes) {
            Some(cores) => {
                cores.install(|| clusters.par_extend((0..count).into_par_iter().map(|_| Cluster::default())))
            }
            None => clusters.resize_with(count, Cluster::default),
        }
        Ok(Table {
            clusters,
            age: AtomicU8::new(0),
        })
    }

    /// Its size in MiB.
    pub fn megabytes(&self) -> usize {
        (self.clusters.len() * size_of::<Cluster>()) >> 20
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        let clusters = &mut self.clusters[..];
        match cores(size_of_val(clusters) >> 20) {
            Some(cores) => cores.install(|| {
                clusters
                    .par_iter_mut()
                    .for_each(|cluster| *cluster = Cluster::default())
            }),
            None => clusters.fill_with(Cluster::default),
        }
        *self.age.get_mut() = 0;
    }

    /// Begins a new search: what older ones wrote is replaced first.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// How full the table is with entries of the current search, in thousandths, from a sample.
    pub fn permille(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let slots = sample.iter().flat_map(|cluster| &cluster.0);
        let used = slots
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| data != 0 && age_of(data) == age)
            .count();
        (used * 1000 / (sample.len() * CLUSTER)) as u32
    }

    /// Prefetches the entries of a position that is about to be probed.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// What the table holds of a position `ply` plies from the root; mate scores are made distances from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (data != 0 && slot.check.load(Relaxed) ^ data == key).then(|| unpack(data, ply))
        })
    }

    /// Stores what was found out about a position `ply` plies from the root. An entry of this search for the same
    /// position that is deeper by more than [`table_keep_margin`] stays unless the new one is exact; of other positions'
    /// entries the shallowest and oldest is replaced.
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let mut worst: Option<(&Slot, i32)> = None;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Relaxed);
            if data != 0 && slot.check.load(Relaxed) ^ data == key {
                let old = unpack(data, ply);
                let current = age_of(data) == age;
                if current
                    && entry.bound != Some(Bound::Exact)
                    && old.depth > entry.depth + table_keep_margin()
                {
                    if entry.best != 0 {
                        // what failed high last is the better guess
                        put(slot, key, data & !MOVE_BITS | entry.best as u64);
                    }
                    return;
                }
                if entry.best == 0 {
                    entry.best = old.best;
                }
                worst = Some((slot, i32::MIN));
                break;
            }
            let worth = if data == 0 { i32::MIN } else { worth(data, age) };
            if worst.is_none_or(|(_, least)| worth < least) {
                worst = Some((slot, worth));
            }
        }
        if let Some((slot, _)) = worst {
            let data = pack(&entry, age, ply);
            put(slot, key, data);
        }
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        // the high half of the product spreads keys over any number of clusters
        &self.clusters[((key as u128 * self.clusters.len() as u128) >> 64) as usize]
    }
}

/// Writes a data word for a key.
#[inline]
fn put(slot: &Slot, key: u64, data: u64) {
    slot.check.store(key ^ data, Relaxed);
    slot.data.store(data, Relaxed);
}

/// Where the move is in the data word.
const MOVE_BITS: u64 = 0xffff;

/// Data word: move 0–15, score 16–31, evaluation 32–47, depth 48–55, bound 56–57, was-PV 58, age 59–63.
fn pack(entry: &Entry, age: u8, ply: usize) -> u64 {
    let ply = ply as Score;
    let score = match entry.score {
        score if !is_decisive(score) => score,
        score => score + score.signum() * ply,
    };
    let bound = match entry.bound {
        None => 0,
        Some(Bound::Exact) => 1,
        Some(Bound::Lower) => 2,
        Some(Bound::Upper) => 3,
    };
    // depth + 1, so that a real entry is never all zeros
    entry.best as u64
        | (score as i16 as u16 as u64) << 16
        | (entry.evaluation.map_or(i16::MIN, |score| score as i16) as u16 as u64) << 32
        | ((entry.depth + 1).clamp(1, 255) as u64) << 48
        | bound << 56
        | (entry.was_pv as u64) << 58
        | (age as u64) << 59
}

#[inline]
fn unpack(data: u64, ply: usize) -> Entry {
    let score = (data >> 16) as i16 as Score;
    let evaluation = (data >> 32) as i16;
    Entry {
        best: data as u16,
        score: seen_from(score, ply),
        evaluation: (evaluation != i16::MIN).then_some(evaluation as Score),
        depth: (data >> 48 & 255) as i32 - 1,
        bound: [None, Some(Bound::Exact), Some(Bound::Lower), Some(Bound::Upper)][(data >> 56 & 3) as usize],
        was_pv: data >> 58 & 1 == 1,
    }
}

/// A score of the table as seen from the root, `ply` plies away: mates and tablebase results are that much farther. A mate
/// that becomes too long to be counted is still a mate, the longest one.
#[inline]
fn seen_from(score: Score, ply: usize) -> Score {
    if !is_decisive(score) {
        return score;
    }
    let seen = score - score.signum() * ply as Score;
    match is_mate(score) {
        true => seen.signum() * seen.abs().max(MATE_FOUND),
        false => seen,
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

fn worth(data: u64, age: u8) -> i32 {
    let depth = (data >> 48 & 255) as i32;
    let searches_ago = (AGES + age - age_of(data)) % AGES;
    depth - table_age_penalty() * searches_ago as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::score::{mate_in, mated_in};

    fn entry(score: Score) -> Entry {
        Entry {
            best: 77,
            score,
            evaluation: Some(-35),
            depth: 9,
            bound: Some(Bound::Lower),
            was_pv: true,
        }
    }

    #[test]
    fn gives_back_what_was_stored() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.probe(42, 0), None);
        table.store(42, 0, entry(-1234));
        assert_eq!(table.probe(42, 5), Some(entry(-1234)));
        assert_eq!(table.probe(43, 5), None);
        let only_evaluation = Entry {
            best: 0,
            evaluation: None,
            depth: 0,
            bound: None,
            ..entry(0)
        };
        table.store(7, 0, only_evaluation);
        assert_eq!(table.probe(7, 0), Some(only_evaluation));
    }

    #[test]
    fn mates_are_counted_from_the_node() {
        let table = Table::new(1).unwrap();
        table.store(1, 4, entry(mate_in(10)));
        assert_eq!(table.probe(1, 0).unwrap().score, mate_in(6));
        assert_eq!(table.probe(1, 2).unwrap().score, mate_in(8));
        table.store(2, 4, entry(mated_in(9)));
        assert_eq!(table.probe(2, 1).unwrap().score, mated_in(6));
    }

    #[test]
    fn a_mate_read_deep_in_the_tree_stays_a_mate() {
        let table = Table::new(1).unwrap();
        table.store(1, 0, entry(mate_in(100)));
        table.store(2, 0, entry(mated_in(100)));
        assert!(is_mate(table.probe(1, 100).unwrap().score));
        assert!(is_mate(table.probe(2, 100).unwrap().score));
    }

    #[test]
    fn a_refused_entry_leaves_its_move() {
        let table = Table::new(1).unwrap();
        table.store(9, 0, entry(5));
        let shallow = Entry {
            best: 33,
            depth: 1,
            ..entry(7)
        };
        table.store(9, 0, shallow);
        assert_eq!(table.probe(9, 0), Some(Entry { best: 33, ..entry(5) }));
    }

    #[test]
    fn a_full_cluster_gives_up_its_oldest_and_shallowest() {
        let table = Table::new(1).unwrap();
        // small keys all fall into the first cluster
        for key in 1..=4 {
            table.store(
                key,
                0,
                Entry {
                    depth: key as i32,
                    ..entry(0)
                },
            );
        }
        table.new_search();
        table.store(4, 0, entry(0));
        table.store(5, 0, entry(0));
        assert_eq!(table.probe(1, 0), None);
        assert!((2..=5).all(|key| table.probe(key, 0).is_some()));
    }

    #[test]
    fn a_move_survives_when_the_new_entry_has_none() {
        let table = Table::new(1).unwrap();
        table.store(9, 0, entry(0));
        table.store(9, 0, Entry { best: 0, ..entry(5) });
        assert_eq!(table.probe(9, 0).unwrap().best, 77);
    }

    #[test]
    fn short_moves_are_found_again() {
        let position = Position::from_fen("8/P7/8/8/8/8/k6K/8 w - - 0 1").unwrap();
        for m in position.legal_moves() {
            assert_eq!(find_move(&position, short(m)), Some(m));
            assert_eq!(target(short(m)), m.to());
        }
        assert_eq!(find_move(&position, 0), None);
    }

    #[test]
    fn what_an_earlier_search_left_does_not_fill_the_table() {
        let table = Table::new(1).unwrap();
        table.new_search();
        for number in 0..1_000u64 {
            table.store(number << 44, 0, entry(0));
        }
        assert!(table.permille() > 0);
        table.new_search();
        assert_eq!(table.permille(), 0);
    }
}
