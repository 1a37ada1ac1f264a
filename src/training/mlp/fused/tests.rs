//! Values, gradients and whole steps beside those of candle.
//!
//! The first layer's weights are even multiples of 1/2048 here, and its biases odd ones, so that its sums in integers are
//! exact and none lies on an edge of the activation. What is left are the order of sums, and bfloat16 (8 bits of precision)
//! in the gradients of the first layer.

use super::*;
use crate::board::{Color, Position};
use crate::data::{Hint, Label, NO_HINT, Record};
use crate::nets::Evaluator;
use crate::nets::curve::{Curve, Orientation};
use crate::nets::mlp::integer::Incremental;
use crate::nets::mlp::weights::ROW_STEPS;
use crate::nets::net::FORMAT;
use crate::training::batch::with_targets;
use crate::training::kind::Design;
use crate::training::meaning::Goal;
use crate::training::mlp::settings::MlpSettings;
use crate::training::stepper::Generic;

const OLD: &str = "2x774m5-64-16-32-1x8";
const NEW: &str = "2x774m5-128p-16d-32-1x8";
const ODD: &str = "2x774m-64-11-19-1x8";
const DOUBLED: &str = "2x774m5-64-9d-20-1x8";

/// Positions of games without sense, with labels and hints; some have none.
pub(super) fn records(count: usize) -> Vec<Record> {
    let mut records = Vec::new();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    while records.len() < count {
        let mut position = Position::default();
        for _ in 0..160 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let captures: Vec<_> = moves.iter().filter(|m| m.is_capture()).collect();
            let chosen = if !captures.is_empty() && random(3) == 0 {
                *captures[random(captures.len())]
            } else {
                moves[random(moves.len())]
            };
            position = position.after(chosen);
            let label = Label::centipawns(random(1200) as i32 - 600);
            records.push(Record::new(&position).with_label(label));
        }
    }
    // from all phases of the games
    let step = records.len() / count;
    (0..count).map(|n| records[n * step]).collect()
}

fn hints(count: usize) -> Vec<Hint> {
    let number = |n: usize| (2500.0 * (n as f32 * 0.77).sin()) as i16;
    let hint = |n: usize| std::array::from_fn(|unit| number(n * 16 + unit));
    (0..count)
        .map(|n| if n % 5 == 3 { NO_HINT } else { hint(n) })
        .collect()
}

fn design(layout: &str, lines: &str) -> MlpDesign {
    let first = if layout.contains('p') {
        ""
    } else {
        "first_activation = 'squaredclippedrelu'\n"
    };
    let text = format!(
        "layout = '{layout}'\norientation = 'mover'\nlater_activation = 'clippedrelu'\n\
         curve = {{ tanh = {{ scale = 250.0 }} }}\n{first}{lines}"
    );
    let net = toml::from_str(&text).unwrap();
    let (settings, shape) = MlpSettings::of(&net).unwrap();
    MlpDesign {
        shape,
        settings,
        meaning: net.meaning(),
    }
}

/// Weights that keep the first layer's sums exact, and later sums within all parts of the activations.
fn weights(design: &MlpDesign) -> Vec<Tensor> {
    let factorised = design.settings.factorised;
    let model = TrainedMlp::new(design.shape.clone(), factorised, 5, &Device::Cpu).unwrap();
    let vars = model.vars();
    let layers = design.shape.layers();
    vars.iter()
        .enumerate()
        .map(|(number, var)| {
            let count = var.elem_count();
            let wave = |n: usize, step: f32| (n as f32 * step).sin();
            let first = |n: usize, step| (wave(n, step) * 400.0).round() / 1024.0;
            let numbers: Vec<f32> = match number {
                0 if factorised => (0..count)
                    .map(|n| first(n, 1.37) / 4.0)
                    .map(|x| (x * 1024.0).round() / 1024.0)
                    .collect(),
                0 => (0..count).map(|n| first(n, 1.37)).collect(),
                1 => (0..count)
                    .map(|n| (2.0 * (wave(n, 0.9) * 300.0).round() + 301.0) / 2048.0)
                    .collect(),
                n if n == 2 * layers => (0..count).map(|n| first(n, 2.11)).collect(),
                n if n % 2 == 1 => (0..count).map(|n| 0.3 + 0.4 * wave(n, 0.7)).collect(),
                2 => (0..count).map(|n| 0.25 * wave(n, 1.7)).collect(),
                _ => (0..count).map(|n| 0.5 * wave(n, 1.3)).collect(),
            };
            Tensor::from_vec(numbers, var.dims(), &Device::Cpu).unwrap()
        })
        .collect()
}

