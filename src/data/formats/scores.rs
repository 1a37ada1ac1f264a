//! The scores that programs write into the comments of games.

use crate::board::Color;
use crate::board::pgn::annotations;
use crate::data::record::label::Label;

/// A score of the position before a move, by the engine that chose the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineScore {
    /// For the side that moved.
    Mover(Label),
    /// For White.
    White(Label),
}

impl EngineScore {
    /// The score for White of a move of this side.
    pub fn for_white(self, mover: Color) -> Label {
        match (self, mover) {
            (EngineScore::Mover(label), Color::Black) => label.negated(),
            (EngineScore::Mover(label) | EngineScore::White(label), _) => label,
        }
    }
}

/// The evaluation of the position after a move, for White, that the move's comment tells (`[%eval 0.35]`).
pub fn evaluation(comment: &str) -> Option<Label> {
    match annotations::evaluation(comment)? {
        annotations::Value::Centipawns(score) => Some(Label::centipawns(score)),
        annotations::Value::Mate(moves) => Label::mate(moves),
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
    if let Some(label) = score_of(first) {
        let (depth, selective) = words.next()?.split_once('/')?;
        let counts = [selective, words.next()?, words.next()?];
        let is_count = |text: &&str| text.parse::<u64>().is_ok();
        let is_search = is_depth(depth) && counts.iter().all(is_count);
        return is_search.then_some(EngineScore::Mover(label));
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
fn score_of(text: &str) -> Option<Label> {
    let is_signed = text.starts_with(['+', '-', 'M']);
    score_of_any_sign(text).filter(|&label| is_signed || label == Label::Centipawns(0))
}

fn score_of_any_sign(text: &str) -> Option<Label> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let size = text.strip_prefix(['+', '-']).unwrap_or(text);
    if let Some(plies) = size.strip_prefix('M') {
        let plies: i32 = plies.parse().ok().filter(|plies| (1..=10_000).contains(plies))?;
        return Label::mate(sign * (plies + 1) / 2);
    }
    let (whole, decimals) = size.split_once('.')?;
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_score = !whole.is_empty() && decimals.len() == 2 && are_digits(whole) && are_digits(decimals);
    let pawns: f64 = size.parse().ok().filter(|_| is_score)?;
    Some(centipawns(f64::from(sign) * pawns))
}

fn centipawns(pawns: f64) -> Label {
    Label::centipawns((pawns * 100.0).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_become_labels() {
        for (comment, label) in [
            (" [%eval 0.17] [%clk 0:00:30] ", Some(Label::Centipawns(17))),
            ("[%eval 14,24]", Some(Label::Centipawns(14))),
            ("[%eval #-3]", Some(Label::Mate(-3))),
            ("[%eval -900.5]", Some(Label::centipawns(-90_050))),
            ("[%eval NaN]", None),
        ] {
            assert_eq!(evaluation(comment), label, "{comment}");
        }
    }

    #[test]
    fn scores_of_engines_are_told_from_other_numbers() {
        let mover = |label| Some(EngineScore::Mover(label));
        let white = |label| Some(EngineScore::White(label));
        for (comment, score) in [
            ("+0.31/12 0.5s", mover(Label::Centipawns(31))),
            ("-1.07/9 0.016s, n=5000, sd=14", mover(Label::Centipawns(-107))),
            ("0.00/20 1.2s", mover(Label::Centipawns(0))),
            ("+M5/12 0.1s", mover(Label::Mate(3))),
            ("-M4/31 0.020s", mover(Label::Mate(-2))),
            ("+M1/2", mover(Label::Mate(1))),
            ("-M2/2", mover(Label::Mate(-1))),
            (" +312.00/3", mover(Label::Centipawns(30_000))),
            ("+0.31/12, line=\"x\"", mover(Label::Centipawns(31))),
            ("+0.31/12\n0.5s", mover(Label::Centipawns(31))),
            ("+0.31/12/24 0.5s", mover(Label::Centipawns(31))),
            ("+0.57 17/28 583 363004", mover(Label::Centipawns(57))),
            ("-M6 17/28 583 363004", mover(Label::Mate(-3))),
            ("(Nf3) +0.31/12", mover(Label::Centipawns(31))),
            ("(Nf3 Nc6) -0.31/12 5", mover(Label::Centipawns(-31))),
            (
                "d=25, sd=40, mt=1000, wv=0.35, R50=50",
                white(Label::Centipawns(35)),
            ),
            ("d=25, pd=Nf3, wv=-M12, ", white(Label::Mate(-6))),
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
            ("+2 1/2 hours 3", None),
            ("(a) b", None),
            ("", None),
        ] {
            assert_eq!(engine_score(comment), score, "{comment}");
        }
        assert_eq!(
            EngineScore::Mover(Label::Mate(2)).for_white(Color::Black),
            Label::Mate(-2)
        );
        assert_eq!(
            EngineScore::White(Label::Mate(2)).for_white(Color::Black),
            Label::Mate(2)
        );
    }
}
