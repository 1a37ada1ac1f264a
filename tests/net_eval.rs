//! What `enroc net eval` measures and writes.

use enroc::board::Position;
use std::path::Path;
use std::process::Command;

/// Positions after one ply and after two, all of them labelled as good for White.
fn rows() -> String {
    let mut rows = String::new();
    for &first in &Position::default().legal_moves() {
        let after = Position::default().after(first);
        rows += &format!("{},70,,l\n", after.to_fen(false));
        for &second in &after.legal_moves() {
            rows += &format!("{},70,,l\n", after.after(second).to_fen(false));
        }
    }
    rows
}

fn eval(folder: &Path, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_enroc"))
        .current_dir(folder)
        .args(["net", "eval", "rows.csv"])
        .args(options)
        .output()
        .unwrap();
    assert!(output.status.success(), "{options:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// How many positions of a part were measured.
fn measured(folder: &Path, part: &str, more: &[&str]) -> usize {
    let report = eval(folder, &[&["--part", part], more].concat());
    let all = report
        .lines()
        .find(|line| line.starts_with("all "))
        .expect(&report);
    all.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_limit_bounds_what_is_read_of_all_parts_together() {
    let folder = tempfile::tempdir().unwrap();
    let rows = rows();
    std::fs::write(folder.path().join("rows.csv"), &rows).unwrap();
    let sum = |more: &[&str]| -> usize {
        let parts = ["training", "validation", "test"].iter();
        parts.map(|part| measured(folder.path(), part, more)).sum()
    };
    assert_eq!(sum(&[]), rows.lines().count());
    assert_eq!(sum(&["--limit", "300"]), 300);
}

#[test]
fn outputs_stand_beside_labels_of_the_same_side() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rows.csv"), rows()).unwrap();
    eval(folder.path(), &["--part", "training", "--raw", "raw.csv"]);
    let raw = std::fs::read_to_string(folder.path().join("raw.csv")).unwrap();
    let mut sides = [0; 2];
    for row in raw.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let black = cells[0].contains(" b ");
        assert_eq!(cells[3], if black { "-70" } else { "70" }, "{row}");
        let [output, score] = [1, 2].map(|cell| cells[cell].parse::<f64>().unwrap());
        assert!(output * score >= 0.0, "{row}");
        sides[usize::from(black)] += 1;
    }
    assert!(sides[0] > 200 && sides[1] > 10, "{sides:?}");
}
