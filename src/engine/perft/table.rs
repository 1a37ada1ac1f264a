//! A lockless hash table of counts, shared by threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The count and the depth share a word: the depth is in the highest byte, the count below it.
const DEPTH_SHIFT: u32 = 56;

/// One count. The first word is the key XORed with the second, so that words written by two threads do not match any
/// key (Hyatt and Mann's lockless hashing).
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Two slots: the first is replaced by deeper trees only, the second always.
#[derive(Default)]
struct Bucket {
    deep: Slot,
    latest: Slot,
}

/// Counts by key and depth; entries may be overwritten at any time.
pub struct PerftTable {
    buckets: Vec<Bucket>,
}

impl PerftTable {
    /// An empty table of this many MiB, at least one; `None` if it cannot be allocated.
    pub fn new(mb: usize) -> Option<PerftTable> {
        let count = mb.max(1).checked_mul((1 << 20) / size_of::<Bucket>())?;
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        buckets.resize_with(count, Bucket::default);
        Some(PerftTable { buckets })
    }

    /// The count of a tree, if it is known.
    pub fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let bucket = self.bucket(key);
        bucket
            .deep
            .get(key, depth)
            .or_else(|| bucket.latest.get(key, depth))
    }

    /// Stores the count of a tree, unless it does not fit into its word.
    pub fn put(&self, key: u64, depth: u32, nodes: u64) {
        if nodes >> DEPTH_SHIFT != 0 || depth >= 1 << (64 - DEPTH_SHIFT) {
            return;
        }
        let bucket = self.bucket(key);
        let slot = if depth >= bucket.deep.depth() {
            &bucket.deep
        } else {
            &bucket.latest
        };
        slot.put(key, (depth as u64) << DEPTH_SHIFT | nodes);
    }

    fn bucket(&self, key: u64) -> &Bucket {
        // the high half of the product maps keys evenly to any number of buckets
        let index = (key as u128 * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

impl Slot {
    fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let data = self.data.load(Relaxed);
        let found = self.check.load(Relaxed) ^ data == key && data >> DEPTH_SHIFT == depth as u64;
        found.then_some(data & ((1 << DEPTH_SHIFT) - 1))
    }

    fn put(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }

    fn depth(&self) -> u32 {
        (self.data.load(Relaxed) >> DEPTH_SHIFT) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_deepest_and_the_latest() {
        let table = PerftTable::new(1).unwrap();
        for depth in [5, 3, 2] {
            table.put(42, depth, depth as u64 * 100);
        }
        assert_eq!(table.get(42, 5), Some(500));
        assert_eq!(table.get(42, 3), None);
        assert_eq!(table.get(42, 2), Some(200));
        assert_eq!(table.get(43, 5), None);
    }

    #[test]
    fn counts_that_do_not_fit_are_not_stored() {
        let table = PerftTable::new(1).unwrap();
        table.put(7, 4, 1 << 56);
        table.put(7, 256, 1);
        assert_eq!(
            (table.get(7, 4), table.get(7, 256), table.get(7, 0)),
            (None, None, None)
        );
        table.put(7, 255, (1 << 56) - 1);
        assert_eq!(table.get(7, 255), Some((1 << 56) - 1));
    }

    #[test]
    fn mixed_words_of_two_threads_are_not_found() {
        let slot = Slot::default();
        slot.put(1, 2 << 56 | 20);
        slot.data.store(2 << 56 | 21, Relaxed);
        assert_eq!(slot.get(1, 2), None);
    }
}
