//! Pictures of a training, as SVG: how the error fell, and how errors are spread.

use super::TrainError;
use super::checkpoint::{Measurement, write_whole};
use super::meaning::label_for;
use super::measure::{Group, Measures, error, is_quiet};
use crate::board::Color;
use crate::data::Record;
use crate::nets::score::Score;
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

const SIZE: (u32, u32) = (900, 540);
/// Bars of the histogram, from 0 to [`WIDEST`].
const BARS: usize = 40;
/// The widest error that has a bar of its own, in the thesis's unit; the last bar holds all that are wider.
const WIDEST: f64 = 0.8;

/// The name, colour and points of a line in a chart.
type NamedLine = (&'static str, RGBColor, Vec<(f64, f64)>);

/// The errors on held-out positions over the positions trained on, with the material count as a level line.
pub fn curves(history: &[Measurement], measures: &Measures, path: &Path) -> Result<(), TrainError> {
    let material = measures.row(Group::All).material.mean();
    draw(path, |picture| draw_curves(history, material, picture))
}

/// How many errors have which size, on all positions and on the quiet ones.
pub fn histogram(records: &[Record], scores: &[Score], path: &Path) -> Result<(), TrainError> {
    let mut bars = [[0u64; BARS]; 2];
    for (record, &score) in records.iter().zip(scores) {
        let error = error(f64::from(score), label_for(record, Color::White));
        let bar = ((error / WIDEST * BARS as f64) as usize).min(BARS - 1);
        bars[0][bar] += 1;
        bars[1][bar] += is_quiet(record) as u64;
    }
    draw(path, |picture| draw_histogram(&bars, picture))
}

/// Draws into memory and writes the file whole.
fn draw(
    path: &Path,
    function: impl FnOnce(&mut String) -> Result<(), Box<dyn Error>>,
) -> Result<(), TrainError> {
    let mut picture = String::new();
    function(&mut picture).map_err(|error| TrainError::file(path, error))?;
    write_whole(path, picture.as_bytes())
}

fn draw_curves(history: &[Measurement], material: f64, picture: &mut String) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let end = history.last().map_or(1.0, |last| last.positions as f64 / 1e6);
    let top = history.iter().map(|m| m.error).fold(material, f64::max) * 1.05;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .caption(
            "Mean error on held-out positions, ten pawns = 1",
            ("sans-serif", 20),
        )
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..end, 0.0..top)?;
    chart
        .configure_mesh()
        .x_desc("million positions trained on")
        .draw()?;
    let lines: [NamedLine; 4] = [
        ("all", BLUE, points(history, |m| Some(m.error))),
        ("quiet", RED, points(history, |m| m.error_quiet)),
        (
            "share not correct (error over 0.9)",
            GREEN,
            points(history, |m| m.correct.map(|correct| 1.0 - correct)),
        ),
        ("material, all", BLACK, vec![(0.0, material), (end, material)]),
    ];
    for (name, color, points) in lines {
        chart
            .draw_series(LineSeries::new(points, color))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
    }
    chart.configure_series_labels().border_style(BLACK).draw()?;
    area.present()?;
    Ok(())
}

fn points(history: &[Measurement], value: impl Fn(&Measurement) -> Option<f64>) -> Vec<(f64, f64)> {
    let point = |m: &Measurement| Some((m.positions as f64 / 1e6, value(m)?));
    history.iter().filter_map(point).collect()
}

fn draw_histogram(bars: &[[u64; BARS]; 2], picture: &mut String) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let share = |bars: &[u64; BARS], bar: usize| bars[bar] as f64 / bars.iter().sum::<u64>().max(1) as f64;
    let top = bars
        .iter()
        .flat_map(|set| (0..BARS).map(|bar| share(set, bar)))
        .fold(0.01, f64::max);
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .caption("Errors on held-out positions by size", ("sans-serif", 20))
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..WIDEST, 0.0..top * 1.05)?;
    chart
        .configure_mesh()
        .x_desc("error, ten pawns = 1")
        .y_desc("share of positions")
        .draw()?;
    for ((name, color), set) in [("all", BLUE), ("quiet", RED)].into_iter().zip(bars) {
        let width = WIDEST / BARS as f64;
        let steps = (0..BARS).flat_map(|bar| {
            let height = share(set, bar);
            [(bar as f64 * width, height), ((bar + 1) as f64 * width, height)]
        });
        chart
            .draw_series(LineSeries::new(steps, color))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
    }
    chart.configure_series_labels().border_style(BLACK).draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Label;
    use crate::training::baselines::Baselines;

    #[test]
    fn pictures_hold_their_lines() {
        let folder = tempfile::tempdir().unwrap();
        let record = Record::new(&Position::default()).with_label(Label::centipawns(30));
        let baselines = Baselines::fit(&[record]);
        let measures = Measures::of(&[record], &[130], &baselines);
        let history: Vec<Measurement> = (1..4)
            .map(|n| Measurement {
                positions: n * 1_000_000,
                rate: 1e-3,
                loss: 0.1,
                error: 0.3 / n as f64,
                error_quiet: Some(0.2 / n as f64),
                error_expected: None,
                correct: Some(0.99),
            })
            .collect();
        let [one, two] = ["curves.svg", "errors.svg"].map(|name| folder.path().join(name));
        curves(&history, &measures, &one).unwrap();
        histogram(&[record; 3], &[130, 30, -2000], &two).unwrap();
        for path in [one, two] {
            let text = std::fs::read_to_string(path).unwrap();
            assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
            assert!(text.matches("<polyline").count() >= 2);
            assert!(!text.contains("material") || text.contains("error over 0.9"));
        }
    }

    #[test]
    fn what_is_not_correct_is_drawn() {
        let history: Vec<Measurement> = (1..4)
            .map(|n| Measurement {
                positions: n * 1_000_000,
                rate: 1e-3,
                loss: 0.1,
                error: 0.4,
                error_quiet: Some(0.1 * n as f64),
                error_expected: None,
                correct: Some(1.0 - 0.1 * n as f64),
            })
            .collect();
        let mut picture = String::new();
        draw_curves(&history, 0.2, &mut picture).unwrap();
        let points = |color: &str| {
            let mut lines = picture.split("<polyline").skip(1);
            let line = lines.find(|line| line.contains(color))?;
            Some(line.split("points=\"").nth(1)?.split('"').next()?.to_string())
        };
        // as large as the error on quiet positions here
        assert!(
            points("#FF0000").is_some_and(|points| !points.is_empty()),
            "{picture}"
        );
        assert_eq!(points("#00FF00"), points("#FF0000"));
    }

    #[test]
    fn an_error_is_as_large_whoever_is_to_move() {
        let folder = tempfile::tempdir().unwrap();
        let drawn = |side: &str| {
            let position = Position::from_fen(&format!("4k3/8/8/8/8/8/8/R3K3 {side} - - 0 1")).unwrap();
            let record = Record::new(&position).with_label(Label::centipawns(500));
            let path = folder.path().join(side);
            histogram(&[record], &[500], &path).unwrap();
            std::fs::read_to_string(path).unwrap()
        };
        assert_eq!(drawn("w"), drawn("b"));
    }
}
