//! Nodes a second of the whole search with the embedded net in integers, at a fixed number of nodes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use enroc::board::Position;
use enroc::nets::choice::NetChoice;
use enroc::nets::mlp::integer::Incremental;
use enroc::search::{Control, Game, Limits, Pool, Settings};

/// Some ten iterations, a few tenths of a second.
const NODES: u64 = 200_000;

const POSITIONS: [(&str, &str); 3] = [
    ("start", Position::START_FEN),
    (
        "middle game",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    ),
    ("endgame", "8/5pk1/4p1p1/1p1pP2p/3P3P/1P3PP1/6K1/8 w - - 0 40"),
];

fn search(criterion: &mut Criterion) {
    let net = NetChoice::default().read().expect("the built-in net loads");
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10).throughput(Throughput::Elements(NODES));
    for (name, fen) in POSITIONS {
        let game = Game {
            position: Position::from_fen(fen).expect("a legal position"),
            history: Vec::new(),
        };
        let mlp = Incremental::new(&net).expect("the embedded net fits integers");
        let mut pool = Pool::new(16, vec![mlp]).expect("16 MB are to be had");
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                pool.clear();
                pool.search(
                    &game,
                    &limits,
                    &Settings::default(),
                    &Control::default(),
                    &mut |_| {},
                )
            });
        });
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
