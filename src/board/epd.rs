//! The position in a line of EPD, which may be followed by operations.

use super::fen::FenError;
use super::position::Position;

/// The fields of a line that describe its position: six if the last two are the counts of a FEN, else the four that EPD
/// has. Fewer if the line, or what stands before a semicolon, ends before.
pub fn position_fields(line: &str) -> Vec<&str> {
    let head = line.split(';').next().unwrap_or_default();
    let fields: Vec<&str> = head.split_whitespace().take(6).collect();
    let is_count = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    let has_counts = fields.len() == 6 && fields[4..].iter().all(is_count);
    fields.into_iter().take(if has_counts { 6 } else { 4 }).collect()
}

/// What stands behind these fields of a line.
pub fn after_fields<'a>(line: &'a str, fields: &[&str]) -> &'a str {
    fields
        .iter()
        .fold(line, |rest, field| &rest.trim_start()[field.len()..])
}

/// The FEN of a line: its fields, and the counts that the operations `hmvc` and `fmvn` give.
pub fn fen(line: &str) -> String {
    let fields = position_fields(line);
    let fen = fields.join(" ");
    if fields.len() != 4 {
        return fen;
    }
    let rest = after_fields(line, &fields);
    let count = |name: &str, default: &str| {
        let mut operations = rest
            .split(';')
            .filter_map(|operation| operation.trim().split_once(' '));
        let found = operations
            .find(|operation| operation.0 == name)
            .map(|operation| operation.1.trim());
        let found =
            found.filter(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()));
        found.unwrap_or(default).to_string()
    };
    format!("{fen} {} {}", count("hmvc", "0"), count("fmvn", "1"))
}

impl Position {
    /// Reads the position of a line of FEN or EPD; other operations than those that count moves are ignored.
    ///
    /// # Errors
    /// As [`Position::from_fen`].
    pub fn from_epd(line: &str) -> Result<Position, FenError> {
        Position::from_fen(&fen(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_belong_to_the_position_and_operations_do_not() {
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (rest, clock) in [
            ("", 0),
            (" 3 17", 3),
            (" bm e4; id \"3 17\";", 0),
            (" 3", 0),
            (" 3 17 bm e4;", 3),
            (" 5 30; 1-0", 5),
            (" 5 30;1-0", 5),
            (" bm e4; hmvc 7; fmvn 30;", 7),
            (" hmvc x;", 0),
        ] {
            let position = Position::from_epd(&format!("{board}{rest}")).unwrap();
            assert_eq!(position.halfmove_clock(), clock, "{rest}");
        }
        assert_eq!(Position::from_epd("4k3/8 w"), Err(FenError::Fields(2)));
    }
}
