//! The arguments that say which engine labels positions, and how.

use crate::cli::lab::values::{name_and_value, seconds};
use crate::cli::values::from_to;
use crate::labelling::job::LabellerIdentity;
use crate::labelling::{LabelSettings, Means, PlayoutSettings};
use crate::uci_client::{ClientError, Effort, EngineSettings, MOST_AHEAD};
use clap::Args;
use std::time::Duration;

#[derive(Args)]
pub struct LabellerArguments {
    /// The engine: a path, or a name to look for on the PATH
    #[arg(long, default_value = "stockfish", value_name = "PROGRAM")]
    engine: String,
    /// A UCI option of the engine, such as Hash=16
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// Plies that the engine searches for each position (3 if nothing else is asked for)
    #[arg(long, group = "effort", value_parser = clap::value_parser!(u32).range(1..=245))]
    depth: Option<u32>,
    /// Nodes that the engine searches for each position
    #[arg(long, group = "effort", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds that the engine thinks about each position
    #[arg(long, group = "effort", value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Engine processes at once; one for each core by default
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
    /// Questions that an engine is sent before its first answer; 64 with --depth and --static, and 1 otherwise, by default
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_AHEAD as i64))]
    ahead: Option<u16>,
    /// Seconds that the engine may take for one answer
    #[arg(long, default_value_t = 30.0, value_name = "SECONDS", value_parser = seconds)]
    timeout: f32,
    /// Random moves before the first labelled position, such as 3 or 1-5
    #[arg(long, value_name = "N-M", default_value = "1-5", value_parser = from_to)]
    random: (u32, u32),
}

impl LabellerArguments {
    /// How long the engine searches.
    pub fn effort(&self) -> Effort {
        match (self.depth, self.nodes, self.movetime) {
            (Some(plies), _, _) => Effort::Depth(plies),
            (_, Some(nodes), _) => Effort::Nodes(nodes),
            (_, _, Some(time)) => Effort::Time(Duration::from_millis(time)),
            _ => Effort::Depth(3),
        }
    }

    /// The random moves; the rest as by default.
    pub fn playout(&self, seed: u64) -> PlayoutSettings {
        PlayoutSettings {
            least_random: self.random.0,
            most_random: self.random.1,
            seed,
            ..PlayoutSettings::default()
        }
    }

    fn engine(&self) -> EngineSettings {
        let mut settings = EngineSettings {
            program: self.engine.clone(),
            patience: Duration::from_secs_f32(self.timeout),
            ..EngineSettings::default()
        };
        settings.options.extend(self.options.iter().cloned());
        settings
    }

    /// The engines and what they do.
    pub fn settings(&self, means: Means, playout: PlayoutSettings) -> LabelSettings {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        LabelSettings {
            engine: self.engine(),
            means,
            workers: self.workers.map_or(cores, usize::from),
            ahead: self
                .ahead
                .map_or(LabelSettings::default_ahead(means), usize::from),
            playout,
        }
    }

    /// What the labels depend on.
    pub fn identity(&self, means: Means, playout: &PlayoutSettings) -> Result<LabellerIdentity, ClientError> {
        LabellerIdentity::new(&self.engine(), means, playout)
    }
}