/// Adam without the kink that it has where gradients are small.
const SMOOTH: AdamSettings = AdamSettings {
    rate: 1e-2,
    beta1: 0.9,
    beta2: 0.999,
    epsilon: 1e-3,
    decay: 0.05,
};

fn pair(design: &MlpDesign, unit: VectorUnit) -> (FusedMlp, Generic) {
    let mut fused = FusedMlp::new(design, 1, SMOOTH, unit).unwrap();
    let model = design.model(1, &Device::Cpu).unwrap();
    let mut generic = Generic::new(model, SMOOTH).unwrap();
    fused.set_weights(&weights(design)).unwrap();
    generic.set_weights(&weights(design)).unwrap();
    (fused, generic)
}

fn batch(stepper: &dyn Stepper, design: &MlpDesign, records: &[Record], hints: &[Hint]) -> Batch {
    let goal = Goal {
        meaning: design.meaning,
        result_share: 0.0,
    };
    with_targets(stepper.encoder(), goal)(records, hints)
}

fn numbers(tensor: &Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}

/// The largest difference of two tensors, and the largest number of the second.
fn difference(one: &Tensor, other: &Tensor) -> (f32, f32) {
    assert_eq!(one.dims(), other.dims());
    let (one, other) = (numbers(one), numbers(other));
    let pairs = one.iter().zip(&other);
    (
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max),
        other.iter().map(|x| x.abs()).fold(0.0, f32::max),
    )
}

/// The tensors whose gradients come from rows in bfloat16: weights and biases of the first layer, and the factoriser's.
fn is_rounded(number: usize, design: &MlpDesign) -> bool {
    number < 2 || number == 2 * design.shape.layers()
}

/// After one step the first means are a tenth of the gradients.
#[test]
fn every_gradient_is_that_of_candle() {
    let (records, hints) = (records(300), hints(300));
    for (layout, lines, exponent, hints) in [
        (OLD, "", 2.0, &[][..]),
        (OLD, "sparsity = 1e-3", 2.6, &[]),
        (ODD, "sparsity = 1e-3", 1.5, &[]),
        (OLD, "factorised = true", 2.0, &[]),
        (DOUBLED, "factorised = true\nsparsity = 1e-3", 2.0, &[]),
        (NEW, "", 2.0, &[]),
        (OLD, "bytes = true", 2.0, &[]),
        (
            NEW,
            "bytes = true\nfactorised = true\nsparsity = 1e-2\nhints = 0.3\nhints_fade = 1.0",
            2.0,
            &hints,
        ),
    ] {
        let design = design(layout, lines);
        for unit in VectorUnit::available() {
            let (mut fused, mut generic) = pair(&design, unit);
            let pace = Pace {
                rate: 1e-2,
                exponent,
                gone: 0.4,
            };
            let losses = [&mut fused as &mut dyn Stepper, &mut generic].map(|stepper| {
                let batch = batch(stepper, &design, &records, hints);
                stepper.step(&batch, &pace).unwrap()
            });
            assert!(
                (losses[0] - losses[1]).abs() < 1e-5 * losses[1],
                "{layout}: {losses:?}"
            );
            let (ours, theirs) = (fused.moments().unwrap(), generic.moments().unwrap());
            assert_eq!(ours.len(), theirs.len());
            for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
                let (found, largest) = difference(&ours.0, &theirs.0);
                let share = if is_rounded(number, &design) { 4e-3 } else { 2e-5 };
                assert!(largest > 1e-6, "{layout} {lines}: tensor {number} has a gradient");
                assert!(
                    found < share * largest,
                    "{layout} {lines} {unit:?}: tensor {number}: {found} of {largest}"
                );
            }
        }
    }
}

