//! How positions are labelled, and what a run reports.

use super::playout::PlayoutSettings;
use crate::uci_client::{Effort, EngineSettings};
use std::fmt;

/// Where the score of a label comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Means {
    /// A search, which gives the best move too.
    Search(Effort),
    /// The engine's static evaluation, times this: most networks' pawns are not worth those of their searches.
    Static(f64),
}

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Means::Search(effort) => write!(f, "{effort}"),
            Means::Static(scale) => write!(f, "static * {scale}"),
        }
    }
}

/// How positions are labelled.
#[derive(Clone, Debug)]
pub struct LabelSettings {
    /// The engine that gives the labels.
    pub engine: EngineSettings,
    /// How it gives them.
    pub means: Means,
    /// Engines at once.
    pub workers: usize,
    /// Questions that each engine is sent before its first answer.
    pub ahead: usize,
    /// How each start position is played out.
    pub playout: PlayoutSettings,
}

impl LabelSettings {
    /// Questions to send ahead by default: many where depth bounds the work, or there is no search, and waiting for each
    /// answer would cost more than the work; one where nodes or time do, for some engines stop thinking at the next
    /// question.
    pub fn default_ahead(means: Means) -> usize {
        match means {
            Means::Search(Effort::Depth(_)) | Means::Static(_) => 64,
            Means::Search(Effort::Nodes(_) | Effort::Time(_)) => 1,
        }
    }
}

/// What a labelling run has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LabelReport {
    /// Positions labelled in this run.
    pub labelled: u64,
    /// Starts that were drawn again, or given up, because they were out of balance.
    pub unbalanced: u64,
    /// Start positions given up because the engine failed on them.
    pub given_up: u64,
    /// Times that an engine had to be started again.
    pub restarts: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn only_engines_without_a_limit_of_nodes_or_time_are_asked_ahead() {
        let ahead = |effort| LabelSettings::default_ahead(Means::Search(effort));
        assert!(ahead(Effort::Depth(8)) > 1 && LabelSettings::default_ahead(Means::Static(1.0)) > 1);
        assert_eq!(ahead(Effort::Nodes(1_000)), 1);
        assert_eq!(ahead(Effort::Time(Duration::from_millis(50))), 1);
    }
}
