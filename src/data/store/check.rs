//! Proving that a folder of shards is whole.

use super::items::sha256;
use super::shard::{Index, ShardEntry, ShardReader};
use crate::data::DataError;
use crate::data::record::{NO_HINT, Record};
use rayon::prelude::*;
use std::path::Path;

/// Faults that are described; more are only counted.
const DESCRIBED: usize = 20;

/// What a check has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Shards that the index names.
    pub shards: u64,
    /// Records that were looked at.
    pub records: u64,
    /// How many of them have hints.
    pub hints: u64,
    /// Faults of any kind.
    pub faults: u64,
    /// The first faults, a line each.
    pub described: Vec<String>,
}

impl CheckReport {
    fn fault(&mut self, words: String) {
        self.faults += 1;
        if self.described.len() < DESCRIBED {
            self.described.push(words);
        }
    }
}

/// Looks at every shard and every record of a folder, whether its run has ended or not.
///
/// # Errors
/// [`DataError`] if there is no index to go by. Whatever else is wrong stands in the report.
pub fn check(folder: &Path) -> Result<CheckReport, DataError> {
    let index = Index::read(folder)?;
    let mut report = CheckReport::default();
    for entry in &index.shards {
        report.shards += 1;
        if let Err(error) = check_shard(folder, entry, &mut report) {
            report.fault(error.to_string());
        }
    }
    Ok(report)
}

fn check_shard(folder: &Path, entry: &ShardEntry, report: &mut CheckReport) -> Result<(), DataError> {
    let shard = entry.shard(folder);
    let name = &entry.file;
    let mut reader = ShardReader::open(&shard)?;
    if reader.left() != entry.records {
        let (found, listed) = (reader.left(), entry.records);
        report.fault(format!("{name}: {found} records, the index says {listed}"));
    }
    if sha256(&shard.records)? != entry.sha256 {
        report.fault(format!("{name}: the SHA-256 is not that of the index"));
    }
    if let (Some(hints), Some(listed)) = (&shard.hints, &entry.hints_sha256)
        && sha256(hints)? != *listed
    {
        report.fault(format!(
            "{name}: the SHA-256 of its hints is not that of the index"
        ));
    }
    let (mut records, mut hints, mut before) = (Vec::new(), Vec::new(), 0);
    while reader.read(&mut records, &mut hints)? {
        if before == 0 && !records[0].starts_group() {
            report.fault(format!("{name}: the first record does not start a group"));
        }
        let faults: Vec<(usize, String)> = records
            .par_iter()
            .enumerate()
            .filter_map(|(place, record)| Some((place, fault(record)?)))
            .collect();
        for (place, fault) in faults {
            report.fault(format!("{name}: record {}: {fault}", before + place));
        }
        before += records.len();
        report.records += records.len() as u64;
        report.hints += hints.iter().filter(|hint| **hint != NO_HINT).count() as u64;
        records.clear();
        hints.clear();
    }
    Ok(())
}

fn fault(record: &Record) -> Option<String> {
    record.check().err().map(|error| error.to_string())
}
