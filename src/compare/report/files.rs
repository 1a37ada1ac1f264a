//! The files of a comparison: TSV, CSV, JSON and the page.

use super::html::page;
use super::results::Results;
use crate::board::Move;
use crate::compare::answer::Answer;
use crate::compare::error::CompareError;
use crate::compare::measure::judge::{BLUNDER, EQUAL_STRENGTH, Measure};
use crate::compare::measure::summary::{Subset, Summary};
use crate::compare::play::Match;
use crate::compare::score;
use crate::compare::set::{Case, thesis_table};
use crate::support::version::VERSION;
use crate::support::whole_file;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The page's name in the folder.
const PAGE: &str = "report.html";

/// The columns of `rows.csv` before those of the measures.
const COLUMNS: [&str; 11] = [
    "contestant",
    "id",
    "phase",
    "quiet",
    "result",
    "fen",
    "reference_move",
    "reference_score",
    "move",
    "score",
    "static_score",
];

/// Writes `table.tsv`, `rows.csv`, `summary.csv`, `results.json` and `report.html` into a folder, and returns the path of
/// the last.
///
/// # Errors
/// [`CompareError::Write`] when a file cannot be written, [`CompareError::Chart`] if a chart cannot be drawn.
pub fn write(results: &Results, folder: &Path) -> Result<PathBuf, CompareError> {
    let put = |name: &str, fill: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        let path = folder.join(name);
        whole_file::write(&path, fill).map_err(|error| CompareError::write(&path, error))
    };
    put("table.tsv", &|file| {
        thesis_table::write(results.set, results.answers, file)
    })?;
    put("rows.csv", &|file| rows(results, file))?;
    put("summary.csv", &|file| summary(results, file))?;
    put("results.json", &|file| writeln!(file, "{:#}", json(results)))?;
    let page = page(results)?;
    put(PAGE, &|file| file.write_all(page.as_bytes()))?;
    Ok(folder.join(PAGE))
}

/// One row for each answer.
fn rows(results: &Results, file: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(file);
    rows.write_record(COLUMNS.into_iter().chain(Measure::ALL.map(Measure::key)))?;
    for answers in results.answers {
        for (case, answer) in results.set.cases.iter().zip(&answers.rows) {
            if let Some(answer) = answer {
                let own = row(&answers.name, case, answer);
                let measured = Measure::ALL.map(|measure| measured(measure, case, answer));
                rows.write_record(own.iter().chain(&measured))?;
            }
        }
    }
    rows.flush()
}

/// The fields of an answer under [`COLUMNS`].
fn row(name: &str, case: &Case, answer: &Answer) -> [String; COLUMNS.len()] {
    let chess960 = case.position.needs_chess960();
    let uci = |m: Option<Move>| m.map_or(String::new(), |m| m.to_uci(chess960));
    let cp = |value: Option<i32>| value.map_or(String::new(), score::to_text);
    [
        name.to_string(),
        case.id.clone(),
        Subset::Phase(case.phase()).name().to_string(),
        case.is_quiet().map_or(String::new(), |quiet| quiet.to_string()),
        case.result.to_pgn().to_string(),
        case.fen(),
        uci(case.reference.best.first().copied()),
        cp(case.reference.score),
        uci(answer.best),
        cp(answer.score),
        cp(answer.static_score),
    ]
}

fn measured(measure: Measure, case: &Case, answer: &Answer) -> String {
    match measure.of(case, answer) {
        Some(value) if measure.is_share() => format!("{value:.0}"),
        Some(value) => format!("{value:.4}"),
        None => String::new(),
    }
}

/// One row for each contestant, group and measure.
fn summary(results: &Results, file: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(file);
    rows.write_record([
        "contestant",
        "group",
        "measure",
        "value",
        "low",
        "high",
        "positions",
    ])?;
    for summary in results.summaries {
        for group in Subset::ALL {
            for measure in Measure::ALL {
                if let Some(found) = summary.get(group, measure) {
                    let figures = [found.value, found.low, found.high].map(|value| format!("{value:.6}"));
                    let names = [&summary.name, group.name(), measure.key()].map(str::to_string);
                    let count = [found.count.to_string()];
                    rows.write_record(names.iter().chain(&figures).chain(&count))?;
                }
            }
        }
    }
    rows.flush()
}

