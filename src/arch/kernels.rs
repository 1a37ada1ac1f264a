//! The three loops of the network, written in the operations of [`Vocabulary`]. Each is compiled once for every
//! instruction set, inside a function with that target feature.

use super::{ActiveOutputs, BLOCK, CacheLine, DenseLayer, IntegerActivation, LANES, Sums, Vocabulary};

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

/// See [`Kernels::activate`](super::Kernels::activate).
#[inline(always)]
pub(super) fn activate<V: Vocabulary>(
    v: V,
    sums: &[CacheLine],
    state: &[CacheLine],
    activation: IntegerActivation,
    first: u16,
    outputs: &mut ActiveOutputs,
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
        output = output.wrapping_add(LANES as u16);
    }
}

/// See [`Kernels::multiply`](super::Kernels::multiply).
#[inline(always)]
pub(super) fn multiply<V: Vocabulary>(
    v: V,
    inputs: &mut ActiveOutputs,
    layer: DenseLayer,
    sums: &mut [Sums],
    outputs: &mut ActiveOutputs,
) {
    inputs.close();
    let lines = layer.bias.len();
    let sums = &mut sums[..lines];
    match sums {
        [sums] if layer.half => multiply_line::<V, true>(v, inputs, layer, sums),
        [sums] => multiply_line::<V, false>(v, inputs, layer, sums),
        _ => multiply_lines(v, inputs, layer, sums),
    }
    outputs.clear();
    let (zero, cap) = (v.splat(0), v.splat(layer.cap));
    let mut output = 0u16;
    for sums in sums {
        let value = v.narrow(v.load_wide(sums), layer.shift);
        v.append(v.minimum(v.maximum(value, zero), cap), output, outputs);
        output = output.wrapping_add(LANES as u16);
    }
}

/// The sums of a layer of one line, in four independent chains because each addition waits for the one before.
#[inline(always)]
fn multiply_line<V: Vocabulary, const HALF: bool>(
    v: V,
    inputs: &ActiveOutputs,
    layer: DenseLayer,
    sums: &mut Sums,
) {
    let mut parts = [v.load_wide(&Sums::ZERO); BLOCK / 2];
    for (indices, pairs) in inputs.blocks() {
        for i in 0..BLOCK / 2 {
            let row = |index: u16| v.load(&layer.rows[index as usize]);
            let (a, b) = (row(indices[2 * i]), row(indices[2 * i + 1]));
            parts[i] = if HALF {
                v.multiply_add_half(parts[i], a, b, pairs[i])
            } else {
                v.multiply_add(parts[i], a, b, pairs[i])
            };
        }
    }
    let bias = v.load_wide(&layer.bias[0]);
    let (left, right) = (v.add_wide(parts[0], parts[1]), v.add_wide(parts[2], parts[3]));
    v.store_wide(v.add_wide(bias, v.add_wide(left, right)), sums);
}

/// The sums of a wider layer: the rows of a few inputs at a time are read sequentially, which suits the prefetcher.
#[inline(always)]
fn multiply_lines<V: Vocabulary>(v: V, inputs: &ActiveOutputs, layer: DenseLayer, sums: &mut [Sums]) {
    let lines = sums.len();
    sums.copy_from_slice(layer.bias);
    for (indices, pairs) in inputs.blocks() {
        let mut rows = [layer.rows; BLOCK];
        for (row, &index) in rows.iter_mut().zip(indices) {
            *row = &layer.rows[index as usize * lines..][..lines];
        }
        for (line, sums) in sums.iter_mut().enumerate() {
            let mut sum = v.load_wide(sums);
            for i in 0..BLOCK / 2 {
                let (a, b) = (v.load(&rows[2 * i][line]), v.load(&rows[2 * i + 1][line]));
                sum = v.multiply_add(sum, a, b, pairs[i]);
            }
            v.store_wide(sum, sums);
        }
    }
}

/// Defines the three loops as functions compiled for an instruction set, and their table. The vocabulary must be a unit
/// struct.
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
            activation: super::IntegerActivation,
            first: u16,
            outputs: &mut super::ActiveOutputs,
        ) {
            super::kernels::activate($vocabulary, sums, state, activation, first, outputs)
        }

        $(#[$features])?
        fn multiply(
            inputs: &mut super::ActiveOutputs,
            layer: super::DenseLayer,
            sums: &mut [super::Sums],
            outputs: &mut super::ActiveOutputs,
        ) {
            super::kernels::multiply($vocabulary, inputs, layer, sums, outputs)
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
