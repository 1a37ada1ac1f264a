//! The results as text: a table to print, TSV, CSV and JSON.

use crate::compare::measure::estimate::Estimate;
use crate::compare::measure::judge::{BLUNDER, EQUAL_STRENGTH, Measure};
use crate::compare::measure::pairs::Pair;
use crate::compare::measure::score;
use crate::compare::measure::summary::{Group, Summary};
use crate::compare::set::seed_table;
use crate::compare::{Answers, CompareError, Set};
use crate::support::whole_file;
use serde_json::{Map, Value, json};
use std::path::Path;

/// What is printed, in this order.
const PRINTED: [Measure; 11] = [
    Measure::Same,
    Measure::TopThree,
    Measure::Within10,
    Measure::Within30,
    Measure::Equal,
    Measure::Blunder,
    Measure::Loss,
    Measure::Error,
    Measure::StaticError,
    Measure::Nodes,
    Measure::Time,
];

/// Everything that a comparison found.
pub struct Results<'a> {
    /// Positions and reference.
    pub set: &'a Set,
    /// All answers.
    pub answers: &'a [Answers],
    /// What they are worth.
    pub summaries: &'a [Summary],
    /// Two by two.
    pub pairs: &'a [Pair],
}

/// Writes `table.tsv`, `rows.csv`, `summary.csv` and `results.json` into a folder.
///
/// # Errors
/// [`CompareError::Write`] when a file cannot be written.
pub fn write(results: &Results, folder: &Path) -> Result<(), CompareError> {
    let files = [
        ("table.tsv", seed_table::write(results.set, results.answers)),
        ("rows.csv", rows(results)),
        ("summary.csv", summary(results)),
        ("results.json", format!("{:#}\n", json(results))),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        whole_file::write_bytes(&path, text.as_bytes()).map_err(|error| CompareError::write(&path, error))?;
    }
    Ok(())
}

/// A number as reports show it: shares in per cent.
pub fn number(measure: Measure, value: f64) -> String {
    let factor = if measure.is_share() { 100.0 } else { 1.0 };
    format!("{:.*}", measure.decimals(), factor * value)
}

/// The interval as reports show it.
pub fn interval(measure: Measure, estimate: &Estimate) -> String {
    format!(
        "{}–{}",
        number(measure, estimate.low),
        number(measure, estimate.high)
    )
}

/// The measures on all positions, for a terminal. Shares are in per cent.
pub fn printed(results: &Results) -> String {
    let width = results.answers.iter().map(|answers| answers.name.chars().count());
    let width = width.max().unwrap_or(0).max("contestant".len());
    let mut text = format!("{:width$}", "contestant");
    for measure in PRINTED {
        text.push_str(&format!("  {:>14}", measure.title()));
    }
    for summary in results.summaries {
        let mut lines = [format!("\n{:width$}", summary.name), format!("\n{:width$}", "")];
        for measure in PRINTED {
            let estimate = summary.get(Group::All, measure);
            let value = estimate.map_or("–".to_string(), |found| number(measure, found.value));
            let range = estimate.map_or(String::new(), |found| interval(measure, &found));
            lines[0].push_str(&format!("  {value:>14}"));
            lines[1].push_str(&format!("  {range:>14}"));
        }
        text.extend(lines);
    }
    text
}

/// One line for each answer.
fn rows(results: &Results) -> String {
    let mut text =
        "contestant,id,phase,quiet,result,fen,reference_move,reference_score,move,score,static_score"
            .to_string();
    for measure in Measure::ALL {
        text.push_str(&format!(",{}", measure.key()));
    }
    text.push('\n');
    for answers in results.answers {
        for (case, answer) in results.set.cases.iter().zip(&answers.rows) {
            let Some(answer) = answer else {
                continue;
            };
            let chess960 = case.position.needs_chess960();
            let uci = |m: Option<crate::board::Move>| m.map_or(String::new(), |m| m.to_uci(chess960));
            let cp = |value: Option<i32>| value.map_or(String::new(), score::to_text);
            let quiet = case.is_quiet().map_or(String::new(), |quiet| quiet.to_string());
            let mut fields = vec![
                answers.name.clone(),
                case.id.clone(),
                Group::Phase(case.phase()).name().to_string(),
                quiet,
                case.result.to_pgn().to_string(),
                case.fen(),
                uci(case.reference.best.first().copied()),
                cp(case.reference.score),
                uci(answer.best),
                cp(answer.score),
                cp(answer.static_score),
            ];
            let measured = |measure: Measure| measure.of(case, answer).map(|value| (measure, value));
            fields.extend(Measure::ALL.map(|measure| match measured(measure) {
                Some((measure, value)) if measure.is_share() => format!("{value:.0}"),
                Some((_, value)) => format!("{value:.4}"),
                None => String::new(),
            }));
            text.push_str(&csv_line(&fields));
        }
    }
    text
}

/// One line for each contestant, group and measure.
fn summary(results: &Results) -> String {
    let mut text = "contestant,group,measure,value,low,high,positions\n".to_string();
    for summary in results.summaries {
        for group in Group::ALL {
            for measure in Measure::ALL {
                if let Some(found) = summary.get(group, measure) {
                    let mut fields = vec![summary.name.clone(), group.name().into(), measure.key().into()];
                    fields.extend([found.value, found.low, found.high].map(|value| format!("{value:.6}")));
                    fields.push(found.count.to_string());
                    text.push_str(&csv_line(&fields));
                }
            }
        }
    }
    text
}

fn csv_line(fields: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // writing into memory does not fail
    let _ = writer.write_record(fields);
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn json(results: &Results) -> Value {
    let contestant = |summary: &Summary| {
        let groups: Map<String, Value> = Group::ALL
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
    let count = |group: Group| results.set.cases.iter().filter(|case| group.holds(case)).count();
    let groups: Map<String, Value> = Group::ALL
        .into_iter()
        .map(|group| (group.name().to_string(), json!(count(group))))
        .collect();
    json!({
        "program": concat!("enroc ", env!("CARGO_PKG_VERSION")),
        "reference": results.set.labelled_by,
        "positions": groups,
        "intervals": "95 %: Wilson for shares, percentile bootstrap over positions (1000 samples) for means",
        "equal_strength": EQUAL_STRENGTH,
        "blunder": BLUNDER,
        "contestants": results.summaries.iter().map(contestant).collect::<Vec<_>>(),
        "pairs": results.pairs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Answer;
    use crate::compare::measure::judge::tests::case;
    use crate::compare::measure::{pairs, summary};

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
        let summaries = summary::summarize(&set, &answers);
        let pairs = pairs::pairs(&set, &[None, None], &answers);
        let results = Results {
            set: &set,
            answers: &answers,
            summaries: &summaries,
            pairs: &pairs,
        };
        let folder = tempfile::tempdir().unwrap();
        write(&results, folder.path()).unwrap();
        let read = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let json: Value = serde_json::from_str(&read("results.json")).unwrap();
        assert_eq!(json["contestants"][1]["groups"]["all"]["loss_cp"]["value"], 30.0);
        assert_eq!(json["pairs"][0]["only"], json!([1, 0]));
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
