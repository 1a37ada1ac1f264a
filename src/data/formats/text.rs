//! Opening text files, whatever they are compressed with and however their signs and line ends are written; what they
//! hold is streamed.

use super::unicode::{LineFeeds, Utf16};
use super::zstd::ZstdReader;
use crate::board::pgn::Encoding;
use crate::data::DataError;
use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 1 << 18;

/// The mark with which a text in UTF-8 may begin.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The kinds of text that are read line by line, and so must have line ends.
const LINES: [&str; 6] = ["fen", "epd", "txt", "csv", "tsv", "jsonl"];

/// The kind of file that is no text.
const BINARY: &str = "vf";

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Xz,
    Gzip,
    Bzip2,
    Zstd,
}

impl Packing {
    /// Each with the ending of its files and the bytes with which they begin.
    const ALL: [(&str, &[u8], Packing); 4] = [
        ("xz", b"\xfd7zXZ\0", Packing::Xz),
        ("gz", b"\x1f\x8b\x08", Packing::Gzip),
        ("bz2", b"BZh", Packing::Bzip2),
        ("zst", b"\x28\xb5\x2f\xfd", Packing::Zstd),
    ];

    fn of_ending(ending: &str) -> Option<Packing> {
        let is_it = |packing: &&(&str, &[u8], Packing)| packing.0.eq_ignore_ascii_case(ending);
        Packing::ALL.iter().find(is_it).map(|packing| packing.2)
    }

    /// By the first bytes of a file.
    fn of_start(start: &[u8]) -> Option<Packing> {
        let found = Packing::ALL
            .iter()
            .find(|packing| start.starts_with(packing.1))?
            .2;
        // letters alone are no proof
        let is_proved = found != Packing::Bzip2 || start.get(4..10) == Some(b"1AY&SY");
        is_proved.then_some(found)
    }
}

/// Archives, which hold files under names of their own, by their first bytes.
const ARCHIVES: [(&str, &[u8]); 3] = [
    ("zip", b"PK\x03\x04"),
    ("7z", b"7z\xbc\xaf\x27\x1c"),
    ("rar", b"Rar!\x1a\x07"),
];

/// Opens a file. It is decompressed if its name ends in `.xz`, `.gz`, `.bz2` or `.zst`, or if its first bytes are those of
/// such a file. A text in UTF-16 becomes one in UTF-8.
///
/// # Errors
/// [`DataError::Read`] if it cannot be opened.
pub fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, DataError> {
    open_any(path).map_err(|error| DataError::read(path, error))
}

fn open_any(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    let mut raw = BufReader::with_capacity(BUFFER_BYTES, File::open(path)?);
    let kind = kind(path);
    let named = Packing::of_ending(extension(path));
    let start = raw.fill_buf()?;
    if named.is_some() && start.is_empty() {
        let words = "the file is empty, which no compressed file is";
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, words));
    }
    let found = Packing::of_start(start).filter(|_| kind != BINARY);
    let archive = ARCHIVES
        .iter()
        .find(|archive| start.starts_with(archive.1) && kind != BINARY);
    if let Some((name, _)) = archive {
        let words = format!("it is an archive of the kind {name}: unpack it first");
        return Err(io::Error::new(io::ErrorKind::InvalidData, words));
    }
    let input = match found.or(named) {
        Some(Packing::Xz) => unpacked(XzReader::new(raw, true)),
        Some(Packing::Gzip) => unpacked(MultiGzDecoder::new(raw)),
        Some(Packing::Bzip2) => unpacked(MultiBzDecoder::new(raw)),
        Some(Packing::Zstd) => unpacked(ZstdReader::new(raw)),
        None => Box::new(raw),
    };
    match kind.as_str() {
        BINARY => Ok(input),
        kind => with_lines(in_utf8(input)?, LINES.contains(&kind)),
    }
}

/// The text of a whole file, which is in UTF-8 or, line by line, in the encoding of old files.
///
/// # Errors
/// [`DataError::Read`] if it cannot be read.
pub fn read(path: &Path) -> Result<String, DataError> {
    let mut bytes = Vec::new();
    let read = open(path)?.read_to_end(&mut bytes);
    read.map_err(|error| DataError::read(path, error))?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| Encoding::Lines.piece(&error.into_bytes(), true).0))
}

