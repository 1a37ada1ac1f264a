//! Writing files atomically, and locking folders against other runs.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Bytes that are gathered before they go to the system.
const BUFFER: usize = 1 << 18;

/// Writes a file under its name with `.tmp` behind it and renames it. The name is the same every time, so that a run that
/// is killed here leaves one such file at most, which the next one writes over.
///
/// # Errors
/// Those of the system; what was there before is still there then.
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
        // a full disk needs the room; if even this fails, the next run writes over it
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

/// Keeps other programs that ask, too, out of a folder until the file is dropped; `None` if another one has it. The system
/// releases the lock when the program ends, however it ends; the file itself stays and means nothing.
///
/// # Errors
/// Those of the system. Where the disk knows no locks, as some networks' do not, all who ask get in.
pub fn lock(folder: &Path) -> io::Result<Option<File>> {
    let file = File::create(folder.join(LOCK))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Some(file)),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_has_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let held = lock(folder.path()).unwrap();
        assert!(held.is_some());
        assert!(lock(folder.path()).unwrap().is_none());
        drop(held);
        assert!(lock(folder.path()).unwrap().is_some());
    }

    #[test]
    fn a_file_is_replaced_or_left_as_it_was() {
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
