//! Training from the command line: it learns, it repeats itself exactly, and it goes on after being killed.

#[path = "common/training.rs"]
mod common;

use common::{fail, import_shards, killed, material, net_in, play, succeed, train, workplace};
use enroc::board::Position;
use enroc::nets::Evaluator;
use enroc::nets::mlp::reference::Mlp;
use enroc::nets::net::{Net, Precision};
use std::fmt::Write;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// The same games as PGN, with an evaluation of each position and no best moves.
fn pgn(games: u64) -> String {
    let mut text = String::new();
    play(games, |ply, chosen, position, next| {
        if ply == 0 {
            write!(text, "\n\n[Event \"random\"]\n\n").unwrap();
        }
        let pawns = f64::from(material(next)) / 100.0;
        write!(text, "{} {{ [%eval {pawns:.2}] }} ", position.to_san(chosen)).unwrap();
    });
    text
}

#[test]
fn a_small_net_learns_material_and_learns_it_again() {
    let folder = workplace(200_000, "");
    let output = succeed(train(folder.path(), "one", &[]));
    let (path, first) = net_in(&folder.path().join("one"));
    let net = Net::read(&path).unwrap();
    let found = net.info.validation.unwrap();
    assert!(found.error < 0.65 * found.constant, "{found:?}");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("test part: mean error all"));
    assert!(
        told.contains(" a second, loss ") && !told.contains(" 0 a second, loss "),
        "{told}"
    );
    let queen_up = Position::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
    assert!(Mlp::new(&net).unwrap().evaluate(&queen_up) > 200);
    for file in ["log.csv", "curves.svg", "errors.svg", "checkpoint.safetensors"] {
        assert!(folder.path().join("one/small").join(file).exists(), "{file}");
    }
    let log = std::fs::read_to_string(folder.path().join("one/small/log.csv")).unwrap();
    assert!(log.starts_with("positions,rate,loss,error,error_quiet,error_expected,correct\n"));
    for row in log.lines().skip(1) {
        let expected: f64 = row.split(',').nth(5).unwrap().parse().unwrap();
        assert!((0.01..0.5).contains(&expected), "{row}");
    }
    assert_eq!(
        log.lines().count(),
        1 + 200_000 / 12_800 + 1,
        "a header, the measurements and the last one"
    );

    // it has ended: the same command finds nothing left to do
    let again = succeed(train(folder.path(), "one", &[]));
    assert!(String::from_utf8_lossy(&again.stdout).contains("test part: mean error all"));
    assert!(net_in(&folder.path().join("one")).1 == first);

    succeed(train(folder.path(), "two", &[]));
    assert!(
        net_in(&folder.path().join("two")).1 == first,
        "the same recipe gives the same net"
    );
}

#[test]
fn a_killed_training_goes_on_to_the_same_net() {
    survives_being_killed(&workplace(400_000, ""), 3);
}

/// A CNN, with its running statistics, whose positions are streamed from shards.
#[test]
fn a_killed_training_of_a_cnn_from_shards_goes_on_to_the_same_net() {
    let folder = workplace(64_000, "mirror = true");
    import_shards(folder.path());
    let path = folder.path().join("recipe.toml");
    let recipe = std::fs::read_to_string(&path).unwrap();
    let recipe = recipe
        .replace("2x774-16-8-1x8", "16-1x1:6-8-1r-1se-pool-8-1")
        .replace("first_activation = \"squaredclippedrelu\"", "")
        .replace("clip = [1.5]", "")
        .replace("files = [\"rows.csv\"]", "files = [\"shards\"]\nin_memory = 2");
    std::fs::write(path, recipe).unwrap();
    survives_being_killed(&folder, 2);
}

