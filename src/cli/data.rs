//! `enroc data`: the commands that make positions to learn from.

use super::{Done, export, label};
use crate::data::DataError;
use crate::data::feed::filter::{Filter, FilterSettings};
use crate::data::formats::games::GameSettings;
use crate::data::formats::source::{GroupSource, Groups, Source};
use crate::data::import::import;
use crate::data::store::check::check;
use crate::data::store::shard::{Index, SHARD_RECORDS};
use crate::data::store::stats::Stats;
use crate::data::store::writer::{Opened, ShardWriter};
use crate::support::terminal::say;
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
    Label(label::Label),
    /// Let a UCI engine play on from openings, a few plies each, and label every position
    Selfplay(label::Selfplay),
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
    /// Write shards as text, the rows that `import` reads or the lines of the trainer bullet, or as games in viriformat
    Export(export::Export),
    /// Print histograms of positions
    Stats {
        /// Folders of shards, or files as for `import`
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
    },
}

#[derive(Args)]
pub struct Import {
    /// .pgn, .vf (viriformat), .csv (fen,score,bestmove,origin), .fen, .epd, .txt, each plain or .xz, .gz, .zst; or folders of shards
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
pub(super) struct Output {
    /// The folder for the shards; a run that was cut off goes on there
    #[arg(long, short, value_name = "FOLDER")]
    pub out: PathBuf,
    /// Records in a shard, at most
    #[arg(long, value_name = "N", default_value_t = SHARD_RECORDS, value_parser = clap::value_parser!(u64).range(1..=SHARD_RECORDS))]
    pub shard_records: u64,
}

#[derive(Args)]
pub(super) struct Games {
    /// Leave out the positions of a PGN game before this ply
    #[arg(long, value_name = "PLIES", default_value_t = 16)]
    skip_plies: usize,
    /// Take at most this many positions of each PGN game, drawn at random
    #[arg(long, value_name = "N")]
    per_game: Option<usize>,
    /// Draws whatever is random
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// Does what a command asks.
pub fn run(command: &Data) -> Done {
    match command {
        Data::Import(arguments) => run_import(arguments),
        Data::Label(arguments) => label::label(arguments),
        Data::Selfplay(arguments) => label::selfplay(arguments),
        Data::Finish { folders } => run_finish(folders),
        Data::Check { folders } => run_check(folders),
        Data::Export(arguments) => export::run(arguments),
        Data::Stats { inputs } => run_stats(inputs),
    }
}

fn run_import(arguments: &Import) -> Done {
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

fn run_finish(folders: &[PathBuf]) -> Done {
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

fn run_check(folders: &[PathBuf]) -> Done {
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

fn run_stats(inputs: &[PathBuf]) -> Done {
    let mut stats = Stats::default();
    let mut records = Vec::new();
    for input in inputs {
        let mut source = Source::open(input, GameSettings::default())?;
        while source.read(&mut records)? {
            records.iter().for_each(|record| stats.add(record));
            records.clear();
        }
        if let Some(words) = source.skipped() {
            say(format_args!("{}: {words}", input.display()));
        }
    }
    say(stats.to_string().trim_end());
    Ok(())
}

/// Ends a run and tells what it has done.
pub(super) fn finish(writer: ShardWriter, notes: Vec<String>, folder: &Path) -> Done {
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
pub(super) fn describe(inputs: &[PathBuf]) -> Result<Vec<Value>, DataError> {
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

/// Shows that something goes on whose end is not known.
pub(super) fn spinner(what: &str) -> ProgressBar {
    let style = format!("{{spinner}} {{human_pos}} {what}, {{per_sec:.0}}, {{elapsed}}");
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_style(ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

impl Output {
    /// The writer of the folder; `None`, and a line, if the job is done already.
    pub fn open(&self, job: Value) -> Result<Option<Box<ShardWriter>>, DataError> {
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
    pub fn settings(&self) -> GameSettings {
        GameSettings {
            skip_plies: self.skip_plies,
            per_game: self.per_game,
            seed: self.seed,
        }
    }

    pub fn describe(&self) -> Value {
        json!({"skip_plies": self.skip_plies, "per_game": self.per_game, "seed": self.seed})
    }
}
