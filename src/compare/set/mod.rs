//! The positions that are compared on, with what is known of each.
//!
//! A set with labels is a CSV with the columns `id,result,fen,moves`, where `moves` holds every legal move with the
//! reference's score for the side to move. A line before the columns says whose scores these are:
//! `# labels: ` and an engine's name and effort.

pub mod epd;
pub mod label;
pub mod reference;
pub mod sample;
pub mod seed_table;

use super::set::sample::SampleSettings;
use super::{Answers, CompareError, Reference};
use crate::board::{Ending, GameResult, Phase, Position};
use crate::data::formats::text::kind;
use crate::support::whole_file;
use std::path::{Path, PathBuf};

/// The set that is built into the program: 500 positions with Stockfish's score of every legal move.
const BUILT_IN: &str = include_str!("../../../positions/compare-500.csv");

/// How the line that names the reference begins.
const LABELS: &str = "# labels: ";

/// One position, and what is known of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it comes from, in a word or two.
    pub id: String,
    /// The position.
    pub position: Position,
    /// How its game ended, where that says something about the position.
    pub result: GameResult,
    /// What the reference says.
    pub reference: Reference,
}

/// Positions, whose opinion stands beside them, and answers that stand there already.
#[derive(Clone, Debug, Default)]
pub struct Set {
    /// The positions.
    pub cases: Vec<Case>,
    /// Whose scores the references are; empty where nobody has labelled.
    pub labelled_by: String,
    /// Answers that a table holds, by contestant.
    pub recorded: Vec<Answers>,
}

impl Case {
    /// A position of which nothing is known.
    pub fn new(id: impl Into<String>, position: Position) -> Case {
        Case {
            id: id.into(),
            position,
            result: GameResult::Unknown,
            reference: Reference::default(),
        }
    }

    /// The part of the game.
    pub fn phase(&self) -> Phase {
        self.position.phase()
    }

    /// Whether the position is quiet: no check, and the reference's move neither captures nor promotes. `None` where
    /// that move is not known.
    pub fn is_quiet(&self) -> Option<bool> {
        let best = self.reference.best.first()?;
        Some(best.is_quiet() && !self.position.in_check())
    }

    /// The FEN, by which the position is known in every file.
    pub fn fen(&self) -> String {
        self.position.to_fen(self.position.needs_chess960())
    }
}

/// Reads a position that is to be compared on: it must be legal and not over.
///
/// # Errors
/// What is wrong with it, in words.
pub fn read_fen(text: &str) -> Result<Position, String> {
    let position = Position::from_fen(text).map_err(|error| error.to_string())?;
    match position.ending(&[]) {
        None | Some(Ending::Repetition) => Ok(position),
        Some(Ending::Checkmate) => Err(format!("the game is over, checkmate: {text}")),
        Some(Ending::Stalemate) => Err(format!("the game is over, stalemate: {text}")),
        Some(Ending::InsufficientMaterial) => Err(format!("the game is over, nobody can mate: {text}")),
        Some(Ending::FiftyMoves) => Err(format!("the game is over, fifty moves: {text}")),
    }
}

impl Set {
    /// The set that is built in.
    ///
    /// # Errors
    /// None in a program that passed its tests.
    pub fn built_in() -> Result<Set, CompareError> {
        Set::from_csv(Path::new("built-in positions"), BUILT_IN)
    }

