//! The updates of the first layer's sums.

use super::lines::CacheLine;
use super::rows::{RowLine, Rows};
use super::vocabulary::Vocabulary;

/// See [`Kernels::accumulate`](super::Kernels::accumulate).
#[inline(always)]
pub(super) fn accumulate<V: Vocabulary>(
    v: V,
    target: &mut [CacheLine],
    source: &[CacheLine],
    rows: Rows,
    added: &[u16],
    removed: &[u16],
) {
    match rows {
        Rows::Words(rows) => accumulate_rows(v, target, source, rows, added, removed),
        Rows::Bytes(rows) => accumulate_rows(v, target, source, rows, added, removed),
    }
}

#[inline(always)]
fn accumulate_rows<V: Vocabulary, L: RowLine>(
    v: V,
    target: &mut [CacheLine],
    source: &[CacheLine],
    rows: &[L],
    added: &[u16],
    removed: &[u16],
) {
    let mut start = 0;
    while target.len() - start >= V::LINES {
        match V::LINES {
            8 => accumulate_part::<V, L, 8>(v, start, target, source, rows, added, removed),
            4 => accumulate_part::<V, L, 4>(v, start, target, source, rows, added, removed),
            _ => accumulate_part::<V, L, 1>(v, start, target, source, rows, added, removed),
        }
        start += V::LINES;
    }
    while start < target.len() {
        accumulate_part::<V, L, 1>(v, start, target, source, rows, added, removed);
        start += 1;
    }
}

/// `N` lines from `start`, held in registers while all rows are added.
#[inline(always)]
fn accumulate_part<V: Vocabulary, L: RowLine, const N: usize>(
    v: V,
    start: usize,
    target: &mut [CacheLine],
    source: &[CacheLine],
    rows: &[L],
    added: &[u16],
    removed: &[u16],
) {
    let lines = target.len();
    let part = |row: u16| &rows[row as usize * lines + start..][..N];
    let mut sums = [v.splat(0); N];
    for (sum, line) in sums.iter_mut().zip(&source[start..][..N]) {
        *sum = v.load(line);
    }
    for &row in added {
        for (sum, line) in sums.iter_mut().zip(part(row)) {
            *sum = v.add(*sum, line.load(v));
        }
    }
    for &row in removed {
        for (sum, line) in sums.iter_mut().zip(part(row)) {
            *sum = v.subtract(*sum, line.load(v));
        }
    }
    for (sum, line) in sums.iter().zip(&mut target[start..][..N]) {
        v.store(*sum, line);
    }
}
