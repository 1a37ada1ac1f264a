//! PGN taken apart: bytes in, in pieces of any size, and tags, moves, comments and signs out, each with its place.
//!
//! Real files are no standard's: what other readers understand is understood here, whatever it looks like. Nothing of the
//! rules of chess is known here.

use super::PgnFault;
use super::encoding::decode;
use super::events::{Events, Spot};
use super::tag_text::{self, TagText};
use super::words;
use crate::board::GameResult;

/// The longest comment that is kept, in bytes: it bounds the memory that a comment without an end takes.
pub const LONGEST_COMMENT: usize = 1 << 20;

/// The longest line of a tag or remark, in bytes.
const LONGEST_LINE: usize = 1 << 16;

/// The longest word, in bytes.
const LONGEST_WORD: usize = 255;

/// The byte order mark of UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// With this tag a game begins, even where a comment before it was never closed.
const FIRST_TAG: &[u8] = b"[Event \"";

/// What is passed over because its beginning was too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    Comment,
    Line,
    Word,
}

/// Takes text apart.
#[derive(Debug)]
pub struct Lexer {
    spot: Spot,
    /// What came but could not be understood without what follows.
    carry: Vec<u8>,
    /// Line ends since the last word or sign.
    breaks: u8,
    at_line_start: bool,
    passing: Option<Rest>,
}

impl Default for Lexer {
    fn default() -> Lexer {
        Lexer {
            spot: Spot { byte: 0, line: 1 },
            carry: Vec::new(),
            // the beginning of a text is as good as an empty line
            breaks: 2,
            at_line_start: true,
            passing: None,
        }
    }
}

/// The white space of PGN, and the zeros that broken transfers leave.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0 | 0x0b | 0x0c)
}

/// Whether a byte ends a word.
const ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let all = b" \t\n\r\0\x0b\x0c{}()[];$<>!?*.\"&,|";
    let mut place = 0;
    while place < all.len() {
        ends[all[place] as usize] = true;
        place += 1;
    }
    ends
};

impl Lexer {
    /// Takes the next piece of the text.
    pub fn feed(&mut self, bytes: &[u8], events: &mut impl Events) {
        if self.carry.is_empty() {
            let taken = self.run(bytes, false, events);
            self.carry.extend_from_slice(&bytes[taken..]);
            return;
        }
        let mut carry = std::mem::take(&mut self.carry);
        carry.extend_from_slice(bytes);
        let taken = self.run(&carry, false, events);
        carry.drain(..taken);
        self.carry = carry;
    }

    /// Takes the last piece of the text.
    pub fn finish(&mut self, bytes: &[u8], events: &mut impl Events) {
        let mut carry = std::mem::take(&mut self.carry);
        if carry.is_empty() {
            self.run(bytes, true, events);
        } else {
            carry.extend_from_slice(bytes);
            self.run(&carry, true, events);
        }
    }

