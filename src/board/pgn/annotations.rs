//! Scores (`[%eval 0.31]`) and clocks (`[%clk 1:02:03.4]`) in comments, as Lichess and ChessBase write them.

/// A score for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Centipawns.
    Centipawns(i32),
    /// Moves to mate, negative if Black mates.
    Mate(i32),
}

impl Value {
    /// The score for the other player.
    #[must_use]
    pub fn negated(self) -> Value {
        match self {
            Value::Centipawns(score) => Value::Centipawns(-score),
            Value::Mate(moves) => Value::Mate(-moves),
        }
    }
}

/// The score and the clock, in milliseconds, that a comment tells.
pub fn take(comment: &str) -> (Option<Value>, Option<u64>) {
    (
        evaluation(comment),
        argument(comment, "[%clk").and_then(read_clock),
    )
}

/// The score that a comment tells, of the position after its move: in pawns, `[%eval 0.35]`, or in moves to mate,
/// `[%eval #-3]`, either with a depth after a comma; or as ChessBase writes it, `[%eval 14,24]`, centipawns and the depth.
pub fn evaluation(comment: &str) -> Option<Value> {
    argument(comment, "[%eval").and_then(read_eval)
}

/// A comment that begins with a score and a clock, where there are any, in place of those that it had. What it says
/// already stays as it is.
pub fn put(score: Option<Value>, clock_ms: Option<u64>, comment: &str) -> String {
    let (old_score, old_clock) = take(comment);
    // mate on the board has no score: the sign of the move says it
    let score = score.filter(|&score| score != Value::Mate(0) && Some(score) != old_score);
    let clock_ms = clock_ms.filter(|&clock| Some(clock) != old_clock);
    let mut rest = comment.to_string();
    let mut parts = Vec::new();
    if let Some(score) = score {
        rest = without(&rest, "[%eval");
        parts.push(format!("[%eval {}]", eval(score)));
    }
    if let Some(clock) = clock_ms {
        rest = without(&rest, "[%clk");
        parts.push(format!("[%clk {}]", clock_text(clock)));
    }
    parts.extend((!rest.is_empty()).then_some(rest));
    parts.join(" ")
}

/// What stands after the name of a command.
fn argument<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = comment.split_once(name)?;
    let (argument, _) = rest.split_once(']')?;
    argument.starts_with(char::is_whitespace).then(|| argument.trim())
}

/// The highest score that is no mistake of another program, in centipawns.
const MOST: i64 = 100_000;

fn read_eval(text: &str) -> Option<Value> {
    let (value, has_depth) = match text.split_once(',') {
        Some((value, _)) => (value.trim(), true),
        None => (text, false),
    };
    if let Some(moves) = value.strip_prefix('#') {
        let moves: i32 = moves.parse().ok()?;
        return (moves != 0).then_some(Value::Mate(moves));
    }
    let is_centipawns = has_depth && !value.contains('.');
    let places = if is_centipawns { 0 } else { 2 };
    let centipawns = decimal(value, places).filter(|value| value.abs() <= MOST)?;
    i32::try_from(centipawns).ok().map(Value::Centipawns)
}

/// Hours, minutes and seconds, of which the first may be missing.
fn read_clock(text: &str) -> Option<u64> {
    let parts: Vec<&str> = text.split(':').collect();
    let (seconds, others) = parts.split_last()?;
    if others.is_empty() || others.len() > 2 {
        return None;
    }
    let milliseconds = decimal(seconds, 3).filter(|own| (0..60_000).contains(own))?;
    let mut minutes: u64 = 0;
    for part in others {
        minutes = minutes * 60 + u64::from(part.parse::<u16>().ok()?);
    }
    Some(minutes * 60_000 + milliseconds.unsigned_abs())
}

/// A decimal fraction as a whole number of its last place, of which there are so many; rounded.
pub(super) fn decimal(text: &str, places: usize) -> Option<i64> {
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => (-1, size),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = size.split_once('.').unwrap_or((size, ""));
    if whole.len() > 9
        || !whole
            .bytes()
            .chain(part.bytes())
            .all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    let mut value: i64 = whole.parse().ok()?;
    let digit = |place: usize| {
        part.as_bytes()
            .get(place)
            .map_or(0, |byte| i64::from(byte - b'0'))
    };
    for place in 0..places {
        value = value * 10 + digit(place);
    }
    Some(sign * (value + i64::from(digit(places) >= 5)))
}

