//! What the report's charts show.

use super::charts;
use super::charts::{Axes, Series};
use super::results::Results;
use crate::board::{Color, GameResult};
use crate::compare::answer::Answers;
use crate::compare::contestant::Contestant;
use crate::compare::contestant::spec::SharedLimit;
use crate::compare::error::CompareError;
use crate::compare::measure::estimate::Estimate;
use crate::compare::measure::judge::Measure;
use crate::compare::measure::summary::{Subset, values};
use crate::compare::set::Case;
use crate::nets::wdl::expected;

/// More lines than this make a chart unreadable.
const MOST_LINES: usize = 8;
/// Classes of scores in a calibration, and how many positions one needs to be shown.
const CLASSES: usize = 10;
const LEAST: usize = 8;

/// A chart with what it shows.
pub struct Figure {
    /// What it shows, in a sentence or two.
    pub caption: String,
    pub svg: String,
    /// The names of its lines, in the order of the colours.
    pub names: Vec<String>,
}

/// All charts for which there is something to show.
///
/// # Errors
/// [`CompareError::Chart`] if one cannot be drawn.
pub fn figures(results: &Results) -> Result<Vec<Figure>, CompareError> {
    let mut figures = Vec::new();
    for (measure, caption, axes) in [
        (
            Measure::Same,
            "How often each has the reference's move, against the plies n that it looks ahead.",
            Axes {
                x: "plies",
                y: "same move, %",
            },
        ),
        (
            Measure::Equal,
            "How often its move is as strong as the reference's, against the plies n.",
            Axes {
                x: "plies",
                y: "equal strength, %",
            },
        ),
        (
            Measure::Error,
            "Mean error of the score against the plies n, ten pawns = 1; 0 plies are the network alone.",
            Axes {
                x: "plies",
                y: "score error",
            },
        ),
    ] {
        let lines = by_plies(results, measure);
        figures.extend(figure(caption, lines, |lines| charts::lines(lines, &axes))?);
    }
    let axes = Axes {
        x: "error, ten pawns = 1",
        y: "positions, %",
    };
    for (errors, caption) in [
        (
            static_errors(results),
            "Errors of the networks' own scores by size, the thesis's figure 14 (the last step holds all wider ones).",
        ),
        (
            look_ahead_errors(results),
            "Errors of the scores after look-ahead, the thesis's figure 15.",
        ),
    ] {
        figures.extend(figure(caption, errors, |errors| {
            charts::histogram(errors, &axes)
        })?);
    }
    figures.extend(calibrations(results)?);
    Ok(figures)
}

/// Draws the first [`MOST_LINES`] lines and says how many it leaves out; `None` if there are none at all.
fn figure<T>(
    caption: &str,
    mut lines: Vec<(String, T)>,
    draw: impl Fn(&[(String, T)]) -> Result<String, CompareError>,
) -> Result<Option<Figure>, CompareError> {
    let left_out = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    if lines.is_empty() {
        return Ok(None);
    }
    let caption = match left_out {
        0 => caption.to_string(),
        _ => format!("{caption} {left_out} more are in results.json."),
    };
    Ok(Some(Figure {
        caption,
        svg: draw(&lines)?,
        names: lines.into_iter().map(|(name, _)| name).collect(),
    }))
}

/// One line for each name, over its plies.
fn by_plies(results: &Results, measure: Measure) -> Vec<Series> {
    let mut lines: Vec<Series> = Vec::new();
    for (summary, entrant) in results.summaries.iter().zip(results.entrants) {
        let series = entrant.contestant.as_ref().and_then(Contestant::series);
        let Some(((name, plies), found)) = series.zip(summary.get(Subset::All, measure)) else {
            continue;
        };
        let factor = if measure.is_share() { 100.0 } else { 1.0 };
        let found = Estimate {
            value: factor * found.value,
            low: factor * found.low,
            high: factor * found.high,
            ..found
        };
        let point = (f64::from(plies), found);
        match lines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push(point),
            None => lines.push((name, vec![point])),
        }
    }
    // a network's own score, at 0 plies, begins its line with quiescence too
    for place in 0..lines.len() {
        let zero = lines[place].1.iter().copied().find(|&(plies, _)| plies == 0.0);
        let with_quiescence = format!("{}+q", lines[place].0);
        if let (Some(zero), Some((_, points))) =
            (zero, lines.iter_mut().find(|(name, _)| *name == with_quiescence))
        {
            points.push(zero);
        }
    }
    for (_, points) in &mut lines {
        points.sort_by(|one, two| one.0.total_cmp(&two.0));
    }
    // a single dot is no line; its figure stands in the tables
    lines.retain(|(_, points)| points.len() > 1);
    lines
}

type Errors = Vec<(String, Vec<f64>)>;

fn errors(results: &Results, answers: &Answers, name: &str, measure: Measure) -> (String, Vec<f64>) {
    let errors = values(results.set, answers, measure).map(|(_, error)| error);
    (name.to_string(), errors.collect())
}

