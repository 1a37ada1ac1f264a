//! A text file in pieces of whole lines, decompressed on a thread of its own, so that several threads can read the lines.

use super::text;
use crate::data::DataError;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// A chunk has about this many bytes.
const CHUNK_BYTES: usize = 1 << 18;

/// Chunks that are handed out at once, and as many wait.
const CHUNKS_AT_ONCE: usize = 8;

/// What takes the place of a line that is too long; no format has such a line.
const TOO_LONG: &[u8] = b"too long\n";

/// The chunks of one file in their order.
pub struct Chunks {
    path: PathBuf,
    chunks: Receiver<io::Result<Vec<u8>>>,
}

impl Chunks {
    /// Opens a file. A line that reaches `longest_rest` bytes or more beyond the size of its chunk counts as too long.
    ///
    /// # Errors
    /// [`DataError::Read`] if the file cannot be opened.
    pub fn open(path: &Path, longest_rest: u64) -> Result<Chunks, DataError> {
        let mut input = text::open(path)?;
        let (sender, chunks) = sync_channel(CHUNKS_AT_ONCE);
        thread::spawn(move || {
            loop {
                let chunk = next_chunk(&mut input, longest_rest);
                let last = !matches!(&chunk, Ok(bytes) if !bytes.is_empty());
                // the reader was dropped, or there is nothing more to send
                if sender.send(chunk).is_err() || last {
                    return;
                }
            }
        });
        Ok(Chunks {
            path: path.to_path_buf(),
            chunks,
        })
    }

    /// The next chunks, some two million bytes; none at the end of the file.
    ///
    /// # Errors
    /// [`DataError::Read`] when the file cannot be read on, a damaged compressed stream included.
    pub fn next(&mut self) -> Result<Vec<Vec<u8>>, DataError> {
        let mut chunks = Vec::with_capacity(CHUNKS_AT_ONCE);
        while chunks.len() < CHUNKS_AT_ONCE {
            let Ok(chunk) = self.chunks.recv() else { break };
            let chunk = chunk.map_err(|error| DataError::read(&self.path, error))?;
            if chunk.is_empty() {
                break;
            }
            chunks.push(chunk);
        }
        Ok(chunks)
    }
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
