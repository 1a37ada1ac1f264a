//! The pieces of a text in PGN's export format, for everything that writes one.

use super::super::position::Position;
use super::super::types::Color;

/// The most characters of a line of moves: the export format has fewer than 80 (PGN standard, 8.2.1).
pub const WIDTH: usize = 79;

/// The line of a tag, with its end.
pub fn tag_line(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// The number of the move that is next in a position: `12.` for White, `12...` for Black.
pub fn move_number(position: &Position) -> String {
    let dots = match position.side_to_move() {
        Color::White => ".",
        Color::Black => "...",
    };
    format!("{}{dots}", position.fullmove_number())
}

/// A line of moves or comments begins with none of these: some readers skip a line that begins with `%` or `;` wherever
/// it stands, and take one that begins with `[` for a tag.
pub const NOT_FIRST: [char; 3] = ['%', ';', '['];

/// Words in lines of at most [`WIDTH`] characters, the last without its end. A word with which no line may begin stays
/// beside the one before it, even if the line is then longer.
pub fn wrapped(words: &[String]) -> String {
    let (mut text, mut length) = (String::new(), 0);
    for (place, word) in words.iter().enumerate() {
        let next = words[place + 1..]
            .iter()
            .take_while(|word| word.starts_with(NOT_FIRST));
        // what must stay together
        let long = next.fold(word.chars().count(), |sum, word| sum + 1 + word.chars().count());
        if length > 0 && length + 1 + long > WIDTH && !word.starts_with(NOT_FIRST) {
            text.push('\n');
            length = 0;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        text.push_str(word);
        length += word.chars().count();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_and_words_whole() {
        let words: Vec<String> = (0..60).map(|n| format!("word{n}")).collect();
        let text = wrapped(&words);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), words);
    }

    #[test]
    fn numbers_tell_whose_move_it_is() {
        let number = |fen: &str| move_number(&Position::from_fen(fen).unwrap());
        assert_eq!(number("4k3/8/8/8/8/8/8/4K2R w K - 0 12"), "12.");
        assert_eq!(number("4k3/8/8/8/8/8/8/4K2R b K - 0 12"), "12...");
    }

    #[test]
    fn quotation_marks_and_backslashes_are_escaped() {
        assert_eq!(tag_line("White", r#"a "b" \"#), "[White \"a \\\"b\\\" \\\\\"]\n");
    }
}
