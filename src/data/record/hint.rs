//! What a teacher's hidden layer says of a position, to learn from beside the score.

use super::packed::Record;

/// Numbers of a hint.
pub const HINT_NUMBERS: usize = 16;

/// The bytes of a hint on disk: its numbers, each two bytes, little-endian.
pub const HINT_BYTES: usize = 2 * HINT_NUMBERS;

/// What stands for 1.0 in a hint.
pub const HINT_UNIT: i16 = 1 << 10;

/// The centipawns that are 1.0 in the last number of a hint: it is meant for nets whose curve is tanh(cp / 300).
pub const HINT_CENTIPAWNS: f64 = 300.0;

/// The sums of a teacher's second layer before its activation, in units of 1/[`HINT_UNIT`], where 1.0 is as far as its
/// clipped activation goes. The last is that of the unit that goes straight to the output, together with the teacher's
/// piece-square part, in units of [`HINT_CENTIPAWNS`]. All are the mover's point of view, so they stay what they are
/// when colours or files are exchanged.
pub type Hint = [i16; HINT_NUMBERS];

/// In the place of a hint, where there is none.
pub const NO_HINT: Hint = [i16::MIN; HINT_NUMBERS];

/// A number of a hint: rounded, and cut off at the ends of the type so that no hint is [`NO_HINT`].
pub fn hint_number(value: f64) -> i16 {
    let bound = f64::from(i16::MAX);
    (value * f64::from(HINT_UNIT)).round().clamp(-bound, bound) as i16
}

/// The hint of sums in the unit of their activation, and of what goes straight to the output, in centipawns.
pub fn hint_of(sums: &[f64; HINT_NUMBERS - 1], straight: f64) -> Hint {
    std::array::from_fn(|n| hint_number(sums.get(n).copied().unwrap_or(straight / HINT_CENTIPAWNS)))
}

/// The bytes of a hint.
pub fn hint_to_bytes(hint: &Hint) -> [u8; HINT_BYTES] {
    let mut bytes = [0; HINT_BYTES];
    for (place, number) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(hint) {
        *place = number.to_le_bytes();
    }
    bytes
}

/// The hint of these bytes.
pub fn hint_from_bytes(bytes: &[u8; HINT_BYTES]) -> Hint {
    std::array::from_fn(|n| i16::from_le_bytes([bytes[2 * n], bytes[2 * n + 1]]))
}

/// Keeps the records that `keep` accepts, each with its hint; there may be no hints at all.
///
/// # Panics
/// If there are hints, but not as many as records.
pub fn retain_with_hints(
    records: &mut Vec<Record>,
    hints: &mut Vec<Hint>,
    mut keep: impl FnMut(&Record) -> bool,
) {
    if hints.is_empty() {
        records.retain(keep);
        return;
    }
    assert_eq!(records.len(), hints.len(), "a hint for each record");
    let mut kept = 0;
    for place in 0..records.len() {
        if keep(&records[place]) {
            (records[kept], hints[kept]) = (records[place], hints[place]);
            kept += 1;
        }
    }
    records.truncate(kept);
    hints.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Label;

    #[test]
    fn hints_survive_their_bytes_and_are_never_none() {
        let hint = std::array::from_fn(|n| n as i16 * 4_001 - 30_000);
        assert_eq!(hint_from_bytes(&hint_to_bytes(&hint)), hint);
        assert_eq!(hint_from_bytes(&hint_to_bytes(&NO_HINT)), NO_HINT);
        assert_eq!([0.0, 1.0, -0.5].map(hint_number), [0, 1_024, -512]);
        let mut sums = [0.25; HINT_NUMBERS - 1];
        sums[14] = -2.0;
        assert_eq!(hint_of(&sums, 150.0)[13..], [256, -2_048, 512]);
        assert_eq!([-1e9, 1e9].map(hint_number), [-i16::MAX, i16::MAX]);
    }

    #[test]
    fn what_is_kept_keeps_its_hint() {
        let record = Record::new(&Position::default());
        let all: Vec<Record> = (0..9).map(|n| record.with_label(Label::centipawns(n))).collect();
        let hints: Vec<Hint> = (0..9).map(|n| [n; HINT_NUMBERS]).collect();
        let keep = |record: &Record| record.score().is_some_and(|score| score % 3 > 0);
        let (mut records, mut beside) = (all.clone(), hints);
        retain_with_hints(&mut records, &mut beside, keep);
        let scores: Vec<i16> = records.iter().map(|record| record.score().unwrap()).collect();
        assert_eq!(scores, [1, 2, 4, 5, 7, 8]);
        assert_eq!(beside.iter().map(|hint| hint[7]).collect::<Vec<_>>(), scores);
        let mut alone = all;
        retain_with_hints(&mut alone, &mut Vec::new(), keep);
        assert_eq!(alone, records);
    }
}
