//! The three loops of the network, in the words of [`Vocabulary`]. Each is compiled once for every instruction set, inside
//! a function that may use it.

use super::{Activation, Active, Dense, Line, Vocabulary};

/// See [`Kernels::accumulate`](super::Kernels::accumulate).
#[inline(always)]
pub(super) fn accumulate<V: Vocabulary>(
    v: V,
    target: &mut [Line],
    source: &[Line],
    rows: &[Line],
    added: &[u16],
    removed: &[u16],
) {
    let mut start = 0;
    while target.len() - start >= V::LINES {
        match V::LINES {
            8 => accumulate_part::<V, 8>(v, start, target, source, rows, added, removed),
            2 => accumulate_part::<V, 2>(v, start, target, source, rows, added, removed),
            _ => accumulate_part::<V, 1>(v, start, target, source, rows, added, removed),
        }
        start += V::LINES;
    }
    while start < target.len() {
        accumulate_part::<V, 1>(v, start, target, source, rows, added, removed);
        start += 1;
    }
}

/// `N` lines from `start`, held in registers while the rows go by.
#[inline(always)]
fn accumulate_part<V: Vocabulary, const N: usize>(
    v: V,
    start: usize,
    target: &mut [Line],
    source: &[Line],
    rows: &[Line],
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

/// See [`Kernels::activate`](super::Kernels::activate).
#[inline(always)]
pub(super) fn activate<V: Vocabulary>(
    v: V,
    sums: &[Line],
    state: &[Line],
    activation: Activation,
    first: u16,
    outputs: &mut Active,
) {
    let (zero, cap) = (v.splat(0), v.splat(activation.cap));
    let mut output = first;
    for (sums, state) in sums.iter().zip(state) {
        let sum = v.add(v.load(sums), v.load(state));
        let mut value = v.minimum(v.maximum(sum, zero), cap);
        if let Some(shift) = activation.square {
            let root = v.shift_left(value, shift);
            value = v.multiply_high(root, root);
        }
        v.append(value, output, outputs);
        output = output.wrapping_add(super::LANES as u16);
    }
}

/// See [`Kernels::multiply`](super::Kernels::multiply).
#[inline(always)]
pub(super) fn multiply<V: Vocabulary>(v: V, inputs: &mut Active, layer: Dense, outputs: &mut Active) {
    inputs.close();
    outputs.clear();
    let lines = layer.bias.len();
    let mut start = 0;
    while lines - start >= V::LINES {
        match V::LINES {
            8 => multiply_part::<V, 8>(v, start, inputs, layer, outputs),
            2 => multiply_part::<V, 2>(v, start, inputs, layer, outputs),
            _ => multiply_part::<V, 1>(v, start, inputs, layer, outputs),
        }
        start += V::LINES;
    }
    while start < lines {
        multiply_part::<V, 1>(v, start, inputs, layer, outputs);
        start += 1;
    }
}

/// The outputs of `N` lines from `start`, their sums held in registers while the inputs go by.
#[inline(always)]
fn multiply_part<V: Vocabulary, const N: usize>(
    v: V,
    start: usize,
    inputs: &Active,
    layer: Dense,
    outputs: &mut Active,
) {
    let lines = layer.bias.len();
    let part = |row: usize| &layer.rows[row * lines + start..][..N];
    let mut sums = [v.load_wide(&layer.bias[start]); N];
    for (sum, bias) in sums.iter_mut().zip(&layer.bias[start..][..N]) {
        *sum = v.load_wide(bias);
    }
    for ([first, second], pair) in inputs.pairs() {
        let (a, b) = (part(first), part(second));
        for i in 0..N {
            sums[i] = v.multiply_add(sums[i], v.load(&a[i]), v.load(&b[i]), pair);
        }
    }
    let (zero, cap) = (v.splat(0), v.splat(layer.cap));
    for (i, &sum) in sums.iter().enumerate() {
        let value = v.minimum(v.maximum(v.narrow(sum, layer.shift), zero), cap);
        v.append(value, ((start + i) * super::LANES) as u16, outputs);
    }
}

/// The three loops as functions that are compiled for an instruction set, and the table of them. The vocabulary must be
/// a unit struct.
macro_rules! compiled {
    ($vocabulary:ident, $set:expr $(, #[$features:meta])?) => {
        $(#[$features])?
        fn accumulate(
            target: &mut [crate::evaluation::simd::Line],
            source: &[crate::evaluation::simd::Line],
            rows: &[crate::evaluation::simd::Line],
            added: &[u16],
            removed: &[u16],
        ) {
            super::kernels::accumulate($vocabulary, target, source, rows, added, removed)
        }

        $(#[$features])?
        fn activate(
            sums: &[crate::evaluation::simd::Line],
            state: &[crate::evaluation::simd::Line],
            activation: crate::evaluation::simd::Activation,
            first: u16,
            outputs: &mut crate::evaluation::simd::Active,
        ) {
            super::kernels::activate($vocabulary, sums, state, activation, first, outputs)
        }

        $(#[$features])?
        fn multiply(
            inputs: &mut crate::evaluation::simd::Active,
            layer: crate::evaluation::simd::Dense,
            outputs: &mut crate::evaluation::simd::Active,
        ) {
            super::kernels::multiply($vocabulary, inputs, layer, outputs)
        }

        const KERNELS: super::Kernels = super::Kernels {
            set: $set,
            accumulate,
            activate,
            multiply,
        };
    };
}
pub(super) use compiled;
