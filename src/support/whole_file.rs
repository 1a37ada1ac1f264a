//! Writing files atomically, and locking folders against other runs.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Size of the write buffer in bytes.
const BUFFER: usize = 1 << 18;

/// Endings of compressed files: what is written here is not compressed.
const PACKED: [&str; 4] = ["gz", "xz", "bz2", "zst"];

/// The most symbolic links that are followed, as by Linux.
const MOST_LINKS: usize = 40;

/// Where a file of this name is written: a symbolic link is followed. Only a regular file or nothing is replaced.
///
/// # Errors
/// Those of the system; for a folder, a device or a pipe; for a name that promises a compressed file.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    let refuse = |words: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, words));
    let no_file = "it is a device or a pipe, and only a file can be replaced";
    // what /dev/stdout leads to has no name that could be followed
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return refuse(no_file);
    }
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let extension = target
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap_or_default();
        if PACKED.iter().any(|packed| packed.eq_ignore_ascii_case(extension)) {
            return refuse("what is written is not compressed: choose a name without that ending");
        }
        if target.file_name().is_none() {
            return refuse("this is no name of a file");
        }
        let found = match fs::symlink_metadata(&target) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(target),
            found => found?.file_type(),
        };
        if found.is_symlink() {
            let link = fs::read_link(&target)?;
            target = target.with_file_name("").join(link);
        } else if found.is_file() {
            return Ok(target);
        } else if found.is_dir() {
            return refuse("it is a folder");
        } else {
            return refuse(no_file);
        }
    }
    refuse("its symbolic links lead in a circle")
}

/// Asks before any work whether a file can be written that is none of those that are read.
///
/// # Errors
/// As [`target`]; for a folder that is not there; for one of the inputs.
pub fn check<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    let target = target(path)?;
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let words = format!("there is no folder {}", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, words));
    }
    let same = |input: &Path| {
        input
            .canonicalize()
            .is_ok_and(|input| target.canonicalize().is_ok_and(|target| target == input))
    };
    match inputs.into_iter().any(same) {
        true => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is one of the files that are read: choose another name",
        )),
        false => Ok(()),
    }
}

/// Writes a file atomically: under its name with `.tmp` appended, then renamed. The temporary name is always the same,
/// so a process that is killed leaves at most one such file, and the next one overwrites it.
///
/// # Errors
/// Those of the system and of [`target`]; an existing file is then unchanged.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let path = target(path)?;
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    let write = || {
        let mut file = BufWriter::with_capacity(BUFFER, File::create(&temporary)?);
        fill(&mut file)?;
        file.into_inner()
            .map_err(|error| error.into_error())?
            .sync_all()?;
        fs::rename(&temporary, &path)
    };
    write().inspect_err(|_| {
        // frees space on a full disk; if even this fails, the next write overwrites the file
        let _ = fs::remove_file(&temporary);
    })
}

/// Writes these bytes as [`write()`] does.
///
/// # Errors
/// As [`write()`].
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
    fn only_a_file_or_nothing_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in [".", "..", "", "games.pgn.gz", "a.ZST", "a.xz", "a.bz2"] {
            assert!(write_bytes(&at(name), b"x").is_err(), "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        fs::write(at("in"), b"in").unwrap();
        let error = check(&at("in"), [at("in").as_path()]).unwrap_err().to_string();
        assert!(error.contains("files that are read"), "{error}");
        assert!(check(&at("out"), [at("in").as_path()]).is_ok());
        assert!(check(&at("nowhere/out"), []).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_refused() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        symlink("sub/real", at("link")).unwrap();
        // once without and once with a file behind the link
        for text in [b"one", b"two"] {
            write_bytes(&at("link"), text).unwrap();
            assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
            assert_eq!(fs::read(at("sub/real")).unwrap(), text);
        }
        symlink(at("circle"), at("circle")).unwrap();
        symlink("/dev/null", at("null")).unwrap();
        assert!(check(&at("link"), [at("sub/real").as_path()]).is_err());
        for path in [at("circle"), at("null"), at("sub"), PathBuf::from("/dev/null")] {
            assert!(write_bytes(&path, b"x").is_err(), "{}", path.display());
        }
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
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
