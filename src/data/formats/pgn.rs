//! Games in files, which may be compressed: what the reader of `board` gives, a portion at a time.

use super::text;
use crate::board::pgn::{Detail, Reader, WrittenGame};
use crate::data::DataError;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// The games of one file, whatever its size.
pub struct GameFile {
    path: PathBuf,
    input: Box<dyn BufRead + Send>,
    reader: Reader,
    ended: bool,
}

impl GameFile {
    /// Opens a file.
    ///
    /// # Errors
    /// [`DataError::Read`] if that fails.
    pub fn open(path: &Path, detail: Detail) -> Result<GameFile, DataError> {
        Ok(GameFile {
            path: path.to_path_buf(),
            input: text::open(path)?,
            reader: Reader::new(detail),
            ended: false,
        })
    }

    /// Appends games until there are so many, or the file ends.
    ///
    /// # Errors
    /// [`DataError::Read`] when the file cannot be read on.
    pub fn read(&mut self, games: &mut Vec<WrittenGame>, wanted: usize) -> Result<(), DataError> {
        while games.len() < wanted && !self.ended {
            let bytes = self
                .input
                .fill_buf()
                .map_err(|error| DataError::read(&self.path, error))?;
            let taken = bytes.len();
            if taken == 0 {
                self.ended = true;
                self.reader.finish(&[], games);
            } else {
                self.reader.feed(bytes, games);
                self.input.consume(taken);
            }
        }
        Ok(())
    }
}
