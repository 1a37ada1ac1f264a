//! The files that positions are read from, and the set that is built in.

use super::case::Set;
use super::sample::SampleSettings;
use super::{Tell, epd, sample, thesis_table};
use crate::compare::error::CompareError;
use crate::data::formats::text::{self, kind};
use std::path::{Path, PathBuf};

/// The set that is compared on when none is named.
const DEFAULT: &str = "masters";

/// The sets that are built into the program, with an engine's score of every legal move: their names, and the texts of
/// the files that they hold.
const BUILT_IN: &[(&str, &[&str])] = &[
    (DEFAULT, &[include_str!("../../../positions/compare-500.csv")]),
    // the same positions by another referee
    (
        "stockfish-19",
        &[include_str!("../../../positions/compare-500-stockfish-19.csv")],
    ),
];

impl Set {
    /// The set that is compared on when none is named.
    ///
    /// # Errors
    /// None in a program that passed its tests.
    pub fn built_in() -> Result<Set, CompareError> {
        Set::named(Path::new(DEFAULT)).unwrap_or(Err(CompareError::Empty))
    }

    /// The built-in set of that name, if there is one; a file of that name hides it.
    fn named(path: &Path) -> Option<Result<Set, CompareError>> {
        let name = path.to_str().filter(|_| !path.exists())?;
        let (_, texts) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        let read = |text: &&str| Set::from_csv(path, text);
        let sets: Result<Vec<Set>, CompareError> = texts.iter().map(read).collect();
        Some(sets.map(|sets| {
            Set {
                labelled_by: sets
                    .first()
                    .map(|set| set.labelled_by.clone())
                    .unwrap_or_default(),
                cases: sets.into_iter().flat_map(|set| set.cases).collect(),
                recorded: Vec::new(),
            }
        }))
    }

    /// Reads several files as one set; from games, positions are drawn. `tell` hears of lines that are skipped.
    ///
    /// # Errors
    /// [`CompareError`] names the file and the line that cannot be used, or the file that cannot be joined with the others.
    pub fn read_all(paths: &[PathBuf], settings: &SampleSettings, tell: Tell) -> Result<Set, CompareError> {
        let paths = &files_in(paths)?;
        let games = paths.iter().filter(|path| kind(path) == "pgn").count();
        if games == paths.len() {
            let cases = sample::from_games(paths, settings, tell)?;
            return Ok(Set {
                cases,
                ..Set::default()
            });
        }
        let mut all: Option<Set> = None;
        for path in paths {
            let set = Set::read(path, tell)?;
            all = Some(match all {
                None => set,
                Some(mut all) => {
                    if all.labelled_by != set.labelled_by
                        || !all.recorded.is_empty()
                        || !set.recorded.is_empty()
                    {
                        let reason = "it cannot be joined with the files before it: compare on it alone";
                        return Err(CompareError::file(path, reason));
                    }
                    all.cases.extend(set.cases);
                    all
                }
            });
        }
        all.filter(|set| !set.cases.is_empty()).ok_or(CompareError::Empty)
    }

    /// Reads a built-in set by its name, or a file: `.csv` with labels, `.tsv` like the thesis's table, `.fen`, `.epd` or
    /// `.txt` with one position a line. `tell` hears of lines of the last three that are skipped.
    ///
    /// # Errors
    /// [`CompareError`] names the file and the line that cannot be used.
    pub fn read(path: &Path, tell: Tell) -> Result<Set, CompareError> {
        if let Some(set) = Set::named(path) {
            return set;
        }
        let read = || text::read(path).map_err(CompareError::from);
        match kind(path).as_str() {
            "csv" => Set::from_csv(path, &read()?),
            "tsv" => thesis_table::read(path, &read()?),
            "epd" | "fen" | "txt" => epd::read(path, &read()?, tell),
            "pgn" => Err(CompareError::file(path, "games cannot be mixed with positions")),
            _ => {
                let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
                let known = format!(
                    "positions are read from .csv, .tsv, .epd, .fen, .txt and .pgn; built in: {}",
                    names.join(", ")
                );
                Err(CompareError::file(path, known))
            }
        }
    }
}

