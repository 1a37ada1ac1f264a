//! Writes games in PGN, in the export format of the standard.

use super::super::types::Color;
use super::text::{NOT_FIRST, WIDTH, move_number, tag_line};
use super::{PgnGame, Position};

/// The tags that every game has, in their order, each with its value when nothing is known.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Tags that follow from the game itself.
const DERIVED: [&str; 4] = ["Result", "SetUp", "FEN", "Variant"];

/// The game as a text that ends with an empty line.
pub fn write(game: &PgnGame) -> String {
    let mut text = String::new();
    for (name, value) in tags(game) {
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        text.push_str(&tag_line(&name, &value));
    }
    text.push('\n');
    let mut lines = Lines::default();
    write_moves(game, &mut lines);
    lines.word(game.result.to_pgn());
    text.push_str(&lines.end());
    text.push('\n');
    text
}

/// The seven tags of the roster, those that the position needs, and the others.
fn tags(game: &PgnGame) -> Vec<(String, String)> {
    let result = game.result.to_pgn();
    let roster = ROSTER.map(|(name, unknown)| {
        let value = match name {
            "Result" => result,
            _ => game.tag(name).unwrap_or(unknown),
        };
        (name.to_string(), value.to_string())
    });
    let mut tags = Vec::from(roster);
    if game.chess960 {
        tags.push(("Variant".to_string(), "Chess960".to_string()));
    }
    if game.start != Position::default() {
        tags.push(("SetUp".to_string(), "1".to_string()));
        tags.push(("FEN".to_string(), game.start.to_fen(game.chess960)));
    }
    let is_other = |name: &str| ROSTER.iter().all(|tag| tag.0 != name) && !DERIVED.contains(&name);
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let others = game.tags.iter().filter(|tag| is_other(&tag.0) && is_name(&tag.0));
    tags.extend(others.cloned());
    tags
}

/// What is still to be written: an explicit stack instead of recursion, because variations may nest deeply.
enum Task {
    /// A move and its continuation: whether its number is written even if it is Black's, and whether it is the main
    /// move, after which the alternatives to it are written as variations.
    Move {
        node: usize,
        numbered: bool,
        main: bool,
    },
    Open,
    Close,
}

fn write_moves(game: &PgnGame, lines: &mut Lines) {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); game.nodes.len() + 1];
    // place 0 holds the first moves of the game, which have no parent
    let place = |parent: Option<usize>| parent.map_or(0, |parent| parent + 1);
    for (node, parent) in game.nodes.iter().map(|node| node.parent).enumerate() {
        children[place(parent)].push(node);
    }
    if let Some(comment) = &game.comment {
        lines.comment(comment);
    }
    let continuation = |parent: Option<usize>, numbered| {
        let first = children[place(parent)].first().copied();
        first.map(|node| Task::Move {
            node,
            numbered,
            main: true,
        })
    };
    let mut tasks: Vec<Task> = continuation(None, true).into_iter().collect();
    while let Some(task) = tasks.pop() {
        let (node, numbered, main) = match task {
            Task::Move { node, numbered, main } => (node, numbered, main),
            Task::Open => {
                lines.open();
                continue;
            }
            Task::Close => {
                lines.close();
                continue;
            }
        };
        write_move(game, node, numbered, lines);
        let parent = game.nodes[node].parent;
        let variations = match main {
            true => &children[place(parent)][1..],
            false => &[],
        };
        let comment = game.nodes[node].comment.as_deref().unwrap_or_default();
        // white space alone is not written
        let interrupted = !comment.trim().is_empty() || !variations.is_empty();
        // a stack: what is pushed last is written first
        tasks.extend(continuation(Some(node), interrupted));
        for &node in variations.iter().rev() {
            let first = Task::Move {
                node,
                numbered: true,
                main: false,
            };
            tasks.extend([Task::Close, first, Task::Open]);
        }
    }
}

fn write_move(game: &PgnGame, node: usize, numbered: bool, lines: &mut Lines) {
    let found = &game.nodes[node];
    let before = game.position(found.parent);
    if let Some(comment) = &found.before {
        lines.comment(comment);
    }
    if before.side_to_move() == Color::White || numbered || found.before.is_some() {
        lines.word(&move_number(before));
    }
    lines.word(&game.san(node));
    for nag in &found.nags {
        lines.word(&format!("${nag}"));
    }
    if let Some(comment) = &found.comment {
        lines.comment(comment);
    }
}

