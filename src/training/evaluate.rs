//! Measuring a net on labelled positions, and writing what it gives for them: what `enroc net eval` does.

use super::baselines::Baselines;
use super::meaning::label_for;
use super::measure::Measures;
use super::{TrainError, part_name};
use crate::board::{Color, Position};
use crate::data::Part;
use crate::data::Record;
use crate::data::feed::loader;
use crate::data::feed::loader::Selection;
use crate::data::record::RecordError;
use crate::nets::head::OutputHead;
use crate::nets::score::Score;
use crate::nets::{Evaluator, Net, registry};
use crate::support::whole_file;
use std::path::{Path, PathBuf};

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

/// Writes what a net gives for the positions of a sample as CSV: `fen,output,centipawns,label`. The output is after tanh,
/// from the net's own point of view and computed by candle; centipawns and label are for the side to move. Returns the
/// number of rows.
///
/// # Errors
/// As [`evaluate`], and if the file cannot be written.
pub fn write_outputs(net: &Net, sample: &Sample, path: &Path) -> Result<usize, TrainError> {
    let loaded = loader::load(&sample.files, &sample.selection)?;
    let records = loaded.part(sample.part);
    if records.is_empty() {
        return Err(TrainError::NothingToMeasure(part_name(sample.part)));
    }
    let head = OutputHead::of(&net.info);
    let mut table = csv::Writer::from_writer(Vec::new());
    let faulty = |error: csv::Error| TrainError::file(path, error);
    table
        .write_record(["fen", "output", "centipawns", "label"])
        .map_err(faulty)?;
    for chunk in records.chunks(CHUNK) {
        let positions = positions(chunk)?;
        let outputs = registry::outputs(net, &positions)?;
        for ((record, position), output) in chunk.iter().zip(&positions).zip(outputs) {
            let side = position.side_to_move();
            table
                .write_record([
                    position.to_fen(position.needs_chess960()),
                    format!("{output:.7}"),
                    head.score_of_output(output, position).to_string(),
                    label_for(record, side).to_string(),
                ])
                .map_err(faulty)?;
        }
    }
    let bytes = table
        .into_inner()
        .map_err(|error| TrainError::file(path, error.into_error()))?;
    whole_file::write_bytes(path, &bytes).map_err(|error| TrainError::file(path, error))?;
    Ok(records.len())
}

fn positions(records: &[Record]) -> Result<Vec<Position>, RecordError> {
    records.iter().map(Record::position).collect()
}

/// What an evaluator says of positions, in centipawns for White.
fn scores(evaluator: &mut dyn Evaluator, records: &[Record]) -> Result<Vec<Score>, TrainError> {
    let mut scores = Vec::with_capacity(records.len());
    let batch = evaluator.batch_size().max(1);
    for chunk in records.chunks(CHUNK) {
        let positions = positions(chunk)?;
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
