//! The same position seen from the other side, and in a mirror.

use super::label::Label;
use super::packed::{BLACK_TO_MOVE, CASTLING_ROOK, NO_MOVE, Record};

impl Record {
    /// The same position with the colours exchanged and the board upside down; its score and result change sides.
    pub fn flipped(&self) -> Record {
        let mut flipped = Record {
            occupied: self.occupied.swap_bytes(),
            codes: [0; 16],
            score: if self.score == Label::NONE {
                Label::NONE
            } else {
                -self.score
            },
            // both squares change their ranks: bits 3–5 and 9–11
            best: if self.best == NO_MOVE {
                NO_MOVE
            } else {
                self.best ^ (56 | 56 << 6)
            },
            state: self.state ^ BLACK_TO_MOVE,
            ..*self
        };
        for (square, code) in self.coded_squares() {
            let other = match code {
                0..=5 => code + 6,
                6..=11 => code - 6,
                _ => code ^ 1,
            };
            flipped.set_code(square.flip_rank(), other);
        }
        flipped.with_result(self.result().reversed())
    }

    /// The same position with the files exchanged, a for h; `None` where somebody may castle, for no castling is the
    /// mirror image of another.
    pub fn mirrored(&self) -> Option<Record> {
        let mut mirrored = Record {
            // reversed bits are a half turn, swapped bytes flip the ranks back
            occupied: self.occupied.reverse_bits().swap_bytes(),
            codes: [0; 16],
            // both squares change their files: bits 0–2 and 6–8
            best: if self.best == NO_MOVE {
                NO_MOVE
            } else {
                self.best ^ (7 | 7 << 6)
            },
            ..*self
        };
        for (square, code) in self.coded_squares() {
            if CASTLING_ROOK.contains(&code) {
                return None;
            }
            mirrored.set_code(square.flip_file(), code);
        }
        Some(mirrored)
    }
}
