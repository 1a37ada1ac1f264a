//! What one part writes, the others read.

use enroc::annotate::{Event, Settings, Texts, annotate, input};
use enroc::board::pgn::{self, Detail, PgnGame};
use enroc::board::{GameResult, Position};
use enroc::compare::play::game::{Played, Reason};
use enroc::data::formats::games::{GameReader, GameSettings};
use enroc::data::formats::pgn::GameFile;
use enroc::engine::options::EngineOptions;
use enroc::explain::words::{Language, Notation, Writer};
use proptest::prelude::*;
use std::path::Path;

/// The main lines of a file, in UCI's notation, by each reader.
fn by_all(path: &Path) -> Vec<Vec<Vec<String>>> {
    let mut written = Vec::new();
    GameFile::open(path, Detail::All)
        .unwrap()
        .read(&mut written, usize::MAX)
        .unwrap();
    let by_file = written.iter().map(|game| {
        let (tree, faults) = game.tree(usize::MAX);
        assert_eq!(faults, [], "{}", std::fs::read_to_string(path).unwrap());
        main_line(&tree)
    });
    let text = std::fs::read_to_string(path).unwrap();
    let by_board = pgn::read(&text).into_iter().map(|(game, problems)| {
        assert_eq!(problems, [], "{text}");
        main_line(&game)
    });
    let by_annotate = input::read(path).unwrap().into_iter().flatten().map(|game| {
        assert_eq!(game.losses, []);
        game.moves.iter().map(|m| m.to_uci(true)).collect()
    });
    let mut reader = GameReader::open(
        path,
        GameSettings {
            skip_plies: 0,
            ..GameSettings::default()
        },
    )
    .unwrap();
    let mut records = Vec::new();
    while reader.read(&mut records).unwrap() {}
    assert_eq!(reader.losses().lines(), [""; 0]);
    vec![by_file.collect(), by_board.collect(), by_annotate.collect()]
}

fn main_line(game: &PgnGame) -> Vec<String> {
    let first = |node: Option<usize>| game.children(node).next();
    let nodes = std::iter::successors(first(None), |&node| first(Some(node)));
    nodes
        .filter_map(|node| Some(game.nodes[node].m?.to_uci(true)))
        .collect()
}

const WORDS: &[&str] = &[
    "93",
    "%",
    "% of it",
    "[%eval 0.35]",
    "[Event \"x\"]",
    "; so",
    "{",
    "}",
    "(1. d4)",
    "1-0",
    "e4",
    "Müller",
    "½",
    "it allows a pawn to be won",
    "\"quoted\"",
    "\\",
    "$5",
    "<br>",
    "--",
    "*",
    "\u{a0}",
    "[%cal Ge2e4]",
];

/// A game with variations and comments that these numbers choose.
fn game(start: &str, choices: &[u16]) -> PgnGame {
    let mut game = PgnGame::new(Position::from_fen(start).unwrap());
    game.tags.push((
        "White".to_string(),
        WORDS[usize::from(choices[0]) % WORDS.len()].repeat(3),
    ));
    let mut last = None;
    for choice in choices.chunks_exact(3) {
        let [m, kind, word] = [choice[0], choice[1], choice[2]].map(usize::from);
        // most moves go on, some are others at the same place
        let parent = match (kind % 5, last) {
            (0, Some(node)) => game.nodes[node].parent,
            _ => last,
        };
        let is_variation = parent != last;
        let position = *game.position(parent);
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let passes = is_variation && kind % 3 == 0 && !position.in_check();
        let m = (!passes).then(|| moves[m % moves.len()]);
        let node = game.add(parent, m);
        if kind % 2 == 0 {
            let words: Vec<&str> = (0..1 + word % 30)
                .map(|n| WORDS[(word + n * 7) % WORDS.len()])
                .collect();
            game.nodes[node].comment = Some(words.join(" "));
        }
        if kind % 7 == 0 {
            game.nodes[node].nags.push((word % 256) as u8);
        }
        if !is_variation {
            last = Some(node);
        }
    }
    game.result = GameResult::ALL[choices.len() % 4];
    game
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_the_board_writes_all_others_read(
        start in 0usize..3,
        choices in prop::collection::vec(0u16.., 3..300),
    ) {
        let start = [
            Position::START_FEN,
            "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 7 12",
        ][start];
        let game = game(start, &choices);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.pgn");
        let text = pgn::write(&game);
        // some readers skip such lines wherever they stand
        prop_assert!(text.lines().skip(7).all(|line| !line.starts_with('%')), "{text}");
        std::fs::write(&path, &text).unwrap();
        for lines in by_all(&path) {
            prop_assert_eq!(&lines[0], &main_line(&game), "{}", text);
        }
        let again = pgn::read(&text).remove(0).0;
        prop_assert_eq!(again.nodes.len(), game.nodes.len());
        prop_assert_eq!(pgn::write(&again), text);
    }
}