    /// Takes everything that is understood without what follows; returns its length.
    fn run(&mut self, bytes: &[u8], last: bool, events: &mut impl Events) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            let Some(taken) = self.step(&bytes[at..], last, events) else {
                break;
            };
            at += taken;
            self.spot.byte += taken as u64;
        }
        at
    }

    /// Takes what stands at the beginning; `None` if more must be known.
    fn step(&mut self, rest: &[u8], last: bool, events: &mut impl Events) -> Option<usize> {
        if let Some(passing) = self.passing {
            return Some(self.pass(passing, rest));
        }
        let byte = rest[0];
        if is_space(byte) {
            return self.white_space(rest, last);
        }
        // files that were joined have the mark of UTF-8 in their midst
        if byte == MARK[0] && MARK.starts_with(&rest[..rest.len().min(MARK.len())]) {
            return (rest.len() >= MARK.len() || last).then_some(rest.len().min(MARK.len()));
        }
        let taken = match byte {
            b'%' if self.at_line_start => self.line(rest, last)?,
            b';' => {
                let end = self.line(rest, last)?;
                events.comment(&decode(&rest[1..end]), self.spot);
                end
            }
            b'[' => self.tag(rest, last, events)?,
            b'{' => return self.comment(rest, last, events),
            b'(' => {
                events.open(self.spot);
                1
            }
            b')' => {
                events.close(self.spot);
                1
            }
            b'$' => self.numbered_glyph(rest, last, events)?,
            b'!' | b'?' => self.marks(rest, last, events)?,
            b'*' => {
                events.result(GameResult::Unknown, self.spot);
                1
            }
            b'<' | b'&' => markup(rest, last)?,
            b'}' => {
                events.fault(PgnFault::Unclosed('}'), self.spot);
                1
            }
            _ if ENDS[usize::from(byte)] => 1,
            _ => self.word(rest, last, events)?,
        };
        self.breaks = 0;
        self.at_line_start = false;
        Some(taken)
    }

    fn end_line(&mut self) {
        self.spot.line += 1;
        self.breaks = (self.breaks + 1).min(2);
        self.at_line_start = true;
    }

    /// Whether an empty line stands before this place.
    fn is_fresh(&self) -> bool {
        self.breaks >= 2
    }

    fn white_space(&mut self, rest: &[u8], last: bool) -> Option<usize> {
        let mut length = 0;
        for (place, &byte) in rest.iter().enumerate() {
            match (byte, rest.get(place + 1)) {
                (b'\n', _) => self.end_line(),
                (b'\r', None) if !last => break,
                (b'\r', Some(b'\n')) => {}
                (b'\r', _) => self.end_line(),
                _ if is_space(byte) => self.at_line_start = false,
                _ => break,
            }
            length = place + 1;
        }
        (length > 0).then_some(length)
    }

    /// The length of a line without its end.
    fn line(&mut self, rest: &[u8], last: bool) -> Option<usize> {
        let end = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r');
        match end {
            Some(end) => Some(end),
            None if last => Some(rest.len()),
            None if rest.len() < LONGEST_LINE => None,
            None => {
                self.passing = Some(Rest::Line);
                Some(rest.len())
            }
        }
    }

    /// Goes on to the end of what is passed over.
    fn pass(&mut self, passing: Rest, rest: &[u8]) -> usize {
        let is_end = |&byte: &u8| match passing {
            Rest::Comment => byte == b'}',
            Rest::Line => byte == b'\n' || byte == b'\r',
            Rest::Word => ENDS[usize::from(byte)],
        };
        let end = rest.iter().position(is_end);
        let taken = end.unwrap_or(rest.len());
        self.spot.line += lines(&rest[..taken]);
        if end.is_none() {
            return taken;
        }
        self.passing = None;
        taken + usize::from(passing == Rest::Comment)
    }

    fn comment(&mut self, rest: &[u8], last: bool, events: &mut impl Events) -> Option<usize> {
        let spot = self.spot;
        let mut end = 1;
        let taken = loop {
            let stop = rest[end..].iter().position(|&byte| byte == b'}' || byte == b'[');
            let Some(stop) = stop else {
                if !last && rest.len() < LONGEST_COMMENT {
                    return None;
                }
                let fault = match last {
                    true => PgnFault::Unclosed('{'),
                    false => PgnFault::LongComment,
                };
                self.passing = (!last).then_some(Rest::Comment);
                events.comment(&decode(&rest[1..]), spot);
                events.fault(fault, spot);
                break rest.len();
            };
            end += stop;
            if rest[end] == b'}' {
                events.comment(&decode(&rest[1..end]), spot);
                break end + 1;
            }
            if is_after_empty_line(&rest[..end]) {
                if rest.len() < end + FIRST_TAG.len() && !last {
                    return None;
                }
                if rest[end..].starts_with(FIRST_TAG) {
                    events.comment(&decode(&rest[1..end]), spot);
                    events.fault(PgnFault::Unclosed('{'), spot);
                    self.spot.line += lines(&rest[..end]);
                    self.breaks = 2;
                    self.at_line_start = true;
                    return Some(end);
                }
            }
            end += 1;
        };
        self.spot.line += lines(&rest[..taken]);
        self.breaks = 0;
        self.at_line_start = false;
        Some(taken)
    }

    fn tag(&mut self, rest: &[u8], last: bool, events: &mut impl Events) -> Option<usize> {
        let is_last = last || rest.len() >= LONGEST_LINE;
        let found = tag_text::find(rest, is_last, self.at_line_start)?;
        match found {
            TagText::Tag {
                name,
                value,
                length,
                whole,
            } => {
                let value = tag_text::unescaped(&decode(value));
                events.tag(&decode(name), &value, self.is_fresh(), self.spot);
                if !whole {
                    events.fault(PgnFault::Tag, self.spot);
                }
                Some(length)
            }
            TagText::Other(length) => {
                events.fault(PgnFault::Tag, self.spot);
                Some(length)
            }
        }
    }

    fn numbered_glyph(&self, rest: &[u8], last: bool, events: &mut impl Events) -> Option<usize> {
        let digits = rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits + 1 == rest.len() && !last && digits < LONGEST_WORD {
            return None;
        }
        let number = std::str::from_utf8(&rest[1..=digits])
            .ok()
            .and_then(|text| text.parse().ok());
        if let Some(number) = number {
            events.glyph(number, self.spot);
        }
        Some(digits + 1)
    }

    /// `!?` and its like.
    fn marks(&self, rest: &[u8], last: bool, events: &mut impl Events) -> Option<usize> {
        let length = rest
            .iter()
            .take_while(|&&byte| byte == b'!' || byte == b'?')
            .count();
        if length == rest.len() && !last && length < LONGEST_WORD {
            return None;
        }
        if let Some(number) = words::mark(&rest[..length]) {
            events.glyph(number, self.spot);
        }
        Some(length)
    }

    /// A move with what is glued to it, a result, or the number of a move.
    fn word(&mut self, rest: &[u8], last: bool, events: &mut impl Events) -> Option<usize> {
        let end = rest.iter().position(|&byte| ENDS[usize::from(byte)]);
        let length = end.unwrap_or(rest.len());
        // brackets and dots may belong to the word, so a little of what follows must be there
        let more = if rest.starts_with(b"0.5") {
            words::HALF.len()
        } else {
            length + 4
        };
        let is_known = last || rest.len() >= more;
        if !is_known && length < LONGEST_WORD {
            return None;
        }
        let digits = rest[..length]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if words::is_number(&rest[..length], digits, &rest[length..]) {
            let behind = rest[digits..]
                .iter()
                .take(4)
                .take_while(|&&byte| byte == b'.' || byte == b' ');
            let dots = behind.filter(|&&byte| byte == b'.').count();
            let number = std::str::from_utf8(&rest[..digits])
                .ok()
                .and_then(|text| text.parse().ok());
            if let (Some(number), true) = (number, dots < 2) {
                events.number(number, self.is_fresh());
            }
            return Some(digits);
        }
        if length > LONGEST_WORD {
            // no move is so long
            let start: String = decode(&rest[..LONGEST_WORD]).chars().take(20).collect();
            events.word(&(start + "…"), self.spot);
            self.passing = end.is_none().then_some(Rest::Word);
            return Some(length);
        }
        let (length, taken) = words::with_brackets(rest, length);
        let text = decode(&rest[..length]);
        words::read(&text, self.spot, events);
        Some(taken)
    }
}

