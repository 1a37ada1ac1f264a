//! What programs tell each other in comments beside drawings: scores (`[%eval 0.31]`, `[%eval #-3]`) and clocks
//! (`[%clk 1:02:03.4]`), as Lichess and ChessBase write them.

/// A score for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Centipawns.
    Centipawns(i32),
    /// Moves to mate, negative if Black mates.
    Mate(i32),
}

/// A comment that begins with a score and a clock, where there are any, in place of those that it had.
pub fn put(score: Option<Value>, clock_ms: Option<u64>, comment: &str) -> String {
    // mate on the board has no score: the sign of the move says it
    let score = score.filter(|&score| score != Value::Mate(0));
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
            (Some(Value::Mate(2)), None, "[%eval 1", "[%eval #2] [%eval 1"),
        ] {
            assert_eq!(put(score, clock, comment), expected, "{comment}");
        }
    }
}
