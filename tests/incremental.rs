//! The incremental network: it equals itself computed afresh, on every instruction set, in exact arithmetic, and
//! candle's floats up to rounding.

#[path = "common/nets.rs"]
mod nets;

use enroc::arch::{
    BLOCK, BYTES, ByteActivation, ByteLine, DOTS, Ends, Factor, InstructionSet, LANES, Rows, Sums,
};
use enroc::board::{Changes, Move, Position};
use enroc::compare::contestant::Contestant;
use enroc::compare::contestant::spec::ContestantKind;
use enroc::nets::Evaluator;
use enroc::nets::choice::NetChoice;
use enroc::nets::curve::{Curve, Orientation};
use enroc::nets::encoding::{self, View};
use enroc::nets::mlp::integer::Incremental;
use enroc::nets::mlp::integer::IncrementalError;
use enroc::nets::mlp::integer::quantize::dense::Dense;
use enroc::nets::mlp::integer::quantize::first::FirstLayer;
use enroc::nets::mlp::integer::quantize::lists::Lists;
use enroc::nets::mlp::integer::quantize::{Later, QuantizeError, QuantizedMlp};
use enroc::nets::mlp::reference::Mlp;
use enroc::nets::mlp::shape::Activation;
use enroc::nets::mlp::weights::ROW_STEPS;
use enroc::nets::net::Net;
use nets::{net_of, random_net, shape};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// Positions that lead to castling, promotions and captures en passant, two of them Chess960 starts where king or rook
/// land on each other's squares.
const STARTS: [&str; 8] = [
    Position::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1",
    "rk6/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HAa - 0 1",
    "4k3/pp3ppp/8/2pPp3/2PpP3/8/PP3PPP/4K3 w - c6 0 1",
];

const RELU: Activation = Activation::Relu;
const CLIPPED: Activation = Activation::ClippedRelu;
const SQUARED: Activation = Activation::SquaredClippedRelu;

/// The net with its first layer in steps of bytes.
fn in_steps(mut net: Net) -> Net {
    for name in ["layer0.weight", "layer0.bias"] {
        for number in &mut net.tensors.get_mut(name).unwrap().values {
            *number = ((f64::from(*number) * ROW_STEPS).round() / ROW_STEPS) as f32;
        }
    }
    net
}

/// Small nets of every kind, with widths that fill no line.
fn small_nets() -> Vec<Net> {
    let seen_by_white = |mut net: Net| {
        net.info.orientation = Orientation::White;
        net.info.curve = Curve::THESIS;
        net
    };
    vec![
        random_net(&shape("774-48-40-24-1", RELU, RELU), 1),
        seen_by_white(random_net(&shape("774-32-8-1", RELU, CLIPPED), 2)),
        random_net(&shape("2x774-40-16-32-1x8", SQUARED, CLIPPED), 3),
        random_net(&shape("2x774-8-1x8", CLIPPED, RELU), 4),
        random_net(&shape("2x774-300-33-7-1", SQUARED, RELU), 5),
        random_net(&shape("2x774m-40-16-1x8", SQUARED, CLIPPED), 6),
        random_net(&shape("2x774m5-40-16-1x8", SQUARED, CLIPPED), 8),
        random_net(&shape("774m5-32-8-1", RELU, RELU), 9),
        random_net(&shape("2x774m5-72p-16d-32-1x8", CLIPPED, CLIPPED), 10),
        random_net(&shape("2x774m16-40-16-1x8", SQUARED, CLIPPED), 11),
        random_net(&shape("774m-24p-20d-7-1", CLIPPED, RELU), 11),
        random_net(&shape("2x774-300p-33d-1x8", CLIPPED, CLIPPED), 12),
        random_net(&shape("2x774-40-2d-9-1", SQUARED, CLIPPED), 13),
        random_net(&shape("774-10p-1", CLIPPED, CLIPPED), 14),
        in_steps(random_net(
            &shape("2x774m16-72p-16d-32-1x8", CLIPPED, CLIPPED),
            15,
        )),
        in_steps(random_net(&shape("2x774-40-16-32-1x8", SQUARED, CLIPPED), 16)),
        in_steps(random_net(&shape("774m-32-8-1", CLIPPED, RELU), 17)),
        seen_by_white(random_net(&shape("774m-32-8-1", RELU, RELU), 7)),
    ]
}