/// The files, with the games that lie in a folder in its place, in the order of their names.
fn files_in(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CompareError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(|error| CompareError::file(path, error))?;
        let mut games: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| kind(path) == "pgn")
            .collect();
        games.sort();
        if games.is_empty() {
            return Err(CompareError::file(path, "the folder holds no .pgn"));
        }
        files.extend(games);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{GameResult, Phase};
    use crate::compare::set::Case;
    use std::collections::HashSet;

    #[test]
    fn built_in_sets_have_names_that_files_may_hide() {
        let read = |path: &Path| Set::read(path, &mut |_| {});
        let named = read(Path::new(DEFAULT)).unwrap();
        let ids = |set: &Set| -> Vec<String> { set.cases.iter().map(|case| case.id.clone()).collect() };
        assert_eq!(ids(&named), ids(&Set::built_in().unwrap()));
        let error = read(Path::new("master")).unwrap_err().to_string();
        assert!(error.contains("built in: masters"), "{error}");
        let referee = read(Path::new("stockfish-19")).unwrap();
        assert!(
            referee.labelled_by.starts_with("Stockfish 19 "),
            "{}",
            referee.labelled_by
        );
        assert_eq!(ids(&referee), ids(&named));
        for (one, other) in named.cases.iter().zip(&referee.cases) {
            assert_eq!(one.fen(), other.fen());
            assert!(other.reference.is_complete(), "{}", other.fen());
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(DEFAULT);
        assert!(Set::named(&path).is_none());
        std::fs::write(&path, "").unwrap();
        assert!(read(&path).is_err());
    }

    #[test]
    fn the_built_in_set_is_sound_and_balanced() {
        let set = Set::built_in().unwrap();
        assert_eq!(set.cases.len(), 500);
        assert!(
            set.labelled_by.starts_with("Stockfish 15.1 "),
            "{}",
            set.labelled_by
        );
        let keys: HashSet<u64> = set.cases.iter().map(|case| case.position.key()).collect();
        assert_eq!(keys.len(), 500);
        for phase in Phase::ALL {
            let count = set.cases.iter().filter(|case| case.phase() == phase).count();
            assert!((160..=170).contains(&count), "{phase:?}: {count}");
        }
        let quiet = set
            .cases
            .iter()
            .filter(|case| case.is_quiet() == Some(true))
            .count();
        assert!((150..=400).contains(&quiet), "{quiet} are quiet");
        let played = set
            .cases
            .iter()
            .filter(|case| case.result != GameResult::Unknown)
            .count();
        assert!((200..=400).contains(&played), "{played} have a result");
    }

    #[test]
    fn labels_of_two_engines_make_no_set() {
        let folder = tempfile::tempdir().unwrap();
        let set = Set::built_in().unwrap();
        let write = |name: &str, labelled_by: &str, cases: &[Case]| {
            let path = folder.path().join(name);
            let part = Set {
                cases: cases.to_vec(),
                labelled_by: labelled_by.to_string(),
                recorded: Vec::new(),
            };
            part.write_csv(&path).unwrap();
            path
        };
        let one = write("one.csv", "One 1 at depth 9", &set.cases[..3]);
        let more = write("more.csv", "One 1 at depth 9", &set.cases[3..5]);
        let other = write("other.csv", "Two 2 at depth 9", &set.cases[5..6]);
        let read = |paths: &[&PathBuf]| {
            let paths: Vec<PathBuf> = paths.iter().copied().cloned().collect();
            Set::read_all(&paths, &SampleSettings::default(), &mut |_| {})
        };
        assert_eq!(read(&[&one, &more]).unwrap().cases.len(), 5);
        let line = read(&[&one, &more, &other]).unwrap_err().to_string();
        assert!(
            line.contains("other.csv") && line.contains("cannot be joined"),
            "{line}"
        );
    }
}
