//! What a teacher leaves in shards: labels and hints of the positions that searches evaluate, and of those of the input.

use crate::slow::{Slow, synthetic};
use enroc::board::{Color, Position};
use enroc::data::formats::games::GameSettings;
use enroc::data::formats::source::{GroupSource, Groups};
use enroc::data::store::writer::{Opened, ShardWriter};
use enroc::data::{Hint, Label, NO_HINT, Part, Record, Split};
use enroc::labelling::teach;
use enroc::nets::teacher::Teacher;
use enroc::visits::{Drawing, Thinning, VisitSettings, visit};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SCALE: f64 = 1.3;

const SETTINGS: VisitSettings = VisitSettings {
    share: 1.0,
    most_start: None,
    nodes: 60,
    drawing: Drawing {
        one_in: 4,
        thin: None,
    },
    part: None,
    seed: 3,
};

/// Groups of some positions, of which some are in check; the fifth of a group has no label.
fn write_starts(path: &Path) {
    let mut rows = String::new();
    for number in 0..350 {
        let at = |file: usize, piece: &str| format!("{file}{piece}{}", 7 - file).replace('0', "");
        let (rank, side) = (at(number % 7, "P"), ["w", "b"][number / 7 % 2]);
        let (pawn, knight) = (at(number / 14 % 8, "p"), at(number / 112 % 4, "n"));
        let pieces = [
            ("8", "8"),
            ("R7", "4p3"),
            ("N7", "3np3"),
            ("1q6", "4p3"),
            ("8", "3rb3"),
        ];
        for (place, (white, black)) in pieces.into_iter().enumerate() {
            let fen = format!("4k3/{black}/8/{pawn}/{knight}/{rank}/{white}/2K1Q3 {side} - - 0 9");
            if Position::from_fen(&fen).is_ok() {
                let score = if place == 4 {
                    String::new()
                } else {
                    (20 * place).to_string()
                };
                rows += &format!("{fen},{score},,g{place}\n");
            }
        }
    }
    std::fs::write(path, rows).unwrap();
}

fn groups(source: &Path) -> Groups {
    Groups::new(vec![source.to_path_buf()], GameSettings::default())
}

fn writer(out: &Path) -> Box<ShardWriter> {
    match ShardWriter::open_with_hints(out, &json!("job"), 100_000).unwrap() {
        Opened::Ready(writer) => writer,
        Opened::Complete(_) => panic!("complete already"),
    }
}

type Group = Vec<(Record, Hint)>;

fn read(folder: &Path) -> Vec<Group> {
    let (mut source, mut group, mut found) = (groups(folder), Vec::new(), Vec::new());
    while source.next_group(&mut group).unwrap() {
        assert_eq!(group.len(), source.hints().len());
        found.push(
            group
                .iter()
                .copied()
                .zip(source.hints().iter().copied())
                .collect(),
        );
    }
    found
}

/// A folder with the starts, and a network.
struct Room {
    folder: tempfile::TempDir,
    starts: PathBuf,
    bytes: Vec<u8>,
    teacher: Teacher,
}

fn room() -> Room {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts.csv");
    write_starts(&starts);
    let bytes = synthetic(5);
    Room {
        folder,
        starts,
        teacher: crate::teacher(&bytes, SCALE),
        bytes,
    }
}

impl Room {
    fn visit(&self, name: &str, settings: &VisitSettings, threads: usize) -> Vec<Group> {
        let out = self.folder.path().join(name);
        let mut writer = writer(&out);
        let mut starts = groups(&self.starts);
        let teacher = Some(&self.teacher);
        visit(&mut starts, settings, teacher, threads, &mut writer, &mut |_| {}).unwrap();
        writer.finish(Vec::new()).unwrap();
        read(&out)
    }

    /// Whether label and hint are what the file's numbers make them.
    fn check(&self, record: &Record, hint: &Hint) {
        let position = record.check().unwrap();
        let (piece_square, positional, sums) = Slow(&self.bytes).verdict(&position);
        let centipawns = |value: i64| value as f64 / 16.0 / 3.61 * SCALE;
        let score = centipawns(piece_square + positional)
            .round()
            .clamp(-20_000.0, 20_000.0) as i32;
        let white = position.side_to_move() == Color::White;
        let label = Label::centipawns(if white { score } else { -score });
        assert_eq!(record.label(), Some(label));
        for (sum, number) in sums[..15].iter().zip(hint) {
            assert_eq!((f64::from(*sum) / 8_128.0 * 1_024.0).round() as i16, *number);
        }
        let straight = i64::from(sums[15]) * 9_600 / 8_128 + piece_square;
        let expected = (centipawns(straight) / 300.0 * 1_024.0).clamp(-32_767.0, 32_767.0);
        assert_eq!(expected.round() as i16, hint[15]);
    }
}

#[test]
fn visited_positions_have_the_labels_and_hints_of_the_file() {
    let room = room();
    let found = room.visit("one", &SETTINGS, 1);
    assert!(found.len() > 128, "several parts: {}", found.len());
    let all: Vec<_> = found.iter().flatten().collect();
    assert!(all.len() > 2_000, "{}", all.len());
    for (record, hint) in all.iter().step_by(29) {
        room.check(record, hint);
        assert!(!record.in_check() && record.best().is_none());
    }
    assert_eq!(found, room.visit("three", &SETTINGS, 3));
    // a run without a teacher evaluates other positions, and labels none
    let out = room.folder.path().join("bare");
    let mut writer = writer(&out);
    visit(
        &mut groups(&room.starts),
        &SETTINGS,
        None,
        1,
        &mut writer,
        &mut |_| {},
    )
    .unwrap();
    writer.finish(Vec::new()).unwrap();
    let bare = read(&out);
    assert!(
        bare.iter()
            .flatten()
            .all(|(record, hint)| record.label().is_none() && *hint == NO_HINT)
    );
}

