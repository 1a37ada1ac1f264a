//! `enroc data`: the commands that make positions to learn from.

use super::Answer;
use super::labeller::{Labeller, share};
use crate::board::Position;
use crate::data::check::check;
use crate::data::filter::{Filter, FilterSettings};
use crate::data::games::GameSettings;
use crate::data::import::{Starts, import};
use crate::data::labelling::{LabelSettings, label};
use crate::data::line::LineSettings;
use crate::data::shard::{Index, SHARD_RECORDS};
use crate::data::source::{GroupSource, Groups, Source};
use crate::data::stats::Stats;
use crate::data::writer::{Opened, ShardWriter};
use crate::data::{DataError, Record};
use crate::terminal::say;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Subcommand)]
pub enum Data {
    /// Turn games, lists, labelled rows or shards into a folder of shards
    Import(Import),
    /// Label positions with a UCI engine, perhaps after random moves
    Label(Label),
    /// Let a UCI engine play on from openings, a few plies each, and label every position
    Selfplay(Selfplay),
    /// End runs that were cut off where they stopped: what they made is complete then, and they cannot go on
    Finish {
        /// Folders of shards
        #[arg(required = true)]
        folders: Vec<PathBuf>,
    },
    /// Prove that folders of shards are whole
    Check {
        /// Folders of shards
        #[arg(required = true)]
        folders: Vec<PathBuf>,
    },
    /// Print histograms of positions
    Stats {
        /// Folders of shards, or files as for `import`
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
    },
}

#[derive(Args)]
pub struct Import {
    /// .pgn, .csv (fen,score,bestmove,origin), .fen, .epd, each plain or .xz, .gz, .zst; or folders of shards
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    games: Games,
    /// Leave out positions in check
    #[arg(long)]
    drop_check: bool,
    /// Leave out positions whose best move captures or promotes
    #[arg(long)]
    drop_noisy: bool,
    /// Leave out positions without a label
    #[arg(long)]
    drop_unlabelled: bool,
    /// Leave out scores beyond this many centipawns for either side, mates included
    #[arg(long, value_name = "CP")]
    max_score: Option<u16>,
    /// Leave out positions that came before, as far as this much memory remembers them (131,072 in a MiB)
    #[arg(long, value_name = "MB")]
    unique: Option<usize>,
}

#[derive(Args)]
struct Output {
    /// The folder for the shards; a run that was cut off goes on there
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    /// Records in a shard, at most
    #[arg(long, value_name = "N", default_value_t = SHARD_RECORDS, value_parser = clap::value_parser!(u64).range(1..=SHARD_RECORDS))]
    shard_records: u64,
}

