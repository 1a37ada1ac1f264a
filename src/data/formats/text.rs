//! Opening text files that may be compressed with xz, gzip, bzip2 or Zstandard; what they hold is streamed.

use crate::data::DataError;
use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 1 << 18;

/// The largest Zstandard window that is accepted, the limit of the `zstd` program: it bounds the memory.
const LARGEST_WINDOW: u64 = 1 << 27;

/// The mark with which a text in UTF-8 may begin.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The endings of compressed files.
const PACKED: [&str; 4] = ["xz", "gz", "bz2", "zst"];

/// Opens a file, decompressing it if its name ends in `.xz`, `.gz`, `.bz2` or `.zst`.
///
/// # Errors
/// [`DataError::Read`] if it cannot be opened.
pub fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, DataError> {
    let fault = |error| DataError::read(path, error);
    let file = File::open(path).map_err(fault)?;
    let mut raw = BufReader::with_capacity(BUFFER_BYTES, file);
    if PACKED.contains(&extension(path)) && raw.fill_buf().map_err(fault)?.is_empty() {
        return Err(fault(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "the file is empty, which no compressed file is",
        )));
    }
    let input = match extension(path) {
        "xz" => unpacked(XzReader::new(raw, true)),
        "gz" => unpacked(MultiGzDecoder::new(raw)),
        "bz2" => unpacked(MultiBzDecoder::new(raw)),
        "zst" => unpacked(ZstdReader::new(raw)),
        _ => Box::new(raw),
    };
    without_byte_order_mark(input).map_err(fault)
}

/// Passes over the mark with which some editors begin a text.
fn without_byte_order_mark(mut input: Box<dyn BufRead + Send>) -> io::Result<Box<dyn BufRead + Send>> {
    let mut start = Vec::new();
    input
        .by_ref()
        .take(BYTE_ORDER_MARK.len() as u64)
        .read_to_end(&mut start)?;
    if start == BYTE_ORDER_MARK {
        return Ok(input);
    }
    Ok(Box::new(io::Cursor::new(start).chain(input)))
}

/// A line without what editors and broken transfers leave around it: blanks, carriage returns, NULs.
pub fn trimmed(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || c == '\0')
}

/// What kind of text a file holds by its name, in small letters and without the ending of a compression.
pub fn kind(path: &Path) -> String {
    let inner = match extension(path) {
        packed if PACKED.contains(&packed) => extension(Path::new(path.file_stem().unwrap_or_default())),
        plain => plain,
    };
    inner.to_ascii_lowercase()
}

fn extension(path: &Path) -> &str {
    path.extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
}

fn unpacked(input: impl Read + Send + 'static) -> Box<dyn BufRead + Send> {
    Box::new(BufReader::with_capacity(BUFFER_BYTES, Unpacked(input)))
}

/// A decompressor whose own words for what is wrong with the data are replaced by ours.
struct Unpacked<R>(R);

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            // errors of the system say themselves what is wrong
            if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted {
                return error;
            }
            let words = match error.kind() {
                io::ErrorKind::UnexpectedEof => "the compressed data is cut off",
                _ => "the compressed data is damaged, or not compressed as the file's name says",
            };
            io::Error::new(error.kind(), words)
        })
    }
}

/// Reads Zstandard data of any number of frames, as parallel compressors write them.
struct ZstdReader<R> {
    raw: R,
    decoder: FrameDecoder,
    inside: bool,
}