/// Whether these bytes end with an empty line.
fn is_after_empty_line(before: &[u8]) -> bool {
    let mut ends = 0;
    for (place, &byte) in before.iter().enumerate().rev() {
        match byte {
            b'\n' => ends += 1,
            b'\r' if before.get(place + 1) != Some(&b'\n') => ends += 1,
            b'\r' => {}
            b' ' | b'\t' if ends > 0 => {}
            _ => return false,
        }
        if ends == 2 {
            return true;
        }
    }
    false
}

/// Line ends in a text; a carriage return counts if no line feed follows.
fn lines(bytes: &[u8]) -> u32 {
    let feeds = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let returns = bytes.iter().filter(|&&byte| byte == b'\r').count();
    if returns == 0 {
        return feeds as u32;
    }
    let both = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    (feeds + returns - both) as u32
}

/// The length of what a web page left between the moves, such as `<br>` or `&nbsp;`; of one byte if it is none.
fn markup(rest: &[u8], last: bool) -> Option<usize> {
    const LONGEST: usize = 64;
    let (end, is_inside): (u8, fn(u8) -> bool) = match rest[0] {
        b'<' => (b'>', |byte| !matches!(byte, b'<' | b'\n' | b'\r')),
        _ => (b';', |byte| byte.is_ascii_alphanumeric() || byte == b'#'),
    };
    let inside = rest[1..]
        .iter()
        .take(LONGEST)
        .take_while(|&&byte| byte != end && is_inside(byte))
        .count();
    match rest.get(inside + 1) {
        None if !last && inside < LONGEST => None,
        Some(&byte) if byte == end && inside > 0 => Some(inside + 2),
        _ => Some(1),
    }
}