/// Several steps of training. Before each one both have the same weights and means: units near an edge of their activation
/// would otherwise fall on different sides once the first layer's sums are rounded, and Adam makes whole steps of that.
#[test]
fn whole_steps_are_those_of_candle() {
    let (records, hints) = (records(200), hints(200));
    let everything = "factorised = true\nsparsity = 1e-2\nhints = 0.3\nhints_fade = 1.0";
    for (layout, lines, hints) in [
        (OLD, "clip = [0.5, 0.4, 0.6]", &[][..]),
        (OLD, "factorised = true", &[]),
        (NEW, "", &[]),
        (NEW, everything, &hints),
        (NEW, "bytes = true", &[]),
    ] {
        let design = design(layout, lines);
        let (mut fused, mut generic) = pair(&design, VectorUnit::chosen());
        for step in 0..5 {
            let start = on_the_lattice(&generic.weights().unwrap(), &design);
            for stepper in [&mut fused as &mut dyn Stepper, &mut generic] {
                stepper.set_weights(&start).unwrap();
            }
            fused.restore(step, generic.moments().unwrap()).unwrap();
            let pace = Pace {
                rate: 1e-2 / (step + 1) as f64,
                exponent: 2.0,
                gone: 0.85 + 0.01 * step as f64,
            };
            for stepper in [&mut fused as &mut dyn Stepper, &mut generic] {
                let batch = batch(stepper, &design, &records, hints);
                stepper.step(&batch, &pace).unwrap();
            }
            let (ours, theirs) = (fused.weights().unwrap(), generic.weights().unwrap());
            let means = generic.moments().unwrap();
            for (number, start) in start.iter().enumerate() {
                let rounded = is_rounded(number, &design);
                // where an input does not occur only a dense Adam moves
                let counts = |place: usize, squares: &[f32]| !rounded || squares[place] > 0.0;
                let squares = numbers(&means[number].1);
                let (start, ours, theirs) =
                    (numbers(start), numbers(&ours[number]), numbers(&theirs[number]));
                let places: Vec<usize> = (0..start.len()).filter(|&n| counts(n, &squares)).collect();
                let largest = |of: &dyn Fn(usize) -> f32| places.iter().map(|&n| of(n)).fold(0.0, f32::max);
                let way = largest(&|n| (theirs[n] - start[n]).abs());
                let apart = |n: usize| (ours[n] - theirs[n]).abs() / way;
                let mean = places.iter().map(|&n| apart(n)).sum::<f32>() / places.len() as f32;
                let bounds = if rounded { (5e-2, 2e-3) } else { (1e-4, 1e-5) };
                assert!(
                    way > 1e-3,
                    "{layout} {lines}: tensor {number} moves by {way} in step {step}"
                );
                assert!(
                    largest(&apart) < bounds.0 && mean < bounds.1,
                    "{layout} {lines}: tensor {number} in step {step}: {} and {mean}",
                    largest(&apart)
                );
            }
        }
    }
}

/// Weights whose rows become bytes have the gradients of those bytes. candle is no reference here: it halves a gradient where
/// a sum is 0 or 1 exactly, as many are in steps of bytes.
#[test]
fn gradients_of_byte_rows_are_those_of_the_bytes() {
    let records = records(200);
    let design = design(NEW, "byte_rows = true\nclip = [1.98]");
    let apart = |rounded: bool| {
        let [mut rows, mut fine] = [(); 2].map(|()| pair(&design, VectorUnit::chosen()).0);
        for tile in &mut fine.tiles {
            tile.units.step = 1.0;
        }
        let weights = weights(&design);
        rows.set_weights(&weights).unwrap();
        let bytes = |(number, tensor): (usize, &Tensor)| {
            let is_first = rounded && number < 2;
            let steps = ROW_STEPS as f32;
            let byte = |x: f32| if is_first { (x * steps).round() / steps } else { x };
            let bytes: Vec<f32> = numbers(tensor).into_iter().map(byte).collect();
            Tensor::from_vec(bytes, tensor.dims(), &Device::Cpu).unwrap()
        };
        fine.set_weights(&weights.iter().enumerate().map(bytes).collect::<Vec<_>>())
            .unwrap();
        let pace = Pace {
            rate: 1e-3,
            exponent: 2.0,
            gone: 0.0,
        };
        for fused in [&mut rows, &mut fine] {
            let batch = batch(fused, &design, &records, &[]);
            fused.step(&batch, &pace).unwrap();
        }
        let (ours, theirs) = (rows.moments().unwrap(), fine.moments().unwrap());
        let pairs = ours.iter().zip(&theirs);
        pairs
            .map(|(ours, theirs)| difference(&ours.0, &theirs.0).0)
            .fold(0.0, f32::max)
    };
    assert_eq!(apart(true), 0.0);
    assert!(apart(false) > 1e-4);
}

