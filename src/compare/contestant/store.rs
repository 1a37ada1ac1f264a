//! Keeping the answers of a contestant in a file, so that a run that was cut off continues where it stopped.

use crate::board::Position;
use crate::compare::answer::{Answer, Answers};
use crate::compare::error::CompareError;
use crate::compare::score;
use crate::compare::set::{Case, Set};
use crate::support::whole_file;
use csv::StringRecord;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// How the line that names the contestant begins.
const CONTESTANT: &str = "# contestant: ";
const COLUMNS: [&str; 7] = ["fen", "move", "score", "static", "nodes", "evaluations", "micros"];

/// An identity in characters that every file system has.
pub fn plain_name(identity: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '@') {
            c
        } else {
            '_'
        }
    };
    identity.chars().map(plain).collect()
}

/// The file of a contestant in a folder.
pub fn path_of(folder: &Path, identity: &str) -> PathBuf {
    folder
        .join("answers")
        .join(format!("{}.csv", plain_name(identity)))
}

/// What a file holds.
#[derive(Debug, PartialEq, Eq)]
pub struct Known {
    /// Answers to the positions of a set, in their order.
    pub rows: Vec<Option<Answer>>,
    /// Rows of answers to other positions, which stay in the file.
    pub others: Vec<StringRecord>,
}

impl Known {
    /// Nothing, for a set.
    pub fn nothing(set: &Set) -> Known {
        Known {
            rows: vec![None; set.cases.len()],
            others: Vec::new(),
        }
    }
}

/// Reads the answers that a file holds; none if there is no file.
///
/// # Errors
/// [`CompareError`] if the file belongs to another contestant or is damaged.
pub fn read(path: &Path, identity: &str, set: &Set) -> Result<Known, CompareError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Known::nothing(set)),
        Err(error) => return Err(CompareError::file(path, error)),
    };
    let owner = text.lines().find_map(|line| line.strip_prefix(CONTESTANT));
    if owner != Some(identity) {
        let reason =
            format!("it does not hold the answers of {identity}: remove it, or choose another --out");
        return Err(CompareError::file(path, reason));
    }
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, case) in set.cases.iter().enumerate() {
        places.entry(case.fen()).or_default().push(place);
    }
    let mut known = Known::nothing(set);
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .flexible(true)
        .from_reader(text.as_bytes());
    for row in reader.records() {
        let row = row.map_err(|error| CompareError::file(path, error))?;
        let answer = read_row(&row).ok_or_else(|| {
            let line = row.position().map_or(0, |position| position.line() as usize);
            CompareError::line(path, line, "it is no answer; remove the file to ask again")
        })?;
        match places.get(&row[0]) {
            Some(places) => places
                .iter()
                .for_each(|&place| known.rows[place] = Some(answer.clone())),
            None => known.others.push(row),
        }
    }
    Ok(known)
}

fn read_row(row: &StringRecord) -> Option<Answer> {
    let fields: Vec<&str> = row.iter().collect();
    let &[fen, best, score, static_score, nodes, evaluations, micros] = fields.as_slice() else {
        return None;
    };
    let position = Position::from_fen(fen).ok()?;
    let score_of = |text: &str| match text {
        "" => Some(None),
        text => Some(Some(score::from_text(text)?)),
    };
    Some(Answer {
        best: match best {
            "" => None,
            text => Some(position.parse_uci(text).ok()?),
        },
        score: score_of(score)?,
        static_score: score_of(static_score)?,
        nodes: nodes.parse().ok()?,
        evaluations: match evaluations {
            "" => None,
            text => Some(text.parse().ok()?),
        },
        micros: micros.parse().ok()?,
    })
}

/// Writes the answers that are there, and behind them rows of answers to other positions.
///
/// # Errors
/// [`CompareError::Write`] when that fails; the old file is then still there.
pub fn write(path: &Path, answers: &Answers, others: &[StringRecord], set: &Set) -> Result<(), CompareError> {
    whole_file::write(path, |file| {
        writeln!(file, "{CONTESTANT}{}", answers.identity)?;
        let mut rows = csv::Writer::from_writer(file);
        rows.write_record(COLUMNS)?;
        for (case, answer) in set.cases.iter().zip(&answers.rows) {
            if let Some(answer) = answer {
                rows.write_record(row(case, answer))?;
            }
        }
        for other in others {
            rows.write_record(other)?;
        }
        rows.flush()
    })
    .map_err(|error| CompareError::write(path, error))
}

fn row(case: &Case, answer: &Answer) -> [String; COLUMNS.len()] {
    let chess960 = case.position.needs_chess960();
    let some = |value: Option<String>| value.unwrap_or_default();
    [
        case.fen(),
        some(answer.best.map(|best| best.to_uci(chess960))),
        some(answer.score.map(score::to_text)),
        some(answer.static_score.map(score::to_text)),
        answer.nodes.to_string(),
        some(answer.evaluations.map(|count| count.to_string())),
        answer.micros.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::score::mate_in;

    fn set() -> Set {
        let fens = [
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
            "8/5pk1/4p1p1/3pP2p/3P1P1P/r5P1/4R1K1/8 w - - 0 41",
        ];
        let case = |fen: &&str| Case::new("x", Position::from_fen(fen).unwrap());
        Set {
            cases: fens.iter().map(case).collect(),
            ..Set::default()
        }
    }

    #[test]
    fn answers_come_back_and_those_of_others_are_refused() {
        let (set, folder) = (set(), tempfile::tempdir().unwrap());
        let path = path_of(folder.path(), "Stock fish/9 @depth:2");
        assert!(path.ends_with("answers/Stock_fish_9_@depth_2.csv"));
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        assert_eq!(read(&path, "me", &set).unwrap(), Known::nothing(&set));
        let answers = Answers {
            name: "me".to_string(),
            identity: "me".to_string(),
            rows: vec![
                None,
                Some(Answer {
                    best: set.cases[1].position.parse_uci("e2e3").ok(),
                    score: Some(mate_in(3)),
                    static_score: Some(-7),
                    nodes: 9,
                    evaluations: None,
                    micros: 10,
                }),
            ],
        };
        write(&path, &answers, &[], &set).unwrap();
        assert_eq!(read(&path, "me", &set).unwrap().rows, answers.rows);
        // for another set it is a line that stays
        let first = Set {
            cases: set.cases[..1].to_vec(),
            ..Set::default()
        };
        let known = read(&path, "me", &first).unwrap();
        assert_eq!((known.rows, known.others.len()), (vec![None], 1));
        let nothing = Answers {
            rows: vec![None],
            ..answers.clone()
        };
        write(&path, &nothing, &known.others, &first).unwrap();
        assert_eq!(read(&path, "me", &set).unwrap().rows, answers.rows);
        assert!(
            read(&path, "you", &set)
                .unwrap_err()
                .to_string()
                .contains("answers of you")
        );
        std::fs::write(&path, format!("{CONTESTANT}me\n{}\nbroken\n", COLUMNS.join(","))).unwrap();
        assert!(
            read(&path, "me", &set)
                .unwrap_err()
                .to_string()
                .contains("line 3")
        );
    }
}
