//! `enroc net check`: whether a net file that another program wrote means here what it meant there.

use super::choice;
use crate::board::Position;
use crate::cli::result::CommandResult;
use crate::compare::set::Set;
use crate::nets::curve::thesis_unit;
use crate::nets::head::OutputHead;
use crate::nets::heuristics::Heuristics;
use crate::nets::net::{GOLDEN_KEY, Golden, Net};
use crate::nets::registry;
use crate::nets::score::Score;
use crate::support::foreign::one_line;
use crate::support::terminal::say;

/// How far an output may be from a golden one: what half precision may change of weights that were trained in f32.
const TOLERANCE: f64 = 2e-3;

/// Checks and prints.
pub fn check(name: &str) -> CommandResult {
    let choice = choice(Some(name))?;
    let (golden, net) = (choice.head()?.golden, choice.read()?);
    let info = &net.info;
    say(format_args!(
        "{} {} {}: every tensor of the layout is there",
        info.name, info.architecture.kind, info.architecture.layout
    ));
    let disagrees = compare_golden(&net, &golden)?;
    measure(&net)?;
    match disagrees {
        true => Err("the outputs are not those that the file names".into()),
        false => Ok(()),
    }
}

/// Prints the golden outputs beside ours, and says whether one is too far away.
fn compare_golden(net: &Net, golden: &[Golden]) -> Result<bool, Box<dyn std::error::Error>> {
    if golden.is_empty() {
        say(format_args!(
            "the file names no outputs to compare with (metadata `{GOLDEN_KEY}`, see docs/net-format.md)"
        ));
        return Ok(false);
    }
    let positions = golden.iter().map(|golden| {
        let fen = one_line(&golden.fen);
        Position::from_fen(&golden.fen).map_err(|error| format!("golden position {fen}: {error}"))
    });
    let positions = positions.collect::<Result<Vec<_>, _>>()?;
    let mut furthest = 0f64;
    for (golden, output) in golden.iter().zip(registry::outputs(net, &positions)?) {
        let distance = (f64::from(output) - golden.output).abs();
        // NaN is as far as can be
        furthest = if distance > furthest || distance.is_nan() {
            distance
        } else {
            furthest
        };
        say(format_args!(
            "golden {:9.6}  here {output:9.6}  {}",
            golden.output,
            one_line(&golden.fen)
        ));
    }
    say(format_args!(
        "largest difference {furthest:.1e}; {TOLERANCE:.0e} is allowed"
    ));
    Ok(furthest > TOLERANCE || furthest.is_nan())
}

/// Prints the errors on the built-in positions of the net, of the best constant and of counting pieces, with a warning where
/// the net is no better.
fn measure(net: &Net) -> CommandResult {
    let set = Set::built_in()?;
    let cases = set.cases.iter();
    let cases = cases.filter_map(|case| Some((case.position, case.reference.score?)));
    let (positions, labels): (Vec<Position>, Vec<Score>) = cases.unzip();
    let head = OutputHead::of(&net.info);
    let outputs = registry::outputs(net, &positions)?;
    let scores = outputs.into_iter().zip(&positions);
    let scores = scores.map(|(output, position)| head.score_of_output(output, position));
    let ours = mean_error(scores, &labels);
    let pieces = mean_error(
        positions
            .iter()
            .map(|position| Heuristics::default().score(position)),
        &labels,
    );
    let mut sorted = labels.clone();
    sorted.sort_unstable();
    let median = sorted[sorted.len() / 2];
    let constant = mean_error(labels.iter().map(|_| median), &labels);
    say(format_args!(
        "mean error on the {} built-in positions, ten pawns = 1: net {ours:.3}, best constant {constant:.3}, counting pieces {pieces:.3}",
        labels.len()
    ));
    remark(ours, constant, pieces).iter().for_each(say);
    Ok(())
}

/// What is to be said of a net's error beside those of the best constant and of counting pieces.
fn remark(ours: f64, constant: f64, pieces: f64) -> Option<&'static str> {
    if ours >= constant {
        Some(
            "WARNING: that is no better than a constant. A net that has learnt does better: check the order of squares and pieces, the orientation, the curve and the order of each weight's dimensions",
        )
    } else if ours >= pieces {
        Some("note: counting pieces does as well")
    } else {
        None
    }
}

fn mean_error(scores: impl Iterator<Item = Score>, labels: &[Score]) -> f64 {
    let errors = scores
        .zip(labels)
        .map(|(score, &label)| (thesis_unit(score) - thesis_unit(label)).abs());
    errors.sum::<f64>() / labels.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_is_warned_of_unless_it_is_better_than_a_constant() {
        let warned = |ours| remark(ours, 0.3, 0.2).is_some_and(|text| text.starts_with("WARNING"));
        assert!(warned(0.4) && warned(0.3) && !warned(0.29));
        assert!(remark(0.2, 0.3, 0.2).is_some_and(|text| text.starts_with("note")));
        assert_eq!(remark(0.19, 0.3, 0.2), None);
    }
}
