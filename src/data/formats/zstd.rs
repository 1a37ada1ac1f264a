//! Zstandard data of any number of frames, as parallel compressors write them, with their checksums.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, Read};

/// The largest window that is accepted, the limit of the `zstd` program with `--long=31`: it bounds the memory.
const LARGEST_WINDOW: u64 = 1 << 31;

/// Reads the data of all frames, one after the other.
pub struct ZstdReader<R> {
    raw: Watched<R>,
    /// The frame that is being read. Each has its own decoder: one that is used again takes the memory for the whole
    /// window at once.
    frame: Option<FrameDecoder>,
}

impl<R: BufRead> ZstdReader<R> {
    /// Reads from this.
    pub fn new(raw: R) -> ZstdReader<R> {
        let raw = Watched { raw, ended: false };
        ZstdReader { raw, frame: None }
    }

    /// Begins the next frame, or passes over one that holds no data.
    fn enter(&mut self) -> io::Result<()> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(LARGEST_WINDOW);
        match decoder.reset(&mut self.raw) {
            Ok(()) => self.frame = Some(decoder),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let length = u64::from(length);
                if io::copy(&mut (&mut self.raw).take(length), &mut io::sink())? < length {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            Err(error) => return Err(self.error(error)),
        }
        Ok(())
    }

    /// An error of the decoder, which does not tell data that ends from data that is wrong.
    fn error(&self, error: FrameDecoderError) -> io::Error {
        match error {
            FrameDecoderError::WindowSizeTooBig { .. } => io::Error::new(
                io::ErrorKind::Unsupported,
                "the compressed data needs a window of more than 2 GiB: compress it again without --ultra or --long",
            ),
            _ if self.raw.ended => io::ErrorKind::UnexpectedEof.into(),
            error => io::Error::other(error),
        }
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(frame) = &mut self.frame else {
                if self.raw.raw.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.enter()?;
                continue;
            };
            if frame.can_collect() > 0 {
                return frame.read(buffer);
            }
            if frame.is_finished() {
                let given = frame.get_checksum_from_data();
                if given.is_some() && given != frame.get_calculated_checksum() {
                    return Err(io::ErrorKind::InvalidData.into());
                }
                self.frame = None;
                continue;
            }
            let decoded = frame.decode_blocks(&mut self.raw, BlockDecodingStrategy::UptoBlocks(1));
            decoded.map_err(|error| self.error(error))?;
        }
    }
}

/// Remembers whether more was asked for than there is.
struct Watched<R> {
    raw: R,
    ended: bool,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.raw.read(buffer)?;
        self.ended |= read == 0 && !buffer.is_empty();
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    /// A frame of one block that is not compressed, with this descriptor of the window, and its text.
    fn frame(window: u8) -> (Vec<u8>, Vec<u8>) {
        let text: Vec<u8> = (0..3000u32).flat_map(|n| [b'a' + (n % 7) as u8, b'\n']).collect();
        let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 4, window];
        bytes.extend(&((text.len() as u32) << 3 | 1).to_le_bytes()[..3]);
        bytes.extend(&text);
        // the encoder ends its frames with the same checksum
        let packed = compress_to_vec(&text[..], CompressionLevel::Fastest);
        bytes.extend(&packed[packed.len() - 4..]);
        (bytes, text)
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        ZstdReader::new(bytes).read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn every_flipped_bit_of_the_data_is_noticed() {
        let (bytes, text) = frame(0x58);
        assert_eq!(read(&bytes).unwrap(), text);
        for place in 9..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            assert!(read(&damaged).is_err(), "{place}");
        }
        for length in 1..bytes.len() {
            let error = read(&bytes[..length]).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{length}: {error}");
        }
    }

    #[test]
    fn windows_of_two_gibibytes_are_read_and_larger_ones_named() {
        // the exponent stands above three bits of mantissa and begins at 10
        let (bytes, text) = frame((31 - 10) << 3);
        assert_eq!(read(&[&bytes[..], &bytes].concat()).unwrap(), text.repeat(2));
        let (bytes, _) = frame((32 - 10) << 3);
        let error = read(&bytes).unwrap_err().to_string();
        assert!(error.contains("window"), "{error}");
    }
}
