//! CNNs in the search: a two-ply look-ahead with the children of a frontier node in one call, and one by one; and
//! positions a second in batches, beside candle, and in bfloat16 where the processor has a matrix unit.
//!
//! `cargo bench --bench cnn [-- FILE…]`; the net built in by default. The ways take turns on each position, so that
//! whatever else the machine does falls on all alike. RAYON_NUM_THREADS=1 keeps candle on one thread.

use enroc::arch::matrix_unit::MatrixUnit;
use enroc::board::{Changes, Position};
use enroc::nets::Evaluator;
use enroc::nets::choice::NetChoice;
use enroc::nets::cnn::bfloat::Bfloat;
use enroc::nets::cnn::blocks::Tiled;
use enroc::nets::cnn::reference::Cnn;
use enroc::nets::device::Device;
use enroc::nets::net::Net;
use enroc::nets::score::Score;
use enroc::search::{Control, Game, Limits, Pool, Settings};
use std::path::Path;
use std::time::Instant;

/// Twenty middle games: every one after a different opening, from the benchmark's positions.
const POSITIONS: usize = 20;
/// Plies of the look-ahead.
const PLIES: u32 = 2;
/// MiB of the table.
const HASH: usize = 16;
/// Positions in a batch.
const BATCH: usize = 32;
/// How often batches are timed.
const TURNS: usize = 7;

/// An evaluator that is asked one by one.
#[derive(Clone)]
struct Single<E>(E);

impl<E: Evaluator> Evaluator for Single<E> {
    fn refresh(&mut self, position: &Position) {
        self.0.refresh(position);
    }

    fn push(&mut self, changes: Changes) {
        self.0.push(changes);
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        self.0.evaluate(position)
    }

    fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        for position in positions {
            scores.push(self.0.evaluate(position));
        }
    }
}

fn main() {
    let arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"));
    let files: Vec<String> = arguments.collect();
    if files.is_empty() {
        measure(
            "built in",
            &NetChoice::BuiltIn("cnn").read().expect("the built-in net loads"),
        );
    }
    for file in files {
        let net = Net::read(Path::new(&file)).unwrap_or_else(|error| panic!("{error}"));
        measure(&file, &net);
    }
}

fn measure(name: &str, net: &Net) {
    println!("{name}, {}", net.info.architecture.layout);
    let tiled = Tiled::new(net).expect("a CNN");
    let candle = Cnn::new(net, &Device::Cpu).expect("a CNN");
    let unit = MatrixUnit::of_processor().map(|unit| Bfloat::new(net, unit).expect("a CNN"));
    batches(&tiled, &candle, unit.as_ref());
    look_ahead("blocks", &tiled);
    if let Some(unit) = &unit {
        look_ahead("bfloat16", unit);
    }
    look_ahead("candle", &candle);
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn middle_games() -> impl Iterator<Item = Position> {
    let positions = enroc::engine::bench::POSITIONS
        .iter()
        .map(|fen| Position::from_fen(fen).expect("legal"));
    positions
        .filter(|position| {
            (16..=30).contains(&position.occupied().count()) && !position.legal_moves().is_empty()
        })
        .take(POSITIONS)
}

fn batches(tiled: &Tiled, candle: &Cnn, unit: Option<&Bfloat>) {
    let some: Vec<Position> = middle_games().collect();
    let positions: Vec<Position> = some.into_iter().cycle().take(BATCH).collect();
    let (mut tiled, mut candle, mut unit) = (tiled.clone(), candle.clone(), unit.cloned());
    let mut seconds = [Vec::new(), Vec::new(), Vec::new()];
    let mut scores = Vec::new();
    for _ in 0..TURNS {
        let start = Instant::now();
        tiled.evaluate_batch(&positions, &mut scores);
        seconds[0].push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        candle.evaluate_batch(&positions, &mut scores);
        seconds[1].push(start.elapsed().as_secs_f64());
        if let Some(unit) = &mut unit {
            let start = Instant::now();
            unit.evaluate_batch(&positions, &mut scores);
            seconds[2].push(start.elapsed().as_secs_f64());
        }
    }
    let rate = |seconds: &Vec<f64>| BATCH as f64 / median(seconds.clone());
    let [ours, theirs] = [rate(&seconds[0]), rate(&seconds[1])];
    println!(
        "  batches of {BATCH}: blocks {ours:.1} positions a second, candle {theirs:.1}; ratio {:.2}",
        ours / theirs
    );
    if unit.is_some() {
        let fast = rate(&seconds[2]);
        println!(
            "  bfloat16 {fast:.1} positions a second; {:.2} times blocks",
            fast / ours
        );
    }
}

fn look_ahead(name: &str, evaluator: &(impl Evaluator + Clone + Send)) {
    let settings = Settings {
        look_ahead: PLIES,
        ..Settings::default()
    };
    let mut batched = Pool::new(HASH, vec![evaluator.clone()]).expect("memory");
    let mut single = Pool::new(HASH, vec![Single(evaluator.clone())]).expect("memory");
    let (mut seconds, mut evaluations) = ([0f64; 2], [0u64; 2]);
    for position in middle_games() {
        let game = Game {
            position,
            history: Vec::new(),
        };
        let (limits, control) = (Limits::default(), Control::default());
        batched.clear();
        let start = Instant::now();
        let one = batched.search(&game, &limits, &settings, &control, &mut |_| {});
        seconds[0] += start.elapsed().as_secs_f64();
        single.clear();
        let start = Instant::now();
        let other = single.search(&game, &limits, &settings, &control, &mut |_| {});
        seconds[1] += start.elapsed().as_secs_f64();
        assert_eq!(one.best, other.best, "batches change no move");
        evaluations[0] += one.evaluations;
        evaluations[1] += other.evaluations;
    }
    println!(
        "  two plies, {name}: batched {:.2} s with {} evaluations, one by one {:.2} s with {}; ratio {:.2}",
        seconds[0],
        evaluations[0],
        seconds[1],
        evaluations[1],
        seconds[1] / seconds[0]
    );
}
