//! The scores that programs write into the comments of games.

use super::annotations::{Value, decimal};
use crate::board::Color;

/// A score of the position before a move, by the engine that chose the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineScore {
    /// For the side that moved.
    Mover(Value),
    /// For White.
    White(Value),
}

impl EngineScore {
    /// The score for White of a move of this side.
    pub fn for_white(self, mover: Color) -> Value {
        match (self, mover) {
            (EngineScore::Mover(score), Color::Black) => score.negated(),
            (EngineScore::Mover(score) | EngineScore::White(score), _) => score,
        }
    }

    /// The score for White of the position after that move: who mates has a move fewer to make. `None` if the move mates.
    pub fn after_move(self, mover: Color) -> Option<Value> {
        let sign = if mover == Color::White { 1 } else { -1 };
        match self.for_white(mover) {
            Value::Mate(moves) if moves.signum() == sign => {
                (moves != sign).then(|| Value::Mate(moves - sign))
            }
            score => Some(score),
        }
    }
}

/// The score at the beginning of a comment as engines' referees write it. Cute Chess and fastchess: `+0.31/12 0.5s`, or
/// `-M4/20` with the plies to a mate. Older archives of OpenBench: `+0.57 17/28 583 363004`. Arena puts what it expected
/// before it: `(Nf3) +0.31/12`. TCEC: `d=25, …, wv=0.35, …` for White. `None` for other comments, such as `book`, and
/// for a depth of 0, with which moves are written that no search chose.
pub fn engine_score(comment: &str) -> Option<EngineScore> {
    let text = comment.trim_start();
    // most comments are told by their first sign: a command of another kind, or words
    match text.bytes().next()? {
        b'+' | b'-' | b'0' | b'M' | b'(' => {}
        b'[' => return None,
        _ if !text.contains("wv=") => return None,
        _ => {}
    }
    let text = match text.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((_, rest)) => rest,
        None => text,
    };
    let mut words = text.split_whitespace();
    let first = words.next()?;
    if let Some((score, depth)) = first.split_once('/') {
        return is_depth(depth).then(|| score_of(score))?.map(EngineScore::Mover);
    }
    if let Some(score) = score_of(first) {
        let (depth, selective) = words.next()?.split_once('/')?;
        let counts = [selective, words.next()?, words.next()?];
        let is_count = |text: &&str| text.parse::<u64>().is_ok();
        let is_search = is_depth(depth) && counts.iter().all(is_count);
        return is_search.then_some(EngineScore::Mover(score));
    }
    let mut pairs = text.split([',', ';']).filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim() == "wv")?;
    score_of_any_sign(value.trim()).map(EngineScore::White)
}

/// Whether this is the depth of a search, perhaps with a selective depth or a comma behind it.
fn is_depth(text: &str) -> bool {
    let digits = text.split(['/', ',']).next().unwrap_or_default();
    digits.parse::<u32>().is_ok_and(|depth| depth > 0)
}

/// `+0.31`, `-M4`, `0.00`: two decimals, and a sign unless it is nothing. Other numbers, such as `3.5` of `3.5/9`, are
/// something else.
fn score_of(text: &str) -> Option<Value> {
    let is_signed = text.starts_with(['+', '-', 'M']);
    score_of_any_sign(text).filter(|&score| is_signed || score == Value::Centipawns(0))
}

fn score_of_any_sign(text: &str) -> Option<Value> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let size = text.strip_prefix(['+', '-']).unwrap_or(text);
    if let Some(plies) = size.strip_prefix('M') {
        let plies: i32 = plies.parse().ok().filter(|plies| (1..=10_000).contains(plies))?;
        return Some(Value::Mate(sign * (plies + 1) / 2));
    }
    let (whole, decimals) = size.split_once('.')?;
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_score = !whole.is_empty() && decimals.len() == 2 && are_digits(whole) && are_digits(decimals);
    let centipawns = decimal(size, 2).filter(|_| is_score)?;
    Some(Value::Centipawns(sign * i32::try_from(centipawns).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_engines_are_told_from_other_numbers() {
        let mover = |score| Some(EngineScore::Mover(score));
        let white = |score| Some(EngineScore::White(score));
        for (comment, score) in [
            ("+0.31/12 0.5s", mover(Value::Centipawns(31))),
            ("-1.07/9 0.016s, n=5000, sd=14", mover(Value::Centipawns(-107))),
            ("0.00/20 1.2s", mover(Value::Centipawns(0))),
            ("+M5/12 0.1s", mover(Value::Mate(3))),
            ("-M4/31 0.020s", mover(Value::Mate(-2))),
            ("+M1/2", mover(Value::Mate(1))),
            ("-M2/2", mover(Value::Mate(-1))),
            (" +312.00/3", mover(Value::Centipawns(31_200))),
            ("+0.31/12, line=\"x\"", mover(Value::Centipawns(31))),
            ("+0.31/12\n0.5s", mover(Value::Centipawns(31))),
            ("+0.31/12/24 0.5s", mover(Value::Centipawns(31))),
            ("+0.57 17/28 583 363004", mover(Value::Centipawns(57))),
            ("-M6 17/28 583 363004", mover(Value::Mate(-3))),
            ("(Nf3) +0.31/12", mover(Value::Centipawns(31))),
            ("(Nf3 Nc6) -0.31/12 5", mover(Value::Centipawns(-31))),
            (
                "d=25, sd=40, mt=1000, wv=0.35, R50=50",
                white(Value::Centipawns(35)),
            ),
            ("d=25, pd=Nf3, wv=-M12, ", white(Value::Mate(-6))),
            ("0.00/0 0.000s", None),
            ("/0 0.000s", None),
            ("book", None),
            ("unknown", None),
            ("1/2-1/2", None),
            ("inf/3", None),
            ("+M0/3", None),
            ("a 1/4 of the game", None),
            ("M/3", None),
            ("1/2", None),
            ("7/10", None),
            ("54/321", None),
            ("3.5/9 for Black", None),
            ("2.50/9", None),
            ("+2.5/9", None),
            ("+2.500/9", None),
            ("+2 1/2 hours 3", None),
            ("(a) b", None),
            ("", None),
        ] {
            assert_eq!(engine_score(comment), score, "{comment}");
        }
        assert_eq!(
            EngineScore::Mover(Value::Mate(2)).for_white(Color::Black),
            Value::Mate(-2)
        );
        assert_eq!(
            EngineScore::White(Value::Mate(2)).for_white(Color::Black),
            Value::Mate(2)
        );
        for (score, mover, after) in [
            (Value::Mate(3), Color::White, Some(Value::Mate(2))),
            (Value::Mate(3), Color::Black, Some(Value::Mate(-2))),
            (Value::Mate(-3), Color::Black, Some(Value::Mate(3))),
            (Value::Mate(1), Color::White, None),
            (Value::Centipawns(20), Color::Black, Some(Value::Centipawns(-20))),
        ] {
            assert_eq!(EngineScore::Mover(score).after_move(mover), after);
        }
    }
}
