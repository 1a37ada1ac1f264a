//! A small training from the command line, of a net that learns what material is worth.

use enroc::board::{Color, Move, PieceType, Position};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;
use tempfile::TempDir;

/// What material is worth here; the net has to find that out.
const VALUES: [(PieceType, i32); 5] = [
    (PieceType::Pawn, 100),
    (PieceType::Knight, 300),
    (PieceType::Bishop, 300),
    (PieceType::Rook, 500),
    (PieceType::Queen, 900),
];

pub fn material(position: &Position) -> i32 {
    let count = |color, kind| position.pieces(color, kind).count() as i32;
    VALUES
        .iter()
        .map(|&(kind, value)| value * (count(Color::White, kind) - count(Color::Black, kind)))
        .sum()
}

/// Plays pseudo-random games and shows each move, with its ply and the positions before and after it.
pub fn play(games: u64, mut show: impl FnMut(usize, Move, &Position, &Position)) {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..games {
        let mut position = Position::default();
        for ply in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // xorshift
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let chosen = moves[(state % moves.len() as u64) as usize];
            let next = position.after(chosen);
            show(ply, chosen, &position, &next);
            position = next;
        }
    }
}

/// Labelled rows from games, each a group of its own.
fn rows(games: u64) -> String {
    let mut rows = String::new();
    play(games, |ply, chosen, position, _| {
        if ply >= 8 {
            let origin = if ply == 8 { 0 } else { 1 };
            let (fen, best) = (position.to_fen(false), chosen.to_uci(false));
            writeln!(rows, "{fen},{},{best},r{origin}", material(position)).unwrap();
        }
    });
    rows
}

/// A folder with data and a recipe for this many positions.
pub fn workplace(positions: u64, extra: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rows.csv"), rows(400)).unwrap();
    let recipe = format!(
        r#"
        name = "small"
        [net]
        layout = "2x774-16-8-1x8"
        first_activation = "squaredclippedrelu"
        orientation = "mover"
        curve = {{ tanh = {{ scale = 800.0 }} }}
        clip = [1.5]
        [data]
        description = "material in random games"
        files = ["rows.csv"]
        selection = {{ split = {{ seed = 1, validation = 0.1, test = 0.1 }}, filter = {{ in_check = true }} }}
        [schedule]
        positions = {positions}
        warm_up = 3200
        batch = 64
        seed = 5
        measure_every = 12800
        {extra}
        [optimizer]
        rate = 4e-3
        decay = 0.01
        "#
    );
    std::fs::write(folder.path().join("recipe.toml"), recipe).unwrap();
    folder
}

pub fn train(folder: &Path, out: &str, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_enroc"));
    command
        .current_dir(folder)
        .args(["train", "recipe.toml", "--device", "cpu", "--out", out])
        .args(flags)
        .stdin(std::process::Stdio::null());
    command
}

pub fn succeed(mut command: Command) -> Output {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Refused with code 2 and one line that says this.
pub fn fail(mut command: Command, part: &str) {
    let output = command.output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains(part), "{message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
}

/// Starts a training and kills it when `is_time`, which must come before it ends; `meanwhile` is run before the kill.
pub fn killed(mut command: Command, is_time: impl Fn() -> bool, meanwhile: impl FnOnce()) {
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    while !is_time() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before it was killed"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    meanwhile();
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The one net in a folder, and its contents.
pub fn net_in(folder: &Path) -> (PathBuf, Vec<u8>) {
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut nets: Vec<PathBuf> = files.filter(|path| path.extension().is_some()).collect();
    assert_eq!(nets.len(), 1, "{nets:?}");
    let path = nets.remove(0);
    let contents = std::fs::read(&path).unwrap();
    (path, contents)
}

/// Makes the rows of a workplace a folder of shards.
pub fn import_shards(folder: &Path) {
    let mut import = Command::new(env!("CARGO_BIN_EXE_enroc"));
    import.current_dir(folder).args([
        "data",
        "import",
        "rows.csv",
        "--out",
        "shards",
        "--shard-records",
        "4000",
    ]);
    succeed(import);
}
