//! Measuring a net on labelled positions: what `enroc net eval` does.

use super::baselines::Baselines;
use super::measure::Measures;
use super::{TrainError, part_name};
use crate::board::{Color, Position};
use crate::data::Part;
use crate::data::Record;
use crate::data::feed::loader;
use crate::data::feed::loader::Selection;
use crate::data::record::RecordError;
use crate::nets::Evaluator;
use crate::nets::score::Score;
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
pub struct Evaluation {
    /// What was measured.
    pub measures: Measures,
    /// What the net is compared with.
    pub baselines: Baselines,
}

/// Measures an evaluator.
///
/// # Errors
/// As the reading of the data; [`TrainError::NothingToMeasure`] if the part holds no labelled position.
pub fn evaluate(evaluator: &mut dyn Evaluator, sample: &Sample) -> Result<Evaluation, TrainError> {
    let loaded = loader::load(&sample.files, &sample.selection)?;
    let baselines = Baselines::fit(&loaded.training);
    let records = loaded.part(sample.part);
    if records.is_empty() {
        return Err(TrainError::NothingToMeasure(part_name(sample.part)));
    }
    let scores = scores(evaluator, records)?;
    Ok(Evaluation {
        measures: Measures::of(records, &scores, &baselines),
        baselines,
    })
}

/// What an evaluator says of positions, in centipawns for White.
fn scores(evaluator: &mut dyn Evaluator, records: &[Record]) -> Result<Vec<Score>, TrainError> {
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
