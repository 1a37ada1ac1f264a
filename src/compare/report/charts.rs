//! The charts of the report, as SVG.

use crate::compare::error::CompareError;
use crate::compare::measure::estimate::Estimate;
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::error::Error;

/// Small, with large letters, so that a chart can be read on a phone and fills a page's width on paper.
const SIZE: (u32, u32) = (640, 440);
const LETTERS: (&str, u32) = ("sans-serif", 24);

/// Colours that the colour-blind can tell apart too (Okabe and Ito 2008), the light ones last.
const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(0, 0, 0),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(150, 150, 60),
];

/// The widest error that has a bar of its own, in the thesis's unit; the last bar holds all that are wider.
const WIDEST: f64 = 0.8;
/// Bars of a histogram.
const BARS: usize = 20;

/// The colour of the line in this place, as CSS writes it; the names stand beside the chart, where they hide nothing.
pub fn color(place: usize) -> String {
    let RGBColor(red, green, blue) = COLORS[place % COLORS.len()];
    format!("#{red:02x}{green:02x}{blue:02x}")
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// A name and its points: x, and the estimate there.
pub type Series = (String, Vec<(f64, Estimate)>);

/// What stands at the axes.
pub struct Axes {
    /// Below.
    pub x: &'static str,
    /// At the side.
    pub y: &'static str,
}

/// Lines with the intervals of their points, over whole numbers from 0.
///
/// # Errors
/// [`CompareError::Chart`] if the chart cannot be drawn.
pub fn lines(lines: &[Series], axes: &Axes) -> Result<String, CompareError> {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let right = points().map(|&(x, _)| x).fold(1.0, f64::max) + 0.25;
    let top = points().map(|(_, y)| y.high).fold(0.01, f64::max) * 1.05;
    draw(|area| {
        let mut chart = axes_of(
            area,
            -0.25..right,
            0.0..top,
            axes,
            (right.ceil() as usize + 1).min(10),
            true,
        )?;
        for (place, (_, points)) in lines.iter().enumerate() {
            let color = COLORS[place % COLORS.len()];
            // beside one another, so that intervals can be told apart
            let shift = (place as f64 - (lines.len() as f64 - 1.0) / 2.0) * 0.03;
            let bar = |&(x, y): &(f64, Estimate)| {
                PathElement::new(
                    [(x + shift, y.low), (x + shift, y.high)],
                    color.mix(0.5).stroke_width(2),
                )
            };
            chart.draw_series(points.iter().map(bar))?;
            let line = points.iter().map(|&(x, y)| (x + shift, y.value));
            chart.draw_series(LineSeries::new(line.clone(), color.stroke_width(2)))?;
            let dots = line.map(|point| Circle::new(point, 4, color.filled()));
            chart.draw_series(dots)?;
        }
        Ok(())
    })
}

/// How often errors of each size come, by contestant.
///
/// # Errors
/// [`CompareError::Chart`] if the chart cannot be drawn.
pub fn histogram(errors: &[(String, Vec<f64>)], axes: &Axes) -> Result<String, CompareError> {
    let shares: Vec<[f64; BARS]> = errors.iter().map(|(_, errors)| shares(errors)).collect();
    let top = shares.iter().flatten().copied().fold(0.01, f64::max) * 1.05;
    draw(|area| {
        let mut chart = axes_of(area, 0.0..WIDEST, 0.0..top, axes, 8, false)?;
        for (place, shares) in shares.iter().enumerate() {
            let color = COLORS[place % COLORS.len()];
            let width = WIDEST / BARS as f64;
            let steps = shares
                .iter()
                .enumerate()
                .flat_map(|(bar, &share)| [(bar as f64 * width, share), ((bar + 1) as f64 * width, share)]);
            let line = LineSeries::new(steps, color.stroke_width(2));
            chart.draw_series(line)?;
        }
        Ok(())
    })
}

fn shares(errors: &[f64]) -> [f64; BARS] {
    let mut shares = [0.0; BARS];
    for error in errors {
        let bar = ((error / WIDEST * BARS as f64) as usize).min(BARS - 1);
        shares[bar] += 100.0 / errors.len() as f64;
    }
    shares
}

/// Predicted against observed: points, and the diagonal on which both agree.
///
/// # Errors
/// [`CompareError::Chart`] if the chart cannot be drawn.
pub fn calibration(lines: &[Series], axes: &Axes) -> Result<String, CompareError> {
    draw(|area| {
        let mut chart = axes_of(area, 0.0..1.0, 0.0..1.0, axes, 6, false)?;
        chart.draw_series(LineSeries::new([(0.0, 0.0), (1.0, 1.0)], BLACK.mix(0.4)))?;
        for (place, (_, points)) in lines.iter().enumerate() {
            let color = COLORS[place % COLORS.len()];
            let bar = |&(x, y): &(f64, Estimate)| PathElement::new([(x, y.low), (x, y.high)], color.mix(0.5));
            chart.draw_series(points.iter().map(bar))?;
            let line = points.iter().map(|&(x, y)| (x, y.value));
            chart.draw_series(LineSeries::new(line.clone(), color.stroke_width(2)))?;
            let dots = line.map(|point| Circle::new(point, 4, color.filled()));
            chart.draw_series(dots)?;
        }
        Ok(())
    })
}

/// Draws into memory. The size is left to the page.
fn draw(function: impl FnOnce(&Area) -> Result<(), Box<dyn Error>>) -> Result<String, CompareError> {
    let mut picture = String::new();
    {
        let area = SVGBackend::with_string(&mut picture, SIZE).into_drawing_area();
        let drawn = function(&area).and_then(|()| Ok(area.present()?));
        drawn.map_err(|error| CompareError::Chart(error.to_string()))?;
    }
    let size = format!("width=\"{}\" height=\"{}\" ", SIZE.0, SIZE.1);
    Ok(picture.replacen(&size, "class=\"chart\" role=\"img\" ", 1))
}

fn axes_of<'a, 'b>(
    area: &'a Area<'b>,
    x: std::ops::Range<f64>,
    y: std::ops::Range<f64>,
    axes: &Axes,
    x_labels: usize,
    whole: bool,
) -> Result<Chart<'a, 'b>, Box<dyn Error>> {
    area.fill(&WHITE)?;
    let top = y.end;
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .margin_right(26)
        .x_label_area_size(62)
        .y_label_area_size(80)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels(x_labels)
        .y_label_formatter(&|y| match top >= 10.0 {
            true => format!("{y:.0}"),
            false => format!("{}", (y * 1e6).round() / 1e6),
        })
        .x_label_formatter(&|x| {
            if whole {
                format!("{x:.0}")
            } else {
                format!("{x:.1}")
            }
        })
        .x_desc(axes.x)
        .y_desc(axes.y)
        .label_style(LETTERS)
        .axis_desc_style(LETTERS)
        .draw()?;
    Ok(chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, value: f64) -> (f64, Estimate) {
        let estimate = Estimate {
            value,
            low: value - 0.05,
            high: value + 0.05,
            count: 9,
        };
        (x, estimate)
    }

    #[test]
    fn charts_hold_their_lines() {
        let axes = Axes {
            x: "plies",
            y: "share",
        };
        let line = |name: &str| (name.to_string(), vec![point(0.0, 0.2), point(1.0, 0.4)]);
        let pictures = [
            lines(&[line("first"), line("second")], &axes).unwrap(),
            calibration(&[line("first"), line("second")], &axes).unwrap(),
            histogram(
                &[("first".into(), vec![0.1, 5.0]), ("second".into(), vec![])],
                &axes,
            )
            .unwrap(),
        ];
        for picture in pictures {
            assert!(picture.starts_with("<svg class=\"chart\"") && picture.trim_end().ends_with("</svg>"));
            assert!(picture.contains("plies") && picture.contains("share"));
            let strokes = [0, 1].map(|place| picture.to_lowercase().contains(&color(place)));
            assert_eq!(strokes, [true; 2]);
        }
        assert!(lines(&[], &axes).is_ok());
    }

    #[test]
    fn the_last_bar_holds_all_wide_errors() {
        let shares = shares(&[0.0, 0.01, 0.79, 2.0]);
        assert_eq!((shares[0], shares[BARS - 1]), (50.0, 50.0));
    }

    #[test]
    fn lines_stand_evenly_about_their_whole_numbers() {
        let axes = Axes { x: "x", y: "y" };
        let mean = |count: usize| {
            let line = |place: usize| (place.to_string(), vec![point(0.0, 0.2), point(1.0, 0.4)]);
            let picture = lines(&(0..count).map(line).collect::<Vec<_>>(), &axes).unwrap();
            let dots = picture.split("<circle cx=\"").skip(1);
            let across = dots.map(|dot| dot.split('"').next().unwrap().parse::<f64>().unwrap());
            across.sum::<f64>() / (2 * count) as f64
        };
        // 0 and 1 lie as far from the ends of the area, which begins after 90 pixels and ends 26 before the picture does
        let middle = f64::from(90 + SIZE.0 - 26) / 2.0;
        for count in 1..4 {
            assert!(
                (mean(count) - middle).abs() <= 2.0,
                "{count}: {} {middle}",
                mean(count)
            );
        }
    }
}
