//! Evaluations a second along a real game tree: the incremental network against candle with the same weights.
//!
//! `cargo bench --bench evaluation [-- FILE…]` measures random weights of the seed's layout and of a small layout with
//! two perspectives, or the nets in the files named. The ways take turns, so that whatever else the machine does falls on
//! all of them alike; what is printed is each one's median, and the median of the ratios of the same turn. One thread
//! does it all.

#[path = "../tests/common/nets.rs"]
mod nets;

use enroc::arch::InstructionSet;
use enroc::board::{Changes, Position};
use enroc::nets::Evaluator;
use enroc::nets::mlp::integer::Incremental;
use enroc::nets::mlp::reference::Mlp;
use enroc::nets::mlp::shape::Activation;
use enroc::nets::net::Net;
use enroc::nets::score::Score;
use nets::{random_net, shape};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Middle games after 1. e4 e5 and 1. d4 d5, an endgame, and one with everything hanging.
const ROOTS: [&str; 4] = [
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 2 10",
    "8/5pk1/4p1p1/1R2P2p/5P1P/r5P1/5K2/8 w - - 3 42",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
];
/// Plies of the tree below each root.
const DEPTH: u32 = 3;
/// Of the moves of a position every which one is followed.
const STRIDE: usize = 4;
/// Positions in one of candle's batches.
const BATCH: usize = 256;
/// How often each way has its turn.
const TURNS: usize = 9;
/// The shortest turn.
const TURN: Duration = Duration::from_millis(60);
/// Positions that candle gets one by one, and in batches; it needs no more for a steady figure.
const CANDLE_SAMPLE: usize = 1024;

/// How many threads candle uses. Where it is not set, candle asks the system for the number of cores before every
/// product, which takes longer than the products of one position.
const CANDLE_THREADS: &str = "RAYON_NUM_THREADS";

fn main() {
    if std::env::var_os(CANDLE_THREADS).is_none() {
        let program = std::env::current_exe().expect("a program has a path");
        let mut again = Command::new(program);
        again.args(std::env::args_os().skip(1)).env(CANDLE_THREADS, "1");
        let status = again.status().expect("what ran once runs again");
        std::process::exit(status.code().unwrap_or(1));
    }
    let files: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    if files.is_empty() {
        let seed = shape("774-512-512-256-64-1", Activation::Relu, Activation::Relu);
        measure("random weights", &random_net(&seed, 1));
        let (first, later) = (Activation::SquaredClippedRelu, Activation::ClippedRelu);
        measure(
            "random weights",
            &random_net(&shape("2x774-256-16-32-1x8", first, later), 1),
        );
    }
    for file in files {
        let net = Net::read(Path::new(&file)).unwrap_or_else(|error| panic!("{error}"));
        measure(&file, &net);
    }
}

/// A step of a walk through the tree as a search would do it: a move to make, or `None` to take one back.
type Step = Option<(Changes, Position)>;

fn walk(position: &Position, depth: u32, steps: &mut Vec<Step>) {
    if depth == 0 {
        return;
    }
    for m in position.legal_moves().into_iter().step_by(STRIDE) {
        let mut child = *position;
        let changes = child.make(m);
        steps.push(Some((changes, child)));
        walk(&child, depth - 1, steps);
        steps.push(None);
    }
}

/// Follows the trees and evaluates every position.
fn follow(evaluator: &mut Incremental, trees: &[(Position, Vec<Step>)]) {
    for (root, steps) in trees {
        evaluator.refresh(root);
        for step in steps {
            match step {
                Some((changes, position)) => {
                    evaluator.push(changes.clone());
                    black_box(evaluator.evaluate(position));
                }
                None => evaluator.pop(),
            }
        }
    }
}

/// A way to evaluate, and the seconds that it needed for a position in each turn.
struct Way<'a> {
    name: String,
    positions: usize,
    run: Box<dyn FnMut() + 'a>,
    seconds: Vec<f64>,
}

impl Way<'_> {
    fn turn(&mut self) {
        let start = Instant::now();
        let mut runs = 0;
        while start.elapsed() < TURN {
            (self.run)();
            runs += 1;
        }
        self.seconds
            .push(start.elapsed().as_secs_f64() / (runs * self.positions) as f64);
    }
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn measure(name: &str, net: &Net) {
    let trees: Vec<(Position, Vec<Step>)> = ROOTS
        .iter()
        .map(|fen| {
            let root = Position::from_fen(fen).expect("the roots are legal");
            let mut steps = Vec::new();
            walk(&root, DEPTH, &mut steps);
            (root, steps)
        })
        .collect();
    let steps = trees.iter().flat_map(|(_, steps)| steps);
    let positions: Vec<Position> = steps.flatten().map(|(_, position)| *position).collect();
    let stride = positions.len().div_ceil(CANDLE_SAMPLE);
    let sample: Vec<Position> = positions.iter().copied().step_by(stride).collect();
    println!(
        "{name}, {}: {} positions",
        net.info.architecture.layout,
        positions.len()
    );

    let incremental = Incremental::new(net).unwrap_or_else(|error| panic!("{error}"));
    let mut evaluator = incremental.clone();
    let mut scores: Vec<Score> = Vec::new();
    let reference = Mlp::new(net).expect("an MLP");
    let dense = |positions: &[Position]| reference.evaluate_dense(positions).expect("the layers fit");
    let mut ways = vec![
        Way {
            name: "candle, one by one".into(),
            positions: sample.len(),
            run: Box::new(|| {
                for position in &sample {
                    black_box(dense(std::slice::from_ref(position)));
                }
            }),
            seconds: Vec::new(),
        },
        Way {
            name: format!("candle, batches of {BATCH}"),
            positions: sample.len(),
            run: Box::new(|| {
                for batch in sample.chunks(BATCH) {
                    black_box(dense(batch));
                }
            }),
            seconds: Vec::new(),
        },
    ];
    for set in InstructionSet::available() {
        let mut evaluator = incremental.to_instructions(set).expect("available");
        let trees = &trees;
        ways.push(Way {
            name: format!("incremental, {set}"),
            positions: positions.len(),
            run: Box::new(move || follow(&mut evaluator, trees)),
            seconds: Vec::new(),
        });
    }
    ways.push(Way {
        name: "incremental, in any order".into(),
        positions: positions.len(),
        run: Box::new(|| {
            scores.clear();
            evaluator.evaluate_batch(black_box(&positions), &mut scores);
        }),
        seconds: Vec::new(),
    });
    for _ in 0..TURNS {
        ways.iter_mut().for_each(Way::turn);
    }
    println!(
        "{:28} {:>10} {:>12} {:>14} {:>14}",
        "", "µs each", "a second", "× one by one", "× in batches"
    );
    for way in &ways {
        let ratio = |base: &Way| {
            median(
                base.seconds
                    .iter()
                    .zip(&way.seconds)
                    .map(|(base, own)| base / own),
            )
        };
        let seconds = median(way.seconds.iter().copied());
        println!(
            "{:28} {:10.3} {:12.0} {:14.2} {:14.2}",
            way.name,
            seconds * 1e6,
            1.0 / seconds,
            ratio(&ways[0]),
            ratio(&ways[1])
        );
    }
}
