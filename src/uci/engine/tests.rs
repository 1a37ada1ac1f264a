//! The engine's answers and refusals as text.

use super::*;
use crate::nets::built_in::BUILT_IN;
use crate::nets::choice::NetChoice;
#[cfg(feature = "cuda")]
use crate::nets::device;
#[cfg(not(feature = "lab"))]
use crate::nets::net::Precision;
use crate::nets::score::MAX_PLY;
#[cfg(feature = "lab")]
use crate::nets::{kind::Backend, registry};
use crate::uci::options::{OPTIONS, OptionKind};
use std::sync::atomic::Ordering::Relaxed;

fn engine() -> UciEngine {
    UciEngine::new().unwrap()
}

fn texts(moves: &str) -> Vec<String> {
    moves.split_whitespace().map(str::to_string).collect()
}

fn searched(engine: &mut UciEngine, words: &str) -> (Vec<String>, String) {
    let mut lines = Vec::new();
    let go = Go::parse(&words.split(' ').collect::<Vec<_>>()).unwrap();
    let best = engine.search(&go, &Control::default(), &mut |line| lines.push(line));
    (lines, best)
}

#[test]
fn refused_commands_change_nothing() {
    let mut engine = engine();
    engine.set_position(None, &texts("e2e4 e7e5")).unwrap();
    let before = engine.show();
    for (fen, moves, error) in [
        (Some("8/8 w - -"), "", "the board has 2 ranks instead of 8"),
        (None, "e2e4 e7e5 e1e3", "move 3: e1e3 is not a legal move here"),
        (None, "xyz", "move 1: 'xyz' is not a move"),
    ] {
        let refused = engine.set_position(fen, &texts(moves)).unwrap_err().to_string();
        assert!(refused.contains(error), "{refused}");
    }
    for (name, value, error) in [
        ("EvalFile", "/no/such/net", "/no/such/net"),
        (
            "EvalFile",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
            "Cargo.toml",
        ),
        ("Threads", "0", "Threads is a number from 1 to 256"),
    ] {
        let refused = engine.set_option(name, value).unwrap_err().to_string();
        assert!(refused.contains(error), "{refused}");
        assert!(!refused.contains('\n'), "{refused}");
    }
    assert_eq!(
        (
            engine.engine.options().threads,
            &engine.engine.options().eval_file
        ),
        (1, &None)
    );
    assert_eq!(engine.show(), before);
    assert!(searched(&mut engine, "nodes 50").1.starts_with("bestmove "));
}

#[test]
fn strength_can_be_limited_but_not_that_of_analysis() {
    let mut engine = engine();
    let told = engine.set_option("UCI_LimitStrength", "true").unwrap().unwrap();
    assert!(told.contains("about 1500 Elo"), "{told}");
    let told = engine.set_option("UCI_Elo", "1000").unwrap().unwrap();
    assert!(told.contains("about 1000 Elo"), "{told}");
    let (lines, best) = searched(&mut engine, "depth 30");
    let played = best.split(' ').nth(1).unwrap();
    let last = lines.last().unwrap();
    assert!(
        last.contains(" score ") && last.contains(&format!(" pv {played}")),
        "{last} {best}"
    );
    // without the limit a skill level counts
    engine.set_option("UCI_LimitStrength", "false").unwrap();
    let told = engine.set_option("Skill Level", "3").unwrap().unwrap();
    assert!(told.contains("Elo"), "{told}");
    let told = engine.set_option("Skill Level", "20").unwrap().unwrap();
    assert!(told.ends_with("full"), "{told}");
    engine.set_option("Skill Level", "0").unwrap();
    let control = Control::default();
    let go = Go::parse(&["infinite"]).unwrap();
    let mut depths = 0;
    engine.search(&go, &control, &mut |line| {
        depths += usize::from(line.contains(" depth "));
        if line.contains(" depth 8 ") {
            control.stop.store(true, Relaxed);
        }
    });
    assert!(depths >= 8, "{depths}");
    assert!(engine.set_option("UCI_Elo", "300").is_err());
}

