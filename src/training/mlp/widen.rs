//! Going on from a smaller net: a first layer that is wider, or has a set of weights for each of the king's regions, and
//! computes the same to begin with (Chen, Goodfellow and Shlens, "Net2Net: accelerating learning via knowledge transfer",
//! 2016).

use crate::nets::curve::Curve;
use crate::nets::encoding::INPUTS;
use crate::nets::mlp::regions;
use crate::nets::mlp::shape::MlpShape;
use crate::nets::mlp::weights::MlpWeights;

/// Whether a net of the first shape can be widened to the second. They differ in the first layer alone: the second's may be
/// wider, and have weights for finer regions than the first; and the second may mirror the board where the
/// first did not: a net that was trained on mirrored positions too computes nearly the same for a position and its mirror
/// image.
pub fn can_widen(narrow: &MlpShape, wide: &MlpShape) -> bool {
    let mut same = narrow.clone();
    same.mirrored |= wide.mirrored;
    if regions::within(same.regions, wide.regions).is_some() {
        same.regions = wide.regions;
    }
    let (Some(few), Some(&many)) = (same.hidden.first_mut(), wide.hidden.first()) else {
        return false;
    };
    let grows = *few <= many;
    *few = many;
    grows && same == *wide
}

/// The weights of a smaller net in place of `drawn` first weights. Every region begins with its own copy of the weights of the
/// region that it is a part of. New units keep their drawn weights, but the next layer does not use their outputs yet: its
/// weights for them are 0.
/// Pairs of units remain pairs.
pub fn widened(narrow: MlpWeights, drawn: MlpWeights) -> MlpWeights {
    let shape = drawn.shape.clone();
    let parts = if shape.paired { 2 } else { 1 };
    let (few, many) = (narrow.shape.hidden[0] / parts, shape.hidden[0] / parts);
    let mut layers = narrow.layers;
    let mut drawn = drawn.layers.into_iter();
    let mut first = drawn.next().expect("a net has layers");
    let inputs = layers[0].inputs;
    let around =
        regions::within(narrow.shape.regions, shape.regions).expect("a division of the same squares");
    for (number, (seen, bias)) in layers[0]
        .weight
        .chunks_exact(inputs)
        .zip(&layers[0].bias)
        .enumerate()
    {
        let place = number / few * many + number % few;
        first.bias[place] = *bias;
        first.weight[place * first.inputs..][..first.inputs]
            .chunks_exact_mut(INPUTS)
            .zip(&around)
            .for_each(|(region, within)| region.copy_from_slice(&seen[within * INPUTS..][..INPUTS]));
    }
    layers[0] = first;
    let second = &mut layers[1];
    second.weight = second
        .weight
        .chunks_exact(few)
        .flat_map(|seen| {
            let unheard = std::iter::repeat_n(0.0, many - few);
            seen.iter().copied().chain(unheard)
        })
        .collect();
    second.inputs = many * shape.perspectives;
    MlpWeights { shape, layers }
}

/// By how much the sums before tanh differ between two curves for the same centipawns; `None` if one of them is not tanh.
pub fn ratio(before: Curve, now: Curve) -> Option<f32> {
    match (before, now) {
        _ if before == now => Some(1.0),
        (Curve::Tanh { scale: before }, Curve::Tanh { scale: now }) => Some(before / now),
        _ => None,
    }
}

/// Multiplies the sums of the output layer, those that go straight there included.
pub fn scale_output(weights: &mut MlpWeights, factor: f32) {
    let output = weights.layers.last_mut().expect("a net has layers");
    let numbers = output.weight.iter_mut().chain(&mut output.bias);
    numbers.for_each(|number| *number *= factor);
    if weights.shape.doubled {
        let (layer, units) = (&mut weights.layers[1], weights.shape.units_of(1));
        for row in (units - 1..layer.outputs).step_by(units) {
            let weights = &mut layer.weight[row * layer.inputs..][..layer.inputs];
            weights.iter_mut().for_each(|number| *number *= factor);
            layer.bias[row] *= factor;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Record;
    use crate::nets::curve::Orientation;
    use crate::training::mlp::encode::Bits;
    use crate::training::mlp::model::TrainedMlp;
    use candle_core::{Device, Result};

    #[test]
    fn only_the_first_layer_may_grow() {
        let shape = |text: &str| text.parse::<MlpShape>().unwrap();
        let narrow = shape("2x774-16-8-1x8");
        for (wide, fits) in [
            ("2x774-16-8-1x8", true),
            ("2x774-24-8-1x8", true),
            ("2x774m-24-8-1x8", true),
            ("2x774m5-24-8-1x8", true),
            ("2x774-12-8-1x8", false),
            ("2x774-24-9-1x8", false),
            ("2x774-24-8-1", false),
            ("774-24-8-1x8", false),
            ("2x774-24-8-8-1x8", false),
            ("2x774-24p-8-1x8", false),
            ("2x774-24-8d-1x8", false),
        ] {
            assert_eq!(can_widen(&narrow, &shape(wide)), fits, "{wide}");
        }
        assert!(!can_widen(&shape("2x774m-16-8-1x8"), &narrow));
        let regions = shape("2x774m5-16-8-1x8");
        assert!(can_widen(&regions, &regions));
        assert!(can_widen(&regions, &shape("2x774m16-16-8-1x8")));
        assert!(!can_widen(&shape("2x774m16-16-8-1x8"), &regions));
        assert!(!can_widen(&regions, &shape("2x774m-16-8-1x8")));
    }

    #[test]
    fn a_widened_net_computes_the_same_and_another_curve_scales_it() -> Result<()> {
        let positions =
            ["r3k3/8/8/8/3pP3/8/8/8/4K2R b Kq e3 0 1", Position::START_FEN].map(Position::from_fen);
        let records: Vec<Record> = positions.iter().flatten().map(Record::new).collect();
        for (narrow, wide) in [
            ("2x774-12-6-4-1x8", "2x774-20-6-4-1x8"),
            ("774-12-6-1", "774-13-6-1"),
            ("2x774m-12-6-4-1x8", "2x774m5-20-6-4-1x8"),
            ("2x774m5-12-6-4-1x8", "2x774m5-20-6-4-1x8"),
            ("2x774m5-12-6-4-1x8", "2x774m16-20-6-4-1x8"),
            ("2x774m-12p-6d-4-1x8", "2x774m5-20p-6d-4-1x8"),
            ("2x774m5-12p-6d-4-1x8", "2x774m16-12p-6d-4-1x8"),
        ] {
            let net =
                |layout: &str, seed| TrainedMlp::new(layout.parse().unwrap(), false, seed, &Device::Cpu);
            let (narrow, wide) = (net(narrow, 1)?, net(wide, 2)?);
            let sums = |net: &TrainedMlp, shape: &MlpShape| {
                net.forward(&Bits::encode(&records, shape, Orientation::Mover))?
                    .to_vec1::<f32>()
            };
            let shape = narrow.weights()?.shape;
            let before = sums(&narrow, &shape)?;
            let mut weights = widened(narrow.weights()?, wide.weights()?);
            scale_output(&mut weights, 2.0);
            wide.set_weights(&weights)?;
            for (before, now) in before.into_iter().zip(sums(&wide, &weights.shape)?) {
                assert!((2.0 * before - now).abs() < 1e-5, "{before} {now}");
            }
            // the new units are not silent: the next step can make use of them
            assert!(weights.layers[0].weight.iter().all(|&weight| weight != 0.0));
        }
        Ok(())
    }
}
