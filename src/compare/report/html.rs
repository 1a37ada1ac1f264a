//! The report as one HTML file that needs nothing else, neither scripts nor fonts nor pictures.

use super::answer::{answer, probability};
use super::charts::color;
use super::figures::{Figure, figures};
use super::results::{Results, interval, match_cells, number};
use super::second::second;
use crate::board::{Color, Move};
use crate::compare::answer::Answer;
use crate::compare::error::CompareError;
use crate::compare::measure::judge::{BLUNDER, EQUAL_STRENGTH, Measure, is_right};
use crate::compare::measure::pairs::{Disagreement, telling};
use crate::compare::measure::summary::{Subset, Summary};
use crate::compare::play::game::{DECIDED, DECIDED_PLIES, LONGEST};
use crate::compare::score;
use crate::compare::set::Case;
use crate::nets::score::{Score, is_mate};
use crate::pictures::{Arrow, board, definitions, escape};
use std::fmt::Write;

const STYLE: &str = include_str!("report.css");

/// Boards in a report, and how many of them one pair may take.
const BOARDS: usize = 12;
const BOARDS_OF_A_PAIR: usize = 3;
/// Contestants in the table of all positions; `table.tsv` has all of them.
const COLUMNS: usize = 6;

/// The arrows' colours: the reference, the better and the worse contestant.
const COLORS: [&str; 3] = ["#1b7f4d", "#0072b2", "#d55e00"];

/// The measures by part of the set.
const BY_GROUP: [Measure; 5] = [
    Measure::Same,
    Measure::Equal,
    Measure::Loss,
    Measure::Blunder,
    Measure::Error,
];

/// The page.
///
/// # Errors
/// [`CompareError::Chart`] if a chart cannot be drawn.
pub fn page(results: &Results) -> Result<String, CompareError> {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
        <link rel=\"icon\" href=\"data:,\"><title>Enroc: comparison</title>\n<style>{STYLE}</style></head><body>\n{}",
        definitions()
    );
    html.push_str(&introduction(results));
    html.push_str(&overview(results));
    html.push_str(&definitions_of_measures());
    html.push_str("<h2>Charts</h2>\n<div class=\"charts\">\n");
    for found in figures(results)? {
        html.push_str(&chart(&found));
    }
    html.push_str("</div>\n<h2>By part of the game, and by whether the position is quiet</h2>\n");
    for measure in BY_GROUP {
        html.push_str(&by_group(results, measure));
    }
    html.push_str(&pairs(results));
    html.push_str(&second(results));
    html.push_str(&matches(results));
    html.push_str(&boards(results));
    html.push_str(&positions(results));
    html.push_str("</body></html>\n");
    Ok(html)
}

/// A chart with the names of its lines.
fn chart(figure: &Figure) -> String {
    let name = |(place, name): (usize, &String)| {
        let color = color(place);
        let name = escape(name);
        format!("<li><span class=\"key\" style=\"background:{color}\"></span>{name}</li>")
    };
    let names: String = figure.names.iter().enumerate().map(name).collect();
    format!(
        "<figure>{}<figcaption><ul class=\"names\">{names}</ul>{}</figcaption></figure>\n",
        figure.svg,
        escape(&figure.caption)
    )
}

fn introduction(results: &Results) -> String {
    let count = |group: Subset| results.set.cases.iter().filter(|case| group.holds(case)).count();
    let groups: Vec<String> = Subset::ALL
        .into_iter()
        .skip(1)
        .map(|group| format!("{} {}", count(group), group.name()))
        .collect();
    format!(
        "<h1>Whose moves are the reference's?</h1>\n{}<p class=\"small\">{} positions ({}). The reference is {}. Scores are \
        for the side to move.</p>\n<h2>All positions</h2>\n",
        answer(results),
        results.set.cases.len(),
        groups.join(", "),
        escape(&results.set.labelled_by)
    )
}

