//! Writing files atomically, and locking folders against other runs.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Size of the write buffer in bytes.
const BUFFER: usize = 1 << 18;

/// Writes a file atomically: under its name with `.tmp` appended, then renamed. The temporary name is always the same,
/// so a process that is killed leaves at most one such file, and the next one overwrites it.
///
/// # Errors
/// Those of the system; an existing file is then unchanged.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    let write = || {
        let mut file = BufWriter::with_capacity(BUFFER, File::create(&temporary)?);
        fill(&mut file)?;
        file.into_inner()
            .map_err(|error| error.into_error())?
            .sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        // frees space on a full disk; if even this fails, the next write overwrites the file
        let _ = fs::remove_file(&temporary);
    })
}

/// Writes these bytes as [`write`] does.
///
/// # Errors
/// As [`write`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, |file| file.write_all(bytes))
}

/// The name of the file that [`lock`] locks.
pub const LOCK: &str = "run.lock";

/// Locks a folder against other processes that call this, until the file is dropped; `None` if another process holds
/// the lock. The system releases it when the process ends, even if it is killed; the file itself stays and means
/// nothing.
///
/// # Errors
/// Those of the system. On file systems without locks, such as some network shares, every call succeeds.
pub fn lock(folder: &Path) -> io::Result<Option<File>> {
    let file = File::create(folder.join(LOCK))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Some(file)),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// A lock on the name of a file, which lasts until it is dropped.
pub struct NameLock {
    path: PathBuf,
    /// The system releases its lock when it is closed.
    _file: File,
}

/// Locks the name of a file that is to be written against other processes that call this, by a file beside it with `.lock`
/// appended; `None` if another process holds the lock.
///
/// # Errors
/// As [`lock`].
pub fn lock_name(path: &Path) -> io::Result<Option<NameLock>> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".lock");
    let path = path.with_file_name(name);
    let file = File::create(&path)?;
    let locked = |file| Some(NameLock { path, _file: file });
    match file.try_lock() {
        Ok(()) => Ok(locked(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(locked(file)),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

impl Drop for NameLock {
    fn drop(&mut self) {
        // one that stays means nothing
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_at_a_time_locks_a_name_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one.pgn"), folder.path().join("other.pgn"));
        let held = lock_name(&one).unwrap();
        assert!(held.is_some());
        assert!(lock_name(&one).unwrap().is_none());
        assert!(lock_name(&other).unwrap().is_some());
        drop(held);
        assert!(lock_name(&one).unwrap().is_some());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn one_process_at_a_time_locks_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let held = lock(folder.path()).unwrap();
        assert!(held.is_some());
        assert!(lock(folder.path()).unwrap().is_none());
        drop(held);
        assert!(lock(folder.path()).unwrap().is_some());
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write(&path, |file| file.write_all(b"first")).unwrap();
        let failed = write(&path, |file| {
            file.write_all(b"sec")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        write(&path, |file| file.write_all(b"second")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
