//! A text file in pieces of whole lines: it is decompressed on a thread of its own, and the pieces are parsed on all
//! others while that goes on.

use super::text;
use crate::data::DataError;
use std::io::{self, BufRead, Read};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// A chunk has about this many bytes.
const CHUNK_BYTES: usize = 1 << 18;

/// Chunks that are parsed or wait for it or for the reader at once: this bounds the memory. There are enough of them
/// that the threads have work while the reader waits for a disk.
const CHUNKS_AT_ONCE: usize = 64;

/// What takes the place of a line that is too long; no format has such a line.
const TOO_LONG: &[u8] = b"too long\n";

/// Where the result of one chunk will arrive, or the panic of its parser.
type Answer<T> = Receiver<thread::Result<T>>;

/// What the chunks of one file were parsed to, in their order.
pub struct Chunks<T> {
    path: PathBuf,
    answers: Receiver<io::Result<Answer<T>>>,
}

impl<T: Send + 'static> Chunks<T> {
    /// Opens a file. A line that reaches `longest_rest` bytes or more beyond the size of its chunk counts as too long.
    ///
    /// # Errors
    /// [`DataError::Read`] if the file cannot be opened.
    pub fn open(path: &Path, longest_rest: u64, parse: fn(&[u8]) -> T) -> Result<Chunks<T>, DataError> {
        let mut input = text::open(path)?;
        let (sender, answers) = sync_channel(CHUNKS_AT_ONCE);
        thread::spawn(move || while send_next(&mut input, longest_rest, parse, &sender) {});
        Ok(Chunks {
            path: path.to_path_buf(),
            answers,
        })
    }

    /// The result of the next chunk; `None` at the end of the file. Not to be called from a thread of rayon's pool: it
    /// would wait for the other threads of the pool.
    ///
    /// # Errors
    /// [`DataError::Read`] when the file cannot be read on, a damaged compressed stream included.
    ///
    /// # Panics
    /// If the parser has panicked.
    pub fn next(&mut self) -> Result<Option<T>, DataError> {
        let Ok(answer) = self.answers.recv() else {
            return Ok(None);
        };
        let answer = answer.map_err(|error| DataError::read(&self.path, error))?;
        match answer.recv().expect("every chunk is answered") {
            Ok(parsed) => Ok(Some(parsed)),
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// Reads a chunk, has it parsed, and sends where the result will arrive. Whether there may be more to read.
fn send_next<T: Send + 'static>(
    input: &mut dyn BufRead,
    longest_rest: u64,
    parse: fn(&[u8]) -> T,
    answers: &SyncSender<io::Result<Answer<T>>>,
) -> bool {
    let chunk = match next_chunk(input, longest_rest) {
        Ok(chunk) if chunk.is_empty() => return false,
        Ok(chunk) => chunk,
        Err(error) => {
            let _ = answers.send(Err(error));
            return false;
        }
    };
    let (result, answer) = sync_channel(1);
    // this waits while too many are under way, and fails when the reader was dropped
    if answers.send(Ok(answer)).is_err() {
        return false;
    }
    rayon::spawn(move || {
        // a panic is handed to the reader, as if it had parsed the chunk itself
        let parsed = catch_unwind(AssertUnwindSafe(|| parse(&chunk)));
        let _ = result.send(parsed);
    });
    true
}

/// Whole lines of about [`CHUNK_BYTES`]; nothing at the end.
fn next_chunk(input: &mut dyn BufRead, longest_rest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(CHUNK_BYTES + 256);
    input.take(CHUNK_BYTES as u64).read_to_end(&mut bytes)?;
    if bytes.last().is_some_and(|&byte| byte != b'\n') {
        let rest = input.take(longest_rest).read_until(b'\n', &mut bytes)?;
        if rest as u64 == longest_rest && !bytes.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            let line = bytes.iter().rposition(|&byte| byte == b'\n');
            bytes.truncate(line.map_or(0, |end| end + 1));
            bytes.extend_from_slice(TOO_LONG);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_end_are_not_held() {
        let endless = "x".repeat(3 * CHUNK_BYTES);
        let text = format!("a line\n{endless}\na line\n{endless}");
        let mut input = io::BufReader::new(text.as_bytes());
        let (mut most, mut all) = (0, Vec::new());
        loop {
            let chunk = next_chunk(&mut input, 1 << 12).unwrap();
            if chunk.is_empty() {
                break;
            }
            most = most.max(chunk.len());
            all.extend(chunk);
        }
        assert!(most <= CHUNK_BYTES + (1 << 12), "{most}");
        assert_eq!(all, b"a line\ntoo long\na line\ntoo long\n");
    }
}