/// Passes over the mark with which some editors begin a text, and turns UTF-16 into UTF-8.
fn in_utf8(mut input: Box<dyn BufRead + Send>) -> io::Result<Box<dyn BufRead + Send>> {
    let begun = input.fill_buf()?;
    let mut start = begun[..begun.len().min(BYTE_ORDER_MARK.len())].to_vec();
    let is_enough = start.len() >= BYTE_ORDER_MARK.len();
    if !is_enough {
        // a beginning that comes byte by byte
        start.clear();
        input
            .by_ref()
            .take(BYTE_ORDER_MARK.len() as u64)
            .read_to_end(&mut start)?;
    }
    let (is_marked, encoding) = (start.starts_with(BYTE_ORDER_MARK), Encoding::of(&start));
    let input = match (is_enough, is_marked) {
        (true, true) => {
            input.consume(BYTE_ORDER_MARK.len());
            input
        }
        (true, false) | (false, true) => input,
        (false, false) => Box::new(io::Cursor::new(start).chain(input)),
    };
    Ok(match encoding {
        Encoding::Lines => input,
        wide => Box::new(BufReader::with_capacity(BUFFER_BYTES, Utf16::new(input, wide))),
    })
}

/// Gives line feeds to a text whose lines end in carriage returns alone.
fn with_lines(
    mut input: Box<dyn BufRead + Send>,
    is_read_by_lines: bool,
) -> io::Result<Box<dyn BufRead + Send>> {
    if !is_read_by_lines {
        return Ok(input);
    }
    let start = input.fill_buf()?;
    match start.contains(&b'\r') && !start.contains(&b'\n') {
        true => Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, LineFeeds(input)))),
        false => Ok(input),
    }
}

/// A line without what editors and broken transfers leave around it: blanks, carriage returns, NULs.
pub fn trimmed(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || c == '\0')
}

/// What kind of text a file holds by its name, in small letters and without the ending of a compression.
pub fn kind(path: &Path) -> String {
    let inner = match extension(path) {
        packed if Packing::of_ending(packed).is_some() => {
            extension(Path::new(path.file_stem().unwrap_or_default()))
        }
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
                // says itself what is wrong
                io::ErrorKind::Unsupported => return error,
                io::ErrorKind::UnexpectedEof => "the compressed data is cut off",
                _ => "the compressed data is damaged, or not compressed as the file's name says",
            };
            io::Error::new(error.kind(), words)
        })
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
    fn content_tells_what_the_name_does_not() {
        let text = "[Event \"x\"]\n\n1. e4 *\n";
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let gzip = gzip.finish().unwrap();
        for name in ["games.pgn", "GAMES.PGN.GZ", "games.pgn.xz", "games"] {
            assert_eq!(read(name, &gzip).unwrap(), text, "{name}");
        }
        assert_eq!(read("games.pgn", &packed_as_xz(text.as_bytes())).unwrap(), text);
        assert_eq!(read("games.pgn", b"BZh is no game").unwrap(), "BZh is no game");
        let error = read("games.pgn", b"PK\x03\x04\0").unwrap_err().to_string();
        assert!(error.contains("archive") && error.contains("zip"), "{error}");
    }

    #[test]
    fn texts_of_every_encoding_and_line_end_are_read() {
        let text = "Müller, ½–½\r\nЯ 𝄞\n";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain(units.iter().flat_map(|unit| unit.to_le_bytes()))
            .collect();
        let big: Vec<u8> = [0xfe, 0xff]
            .into_iter()
            .chain(units.iter().flat_map(|unit| unit.to_be_bytes()))
            .collect();
        assert_eq!(read("a.pgn", &little).unwrap(), text);
        assert_eq!(read("a.pgn", &big).unwrap(), text);
        assert_eq!(read("a.epd", b"one\rtwo\r").unwrap(), "one\ntwo\n");
        assert_eq!(read("a.pgn", b"one\rtwo\r").unwrap(), "one\rtwo\r");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.epd");
        std::fs::write(&path, b"caf\xe9\ncaf\xc3\xa9\n").unwrap();
        assert_eq!(super::read(&path).unwrap(), "café\ncafé\n");
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
        assert_eq!(error.to_string(), "the compressed data is cut off");
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
            ("A.PGN.GZ", "pgn"),
            ("a.csv.xz", "csv"),
            ("x/b.pgn.zst", "pgn"),
            ("c.pgn.bz2", "pgn"),
            ("list", ""),
        ] {
            assert_eq!(kind(Path::new(name)), expected);
        }
    }
}
