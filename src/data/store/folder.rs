//! A folder of shards as a whole: whose it is, who may write it, and making room in it.

use super::journal::JOURNAL;
use super::shard::{INDEX, Index};
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
    let shards = Index::read(folder)?.shards.into_iter().map(|shard| shard.file);
    for name in shards.chain([JOURNAL.to_string(), INDEX.to_string()]) {
        let path = folder.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(DataError::write(&path, error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The index of a folder, if it has one yet; it must be that of this job.
pub(super) fn index_of(folder: &Path, job: &serde_json::Value) -> Result<Option<Index>, DataError> {
    if !folder.join(INDEX).exists() {
        return Ok(None);
    }
    let index = Index::read(folder)?;
    if index.job != *job {
        return Err(DataError::OtherJob(folder.to_path_buf()));
    }
    Ok(Some(index))
}

/// Keeps other runs from the folder: two journals in one file would be neither.
pub(super) fn lock(folder: &Path) -> Result<File, DataError> {
    let held = whole_file::lock(folder).map_err(|error| DataError::write(folder, error))?;
    held.ok_or_else(|| DataError::Busy(folder.to_path_buf()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Record;
    use crate::data::store::shard::SHARD_RECORDS;
    use crate::data::store::writer::{Opened, ShardWriter};

    #[test]
    fn a_discarded_run_leaves_room_for_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let open = |job: &str, shard_records| match ShardWriter::open(path, &job, shard_records).unwrap() {
            Opened::Ready(writer) => writer,
            Opened::Complete(_) => panic!("complete already"),
        };
        discard(path).unwrap();
        let mut writer = open("one", 2);
        for _ in 0..5 {
            writer.append(&[Record::new(&Position::default())]).unwrap();
        }
        assert!(path.join("shard-00000.bin").exists());
        assert!(matches!(discard(path), Err(DataError::Busy(_))));
        drop(writer);
        fs::write(path.join("notes.txt"), "mine").unwrap();
        discard(path).unwrap();
        let names = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        assert!(
            names
                .into_iter()
                .all(|name| name == "notes.txt" || name == whole_file::LOCK)
        );
        assert!(path.join("notes.txt").exists());
        assert_eq!(open("two", SHARD_RECORDS).groups(), 0);
    }
}
