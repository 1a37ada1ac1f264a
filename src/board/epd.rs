//! The position in a line of EPD, which may be followed by operations.

use super::fen::FenError;
use super::position::Position;

/// The fields of a line that describe its position: six if the last two are the counts of a FEN, else the four that EPD
/// has. Fewer if the line ends before.
pub fn position_fields(line: &str) -> Vec<&str> {
    let fields: Vec<&str> = line.split_whitespace().take(6).collect();
    let is_count = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    let has_counts = fields.len() == 6 && fields[4..].iter().all(is_count);
    fields.into_iter().take(if has_counts { 6 } else { 4 }).collect()
}

impl Position {
    /// Reads the position of a line of FEN or EPD; operations after it are ignored.
    ///
    /// # Errors
    /// As [`Position::from_fen`].
    pub fn from_epd(line: &str) -> Result<Position, FenError> {
        Position::from_fen(&position_fields(line).join(" "))
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
        ] {
            let position = Position::from_epd(&format!("{board}{rest}")).unwrap();
            assert_eq!(position.halfmove_clock(), clock, "{rest}");
        }
        assert_eq!(Position::from_epd("4k3/8 w"), Err(FenError::Fields(2)));
    }
}
