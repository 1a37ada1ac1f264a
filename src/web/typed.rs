//! A move as a person types it: with the pieces' letters of every language of the page or with figurines, in either case
//! where it is clear, and refused where it is not.

use crate::board::{Move, Position, SanError};
use crate::explain::words::Language;

/// What a sign before a square may name, in the letters that the rules read: in Catalan and Spanish R is the king.
fn kinds(sign: char) -> &'static str {
    match sign.to_ascii_uppercase() {
        'K' | '♔' | '♚' => "K",
        'Q' | 'D' | '♕' | '♛' => "Q",
        'T' | '♖' | '♜' => "R",
        'R' => "RK",
        'B' | 'A' | '♗' | '♝' => "B",
        'N' | 'C' | '♘' | '♞' => "N",
        _ => "",
    }
}

/// What a capital letter means in a language, or a figurine in any.
fn kind_in(language: Language, sign: char) -> Option<char> {
    let (letters, kinds) = match language {
        Language::Catalan | Language::Spanish => ("RDTAC♔♕♖♗♘", "KQRBNKQRBN"),
        Language::English => ("KQRBN♔♕♖♗♘", "KQRBNKQRBN"),
    };
    let place = letters.chars().position(|letter| letter == sign)?;
    kinds.chars().nth(place)
}

/// The legal move that a text means.
///
/// What the page itself writes in `language` means what it says. Of any other text all readings are tried: it stands for
/// a move if just one is legal.
///
/// # Errors
/// [`SanError`] if no reading is legal, or more than one.
pub fn read(position: &Position, text: &str, language: Language) -> Result<Move, SanError> {
    let text: String = text
        .chars()
        .filter(|&c| !c.is_whitespace() && c != '\u{fe0e}')
        .collect();
    let core = text.trim_end_matches(['!', '?', '+', '#']);
    if let Ok(m) = position.parse_uci(&core.to_lowercase()) {
        return Ok(m);
    }
    let written: String = core.chars().map(|c| kind_in(language, c).unwrap_or(c)).collect();
    let as_shown = |m: &Move| position.to_san(*m).trim_end_matches(['+', '#']) == written;
    // a letter of another language in it would have been left as it is: `Nf3` is no Catalan for a move of a `C`
    if let Some(m) = position.legal_moves().into_iter().find(as_shown)
        && core
            .chars()
            .all(|c| !c.is_ascii_uppercase() || c == 'O' || kind_in(language, c).is_some())
    {
        return Ok(m);
    }
    let (mut found, mut error): (Vec<Move>, _) = (Vec::new(), SanError::Malformed(text.clone()));
    for reading in readings(core) {
        match position.parse_san(&reading) {
            Ok(m) if found.contains(&m) => {}
            Ok(m) => found.push(m),
            Err(SanError::Malformed(_)) => {}
            Err(SanError::Ambiguous(_)) => error = SanError::Ambiguous(text.clone()),
            Err(SanError::Illegal(_)) if matches!(error, SanError::Ambiguous(_)) => {}
            Err(SanError::Illegal(_)) => error = SanError::Illegal(text.clone()),
        }
    }
    match found[..] {
        [] => Err(error),
        [m] if !matches!(error, SanError::Ambiguous(_)) => Ok(m),
        _ => Err(SanError::Ambiguous(text)),
    }
}

