//! Arrows and circles in comments, as Lichess and ChessBase write them: `[%csl Gd4,Rf6]` and `[%cal Ge2e4]`.

use super::super::types::Square;

/// The most drawings written into one command, so that it fits on a line.
const TOGETHER: usize = 10;

/// An arrow, or a circle round a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Its colour.
    pub paint: Paint,
    /// The square of a circle, or where an arrow begins.
    pub from: Square,
    /// Where an arrow ends.
    pub to: Option<Square>,
}

/// The colours there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

impl Paint {
    const LETTERS: [(char, Paint); 4] = [
        ('G', Paint::Green),
        ('R', Paint::Red),
        ('Y', Paint::Yellow),
        ('B', Paint::Blue),
    ];

    fn letter(self) -> char {
        let mut letters = Paint::LETTERS.iter();
        letters.find(|pair| pair.1 == self).map_or('G', |pair| pair.0)
    }
}

impl Drawing {
    /// Reads `Gd4` or `Ge2e4`.
    fn parse(text: &str) -> Option<Drawing> {
        let mut chars = text.chars();
        let letter = chars.next()?;
        let paint = Paint::LETTERS.iter().find(|pair| pair.0 == letter)?.1;
        let squares = chars.as_str();
        let from = squares.get(..2)?.parse().ok()?;
        let to = match squares.get(2..)? {
            "" => None,
            to => Some(to.parse().ok()?).filter(|&to| to != from),
        };
        Some(Drawing { paint, from, to })
    }

    fn write(&self) -> String {
        let to = self.to.map(|to| to.to_string()).unwrap_or_default();
        format!("{}{}{to}", self.paint.letter(), self.from)
    }
}

/// The drawings of a comment, and what else it says. A command that is not understood stays in the text.
pub fn take(comment: &str) -> (Vec<Drawing>, String) {
    let (mut drawings, mut text, mut rest) = (Vec::new(), String::new(), comment);
    while let Some(start) = rest.find("[%c") {
        let (before, command) = rest.split_at(start);
        let Some(end) = command.find(']').map(|end| end + 1) else {
            break;
        };
        text.push_str(before);
        match read(&command[..end]) {
            Some(found) => {
                drawings.extend(found);
                // keep the text before and after apart, lest the two join into another command
                text.push(' ');
            }
            None => text.push_str(&command[..end]),
        }
        rest = &command[end..];
    }
    text.push_str(rest);
    let words: Vec<&str> = text.split_whitespace().collect();
    (drawings, words.join(" "))
}

/// The drawings of one command in its brackets.
fn read(command: &str) -> Option<Vec<Drawing>> {
    let inside = command.strip_prefix("[%c")?.strip_suffix(']')?;
    let list = inside
        .strip_prefix("sl ")
        .or_else(|| inside.strip_prefix("al "))?;
    list.split(',').map(|item| Drawing::parse(item.trim())).collect()
}

/// A comment that begins with these drawings and goes on with this text.
pub fn put(drawings: &[Drawing], text: &str) -> String {
    let commands = |name: &str, is_arrow: bool| {
        let of_kind = drawings.iter().filter(|drawing| drawing.to.is_some() == is_arrow);
        let items: Vec<String> = of_kind.map(Drawing::write).collect();
        let commands = items.chunks(TOGETHER);
        commands
            .map(|items| format!("[%{name} {}]", items.join(",")))
            .collect::<Vec<_>>()
    };
    let mut parts = [commands("csl", false), commands("cal", true)].concat();
    parts.extend((!text.is_empty()).then(|| text.to_string()));
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_come_back_and_the_words_stay() {
        let comment = "[%csl Gd4,Rf6] [%cal Ge2e4,Yg1f3,Bb8c6] the centre [%eval 0.3]";
        let (drawings, text) = take(comment);
        assert_eq!(drawings.len(), 5);
        assert_eq!((drawings[1].paint, drawings[1].to), (Paint::Red, None));
        assert_eq!(drawings[4].to.map(|to| to.to_string()).as_deref(), Some("c6"));
        assert_eq!(text, "the centre [%eval 0.3]");
        assert_eq!(put(&drawings, &text), comment);
        // commands anywhere, without a space between them, and an arrow that ends where it begins
        let (drawings, text) = take("so [%csl Gd4][%cal Re4e4] it is");
        assert_eq!((put(&drawings, &text).as_str()), "[%csl Gd4,Re4] so it is");
    }

    #[test]
    fn a_command_within_another_leaves_no_third() {
        let (drawings, text) = take("[[%cal Ra1h8]%csl Gd4]");
        assert_eq!((drawings.len(), text.as_str()), (1, "[ %csl Gd4]"));
        assert_eq!(take(&put(&drawings, &text)), (drawings, text));
    }

    #[test]
    fn what_is_not_understood_stays() {
        for comment in [
            "[%cal Ge2e9]",
            "[%cal Xe2e4]",
            "[%csl Gd4",
            "[%csl]",
            "[%clk 0:03:00]",
            "[%cal Gé4]",
            "a [b] c",
        ] {
            assert_eq!(take(comment), (Vec::new(), comment.to_string()));
        }
        assert_eq!(put(&[], "words"), "words");
    }

    #[test]
    fn many_drawings_stand_in_several_commands() {
        let all: Vec<Drawing> = Square::all()
            .map(|from| Drawing {
                paint: Paint::Blue,
                from,
                to: Some(from.flip_rank()),
            })
            .collect();
        let text = put(&all, "");
        assert!(text.split("] ").all(|command| command.len() < 80));
        assert_eq!(take(&text).0, all);
    }
}
