//! The arguments that say which engine labels positions, and how.

use crate::data::DataError;
use crate::labelling::LabelSettings;
use crate::labelling::line::LineSettings;
use crate::uci_client::{Effort, EngineSettings, MOST_AHEAD, UciClient};
use clap::Args;
use serde_json::{Value, json};
use std::time::Duration;

#[derive(Args)]
pub struct Labeller {
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
    /// Engines at once; one for each core by default
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
    /// Questions that an engine is sent before its first answer; 64 with --depth and 1 otherwise by default
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_AHEAD as i64))]
    ahead: Option<u16>,
    /// Seconds that the engine may take for one answer
    #[arg(long, default_value_t = 30.0, value_name = "SECONDS", value_parser = seconds)]
    timeout: f32,
    /// Random moves before the first labelled position, such as 3 or 1-5
    #[arg(long, value_name = "N-M", default_value = "1-5", value_parser = from_to)]
    random: (u32, u32),
}

impl Labeller {
    fn effort(&self) -> Effort {
        match (self.depth, self.nodes, self.movetime) {
            (Some(plies), _, _) => Effort::Depth(plies),
            (_, Some(nodes), _) => Effort::Nodes(nodes),
            (_, _, Some(time)) => Effort::Time(Duration::from_millis(time)),
            _ => Effort::Depth(3),
        }
    }

    /// The random moves; the rest as by default.
    pub fn line(&self, seed: u64) -> LineSettings {
        LineSettings {
            least_random: self.random.0,
            most_random: self.random.1,
            seed,
            ..LineSettings::default()
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
    pub fn settings(&self, line: LineSettings) -> LabelSettings {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let effort = self.effort();
        LabelSettings {
            engine: self.engine(),
            effort,
            workers: self.workers.map_or(cores, usize::from),
            ahead: self
                .ahead
                .map_or(LabelSettings::default_ahead(effort), usize::from),
            line,
        }
    }

    /// What the labels depend on; starts the engine once, to learn its name and whether it is there at all.
    pub fn describe(&self) -> Result<Value, DataError> {
        let settings = self.engine();
        let engine = UciClient::start(&settings)?;
        Ok(json!({
            "engine": engine.name(),
            "options": settings.options,
            "effort": self.effort().to_string(),
            "random": [self.random.0, self.random.1],
        }))
    }
}

pub(super) fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is written NAME=VALUE")?;
    Ok((name.to_string(), value.to_string()))
}

/// A share, from 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a share lies between 0 and 1".to_string()),
    }
}

/// A time to wait in seconds, from 0.1 to a day.
pub(super) fn seconds(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(seconds) if (0.1..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("seconds lie between 0.1 and 86400".to_string()),
    }
}

fn from_to(text: &str) -> Result<(u32, u32), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if from <= to && to <= 1_000 => Ok((from, to)),
        _ => Err("a range is written 3 or 1-5, up to 1000".to_string()),
    }
}
