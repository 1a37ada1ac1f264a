//! The report as one HTML file that needs nothing else, neither scripts nor fonts nor pictures.

use super::answer::{answer, probability};
use super::charts::color;
use super::figures::{Figure, figures};
use super::results::{MATCH_HEADINGS, Results, interval, match_cells, number};
use super::second::second;
use super::tables::{by_contestant, table};
use crate::board::{Color, Move};
use crate::compare::answer::Answer;
use crate::compare::error::CompareError;
use crate::compare::measure::judge::{BLUNDER, EQUAL_STRENGTH, Measure, is_right};
use crate::compare::measure::pairs::{Disagreement, Pair, telling};
use crate::compare::measure::summary::Subset;
use crate::compare::play::Match;
use crate::compare::play::game::{DECIDED, DECIDED_PLIES, LONGEST};
use crate::compare::score;
use crate::compare::set::Case;
use crate::nets::score::{Score, is_mate};
use crate::pictures::{self, Arrow, board};
use maud::{Markup, PreEscaped, html};

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
    let charts = figures(results)?;
    let body = html! {
        (introduction(results))
        (overview(results))
        (definitions_of_measures())
        h2 { "Charts" }
        div.charts { @for found in &charts { (chart(found)) } }
        h2 { "By part of the game, and by whether the position is quiet" }
        @for measure in BY_GROUP { (by_group(results, measure)) }
        @if !results.pairs.is_empty() { (pairs(results.pairs)) }
        @if let Some(found) = results.second { (second(results, found)) }
        @if !results.matches.is_empty() { (matches(results.matches)) }
        (boards(results))
        (positions(results))
    };
    Ok(pictures::page("en", "Enroc: comparison", STYLE, &body))
}

/// A chart with the names of its lines.
fn chart(figure: &Figure) -> Markup {
    html! {
        figure {
            (PreEscaped(&figure.svg))
            figcaption {
                ul.names {
                    @for (place, name) in figure.names.iter().enumerate() {
                        li { (key(&color(place))) (name) }
                    }
                }
                (figure.caption)
            }
        }
    }
}

/// A colour before what is drawn in it.
fn key(color: &str) -> Markup {
    html! { span.key style={ "background:" (color) } {} }
}

fn introduction(results: &Results) -> Markup {
    let count = |group: Subset| results.set.cases.iter().filter(|case| group.holds(case)).count();
    let groups: Vec<String> = Subset::ALL
        .into_iter()
        .skip(1)
        .map(|group| format!("{} {}", count(group), group.name()))
        .collect();
    html! {
        h1 { "Whose moves are the reference's?" }
        (answer(results))
        p.small {
            (results.set.cases.len()) " positions (" (groups.join(", ")) "). The reference is "
            (results.set.labelled_by) ". Scores are for the side to move."
        }
        h2 { "All positions" }
    }
}

fn definitions_of_measures() -> Markup {
    html! {
        p.small {
            b { "Same move" } ": the reference's own. "
            b { "Top three" } ": fewer than three moves are better by its scores. "
            b { "Within 10" } " and " b { "30 cp" } " of its best move. "
            b { "Equal strength" } ": gives away less than " (EQUAL_STRENGTH)
            " of the expected score, which follows from the score by a logistic curve. "
            b { "Blunder" } ": gives away " (BLUNDER) " or more. "
            b { "Loss" } ": centipawns behind the best move, at most 1000. "
            b { "Score error" } ": difference from the reference's score with ten pawns as 1, after look-ahead; "
            b { "static" } ": of the network alone. "
            b { "Nodes" } ", " b { "evaluations" } " and " b { "ms" }
            " are means for a move; other engines count nodes in their own way. Below each figure stands its 95 % \
            interval: Wilson's for shares, a bootstrap over positions for means, and for a group of nets one over \
            positions and nets, so that the noise of training is in it."
        }
    }
}

fn cell(results: &Results, place: usize, group: Subset, measure: Measure) -> Option<Markup> {
    let found = results.summaries[place].get(group, measure)?;
    Some(html! { (number(measure, found.value)) small { (interval(measure, &found)) } })
}

fn overview(results: &Results) -> Markup {
    by_contestant(results, &Measure::ALL.map(Measure::heading), |place, column| {
        cell(results, place, Subset::All, Measure::ALL[column])
    })
}

fn by_group(results: &Results, measure: Measure) -> Markup {
    let mut title = measure.heading();
    title[..1].make_ascii_uppercase();
    html! {
        h3 { (title) }
        (by_contestant(results, &Subset::ALL.map(Subset::name), |place, column| {
            cell(results, place, Subset::ALL[column], measure)
        }))
    }
}

fn pairs(pairs: &[Pair]) -> Markup {
    let rows = html! { @for pair in pairs { (pair_row(pair)) } };
    html! {
        h2 { "Two by two: where they differ, who is right?" }
        p.small {
            "Positions on which only the first, or only the second, has the reference's move (of groups the mean over \
            their nets); p is the probability of a difference at least as large by chance alone, by McNemar's exact \
            test, or where a group takes part by a t test that counts the noise of training too. The main comparison, \
            named beforehand, is bold; for all others " b { "Holm" } " is p corrected for their number. The last column \
            is how much more expected score the first gives away than the second; below 0, the first is better."
        }
        (table(
            &["first", "second", "both", "only first", "only second", "neither", "p", "Holm", "loss, first − second"],
            &rows,
        ))
    }
}