/// How often a walk made each of the moves that are special.
#[derive(Default, Debug)]
struct Seen {
    castling: u32,
    en_passant: u32,
    promotions: u32,
    nulls: u32,
}

impl Seen {
    fn count(&mut self, m: Move) {
        self.castling += m.is_castling() as u32;
        self.en_passant += m.is_en_passant() as u32;
        self.promotions += m.promoted().is_some() as u32;
    }
}

/// A random walk up and down the tree below a position. `visit` sees every position that it comes to, and what led
/// there: the changes of a move, or nothing when one was taken back.
fn walk(
    start: &str,
    steps: usize,
    random: &mut ChaCha8Rng,
    seen: &mut Seen,
    mut visit: impl FnMut(Option<&Changes>, &Position),
) {
    let mut line = vec![Position::from_fen(start).expect("a legal position")];
    // where the way back ends, while the walk is on it: castling and the like happen near the start
    let mut goal = usize::MAX;
    for _ in 0..steps {
        let position = line[line.len() - 1];
        let moves = position.legal_moves();
        if line.len() > 60 || moves.is_empty() {
            goal = random.random_range(1..10);
        } else if line.len() <= goal {
            goal = usize::MAX;
        }
        let back = line.len() > goal || moves.is_empty() || random.random_ratio(1, 4);
        if back && line.len() > 1 {
            line.pop();
            visit(None, &line[line.len() - 1]);
        } else if !moves.is_empty() {
            let mut child = position;
            let changes = if !position.in_check() && random.random_ratio(1, 20) {
                seen.nulls += 1;
                child.make_null();
                Changes::default()
            } else {
                let special = moves.iter().find(|m| m.is_castling() || m.is_en_passant());
                let m = match special {
                    Some(&special) if random.random() => special,
                    _ => moves[random.random_range(0..moves.len())],
                };
                seen.count(m);
                child.make(m)
            };
            visit(Some(&changes), &child);
            line.push(child);
        }
    }
}

/// Positions of random walks.
fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut positions = Vec::new();
    for start in STARTS {
        walk(
            start,
            count / STARTS.len(),
            &mut random,
            &mut Seen::default(),
            |_, position| {
                positions.push(*position);
            },
        );
    }
    positions
}

#[test]
fn incremental_equals_refreshed() {
    const STEPS: usize = 25_000;
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let mut seen = Seen::default();
    for net in small_nets() {
        let mut followed = Incremental::new(&net).unwrap();
        let mut fresh = followed.clone();
        for start in STARTS {
            followed.refresh(&Position::from_fen(start).unwrap());
            let mut skips = ChaCha8Rng::seed_from_u64(7);
            walk(start, STEPS, &mut random, &mut seen, |changes, position| {
                match changes {
                    Some(changes) => followed.push(changes.clone()),
                    None => followed.pop(),
                }
                // some are passed over, so that several moves wait for the next
                if skips.random_ratio(2, 3) {
                    fresh.refresh(position);
                    let expected = fresh.output(position);
                    assert_eq!(followed.output(position), expected, "{}", position.to_fen(true));
                    assert_eq!(
                        followed.output_of(position),
                        expected,
                        "{}",
                        position.to_fen(true)
                    );
                }
            });
        }
    }
    let Seen {
        castling,
        en_passant,
        promotions,
        nulls,
    } = seen;
    assert!(
        castling.min(en_passant).min(promotions).min(nulls) > 1_000,
        "{seen:?}"
    );
}