fn definitions_of_measures() -> String {
    format!(
        "<p class=\"small\"><b>Same move</b>: the reference's own. <b>Top three</b>: fewer than three moves are better by its \
        scores. <b>Within 10</b> and <b>30 cp</b> of its best move. <b>Equal strength</b>: gives away less than \
        {EQUAL_STRENGTH} of the expected score, which follows from the score by a logistic curve. <b>Blunder</b>: gives away \
        {BLUNDER} or more. <b>Loss</b>: centipawns behind the best move, at most 1000. <b>Score error</b>: difference \
        from the reference's score with ten pawns as 1, after look-ahead; <b>static</b>: of the network alone. \
        <b>Nodes</b>, <b>evaluations</b> and <b>ms</b> are means for a move; other engines count nodes in their own way. \
        Below each figure stands its 95 % interval: Wilson's for shares, a bootstrap over positions for means, and for a \
        group of nets one over positions and nets, so that the noise of training is in it.</p>\n"
    )
}

/// A table with a row for each contestant and a column for each heading.
fn table(results: &Results, headings: &[&str], cell: impl Fn(&Summary, usize) -> Option<String>) -> String {
    let mut html = "<div class=\"scroll\"><table><thead><tr><th>contestant</th>".to_string();
    for heading in headings {
        let _ = write!(html, "<th>{}</th>", escape(heading));
    }
    html.push_str("</tr></thead><tbody>\n");
    for summary in results.summaries {
        let _ = write!(html, "<tr><td>{}</td>", escape(&summary.name));
        for column in 0..headings.len() {
            let text = cell(summary, column).unwrap_or("–".to_string());
            let _ = write!(html, "<td>{text}</td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
    html
}

fn cell(summary: &Summary, group: Subset, measure: Measure) -> Option<String> {
    let found = summary.get(group, measure)?;
    Some(format!(
        "{}<small>{}</small>",
        number(measure, found.value),
        interval(measure, &found)
    ))
}

fn overview(results: &Results) -> String {
    let titles = Measure::ALL.map(Measure::heading);
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    table(results, &titles, |summary, column| {
        cell(summary, Subset::All, Measure::ALL[column])
    })
}

fn by_group(results: &Results, measure: Measure) -> String {
    let names = Subset::ALL.map(Subset::name);
    let table = table(results, &names, |summary, column| {
        cell(summary, Subset::ALL[column], measure)
    });
    let mut title = measure.heading();
    title[..1].make_ascii_uppercase();
    format!("<h3>{}</h3>\n{table}", escape(&title))
}

fn pairs(results: &Results) -> String {
    if results.pairs.is_empty() {
        return String::new();
    }
    let mut html = "<h2>Two by two: where they differ, who is right?</h2>\n<p class=\"small\">Positions on which only the \
        first, or only the second, has the reference's move (of groups the mean over their nets); p is the probability of a \
        difference at least as large by chance alone, by McNemar's exact test, or where a group takes part by a t test \
        that counts the noise of training too. The main comparison, named beforehand, is bold; for all others <b>Holm</b> is p \
        corrected for their number. The last column is how much more expected score the first gives away than \
        the second; below 0, the first is better.</p>\n<div class=\"scroll\"><table><thead><tr><th>first</th>\
        <th>second</th><th>both</th><th>only first</th><th>only second</th><th>neither</th><th>p</th><th>Holm</th><th>loss, first − \
        second</th></tr></thead><tbody>\n"
        .to_string();
    for pair in results.pairs {
        let [p, corrected] =
            [pair.p, pair.corrected].map(|p| probability(p).trim_start_matches("= ").to_string());
        let corrected = if pair.main { "–".to_string() } else { corrected };
        let class = if pair.main { " class=\"main\"" } else { "" };
        let difference = pair.difference.map_or("–".to_string(), |found| {
            format!(
                "{:+.3}<small>{:+.3} to {:+.3}</small>",
                found.value, found.low, found.high
            )
        });
        let _ = writeln!(
            html,
            "<tr{class}><td>{}</td><td>{}</td><td>{:.0}</td><td>{:.0}</td><td>{:.0}</td><td>{:.0}</td><td>{p}</td>\
            <td>{corrected}</td><td>{difference}</td></tr>",
            escape(&pair.names[0]),
            escape(&pair.names[1]),
            pair.both,
            pair.only[0],
            pair.only[1],
            pair.neither
        );
    }
    html.push_str("</tbody></table></div>\n");
    html
}

fn matches(results: &Results) -> String {
    if results.matches.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<h2>Games</h2>\n<p class=\"small\">Pairs of games from the same opening with both colours, between those that may \
        search equally much; all figures are the first's. A game ends by the rules, when both have said for \
        {} moves that the same side is {} pawns ahead, or after {} moves as a draw. Intervals hold 95 times in 100 \
        and take the pair as the unit.</p>\n<div class=\"scroll\"><table><thead><tr><th>first</th><th>second</th><th>games</th>\
        <th>won</th><th>drawn</th><th>lost</th><th>pairs with 0 ½ 1 1½ 2 points</th><th>score</th><th>Elo</th></tr></thead>\
        <tbody>\n",
        DECIDED_PLIES / 2,
        DECIDED / 100,
        LONGEST / 2
    );
    for found in results.matches {
        let names = found.names.iter().map(|name| escape(name));
        let cells: Vec<String> = names.chain(match_cells(&found.standing)).collect();
        let _ = writeln!(html, "<tr><td>{}</td></tr>", cells.join("</td><td>"));
    }
    html.push_str("</tbody></table></div>\n");
    html
}

fn boards(results: &Results) -> String {
    let found = telling(
        results.set,
        results.answers,
        results.entrants,
        results.pairs,
        BOARDS,
        BOARDS_OF_A_PAIR,
    );
    if found.is_empty() {
        return String::new();
    }
    let mut html = "<h2>The most telling disagreements</h2>\n<p class=\"small\">Where one of two gives away most and the \
        other does not. White is below.</p>\n<div class=\"boards\">\n"
        .to_string();
    for disagreement in &found {
        html.push_str(&disagreement_figure(results, disagreement));
    }
    html.push_str("</div>\n");
    html
}

fn disagreement_figure(results: &Results, found: &Disagreement) -> String {
    let case = &results.set.cases[found.case];
    let reference = (case.reference.best.first().copied(), case.reference.score);
    let mut lines = vec![("reference".to_string(), reference, None)];
    for (place, loss) in found.places.into_iter().zip(found.losses) {
        let answers = &results.answers[place];
        if let Some(answer) = &answers.rows[found.case] {
            lines.push((answers.name.clone(), (answer.best, answer.score), Some(loss)));
        }
    }
    let (mut arrows, mut list) = (Vec::new(), String::new());
    for ((name, (m, score), loss), color) in lines.into_iter().zip(COLORS) {
        if let Some(m) = m {
            arrows.insert(0, Arrow { m, color });
        }
        let loss = loss.map_or(String::new(), |loss| format!(", gives away {loss:.2}"));
        let _ = write!(
            list,
            "<li><span class=\"key\" style=\"background:{color}\"></span>{}: <b>{}</b> {}{loss}</li>",
            escape(&name),
            san(case, m),
            pawns(score)
        );
    }
    let mover = match case.position.side_to_move() {
        Color::White => "White to move",
        Color::Black => "Black to move",
    };
    let fen = case.fen();
    format!(
        "<figure>{}<figcaption><b>{mover}</b> · {}<ul>{list}</ul><span class=\"fen\">{}</span></figcaption></figure>\n",
        board(&case.position, &arrows, &format!("{mover}: {fen}")),
        escape(&case.id),
        breakable(&fen)
    )
}

/// A FEN that a browser may break after its slashes and blanks, and nowhere else.
fn breakable(fen: &str) -> String {
    let parts = fen.split_inclusive(['/', ' ']);
    parts.map(|part| format!("<span>{part}</span><wbr>")).collect()
}

/// A table like the thesis's Table 1.
fn positions(results: &Results) -> String {
    let shown = &results.answers[..results.answers.len().min(COLUMNS)];
    let left_out = match results.answers.len() - shown.len() {
        0 => String::new(),
        more => format!("; {more} more contestants are in table.tsv"),
    };
    let mut html = format!(
        "<h2>Every position</h2>\n<details><summary>The table (scores in pawns for the side to move; a move in \
        red is not the reference's{left_out})</summary>\n<div class=\"scroll\"><table class=\"positions\"><thead><tr>\
        <th>position</th><th>reference</th>"
    );
    for answers in shown {
        let _ = write!(html, "<th>{}</th>", escape(&answers.name));
    }
    html.push_str("</tr></thead><tbody>\n");
    for (place, case) in results.set.cases.iter().enumerate() {
        let best = case.reference.best.first().copied();
        let _ = write!(
            html,
            "<tr><td class=\"fen\">{}</td><td>{} {}</td>",
            breakable(&case.fen()),
            san(case, best),
            pawns(case.reference.score)
        );
        for answers in shown {
            html.push_str(&position_cell(case, answers.rows[place].as_ref()));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div></details>\n");
    html
}

fn position_cell(case: &Case, answer: Option<&Answer>) -> String {
    let Some(answer) = answer else {
        return "<td>–</td>".to_string();
    };
    let wrong = answer
        .best
        .is_some_and(|best| is_right(case, best) == Some(false));
    let class = if wrong { " class=\"miss\"" } else { "" };
    format!(
        "<td{class}>{} {}</td>",
        san(case, answer.best),
        pawns(answer.score)
    )
}

fn san(case: &Case, m: Option<Move>) -> String {
    m.map_or(String::new(), |m| case.position.to_san(m))
}

/// A score in pawns, with its sign.
fn pawns(score: Option<Score>) -> String {
    match score {
        None => String::new(),
        Some(score) if is_mate(score) => score::to_text(score),
        Some(score) => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::answer::Answers;
    use crate::compare::contestant::Contestant;
    use crate::compare::measure::entrant::entrants;
    use crate::compare::measure::judge::tests::case;
    use crate::compare::measure::referee::second_opinion;
    use crate::compare::measure::{pairs, summary};
    use crate::compare::play::{Match, Standing};
    use crate::compare::set::Set;

    #[test]
    fn a_report_is_whole_and_asks_for_nothing() {
        let (cases, moves): (Vec<Case>, Vec<_>) = (0..3).map(|_| case([40, 10, -900])).unzip();
        let answers = ["<mlp>@2", "cnn@2"].map(|name| Answers {
            name: name.to_string(),
            identity: name.to_string(),
            rows: (0..3)
                .map(|place| {
                    Some(Answer {
                        best: Some(moves[place][if name == "cnn@2" { place } else { 0 }]),
                        score: Some(20),
                        static_score: Some(10),
                        ..Answer::default()
                    })
                })
                .collect(),
        });
        let contestant = |name: &str| Contestant::parse(name, std::path::Path::new("none")).ok();
        let contestants = [contestant("mlp@2"), contestant("mlp@2+q")];
        let set = Set {
            cases,
            labelled_by: "nobody & co".to_string(),
            recorded: Vec::new(),
        };
        let entrants = entrants(&contestants, &answers);
        let summaries = summary::summarize(&set, &answers, &entrants);
        let pairs = pairs::pairs(&set, &answers, &entrants, None);
        let (mut main, mut referee) = (pairs.clone(), set.clone());
        main[0].main = true;
        referee.labelled_by = "somebody else".to_string();
        let path = std::path::Path::new("x");
        let opinion = second_opinion(&set, &referee, path, &answers, &entrants, Some([0, 1])).unwrap();
        let mut standing = Standing::default();
        standing.add([2, 1]);
        let found = Match {
            names: ["<mlp>@2", "cnn@2"].map(str::to_string),
            standing,
            pgn: path.to_path_buf(),
        };
        let results = Results {
            set: &set,
            answers: &answers,
            entrants: &entrants,
            summaries: &summaries,
            pairs: &main,
            second: Some(&opinion),
            matches: &[found],
        };
        let html = page(&results).unwrap();
        // the answer comes before every table
        let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text}"));
        assert!(place("was named beforehand") < place("<table>"));
        assert!(place("By somebody else: ") < place("<table>"));
        assert!(html.contains("<h2>By another referee</h2>") && html.contains("<h2>Games</h2>"));
        assert!(html.contains("<td>75.0 % ("));
        assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
        assert!(
            html.contains("nobody &amp; co") && html.contains("&lt;mlp&gt;@2") && !html.contains("<mlp>")
        );
        assert_eq!(html.matches("class=\"board\"").count(), 2);
        // with one look-ahead there is no line over plies, but the errors by size
        assert_eq!(html.matches("class=\"chart\"").count(), 2);
        for outside in ["http:", "https:", "<script", "@import", "src="] {
            // the name of SVG's language is no address that anybody asks
            let html = html.replace("http://www.w3.org/2000/svg", "");
            assert!(!html.contains(outside), "{outside}");
        }
        assert_eq!(
            html.matches("<figure>").count(),
            html.matches("</figure>").count()
        );
    }
}
