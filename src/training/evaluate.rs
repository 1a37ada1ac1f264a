//! Measuring a net on labelled positions: what `enroc net eval` prints.

use super::measure::{Baselines, Errors, Group, Measures};
use super::{TrainError, part_name};
use crate::board::{Color, Position};
use crate::data::Part;
use crate::data::Record;
use crate::data::feed::loader;
use crate::data::feed::loader::Selection;
use crate::data::record::RecordError;
use crate::nets::Evaluator;
use crate::nets::score::Score;
use std::fmt;
use std::path::PathBuf;

/// Positions that are held unpacked at a time.
const CHUNK: usize = 4096;

/// What to measure on.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Sources of labelled positions.
    pub files: Vec<PathBuf>,
    /// How they are divided, and how many are read; the filter is for the training part.
    pub selection: Selection,
    /// Which part is measured. The baselines are always fitted to the training part.
    pub part: Part,
}

/// The measures of a net, with the baselines beside it.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was measured.
    pub measures: Measures,
    /// What the net is compared with.
    pub baselines: Baselines,
}

/// Measures an evaluator.
///
/// # Errors
/// As the reading of the data; [`TrainError::NothingToMeasure`] if the part holds no labelled position.
pub fn evaluate(evaluator: &mut (impl Evaluator + ?Sized), sample: &Sample) -> Result<Report, TrainError> {
    let loaded = loader::load(&sample.files, &sample.selection)?;
    let baselines = Baselines::fit(&loaded.training);
    let records = loaded.part(sample.part);
    if records.is_empty() {
        return Err(TrainError::NothingToMeasure(part_name(sample.part)));
    }
    let scores = scores(evaluator, records)?;
    Ok(Report {
        measures: Measures::of(records, &scores, &baselines),
        baselines,
    })
}

/// What an evaluator says of positions, in centipawns for White.
fn scores(evaluator: &mut (impl Evaluator + ?Sized), records: &[Record]) -> Result<Vec<Score>, TrainError> {
    let mut scores = Vec::with_capacity(records.len());
    let batch = evaluator.batch_size().max(1);
    for chunk in records.chunks(CHUNK) {
        let positions = chunk
            .iter()
            .map(Record::position)
            .collect::<Result<Vec<Position>, RecordError>>()?;
        let begin = scores.len();
        for positions in positions.chunks(batch) {
            if let [position] = positions {
                evaluator.refresh(position);
                scores.push(evaluator.evaluate(position));
            } else {
                evaluator.evaluate_batch(positions, &mut scores);
            }
        }
        for (score, position) in scores[begin..].iter_mut().zip(&positions) {
            if position.side_to_move() == Color::Black {
                *score = -*score;
            }
        }
    }
    Ok(scores)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "error: mean absolute, ten pawns = 1, clipped; game: the same in the game's expected score, a win = 1;"
        )?;
        writeln!(
            f,
            "cp: the same in centipawns where |label| < 1000; side: who is better; r: correlation; 0.9, 0.1: share"
        )?;
        writeln!(
            f,
            "within; const, mat: a constant's and a material count's error ({:.0}; {:.0?} and {:.0} for the move)",
            self.baselines.constant,
            &self.baselines.values[..5],
            self.baselines.values[5]
        )?;
        writeln!(
            f,
            "{:<15} {:>9} {:>7} {:>6} {:>5} {:>6} {:>6} {:>6} {:>6} | {:>6} {:>6}",
            "", "positions", "error", "game", "cp", "side", "r", "0.9", "0.1", "const", "mat"
        )?;
        for group in Group::ALL {
            let row = self.measures.row(group);
            if row.net.count() > 0 {
                write_row(f, group.name(), &row.net)?;
                writeln!(f, " | {:>6.4} {:>6.4}", row.constant.mean(), row.material.mean())?;
            }
        }
        let all = self.measures.row(Group::All);
        for (name, errors) in [("constant, all", &all.constant), ("material, all", &all.material)] {
            write_row(f, name, errors)?;
            writeln!(f)?;
        }
        Ok(())
    }
}

fn write_row(f: &mut fmt::Formatter, name: &str, errors: &Errors) -> fmt::Result {
    write!(
        f,
        "{name:<15} {:>9} {:>7.4} {:>6.4} {:>5.0} {:>6.4} {:>6.4} {:>6.4} {:>6.4}",
        errors.count(),
        errors.mean(),
        errors.expected(),
        errors.centipawns(),
        errors.sign(),
        errors.correlation(),
        errors.loose(),
        errors.strict()
    )
}