#[test]
fn batches_equal_single_evaluations() {
    let positions = positions(2_000, 8);
    for net in small_nets() {
        let mut evaluator = Incremental::new(&net).unwrap();
        let mut scores = vec![12_345];
        evaluator.evaluate_batch(&positions, &mut scores);
        assert_eq!(scores[0], 12_345, "scores are appended");
        for (position, score) in positions.iter().zip(&scores[1..]) {
            evaluator.refresh(position);
            assert_eq!(evaluator.evaluate(position), *score);
        }
    }
}

/// The output in arithmetic that cannot overflow, straight from the description of the integers. Fails where a sum would
/// leave the bits that the kernels have for it.
fn exact_output(weights: &QuantizedMlp, position: &Position) -> i64 {
    let bucket = weights.shape.bucket(position.occupied().count() as usize);
    let views = weights.shape.views(weights.orientation, position);
    let views = views.map(|view| exact_accumulator(&weights.first, position, view));
    match (&weights.later, weights.first.activation) {
        (Later::Lists(lists), None) => {
            let values = views.flatten().map(|sum| sum.max(0)).collect();
            exact_lists(lists, bucket, values)
        }
        (Later::Dense(dense), Some(activation)) => {
            let bytes = views.flat_map(|sums| exact_bytes(activation, &sums)).collect();
            exact_dense(dense, bucket, bytes)
        }
        _ => panic!("bytes come from a bounded activation"),
    }
}

/// The sums of the first layer for one perspective.
fn exact_accumulator(first: &FirstLayer, position: &Position, view: View) -> Vec<i64> {
    let active = encoding::active(position, view);
    let state: usize = active
        .iter()
        .filter(|&&bit| bit >= 768)
        .map(|bit| 1 << (bit - 768))
        .sum();
    let region = usize::from(view.region);
    let number = |rows: Rows, row: usize, unit: usize| {
        let (line, lane) = (row * first.lines + unit / LANES, unit % LANES);
        match rows {
            Rows::Words(lines) => lines[line].0[lane] as i64,
            Rows::Bytes(lines) => lines[line].0[lane] as i64,
        }
    };
    let sum = |unit: usize| {
        let pieces = active.iter().filter(|&&bit| bit < 768);
        let of_pieces = pieces.map(|&bit| number(first.rows.rows(), region * 768 + bit as usize, unit));
        let sum = number(Rows::Words(&first.states), region * 64 + state, unit) + of_pieces.sum::<i64>();
        assert_eq!(sum, sum as i16 as i64, "an accumulator overflows");
        sum
    };
    (0..first.lines * LANES).map(sum).collect()
}

/// The bytes of one perspective, where the kernels put them.
fn exact_bytes(activation: ByteActivation, sums: &[i64]) -> Vec<i64> {
    let clipped = |unit: usize| sums[unit].clamp(0, activation.cap as i64);
    let outputs = activation.byte_lines(sums.len() / LANES) * BYTES;
    let mut bytes = vec![0; outputs];
    for output in 0..outputs {
        let factor = match activation.factor {
            Factor::Constant(factor) => factor as i64,
            Factor::Itself => clipped(output) << activation.other_shift,
            Factor::Partner => clipped(output + outputs) << activation.other_shift,
        };
        let shifted = clipped(output) << activation.shift;
        let byte = (shifted * factor + (1 << 14)) >> 15;
        assert!(shifted.max(factor) <= i16::MAX as i64 && byte <= i8::MAX as i64);
        bytes[output / BYTES * BYTES + ByteLine::place(output % BYTES)] = byte;
    }
    bytes
}

/// A sum of products with a bias. Fails if it overflows 32 bits, whatever the order of the terms.
fn exact_sum(bias: i32, products: impl Iterator<Item = i64>) -> i64 {
    let (mut most, mut least, mut sum) = (0, 0, bias as i64);
    for product in products {
        most += product.max(0);
        least += product.min(0);
        sum += product;
    }
    // all of one sign together are the most
    for sum in [most, most + bias as i64, least, least + bias as i64] {
        assert_eq!(sum, sum as i32 as i64, "a sum overflows");
    }
    sum
}

