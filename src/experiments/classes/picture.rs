//! The figures of a run as a picture: every net a dot beside the predictor that looks at nothing.

use super::coding::Task;
use super::list::Manner;
use super::measure::Figures;
use super::table::nets_of;
use super::{ClassesError, Outcome};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;

const SIZE: (u32, u32) = (1000, 760);
/// A colour for each manner; they differ in lightness too.
const COLORS: [RGBColor; 5] = [
    RGBColor(178, 24, 43),
    RGBColor(244, 145, 96),
    RGBColor(140, 140, 140),
    RGBColor(120, 180, 220),
    RGBColor(33, 80, 160),
];
const DOT: i32 = 4;

/// A figure by its name.
type Measure = (&'static str, fn(&Figures) -> f64);

const MEASURES: [Measure; 2] = [
    ("accuracy as the author measures it, %", |figures| {
        figures.accuracy
    }),
    (
        "all outputs of the evaluation (or the file) right, on average over its classes, %",
        |figures| figures.balanced_exact,
    ),
];

/// Draws the picture, as SVG.
///
/// # Errors
/// [`ClassesError::Picture`].
pub fn svg(outcome: &Outcome) -> Result<String, ClassesError> {
    let mut picture = String::new();
    draw(outcome, &mut picture).map_err(|error| ClassesError::Picture(error.to_string()))?;
    Ok(picture)
}

fn draw(outcome: &Outcome, picture: &mut String) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let halves = area.split_evenly((2, 1));
    for (half, measure) in halves.iter().zip(&MEASURES) {
        draw_measure(outcome, measure, half)?;
    }
    area.present()?;
    Ok(())
}

fn draw_measure(
    outcome: &Outcome,
    &(caption, value): &Measure,
    area: &DrawingArea<SVGBackend, Shift>,
) -> Result<(), Box<dyn Error>> {
    let tasks = outcome.constants.len();
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(caption, ("sans-serif", 18))
        .x_label_area_size(30)
        .y_label_area_size(45)
        .build_cartesian_2d(0.0..tasks as f64, 0.0..100.0)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(6)
        .draw()?;
    let label = ("sans-serif", 13).into_font().color(&BLACK);
    for (place, (task, _)) in outcome.constants.iter().enumerate() {
        let name = short(*task);
        // seven units of width a letter, as wide as the usual fonts have it
        let (x, y) = chart.backend_coord(&(place as f64 + 0.5, 0.0));
        let at = (x - 3 * name.len() as i32, y + 8);
        area.strip_coord_spec()
            .draw(&Text::new(name, at, label.clone()))?;
    }
    for (number, (manner, color)) in Manner::ALL.into_iter().zip(COLORS).enumerate() {
        let dots = outcome
            .constants
            .iter()
            .enumerate()
            .flat_map(|(place, &(task, _))| {
                let nets = nets_of(outcome, task, manner);
                let steps = nets.len() as f64;
                let values = nets.into_iter().map(|net| 100.0 * value(&net.test));
                let own = place as f64 + 0.1 + 0.165 * number as f64;
                let at = move |(layout, value): (usize, f64)| (own + 0.13 * layout as f64 / steps, value);
                values.enumerate().map(at).collect::<Vec<_>>()
            });
        let dots = dots.map(|at| Circle::new(at, DOT, color.filled()));
        chart
            .draw_series(dots)?
            .label(manner.to_string())
            .legend(move |at| Circle::new(at, DOT, color.filled()));
    }
    let level = |(place, (_, figures)): (usize, &(Task, [Figures; 2]))| {
        let height = 100.0 * value(&figures[1]);
        let ends = [(place as f64 + 0.05, height), (place as f64 + 0.95, height)];
        PathElement::new(ends, BLACK.stroke_width(2))
    };
    chart
        .draw_series(outcome.constants.iter().enumerate().map(level))?
        .label("the constant")
        .legend(|(x, y)| PathElement::new([(x - 8, y), (x + 8, y)], BLACK.stroke_width(2)));
    if value(&outcome.constants[0].1[1]) < 0.5 {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.filled())
            .border_style(BLACK)
            .draw()?;
    }
    Ok(())
}

fn short(task: Task) -> String {
    match task {
        Task::Evaluation(number) => format!("evaluation {number}"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::outcome;
    use super::*;

    #[test]
    fn every_net_is_a_dot_in_both_halves() {
        let outcome = outcome();
        let text = svg(&outcome).unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        let legend = 5;
        assert_eq!(
            text.matches("<circle").count(),
            2 * outcome.trained.len() + legend
        );
        assert!(text.contains("evaluation 7") && text.contains("free file"));
    }
}
