//! A line as any JSON with the fields of this file, however it is written.

use super::{BrokenEvaluation, Evaluation};
use crate::data::{Label, Record};
use serde::Deserialize;
use std::borrow::Cow;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    fen: Cow<'a, str>,
    #[serde(borrow)]
    evals: Vec<Search<'a>>,
}

#[derive(Deserialize)]
struct Search<'a> {
    depth: u32,
    knodes: u64,
    #[serde(borrow)]
    pvs: Vec<Variation<'a>>,
}

#[derive(Deserialize)]
struct Variation<'a> {
    cp: Option<i32>,
    mate: Option<i32>,
    #[serde(borrow, default)]
    line: Cow<'a, str>,
}

impl Search<'_> {
    /// The score and the moves of the best line.
    fn best(&self) -> Option<(Label, &str)> {
        let best = self.pvs.first()?;
        let label = match (best.cp, best.mate) {
            (Some(cp), None) => Label::centipawns(cp),
            (None, Some(moves)) => Label::mate(moves)?,
            _ => return None,
        };
        Some((label, &best.line))
    }
}

/// The record of a line.
pub(super) fn read(line: &[u8]) -> Result<Record, BrokenEvaluation> {
    let line: Line = serde_json::from_slice(line).map_err(|_| BrokenEvaluation::Json)?;
    let scored = line.evals.iter().filter(|search| search.best().is_some());
    let deepest = scored.max_by_key(|search| (search.depth, search.knodes));
    Evaluation {
        fen: &line.fen,
        best: deepest.and_then(Search::best),
    }
    .record()
}