/// Weights near these that keep the first layer's sums exact, as [`weights`] does.
fn on_the_lattice(weights: &[Tensor], design: &MlpDesign) -> Vec<Tensor> {
    let round = |(number, tensor): (usize, &Tensor)| {
        let rounded = numbers(tensor).into_iter().map(|x| match number {
            1 => (2.0 * (x * 1024.0).floor() + 1.0) / 2048.0,
            number if is_rounded(number, design) => (x * 1024.0).round() / 1024.0,
            _ => x,
        });
        Tensor::from_vec(rounded.collect::<Vec<f32>>(), tensor.dims(), &Device::Cpu).unwrap()
    };
    weights.iter().enumerate().map(round).collect()
}

/// Where a dense Adam moves weights whose input does not occur, ours wait.
#[test]
fn weights_of_inputs_that_do_not_occur_wait() {
    let design = design(OLD, "");
    let (mut fused, mut generic) = pair(&design, VectorUnit::chosen());
    let all = records(40);
    let pace = Pace {
        rate: 1e-2,
        exponent: 2.0,
        gone: 0.0,
    };
    let step = |stepper: &mut dyn Stepper, records: &[Record]| {
        let batch = batch(stepper, &design, records, &[]);
        stepper.step(&batch, &pace).unwrap();
    };
    step(&mut fused, &all[..30]);
    step(&mut generic, &all[..30]);
    let (before, means) = (fused.weights().unwrap(), fused.moments().unwrap());
    let theirs = generic.weights().unwrap();
    step(&mut fused, &all[39..]);
    step(&mut generic, &all[39..]);
    let inputs: std::collections::HashSet<usize> = {
        let sorted = Sorted::encode(&all[39..], &design.shape);
        sorted.seen.inputs.iter().map(|&input| input.into()).collect()
    };
    let changed = |one: &Tensor, other: &Tensor, row: usize| {
        numbers(&one.get(row).unwrap()) != numbers(&other.get(row).unwrap())
    };
    let (after, means_after) = (fused.weights().unwrap(), fused.moments().unwrap());
    let theirs_after = generic.weights().unwrap();
    let mut waited = 0;
    for row in 0..after[0].dims()[0] {
        use crate::nets::encoding::INPUTS;
        let occurs = inputs.contains(&encode::input(row % INPUTS, row / INPUTS, design.shape.regions));
        assert_eq!(changed(&before[0], &after[0], row), occurs);
        assert_eq!(changed(&means[0].1, &means_after[0].1, row), occurs);
        waited += usize::from(!occurs && changed(&theirs[0], &theirs_after[0], row));
    }
    assert!(waited > 100);
}

fn info(design: &MlpDesign) -> NetInfo {
    NetInfo {
        format: FORMAT,
        name: "test".into(),
        architecture: design.architecture(),
        orientation: Orientation::Mover,
        curve: design.meaning.curve,
        data: String::new(),
        positions: 0,
        validation: None,
        recipe: None,
    }
}

#[test]
fn scores_are_those_of_candle_and_of_the_net_file() {
    let records = records(150);
    for (layout, lines) in [
        (OLD, ""),
        (NEW, "factorised = true\nclip = [0.5, 0.0]"),
        (ODD, ""),
        (NEW, "bytes = true"),
        (NEW, "byte_rows = true\nfactorised = true\nclip = [1.98]"),
    ] {
        let design = design(layout, lines);
        let (fused, generic) = pair(&design, VectorUnit::chosen());
        let ours = fused.scores(&records, 64).unwrap();
        if !lines.contains("0.5") {
            let theirs = generic.scores(&records, 64).unwrap();
            assert!(
                ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() <= 1),
                "{layout}"
            );
        }
        // the net has its weights clipped, and the factoriser's added
        let net = fused.net(info(&design)).unwrap();
        let mut other = FusedMlp::new(&design, 9, SMOOTH, VectorUnit::chosen()).unwrap();
        other.take_over(&net, &[]).unwrap();
        let again = other.scores(&records, 40).unwrap();
        assert!(
            ours.iter().zip(&again).all(|(a, b)| (a - b).abs() <= 1),
            "{layout}"
        );
        let distinct: std::collections::HashSet<_> = ours.into_iter().collect();
        assert!(distinct.len() > 50, "{layout}");
    }
}

