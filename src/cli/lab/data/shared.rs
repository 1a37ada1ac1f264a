//! Arguments and words that the commands of `enroc data` share.

use crate::cli::lab::resume::Resume;
use crate::cli::result::CommandResult;
use crate::data::DataError;
use crate::data::formats::games::GameSettings;
use crate::data::store::folder::discard;
use crate::data::store::shard::{Index, SHARD_RECORDS};
use crate::data::store::writer::{Opened, ShardWriter};
use crate::support::terminal::say;
use clap::Args;
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct OutputArguments {
    /// The folder for the shards; a run that was cut off continues there
    #[arg(long, short, value_name = "FOLDER")]
    pub out: PathBuf,
    /// Records in a shard, at most
    #[arg(long, value_name = "N", default_value_t = SHARD_RECORDS, value_parser = clap::value_parser!(u64).range(1..=SHARD_RECORDS))]
    pub shard_records: u64,
    #[command(flatten)]
    resume: Resume,
}

#[derive(Args)]
pub struct GamesArguments {
    /// Leave out the positions of a PGN game before this ply
    #[arg(long, value_name = "PLIES", default_value_t = 16)]
    skip_plies: usize,
    /// Take at most this many positions of each PGN game, drawn at random
    #[arg(long, value_name = "N")]
    per_game: Option<usize>,
    /// The seed of the random generator
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// Ends a run and tells what it has done.
pub fn finish(writer: ShardWriter, notes: Vec<String>, folder: &Path) -> CommandResult {
    let index = writer.finish(notes)?;
    report(&index, folder);
    Ok(())
}

/// The error of a run that found no position, after what it has to say. What it began in the folder is thrown away.
pub fn nothing_read(notes: &[String], inputs: &[PathBuf], folder: &Path) -> Box<dyn Error> {
    notes.iter().for_each(say);
    let _ = discard(folder);
    let names: Vec<String> = inputs.iter().map(|input| input.display().to_string()).collect();
    DataError::Empty(names.join(", ")).into()
}

/// Prints the notes of a run and what it has made.
pub fn report(index: &Index, folder: &Path) {
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

impl OutputArguments {
    /// The writer of the folder, with hints beside the records or without; `None`, and a line, if the job is done already.
    /// The folder must be none of the inputs.
    pub fn open(
        &self,
        job: &impl Serialize,
        inputs: &[PathBuf],
        hints: bool,
    ) -> Result<Option<Box<ShardWriter>>, Box<dyn Error>> {
        let same = |input: &PathBuf| input.canonicalize().ok() == self.out.canonicalize().ok();
        if self.out.exists() && inputs.iter().any(same) {
            return Err(format!("{} is an input too: choose another folder", self.out.display()).into());
        }
        if self.resume.restart {
            discard(&self.out)?;
        }
        let opened = match hints {
            true => ShardWriter::open_with_hints(&self.out, job, self.shard_records)?,
            false => ShardWriter::open(&self.out, job, self.shard_records)?,
        };
        match opened {
            Opened::Complete(index) => {
                say("this run is complete already");
                report(&index, &self.out);
                Ok(None)
            }
            Opened::Ready(writer) => {
                if writer.groups() > 0 {
                    say(format_args!(
                        "continuing after {} records of {} groups",
                        writer.records(),
                        writer.groups()
                    ));
                }
                Ok(Some(writer))
            }
        }
    }
}

impl GamesArguments {
    /// Which positions of games are taken.
    pub fn settings(&self) -> GameSettings {
        GameSettings {
            skip_plies: self.skip_plies,
            per_game: self.per_game,
            seed: self.seed,
        }
    }
}