#[derive(Args)]
struct Games {
    /// Leave out the positions of a PGN game before this ply
    #[arg(long, value_name = "PLIES", default_value_t = 16)]
    skip_plies: usize,
    /// Take at most this many positions of each PGN game, drawn at random
    #[arg(long, value_name = "N")]
    per_game: Option<usize>,
    /// Draws whatever is random
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

#[derive(Args)]
pub struct Label {
    /// What to label: files or folders as for `import`
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    labeller: Labeller,
    /// The share of positions, 0 to 1, that random moves change before they are labelled
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    random_share: f64,
    /// Pass over positions in check
    #[arg(long)]
    drop_check: bool,
    /// Label again what has a label
    #[arg(long)]
    again: bool,
}

#[derive(Args)]
pub struct Selfplay {
    /// Openings: files or folders as for `import`; the start of a game if there are none
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    labeller: Labeller,
    /// How many games; the openings are used over and over
    #[arg(long = "games", value_name = "N")]
    count: u64,
    /// Positions of each game, unless it ends before
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,
    /// The share of games, 0 to 1, that begin with random moves
    #[arg(long, default_value_t = 1.0, value_name = "SHARE", value_parser = share)]
    random_share: f64,
}

/// Does what a command asks.
pub fn run(command: &Data) -> Answer {
    match command {
        Data::Import(arguments) => run_import(arguments),
        Data::Label(arguments) => run_label(arguments),
        Data::Selfplay(arguments) => run_selfplay(arguments),
        Data::Finish { folders } => run_finish(folders),
        Data::Check { folders } => run_check(folders),
        Data::Stats { inputs } => run_stats(inputs),
    }
}

fn run_import(arguments: &Import) -> Answer {
    let filter = FilterSettings {
        in_check: arguments.drop_check,
        noisy: arguments.drop_noisy,
        unlabelled: arguments.drop_unlabelled,
        max_score: arguments.max_score,
        duplicate_memory: arguments.unique,
    };
    let games = arguments.games.settings();
    let job = json!({
        "command": "import",
        "inputs": describe(&arguments.inputs)?,
        "games": arguments.games.describe(),
        "filter": filter,
        "shard_records": arguments.output.shard_records,
    });
    let Some(mut writer) = arguments.output.open(job)? else {
        return Ok(());
    };
    let mut source = Groups::new(arguments.inputs.clone(), games);
    let mut filter = Filter::new(filter);
    let progress = spinner("positions read");
    let report = import(&mut source, &mut filter, &mut writer, &mut |so_far| {
        progress.set_position(so_far.read);
    })?;
    progress.finish_and_clear();
    let mut notes = source.skipped().to_vec();
    let kept = format!(
        "{} positions in {} groups read, {} kept",
        report.read, report.groups, report.kept
    );
    notes.push(kept);
    if report.bare > 0 {
        notes.push(format!(
            "{} more stay without their labels, as the first of their groups",
            report.bare
        ));
    }
    notes.push(format!("left out: {}", filter.rejected()));
    finish(*writer, notes, &arguments.output.out)
}

fn run_label(arguments: &Label) -> Answer {
    let line = LineSettings {
        random_share: arguments.random_share,
        plies: 1,
        skip_check: arguments.drop_check,
        again: arguments.again,
        ..arguments.labeller.line(arguments.games.seed)
    };
    let job = json!({
        "command": "label",
        "inputs": describe(&arguments.inputs)?,
        "games": arguments.games.describe(),
        "random_share": line.random_share,
        "drop_check": line.skip_check,
        "again": line.again,
        "labels": arguments.labeller.describe()?,
        "shard_records": arguments.output.shard_records,
    });
    let Some(writer) = arguments.output.open(job)? else {
        return Ok(());
    };
    let mut source = Groups::new(arguments.inputs.clone(), arguments.games.settings());
    let (writer, made) = run_labeller(&mut source, arguments.labeller.settings(line), writer)?;
    let notes = source.skipped().iter().cloned().chain(made).collect();
    finish(*writer, notes, &arguments.output.out)
}

fn run_selfplay(arguments: &Selfplay) -> Answer {
    let line = LineSettings {
        random_share: arguments.random_share,
        plies: arguments.plies,
        again: true,
        ..arguments.labeller.line(arguments.games.seed)
    };
    let job = json!({
        "command": "selfplay",
        "inputs": describe(&arguments.inputs)?,
        "openings": arguments.games.describe(),
        "games": arguments.count,
        "plies": line.plies,
        "random_share": line.random_share,
        "labels": arguments.labeller.describe()?,
        "shard_records": arguments.output.shard_records,
    });
    let Some(writer) = arguments.output.open(job)? else {
        return Ok(());
    };
    let openings = read_openings(&arguments.inputs, arguments.games.settings())?;
    let mut starts = Starts::new(openings, arguments.count)?;
    let (writer, notes) = run_labeller(&mut starts, arguments.labeller.settings(line), writer)?;
    finish(*writer, notes, &arguments.output.out)
}

fn read_openings(inputs: &[PathBuf], games: GameSettings) -> Result<Vec<Record>, DataError> {
    if inputs.is_empty() {
        return Ok(vec![Record::new(&Position::default())]);
    }
    let mut openings = Vec::new();
    for input in inputs {
        let mut source = Source::open(input, games)?;
        while source.read(&mut openings)? {}
    }
    Ok(openings)
}

type Labelled = (Box<ShardWriter>, Vec<String>);

fn run_labeller(
    source: &mut (dyn GroupSource + Send),
    settings: LabelSettings,
    mut writer: Box<ShardWriter>,
) -> Result<Labelled, DataError> {
    let progress = spinner("positions labelled");
    let report = label(source, &settings, &mut writer, &mut |so_far| {
        progress.set_position(so_far.labelled);
    })?;
    let rate = report.labelled as f64 / progress.elapsed().as_secs_f64().max(1e-3);
    progress.finish_and_clear();
    let mut notes = vec![format!(
        "{} positions labelled in the last run, {rate:.0} a second",
        report.labelled
    )];
    if report.restarts + report.given_up > 0 {
        let (restarts, given_up) = (report.restarts, report.given_up);
        notes.push(format!(
            "the engine was started again {restarts} times, {given_up} positions were given up"
        ));
    }
    Ok((writer, notes))
}

fn run_finish(folders: &[PathBuf]) -> Answer {
    for folder in folders {
        match ShardWriter::reopen(folder)? {
            Opened::Complete(index) => report(&index, folder),
            Opened::Ready(writer) => {
                let note = format!("ended early, after {} groups of the input", writer.groups());
                finish(*writer, vec![note], folder)?;
            }
        }
    }
    Ok(())
}

fn run_check(folders: &[PathBuf]) -> Answer {
    let mut faults = 0;
    for folder in folders {
        let report = check(folder)?;
        let name = folder.display();
        for fault in &report.described {
            say(format_args!("{name}: {fault}"));
        }
        say(format_args!(
            "{name}: {} records in {} shards, {} faults",
            report.records, report.shards, report.faults
        ));
        faults += report.faults;
    }
    match faults {
        0 => Ok(()),
        faults => Err(format!("{faults} faults: make the damaged shards again").into()),
    }
}

fn run_stats(inputs: &[PathBuf]) -> Answer {
    let mut stats = Stats::default();
    let mut records = Vec::new();
    for input in inputs {
        let mut source = Source::open(input, GameSettings::default())?;
        while source.read(&mut records)? {
            records.iter().for_each(|record| stats.add(record));
            records.clear();
        }
        if let Some((_, words)) = source.skipped() {
            say(format_args!("{}: {words}", input.display()));
        }
    }
    say(stats.to_string().trim_end());
    Ok(())
}

fn finish(writer: ShardWriter, notes: Vec<String>, folder: &Path) -> Answer {
    let index = writer.finish(notes)?;
    report(&index, folder);
    Ok(())
}

fn report(index: &Index, folder: &Path) {
    for note in &index.notes {
        say(note);
    }
    say(format_args!(
        "{}: {} records in {} shards",
        folder.display(),
        index.records(),
        index.shards.len()
    ));
}

/// The name and length of each input: a job with other inputs is another job.
fn describe(inputs: &[PathBuf]) -> Result<Vec<Value>, DataError> {
    let describe = |path: &PathBuf| {
        let length = if path.is_dir() {
            Index::read(path)?.records()
        } else {
            let metadata = std::fs::metadata(path);
            metadata
                .map_err(|source| DataError::Read {
                    path: path.clone(),
                    source,
                })?
                .len()
        };
        Ok(json!([path.to_string_lossy(), length]))
    };
    inputs.iter().map(describe).collect()
}

fn spinner(what: &str) -> ProgressBar {
    let style = format!("{{spinner}} {{human_pos}} {what}, {{per_sec:.0}}, {{elapsed}}");
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_style(ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

impl Output {
    /// The writer of the folder; `None`, and a line, if the job is done already.
    fn open(&self, job: Value) -> Result<Option<Box<ShardWriter>>, DataError> {
        match ShardWriter::open(&self.out, job, self.shard_records)? {
            Opened::Complete(index) => {
                say("this run is complete already");
                report(&index, &self.out);
                Ok(None)
            }
            Opened::Ready(writer) => {
                if writer.groups() > 0 {
                    say(format_args!(
                        "going on after {} records of {} groups",
                        writer.records(),
                        writer.groups()
                    ));
                }
                Ok(Some(writer))
            }
        }
    }
}

impl Games {
    fn settings(&self) -> GameSettings {
        GameSettings {
            skip_plies: self.skip_plies,
            per_game: self.per_game,
            seed: self.seed,
        }
    }

    fn describe(&self) -> Value {
        json!({"skip_plies": self.skip_plies, "per_game": self.per_game, "seed": self.seed})
    }
}
