//! A transformer on one core: batches of 32 positions by the fast path and by candle's operations; and steps of training
//! without the optimiser, by our operation and by candle's.
//!
//! `RAYON_NUM_THREADS=1 cargo bench --bench transformer [-- LAYOUT…]`; the layout of the recipe by default. The ways take
//! turns, so that whatever else the machine does falls on both alike; printed are the medians with the best turns, which
//! tell what an idle machine would do, and the median of the ratios of the same turn. RAYON_NUM_THREADS=1 keeps candle and
//! the steps on one thread.

use candle_core::{Device, Result};
use enroc::board::Position;
use enroc::engine::bench;
use enroc::nets::encoding;
use enroc::nets::net::{FORMAT, Net, NetInfo};
use enroc::nets::transformer::blocks::FastTransformer;
use enroc::nets::transformer::reference::Transformer;
use enroc::nets::{Curve, Evaluator, Orientation};
use enroc::training::transformer::model::TrainedTransformer;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Positions in a batch.
const BATCH: usize = 32;
/// How often each way has its turn.
const TURNS: usize = 21;

fn main() -> Result<()> {
    let arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"));
    let mut layouts: Vec<String> = arguments.collect();
    if layouts.is_empty() {
        layouts.push("16-64-3t4h128f16g-pool-64-1".into());
    }
    for layout in layouts {
        let model = TrainedTransformer::new(
            layout.parse().unwrap_or_else(|error| panic!("{error}")),
            1,
            &Device::Cpu,
        )?;
        let operations = 2.0 * model.weights()?.plan.shape.operations() as f64;
        println!(
            "{layout}, {:.1} M floating-point operations a position",
            operations / 1e6
        );
        play(&model)?;
        train(&model)?;
    }
    Ok(())
}

fn positions() -> Vec<Position> {
    let positions = bench::POSITIONS
        .iter()
        .map(|fen| Position::from_fen(fen).expect("legal"));
    positions.cycle().take(BATCH).collect()
}

fn play(model: &TrainedTransformer) -> Result<()> {
    let weights = model.weights()?;
    let info = NetInfo {
        format: FORMAT,
        name: "bench".into(),
        architecture: weights.plan.shape.architecture(),
        orientation: Orientation::Mover,
        curve: Curve::Tanh { scale: 800.0 },
        data: String::new(),
        positions: 0,
        validation: None,
        recipe: None,
    };
    let net = Net::of_transformer(info, &weights);
    let mut fast = FastTransformer::new(&net).expect("a transformer");
    let mut candle = Transformer::new(&net, &Device::Cpu).expect("a transformer");
    let positions = positions();
    let (mut one, mut other) = (Vec::new(), Vec::new());
    compare(
        "playing",
        || {
            one.clear();
            fast.evaluate_batch(&positions, &mut one);
            Ok(())
        },
        || {
            other.clear();
            candle.evaluate_batch(&positions, &mut other);
            Ok(())
        },
    )?;
    assert!(
        one.iter().zip(&other).all(|(a, b)| (a - b).abs() <= 1),
        "{one:?} {other:?}"
    );
    Ok(())
}

fn train(model: &TrainedTransformer) -> Result<()> {
    let positions = positions();
    let boards = positions
        .iter()
        .map(|position| encoding::plane_boards(position, position.side_to_move()));
    let boards = Arc::new(boards.collect::<Vec<_>>());
    compare(
        "training",
        || {
            black_box(model.forward(&boards)?.sqr()?.sum_all()?.backward()?);
            Ok(())
        },
        || {
            black_box(model.forward_plain(&boards)?.sqr()?.sum_all()?.backward()?);
            Ok(())
        },
    )
}

/// Prints how many positions a second two ways to work through a batch take.
fn compare(
    name: &str,
    mut ours: impl FnMut() -> Result<()>,
    mut candle: impl FnMut() -> Result<()>,
) -> Result<()> {
    let mut seconds = Vec::new();
    for turn in 0..=TURNS {
        let pair = [time(&mut ours)?, time(&mut candle)?];
        // the first turn only warms up
        if turn > 0 {
            seconds.push(pair);
        }
    }
    let of = |way: usize| seconds.iter().map(move |pair| pair[way]);
    let speed = |seconds: f64| BATCH as f64 / seconds;
    println!(
        "  {name} in batches of {BATCH}: ours {:.0} positions a second (best turn {:.0}), candle's {:.0} ({:.0}); ratio {:.2}",
        speed(median(of(0))),
        speed(of(0).fold(f64::INFINITY, f64::min)),
        speed(median(of(1))),
        speed(of(1).fold(f64::INFINITY, f64::min)),
        median(seconds.iter().map(|pair| pair[1] / pair[0]))
    );
    Ok(())
}

fn time(work: &mut impl FnMut() -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
