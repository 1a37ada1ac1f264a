//! Results as files write them.

use crate::board::GameResult;

/// Every way in which a result is written.
const WRITTEN: [(&str, GameResult); 14] = [
    ("1-0", GameResult::WhiteWins),
    ("0-1", GameResult::BlackWins),
    ("1/2-1/2", GameResult::Draw),
    ("*", GameResult::Unknown),
    ("1/2", GameResult::Draw),
    ("1:0", GameResult::WhiteWins),
    ("0:1", GameResult::BlackWins),
    ("1/2:1/2", GameResult::Draw),
    ("0.5-0.5", GameResult::Draw),
    ("½-½", GameResult::Draw),
    ("½", GameResult::Draw),
    ("½:½", GameResult::Draw),
    ("1–0", GameResult::WhiteWins),
    ("0–1", GameResult::BlackWins),
];

/// The results that stand behind a move without a blank.
const GLUED: [&str; 4] = ["1/2-1/2", "1-0", "0-1", "1/2"];

/// The result that a tag or the end of a game names.
pub fn read(text: &str) -> Option<GameResult> {
    let find = |text: &str| {
        WRITTEN
            .iter()
            .find(|written| written.0 == text)
            .map(|&(_, result)| result)
    };
    find(text).or_else(|| {
        let has_blanks = text.contains(char::is_whitespace);
        has_blanks.then(|| find(&text.split_whitespace().collect::<String>()))?
    })
}

/// A word without the result behind it: `Qh4#0-1`.
pub fn glued(word: &str) -> (&str, Option<GameResult>) {
    for text in GLUED {
        if let Some(rest) = word.strip_suffix(text).filter(|rest| is_move(rest)) {
            return (rest, read(text));
        }
    }
    (word, None)
}

/// Whether a word may be a whole move, so that what follows it may be a result.
fn is_move(word: &str) -> bool {
    let bare = word.trim_end_matches(['+', '#', '=']);
    let is_square = matches!(bare.as_bytes(), [.., b'a'..=b'h', b'1'..=b'8']);
    is_square
        || bare != word
        || bare.ends_with("O-O")
        || bare.ends_with("0-0")
        || bare.ends_with(['Q', 'R', 'B', 'N'])
}