impl<R: BufRead> ZstdReader<R> {
    fn new(raw: R) -> ZstdReader<R> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(LARGEST_WINDOW);
        ZstdReader {
            raw,
            decoder,
            inside: false,
        }
    }

    /// Begins the next frame, or passes over one that holds no data.
    fn enter(&mut self) -> io::Result<()> {
        match self.decoder.reset(&mut self.raw) {
            Ok(()) => self.inside = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                io::copy(&mut (&mut self.raw).take(length.into()), &mut io::sink())?;
            }
            Err(error) => return Err(io::Error::other(error)),
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.inside {
                if self.raw.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.enter()?;
                continue;
            }
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            if self.decoder.is_finished() {
                self.inside = false;
                continue;
            }
            self.decoder
                .decode_blocks(&mut self.raw, BlockDecodingStrategy::UptoBlocks(1))
                .map_err(io::Error::other)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bzip2::write::BzEncoder;
    use flate2::write::GzEncoder;
    use lzma_rust2::{XzOptions, XzWriter};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write;

    fn read(name: &str, bytes: &[u8]) -> io::Result<String> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(name);
        std::fs::write(&path, bytes)?;
        let mut text = String::new();
        open(&path)
            .map_err(|error| match error {
                DataError::Read { source, .. } => source,
                other => io::Error::other(other),
            })?
            .read_to_string(&mut text)?;
        Ok(text)
    }

    fn packed_as_xz(bytes: &[u8]) -> Vec<u8> {
        let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).unwrap();
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn every_compression_gives_back_the_text() {
        let text = "a line of text\n".repeat(30_000);
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let mut bzip2 = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(text.as_bytes()).unwrap();
        let bzip2 = bzip2.finish().unwrap();
        let xz = packed_as_xz(text.as_bytes());
        assert_eq!(read("a.pgn", text.as_bytes()).unwrap(), text);
        assert_eq!(read("a.pgn.gz", &gzip.finish().unwrap()).unwrap(), text);
        assert_eq!(read("a.csv.xz", &xz).unwrap(), text);
        // parallel compressors write several streams
        for (name, packed) in [("a.csv.xz", &xz), ("a.pgn.bz2", &bzip2)] {
            let twice = [&packed[..], packed].concat();
            assert_eq!(read(name, &twice).unwrap(), text.repeat(2));
        }
        assert_eq!(read("a.pgn.bz2", &bzip2).unwrap(), text);
        let cut = read("a.csv.xz", &xz[..xz.len() / 2]).unwrap_err();
        assert_eq!(cut.to_string(), "the compressed data is cut off");
        let mut damaged = xz.clone();
        damaged[xz.len() / 2] ^= 0x55;
        let error = read("a.csv.xz", &damaged).unwrap_err().to_string();
        assert!(error.starts_with("the compressed data is damaged"), "{error}");
    }

    #[test]
    fn zstandard_may_have_several_frames_and_skippable_ones() {
        let frame = |text: &str| compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        let skippable = [&0x184d_2a50u32.to_le_bytes()[..], &3u32.to_le_bytes(), b"xyz"].concat();
        let long = "b".repeat(300_000);
        let bytes = [frame("one "), skippable, frame(&long), frame("")].concat();
        assert_eq!(read("a.pgn.zst", &bytes).unwrap(), format!("one {long}"));
    }

    #[test]
    fn damaged_files_are_told_in_our_words() {
        let packed = compress_to_vec("b".repeat(300_000).as_bytes(), CompressionLevel::Fastest);
        for name in ["a.pgn.zst", "a.csv.xz", "a.txt.gz", "a.epd.bz2"] {
            let error = read(name, b"this was never compressed").unwrap_err();
            assert!(
                error.to_string().starts_with("the compressed data is"),
                "{name}: {error}"
            );
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            std::fs::write(&path, b"").unwrap();
            let error = open(&path).err().unwrap().to_string();
            assert!(error.contains("the file is empty"), "{error}");
        }
        let error = read("a.pgn.zst", &packed[..packed.len() - 12]).unwrap_err();
        assert!(error.to_string().starts_with("the compressed data is"), "{error}");
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        for (bytes, text) in [
            ("\u{feff}[Event", "[Event"),
            ("\u{feff}", ""),
            ("", ""),
            ("ab", "ab"),
            ("a\u{feff}", "a\u{feff}"),
        ] {
            assert_eq!(read("a.pgn", bytes.as_bytes()).unwrap(), text);
        }
    }

    #[test]
    fn kinds_are_told_by_the_inner_ending() {
        for (name, expected) in [
            ("a.CSV", "csv"),
            ("a.csv.xz", "csv"),
            ("x/b.pgn.zst", "pgn"),
            ("c.pgn.bz2", "pgn"),
            ("list", ""),
        ] {
            assert_eq!(kind(Path::new(name)), expected);
        }
    }
}
