//! The command line: what it prints, and how it says that something is wrong.

mod client;

use client::run;
use enroc::nets::built_in::BUILT_IN;
use lzma_rust2::{XzOptions, XzWriter};
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

fn output(arguments: &[&str]) -> Vec<String> {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(str::to_string).collect()
}

#[test]
fn bad_arguments_exit_with_2_and_one_line() {
    for (arguments, named) in [
        (&["perft"][..], "DEPTH"),
        (&["perft", "x"], "x"),
        (&["perft", "3", "--fen", "8/8 w"], "FEN"),
        (&["perft", "3", "--threads", "0"], "threads"),
        (&["perft", "--suite", "/no/such/suite"], "/no/such/suite"),
        (
            &[
                "perft",
                "--suite",
                concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
            ],
            "Cargo.toml",
        ),
        (&["bench", "0"], "0"),
        (&["bench", "deep"], "deep"),
        (&["genfens many", "quit"], "many"),
        (&["speedtest", "0"], "0"),
        (&["data"], "missing"),
        (&["experiment"], "missing"),
        (&["experiment", "homework", "--plies", "1,0"], "plies"),
        (&["experiment", "homework", "--games", "0"], "games"),
        (&["experiment", "homework", "--heuristics", "tempo"], "mobility"),
        (&["compare", "--timeout", "nan"], "timeout"),
        (&["compare", "--random-share", "7"], "random-share"),
        (
            &["data", "label", "x.fen", "--out", "x", "--depth", "0"],
            "1..=245",
        ),
        (
            &["data", "label", "x.fen", "--out", "x", "--depth", "246"],
            "1..=245",
        ),
        (&["data", "label", "x.fen", "--out", "x", "--nodes", "0"], "nodes"),
        (
            &[
                "data",
                "selfplay",
                "--games",
                "1",
                "--out",
                "x",
                "--movetime",
                "0",
            ],
            "movetime",
        ),
        (
            &[
                "data",
                "selfplay",
                "--games",
                "1",
                "--out",
                "x",
                "--timeout",
                "nan",
            ],
            "seconds",
        ),
        (
            &["data", "label", "x.fen", "--out", "x", "--timeout", "inf"],
            "seconds",
        ),
        (
            &["data", "label", "x.fen", "--out", "x", "--timeout", "0.05"],
            "seconds",
        ),
        (&["data", "label", "x.fen", "--out", "x", "--timeout", "-1"], "-1"),
        (
            &["data", "label", "x.fen", "--out", "x", "--random-share", "nan"],
            "share",
        ),
        (
            &["data", "selfplay", "--games", "1", "--out", "x", "--resign", "0"],
            "resign",
        ),
        (
            &[
                "data",
                "selfplay",
                "--games",
                "1",
                "--out",
                "x",
                "--most-start",
                "30001",
            ],
            "30001",
        ),
        (&["dance"], "dance"),
        (&["bensh"], "a similar subcommand exists: 'bench'"),
        (&["bench", "--deph", "3"], "--deph"),
        (&["net", "info", "rnn"], "there is no net 'rnn'"),
        (&["completions", "cmd"], "bash"),
        (&["--loud"], "--loud"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
        let complaint = String::from_utf8(output.stderr).expect("text");
        assert_eq!(complaint.trim_end().lines().count(), 1, "{complaint}");
        assert!(
            complaint.starts_with("error: ") && complaint.contains(named),
            "{complaint}"
        );
    }
}

#[test]
fn help_and_version_are_no_errors() {
    assert!(output(&["--help"]).iter().any(|line| line.contains("perft")));
    let version = output(&["--version"]);
    assert!(
        version.len() == 1 && version[0].starts_with(concat!("enroc ", env!("CARGO_PKG_VERSION"))),
        "{version:?}"
    );
}

#[test]
fn openings_are_made_as_openbench_asks() {
    let openings = |book: &str| output(&[&format!("genfens 3 seed 5 book {book} "), "quit"]);
    let lines = openings("None");
    assert_eq!(lines, openings("None"));
    for line in &lines {
        let fen = line.strip_prefix("info string genfens ").expect("an opening");
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        assert!(enroc::board::Position::from_fen(fen).is_ok(), "{fen}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("book.epd");
    std::fs::write(&book, "4k3/4p3/8/8/8/8/4P3/4K3 w - - hmvc 0; fmvn 3;\n").expect("a file");
    let lines = output(&[
        &format!("genfens 2 seed 5 book {} plies 1-2", book.display()),
        "quit",
    ]);
    assert!(
        lines.len() == 2 && lines.iter().all(|line| line.contains("k3/")),
        "{lines:?}"
    );
    let refused = run(&["genfens 1 seed 5 book /no/such/book", "quit"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("/no/such/book"));
}

#[test]
fn the_speed_is_told_with_what_it_was_measured_on() {
    let lines = output(&["speedtest", "1", "16", "1"]);
    for name in [
        "threads           1",
        "table             16 MiB",
        "nodes per second",
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(name)),
            "{name}: {lines:?}"
        );
    }
}

#[test]
fn completions_and_examples_name_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let lines = output(&["completions", shell]);
        assert!(lines.iter().any(|line| line.contains("perft")), "{shell}");
    }
    let help = output(&["--help"]);
    let examples: Vec<&String> = help
        .iter()
        .skip_while(|line| line.as_str() != "Examples:")
        .skip(1)
        .collect();
    assert!(examples.len() > 5, "{help:?}");
    for example in examples {
        let command = example.split_whitespace().nth(1).expect("a word");
        let is_command = |line: &String| line.split_whitespace().next() == Some(command);
        assert!(command == "speak" || help.iter().any(is_command), "{example}");
    }
}