#[test]
fn decided_positions_are_thinned() {
    let room = room();
    let count = |groups: &[Group], beyond: bool| {
        let records = groups.iter().flatten().map(|(record, _)| record.score().unwrap());
        records
            .filter(|score| (score.unsigned_abs() > 600) == beyond)
            .count() as f64
    };
    let all = room.visit("all", &SETTINGS, 1);
    let mut settings = SETTINGS;
    settings.drawing.thin = Some(Thinning {
        beyond: 600,
        one_in: 4,
    });
    let few = room.visit("few", &settings, 1);
    let share = |beyond| count(&few, beyond) / count(&all, beyond);
    assert!(count(&all, true) > 500.0 && count(&all, false) > 200.0);
    assert!((0.18..0.32).contains(&share(true)), "{}", share(true));
    assert!((0.9..1.1).contains(&share(false)), "{}", share(false));
}

#[test]
fn a_part_of_the_games_is_the_part_of_a_training() {
    let room = room();
    // every search keeps something
    let mut settings = SETTINGS;
    settings.drawing.one_in = 1;
    let all = room.visit("all", &settings, 2).len();
    let mut searched = Vec::new();
    for part in Part::ALL {
        settings.part = Some(part);
        searched.push(room.visit(&format!("{part:?}"), &settings, 2).len());
    }
    assert_eq!(searched.iter().sum::<usize>(), all);
    let (mut source, mut group, mut expected) = (groups(&room.starts), Vec::new(), [0; 3]);
    while source.next_group(&mut group).unwrap() {
        let plays = |record: &&Record| !record.position().unwrap().legal_moves().is_empty();
        expected[Split::default().part(&group[0]) as usize] += group.iter().filter(plays).count();
    }
    assert_eq!(searched, expected);
    assert!(expected[1] + expected[2] > 0, "{expected:?}");
}

#[test]
fn the_input_is_labelled_in_place() {
    let room = room();
    for again in [true, false] {
        let out = room.folder.path().join(format!("{again}"));
        let mut writer = writer(&out);
        // what an earlier run has dealt with is not done again
        writer.append(&[]).unwrap();
        let mut told = Vec::new();
        let labelled = teach(
            &mut groups(&room.starts),
            &room.teacher,
            again,
            &mut writer,
            &mut |so_far| told.push(so_far),
        )
        .unwrap();
        assert_eq!(
            told,
            [labelled],
            "so few groups are shared out among the cores at once"
        );
        writer.finish(Vec::new()).unwrap();
        let (found, mut source, mut group) = (read(&out), groups(&room.starts), Vec::new());
        assert!(source.next_group(&mut group).unwrap());
        let (mut taught, mut bare) = (0, 0);
        for found in found {
            assert!(source.next_group(&mut group).unwrap());
            assert_eq!(found[0].0.hash(), group[0].hash(), "the first decides the part");
            for (record, hint) in found {
                let before = group
                    .iter()
                    .find(|before| before.hash() == record.hash())
                    .unwrap();
                if record.label().is_none() {
                    assert_eq!(hint, NO_HINT);
                    bare += 1;
                } else if hint == NO_HINT {
                    assert_eq!((record, again), (*before, false));
                } else {
                    room.check(&record, &hint);
                    assert!(!record.in_check() && (again || before.label().is_none()));
                    taught += 1;
                }
            }
        }
        assert_eq!(taught, labelled);
        assert!(taught > 10 && (bare > 0) == again, "{taught} {bare}");
    }
}

/// The program, in the folder of a room.
fn enroc(room: &Room, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_enroc"))
        .current_dir(room.folder.path())
        .arg("data")
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn the_commands_use_the_scale_and_label_again_only_when_told_to() {
    let room = room();
    std::fs::write(room.folder.path().join("teacher.nnue"), &room.bytes).unwrap();
    let scale = SCALE.to_string();
    let begin = |command: &'static str, out: &'static str| {
        vec![
            command,
            "starts.csv",
            "--out",
            out,
            "--teacher",
            "teacher.nnue",
            "--scale",
            &scale,
        ]
    };
    let label = |out: &'static str, more: &[&'static str]| [&begin("label", out)[..], more].concat();
    let taught = |arguments: &[&str]| -> Vec<(Record, Hint)> {
        let output = enroc(&room, arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        let found = read(&room.folder.path().join(arguments[3])).concat();
        found.into_iter().filter(|(_, hint)| *hint != NO_HINT).collect()
    };
    let [new, all] = [label("new", &[]), label("all", &["--again"])].map(|arguments| taught(&arguments));
    assert!(
        !new.is_empty() && new.len() < all.len() / 2,
        "{} of {}",
        new.len(),
        all.len()
    );
    let visited = taught(
        &[
            &begin("visit", "visited")[..],
            &["--nodes", "20", "--share", "0.2"],
        ]
        .concat(),
    );
    assert!(!visited.is_empty());
    for (record, hint) in new.iter().chain(&all).chain(&visited).step_by(7) {
        room.check(record, hint);
    }
    // what was labelled in another way is not mixed with it
    for other in [
        label("new", &["--again"]),
        label("new", &[])
            .into_iter()
            .map(|word| if word == scale { "1" } else { word })
            .collect(),
    ] {
        let refused = enroc(&room, &other);
        assert_eq!(refused.status.code(), Some(2), "{other:?}");
        assert!(
            String::from_utf8_lossy(&refused.stderr).contains("--restart"),
            "{refused:?}"
        );
    }
}
