//! The encodings of games: UTF-8, or else the one that PGN prescribes, Latin-1, in the form that Windows gave it.

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

#[cfg(test)]
mod tests {
    use super::*;

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