fn pair_row(pair: &Pair) -> Markup {
    let alone = |p: f64| probability(p).trim_start_matches("= ").to_string();
    let counts = [pair.both, pair.only[0], pair.only[1], pair.neither];
    html! {
        tr class=[pair.main.then_some("main")] {
            @for name in &pair.names { td { (name) } }
            @for count in counts { td { (format_args!("{count:.0}")) } }
            td { (alone(pair.p)) }
            td { @if pair.main { "–" } @else { (alone(pair.corrected)) } }
            td {
                @if let Some(found) = pair.difference {
                    (format_args!("{:+.3}", found.value))
                    small { (format_args!("{:+.3} to {:+.3}", found.low, found.high)) }
                } @else {
                    "–"
                }
            }
        }
    }
}

fn matches(matches: &[Match]) -> Markup {
    let rows = html! {
        @for found in matches {
            tr {
                @for name in &found.names { td { (name) } }
                @for cell in match_cells(&found.standing) { td { (cell) } }
            }
        }
    };
    html! {
        h2 { "Games" }
        p.small {
            "Pairs of games from the same opening with both colours, between those that may search equally much; all \
            figures are the first's. A game ends by the rules, when both have said for " (DECIDED_PLIES / 2) " moves \
            that the same side is " (DECIDED / 100) " pawns ahead, or after " (LONGEST / 2) " moves as a draw. Intervals \
            hold 95 times in 100 and take the pair as the unit."
        }
        (table(&MATCH_HEADINGS, &rows))
    }
}

fn boards(results: &Results) -> Markup {
    let found = telling(
        results.set,
        results.answers,
        results.entrants,
        results.pairs,
        BOARDS,
        BOARDS_OF_A_PAIR,
    );
    html! {
        @if !found.is_empty() {
            h2 { "The most telling disagreements" }
            p.small { "Where one of two gives away most and the other does not. White is below." }
            div.boards { @for disagreement in &found { (disagreement_figure(results, disagreement)) } }
        }
    }
}

fn disagreement_figure(results: &Results, found: &Disagreement) -> Markup {
    let case = &results.set.cases[found.case];
    let reference = (case.reference.best.first().copied(), case.reference.score);
    let mut lines = vec![("reference", reference, None)];
    for (place, loss) in found.places.into_iter().zip(found.losses) {
        let answers = &results.answers[place];
        if let Some(answer) = &answers.rows[found.case] {
            lines.push((&answers.name, (answer.best, answer.score), Some(loss)));
        }
    }
    let moves = lines.iter().zip(COLORS);
    let arrows = moves.filter_map(|((_, (m, _), _), color)| m.map(|m| Arrow { m, color }));
    let mut arrows: Vec<Arrow> = arrows.collect();
    arrows.reverse();
    let mover = match case.position.side_to_move() {
        Color::White => "White to move",
        Color::Black => "Black to move",
    };
    let fen = case.fen();
    html! {
        figure {
            (board(&case.position, &arrows, &format!("{mover}: {fen}")))
            figcaption {
                b { (mover) } " · " (case.id)
                ul {
                    @for ((name, (m, score), loss), color) in lines.into_iter().zip(COLORS) {
                        li {
                            (key(color)) (name) ": " b { (san(case, m)) } " " (pawns(score))
                            @if let Some(loss) = loss { (format_args!(", gives away {loss:.2}")) }
                        }
                    }
                }
                span.fen { (breakable(&fen)) }
            }
        }
    }
}

/// A FEN that a browser may break after its slashes and blanks, and nowhere else.
fn breakable(fen: &str) -> Markup {
    html! { @for part in fen.split_inclusive(['/', ' ']) { span { (part) } wbr; } }
}

/// A table like the thesis's Table 1.
fn positions(results: &Results) -> Markup {
    let shown = &results.answers[..results.answers.len().min(COLUMNS)];
    let more = results.answers.len() - shown.len();
    html! {
        h2 { "Every position" }
        details {
            summary {
                "The table (scores in pawns for the side to move; a move in red is not the reference's"
                @if more > 0 { "; " (more) " more contestants are in table.tsv" }
                ")"
            }
            div.scroll {
                table.positions {
                    thead {
                        tr {
                            th { "position" }
                            th { "reference" }
                            @for answers in shown { th { (answers.name) } }
                        }
                    }
                    tbody {
                        @for (place, case) in results.set.cases.iter().enumerate() {
                            @let best = case.reference.best.first().copied();
                            tr {
                                td.fen { (breakable(&case.fen())) }
                                td { (san(case, best)) " " (pawns(case.reference.score)) }
                                @for answers in shown { (position_cell(case, answers.rows[place].as_ref())) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn position_cell(case: &Case, answer: Option<&Answer>) -> Markup {
    let best = answer.and_then(|answer| answer.best);
    let wrong = best.is_some_and(|best| is_right(case, best) == Some(false));
    html! {
        td class=[wrong.then_some("miss")] {
            @if let Some(answer) = answer { (san(case, best)) " " (pawns(answer.score)) } @else { "–" }
        }
    }
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
    use crate::compare::play::Standing;
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
