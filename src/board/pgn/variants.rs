//! The names of variants: whether a game is played by the rules of chess, of Chess960, or by others.

/// The rules of a game, as far as they are known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Chess, perhaps from another start.
    Chess,
    /// Chess960, or Fischer random chess.
    Chess960,
}

/// Names of chess in small letters, without blanks and other signs between the letters.
const CHESS: [&str; 17] = [
    "",
    "standard",
    "standardchess",
    "chess",
    "normal",
    "normalchess",
    "orthodox",
    "classic",
    "classical",
    "regular",
    "western",
    "fromposition",
    "position",
    "setup",
    "handicap",
    "odds",
    "thematic",
];

/// Names of Chess960 in the same form: by Lichess, chess.com, Cute Chess, XBoard, ChessBase, python-chess, FICS, organisers.
const CHESS960: [&str; 23] = [
    "chess960",
    "960",
    "c960",
    "standard960",
    "chess9lx",
    "9lx",
    "fischerandom",
    "fischerrandom",
    "fischerandomchess",
    "fischerrandomchess",
    "fischerandom960",
    "fischerrandom960",
    "frc",
    "frc960",
    "dfrc",
    "doublefischerrandom",
    "doublefischerrandomchess",
    "doublechess960",
    "freestyle",
    "freestylechess",
    "wildfr",
    "fr",
    "chess960fischerrandom",
];

/// The rules that the value of a `Variant` tag names; `None` for other games than these.
pub fn rules(name: &str) -> Option<Rules> {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    let plain: String = letters.flat_map(char::to_lowercase).collect();
    if CHESS.contains(&plain.as_str()) {
        Some(Rules::Chess)
    } else if CHESS960.contains(&plain.as_str()) {
        Some(Rules::Chess960)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_same_game_is_known() {
        for name in [
            "Standard",
            "chess",
            "From Position",
            "From-Position",
            "?",
            "-",
            "normal",
            "",
        ] {
            assert_eq!(rules(name), Some(Rules::Chess), "{name}");
        }
        for name in [
            "Chess960",
            "Chess 960",
            "chess-960",
            "fischerandom",
            "Fischerrandom",
            "Fischer Random",
            "Fischer Random Chess",
            "Freestyle Chess",
            "Chess 9LX",
            "FRC",
            "wild/fr",
            "Chess960 (Fischer Random)",
        ] {
            assert_eq!(rules(name), Some(Rules::Chess960), "{name}");
        }
        for name in [
            "Crazyhouse",
            "Atomic",
            "Three-check",
            "King of the Hill",
            "Antichess",
            "Horde",
        ] {
            assert_eq!(rules(name), None, "{name}");
        }
    }
}