/// Words in lines of at most [`WIDTH`] characters.
#[derive(Default)]
struct Lines {
    done: String,
    line: String,
    /// Written before the next word without a space.
    prefix: &'static str,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let word = format!("{}{word}", std::mem::take(&mut self.prefix));
        let width = self.line.chars().count() + 1 + word.chars().count();
        if !self.line.is_empty() && width > WIDTH {
            self.break_line();
        }
        if !self.line.is_empty() {
            self.line.push(' ');
        }
        self.line.push_str(&word);
    }

    /// A word of a comment. No line begins with the sign of an escape line, which some readers skip in comments too.
    fn inside(&mut self, word: &str) {
        if word.starts_with(NOT_FIRST) && self.prefix.is_empty() && !self.line.is_empty() {
            self.line.push(' ');
            self.line.push_str(word);
        } else {
            self.word(word);
        }
    }

    fn open(&mut self) {
        // a comment may stand first
        self.prefix = "(";
    }

    fn close(&mut self) {
        // after a `;` comment, which takes the rest of its line
        if self.line.is_empty() {
            return self.word(")");
        }
        if self.line.chars().count() >= WIDTH
            && let Some((before, last)) = self.line.rsplit_once(' ')
        {
            let (before, last) = (before.to_string(), last.to_string());
            self.line = before;
            self.break_line();
            self.line = last;
        }
        self.line.push(')');
    }

    /// Written in braces, or as `;` to the end of the line if the text contains a closing brace.
    fn comment(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some((last, first)) = words.split_last() else {
            return;
        };
        if text.contains('}') {
            let comment = format!(";{}", words.join(" "));
            if !self.prefix.is_empty() {
                let prefix = std::mem::take(&mut self.prefix);
                self.word(prefix);
            }
            self.word(&comment);
            self.break_line();
            return;
        }
        self.prefix = match self.prefix {
            "(" => "({",
            _ => "{",
        };
        for word in first {
            self.inside(word);
        }
        self.inside(&format!("{last}}}"));
    }

    fn break_line(&mut self) {
        self.done.push_str(&self.line);
        self.done.push('\n');
        self.line.clear();
    }

    fn end(mut self) -> String {
        if !self.line.is_empty() {
            self.break_line();
        }
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    /// The moves of a text as they are written again, without the tags.
    fn again(text: &str) -> String {
        let (game, problems) = read(text).remove(0);
        assert_eq!(problems, [], "{text}");
        let written = write(&game);
        let (_, moves) = written.split_once("\n\n").expect("moves");
        moves.trim_end().to_string()
    }

    #[test]
    fn what_is_written_in_the_export_format_stays_as_it_is() {
        for text in [
            "*",
            "1. e4 e5 2. Nf3 Nc6 1-0",
            "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 (1... c5) 2. Nf3 *",
            "{zero} 1. e4 $1 {one} ({two} 1. d4 $18 {three}) 1... e5 {four} 1/2-1/2",
            "1. e4 ;with } inside\n1... e5 *",
            "1. e4 (1. d4 ;with }\n) 1... e5 *",
            "1. e4 (1. d4) (1. c4) (1. Nf3) 1... e5 2. Nf3 0-1",
        ] {
            assert_eq!(again(text), text);
        }
    }

    #[test]
    fn lines_are_short_and_tags_are_escaped() {
        let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(50);
        let text = format!("[White \"a \\\"b\\\" \\\\\"]\n[Opening \"<b>\"]\n\n{moves} *");
        let (game, _) = read(&text).remove(0);
        let written = write(&game);
        assert!(written.lines().all(|line| line.len() < 80));
        assert!(
            written.contains("[White \"a \\\"b\\\" \\\\\"]\n") && written.contains("[Opening \"<b>\"]\n")
        );
        let back = read(&written).remove(0).0;
        assert_eq!(back.tag("White"), Some("a \"b\" \\"));
        assert_eq!(back.nodes.len(), 200);
    }

    #[test]
    fn a_bracket_makes_no_line_too_long() {
        // at some of these lengths the closing brackets come right after a full line
        for length in 1..=77 {
            let text = format!("1. e4 {{{}}} (1. d4 (1. c4)) 1... e5 *", "a".repeat(length));
            let (game, _) = read(&text).remove(0);
            let written = write(&game);
            assert!(written.lines().all(|line| line.len() < 80), "{written}");
            assert_eq!(read(&written)[0].0.nodes.len(), 4);
        }
    }

    #[test]
    fn another_start_is_written_with_its_variant() {
        let text = "[FEN \"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 7\"]\n[Variant \"Chess960\"]\n\n7. O-O-O *";
        let (game, _) = read(text).remove(0);
        let written = write(&game);
        for line in [
            "[Variant \"Chess960\"]",
            "[SetUp \"1\"]",
            "[FEN \"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 7\"]",
            "7. O-O-O *",
        ] {
            assert!(written.lines().any(|found| found == line), "{line}: {written}");
        }
        assert_eq!(read(&written)[0].0.nodes.len(), 1);
    }

    #[test]
    fn variations_within_each_other_need_no_stack() {
        let mut game = PgnGame::new(Position::default());
        let (mut parent, mut random) = (None, 1usize);
        while game.nodes.len() < 20_000 {
            let moves = game.position(parent).legal_moves();
            if moves.len() < 2 {
                break;
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            game.add(parent, Some(moves[(random >> 33) % moves.len()]));
            let other = moves[((random >> 33) + 1) % moves.len()];
            parent = Some(game.add(parent, Some(other)));
        }
        assert!(write(&game).matches('(').count() > 50);
    }
}