fn exact_lists(lists: &Lists, bucket: usize, mut values: Vec<i64>) -> i64 {
    for layer in &lists.hidden {
        let layer = layer.bucket(bucket);
        let lines = layer.bias.len();
        let sum = |unit: usize| {
            let (line, lane) = (unit / LANES, unit % LANES);
            let product =
                |(input, &value): (usize, &i64)| value * layer.rows[input * lines + line].0[lane] as i64;
            let bias = layer.bias[line].0[Sums::place(lane)];
            exact_sum(bias, values.iter().enumerate().map(product))
        };
        let next = |unit: usize| (sum(unit) >> layer.shift).clamp(0, layer.cap as i64);
        values = (0..lines * LANES).map(next).collect();
    }
    let row = &lists.output.weights[bucket * lists.output.inputs..][..lists.output.inputs];
    let products = row
        .iter()
        .zip(&values)
        .map(|(&weight, value)| weight as i64 * value);
    lists.output.bias[bucket] + products.sum::<i64>()
}

fn exact_dense(dense: &Dense, bucket: usize, bytes: Vec<i64>) -> i64 {
    let layers = &dense.buckets[bucket];
    let blocks = bytes.len() / BLOCK;
    let bias = |ends: &Ends, unit: usize| ends.bias[unit / DOTS].0[unit % DOTS];
    let sum = |unit: usize| {
        let weight = |input: usize| {
            let line = &layers.second.weights[unit / DOTS * blocks + input / BLOCK];
            let weight = line.0[unit % DOTS * BLOCK + input % BLOCK];
            assert_ne!(weight, i8::MIN, "two products would saturate");
            weight as i64
        };
        let products = bytes.iter().enumerate();
        exact_sum(
            bias(&layers.second.ends, unit),
            products.map(|(input, byte)| byte * weight(input)),
        )
    };
    let sums: Vec<i64> = (0..layers.second.ends.bias.len() * DOTS).map(sum).collect();
    let straight = layers.straight.map_or(0, |unit| sums[unit]);
    let mut words = exact_words(&layers.second.ends, &sums);
    for layer in &layers.later {
        let sum = |unit: usize| {
            let weight = |input: usize| {
                let line = &layer.weights[unit / DOTS * layer.pairs + input / 2];
                line.0[unit % DOTS * 2 + input % 2] as i64
            };
            let products = words.iter().take(2 * layer.pairs).enumerate();
            exact_sum(
                bias(&layer.ends, unit),
                products.map(|(input, word)| word * weight(input)),
            )
        };
        let sums: Vec<i64> = (0..layer.ends.bias.len() * DOTS).map(sum).collect();
        words = exact_words(&layer.ends, &sums);
    }
    let weights = layers.output.iter().flat_map(|line| line.0);
    let products = words.iter().zip(weights);
    let sum = exact_sum(0, products.map(|(word, weight)| word * weight as i64));
    let output = dense.bias[bucket] + (sum << 8) + straight * dense.straight[bucket];
    assert!(output.abs() < 1 << 53, "a double does not hold the output");
    output
}

/// The words of a layer from its sums.
fn exact_words(ends: &Ends, sums: &[i64]) -> Vec<i64> {
    let shifted = |unit: usize| {
        let shift = ends
            .shifts
            .get(unit / DOTS)
            .map_or(0, |shifts| shifts.0[unit % DOTS]);
        let sum = sums.get(unit).copied().unwrap_or(0) >> shift;
        sum.clamp(i16::MIN as i64, i16::MAX as i64)
    };
    let word = |place: usize| {
        let cap = ends.caps[place / LANES].0[place % LANES] as i64;
        if !ends.twice {
            return shifted(place).clamp(0, cap);
        }
        let sum = shifted(place / LANES * DOTS + place % DOTS);
        if place % LANES < DOTS {
            sum.clamp(0, cap)
        } else {
            (sum.clamp(-cap, cap).pow(2) + (1 << 14)) >> 15
        }
    };
    (0..ends.caps.len() * LANES).map(word).collect()
}

