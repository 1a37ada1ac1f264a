fn main() {
    let p = enroc::board::Position::default();
    for d in 1..=6 {
        let t = std::time::Instant::now();
        let n = enroc::perft::perft(&p, d);
        println!(
            "{d} {n} {:?} {:.0} Mnps",
            t.elapsed(),
            n as f64 / t.elapsed().as_secs_f64() / 1e6
        );
    }
    let p = enroc::board::Position::from_fen(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    )
    .unwrap();
    for d in 1..=5 {
        let t = std::time::Instant::now();
        let n = enroc::perft::perft(&p, d);
        println!(
            "{d} {n} {:?} {:.0} Mnps",
            t.elapsed(),
            n as f64 / t.elapsed().as_secs_f64() / 1e6
        );
    }
}
