//! A folder of shards as a whole: which job it belongs to, who may write it, and how it is emptied.

use super::journal::JOURNAL;
use super::shard::{INDEX, Index, hints_path};
use crate::data::DataError;
use crate::support::whole_file;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Removes the shards of an earlier run from a folder, whatever its job was, and nothing else. The index goes last:
/// a run that is killed here can be discarded again.
///
/// # Errors
/// [`DataError::Busy`] if another run writes the folder, [`DataError::Write`] if the disk fails,
/// [`DataError::Damaged`] if the index cannot be read and so does not say what may be removed.
pub fn discard(folder: &Path) -> Result<(), DataError> {
    if !folder.join(INDEX).exists() {
        return Ok(());
    }
    let _lock = lock(folder)?;
    let mut paths = Vec::new();
    for shard in Index::read(folder)?.shards {
        let records = folder.join(&shard.file);
        paths.extend(shard.hints_sha256.map(|_| hints_path(&records)));
        paths.push(records);
    }
    for path in paths
        .into_iter()
        .chain([JOURNAL, INDEX].map(|name| folder.join(name)))
    {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(DataError::write(&path, error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The index of a folder, if it has one yet; it must be that of this job, with hints or without.
pub(super) fn index_of(
    folder: &Path,
    job: &serde_json::Value,
    hints: bool,
) -> Result<Option<Index>, DataError> {
    if !folder.join(INDEX).exists() {
        return Ok(None);
    }
    let index = Index::read(folder)?;
    if index.job != *job || index.hints != hints {
        return Err(DataError::OtherJob(folder.to_path_buf()));
    }
    Ok(Some(index))
}

/// Keeps other runs out of the folder: two runs that write the same journal would destroy it.
pub(super) fn lock(folder: &Path) -> Result<File, DataError> {
    let held = whole_file::lock(folder).map_err(|error| DataError::write(folder, error))?;
    held.ok_or_else(|| DataError::Busy(folder.to_path_buf()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::store::shard::ShardEntry;

    #[test]
    fn nothing_outside_of_the_folder_is_discarded() {
        let room = tempfile::tempdir().unwrap();
        let (folder, outside) = (room.path().join("shards"), room.path().join("outside"));
        fs::create_dir(&folder).unwrap();
        fs::write(&outside, b"mine").unwrap();
        for file in ["../outside", outside.to_str().unwrap()] {
            let mut index = Index::new("a job".into());
            index.shards = vec![ShardEntry {
                file: file.to_string(),
                records: 3,
                groups: 1,
                sha256: String::new(),
                hints_sha256: None,
            }];
            index.write(&folder).unwrap();
            assert!(discard(&folder).is_err() && outside.exists(), "{file}");
        }
    }
}
