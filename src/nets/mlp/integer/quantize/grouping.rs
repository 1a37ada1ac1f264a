//! The order of the first layer's units. The second layer skips blocks of [`BLOCK`] outputs that are all zero, so units that
//! are often silent together are put next to each other: 98 of 256 blocks of the default net have an output above zero then,
//! and 124 in the order of the file.

use crate::arch::BLOCK;
use crate::nets::mlp::weights::MlpWeights;

/// Outputs below this are taken for silent: half a step of a byte.
const SILENT: f32 = 0.5 / 127.0;

/// In which of the views that were tried a unit is active, 64 to a number.
type Active = Vec<u64>;

/// Puts the first layer's units in order, given the outputs of some views. The net computes the same.
pub fn group(weights: &mut MlpWeights, views: &[Vec<f32>]) {
    let outputs = weights.shape.inputs_of(1) / weights.shape.perspectives;
    let active = (0..outputs).map(|output| activity(views, output));
    let order = order(&active.collect::<Vec<_>>());
    let parts = weights.shape.hidden[0] / outputs;
    let [first, second, ..] = &mut weights.layers[..] else {
        unreachable!("a net has two layers");
    };
    let units: Vec<usize> = (0..parts)
        .flat_map(|part| order.iter().map(move |unit| part * outputs + unit))
        .collect();
    let old = first.clone();
    for (to, &from) in units.iter().enumerate() {
        first.bias[to] = old.bias[from];
        let row = |unit: usize| unit * old.inputs..(unit + 1) * old.inputs;
        first.weight[row(to)].copy_from_slice(&old.weight[row(from)]);
    }
    let mut seen = vec![0.0; outputs];
    for weights in second.weight.chunks_exact_mut(outputs) {
        for (seen, &from) in seen.iter_mut().zip(&order) {
            *seen = weights[from];
        }
        weights.copy_from_slice(&seen);
    }
}

fn activity(views: &[Vec<f32>], output: usize) -> Active {
    let bits = |views: &[Vec<f32>]| {
        let set = views.iter().enumerate();
        set.fold(0, |bits, (place, view)| {
            bits | u64::from(view[output] > SILENT) << place
        })
    };
    views.chunks(64).map(bits).collect()
}

/// Blocks of units, the most silent first: each block begins with the most silent unit that is left, and takes in those that
/// are active in the fewest views in which no other unit of the block is.
fn order(active: &[Active]) -> Vec<usize> {
    let count = |views: &Active| views.iter().map(|bits| bits.count_ones()).sum::<u32>();
    let mut left: Vec<usize> = (0..active.len()).collect();
    left.sort_by_key(|&unit| count(&active[unit]));
    let mut order = Vec::with_capacity(left.len());
    let mut block: Active = Vec::new();
    while !left.is_empty() {
        if order.len() % BLOCK == 0 {
            block = vec![0; active[left[0]].len()];
        }
        let added = |unit: usize| {
            let views = active[unit].iter().zip(&block);
            views.map(|(own, block)| (own & !block).count_ones()).sum::<u32>()
        };
        let next = (0..left.len())
            .min_by_key(|&place| added(left[place]))
            .expect("units are left");
        let unit = left.remove(next);
        for (block, own) in block.iter_mut().zip(&active[unit]) {
            *block |= own;
        }
        order.push(unit);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_that_are_silent_together_share_a_block() {
        // every other unit is active in one half of the views, the others in the other half
        let active: Vec<Active> = (0..8)
            .map(|unit| {
                if unit % 2 == 0 {
                    vec![0xff, 0]
                } else {
                    vec![0, 0xff]
                }
            })
            .collect();
        let order = order(&active);
        for block in order.chunks(BLOCK) {
            assert!(block.iter().all(|unit| unit % 2 == block[0] % 2), "{order:?}");
        }
        let mut all = order;
        all.sort_unstable();
        assert!(all.into_iter().eq(0..8));
    }
}
