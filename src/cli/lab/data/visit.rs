//! `enroc data visit`: positions from inside searches.

use super::shared::{GamesArguments, OutputArguments, finish, nothing_read};
use crate::cli::lab::progress::spinner;
use crate::cli::lab::values::share;
use crate::cli::result::CommandResult;
use crate::data::formats::games::GameSettings;
use crate::data::formats::source::{GroupSource, Groups};
use crate::data::job::InputIdentity;
use crate::visits::{VisitSettings, visit};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Args)]
pub struct VisitArguments {
    /// Where searches begin: files or folders as for `import`
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    games: GamesArguments,
    /// The share of the positions, 0 to 1, from which a search begins
    #[arg(long, default_value_t = 1.0, value_name = "SHARE", value_parser = share)]
    share: f64,
    /// Begin no search where the input says that one side is ahead by more than this many centipawns
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(1..=30_000))]
    most_start: Option<u16>,
    /// Nodes of each search
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Keep one evaluated position in so many
    #[arg(long, default_value_t = 12, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    one_in: u32,
    /// Searches at once; one for each core by default
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
}

/// What decides the records of a run.
#[derive(Serialize)]
#[serde(tag = "command", rename = "visit")]
struct VisitJob {
    inputs: Vec<InputIdentity>,
    games: GameSettings,
    searches: VisitSettings,
    /// Its version and commit: the search and its network are its own.
    program: &'static str,
    shard_records: u64,
}

/// Collects the positions.
pub fn run(arguments: &VisitArguments) -> CommandResult {
    let games = arguments.games.settings();
    let settings = VisitSettings {
        share: arguments.share,
        most_start: arguments.most_start,
        nodes: arguments.nodes,
        one_in: arguments.one_in,
        seed: arguments.games.seed,
    };
    let job = VisitJob {
        inputs: InputIdentity::of_all(&arguments.inputs)?,
        games,
        searches: settings,
        program: env!("ENROC_VERSION"),
        shard_records: arguments.output.shard_records,
    };
    let Some(mut writer) = arguments.output.open(&job, &arguments.inputs)? else {
        return Ok(());
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.workers.map_or(cores, usize::from);
    let mut source = Groups::new(arguments.inputs.clone(), games);
    let progress = spinner("positions kept");
    let report = visit(&mut source, &settings, threads, &mut writer, &mut |so_far| {
        progress.set_position(so_far.kept);
    })?;
    let seconds = progress.elapsed().as_secs_f64();
    progress.finish_and_clear();
    let mut notes = source.skipped().to_vec();
    if writer.groups() == 0 {
        drop(writer);
        return Err(nothing_read(&notes, &arguments.inputs, &arguments.output.out));
    }
    notes.push(format!(
        "{} positions of {} searches kept in the last run, {:.0} a second",
        report.kept,
        report.searches,
        report.kept as f64 / seconds.max(1e-3)
    ));
    finish(*writer, notes, &arguments.output.out)
}
