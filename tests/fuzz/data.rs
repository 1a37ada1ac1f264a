//! Files of positions in text and in viriformat: every record that is read is whole, and there are no more of them than
//! bytes.

use crate::board::FENS;
use crate::mutation::{Input, Mutations};
use crate::pgn::{GAMES, WORDS};
use crate::target::fuzz;
use enroc::board::{GameResult, Position};
use enroc::data::formats::export_report::ExportReport;
use enroc::data::formats::games::GameSettings;
use enroc::data::formats::source::{GroupSource, Groups};
use enroc::data::formats::viriformat::write_games;
use enroc::data::{DataError, Label, Origin, Record};
use std::path::Path;
use tempfile::TempDir;

/// A file that is written again for each input.
pub struct Room {
    folder: TempDir,
    name: &'static str,
}

impl Room {
    pub fn new(name: &'static str) -> Room {
        Room {
            folder: tempfile::tempdir().expect("a folder"),
            name,
        }
    }

    /// Reads the input as a file of this name and checks what is in it; whether there is anything.
    pub fn check(&self, input: &Input) -> bool {
        let path = self.folder.path().join(self.name);
        std::fs::write(&path, &input.bytes).expect("a file");
        let records = check_file(&path);
        assert!(records <= input.bytes.len());
        records > 0
    }
}

/// Reads a file and checks what is in it, or why it is refused; the number of its records.
pub fn check_file(path: &Path) -> usize {
    match read(path) {
        Ok(records) => {
            check_records(&records);
            records.len()
        }
        Err(error) => {
            let line = error.to_string();
            assert!(!line.contains('\n'), "{line}");
            0
        }
    }
}

/// All records of a file, group by group.
pub fn read(path: &Path) -> Result<Vec<Record>, DataError> {
    let games = GameSettings {
        skip_plies: 0,
        ..GameSettings::default()
    };
    let mut groups = Groups::new(vec![path.to_path_buf()], games);
    let (mut records, mut group) = (Vec::new(), Vec::new());
    while groups.next_group(&mut group)? {
        assert!(!group.is_empty() && group[1..].iter().all(|record| !record.starts_group()));
        records.append(&mut group);
    }
    Ok(records)
}

/// A record is a legal position with a legal move and a score that means something; it survives its bytes and mirrors.
pub fn check_records(records: &[Record]) {
    for record in records {
        record.check().expect("a whole record");
        assert_eq!(Record::from_bytes(&record.to_bytes()), *record);
        record.flipped().check().expect("a whole record, flipped");
        assert_eq!(record.flipped().flipped(), *record);
        if let Some(mirrored) = record.mirrored() {
            mirrored.check().expect("a whole record, mirrored");
        }
    }
}

const LISTS: &[&str] = &[
    "r1bq1bnr/p1pppkpp/2n2p2/1p6/2PP4/4PNP1/PP3P1P/RNBQKB1R b KQ - 0 5\n# a remark\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \
     \"3 17\";\n",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 | -35 | 0.5\n8/8/8/8/8/5k2/8/4K2R b K - 7 9 | 31997 | 1.0\n",
];

/// EPD, FEN, and bullet's text.
#[test]
fn epd() {
    let room = Room::new("list.epd");
    fuzz(
        room.name,
        2_500,
        Mutations::of_texts(
            LISTS,
            &[
                " | ", "|", " | 1.0", "\n", "\r\n", ";", "\"", "#", " w ", " b ", "KQkq", "e3", "\0",
                "\u{feff}", "é",
            ],
        ),
        |input| room.check(input),
    );
}

const ROWS: &[&str] = &[
    "fen,score,bestmove,origin,result\nr1bq1bnr/p1pppkpp/2n2p2/1p6/2PP4/4PNP1/PP3P1P/RNBQKB1R b KQ - 0 \
     5,-35,b5c4,r0,1-0\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,#3,e2e4,r1,1/2-1/2\n8/8/8/8/8/5k2/8/4K2R w K - 7 9,,e1h1,g\n",
    "\"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1\",\"#-4\",\"g2h1q\",\"s\"\nbnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w \
     FCfc - 0 1,30000,,l,*\n",
];

#[test]
fn csv() {
    let room = Room::new("rows.csv");
    fuzz(
        room.name,
        2_000,
        Mutations::of_texts(
            ROWS,
            &[
                ",",
                "\"",
                "\n",
                "\r\n",
                "#",
                "#-1",
                "r0",
                "r1",
                "g",
                "g1",
                "s",
                "l",
                "1-0",
                "*",
                "# labels:",
                "fen,",
                "\0",
                "é",
            ],
        ),
        |input| room.check(input),
    );
}

const EVALUATIONS: &[&str] = &[
    "{\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\",\"evals\":[{\"pvs\":[{\"cp\":-3,\"line\":\"e2e4 \
     e7e5\"},{\"cp\":9,\"line\":\"b2b4\"}],\"knodes\":60,\"depth\":31},{\"pvs\":[],\"knodes\":9,\"depth\":99}]}\n",
    "{\"evals\":[{\"depth\":9,\"x\":[{}],\"knodes\":1,\"pvs\":[{\"mate\":-4,\"line\":\"e8h8\"}]}],\"fen\":\
     \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq -\"}\n",
];

#[test]
fn jsonl() {
    let room = Room::new("evaluations.jsonl");
    fuzz(
        room.name,
        2_500,
        Mutations::of_texts(
            EVALUATIONS,
            &[
                "{",
                "}",
                "[",
                "]",
                "[[[[",
                "\"",
                ":",
                ",",
                "null",
                "true",
                "\\u0000",
                "\\ud800",
                "\\/",
                "\"cp\":1",
                "\"mate\":0",
                "\"line\":\"e2e4\"",
                "\n",
                "1e5",
            ],
        ),
        |input| room.check(input),
    );
}

/// PGN as a source of positions; its games may be thousands.
#[test]
fn games() {
    let room = Room::new("games.pgn");
    fuzz(room.name, 2_500, Mutations::of_texts(GAMES, WORDS), |input| {
        room.check(input)
    });
}

#[test]
fn viriformat() {
    let room = Room::new("games.vf");
    let all = viriformat_games();
    let mut seeds: Vec<Vec<u8>> = all.chunks(1).map(<[_]>::concat).collect();
    seeds.push(all.concat());
    fuzz(
        room.name,
        2_000,
        Mutations::of_files(seeds, &["\0\0\0\0", "\0"]),
        |input| room.check(input),
    );
}

/// A game from each of the positions, of moves that are drawn anyhow.
fn viriformat_games() -> Vec<Vec<u8>> {
    let starts = FENS.iter().filter_map(|fen| Position::from_fen(fen).ok());
    starts
        .map(|start| {
            let (mut bytes, mut report) = (Vec::new(), ExportReport::default());
            write_games(game_from(start).iter(), &mut bytes, &mut report);
            bytes
        })
        .collect()
}

/// The records of a game from here.
pub fn game_from(start: Position) -> Vec<Record> {
    let mut position = start;
    let mut records = Vec::new();
    for ply in 0..30 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let played = moves[(ply * 7 + 3) % moves.len()];
        let record = Record::new(&position)
            .with_label(Label::centipawns(ply as i32 * 11 - 100))
            .with_best(played)
            .with_result(GameResult::WhiteWins)
            .with_origin(Origin::Play)
            .with_group_start(ply == 0);
        records.push(record);
        position.play(played);
    }
    records
}
