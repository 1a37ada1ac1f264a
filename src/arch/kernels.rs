//! The updates of accumulators, and the table of all loops. They are written in the operations of [`Vocabulary`], and each
//! is compiled once for every instruction set, inside a function with that target feature.

use super::lines::CacheLine;
use super::vocabulary::Vocabulary;

/// See [`Kernels::accumulate`](super::Kernels::accumulate).
#[inline(always)]
pub(super) fn accumulate<V: Vocabulary>(
    v: V,
    target: &mut [CacheLine],
    source: &[CacheLine],
    rows: &[CacheLine],
    added: &[u16],
    removed: &[u16],
) {
    let mut start = 0;
    while target.len() - start >= V::LINES {
        match V::LINES {
            8 => accumulate_part::<V, 8>(v, start, target, source, rows, added, removed),
            4 => accumulate_part::<V, 4>(v, start, target, source, rows, added, removed),
            _ => accumulate_part::<V, 1>(v, start, target, source, rows, added, removed),
        }
        start += V::LINES;
    }
    while start < target.len() {
        accumulate_part::<V, 1>(v, start, target, source, rows, added, removed);
        start += 1;
    }
}

/// `N` lines from `start`, held in registers while all rows are added.
#[inline(always)]
fn accumulate_part<V: Vocabulary, const N: usize>(
    v: V,
    start: usize,
    target: &mut [CacheLine],
    source: &[CacheLine],
    rows: &[CacheLine],
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
            *sum = v.add(*sum, v.load(line));
        }
    }
    for &row in removed {
        for (sum, line) in sums.iter_mut().zip(part(row)) {
            *sum = v.subtract(*sum, v.load(line));
        }
    }
    for (sum, line) in sums.iter().zip(&mut target[start..][..N]) {
        v.store(*sum, line);
    }
}

/// Defines the loops as functions compiled for an instruction set, and their table. The vocabulary must be a unit struct.
macro_rules! compiled {
    ($vocabulary:ident, $set:expr $(, #[$features:meta])?) => {
        $(#[$features])?
        fn accumulate(
            target: &mut [super::CacheLine],
            source: &[super::CacheLine],
            rows: &[super::CacheLine],
            added: &[u16],
            removed: &[u16],
        ) {
            super::kernels::accumulate($vocabulary, target, source, rows, added, removed)
        }

        $(#[$features])?
        fn activate(
            sums: &[super::CacheLine],
            state: &[super::CacheLine],
            first: u16,
            outputs: &mut super::ActiveOutputs,
        ) {
            super::lists::activate($vocabulary, sums, state, first, outputs)
        }

        $(#[$features])?
        fn multiply(
            inputs: &mut super::ActiveOutputs,
            layer: super::ListLayer,
            sums: &mut [super::Sums],
            outputs: &mut super::ActiveOutputs,
        ) {
            super::lists::multiply($vocabulary, inputs, layer, sums, outputs)
        }

        $(#[$features])?
        fn activate_bytes(
            sums: &[super::CacheLine],
            state: &[super::CacheLine],
            activation: super::ByteActivation,
            first: usize,
            outputs: &mut super::ActiveBytes,
        ) {
            super::dense::activate_bytes($vocabulary, sums, state, activation, first, outputs)
        }

        $(#[$features])?
        fn forward(inputs: &mut super::ActiveBytes, layers: &super::DenseLayers) -> [i32; 2] {
            super::dense::forward($vocabulary, inputs, layers)
        }

        const KERNELS: super::Kernels = super::Kernels {
            set: $set,
            accumulate,
            activate,
            multiply,
            activate_bytes,
            forward,
        };
    };
}
pub(super) use compiled;
