//! A lockless hash table of counts, shared by threads.

use crate::arch::{prefer_huge_pages, prefetch};
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

/// The slots of one cache line, so that a probe waits for memory once; any of them may hold a tree.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

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
        prefer_huge_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        Some(PerftTable { buckets })
    }

    /// The count of a tree, from the table or else counted now and stored there.
    pub fn get_or_count(&self, key: u64, depth: u32, count: impl FnOnce() -> u64) -> u64 {
        self.get(key, depth).unwrap_or_else(|| {
            let nodes = count();
            self.put(key, depth, nodes);
            nodes
        })
    }

    /// The count of a tree, if it is known.
    fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let slots = &self.bucket(key).0;
        slots.iter().find_map(|slot| slot.get(key, depth))
    }

    /// Starts loading the counts of a position that is about to be looked up.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Stores the count of a tree in place of the smallest one of its bucket, unless it does not fit into its word.
    fn put(&self, key: u64, depth: u32, nodes: u64) {
        if nodes >> DEPTH_SHIFT != 0 || depth >= 1 << (64 - DEPTH_SHIFT) {
            return;
        }
        let slots = &self.bucket(key).0;
        let smallest = slots.iter().min_by_key(|slot| slot.data.load(Relaxed));
        if let Some(slot) = smallest {
            slot.put(key, (depth as u64) << DEPTH_SHIFT | nodes);
        }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_bucket_gives_up_its_smallest_tree() {
        let table = PerftTable::new(1).unwrap();
        // small keys all fall into the first bucket
        for (key, depth) in [(1, 5), (2, 3), (3, 2), (4, 4), (5, 2), (6, 2)] {
            table.put(key, depth, depth as u64 * 100);
        }
        let depths = [5, 3, 2, 4, 2, 2];
        let found = [1, 2, 3, 4, 5, 6].map(|key| table.get(key, depths[key as usize - 1]));
        assert_eq!(found, [Some(500), Some(300), None, Some(400), None, Some(200)]);
        assert_eq!(table.get(1, 4), None);
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