/// The texts in the rules' notation that a typed one may stand for.
fn readings(text: &str) -> Vec<String> {
    let bare: String = text
        .chars()
        .filter(|&c| c != '-')
        .collect::<String>()
        .to_lowercase();
    match bare.replace('0', "o").as_str() {
        "oo" => return vec!["O-O".to_string()],
        "ooo" => return vec!["O-O-O".to_string()],
        _ => {}
    }
    let mut signs = text.chars();
    let first = signs.next().unwrap_or_default();
    let rest: String = signs.as_str().to_lowercase();
    // a pawn's move begins with its file, a piece's with its letter
    let piece = kinds(first).chars().map(|kind| format!("{kind}{rest}"));
    let mut readings: Vec<String> = std::iter::once(text.to_lowercase()).chain(piece).collect();
    // a pawn becomes what the last sign names, whatever stands before it
    let last = text.trim_end_matches(')').chars().last().unwrap_or_default();
    let before = text.trim_end_matches(')').strip_suffix(last).unwrap_or_default();
    let before = before.trim_end_matches(['=', '/', '(']).to_lowercase();
    if before.ends_with(['1', '8']) {
        let promoted = kinds(last).chars().filter(|&kind| kind != 'K');
        readings.extend(promoted.map(|kind| format!("{before}={kind}")));
    }
    // a pawn on the last rank that does not say what it becomes may become anything
    if text.ends_with(['1', '8']) {
        let text = text.to_lowercase();
        readings.extend("QRBN".chars().map(|kind| format!("{text}={kind}")));
    }
    readings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uci(fen: &str, text: &str, language: Language) -> Result<String, &'static str> {
        let position = Position::from_fen(fen).expect(fen);
        let m = read(&position, text, language).map_err(|error| match error {
            SanError::Malformed(_) => "malformed",
            SanError::Illegal(_) => "illegal",
            SanError::Ambiguous(_) => "ambiguous",
        });
        m.map(|m| m.to_uci(false))
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn letters_of_all_languages_in_either_case() {
        for language in Language::ALL {
            for text in [
                "Nf3", "nf3", "NF3", "Cf3", "cf3", "♘f3", "♞f3", "g1f3", "G1F3", "Ng1-f3", "Cf3+!",
            ] {
                assert_eq!(uci(START, text, language).as_deref(), Ok("g1f3"), "{text}");
            }
            assert_eq!(uci(START, "E4", language).as_deref(), Ok("e2e4"));
            for text in ["Nf4", "cf4", "e5"] {
                assert_eq!(uci(START, text, language), Err("illegal"), "{text}");
            }
            for text in ["", "x", "Zf3", "nf", "♘", "é4"] {
                assert_eq!(uci(START, text, language), Err("malformed"), "{text}");
            }
        }
    }

    #[test]
    fn a_letter_with_two_meanings_is_the_languages_own_or_refused() {
        // king and rook may both go to f1
        let both = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
        assert_eq!(uci(both, "Rf1", Language::Catalan).as_deref(), Ok("e1f1"));
        assert_eq!(uci(both, "Rf1", Language::English).as_deref(), Ok("h1f1"));
        assert_eq!(uci(both, "rf1", Language::English), Err("ambiguous"));
        // only the rook may go to h8, only the king to d1
        assert_eq!(uci(both, "Rg1", Language::Catalan).as_deref(), Ok("h1g1"));
        assert_eq!(uci(both, "Rd1", Language::English).as_deref(), Ok("e1d1"));
    }

    #[test]
    fn a_small_b_is_a_file_or_a_bishop() {
        let both = "4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1";
        for (text, expected) in [
            ("bxc4", Ok("b3c4")), // as it is written
            ("Bxc4", Ok("d3c4")),
            ("bc4", Err("ambiguous")),
            ("axc4", Ok("d3c4")), // there is no pawn on a3
            ("be4", Ok("d3e4")),
            ("b4", Ok("b3b4")),
        ] {
            assert_eq!(
                uci(both, text, Language::English).as_deref(),
                expected.as_ref().copied(),
                "{text}"
            );
        }
    }

    #[test]
    fn promotions_and_castling() {
        let fen = "3n4/4P1k1/8/8/8/8/8/R3K2R w KQ - 0 1";
        for (text, expected) in [
            ("e8=D", "e7e8q"),
            ("e8C", "e7e8n"),
            ("e8=♘", "e7e8n"),
            ("exd8(T)", "e7d8r"),
            ("ed8r", "e7d8r"),
            ("oo", "e1g1"),
            ("0-0", "e1g1"),
            ("O-O-O", "e1c1"),
            ("ooo", "e1c1"),
        ] {
            assert_eq!(
                uci(fen, text, Language::Catalan).as_deref(),
                Ok(expected),
                "{text}"
            );
        }
        assert_eq!(uci(fen, "e8", Language::English), Err("ambiguous"));
    }

    #[test]
    fn every_legal_move_is_read_as_the_page_writes_it() {
        use crate::explain::words::Notation;
        use crate::explain::words::renamed;
        for fen in [
            START,
            "r3k2r/1P6/5b2/8/8/5N2/3Q4/R3K2R w KQkq - 0 20",
            "1k6/8/8/8/4Q2Q/8/K7/7Q w - - 0 1",
            "8/PPPPPPPk/8/8/2B5/1P6/p1b1K3/1R1N4 b - - 0 1",
            "4k3/8/8/2pP4/8/8/1R1B4/R2K4 w - c6 0 1",
        ] {
            let position = Position::from_fen(fen).expect(fen);
            for m in position.legal_moves() {
                for language in Language::ALL {
                    for notation in [Notation::Letters, Notation::Figurines] {
                        let text = renamed(&position.to_san(m), language, notation);
                        assert_eq!(read(&position, &text, language), Ok(m), "{text} in {fen}");
                    }
                }
            }
        }
    }
}
