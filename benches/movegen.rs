//! Generating, making and weighing all moves of a few positions: `cargo bench --bench movegen`.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use enroc::board::{Move, Position, Wanted};
use std::hint::black_box;

/// A quiet opening, a crowded middlegame, one with checks and pins, an endgame.
const FENS: [&str; 4] = [
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

fn board(criterion: &mut Criterion) {
    let positions = FENS.map(|fen| Position::from_fen(fen).expect("the FEN is right"));
    let moves: Vec<(Position, Move)> = positions
        .iter()
        .flat_map(|position| position.legal_moves().into_iter().map(|m| (*position, m)))
        .collect();

    let mut group = criterion.benchmark_group("positions");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("legal moves", |bencher| {
        bencher.iter(|| {
            black_box(&positions)
                .each_ref()
                .map(|position| position.legal_moves().len())
        });
    });
    group.bench_function("captures and promotions", |bencher| {
        bencher.iter(|| {
            black_box(&positions)
                .each_ref()
                .map(|position| position.moves(Wanted::Noisy).len())
        });
    });
    group.bench_function("counted moves", |bencher| {
        bencher.iter(|| black_box(&positions).each_ref().map(Position::count_moves));
    });
    group.finish();

    let mut group = criterion.benchmark_group("moves");
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("copy and make", |bencher| {
        bencher.iter(|| {
            for (position, m) in black_box(&moves) {
                black_box(position.after(*m));
            }
        });
    });
    group.bench_function("make with changes", |bencher| {
        bencher.iter_batched_ref(
            || moves.clone(),
            |moves| {
                for (position, m) in moves {
                    black_box(position.make(*m));
                }
            },
            BatchSize::SmallInput,
        );
    });
    group.bench_function("static exchange", |bencher| {
        bencher.iter(|| {
            black_box(&moves)
                .iter()
                .filter(|(position, m)| position.see_at_least(*m, 0))
                .count()
        });
    });
    group.finish();
}

criterion_group!(benches, board);
criterion_main!(benches);
