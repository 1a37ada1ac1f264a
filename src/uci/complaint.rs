//! Error messages to the client.

use crate::support::foreign::one_line;
use crate::support::terminal::say;
use std::fmt::Display;

/// The longest message in characters; the input that it quotes may be of any length.
const LONGEST: usize = 200;

/// An error as it is told to the client: an `info string` on one line, without control characters, truncated because it
/// may quote any input.
pub fn complaint(error: impl Display) -> String {
    let text: String = error.to_string().chars().take(LONGEST).collect();
    format!("info string {}", one_line(&text))
}

/// Prints an error to the client.
pub(super) fn complain(error: impl Display) {
    say(complaint(error));
}

#[cfg(test)]
mod tests {
    use super::super::options::Declaration;
    use super::complaint;

    #[test]
    fn what_a_line_quotes_steers_nothing() {
        let refused = |value: &str| match Declaration::effect("UCI_ShowWDL", value) {
            Ok(_) => panic!("{value:?} is taken"),
            Err(error) => complaint(error),
        };
        assert_eq!(
            refused("tr\u{1b}[2J\rue"),
            "info string option UCI_ShowWDL is true or false, not 'tr?[2J?ue'"
        );
        assert_eq!(
            refused(&"é".repeat(1000)).chars().count(),
            "info string ".len() + 200
        );
    }
}
