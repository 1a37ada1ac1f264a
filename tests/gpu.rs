//! With the feature `cuda`, on a machine with a GPU: its scores and its trainings are those of the CPU.

#[path = "common/training.rs"]
#[allow(dead_code, reason = "the other tests of trainings use more of it")]
mod common;

use common::{net_in, succeed, workplace};
use enroc::board::Position;
use enroc::nets::kind::Backend;
use enroc::nets::net::Net;
use enroc::nets::{built_in::BUILT_IN, registry};
use std::path::Path;
use std::process::Command;

/// TF32 keeps ten bits of each factor: what a score may differ by, in centipawns and as a share of the score.
const TOLERANCE: (f64, f64) = (6.0, 0.03);

/// Positions from quiet to lost, both sides to move.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/1BN1B3/PPP2PPP/R2Q1RK1 b - - 4 11",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/8/8/PPPP4/4K3 b - - 0 1",
];

fn scores(net: &Net, backend: Backend) -> Vec<f64> {
    let mut evaluator = registry::evaluator(net, backend).unwrap();
    POSITIONS
        .iter()
        .map(|fen| f64::from(evaluator.evaluate(&Position::from_fen(fen).unwrap())))
        .collect()
}

#[test]
fn every_net_has_the_scores_of_the_cpu() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets");
    let files = std::fs::read_dir(folder).unwrap();
    let nets: Vec<_> = files
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "safetensors"))
        .collect();
    assert!(nets.len() >= BUILT_IN.len(), "{nets:?}");
    for path in nets {
        let net = Net::read(&path).unwrap();
        let (cpu, gpu) = (scores(&net, Backend::Candle), scores(&net, Backend::Cuda));
        println!("{}: {cpu:?} {gpu:?}", path.display());
        for (cpu, gpu) in cpu.iter().zip(&gpu) {
            let most = TOLERANCE.0 + TOLERANCE.1 * cpu.abs();
            assert!((cpu - gpu).abs() <= most, "{}: {cpu} {gpu}", path.display());
        }
    }
}

/// The error at the end of a training of this layout.
fn error_of(layout: &str, device: &str) -> f64 {
    let folder = workplace(64_000, "");
    let path = folder.path().join("recipe.toml");
    let mut recipe = std::fs::read_to_string(&path).unwrap();
    if !layout.contains("774") {
        recipe = recipe
            .replace("first_activation = \"squaredclippedrelu\"", "")
            .replace("clip = [1.5]", "");
    }
    if layout.contains('h') {
        recipe = recipe.replace("[net]", "[net]\nkind = \"transformer\"");
    }
    std::fs::write(&path, recipe.replace("2x774-16-8-1x8", layout)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_enroc"));
    command
        .current_dir(folder.path())
        .args(["train", "recipe.toml", "--device", device, "--out", "out"]);
    let output = succeed(command);
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!notes.contains("using the CPU"), "{notes}");
    let net = Net::read(&net_in(&folder.path().join("out")).0).unwrap();
    net.info.validation.unwrap().error
}

#[test]
fn every_kind_learns_what_it_learns_on_the_cpu() {
    for layout in [
        "2x774-16-8-1x8",
        "16-1x1:6-8-1r-1se-pool-8-1",
        "16-16-1t2h32f4g-pool-8-1",
    ] {
        let (cpu, gpu) = (error_of(layout, "cpu"), error_of(layout, "cuda"));
        println!("{layout}: {cpu} {gpu}");
        assert!((cpu - gpu).abs() < 0.1 * cpu, "{layout}: {cpu} {gpu}");
    }
}
