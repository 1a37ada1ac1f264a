//! One labelled position in 32 bytes.
//!
//! | bytes | field |
//! |---|---|
//! | 0–7 | occupied squares, bit 0 = a1 |
//! | 8–23 | 4 bits for each occupied square from a1 on, low half first; 0 after the last |
//! | 24–25 | score in centipawns for White, mates near ±32,000 ([`Label`]) |
//! | 26–27 | best move: from, to (6 bits each), promotion (3 bits, 0 = none, 1–4 = N B R Q) |
//! | 28–29 | number of the move |
//! | 30 | plies since the last capture or pawn move |
//! | 31 | black to move, in check, start of a group (1 bit each), result (2), origin (3) |
//!
//! Numbers are little-endian. A square's 4 bits are the piece, `PNBRQKpnbrqk` = 0–11, or 12 and 13 for a white and a
//! black rook that may still castle, 14 and 15 for a white and a black pawn that may be captured en passant. Castling
//! in Chess960 is therefore kept exactly, as every other part of a position is.

pub mod check;
pub mod hint;
pub mod label;
mod mirror;
pub mod origin;
pub mod packed;

pub use check::RecordError;
pub use hint::{HINT_BYTES, Hint, NO_HINT, hint_from_bytes, hint_to_bytes};
pub use label::Label;
pub use origin::Origin;
pub use packed::{RECORD_BYTES, Record};