/// `0.31`, `-1.20`, `#3`, `#-3`.
fn eval(score: Value) -> String {
    match score {
        Value::Mate(moves) => format!("#{moves}"),
        Value::Centipawns(value) => {
            let sign = if value < 0 { "-" } else { "" };
            let size = value.unsigned_abs();
            format!("{sign}{}.{:02}", size / 100, size % 100)
        }
    }
}

/// `1:02:03`, with tenths of a second where there are some.
fn clock_text(milliseconds: u64) -> String {
    let (tenths, seconds) = (milliseconds / 100 % 10, milliseconds / 1000);
    let whole = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match tenths {
        0 => whole,
        tenths => format!("{whole}.{tenths}"),
    }
}

/// A comment without the commands of this name.
fn without(comment: &str, name: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some(start) = rest.find(name) {
        let Some(length) = rest[start..].find(']') else {
            break;
        };
        text.push_str(&rest[..start]);
        rest = &rest[start + length + 1..];
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_clocks_are_read() {
        for (comment, score, clock) in [
            (
                "[%eval 0.31] [%clk 1:02:03.4] words",
                Some(Value::Centipawns(31)),
                Some(3_723_400),
            ),
            (
                "[%clk 3:05][%eval -1.2,20]",
                Some(Value::Centipawns(-120)),
                Some(185_000),
            ),
            ("a [%eval #-3] b", Some(Value::Mate(-3)), None),
            (
                "[%eval +0.255] [%clk 0:00:09.96]",
                Some(Value::Centipawns(26)),
                Some(9960),
            ),
            ("[%eval 14,24]", Some(Value::Centipawns(14)), None),
            ("[%eval -514,0] mistake", Some(Value::Centipawns(-514)), None),
            ("[%eval #+3,20]", Some(Value::Mate(3)), None),
            ("[%eval 3]", Some(Value::Centipawns(300)), None),
            ("[%eval\n0.35]", Some(Value::Centipawns(35)), None),
            ("so [%eval\r\n-0.5 ]", Some(Value::Centipawns(-50)), None),
            ("[%eval ]", None, None),
            ("[%eval -0.5.1] [%clk 0:00:-1]", None, None),
            ("[%eval #0] [%clk 12]", None, None),
            ("[%eval nan] [%clk 0:0:99]", None, None),
            ("[%evaluation 1] [%clk 1:2:3:4]", None, None),
            ("[%eval 1e9] [%clk -1:00]", None, None),
            ("[%eval 1", None, None),
            ("", None, None),
        ] {
            assert_eq!(take(comment), (score, clock), "{comment}");
        }
    }

    #[test]
    fn scores_and_clocks_stand_first_and_once() {
        for (score, clock, comment, expected) in [
            (Some(Value::Centipawns(31)), None, "", "[%eval 0.31]"),
            (Some(Value::Centipawns(-5)), None, "words", "[%eval -0.05] words"),
            (Some(Value::Centipawns(0)), None, "", "[%eval 0.00]"),
            (
                Some(Value::Mate(-3)),
                Some(3_723_400),
                "",
                "[%eval #-3] [%clk 1:02:03.4]",
            ),
            (Some(Value::Mate(0)), None, "", ""),
            (None, Some(59_999), "a [%clk 0:01:00] b", "[%clk 0:00:59.9] a b"),
            (
                Some(Value::Centipawns(1234)),
                None,
                "[%eval 0.3,20] [%clk 0:03:00] b",
                "[%eval 12.34] [%clk 0:03:00] b",
            ),
            (None, None, "as [%eval 1] it is", "as [%eval 1] it is"),
            (
                Some(Value::Centipawns(100)),
                Some(180_000),
                "[%clk 0:03:00.0] as [%eval 100,9] it is",
                "[%clk 0:03:00.0] as [%eval 100,9] it is",
            ),
            (Some(Value::Mate(2)), None, "[%eval 1", "[%eval #2] [%eval 1"),
        ] {
            assert_eq!(put(score, clock, comment), expected, "{comment}");
        }
    }
}
