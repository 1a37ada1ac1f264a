//! An annotated game as PGN: scores, glyphs, words, and a variation where something better was there.

use super::accuracy::Summary;
use super::input::Game;
use super::story;
use super::texts::Texts;
use crate::board::pgn::text::{move_number, tag_line, wrapped};
use crate::board::{Color, Ending, Phase};
use crate::explain::check::exchange;
use crate::explain::explanation::{Grade, OnlyMove, Value};
use crate::explain::{Explanation, Line};

/// Moves of a variation.
const VARIATION: usize = 8;

/// The text of a game, a blank line at its end.
pub fn write(game: &Game, moves: &[Explanation], texts: &Texts) -> String {
    let mut text = String::new();
    for (name, value) in game.tags.iter().filter(|(name, _)| name != "Annotator") {
        text.push_str(&tag_line(name, value));
    }
    text.push_str(&tag_line("Annotator", "Enroc"));
    text.push('\n');
    let mut about = story::sentences(game, moves, texts);
    about.push(summary(game, moves, texts));
    let mut words = comment_words(&about.join(" "));
    let mut number_is_due = true;
    for explanation in moves {
        let position = &explanation.played.position;
        let san = position.to_san(explanation.played.m);
        let is_white = position.side_to_move() == Color::White;
        if is_white || number_is_due {
            words.push(move_number(position));
        }
        words.push(san);
        words.extend(glyph(explanation).map(str::to_string));
        let comment = comment(explanation, texts);
        number_is_due = !comment.is_empty();
        words.extend(comment_words(&comment));
        if let Some(better) = explanation.better.as_ref().filter(|_| is_marked(explanation)) {
            words.extend(variation(&better.line));
        }
    }
    words.push(game.result.to_pgn().to_string());
    text.push_str(&wrapped(&words));
    text.push_str("\n\n");
    text
}

/// Whether a move gives away enough to be written about.
pub fn is_marked(explanation: &Explanation) -> bool {
    explanation.verdict.grade >= Grade::Inaccuracy
}

/// The numeric glyph of a grade: `?!`, `?`, `??`, and `!` for the only good move where it is hard to see.
fn glyph(explanation: &Explanation) -> Option<&'static str> {
    let verdict = &explanation.verdict;
    match verdict.grade {
        Grade::Inaccuracy => Some("$6"),
        Grade::Mistake => Some("$2"),
        Grade::Blunder => Some("$4"),
        Grade::Best if verdict.only == Some(OnlyMove::Good) && is_hard_to_see(explanation) => Some("$1"),
        _ => None,
    }
}

/// Whether a player might not think of the move: it neither takes back nor wins something by taking, and there was more
/// to choose from than two or three moves.
fn is_hard_to_see(explanation: &Explanation) -> bool {
    let played = &explanation.played;
    let takes = played.m.is_capture() && exchange::value_of(&played.position, played.m) > 0;
    !explanation.facts.recaptures && !takes && played.position.count_moves() > 3
}

fn comment(explanation: &Explanation, texts: &Texts) -> String {
    let evaluation = evaluation(explanation).map(|value| format!("[%eval {value}]"));
    let words = is_marked(explanation).then(|| (texts.explain)(explanation));
    let words = words.filter(|words| !words.is_empty());
    let parts: Vec<String> = evaluation.into_iter().chain(words).collect();
    parts.join(" ")
}

/// The score after a move for White, as `[%eval …]` has it: pawns, or `#` and the moves to mate; nothing once the game
/// is over.
pub fn evaluation(explanation: &Explanation) -> Option<String> {
    if explanation.facts.ends == Some(Ending::Checkmate) {
        return None;
    }
    let mover = explanation.played.position.side_to_move();
    let for_white = |value: i32| if mover == Color::White { value } else { -value };
    Some(match explanation.verdict.after.value {
        Value::Centipawns(score) => format!("{:.2}", f64::from(for_white(score)) / 100.0),
        // the move that is explained is counted, but it has been played
        Value::Mate(moves) if moves > 0 => format!("#{}", for_white(moves - 1)),
        Value::Mate(moves) => format!("#{}", for_white(moves)),
    })
}

/// Who played how exactly, in one line.
fn summary(game: &Game, moves: &[Explanation], texts: &Texts) -> String {
    let label = |name: &str| (texts.label)(name);
    let side = |color: Color, name: &str| {
        let summary = Summary::of(game, moves, color);
        let all = summary.all?;
        let phases: Vec<String> = Phase::ALL
            .into_iter()
            .zip(summary.phases)
            .filter_map(|(phase, value)| Some(format!("{} {:.0} %", label(phase_label(phase)), value?)))
            .collect();
        Some(format!("{} {all:.0} % ({})", label(name), phases.join(", ")))
    };
    let sides = [side(Color::White, "page-white"), side(Color::Black, "page-black")];
    let sides: Vec<String> = sides.into_iter().flatten().collect();
    format!("{}: {}", label("page-accuracy"), sides.join("; "))
}

/// The name of a phase's label.
pub fn phase_label(phase: Phase) -> &'static str {
    match phase {
        Phase::Opening => "page-opening",
        Phase::Middlegame => "page-middlegame",
        Phase::Endgame => "page-endgame",
    }
}

/// A comment in words that may stand on different lines; braces inside it would end it, and commands such as
/// `[%eval 0.35]` stay in one piece.
fn comment_words(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let inside = text.replace('{', "(").replace('}', ")");
    let mut words: Vec<String> = Vec::new();
    for word in format!("{{{inside}}}").split_whitespace() {
        // a line that begins with a percent sign is no part of the game
        let belongs =
            |last: &&mut String| word.starts_with('%') || last.contains("[%") && !last.contains(']');
        match words.last_mut().filter(belongs) {
            Some(command) => {
                command.push(' ');
                command.push_str(word);
            }
            None => words.push(word.to_string()),
        }
    }
    words
}

fn variation(line: &Line) -> Vec<String> {
    let mut words = Vec::new();
    for (ply, san) in line.to_san().into_iter().take(VARIATION).enumerate() {
        let position = line.before(ply);
        if ply == 0 || position.side_to_move() == Color::White {
            words.push(move_number(position));
        }
        words.push(san);
    }
    if let (Some(first), true) = (words.first_mut(), !line.is_empty()) {
        first.insert(0, '(');
    }
    if let Some(last) = words.last_mut() {
        last.push(')');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn comments_hold_no_braces() {
        assert_eq!(comment_words("a } b").join(" "), "{a ) b}");
        assert!(comment_words("").is_empty());
        assert_eq!(
            comment_words("[%eval 0.35] so it is"),
            ["{[%eval 0.35]", "so", "it", "is}"]
        );
        assert_eq!(comment_words("31 % (all)"), ["{31 %", "(all)}"]);
    }

    #[test]
    fn a_variation_is_numbered_as_pgn_wants_it() {
        let fen = "4k3/8/8/8/8/8/8/4K3 b - - 0 30";
        let position = Position::from_fen(fen).expect("a position");
        let line = |moves| Line::parse(position, moves).expect("legal moves");
        assert_eq!(
            variation(&line("Kd8 Kd2 Kc8")),
            ["(30...", "Kd8", "31.", "Kd2", "Kc8)"]
        );
        assert_eq!(variation(&line("Kd8")), ["(30...", "Kd8)"]);
        assert!(variation(&line("")).is_empty());
    }
}
