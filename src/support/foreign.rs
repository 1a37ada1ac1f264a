//! The door for texts from elsewhere: names in files, file names, what other programs say. Printed as they are, they could
//! steer a terminal (escape sequences), forge lines of a protocol (line breaks) or hide what they say (changed direction
//! of writing).

use std::borrow::Cow;

/// What stands for a character that is not let through.
const REPLACED: char = '?';

/// The text on one line, in characters that can be seen.
pub fn one_line(text: &str) -> Cow<'_, str> {
    clean(text, is_hidden)
}

/// The text in characters that can be seen, with its line breaks and tabulators.
pub fn visible(text: &str) -> Cow<'_, str> {
    clean(text, |c| is_hidden(c) && c != '\n' && c != '\t')
}

fn clean(text: &str, is_replaced: impl Fn(char) -> bool) -> Cow<'_, str> {
    match text.contains(&is_replaced) {
        true => Cow::Owned(text.replace(is_replaced, &REPLACED.to_string())),
        false => Cow::Borrowed(text),
    }
}

/// Control characters, separators of lines and paragraphs, and marks that change the direction of writing.
fn is_hidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_a_terminal_or_forges_a_line() {
        assert_eq!(one_line("evil\nbestmove e2e4\r"), "evil?bestmove e2e4?");
        assert_eq!(
            one_line("\u{1b}[2Jx\u{9b}31m\u{202e}y\u{2028}z\0"),
            "?[2Jx?31m?y?z?"
        );
        assert_eq!(visible("a\n\tb\u{1b}c\r\n"), "a\n\tb?c?\n");
        for text in ["", "enroc", "Català: ¿sí?", "日本 ♞ é"] {
            assert!(matches!(one_line(text), Cow::Borrowed(same) if same == text));
        }
    }
}