fn json(results: &Results) -> Value {
    let contestant = |summary: &Summary| {
        let groups: Map<String, Value> = Subset::ALL
            .into_iter()
            .map(|group| {
                let measures: Map<String, Value> = Measure::ALL
                    .into_iter()
                    .filter_map(|measure| {
                        Some((measure.key().to_string(), json!(summary.get(group, measure)?)))
                    })
                    .collect();
                (group.name().to_string(), Value::Object(measures))
            })
            .collect();
        json!({"name": summary.name, "identity": summary.identity, "groups": groups})
    };
    let count = |group: Subset| results.set.cases.iter().filter(|case| group.holds(case)).count();
    let groups: Map<String, Value> = Subset::ALL
        .into_iter()
        .map(|group| (group.name().to_string(), json!(count(group))))
        .collect();
    json!({
        "program": format!("enroc {VERSION}"),
        "reference": results.set.labelled_by,
        "positions": groups,
        "intervals": "95 %: Wilson for shares, percentile bootstrap over positions (1000 samples) for means, over positions and members for groups",
        "equal_strength": EQUAL_STRENGTH,
        "blunder": BLUNDER,
        "contestants": results.summaries.iter().map(contestant).collect::<Vec<_>>(),
        "pairs": results.pairs,
        "second_referee": results.second.map(|second| json!({
            "reference": second.labelled_by,
            "agreement": second.agreement,
            "contestants": second.summaries.iter().map(contestant).collect::<Vec<_>>(),
            "pairs": second.pairs,
        })),
        "matches": results.matches.iter().map(of_match).collect::<Vec<_>>(),
    })
}

/// A match, with the worth of its score; an infinite difference is `null`.
fn of_match(found: &Match) -> Value {
    json!({"match": found, "score": found.standing.score(), "elo": found.standing.elo()})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::answer::Answers;
    use crate::compare::measure::entrant::entrants;
    use crate::compare::measure::judge::tests::case;
    use crate::compare::measure::{pairs, summary};
    use crate::compare::report::terminal::printed;
    use crate::compare::set::Set;

    #[test]
    fn every_form_holds_the_same_figures() {
        let (mut case, moves) = case([40, 10, -900]);
        case.id = "a, \"b\"".to_string();
        let answers = ["one", "two"].map(|name| Answers {
            name: name.to_string(),
            identity: name.to_string(),
            rows: vec![Some(Answer {
                best: Some(moves[usize::from(name == "two")]),
                score: Some(7),
                ..Answer::default()
            })],
        });
        let set = Set {
            cases: vec![case],
            labelled_by: "nobody".to_string(),
            recorded: Vec::new(),
        };
        let entrants = entrants(&[None, None], &answers);
        let summaries = summary::summarize(&set, &answers, &entrants);
        let pairs = pairs::pairs(&set, &answers, &entrants, None);
        let results = Results {
            set: &set,
            answers: &answers,
            entrants: &entrants,
            summaries: &summaries,
            pairs: &pairs,
            second: None,
            matches: &[],
        };
        let folder = tempfile::tempdir().unwrap();
        let page = write(&results, folder.path()).unwrap();
        assert!(page.ends_with("report.html") && page.exists());
        let read = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(read("report.html").contains("30.0<small>30.0–30.0</small>"));
        let json: Value = serde_json::from_str(&read("results.json")).unwrap();
        assert_eq!(json["contestants"][1]["groups"]["all"]["loss_cp"]["value"], 30.0);
        assert_eq!(json["pairs"][0]["only"], json!([1.0, 0.0]));
        assert!(read("summary.csv").contains("two,all,loss_cp,30.000000,30.000000,30.000000,1\n"));
        let rows = read("rows.csv");
        let mut reader = csv::Reader::from_reader(rows.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
        assert_eq!((rows.len(), &rows[1][1]), (2, "a, \"b\""));
        assert!(
            read("table.tsv")
                .starts_with("fen\treference_eval\treference_move\tone_eval\tone_move\ttwo_eval")
        );
        let printed = printed(&results);
        assert!(
            printed.lines().count() == 5 && printed.contains("same move"),
            "{printed}"
        );
    }
}