/// Compares all instruction sets with exact arithmetic.
fn check_exactly(net: &Net, positions: &[Position]) {
    let evaluator = Incremental::with_instructions(net, InstructionSet::Scalar).unwrap();
    let mut sets: Vec<Incremental> = InstructionSet::available()
        .map(|set| evaluator.to_instructions(set).unwrap())
        .collect();
    for position in positions {
        let expected = exact_output(evaluator.weights(), position);
        for evaluator in &mut sets {
            let set = evaluator.instructions();
            assert_eq!(
                evaluator.output_of(position),
                expected,
                "{set} {}",
                position.to_fen(true)
            );
        }
    }
}

#[test]
fn every_instruction_set_computes_exactly() {
    let positions = positions(800, 9);
    for net in small_nets() {
        check_exactly(&net, &positions);
    }
    for wide in [
        shape("774-512-512-256-64-1", RELU, RELU),
        shape("2x774m5-1024p-16d-32-1x8", CLIPPED, CLIPPED),
    ] {
        let net = random_net(&wide, 10);
        check_exactly(&net, &positions[..40]);
        check_exactly(&in_steps(net), &positions[..40]);
    }
}

/// Full boards: 32 pieces, many of them queens, whose rows are all in the sums at once.
const CROWDED: [&str; 4] = [
    Position::START_FEN,
    "kbrnqnbr/pppppppp/8/8/8/8/RBNQQNBR/QQQKQQQQ w - - 0 1",
    "qqqqkqqq/rbnqqnbr/8/8/8/8/PPPPPPPP/KBRNQNBR b - - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
];

#[test]
fn weights_at_their_bounds_do_not_overflow() {
    let crowded: Vec<Position> = CROWDED
        .iter()
        .map(|fen| Position::from_fen(fen).unwrap())
        .collect();
    for (layout, first, later) in [
        ("774-64-64-32-1", RELU, RELU),
        ("2x774-256-16-32-1x8", SQUARED, CLIPPED),
        ("2x774-256-64-1", CLIPPED, RELU),
        ("2x774-256p-16d-32-1x8", CLIPPED, CLIPPED),
    ] {
        let shape = shape(layout, first, later);
        // all alike, so that every sum goes as far as its bound; as large as is accepted, small, and as large as bytes are
        for first_weight in [13.0, 0.5, -13.0, 2.0, -2.0] {
            for later_weight in [1e4, 0.1, -1e4] {
                check_exactly(
                    &net_of(
                        &shape,
                        0,
                        |layer, _, _| if layer == 0 { first_weight } else { later_weight },
                    ),
                    &crowded,
                );
            }
        }
        // the largest of either sign at random
        for seed in 0..4 {
            let sign = |random: &mut ChaCha8Rng| if random.random() { 1.0 } else { -1.0 };
            let net = net_of(&shape, seed, |layer, _, random| {
                sign(random) * if layer == 0 { 13.0 } else { 100.0 }
            });
            check_exactly(&net, &crowded);
        }
    }
}

/// Whole steps are rows of bytes, which lose nothing; one weight beside them, or one too large, and rows are words.
#[test]
fn only_whole_steps_are_bytes() {
    let net = in_steps(random_net(&shape("2x774m-40-16-1x8", SQUARED, CLIPPED), 18));
    let is_in_bytes = |number: Option<f32>| {
        let mut net = net.clone();
        if let Some(number) = number {
            net.tensors.get_mut("layer0.weight").unwrap().values[7] = number;
        }
        let quantized = QuantizedMlp::new(&net).unwrap();
        matches!(quantized.first.rows.rows(), Rows::Bytes(_))
    };
    assert!(is_in_bytes(None) && is_in_bytes(Some(127.0 / 63.0)) && is_in_bytes(Some(-2.0)));
    assert!(!is_in_bytes(Some(0.5)) && !is_in_bytes(Some(128.0 / 63.0)));
}

