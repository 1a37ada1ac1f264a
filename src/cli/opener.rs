//! Opening the board's address in the browser without telling its token to others: the arguments of a program can be read by
//! every user of the machine, so that the browser is sent to a file that only this user can read, which sends it on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A page that sends a browser on to an address; the file goes when this is dropped.
pub(super) struct Redirect(PathBuf);

impl Redirect {
    /// Writes the file under a name that nobody can foresee.
    ///
    /// # Errors
    /// Those of the system.
    pub fn to(address: &str) -> io::Result<Redirect> {
        Redirect::write(&folder(), address)
    }

    fn write(folder: &Path, address: &str) -> io::Result<Redirect> {
        let path = folder.join(format!("enroc-board-{:016x}.html", rand::random::<u64>()));
        let mut file = create(&path)?;
        let redirect = Redirect(path);
        writeln!(
            file,
            "<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url={address}\">\
             <title>Enroc</title><p><a href=\"{address}\">Enroc's board</a>"
        )?;
        Ok(redirect)
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Redirect {
    fn drop(&mut self) {
        // a file that stays leads to a server that is gone
        let _ = fs::remove_file(&self.0);
    }
}

/// Creates a file that is new, so that no link leads elsewhere, and that only this user can read.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A folder that the browser can read too: browsers that are installed as snaps see neither the system's temporary folder
/// nor hidden ones.
fn folder() -> PathBuf {
    let home = std::env::home_dir().filter(|home| home.is_dir());
    match home {
        Some(home) if Path::new("/snap/bin").is_dir() => home,
        _ => std::env::temp_dir(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_user_reads_where_the_browser_is_sent() {
        let folder = tempfile::tempdir().unwrap();
        let address = "http://127.0.0.1:8774/#token=secret";
        let redirect = Redirect::write(folder.path(), address).unwrap();
        let path = redirect.path().to_path_buf();
        assert!(!path.to_string_lossy().contains("secret"));
        assert!(
            fs::read_to_string(&path)
                .unwrap()
                .contains(&format!("url={address}\""))
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        drop(redirect);
        assert!(!path.exists());
    }

    #[test]
    fn a_file_that_is_there_is_not_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "mine").unwrap();
        assert!(create(&path).is_err());
    }
}