/// Kills a training a few times and compares its net and its log with those of one that was left alone.
fn survives_being_killed(folder: &TempDir, rounds: u64) {
    succeed(train(folder.path(), "whole", &[]));
    let checkpoint = folder.path().join("killed/small/checkpoint.safetensors");
    for round in 0..rounds {
        let written = || {
            std::fs::metadata(&checkpoint)
                .and_then(|file| file.modified())
                .ok()
        };
        let before = written();
        let resumed = train(folder.path(), "killed", &["--resume"]);
        // a newer checkpoint, then a little, so that the kill falls between two of them
        killed(
            resumed,
            || written() != before,
            || {
                std::thread::sleep(Duration::from_millis(17 * round));
                let second = train(folder.path(), "killed", &[]).output().unwrap();
                let message = String::from_utf8(second.stderr).unwrap();
                assert_eq!(message, "error: another training is writing killed/small\n");
            },
        );
    }
    succeed(train(folder.path(), "killed", &["--resume"]));
    let (whole, killed) = (
        net_in(&folder.path().join("whole")),
        net_in(&folder.path().join("killed")),
    );
    assert!(whole.1 == killed.1, "the weights differ");
    let log = |run: &str| std::fs::read(folder.path().join(run).join("small/log.csv")).unwrap();
    assert!(log("whole") == log("killed"), "the logs differ");
}

/// Without best moves nothing is known to be quiet; the training goes on to better weights all the same.
#[test]
fn data_without_best_moves_keeps_the_best_weights() {
    let folder = workplace(128_000, "");
    std::fs::write(folder.path().join("games.pgn"), pgn(400)).unwrap();
    let path = folder.path().join("recipe.toml");
    let recipe = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, recipe.replace("rows.csv", "games.pgn")).unwrap();
    let output = succeed(train(folder.path(), "out", &[]));
    assert!(String::from_utf8_lossy(&output.stdout).contains("quiet -\n"));
    let net = Net::read(&net_in(&folder.path().join("out")).0).unwrap();
    let found = net.info.validation.unwrap();
    assert_eq!(found.error_quiet, None);
    assert!(found.error < 0.8 * found.constant, "{found:?}");
    let log = std::fs::read_to_string(folder.path().join("out/small/log.csv")).unwrap();
    assert!(
        log.lines().skip(1).all(|row| row.split(',').nth(4) == Some("")),
        "{log}"
    );
}

/// 2 is what a recipe without an exponent has, to the bit; another one learns too, another net.
#[test]
fn the_exponent_is_2_unless_a_recipe_says_otherwise() {
    let weights = |extra: &str| {
        let folder = workplace(128_000, extra);
        succeed(train(folder.path(), "out", &[]));
        let net = Net::read(&net_in(&folder.path().join("out")).0).unwrap();
        let found = net.info.validation.unwrap();
        assert!(found.error < 0.75 * found.constant, "{extra}: {found:?}");
        net.tensors
    };
    let plain = weights("");
    assert!(plain == weights("exponent = 2.0"));
    assert!(plain != weights("exponent = 2.6"));
}

/// The recipe divides the data in another way than the default; what the net was tested on is found again.
#[test]
fn a_net_is_measured_on_the_part_that_it_never_saw() {
    let folder = workplace(64_000, "");
    succeed(train(folder.path(), "out", &[]));
    let (path, _) = net_in(&folder.path().join("out"));
    let found = Net::read(&path).unwrap().info.validation.unwrap();
    let enroc = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_enroc"));
        command.current_dir(folder.path()).args(arguments);
        String::from_utf8(succeed(command).stdout).unwrap()
    };
    let net = path.to_str().unwrap();
    let eval = ["net", "eval", "rows.csv", "--backend", "candle", "--net", net];
    let report = enroc(&eval);
    assert!(
        report.contains("test part: seed 1, 0.1 validation, 0.1 test (as in the net's recipe)"),
        "{report}"
    );
    let all = report.lines().find(|line| line.starts_with("all ")).unwrap();
    let cells: Vec<&str> = all.split_whitespace().collect();
    assert_eq!(cells[1], found.positions.to_string(), "{report}");
    assert!(
        (cells[2].parse::<f64>().unwrap() - found.error).abs() < 1e-3,
        "{report}"
    );
    let other = enroc(&[&eval[..], &["--split-seed", "2"]].concat());
    assert!(other.contains("test part: seed 2, 0.1 validation"), "{other}");
    let info = enroc(&["net", "info", net]);
    assert!(info.contains("\n    files = [\"rows.csv\"]\n"), "{info}");
    // files from before tell no recipe
    let mut older = Net::read(&path).unwrap();
    older.info.recipe = None;
    let older = older
        .save_in(&folder.path().join("older"), Precision::F16)
        .unwrap();
    let default = enroc(&["net", "eval", "rows.csv", "--net", older.to_str().unwrap()]);
    assert!(
        default.contains("seed 0, 0.02 validation, 0.02 test (the default"),
        "{default}"
    );
}