#[test]
fn what_a_match_writes_all_others_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.pgn");
    let (mut bytes, mut wanted) = (Vec::new(), Vec::new());
    for (round, start) in [
        Position::START_FEN,
        "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
    ]
    .iter()
    .enumerate()
    {
        let opening = Position::from_fen(start).unwrap();
        let played = |step: usize| {
            let (mut position, mut moves) = (opening, Vec::new());
            while moves.len() < 60 {
                let legal = position.legal_moves();
                let Some(&m) = legal.get((moves.len() * step) % legal.len().max(1)) else {
                    break;
                };
                position.make(m);
                moves.push(m);
            }
            Played {
                result: GameResult::Draw,
                reason: Reason::Decided,
                moves,
            }
        };
        let pair = [played(3), played(5)];
        wanted.extend(
            pair.iter()
                .map(|game| game.moves.iter().map(|m| m.to_uci(true)).collect::<Vec<_>>()),
        );
        enroc::compare::play::pgn::write(&mut bytes, round + 1, &opening, ["a \"x\" \\", "b"], &pair)
            .unwrap();
    }
    std::fs::write(&path, bytes).unwrap();
    for lines in by_all(&path) {
        assert_eq!(lines, wanted);
    }
}

/// Short games of every kind: their annotation has a line of accuracy with many signs of per cent.
const GAMES: &str = "[Event \"a\"]\n[White \"The \\\"Fool\\\"\"]\n[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
    [Event \"b\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2 1-0\n\n\
    [Variant \"Fischer Random\"]\n[FEN \"bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1\"]\n\n1. Ng3 Ng6 2. Qh1 Qh8 3. O-O *\n\n\
    [FEN \"4k3/8/8/8/8/8/4P3/4K2R w KQ - 0 1\"]\n\n1. O-O Ke7 2. Re1 Kd6 1/2\n\n";

#[test]
fn what_annotate_writes_in_every_language_all_others_read() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("games.pgn");
    std::fs::write(&source, GAMES).unwrap();
    let wanted: Vec<Vec<String>> = pgn::read(GAMES).iter().map(|(game, _)| main_line(game)).collect();
    for language in [Language::Catalan, Language::Spanish, Language::English] {
        let output = folder.path().join(format!("{}.pgn", language.tag()));
        let settings = Settings {
            input: source.clone(),
            output: output.clone(),
            nodes: 100,
            threads: 1,
            engine: EngineOptions::default(),
            restart: false,
        };
        let writer = Writer::new(language, Notation::default());
        let texts = Texts {
            language: language.tag(),
            explain: &|explanation| writer.explanation(explanation).summary.join(" "),
            moves: &|line| writer.moves(line),
            say: &|name, variables| writer.say(name, variables),
            player: &|color| writer.player(color),
            label: &|name| writer.label(name),
        };
        annotate(&settings, &texts, &|_: Event| {}).unwrap();
        let text = std::fs::read_to_string(&output).unwrap();
        assert!(
            text.contains('%') && text.lines().all(|line| !line.starts_with('%')),
            "{text}"
        );
        for lines in by_all(&output) {
            assert_eq!(lines, wanted, "{text}");
        }
        let results: Vec<GameResult> = pgn::read(&text).iter().map(|(game, _)| game.result).collect();
        let wanted: Vec<GameResult> = pgn::read(GAMES).iter().map(|(game, _)| game.result).collect();
        assert_eq!(results, wanted);
        // labels in comments that lines break are found
        let mut reader = GameReader::open(
            &output,
            GameSettings {
                skip_plies: 1,
                ..GameSettings::default()
            },
        )
        .unwrap();
        let mut records = Vec::new();
        while reader.read(&mut records).unwrap() {}
        assert!(records.iter().all(|record| record.label().is_some()), "{text}");
    }
}
