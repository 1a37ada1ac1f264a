//! Words of a game: a move with the signs and results that real files glue to it.

use super::events::{Events, Spot};
use super::{PgnFault, results};

/// The numbers of the signs of an evaluation, as Informant and its readers use them; longer ones first.
const SIGNS: [(&str, u8); 24] = [
    ("+/-", 16),
    ("-/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("+--", 20),
    ("--+", 21),
    ("+-", 18),
    ("-+", 19),
    ("+=", 14),
    ("=+", 15),
    ("±", 16),
    ("∓", 17),
    ("⩲", 14),
    ("⩱", 15),
    ("∞", 13),
    ("⨀", 22),
    ("⟳", 32),
    ("→", 36),
    ("↑", 40),
    ("⇆", 132),
    ("□", 7),
    ("⌓", 142),
    ("=", 10),
    ("~", 13),
];

/// The signs of a move, with their numbers.
const MARKS: [(&[u8], u8); 6] = [
    (b"!", 1),
    (b"?", 2),
    (b"!!", 3),
    (b"??", 4),
    (b"!?", 5),
    (b"?!", 6),
];

/// Letters that stand alone for a glyph: a novelty, a diagram.
const LETTERS: [(&str, u8); 3] = [("N", 146), ("TN", 146), ("D", 220)];

/// What stands for a move that is passed.
pub const NULL_MOVES: [&str; 4] = ["--", "Z0", "0000", "@@@@"];

/// A draw in numbers: the one word with dots in it.
pub const HALF: &[u8] = b"0.5-0.5";

/// Words that say of a move what its position says too.
const NEEDLESS: [&str; 9] = ["ep", "e.p", "ch", "dbl", "dis", "disch", "mate", "x", "Diagram"];

/// Figures of pieces, their letters.
const FIGURES: [(char, &str); 12] = [
    ('♔', "K"),
    ('♕', "Q"),
    ('♖', "R"),
    ('♗', "B"),
    ('♘', "N"),
    ('♙', ""),
    ('♚', "K"),
    ('♛', "Q"),
    ('♜', "R"),
    ('♝', "B"),
    ('♞', "N"),
    ('♟', ""),
];

/// The number of a mark such as `!?`.
pub fn mark(bytes: &[u8]) -> Option<u8> {
    let bytes = &bytes[..bytes.len().min(2)];
    MARKS
        .iter()
        .find(|(mark, _)| *mark == bytes)
        .map(|&(_, number)| number)
}

/// Whether so many digits at the beginning of a word are the number of a move.
pub fn is_number(word: &[u8], digits: usize, behind: &[u8]) -> bool {
    if digits == 0 {
        return false;
    }
    match word.get(digits) {
        // 0.5-0.5
        None => &word[..digits] != b"0000" && !(word == b"0" && behind.starts_with(b".5")),
        // a result, castling, or a dash of another encoding
        Some(&byte) => {
            !b"-/:".contains(&byte) && byte < 0x80
                || word[digits..].starts_with("…".as_bytes())
                || byte == 0x85
        }
    }
}

/// The length of a word together with the brackets of `e8(Q)`, the rest of `0.5-0.5` or without the `e.p.` behind it;
/// and of all that is thereby read.
pub fn with_brackets(rest: &[u8], length: usize) -> (usize, usize) {
    let behind = &rest[length..];
    match behind {
        [
            b'(',
            b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n',
            b')',
            ..,
        ] if matches!(rest[length - 1], b'1' | b'8' | b'=') => (length + 3, length + 3),
        [b'.', b'p', b'.', ..] if length > 2 && rest[length - 1] == b'e' => (length - 1, length + 3),
        [b'.', b'p', ..] if length > 2 && rest[length - 1] == b'e' => (length - 1, length + 2),
        [b'.', b'p', ..] if &rest[..length] == b"e" => (0, length + 2),
        [b'.', b'5', ..] if rest.starts_with(HALF) => (HALF.len(), HALF.len()),
        _ => (length, length),
    }
}

/// Tells what a word consists of.
pub fn read(word: &str, spot: Spot, events: &mut impl Events) {
    if word.is_ascii() {
        return read_plain(word, spot, events);
    }
    let plain = plain(word);
    for word in plain.split_whitespace() {
        read_plain(word, spot, events);
    }
}

/// A word in the signs that PGN has for it; what is no more than white space becomes that.
fn plain(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            '–' | '—' | '−' | '‐' | '‑' => text.push('-'),
            '½' => text.push_str("1/2"),
            '×' => text.push('x'),
            '…' => text.push(' '),
            '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{fe0e}' | '\u{fe0f}' | '\u{ad}' => text.push(' '),
            _ => match FIGURES.iter().find(|figure| figure.0 == c) {
                Some(figure) => text.push_str(figure.1),
                None => text.push(c),
            },
        }
    }
    text
}

/// Whether a word is a move with nothing glued to it, as nearly all are: it begins with a letter and ends with a square,
/// or with a square and the mark of a check.
fn is_plain_move(word: &[u8]) -> bool {
    let bare = match word {
        [rest @ .., b'+' | b'#'] => rest,
        _ => word,
    };
    match bare {
        [
            b'a'..=b'h' | b'B' | b'K' | b'N' | b'Q' | b'R',
            ..,
            b'a'..=b'h',
            b'1'..=b'8',
        ] => true,
        [b'a'..=b'h', b'1'..=b'8'] => true,
        _ => bare == b"O-O" || bare == b"O-O-O",
    }
}

fn read_plain(word: &str, spot: Spot, events: &mut impl Events) {
    if is_plain_move(word.as_bytes()) {
        return events.word(word, spot);
    }
    if let Some(result) = results::read(word) {
        return events.result(result, spot);
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if is_number(word.as_bytes(), digits, b"") {
        return match &word[digits..] {
            "" => {}
            rest => read_plain(rest, spot, events),
        };
    }
    if NULL_MOVES.contains(&word) {
        return events.word(word, spot);
    }
    let (word, result) = results::glued(word);
    let (word, sign) = signed(word);
    if !word.is_empty() {
        read_move(word, spot, events);
    }
    if let Some(number) = sign {
        events.glyph(number, spot);
    }
    if let Some(result) = result {
        events.result(result, spot);
    }
}

/// A word without the sign behind it, and the number of the sign.
fn signed(word: &str) -> (&str, Option<u8>) {
    for (sign, number) in SIGNS {
        if let Some(rest) = word.strip_suffix(sign) {
            return (rest, Some(number));
        }
    }
    // a novelty, which a promotion to a knight is not
    let bytes = word.as_bytes();
    if let [first, .., rank @ b'1'..=b'8', b'N'] = bytes
        && (first.is_ascii_uppercase() || !matches!(rank, b'1' | b'8'))
    {
        return (&word[..word.len() - 1], Some(146));
    }
    (word, None)
}

fn read_move(word: &str, spot: Spot, events: &mut impl Events) {
    if let Some(&(_, number)) = LETTERS.iter().find(|letter| letter.0 == word) {
        return events.glyph(number, spot);
    }
    if NEEDLESS.contains(&word) || !word.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
        return;
    }
    let word = word
        .strip_suffix("ep")
        .filter(|rest| rest.ends_with(|c: char| c.is_ascii_digit()))
        .unwrap_or(word);
    let has_square = word.bytes().any(|byte| byte.is_ascii_digit());
    let is_castling = word.bytes().all(|byte| b"Oo-+#".contains(&byte)) && word.len() > 1;
    match has_square || is_castling {
        true => events.word(word, spot),
        false => events.fault(PgnFault::Word(word.to_string()), spot),
    }
}