#[test]
fn nets_are_found_by_name_from_every_folder() {
    assert!(output(&["net", "info", "cnn"]).contains(&"kind         cnn".to_string()));
    // wherever cargo puts what it builds: a copy of the program with a folder beside it
    let (installed, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let program = installed.path().join("enroc");
    std::fs::copy(env!("CARGO_BIN_EXE_enroc"), &program).unwrap();
    let info = |from: &Path| {
        Command::new(&program)
            .args(["net", "info", "mlp-mine"])
            .current_dir(from)
            .output()
            .expect("the program runs")
    };
    let put = |folder: &Path| {
        std::fs::create_dir(folder.join("nets")).unwrap();
        std::fs::write(folder.join("nets/mlp-mine.safetensors"), BUILT_IN[0].bytes).unwrap();
    };
    // a folder above the current one may be anybody's
    put(elsewhere.path());
    let below = elsewhere.path().join("below");
    std::fs::create_dir(&below).unwrap();
    assert!(info(elsewhere.path()).status.success());
    assert_eq!(info(&below).status.code(), Some(2));
    put(installed.path());
    assert!(info(&below).status.success());
}

#[test]
fn a_reader_that_has_left_is_no_error() {
    for arguments in [&["net", "info"][..], &["perft", "1"], &["--help"]] {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_enroc"))
            .args(arguments)
            .stdout(writer)
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        assert_eq!(output.stderr, b"", "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_printed_is_an_error() {
    for arguments in [
        &["genfens 1 seed 1", "quit"][..],
        &["explain", "startpos", "e2e4", "--json", "--nodes", "100"],
        &["net", "info"],
        &["perft", "1"],
        &["completions", "bash"],
        &["bench", "1"],
        &["--help"],
        &["--version"],
        &["speedtest", "1", "16", "1"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_enroc"))
            .args(arguments)
            .stdout(full)
            .output()
            .expect("the program runs");
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(
            told.contains("error: cannot write to standard output"),
            "{arguments:?}: {told}"
        );
    }
}

#[test]
fn a_net_is_told_in_the_words_of_its_recipe() {
    let lines = output(&["net", "info"]);
    for line in [
        "settings     first_activation = clippedrelu, later_activation = clippedrelu",
        "orientation  mover",
        "curve        { tanh = { scale = 300.0 } }",
    ] {
        assert!(lines.contains(&line.to_string()), "{line}: {lines:?}");
    }
}

#[test]
fn perft_counts_divides_and_verifies() {
    let last = |lines: Vec<String>| lines.last().cloned().unwrap_or_default();
    assert!(last(output(&["perft", "4"])).starts_with("197281 nodes "));
    assert!(last(output(&["perft", "4", "--threads", "2", "--hash", "1"])).starts_with("197281 nodes "));
    let divided = output(&["perft", "3", "--divide"]);
    assert_eq!(divided.len(), 21);
    assert!(divided.contains(&"e2e4: 600".to_string()));
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert!(last(output(&["perft", "3", "--fen", kiwipete])).starts_with("97862 nodes "));
    let folder = tempfile::tempdir().expect("a folder");
    let suite = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("a file");
        file.display().to_string()
    };
    let right = suite("right", &format!("{kiwipete} ;D1 48 ;D2 2039 ;D3 1\n"));
    assert!(last(output(&["perft", "--suite", &right, "--max-nodes", "0"])).contains("0 nodes"));
    let packed = suite("packed.epd.xz", "");
    let mut xz = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).expect("options");
    xz.write_all(format!("{kiwipete} ;D1 48 ;D2 2039\n").as_bytes())
        .expect("bytes");
    std::fs::write(&packed, xz.finish().expect("bytes")).expect("a file");
    assert!(
        last(output(&["perft", "--suite", &packed])).starts_with("2 counts of 1 positions agree: 2087 nodes")
    );
    let wrong = run(&["perft", "--suite", &right]);
    assert_eq!(wrong.status.code(), Some(2));
    let complaint = String::from_utf8(wrong.stderr).expect("text");
    assert!(
        complaint.contains("line 1") && complaint.contains("97862"),
        "{complaint}"
    );
}

#[test]
fn bench_ends_with_its_signature_and_repeats_it() {
    let nodes = |lines: Vec<String>| {
        let last = lines.last().cloned().unwrap_or_default();
        let words: Vec<String> = last.split(' ').map(str::to_string).collect();
        assert!(
            words.len() == 4 && words[1] == "nodes" && words[3] == "nps",
            "{last}"
        );
        assert!(words[2].parse::<u64>().is_ok(), "{last}");
        words[0].parse::<u64>().expect("a number of nodes")
    };
    let numbers: Vec<usize> = output(&["bench", "1"])
        .iter()
        .map_while(|line| line.split_whitespace().next()?.parse().ok())
        .collect();
    let positions = numbers.len() - 1;
    assert!(
        positions > 30 && numbers[..positions].iter().copied().eq(1..=positions),
        "{numbers:?}"
    );
    let first = nodes(output(&["bench", "2"]));
    assert!(first > 50);
    assert_eq!(first, nodes(output(&["bench", "2"])));
}

#[test]
fn every_instruction_set_searches_the_same_tree() {
    let mut counts = Vec::new();
    for set in ["scalar", "avx2", "avx512", "neon"] {
        let output = Command::new(env!("CARGO_BIN_EXE_enroc"))
            .args(["bench", "4"])
            .env("ENROC_SIMD", set)
            .output()
            .expect("the program starts");
        if output.status.success() {
            let text = String::from_utf8(output.stdout).expect("text");
            let last = text.lines().last().expect("a line");
            counts.push(last.split(' ').next().expect("a count").to_string());
        } else {
            // a set that this processor lacks is refused; the scalar code is everywhere
            assert!(
                set != "scalar" && String::from_utf8_lossy(&output.stderr).contains(set),
                "{output:?}"
            );
        }
    }
    assert!(
        counts.iter().all(|count| *count == counts[0] && count != "0"),
        "{counts:?}"
    );
}

#[test]
fn lines_that_cannot_be_explained_are_counted_and_the_others_answered() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_enroc"))
        .args(["explain", "-", "--json", "--nodes", "100"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(b"startpos\te2e5\nstartpos\te2e4\nnowhere\te2e4\n")
        .unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
    assert!(told.contains("line 1: ") && told.contains("line 3: "), "{told}");
    assert!(told.contains("error: 2 of 3 lines were refused"), "{told}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_explanation_says_more_only_when_asked_to() {
    let explain =
        |more: &[&str]| output(&[&["explain", "startpos", "e2e4", "--nodes", "1000"], more].concat());
    let (plain, all) = (explain(&[]), explain(&["--all"]));
    assert!(
        all.len() > plain.len() + 1 && all.starts_with(&plain),
        "{plain:?} {all:?}"
    );
}