#[test]
fn the_net_in_use_is_told_after_a_change() {
    let mut engine = engine();
    let first = engine.identity();
    assert!(
        first.starts_with("info string net mlp (built in, ") && first.contains("incremental"),
        "{first}"
    );
    assert_eq!(engine.set_option("Hash", "8").unwrap(), None);
    assert_eq!(engine.set_option("Backend", "incremental").unwrap(), None);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.safetensors");
    std::fs::write(&path, BUILT_IN[0].bytes).unwrap();
    let path = path.display().to_string();
    let own = engine.set_option("EvalFile", &path).unwrap().unwrap();
    assert!(own.contains(&path), "{own}");
    let told = engine.set_option("Net", "mlp").unwrap().unwrap();
    assert!(told.contains("EvalFile takes precedence over Net"), "{told}");
    assert_eq!(engine.set_option("EvalFile", "").unwrap(), Some(first));
}

#[cfg(feature = "lab")]
#[test]
fn the_laboratory_has_more_ways_to_evaluate() {
    let mut engine = engine();
    let candle = engine.set_option("Backend", "candle").unwrap().unwrap();
    assert!(
        candle.ends_with("candle on the CPU") && candle == engine.identity(),
        "{candle}"
    );
    engine.set_option("Backend", "auto").unwrap();
    let cnn = engine.set_option("Net", "cnn").unwrap().unwrap();
    assert!(
        cnn.contains("net cnn (built in") && cnn.contains("blocks"),
        "{cnn}"
    );
}

#[cfg(not(feature = "lab"))]
#[test]
fn a_net_of_the_laboratory_is_refused_with_what_to_do() {
    let mut net = NetChoice::default().read().unwrap();
    net.info.architecture.kind = "cnn".to_string();
    let folder = tempfile::tempdir().unwrap();
    let path = net.save_in(folder.path(), Precision::F16).unwrap();
    let refused = engine().set_option("EvalFile", &path.display().to_string());
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.contains("kind `cnn`") && refused.contains("--features lab"),
        "{refused}"
    );
}

#[cfg(not(feature = "cuda"))]
#[test]
fn a_backend_that_was_not_built_in_is_not_offered() {
    let refused = engine().set_option("Backend", "cuda").unwrap_err().to_string();
    let offered = match cfg!(feature = "lab") {
        true => "auto, incremental, bfloat16, candle",
        false => "auto, incremental",
    };
    assert_eq!(refused, format!("option Backend is one of {offered}, not 'cuda'"));
}

#[cfg(feature = "lab")]
#[test]
fn the_matrix_unit_is_for_cnns() {
    let mut engine = engine();
    let before = format!("{:?}", engine.engine.options());
    let refused = engine.set_option("Backend", "bfloat16").unwrap_err().to_string();
    assert!(refused.contains("bfloat16 is for CNNs"), "{refused}");
    assert_eq!(format!("{:?}", engine.engine.options()), before);
}

#[cfg(feature = "cuda")]
#[test]
fn a_gpu_is_used_or_its_absence_is_an_error() {
    let mut engine = engine();
    let before = format!("{:?}", engine.engine.options());
    let answer = engine.set_option("Backend", "cuda");
    if let Err(reason) = device::cuda() {
        let refused = answer.unwrap_err().to_string();
        assert!(
            refused.starts_with("Backend cuda") && refused.contains(&reason.to_string()),
            "{refused}"
        );
        assert!(!refused.contains('\n'), "{refused}");
        assert_eq!(format!("{:?}", engine.engine.options()), before);
    } else {
        answer.unwrap();
    }
    assert!(searched(&mut engine, "nodes 50").1.starts_with("bestmove "));
}