/// Weights whose bytes are coarse, because those of the first input are many times the others.
fn with_a_heavy_input(weights: &Tensor) -> Tensor {
    let mut changed = numbers(weights);
    changed[..weights.dims()[1]].fill(2.0);
    Tensor::from_vec(changed, weights.dims(), &Device::Cpu).unwrap()
}

/// Where bytes are trained, play computes what was trained, but for the rounding of the other layers.
#[test]
fn play_has_the_bytes_that_were_trained() {
    let records = records(150);
    let positions: Vec<Position> = records.iter().map(|record| record.position().unwrap()).collect();
    let apart = |lines: &str| {
        let mut design = design(NEW, lines);
        // a unit of the scores is then a tenth of a centipawn
        design.meaning.curve = Curve::Tanh { scale: 2500.0 };
        let mut fused = pair(&design, VectorUnit::chosen()).0;
        let mut weights = weights(&design);
        weights[2] = with_a_heavy_input(&weights[2]);
        fused.set_weights(&weights).unwrap();
        let trained = fused.scores(&records, 64).unwrap();
        let mut played = Vec::new();
        let mut engine = Incremental::new(&fused.net(info(&design)).unwrap()).unwrap();
        engine.evaluate_batch(&positions, &mut played);
        let pairs = positions.iter().zip(trained).zip(played);
        let apart = pairs.map(|((position, trained), played)| {
            let sign = if position.side_to_move() == Color::White {
                1
            } else {
                -1
            };
            (trained - sign * played).abs()
        });
        apart.sum::<Score>()
    };
    let floats = apart("");
    for lines in [
        "bytes = true",
        "bytes = true\nbyte_rows = true\nclip = [1.98, 0.0]",
    ] {
        let bytes = apart(lines);
        assert!(
            3 * bytes < floats,
            "{bytes} tenths of a centipawn with {lines}, {floats} without"
        );
    }
}

/// A training that was cut off goes on with the same bits, whatever computes it and with however many threads.
#[test]
fn restored_weights_and_means_go_on_with_the_same_bits() {
    let records = records(300);
    let design = design(NEW, "bytes = true\nfactorised = true\nclip = [0.45]");
    let step = |fused: &mut FusedMlp, number: usize| {
        let pace = Pace {
            rate: 1e-3,
            exponent: 2.0,
            gone: 0.0,
        };
        let batch = batch(fused, &design, &records[number * 100..][..100], &[]);
        fused.step(&batch, &pace).unwrap();
    };
    let threads = |count| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .build()
            .unwrap()
    };
    let (one, three) = (threads(1), threads(3));
    let mut whole = pair(&design, VectorUnit::chosen()).0;
    one.install(|| (0..3).for_each(|number| step(&mut whole, number)));
    let mut cut = pair(&design, VectorUnit::chosen()).0;
    three.install(|| (0..2).for_each(|number| step(&mut cut, number)));
    let mut rest = FusedMlp::new(&design, 77, SMOOTH, VectorUnit::chosen()).unwrap();
    rest.set_weights(&cut.weights().unwrap()).unwrap();
    rest.restore(2, cut.moments().unwrap()).unwrap();
    three.install(|| step(&mut rest, 2));
    for (one, other) in whole.weights().unwrap().iter().zip(&rest.weights().unwrap()) {
        assert_eq!(numbers(one), numbers(other));
    }
    // candle can take it from there
    let mut generic = Generic::new(design.model(1, &Device::Cpu).unwrap(), SMOOTH).unwrap();
    generic.set_weights(&whole.weights().unwrap()).unwrap();
    generic.restore(3, whole.moments().unwrap()).unwrap();
    assert!(rest.set_weights(&cut.weights().unwrap()[1..]).is_err());
}