/// The answers of an entrant; of a group those of its first member.
fn answers_of<'a>(results: &Results<'a>, place: usize) -> &'a Answers {
    &results.answers[results.entrants[place].members[0]]
}

/// Each network once, whatever its look-aheads.
fn static_errors(results: &Results) -> Errors {
    let mut all: Errors = Vec::new();
    for (place, entrant) in results.entrants.iter().enumerate() {
        let net = entrant.name.split('@').next().unwrap_or_default();
        if all.iter().all(|(known, _)| known != net) {
            let found = errors(results, answers_of(results, place), net, Measure::StaticError);
            if !found.1.is_empty() {
                all.push(found);
            }
        }
    }
    all
}

fn look_ahead_errors(results: &Results) -> Errors {
    let chosen = of_one_limit(results).into_iter();
    let found = chosen.map(|(name, answers)| errors(results, answers, name, Measure::Error));
    found.filter(|(_, errors)| !errors.is_empty()).collect()
}

/// The entrants with the same plies, nodes or time, where most have them; two plies, those of the thesis, before others.
fn of_one_limit<'a>(results: &Results<'a>) -> Vec<(&'a str, &'a Answers)> {
    let places = 0..results.entrants.len();
    let shared_limit = |place: usize| {
        results.entrants[place]
            .contestant
            .as_ref()
            .map(Contestant::shared_limit)
    };
    let count = |wanted: Option<SharedLimit>| {
        places
            .clone()
            .filter(|&place| shared_limit(place) == wanted)
            .count()
    };
    let best = places
        .clone()
        .map(shared_limit)
        .max_by_key(|&shared_limit| (shared_limit == Some(SharedLimit::Plies(2)), count(shared_limit)));
    places
        .clone()
        .filter(|&place| Some(shared_limit(place)) == best)
        .map(|place| (results.entrants[place].name.as_str(), answers_of(results, place)))
        .collect()
}

/// Scores against the reference and against the games' results.
fn calibrations(results: &Results) -> Result<Vec<Figure>, CompareError> {
    let chosen = of_one_limit(results);
    let kinds: [(Observe, &str, Axes); 2] = [
        (
            |case| case.reference.score.map(expected),
            "Expected score by the contestant's scores against that by the reference's.",
            Axes {
                x: "score, as expected score",
                y: "reference, as expected score",
            },
        ),
        (
            outcome,
            "Expected score by the contestant's scores against the results of the games, for positions taken from games as they are.",
            Axes {
                x: "score, as expected score",
                y: "mean result of the games",
            },
        ),
    ];
    let mut figures = Vec::new();
    for (observe, caption, axes) in kinds {
        let lines: Vec<Series> = chosen
            .iter()
            .map(|(name, answers)| (name.to_string(), classes(results, answers, observe)))
            .filter(|(_, points)| points.len() > 1)
            .collect();
        figures.extend(figure(caption, lines, |lines| charts::calibration(lines, &axes))?);
    }
    Ok(figures)
}

/// What was observed of a position for the side to move, between 0 and 1.
type Observe = fn(&Case) -> Option<f64>;

/// The game's result for the side to move.
fn outcome(case: &Case) -> Option<f64> {
    let white = match case.result {
        GameResult::Unknown => return None,
        GameResult::WhiteWins => 1.0,
        GameResult::Draw => 0.5,
        GameResult::BlackWins => 0.0,
    };
    Some(match case.position.side_to_move() {
        Color::White => white,
        Color::Black => 1.0 - white,
    })
}

/// The mean prediction of each class of scores, and the mean of what was observed.
fn classes(results: &Results, answers: &Answers, observe: Observe) -> Vec<(f64, Estimate)> {
    let mut classes: Vec<(Vec<f64>, Vec<f64>)> = vec![Default::default(); CLASSES];
    for (case, answer) in results.set.cases.iter().zip(&answers.rows) {
        let predicted = answer.as_ref().and_then(|answer| answer.score).map(expected);
        if let Some((predicted, observed)) = predicted.zip(observe(case)) {
            let class = ((predicted * CLASSES as f64) as usize).min(CLASSES - 1);
            classes[class].0.push(predicted);
            classes[class].1.push(observed);
        }
    }
    classes
        .iter()
        .filter(|(predicted, _)| predicted.len() >= LEAST)
        .filter_map(|(predicted, observed)| {
            let mean = predicted.iter().sum::<f64>() / predicted.len() as f64;
            Some((mean, Estimate::of_mean(observed)?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_chart_leaves_out_is_said() {
        let lines = |count| vec![("x".to_string(), ()); count];
        let drawn = |count| {
            let draw = |lines: &[(String, ())]| Ok(lines.len().to_string());
            figure("It shows this.", lines(count), draw).unwrap()
        };
        assert!(drawn(0).is_none());
        assert_eq!(drawn(8).unwrap().caption, "It shows this.");
        let many = drawn(10).unwrap();
        assert_eq!((many.svg.as_str(), many.names.len()), ("8", 8));
        assert!(many.caption.ends_with("2 more are in results.json."));
    }
}