#[test]
fn uci_defaults_are_the_engines_defaults() {
    let mut engine = engine();
    let before = format!("{:?}", engine.engine.options());
    for option in OPTIONS {
        let default = match option.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo(choices) => choices[0].to_string(),
            OptionKind::Button | OptionKind::Text(_) => String::new(),
        };
        engine.set_option(option.name, &default).unwrap();
    }
    assert_eq!(format!("{:?}", engine.engine.options()), before);
    assert!(!engine.style.chess960 && !engine.style.wdl);
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut engine = engine();
    engine.set_position(None, &texts("f2f3 e7e5 g2g4 d8h4")).unwrap();
    let (lines, best) = searched(&mut engine, "depth 5");
    assert_eq!(
        (lines, best),
        (
            vec!["info depth 0 score mate 0".to_string()],
            "bestmove (none)".to_string()
        )
    );
    engine
        .set_position(Some("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), &[])
        .unwrap();
    assert_eq!(searched(&mut engine, "depth 5").0, ["info depth 0 score cp 0"]);
}

#[test]
fn illegal_search_moves_are_reported_and_ignored() {
    let mut engine = engine();
    let (lines, best) = searched(&mut engine, "searchmoves e2e5 a2a3 depth 1");
    assert_eq!(lines[0], "info string searchmoves: e2e5 is not a legal move here");
    assert!(best.starts_with("bestmove a2a3"), "{best}");
    let (lines, best) = searched(&mut engine, "searchmoves e2e5 depth 1");
    assert!(
        lines.last().is_some_and(|line| line.contains(" score ")),
        "{lines:?}"
    );
    assert_ne!(best, "bestmove (none)");
}

#[test]
fn perft_divides_and_adds_up() {
    let mut lines = Vec::new();
    let mut engine = engine();
    engine.perft(5, &Control::default(), &mut |line| lines.push(line));
    assert_eq!(lines.len(), 21);
    assert_eq!(
        lines.last().map(String::as_str),
        Some("\nNodes searched: 4865609")
    );
    assert!(lines.contains(&"e2e4: 405385".to_string()));
    engine
        .set_position(Some("1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1"), &[])
        .unwrap();
    lines.clear();
    engine.perft(1, &Control::default(), &mut |line| lines.push(line));
    assert!(lines.contains(&"c1b1: 1".to_string()), "{lines:?}");
}

#[test]
fn a_stopped_perft_prints_no_sum() {
    let control = Control::default();
    control.stop.store(true, Relaxed);
    let mut lines = Vec::new();
    engine().perft(MAX_PLY as u32, &control, &mut |line| lines.push(line));
    assert_eq!(lines, Vec::<String>::new());
}

#[cfg(feature = "lab")]
#[test]
fn the_evaluation_is_that_of_the_network() {
    let mut engine = engine();
    engine.set_position(None, &texts("e2e4")).unwrap();
    let net = NetChoice::default().read().unwrap();
    let mut network = registry::evaluator(&net, Backend::Candle).unwrap();
    let score = network.evaluate(&engine.engine.game().position);
    let text = engine.evaluation();
    // the integers round
    assert!(
        (-10..=10).any(|d| text.contains(&format!("({:+} cp for Black, to move)", score + d))),
        "{score}: {text}"
    );
}

/// The queen takes a guarded pawn, which looks good where nobody looks at the answer.
#[test]
fn a_look_ahead_sees_the_recapture_only_with_quiescence() {
    let mut engine = engine();
    engine
        .set_position(Some("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1"), &[])
        .unwrap();
    engine.set_option("LookAhead", "1").unwrap();
    let mut score = |quiescence: &str| -> i32 {
        engine.set_option("Quiescence", quiescence).unwrap();
        let (lines, _) = searched(&mut engine, "depth 1 searchmoves d2d5");
        let (_, rest) = lines.last().unwrap().split_once(" cp ").unwrap();
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    assert!(score("false") > score("true") + 300);
}
