//! What a command writes takes the place of the old file at once, so that a command that is killed leaves the old one whole.
#![cfg(unix)]

use std::fs;
use std::process::Command;

const ROWS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,11,e2e4,l
4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1,12,e4d5,l
";

#[test]
fn old_files_are_replaced_and_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("rows.csv"), ROWS).unwrap();
    fs::write(path("game.pgn"), "1. e4 e5 *\n").unwrap();
    let run = |arguments: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_enroc"))
            .current_dir(folder.path())
            .args(arguments.split(' '))
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments}: {output:?}");
    };
    run("data import rows.csv --out shards");
    for (arguments, written) in [
        ("data export shards --out out.csv", "out.csv"),
        (
            "data openings book.epd --count 2 --nodes 50 --ahead 0-1000",
            "book.epd",
        ),
        ("net eval rows.csv --part training --raw raw.csv", "raw.csv"),
        ("net export mlp --onnx net.onnx", "net.onnx"),
        ("annotate game.pgn --out out.pgn --nodes 200", "out.pgn"),
        ("annotate game.pgn --out page.pgn --nodes 200", "page.html"),
        ("compare mlp@0 --limit 3 --out compared", "compared/report.html"),
    ] {
        let (file, link) = (path(written), path("link"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "old").unwrap();
        // another name of the old file shows what becomes of its contents
        fs::hard_link(&file, &link).unwrap();
        run(arguments);
        assert_eq!(fs::read_to_string(&link).unwrap(), "old", "{written}");
        assert_ne!(fs::read(&file).unwrap(), b"old", "{written}");
        fs::remove_file(link).unwrap();
    }
}
