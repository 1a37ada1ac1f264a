//! The teacher's network: its numbers are those of a slow evaluator that reads the file by itself, and, where the real file
//! is at hand, those that Stockfish prints.

mod lessons;
mod slow;

use enroc::arch::InstructionSet;
use enroc::board::Position;
use enroc::nets::Evaluator;
use enroc::nets::teacher::file::Weights;
use enroc::nets::teacher::{Teacher, Verdict};
use slow::{Slow, random, synthetic};

/// What Stockfish 15.1 says of 200 positions.
const STOCKFISH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/teacher/stockfish-15.1.tsv");

/// The variable that names the real file, `nn-ad9b42354671.nnue`; without it that comparison is skipped.
const VARIABLE: &str = "ENROC_TEACHER";

/// The network of a file's bytes.
fn teacher(bytes: &[u8], scale: f64) -> Teacher {
    Teacher::new(Weights::parse(bytes).unwrap(), scale, InstructionSet::Scalar).unwrap()
}

fn verdict(slow: &Slow, position: &Position) -> Verdict {
    let (piece_square, positional, sums) = slow.verdict(position);
    Verdict {
        piece_square,
        positional,
        sums,
    }
}

#[test]
fn the_numbers_are_those_of_the_definition_on_every_line_of_play() {
    let bytes = synthetic(7);
    let slow = Slow(&bytes);
    let plain = teacher(&bytes, 1.0);
    let mut seed = 3;
    for set in InstructionSet::available() {
        let mut teacher = plain.to_instructions(set).unwrap();
        for game in 0..6 {
            let mut position = match game % 3 {
                0 => Position::default(),
                1 => Position::from_fen("r3k2r/pP2q1p1/2n2n2/3pP3/1bB2B2/2N2N2/P2Q2pP/R3K2R w KQkq d6 0 9")
                    .unwrap(),
                _ => Position::from_fen("4k3/2P2p2/8/8/3K4/8/1p3P2/8 w - - 0 1").unwrap(),
            };
            teacher.refresh(&position);
            let mut line = vec![position];
            for _ in 0..40 {
                let moves = position.legal_moves();
                // now and then back, and evaluations are skipped
                if moves.is_empty() || line.len() > 3 && random(&mut seed).is_multiple_of(5) {
                    if line.len() == 1 {
                        break;
                    }
                    teacher.pop();
                    line.pop();
                    position = *line.last().unwrap();
                    continue;
                }
                let made = moves[random(&mut seed) as usize % moves.len()];
                teacher.push(position.make(made));
                line.push(position);
                if !random(&mut seed).is_multiple_of(3) {
                    let expected = verdict(&slow, &position);
                    let fen = position.to_fen(false);
                    assert_eq!(teacher.judge(&position), expected, "{set} {fen}");
                    assert_eq!(teacher.judge_any(&position), expected, "{set} {fen}");
                }
            }
        }
    }
}

#[test]
fn scores_are_centipawns_times_the_scale() {
    let bytes = synthetic(7);
    let position = Position::default();
    let mut plain = teacher(&bytes, 1.0);
    let verdict = plain.judge_any(&position);
    // 16 of the network's units are one of Stockfish's, of which a pawn has 361
    let pawns = verdict.value() as f64 / 16.0 / 361.0;
    assert!(pawns.abs() > 0.05, "{pawns}");
    assert_eq!(plain.evaluate(&position), (100.0 * pawns).round() as i32);
    let mut scaled = teacher(&bytes, 1.3);
    let mut scores = Vec::new();
    scaled.evaluate_batch(&[position], &mut scores);
    assert_eq!(scores, [(130.0 * pawns).round() as i32]);
    assert_eq!(
        verdict.sums_as_activated()[3],
        f64::from(verdict.sums[3]) / 8_128.0
    );
    let straight = verdict.sums[15] as f64 / 8_128.0 * 600.0 / 3.61;
    let expected = straight + verdict.piece_square as f64 / 16.0 / 3.61;
    assert!((verdict.straight_centipawns() - expected).abs() < 0.02);
}

#[test]
fn what_is_not_the_network_is_refused_with_a_line() {
    let whole = synthetic(1);
    let refused = |bytes: &[u8]| {
        let line = Weights::parse(bytes).expect_err("refused").to_string();
        assert!(!line.contains('\n'), "{line}");
        line
    };
    for length in [0, 3, 4, 11, 40, 2_000, whole.len() / 2, whole.len() - 1] {
        let line = refused(&whole[..length]);
        assert!(
            line.contains("ends too early") || line.contains("version"),
            "{line}"
        );
    }
    assert!(refused(&[&whole[..], b"x"].concat()).contains("1 bytes follow"));
    let changed = |place: usize, bytes: [u8; 4]| {
        let mut other = whole.clone();
        other[place..][..4].copy_from_slice(&bytes);
        refused(&other)
    };
    assert!(changed(0, [1; 4]).contains("version"));
    assert!(changed(4, [1; 4]).contains("architecture is 01010101"));
    assert!(changed(8, [0xff; 4]).contains("bytes long"));
    assert!(changed(slow::first_layer(), [1; 4]).contains("first layer"));
    assert!(changed(slow::piece_square(), i32::MIN.to_le_bytes()).contains("piece-square value"));
    assert!(changed(slow::bucket(3), [1; 4]).contains("later layers"));
    assert!(changed(slow::bucket(7) + 4, [0x7f; 4]).contains("a bias"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.nnue");
    std::fs::write(&path, b"text").unwrap();
    let line = Teacher::read(&path, 1.0).unwrap_err().to_string();
    assert!(
        line.contains("other.nnue is not the network of Stockfish 15.1"),
        "{line}"
    );
}

/// A value as Stockfish prints it in its table: a space for zero's sign.
fn printed(value: i64) -> String {
    let sign = ["-", "", "+"][(value.signum() + 1) as usize];
    format!("{sign}{:.2}", value.abs() as f64 / 361.0)
}

#[test]
fn stockfish_says_the_same() {
    let Some(path) = std::env::var_os(VARIABLE) else {
        eprintln!("skipped: {VARIABLE} names no network");
        return;
    };
    let mut teacher = Teacher::read(path.as_ref(), 1.0).unwrap();
    assert_eq!(teacher.digest(), "ad9b42354671");
    let mut compared = 0;
    let cases = std::fs::read_to_string(STOCKFISH).unwrap();
    for line in cases.lines().filter(|line| !line.starts_with('#')) {
        let [fen, material, positional, total]: [&str; 4] =
            line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let position = Position::from_fen(fen).unwrap();
        let verdict = teacher.judge_any(&position);
        let side = 1 - 2 * position.side_to_move() as i64;
        assert_eq!(printed(verdict.piece_square / 16), material, "{fen}");
        assert_eq!(printed(verdict.positional / 16), positional, "{fen}");
        let value = (side * (verdict.value() / 16)) as f64 / 361.0;
        assert_eq!(format!("{value:+.2}"), total, "{fen}");
        compared += 1;
    }
    assert!(compared >= 190);
    eprintln!("{compared} positions compared");
}
