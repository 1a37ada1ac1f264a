//! Opening text files that may be compressed with xz, gzip or Zstandard; what they hold is streamed.

use crate::data::DataError;
use flate2::bufread::MultiGzDecoder;
use liblzma::read::XzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 1 << 18;

/// The largest Zstandard window that is accepted, the limit of the `zstd` program: it bounds the memory.
const LARGEST_WINDOW: u64 = 1 << 27;

/// Opens a file, decompressing it if its name ends in `.xz`, `.gz` or `.zst`.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, DataError> {
    let file = File::open(path).map_err(|error| DataError::read(path, error))?;
    let raw = BufReader::with_capacity(BUFFER_BYTES, file);
    Ok(match extension(path) {
        "xz" => buffered(XzDecoder::new_multi_decoder(raw)),
        "gz" => buffered(MultiGzDecoder::new(raw)),
        "zst" => buffered(ZstdReader::new(raw)),
        _ => Box::new(raw),
    })
}

/// What kind of text a file holds by its name, in small letters and without the ending of a compression.
pub fn kind(path: &Path) -> String {
    let inner = match extension(path) {
        "xz" | "gz" | "zst" => extension(Path::new(path.file_stem().unwrap_or_default())),
        plain => plain,
    };
    inner.to_ascii_lowercase()
}

fn extension(path: &Path) -> &str {
    path.extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
}

fn buffered(input: impl Read + Send + 'static) -> Box<dyn BufRead + Send> {
    Box::new(BufReader::with_capacity(BUFFER_BYTES, input))
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
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write;

    fn read(name: &str, bytes: &[u8]) -> io::Result<String> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(name);
        std::fs::write(&path, bytes)?;
        let mut text = String::new();
        open(&path).unwrap().read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn every_compression_gives_back_the_text() {
        let text = "a line of text\n".repeat(30_000);
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let mut xz = Vec::new();
        liblzma::read::XzEncoder::new(text.as_bytes(), 0)
            .read_to_end(&mut xz)
            .unwrap();
        assert_eq!(read("a.pgn", text.as_bytes()).unwrap(), text);
        assert_eq!(read("a.pgn.gz", &gzip.finish().unwrap()).unwrap(), text);
        assert_eq!(read("a.csv.xz", &xz).unwrap(), text);
    }

    #[test]
    fn zstandard_may_have_several_frames_and_skippable_ones() {
        let frame = |text: &str| compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        let skippable = [&0x184d_2a50u32.to_le_bytes()[..], &3u32.to_le_bytes(), b"xyz"].concat();
        let long = "b".repeat(300_000);
        let bytes = [frame("one "), skippable, frame(&long), frame("")].concat();
        assert_eq!(read("a.pgn.zst", &bytes).unwrap(), format!("one {long}"));
        assert!(read("a.pgn.zst", &bytes[..bytes.len() - 12]).is_err());
        assert!(read("a.pgn.zst", b"this was never compressed").is_err());
    }

    #[test]
    fn kinds_are_told_by_the_inner_ending() {
        for (name, expected) in [
            ("a.CSV", "csv"),
            ("a.csv.xz", "csv"),
            ("x/b.pgn.zst", "pgn"),
            ("list", ""),
        ] {
            assert_eq!(kind(Path::new(name)), expected);
        }
    }
}
