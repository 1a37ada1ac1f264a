//! The files of `cases.jsonl`, which `make_cases.py` makes with python-chess, by everyone who reads games.

use enroc::annotate::input;
use enroc::board::pgn::{self, Detail, PgnGame};
use enroc::compare::set::Set;
use enroc::compare::set::sample::SampleSettings;
use enroc::data::formats::games::{GameReader, GameSettings};
use enroc::data::formats::pgn::GameFile;
use enroc::data::formats::text;
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Case {
    name: String,
    bytes: String,
    python: Vec<Expected>,
    ours: Option<Vec<Expected>>,
    why: Option<String>,
    labels: Option<Vec<Vec<Option<String>>>>,
    faults: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
struct Expected {
    tree: String,
    result: String,
    #[serde(default)]
    plies: usize,
    #[serde(default)]
    labels: Vec<Option<String>>,
}

impl Case {
    fn expected(&self) -> &[Expected] {
        self.ours.as_ref().unwrap_or(&self.python)
    }

    fn labels(&self) -> Vec<Vec<Option<String>>> {
        let expected = || self.expected().iter().map(|game| game.labels.clone()).collect();
        self.labels.clone().unwrap_or_else(expected)
    }
}

/// The cases, each with its file.
fn cases(folder: &Path) -> Vec<(Case, PathBuf)> {
    let lines = include_str!("cases.jsonl").lines();
    let read = |(number, line)| {
        let case: Case = serde_json::from_str(line).expect("a case");
        let bytes: Vec<u8> = case.bytes.chars().map(|c| c as u8).collect();
        let path = folder.join(format!("{number}.pgn"));
        std::fs::write(&path, bytes).expect("a file");
        (case, path)
    };
    lines.enumerate().map(read).collect()
}

/// A game as `make_cases.py` writes it.
fn tree(game: &PgnGame) -> String {
    let mut words = Vec::new();
    let comment = |words: &mut Vec<String>, text: &Option<String>| {
        words.extend(text.iter().map(|text| format!("{{{text}}}")));
    };
    let add = |words: &mut Vec<String>, node: usize| {
        comment(words, &game.nodes[node].before);
        words.push(game.san(node));
        comment(words, &game.nodes[node].comment);
    };
    fn line(
        game: &PgnGame,
        mut node: Option<usize>,
        words: &mut Vec<String>,
        add: &dyn Fn(&mut Vec<String>, usize),
    ) {
        loop {
            let children: Vec<usize> = game.children(node).collect();
            let Some((&first, others)) = children.split_first() else {
                return;
            };
            add(words, first);
            for &other in others {
                words.push("(".to_string());
                add(words, other);
                line(game, Some(other), words, add);
                words.push(")".to_string());
            }
            node = Some(first);
        }
    }
    comment(&mut words, &game.comment);
    line(game, None, &mut words, &add);
    words.join(" ")
}

fn main_line(game: &PgnGame) -> Vec<usize> {
    let first = |node: Option<usize>| game.children(node).next();
    std::iter::successors(first(None), |&node| first(Some(node))).collect()
}

/// Compares the trees of a case; what differs, in words.
fn differences(case: &Case, games: &[PgnGame]) -> Option<String> {
    let wanted: Vec<(String, &str, usize)> = case
        .expected()
        .iter()
        .map(|game| (game.tree.clone(), game.result.as_str(), game.plies))
        .collect();
    let found: Vec<(String, &str, usize)> = games
        .iter()
        .map(|game| (tree(game), game.result.to_pgn(), main_line(game).len()))
        .collect();
    (wanted != found).then(|| format!("{}\n  wanted {wanted:?}\n  found  {found:?}", case.name))
}

fn all_agree(faults: Vec<Option<String>>) {
    let count = faults.len();
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    assert!(count > 200, "{count} cases");
    assert!(
        faults.is_empty(),
        "{} of {count}:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn every_difference_from_python_chess_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    for (case, _) in cases(folder.path()) {
        assert_eq!(
            case.ours.is_some(),
            case.why.as_ref().is_some_and(|why| !why.is_empty()),
            "{}",
            case.name
        );
    }
}

#[test]
fn the_reader_of_files_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let read = |(case, path): &(Case, PathBuf)| {
        let mut written = Vec::new();
        let mut file = GameFile::open(path, Detail::All).unwrap();
        file.read(&mut written, usize::MAX).unwrap();
        let games = written.iter().filter(|game| !game.is_empty());
        let games: Vec<PgnGame> = games.map(|game| game.tree(usize::MAX).0).collect();
        differences(case, &games)
    };
    all_agree(cases(folder.path()).iter().map(read).collect());
}

