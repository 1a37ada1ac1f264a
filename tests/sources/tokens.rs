//! Rust's words as far as a test of sources needs them.

/// The tokens of a source, without comments: names, `::`, literals whole with their quotes, lifetimes, and every other
/// character that is no space by itself.
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let comment = comment(rest);
        let length = match comment.or_else(|| literal(rest)).or_else(|| name(rest)) {
            Some(length) => length,
            None if rest.starts_with("::") => 2,
            None => first.len_utf8(),
        };
        if comment.is_none() && !first.is_whitespace() {
            tokens.push(rest[..length].to_string());
        }
        rest = &rest[length..];
    }
    tokens
}

/// The length of a comment at the start of the text; block comments may hold others.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let (mut depth, mut at) = (0, 0);
    while text[at..].starts_with("/*") || depth > 0 {
        let rest = &text[at..];
        if rest.starts_with("/*") || rest.starts_with("*/") {
            depth += if rest.starts_with("/*") { 1 } else { -1 };
            at += 2;
        } else {
            at += rest.chars().next()?.len_utf8();
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The length of a string, a character or a lifetime at the start of the text.
fn literal(text: &str) -> Option<usize> {
    let body = text.trim_start_matches(['b', 'c', 'r']);
    let prefix = text.len() - body.len();
    if let Some(after) = body.strip_prefix('\'') {
        let is_char = after.starts_with('\\') || after.chars().nth(1) == Some('\'');
        return Some(prefix + if is_char { quoted(body) } else { 1 + name(after)? });
    }
    let hashes = body.len() - body.trim_start_matches('#').len();
    if !body[hashes..].starts_with('"') {
        return None;
    }
    if !text[..prefix].contains('r') {
        return (hashes == 0).then(|| prefix + quoted(body));
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let inside = &body[hashes + 1..];
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(prefix + hashes + 1 + length)
}

/// The length of a literal that ends with the quote that it begins with, unless that is escaped.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !escaped && text.starts_with(c) {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// The length of a name or number at the start of the text.
fn name(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some(end.unwrap_or(text.len())).filter(|&length| length > 0)
}
