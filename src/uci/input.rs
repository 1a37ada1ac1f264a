//! Reads lines from a client that may send anything: invalid UTF-8, lines without end.

use std::io::{self, BufRead, Read};

/// The longest line that is accepted, in bytes; a game of 10,000 moves takes about 50,000.
pub const LONGEST: usize = 4 << 20;

/// One line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputLine {
    /// A line without its line break; invalid UTF-8 is replaced by replacement characters.
    Text(String),
    /// A line of more than [`LONGEST`] bytes, discarded.
    TooLong,
}

/// Reads the next line; `None` at the end of the input.
///
/// # Errors
/// Those of the input.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    if input.take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() > LONGEST && bytes.last() != Some(&b'\n') {
        skip_line(input)?;
        return Ok(Some(InputLine::TooLong));
    }
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    Ok(Some(InputLine::Text(
        String::from_utf8_lossy(&bytes).into_owned(),
    )))
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (used, done) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<InputLine> {
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn every_line_break_is_accepted() {
        let text = |text: &str| InputLine::Text(text.to_string());
        assert_eq!(lines(b"uci\r\n\nquit"), [text("uci"), text(""), text("quit")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(
            lines(b"go \xff\0\n"),
            [InputLine::Text("go \u{fffd}\0".to_string())]
        );
    }

    #[test]
    fn a_line_that_is_too_long_is_discarded() {
        let mut input = vec![b'x'; 3 * LONGEST];
        input.extend_from_slice(b"\nisready\n");
        assert_eq!(
            lines(&input),
            [InputLine::TooLong, InputLine::Text("isready".to_string())]
        );
        assert_eq!(lines(&vec![b'x'; LONGEST + 1]), [InputLine::TooLong]);
        assert_eq!(lines(&vec![b'x'; LONGEST]).len(), 1);
        assert!(matches!(lines(&vec![b'x'; LONGEST])[0], InputLine::Text(_)));
    }
}
