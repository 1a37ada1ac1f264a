//! Where a tag ends, in files whose values hold quotation marks that nobody escaped.

/// A bracket and what stands behind it.
#[derive(Debug, PartialEq, Eq)]
pub enum TagText<'a> {
    /// `[Name "value"]`
    Tag {
        name: &'a [u8],
        /// With its escapes.
        value: &'a [u8],
        /// Of the whole tag.
        length: usize,
        /// Whether the value had its end.
        whole: bool,
    },
    /// Something else, of this length.
    Other(usize),
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || b"_+#=:-.".contains(&byte)
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// The place of the first byte from `start` on that is none of these.
fn after(rest: &[u8], start: usize, is_one: fn(u8) -> bool) -> usize {
    start + rest[start..].iter().take_while(|&&byte| is_one(byte)).count()
}

/// Reads what begins with a bracket; `None` if more must be known. `last` if there is no more.
pub fn find(rest: &[u8], last: bool, at_line_start: bool) -> Option<TagText<'_>> {
    let start = after(rest, 1, is_blank);
    let end = after(rest, start, is_name);
    let quote = after(rest, end, is_blank);
    if quote == rest.len() && !last {
        return None;
    }
    let name = &rest[start..end];
    if name.is_empty() || rest.get(quote) != Some(&b'"') {
        return other(rest, last, at_line_start, name);
    }
    let from = quote + 1;
    let (mut at, mut last_quote) = (from, None);
    let tag = |to: usize, length: usize, whole: bool| {
        let value = &rest[from..to];
        Some(TagText::Tag {
            name,
            value,
            length,
            whole,
        })
    };
    while let Some(&byte) = rest.get(at).filter(|&&byte| !is_line_end(byte)) {
        match byte {
            b'"' => {
                let bracket = after(rest, at + 1, is_blank);
                match rest.get(bracket) {
                    Some(b']') => return tag(at, bracket + 1, true),
                    None if !last => return None,
                    _ => last_quote = Some(at),
                }
            }
            b'\\' if rest.get(at + 1) == Some(&b'"') => {
                // a path may end in a backslash: C:\games\
                if let Some(length) = closed_by(rest, at + 2, last)? {
                    return tag(at + 1, length, true);
                }
                at += 1;
            }
            b'\\' if rest.get(at + 1) == Some(&b'\\') => at += 1,
            _ => {}
        }
        at += 1;
    }
    if at >= rest.len() && !last {
        return None;
    }
    let line = at.min(rest.len());
    match last_quote {
        Some(quote) if after(rest, quote + 1, is_blank) == line => tag(quote, line, true),
        _ => {
            let value = rest[from..line].iter().rposition(|byte| !b" \t]".contains(byte));
            tag(value.map_or(from, |end| from + end + 1), line, false)
        }
    }
}

/// The length of a tag whose value is closed by the escaped quotation mark before this place: behind it the line ends
/// with the bracket, or another tag follows, whose own mark is not escaped. `Some(None)` if it is not closed there, `None`
/// if more must be known.
fn closed_by(rest: &[u8], start: usize, last: bool) -> Option<Option<usize>> {
    let bracket = after(rest, start.min(rest.len()), is_blank);
    match rest.get(bracket) {
        None if !last => return None,
        Some(b']') => {}
        _ => return Some(None),
    }
    let length = bracket + 1;
    let next = after(rest, length, is_blank);
    match rest.get(next) {
        None if !last => None,
        None => Some(Some(length)),
        Some(&byte) if is_line_end(byte) => Some(Some(length)),
        Some(b'[') => {
            let name = after(rest, next + 1, is_blank);
            let quote = after(rest, after(rest, name, is_name), is_blank);
            match rest.get(quote) {
                None if !last => None,
                Some(b'"') => Some(Some(length)),
                _ => Some(None),
            }
        }
        Some(_) => Some(None),
    }
}

/// A bracket that begins no tag; at the beginning of a line it may be a tag without quotation marks.
fn other<'a>(rest: &'a [u8], last: bool, at_line_start: bool, name: &'a [u8]) -> Option<TagText<'a>> {
    let end = rest.iter().position(|&byte| byte == b']' || is_line_end(byte));
    let Some(end) = end else {
        return last.then_some(TagText::Other(rest.len()));
    };
    let is_closed = rest[end] == b']';
    let value = rest[..end].iter().position(|&byte| is_blank(byte));
    if let (true, true, Some(&(b'A'..=b'Z')), Some(value)) = (at_line_start, is_closed, name.first(), value) {
        return Some(TagText::Tag {
            name,
            value: rest[value..end].trim_ascii(),
            length: end + 1,
            whole: true,
        });
    }
    Some(TagText::Other(end + usize::from(is_closed)))
}

/// A value without its escapes: a backslash stands before quotation marks and backslashes.
pub fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                text.push(next);
                chars.next();
            }
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<(String, usize, bool)> {
        match find(text.as_bytes(), true, true) {
            Some(TagText::Tag {
                value, length, whole, ..
            }) => Some((unescaped(std::str::from_utf8(value).ok()?), length, whole)),
            _ => None,
        }
    }

    #[test]
    fn values_end_where_others_end_them() {
        for (text, expected) in [
            (r#"[Event "a"]"#, "a"),
            (r#"[Event"a"]"#, "a"),
            (r#"[ Event  "a" ]"#, "a"),
            (r#"[Event "a \"b\" \\ c"]"#, r#"a "b" \ c"#),
            (r#"[Event "the "Open" 2020"]"#, r#"the "Open" 2020"#),
            (r#"[Site "C:\games\"]"#, r"C:\games\"),
            (r#"[Site "C:\games\\"]"#, r"C:\games\"),
            (r#"[Site "say \"hi\"]"]"#, r#"say "hi"]"#),
            (
                r#"[White "[Event \"x\"][Event \"x\"] [Event \"x\"]"]"#,
                r#"[Event "x"][Event "x"] [Event "x"]"#,
            ),
            ("[Event \"a\"\n1. e4", "a"),
            ("[WhiteElo 2500]", "2500"),
            (r#"[Event ""]"#, ""),
        ] {
            assert_eq!(
                value(text).map(|found| found.0).as_deref(),
                Some(expected),
                "{text}"
            );
        }
        let two = r#"[Site "C:\games\"] [Round "1"]"#;
        assert_eq!(value(two), Some((r"C:\games\".to_string(), 18, true)));
        assert_eq!(value("[Event \"a]\n"), Some(("a".to_string(), 10, false)));
        for other in ["[%eval 0.3]", "[#]", "[Event]", "[\"x\"]"] {
            assert_eq!(value(other), None, "{other}");
        }
    }

    #[test]
    fn a_tag_that_goes_on_is_waited_for() {
        let text = br#"[Event "a \"b\" c"] "#;
        let whole = find(text, true, true);
        for length in 1..text.len() - 1 {
            let part = find(&text[..length], false, true);
            assert_eq!(part, None, "{length}");
        }
        assert_eq!(find(text, false, true), whole);
    }
}
