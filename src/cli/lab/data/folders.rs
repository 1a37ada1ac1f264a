//! `enroc data finish`, `check` and `stats`: what lies in folders of shards.

use super::shared::{finish as finish_run, report};
use crate::cli::result::CommandResult;
use crate::data::DataError;
use crate::data::formats::games::GameSettings;
use crate::data::formats::source::SourceReader;
use crate::data::store;
use crate::data::store::stats::Stats;
use crate::data::store::writer::{Opened, ShardWriter};
use crate::support::terminal::say;
use std::path::PathBuf;

/// Ends runs where they stopped.
pub fn finish(folders: &[PathBuf]) -> CommandResult {
    for folder in folders {
        match ShardWriter::reopen(folder)? {
            Opened::Complete(index) => report(&index, folder),
            Opened::Ready(writer) => {
                let note = format!("ended early, after {} groups of the input", writer.groups());
                finish_run(*writer, vec![note], folder)?;
            }
        }
    }
    Ok(())
}

/// Checks every shard and every record.
pub fn check(folders: &[PathBuf]) -> CommandResult {
    let mut faults = 0;
    for folder in folders {
        let report = store::check::check(folder)?;
        let name = folder.display();
        for fault in &report.described {
            say(format_args!("{name}: {fault}"));
        }
        let hints = match report.hints {
            0 => String::new(),
            hints => format!(", {hints} of them with hints"),
        };
        say(format_args!(
            "{name}: {} records{hints} in {} shards, {} faults",
            report.records, report.shards, report.faults
        ));
        faults += report.faults;
    }
    match faults {
        0 => Ok(()),
        faults => Err(format!("{faults} faults: make the damaged shards again").into()),
    }
}

/// Prints histograms.
pub fn stats(inputs: &[PathBuf]) -> CommandResult {
    let mut stats = Stats::default();
    let (mut records, mut hints, mut read) = (Vec::new(), Vec::new(), 0);
    for input in inputs {
        let mut source = SourceReader::open(input, GameSettings::default())?;
        while source.read_with_hints(&mut records, &mut hints)? {
            records.iter().for_each(|record| stats.add(record));
            stats.add_hints(&hints);
            read += records.len();
            records.clear();
            hints.clear();
        }
        for words in source.skipped() {
            say(format_args!("{}: {words}", input.display()));
        }
    }
    if read == 0 {
        let names: Vec<String> = inputs.iter().map(|input| input.display().to_string()).collect();
        return Err(DataError::Empty(names.join(", ")).into());
    }
    say(stats.to_string().trim_end());
    Ok(())
}