#[test]
fn nets_that_do_not_fit_are_refused_with_the_reason() {
    let shape = shape("774-32-16-1", RELU, RELU);
    let with = |layer: &str, number: f32| {
        let mut net = random_net(&shape, 11);
        net.tensors.get_mut(layer).unwrap().values[5] = number;
        Incremental::new(&net).map(|_| ()).unwrap_err()
    };
    for layer in 0..3 {
        for number in [f32::NAN, f32::INFINITY] {
            let error = with(&format!("layer{layer}.weight"), number);
            assert_eq!(error, IncrementalError::Quantize(QuantizeError::NotFinite(layer)));
        }
    }
    assert_eq!(
        with("layer1.bias", f32::NAN),
        IncrementalError::Quantize(QuantizeError::NotFinite(1))
    );
    let error = with("layer0.weight", 600.0);
    assert!(
        matches!(error, IncrementalError::Quantize(QuantizeError::Accumulator { sum, .. }) if sum > 600.0),
        "{error}"
    );
    let error = with("layer1.bias", 1e30);
    assert!(
        matches!(
            error,
            IncrementalError::Quantize(QuantizeError::Sum { layer: 1, .. })
        ),
        "{error}"
    );
    let mut net = random_net(&shape, 12);
    net.tensors.remove("layer2.bias");
    assert!(matches!(
        Incremental::new(&net).unwrap_err(),
        IncrementalError::Quantize(QuantizeError::Net(_))
    ));
}

/// Compares with candle: the mean of the differences in centipawns is at most this.
fn check_accuracy(name: &str, net: &Net, positions: &[Position], most: f64) {
    let mut evaluator = Incremental::new(net).unwrap();
    let mut scores = Vec::new();
    evaluator.evaluate_batch(positions, &mut scores);
    let mut reference = Vec::new();
    for batch in positions.chunks(256) {
        reference.extend(Mlp::new(net).unwrap().evaluate_dense(batch).unwrap());
    }
    let differences: Vec<i32> = scores
        .iter()
        .zip(&reference)
        .map(|(a, b)| (a - b).abs())
        .collect();
    let mean = |numbers: &[i32]| numbers.iter().map(|x| x.abs() as f64).sum::<f64>() / numbers.len() as f64;
    let largest = differences.iter().max().unwrap();
    println!(
        "{name}: mean difference {:.3} cp, largest {largest} cp, mean score {:.0} cp",
        mean(&differences),
        mean(&reference)
    );
    assert!(mean(&differences) <= most, "{name}: {:.3} cp", mean(&differences));
    assert!(mean(&reference) > 1.0, "{name} gives nothing to compare");
}

#[test]
fn integers_agree_with_floats() {
    let positions = positions(10_000, 13);
    check_accuracy(
        "the net built in",
        &NetChoice::default().read().unwrap(),
        &positions,
        // 2 % of the mean score: products of pairs, most of them small, are rounded to 1/127; the net has learnt with them
        12.0,
    );
    let nets = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets");
    let ContestantKind::Net(NetChoice::File(thesis)) = Contestant::parse("mlp-thesis@0", &nets).unwrap().kind
    else {
        panic!("the thesis's MLP is shipped");
    };
    check_accuracy("the thesis's MLP", &Net::read(&thesis).unwrap(), &positions, 3.0);
    for (layout, first, later) in [
        ("774-512-512-256-64-1", RELU, RELU),
        ("2x774-256-16-32-1x8", SQUARED, CLIPPED),
        ("2x774-256-16-32-1", CLIPPED, RELU),
        ("2x774m5-1024p-16d-32-1x8", CLIPPED, CLIPPED),
        ("2x774-256-16d-1x8", SQUARED, CLIPPED),
    ] {
        let net = random_net(&shape(layout, first, later), 14);
        check_accuracy(layout, &net, &positions[..4_000], 3.0);
    }
}