#[test]
fn the_board_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let read = |(case, path): &(Case, PathBuf)| {
        let text = text::read(path).unwrap();
        let games = pgn::read(&text).into_iter().map(|(game, _)| game);
        let games: Vec<PgnGame> = games
            .filter(|game| !game.tags.is_empty() || !game.nodes.is_empty())
            .collect();
        differences(case, &games)
    };
    all_agree(cases(folder.path()).iter().map(read).collect());
}

#[test]
fn the_data_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let settings = GameSettings {
        skip_plies: 1,
        ..GameSettings::default()
    };
    let read = |(case, path): &(Case, PathBuf)| {
        let mut reader = GameReader::open(path, settings).unwrap();
        let mut records = Vec::new();
        while reader.read(&mut records).unwrap() {}
        let played = case
            .expected()
            .iter()
            .zip(case.labels())
            .filter(|(game, _)| game.plies > 0);
        let wanted = played.flat_map(|(game, mut labels)| {
            labels.resize(game.plies, None);
            // a mate leaves no move to choose
            let is_mate = game.tree.split_whitespace().any(|word| word.ends_with('#'));
            labels.truncate(game.plies - usize::from(is_mate && !game.tree.contains("e5#")));
            labels.into_iter().map(|label| (game.result.clone(), label))
        });
        let wanted: Vec<(String, Option<String>)> = wanted.collect();
        let found: Vec<(String, Option<String>)> = records
            .iter()
            .map(|record| {
                assert!(record.check().is_ok(), "{}", case.name);
                let label = record.label().map(|label| label.to_string());
                (record.result().to_pgn().to_string(), label)
            })
            .collect();
        let lines = reader.losses().lines().join("\n");
        let missing = case
            .faults
            .iter()
            .flatten()
            .find(|fault| !lines.contains(fault.as_str()));
        if let Some(fault) = missing {
            return Some(format!("{}: no '{fault}' in {lines}", case.name));
        }
        (wanted != found).then(|| format!("{}\n  wanted {wanted:?}\n  found  {found:?}", case.name))
    };
    all_agree(cases(folder.path()).iter().map(read).collect());
}

#[test]
fn the_annotation_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let read = |(case, path): &(Case, PathBuf)| {
        let games = input::read(path).unwrap();
        let wanted: Vec<(usize, String)> = case
            .expected()
            .iter()
            .map(|game| (game.plies, game.result.clone()))
            .collect();
        let found: Vec<(usize, String)> = games
            .iter()
            .zip(&wanted)
            .map(|(game, wanted)| match game {
                Ok(game) => (game.moves.len(), game.result.to_pgn().to_string()),
                // a game without moves is named, and left out
                Err(_) => (0, wanted.1.clone()),
            })
            .collect();
        (wanted != found || games.len() != wanted.len())
            .then(|| format!("{}\n  wanted {wanted:?}\n  found  {found:?}", case.name))
    };
    all_agree(cases(folder.path()).iter().map(read).collect());
}

#[test]
fn the_comparison_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let settings = SampleSettings {
        random_share: 0.0,
        ..SampleSettings::default()
    };
    let read = |(case, path): &(Case, PathBuf)| {
        // positions are drawn from the sixteenth ply on
        let long = case.expected().iter().filter(|game| game.plies >= 16).count();
        let found = Set::read_all(std::slice::from_ref(path), &settings, &mut |_| {});
        let found = found.map_or(0, |set| set.cases.len());
        ((found > 0) != (long > 0) || found > long).then(|| format!("{}: {found} of {long}", case.name))
    };
    all_agree(cases(folder.path()).iter().map(read).collect());
}