#[test]
fn patience_ends_a_training_early() {
    let folder = workplace(400_000, "patience = 1\nfinal_rate = 1.0");
    succeed(train(folder.path(), "out", &[]));
    let net = Net::read(&net_in(&folder.path().join("out")).0).unwrap();
    // one measurement was no better, and the net is of the one before
    let log = std::fs::read_to_string(folder.path().join("out/small/log.csv")).unwrap();
    let measured: Vec<u64> = log
        .lines()
        .skip(1)
        .map(|row| row.split(',').next().unwrap().parse().unwrap())
        .collect();
    assert!(measured[measured.len() - 1] < 400_000, "{log}");
    assert_eq!(net.info.positions, measured[measured.len() - 2]);
}

/// In memory and streamed: with no position to train on there was no end, with a few each step was a smaller one.
#[test]
fn less_than_a_batch_to_train_on_is_one_line_and_code_2() {
    let folder = workplace(64_000, "");
    let rows = folder.path().join("rows.csv");
    let text = std::fs::read_to_string(&rows).unwrap();
    let won = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        format!("{},500,{},{}\n", cells[0], cells[2], cells[3])
    };
    std::fs::write(&rows, text.lines().map(won).collect::<String>()).unwrap();
    import_shards(folder.path());
    let path = folder.path().join("recipe.toml");
    let good = std::fs::read_to_string(&path).unwrap();
    let streamed = good.replace("files = [\"rows.csv\"]", "files = [\"shards\"]\nin_memory = 2");
    for recipe in [good, streamed] {
        for (from, to, part) in [
            (
                "in_check = true",
                "max_score = 100",
                "leaves 0 positions to train on, fewer than a batch of 64:",
            ),
            (
                "batch = 64",
                "batch = 64000",
                "fewer than a batch of 64000: loosen it or lower schedule.batch",
            ),
        ] {
            assert!(recipe.contains(from));
            std::fs::write(&path, recipe.replace(from, to)).unwrap();
            fail(train(folder.path(), "out", &[]), part);
        }
    }
}

#[test]
fn bad_recipes_and_checkpoints_are_one_line_and_code_2() {
    let folder = workplace(20_000, "");
    let fails = |recipe: &str, flags: &[&str], part: &str| {
        std::fs::write(folder.path().join("recipe.toml"), recipe).unwrap();
        fail(train(folder.path(), "out", flags), part);
    };
    let good = std::fs::read_to_string(folder.path().join("recipe.toml")).unwrap();
    succeed(train(folder.path(), "out", &[]));
    fails(
        &good.replace("warm_up = 3200", "warm_up = 6400"),
        &["--resume"],
        "another recipe",
    );
    // some labels are others now
    let path = folder.path().join("rows.csv");
    let rows = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, rows.replace(",0,", ",1,")).unwrap();
    fails(&good, &["--resume"], "other data");
    std::fs::write(&path, rows).unwrap();
    fails(&good.replace("rows.csv", "none.csv"), &["--restart"], "none.csv");
    fails(
        &good.replace("\"mover\"", "\"white\""),
        &["--restart"],
        "orientation",
    );
    fails(
        &good.replace("16-8-1x8", "16-8-2"),
        &["--restart"],
        "2x774-16-8-2",
    );
    fails(&good.replace("batch = 64", "batch = 0"), &["--restart"], "batch");
    fails(&good.replace("warm_up", "warmup"), &["--restart"], "warmup");
    fails(&good.replace("16-8-1x8", "16-8-pool-2"), &["--restart"], "pool-2");
    let streamed = good.replace("files =", "in_memory = 1\nfiles =");
    fails(&streamed, &["--restart"], "in_memory");
    let streamed = good.replace("files =", "in_memory = 4\nfiles =");
    fails(&streamed, &["--restart"], "rows.csv is no folder of shards");
    let whole = good.replace("test = 0.1", "test = 0.0");
    fails(&whole, &["--restart"], "the test part of the data");
    let negative = good.replace("decay = 0.01", "decay = -0.01");
    fails(&negative, &["--restart"], "decay");
    fails("name = 3", &["--restart"], "recipe.toml");
    std::fs::write(folder.path().join("out/small/checkpoint.safetensors"), b"cut").unwrap();
    fails(&good, &["--resume"], "checkpoint.safetensors");
}
