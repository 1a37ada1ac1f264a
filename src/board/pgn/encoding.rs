//! The encodings of games: UTF-8, or else the one that PGN prescribes, Latin-1, in the form that Windows gave it; and of
//! whole files, which may be in UTF-16.

use std::borrow::Cow;

/// What the bytes 0x80 to 0x9f stand for in Windows-1252; five of them are not used.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of these bytes: in UTF-8 if they are that, else in Windows-1252, which has all of Latin-1.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| character(byte)).collect()),
    }
}

fn character(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// How the text of a file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Each line in UTF-8, or else as [`decode`] has it.
    #[default]
    Lines,
    /// UTF-16, the low byte of a sign first.
    Utf16Little,
    /// UTF-16, the high byte first.
    Utf16Big,
}

impl Encoding {
    /// That of a text that begins with these bytes: UTF-16 by its mark, or by the zero beside a bracket or digit.
    pub fn of(start: &[u8]) -> Encoding {
        match start {
            [0xff, 0xfe, ..] | [b'[' | b'1', 0, ..] => Encoding::Utf16Little,
            [0xfe, 0xff, ..] | [0, b'[' | b'1', ..] => Encoding::Utf16Big,
            _ => Encoding::Lines,
        }
    }

    /// The text of a piece of a file, and how many of its bytes that is: what is not whole yet, a line or a sign, comes
    /// again with the next piece. The last piece is read to its end.
    pub fn piece(self, bytes: &[u8], is_last: bool) -> (String, usize) {
        match self {
            Encoding::Lines => {
                let length = if is_last { bytes.len() } else { whole_lines(bytes) };
                let lines = bytes[..length].split_inclusive(|&byte| byte == b'\n');
                (lines.map(decode).collect(), length)
            }
            Encoding::Utf16Little => in_utf16(bytes, is_last, u16::from_le_bytes),
            Encoding::Utf16Big => in_utf16(bytes, is_last, u16::from_be_bytes),
        }
    }
}

/// The length of the lines that have their end.
fn whole_lines(bytes: &[u8]) -> usize {
    // a carriage return at the end may be half of a line's end
    let certain = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let end = certain.iter().rposition(|&byte| matches!(byte, b'\n' | b'\r'));
    end.map_or(0, |end| end + 1)
}

fn in_utf16(bytes: &[u8], is_last: bool, unit: fn([u8; 2]) -> u16) -> (String, usize) {
    let mut units: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|pair| unit([pair[0], pair[1]]))
        .collect();
    // the second half of a sign may still come
    if !is_last && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
        units.pop();
    }
    let length = if is_last { bytes.len() } else { units.len() * 2 };
    let signs = char::decode_utf16(units).map(|sign| sign.unwrap_or(char::REPLACEMENT_CHARACTER));
    (signs.filter(|&sign| sign != '\u{feff}').collect(), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file's text, read in pieces of this many bytes at most.
    fn in_pieces(bytes: &[u8], at_once: usize) -> String {
        let encoding = Encoding::of(bytes);
        let (mut text, mut from) = (String::new(), 0);
        while from < bytes.len() {
            let to = bytes.len().min(from + at_once);
            let (piece, length) = encoding.piece(&bytes[from..to], to == bytes.len());
            assert!(length > 0, "nothing is read at {from}");
            text += &piece;
            from += length;
        }
        text
    }

    #[test]
    fn a_file_is_read_in_pieces() {
        let text = "[A \"Šahović\"]\r\n1. ♘f3 𝄞\r\nMüller\r\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let marked = [&[0xff, 0xfe][..], &little].concat();
        for at_once in [24, 25, 26, 27, 1000] {
            for bytes in [text.as_bytes(), &little, &big, &marked] {
                assert_eq!(in_pieces(bytes, at_once), text, "{at_once} at once");
            }
        }
        let mixed = b"[A \"M\xfcller\"]\r\n[B \"M\xc3\xbcller\"]\r\n";
        assert_eq!(in_pieces(mixed, 20), "[A \"Müller\"]\r\n[B \"Müller\"]\r\n");
        // no line has an end yet
        assert_eq!(Encoding::Lines.piece(b"abc\r", false), (String::new(), 0));
        assert_eq!(Encoding::Lines.piece(b"ab\rc", false), ("ab\r".to_string(), 3));
        // half a sign at the end of the file
        assert_eq!(Encoding::Utf16Little.piece(b"a\0b", true), ("a".to_string(), 3));
    }

    #[test]
    fn both_encodings_give_the_same_text() {
        let text = "Müller – Šahović ½ €";
        assert_eq!(decode(text.as_bytes()), text);
        assert_eq!(
            decode(b"M\xfcller \x96 \x8aahovi\xe6 \xbd \x80"),
            "Müller – Šahoviæ ½ €"
        );
        assert_eq!(decode(b"plain"), "plain");
    }
}
