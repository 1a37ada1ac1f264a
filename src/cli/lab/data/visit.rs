//! `enroc data visit`: positions from inside searches.

use super::shared::{GamesArguments, OutputArguments, finish, nothing_read};
use crate::cli::lab::progress::spinner;
use crate::cli::lab::values::{factor, share};
use crate::cli::result::CommandResult;
use crate::data::Part;
use crate::data::formats::games::GameSettings;
use crate::data::formats::source::{GroupSource, Groups};
use crate::data::job::InputIdentity;
use crate::labelling::TeacherIdentity;
use crate::nets::teacher::Teacher;
use crate::visits::{Drawing, Thinning, VisitSettings, visit};
use clap::{Args, ValueEnum};
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
    /// Search with the network of Stockfish 15.1, and label what is kept with its static evaluations and hints
    #[arg(long, value_name = "NNUE")]
    teacher: Option<PathBuf>,
    /// Multiply the teacher's evaluations by this
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR", requires = "teacher", value_parser = factor)]
    scale: f64,
    /// Of positions with labels beyond so many centipawns, keep only one in so many of those that would be kept, such as 600:4
    #[arg(long, value_name = "CP:N", requires = "teacher", value_parser = thinning)]
    thin: Option<Thinning>,
    /// Begin searches from this part of the games alone, as recipes divide them by default
    #[arg(long, value_enum)]
    part: Option<PartName>,
    /// Searches at once; one for each core by default
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
}

/// The parts of a training's data.
#[derive(Clone, Copy, ValueEnum)]
enum PartName {
    Training,
    Validation,
    Test,
}

/// Reads `CP:N`.
fn thinning(text: &str) -> Result<Thinning, String> {
    let read = || {
        let (beyond, one_in) = text.split_once(':')?;
        Some(Thinning {
            beyond: beyond.parse().ok()?,
            one_in: one_in.parse().ok().filter(|&one_in| one_in > 0)?,
        })
    };
    read().ok_or_else(|| "it is not of the form 600:4, centipawns and a number from 1".to_string())
}

/// What decides the records of a run.
#[derive(Serialize)]
#[serde(tag = "command", rename = "visit")]
struct VisitJob {
    inputs: Vec<InputIdentity>,
    games: GameSettings,
    searches: VisitSettings,
    #[serde(skip_serializing_if = "Option::is_none")]
    teacher: Option<TeacherIdentity>,
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
        drawing: Drawing {
            one_in: arguments.one_in,
            thin: arguments.thin,
        },
        part: arguments.part.map(|part| match part {
            PartName::Training => Part::Training,
            PartName::Validation => Part::Validation,
            PartName::Test => Part::Test,
        }),
        seed: arguments.games.seed,
    };
    let read = |path: &PathBuf| Teacher::read(path, arguments.scale);
    let teacher = arguments.teacher.as_ref().map(read).transpose()?;
    let job = VisitJob {
        inputs: InputIdentity::of_all(&arguments.inputs)?,
        games,
        searches: settings,
        teacher: teacher.as_ref().map(TeacherIdentity::of),
        program: env!("ENROC_VERSION"),
        shard_records: arguments.output.shard_records,
    };
    let opened = arguments
        .output
        .open(&job, &arguments.inputs, teacher.is_some())?;
    let Some(mut writer) = opened else {
        return Ok(());
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.workers.map_or(cores, usize::from);
    let mut source = Groups::new(arguments.inputs.clone(), games);
    let progress = spinner("positions kept");
    let report = visit(
        &mut source,
        &settings,
        teacher.as_ref(),
        threads,
        &mut writer,
        &mut |so_far| {
            progress.set_position(so_far.kept);
        },
    )?;
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
