//! What a labelling engine says about a position: centipawns or a forced mate, always for White.

use thiserror::Error;

/// Mate on the board; a mate in n moves is written n below it.
const MATE: i16 = 32_000;
/// The farthest mate that is kept, in moves.
const FARTHEST_MATE: i16 = 1_000;
/// Centipawns beyond this bound are cut off.
const BOUND: i16 = 30_000;

/// A score for White.
///
/// In a record it is one number: centipawns within ±30,000, or for a mate in n moves 32,000 − n (White mates) and
/// n − 32,000 (Black mates). A curve that saturates may therefore read the number as centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Hundredths of a pawn.
    Centipawns(i16),
    /// The winner mates in this many moves; negative when that is Black. Never 0.
    Mate(i16),
}

/// The text is neither a whole number of centipawns nor `#n`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is neither a whole number of centipawns nor a mate such as #3 or #-3")]
pub struct NotALabel(pub String);

impl Label {
    /// What a record holds in place of a score when it has no label.
    pub const NONE: i16 = i16::MIN;

    /// Centipawns, cut off at ±30,000.
    pub fn centipawns(value: i32) -> Label {
        Label::Centipawns(value.clamp(-(BOUND as i32), BOUND as i32) as i16)
    }

    /// A mate in this many moves, at most 1,000; `None` for 0.
    pub fn mate(moves: i32) -> Option<Label> {
        let bound = FARTHEST_MATE as i32;
        (moves != 0).then(|| Label::Mate(moves.clamp(-bound, bound) as i16))
    }

    /// The number that a record holds.
    pub fn encode(self) -> i16 {
        match self {
            Label::Centipawns(value) => value,
            Label::Mate(moves) => moves.signum() * MATE - moves,
        }
    }

    /// The label from the number that [`Label::encode`] gives; `None` for other numbers, [`Label::NONE`] among them.
    pub fn decode(number: i16) -> Option<Label> {
        let size = number.unsigned_abs();
        let mates = (MATE - FARTHEST_MATE) as u16..MATE as u16;
        if size <= BOUND as u16 {
            Some(Label::Centipawns(number))
        } else if mates.contains(&size) {
            Some(Label::Mate(number.signum() * MATE - number))
        } else {
            None
        }
    }

    /// The label for the other player.
    #[must_use]
    pub fn negated(self) -> Label {
        match self {
            Label::Centipawns(value) => Label::Centipawns(-value),
            Label::Mate(moves) => Label::Mate(-moves),
        }
    }
}

impl std::str::FromStr for Label {
    type Err = NotALabel;

    /// Reads centipawns such as `-35`, or a mate such as `#3` or `#-3`.
    fn from_str(text: &str) -> Result<Label, NotALabel> {
        let wrong = || NotALabel(text.to_string());
        match text.strip_prefix('#') {
            Some(moves) => moves.parse().ok().and_then(Label::mate).ok_or_else(wrong),
            None => text.parse().map(Label::centipawns).map_err(|_| wrong()),
        }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Label::Centipawns(value) => write!(f, "{value}"),
            Label::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_survives_its_number_and_its_text() {
        let mates = (-FARTHEST_MATE..=FARTHEST_MATE)
            .filter(|&n| n != 0)
            .map(Label::Mate);
        for label in (-BOUND..=BOUND).map(Label::Centipawns).chain(mates) {
            assert_eq!(Label::decode(label.encode()), Some(label));
            assert_eq!(label.to_string().parse(), Ok(label));
            assert_eq!(Label::decode(-label.encode()), Some(label.negated()));
        }
    }

    #[test]
    fn numbers_between_centipawns_and_mates_are_refused() {
        for number in [Label::NONE, -32_001, -32_000, 30_001, 30_999, 32_000, i16::MAX] {
            assert_eq!(Label::decode(number), None);
        }
        assert_eq!(Label::decode(31_999), Some(Label::Mate(1)));
        assert_eq!(Label::decode(-31_000), Some(Label::Mate(-1_000)));
    }

    #[test]
    fn texts_are_read_or_refused() {
        assert_eq!("#-2".parse(), Ok(Label::Mate(-2)));
        assert_eq!("99999".parse(), Ok(Label::Centipawns(BOUND)));
        for text in ["", "#0", "#", "1.5", "mate", "#x"] {
            assert_eq!(text.parse::<Label>(), Err(NotALabel(text.to_string())));
        }
    }
}