    /// Reads several files as one set; from games, positions are drawn.
    ///
    /// # Errors
    /// [`CompareError`] names the file and the line that is of no use, or the file that does not go with the others.
    pub fn read_all(paths: &[PathBuf], settings: &SampleSettings) -> Result<Set, CompareError> {
        let paths = &files_in(paths)?;
        let games = paths.iter().filter(|path| kind(path) == "pgn").count();
        if games == paths.len() {
            let cases = sample::from_games(paths, settings)?;
            return Ok(Set {
                cases,
                ..Set::default()
            });
        }
        let mut all: Option<Set> = None;
        for path in paths {
            let set = Set::read(path)?;
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

    /// Reads a file: `.csv` with labels, `.tsv` like the seed's table, `.fen`, `.epd` or `.txt` with one position a
    /// line.
    ///
    /// # Errors
    /// [`CompareError`] names the file and the line that is of no use.
    pub fn read(path: &Path) -> Result<Set, CompareError> {
        let read = || std::fs::read_to_string(path).map_err(|error| CompareError::file(path, error));
        match kind(path).as_str() {
            "csv" => Set::from_csv(path, &read()?),
            "tsv" => seed_table::read(path, &read()?),
            "epd" | "fen" | "txt" => epd::read(path, &read()?),
            "pgn" => Err(CompareError::file(path, "games cannot be mixed with positions")),
            _ => {
                let known = "positions are read from .csv, .tsv, .epd, .fen, .txt and .pgn";
                Err(CompareError::file(path, known))
            }
        }
    }

    /// Reads a set from the text of a CSV; `path` is for complaints.
    ///
    /// # Errors
    /// [`CompareError::Line`] names the first line that is of no use.
    pub fn from_csv(path: &Path, text: &str) -> Result<Set, CompareError> {
        let labelled_by = text
            .lines()
            .find_map(|line| line.strip_prefix(LABELS))
            .ok_or_else(|| {
                CompareError::file(path, "it does not say whose labels these are ('# labels: …')")
            })?;
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let mut cases = Vec::new();
        for row in reader.records() {
            let row = row.map_err(|error| CompareError::file(path, error))?;
            let line = row.position().map_or(0, |position| position.line() as usize);
            let case = read_row(&row).map_err(|reason| CompareError::line(path, line, reason))?;
            cases.push(case);
        }
        Ok(Set {
            cases,
            labelled_by: labelled_by.trim().to_string(),
            recorded: Vec::new(),
        })
    }

    /// Writes the set as a CSV that [`Set::read`] reads.
    ///
    /// # Errors
    /// [`CompareError::Write`] when the file cannot be written; an old one is then still there.
    pub fn write_csv(&self, path: &Path) -> Result<(), CompareError> {
        let mut text = format!("{LABELS}{}\nid,result,fen,moves\n", self.labelled_by);
        for case in &self.cases {
            let (result, fen) = (case.result.to_pgn(), case.fen());
            let moves = case.reference.to_text(case.position.needs_chess960());
            let id = case.id.replace(['"', ',', '\n', '\r'], " ");
            text.push_str(&format!("{id},{result},{fen},{moves}\n"));
        }
        whole_file::write_bytes(path, text.as_bytes()).map_err(|error| CompareError::write(path, error))
    }

    /// At most `count` positions, spread evenly over the set.
    #[must_use]
    pub fn thinned(mut self, count: usize) -> Set {
        let total = self.cases.len();
        if count < total {
            let keep: Vec<usize> = (0..count).map(|n| n * total / count).collect();
            self.cases = keep.iter().map(|&n| self.cases[n].clone()).collect();
            for answers in &mut self.recorded {
                answers.rows = keep.iter().map(|&n| answers.rows[n].clone()).collect();
            }
        }
        self
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

fn read_row(row: &csv::StringRecord) -> Result<Case, String> {
    let field = |place: usize| row.get(place).ok_or("it needs id,result,fen,moves");
    let position = read_fen(field(2)?)?;
    let result = field(1)?;
    Ok(Case {
        id: field(0)?.to_string(),
        result: GameResult::from_pgn(result.as_bytes()).ok_or_else(|| format!("'{result}' is no result"))?,
        reference: Reference::from_text(&position, field(3)?)?,
        position,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

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
    fn a_set_survives_its_file() {
        let set = Set::built_in().unwrap().thinned(7);
        assert_eq!(set.cases.len(), 7);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set.csv");
        set.write_csv(&path).unwrap();
        let back = Set::read(&path).unwrap();
        assert_eq!(back.labelled_by, set.labelled_by);
        for (one, two) in set.cases.iter().zip(&back.cases) {
            assert_eq!(
                (&one.id, one.fen(), &one.reference),
                (&two.id, two.fen(), &two.reference)
            );
            assert_eq!(one.result, two.result);
        }
    }

    #[test]
    fn positions_that_are_over_are_refused() {
        for (fen, word) in [
            (
                "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
                "checkmate",
            ),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", "nobody"),
            ("7k/8/6K1/8/8/8/8/R7 b - - 100 90", "fifty"),
        ] {
            let reason = read_fen(fen).unwrap_err();
            assert!(reason.contains(word), "{reason}");
        }
    }
}
