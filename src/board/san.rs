//! Standard algebraic notation, the moves of PGN files: written as the PGN standard prescribes, read more leniently
//! because real files deviate from it.

use super::attacks;
use super::bitboard::Bitboard;
use super::movegen::{Sink, Wanted, generate, origin};
use super::moves::Move;
use super::position::Position;
use super::types::{Color, Piece, PieceType, Square, Wing};
use thiserror::Error;

/// Why a text is not a legal move in algebraic notation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SanError {
    /// Not a move at all.
    #[error("'{0}' is not a move in algebraic notation")]
    Malformed(String),
    /// A move that the position does not allow.
    #[error("{0} is not a legal move here")]
    Illegal(String),
    /// More than one piece can make this move.
    #[error("{0} is ambiguous here: more than one piece can make this move")]
    Ambiguous(String),
}

/// The parsed parts of a move other than castling.
#[derive(Clone, Copy)]
struct Description {
    kind: PieceType,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: Square,
    promoted: Option<PieceType>,
}

impl Position {
    /// Writes a legal move: `Nf3`, `exd6`, `R1xa4+`, `e8=Q#`, `O-O`.
    pub fn to_san(&self, m: Move) -> String {
        let mut text = if m.is_castling() {
            let wing = if m.to() > m.from() {
                Wing::King
            } else {
                Wing::Queen
            };
            castling_text(wing).to_string()
        } else {
            self.plain_san(m)
        };
        let after = self.after(m);
        if after.in_check() {
            text.push(if after.has_moves() { '+' } else { '#' });
        }
        text
    }

    /// Reads a legal move. Check marks and annotations such as `!?` are optional; `0-0`, a missing `x` or `=`,
    /// redundant origin squares (`Ng1f3`, `e2-e4`), `e.p.` and promotions such as `e8q` or `e8(Q)` are understood.
    ///
    /// # Errors
    /// [`SanError`] if the text is not a move, not a legal one in this position, or fits more than one.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let core = strip_marks(text.trim());
        let (count, found) = if let Some(wing) = castling_wing(core) {
            let mut moves = self.legal_moves().into_iter();
            let castling = |m: &Move| m.is_castling() && (m.to() > m.from()) == (wing == Wing::King);
            let found = moves.rfind(castling);
            (usize::from(found.is_some()), found)
        } else {
            let wanted = describe(core).ok_or_else(|| SanError::Malformed(text.to_string()))?;
            self.fitting(wanted)
        };
        match (count, found) {
            (1, Some(m)) => Ok(m),
            (0, _) => Err(SanError::Illegal(text.to_string())),
            _ => Err(SanError::Ambiguous(text.to_string())),
        }
    }

    /// How many legal moves fit a description, and one of them. Only those pieces are asked that can be meant.
    fn fitting(&self, wanted: Description) -> (usize, Option<Move>) {
        let mut movers = self.pieces(self.side_to_move(), wanted.kind);
        movers &= wanted.from_file.map_or(Bitboard::ALL, Bitboard::file);
        movers &= wanted.from_rank.map_or(Bitboard::ALL, Bitboard::rank);
        if wanted.kind != PieceType::Pawn {
            movers &= attacks::of(wanted.kind, wanted.to, self.occupied());
        }
        let mut fitting = Fitting {
            side: self.side_to_move(),
            is_capture: self.piece_on(wanted.to).is_some(),
            wanted,
            count: 0,
            found: None,
        };
        if movers.any() {
            generate(self, Wanted::All, movers, &mut fitting);
        }
        (fitting.count, fitting.found)
    }

    /// A move other than castling, without check marks.
    fn plain_san(&self, m: Move) -> String {
        let mut text = String::new();
        if m.piece().kind() == PieceType::Pawn {
            if m.is_capture() {
                text.push(file_letter(m.from()));
            }
        } else {
            text.push(m.piece().kind().letter().to_ascii_uppercase());
            text.push_str(&self.disambiguation(m));
        }
        if m.is_capture() {
            text.push('x');
        }
        text.push_str(&m.to().to_string());
        if let Some(kind) = m.promoted().map(Piece::kind) {
            text.push('=');
            text.push(kind.letter().to_ascii_uppercase());
        }
        text
    }

    /// The part of the origin square that distinguishes the move from those of other pieces of its kind: nothing, the
    /// file, the rank, or both.
    fn disambiguation(&self, m: Move) -> String {
        let rivals: Bitboard = self
            .legal_moves()
            .into_iter()
            .filter(|other| other.piece() == m.piece() && other.to() == m.to() && !other.is_castling())
            .map(Move::from)
            .filter(|&from| from != m.from())
            .collect();
        let from = m.from().to_string();
        if rivals.is_empty() {
            String::new()
        } else if (rivals & Bitboard::file(m.from().file())).is_empty() {
            from[..1].to_string()
        } else if (rivals & Bitboard::rank(m.from().rank())).is_empty() {
            from[1..].to_string()
        } else {
            from
        }
    }
}

/// Keeps the moves that fit a description, of pieces that stand where it says.
struct Fitting {
    wanted: Description,
    side: Color,
    /// Whether there is a piece on the target.
    is_capture: bool,
    count: usize,
    found: Option<Move>,
}

impl Fitting {
    fn add(&mut self, m: Move) {
        self.count += 1;
        self.found = Some(m);
    }

    /// A move of the kind that is described, without promotion.
    fn plain(&mut self, from: Square, flags: u32) {
        if self.wanted.promoted.is_none() {
            self.add(Move::new(
                from,
                self.wanted.to,
                self.wanted.kind.of(self.side),
                flags,
            ));
        }
    }
}

impl Sink for Fitting {
    fn piece(&mut self, kind: PieceType, from: Square, targets: Bitboard) {
        if kind == self.wanted.kind && targets.has(self.wanted.to) {
            self.plain(from, if self.is_capture { Move::CAPTURE } else { 0 });
        }
    }

    fn pawns(&mut self, targets: Bitboard, delta: i8, flags: u32) {
        if targets.has(self.wanted.to) {
            self.plain(origin(self.wanted.to, delta), flags);
        }
    }

    fn promotions(&mut self, targets: Bitboard, delta: i8, flags: u32) {
        let (to, pawn) = (self.wanted.to, PieceType::Pawn.of(self.side));
        if let (true, Some(kind)) = (targets.has(to), self.wanted.promoted) {
            self.add(Move::promotion(
                origin(to, delta),
                to,
                pawn,
                kind.of(self.side),
                flags,
            ));
        }
    }

    fn special(&mut self, kind: PieceType, from: Square, to: Square, flags: u32) {
        // castling is described in its own way
        if kind == PieceType::Pawn && kind == self.wanted.kind && to == self.wanted.to {
            self.plain(from, flags);
        }
    }
}

fn file_letter(square: Square) -> char {
    (b'a' + square.file()) as char
}

const fn castling_text(wing: Wing) -> &'static str {
    match wing {
        Wing::King => "O-O",
        Wing::Queen => "O-O-O",
    }
}

/// Strips check marks, exclamation and question marks and `e.p.` from the end.
fn strip_marks(text: &str) -> &str {
    let marks = |c| matches!(c, '+' | '#' | '†' | '‡' | '!' | '?');
    let text = text.trim_end_matches(marks);
    text.strip_suffix("e.p.")
        .map_or(text, |rest| rest.trim_end().trim_end_matches(marks))
}

/// The wing that `O-O`, `0-0-0` and the like name.
fn castling_wing(text: &str) -> Option<Wing> {
    let is_letter = |byte: &u8| matches!(byte, b'O' | b'o' | b'0');
    let is_like = |written: &str| {
        written.len() == text.len()
            && text
                .bytes()
                .zip(written.bytes())
                .all(|(byte, letter)| byte == letter || letter == b'O' && is_letter(&byte))
    };
    Wing::ALL.into_iter().find(|&wing| is_like(castling_text(wing)))
}

/// The kind of piece that a letter stands for, in the case given.
fn kind_of(letter: u8) -> Option<PieceType> {
    PieceType::ALL
        .into_iter()
        .find(|kind| kind.letter() == letter as char)
}

/// Reads `Nbd7`, `exd8=Q` and their like, without the marks at the end.
fn describe(text: &str) -> Option<Description> {
    let (kind, rest) = match text.as_bytes() {
        [letter @ b'A'..=b'Z', ..] => (kind_of(letter.to_ascii_lowercase())?, text.get(1..)?),
        _ => (PieceType::Pawn, text),
    };
    let (rest, promoted) = split_promotion(rest)?;
    if promoted.is_some() && kind != PieceType::Pawn {
        return None;
    }
    let (from, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let (from_file, from_rank) = match from.strip_suffix(['x', ':', '-']).unwrap_or(from).as_bytes() {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    };
    Some(Description {
        kind,
        from_file,
        from_rank,
        to: to.parse().ok()?,
        promoted,
    })
}

/// Splits `e8=Q`, `e8Q`, `e8q`, `e8(Q)` or `e8/Q` into `e8` and the piece; other texts have no piece.
fn split_promotion(text: &str) -> Option<(&str, Option<PieceType>)> {
    let open = text.strip_suffix(')').unwrap_or(text);
    let Some(letter) = open.bytes().last().filter(u8::is_ascii_alphabetic) else {
        return Some((text, None));
    };
    let kind = kind_of(letter.to_ascii_lowercase())?;
    if !PieceType::PROMOTIONS.contains(&kind) {
        return None;
    }
    let rest = open[..open.len() - 1].trim_end_matches(['=', '(', '/']);
    Some((rest, Some(kind)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::magics::splitmix;
    use std::collections::HashSet;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    fn uci(position: &Position, san: &str) -> Result<String, SanError> {
        position
            .parse_san(san)
            .map(|m| m.to_uci(position.needs_chess960()))
    }

    #[test]
    fn every_move_of_random_games_has_a_distinct_text_and_round_trips() {
        let mut random = 2;
        for _ in 0..40 {
            let mut position = Position::default();
            for _ in 0..150 {
                let moves = position.legal_moves();
                let texts: HashSet<String> = moves.iter().map(|&m| position.to_san(m)).collect();
                assert_eq!(texts.len(), moves.len(), "{position}: {texts:?}");
                for &m in &moves {
                    assert_eq!(position.parse_san(&position.to_san(m)), Ok(m), "{position}");
                }
                if moves.is_empty() {
                    break;
                }
                position.make(moves[splitmix(&mut random) as usize % moves.len()]);
            }
        }
    }

    impl Description {
        /// The slow way: does a legal move fit?
        fn fits(&self, m: Move) -> bool {
            !m.is_castling()
                && m.piece().kind() == self.kind
                && m.to() == self.to
                && m.promoted().map(Piece::kind) == self.promoted
                && self.from_file.is_none_or(|file| file == m.from().file())
                && self.from_rank.is_none_or(|rank| rank == m.from().rank())
        }
    }

    /// Every description of a move to a square.
    fn descriptions(to: Square) -> impl Iterator<Item = Description> {
        let parts = || std::iter::once(None).chain((0..8).map(Some));
        let promoted = || std::iter::once(None).chain(PieceType::PROMOTIONS.map(Some));
        PieceType::ALL.into_iter().flat_map(move |kind| {
            parts().flat_map(move |from_file| {
                parts().flat_map(move |from_rank| {
                    promoted().map(move |promoted| Description {
                        kind,
                        from_file,
                        from_rank,
                        to,
                        promoted,
                    })
                })
            })
        })
    }

    #[test]
    fn the_pieces_that_can_be_meant_make_the_moves_that_all_pieces_make() {
        for fen in [
            Position::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "5rkr/5pp1/8/8/8/8/5PP1/RR3KRR w GBhf - 0 1",
            "2k5/8/8/8/1b5q/2N5/3Q1P2/4K3 w - - 0 1",
            "4k3/8/8/8/7b/8/3N4/r3K1NR w K - 0 1",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ] {
            let position = position(fen);
            let legal = position.legal_moves();
            for wanted in Bitboard::ALL.into_iter().flat_map(descriptions) {
                let slow: Vec<Move> = legal.iter().copied().filter(|&m| wanted.fits(m)).collect();
                let (count, found) = position.fitting(wanted);
                assert_eq!(count, slow.len(), "{fen}");
                assert_eq!(
                    found.is_some_and(|m| slow.contains(&m)),
                    count > 0,
                    "{fen}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn disambiguation_is_minimal() {
        // queens on e4, h4 and h1 reach e1: each needs another part of its square
        let queens = position("1k6/8/8/8/4Q2Q/8/K7/7Q w - - 0 1");
        for (text, san) in [("e4e1", "Qee1"), ("h4e1", "Qh4e1"), ("h1e1", "Q1e1")] {
            assert_eq!(queens.to_san(queens.parse_uci(text).unwrap()), san);
        }
        // the other knight is pinned and does not count
        let pinned = position("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1");
        assert_eq!(pinned.to_san(pinned.parse_uci("g1e2").unwrap()), "Ne2");
    }

    #[test]
    fn marks_check_mate_promotion_and_en_passant() {
        for (fen, text, san) in [
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#"),
            ("6k1/6pp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8+"),
            ("3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N"),
            ("5k2/1P6/5K2/8/8/8/8/8 w - - 0 1", "b7b8q", "b8=Q#"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
            ("2k5/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O"),
        ] {
            let position = position(fen);
            let m = position.parse_uci(text).unwrap();
            assert_eq!(position.to_san(m), san);
            assert_eq!(position.parse_san(san), Ok(m));
        }
    }

    #[test]
    fn reads_the_variants_of_real_files() {
        let castling = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for text in ["O-O", "0-0", "o-o", "O-O+", " 0-0! "] {
            assert_eq!(uci(&castling, text).unwrap(), "e1g1", "{text}");
        }
        assert_eq!(uci(&castling, "0-0-0?!").unwrap(), "e1c1");
        let promoting = position("3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
        for text in ["e8=Q", "e8Q", "e8q", "e8(Q)", "e8/Q", "e7-e8=Q", "Pe8=q!!"] {
            assert_eq!(uci(&promoting, text).unwrap(), "e7e8q", "{text}");
        }
        for text in ["exd8=B", "ed8=B", "e7xd8B", "ed8b"] {
            assert_eq!(uci(&promoting, text).unwrap(), "e7d8b", "{text}");
        }
        let en_passant = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        for text in ["exd6", "ed6", "exd6 e.p.", "exd6e.p.+", "e5xd6"] {
            assert_eq!(uci(&en_passant, text).unwrap(), "e5d6", "{text}");
        }
        let start = Position::default();
        for text in [
            "Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3+", "Nxf3", "Nf3!?", "Nf3??",
        ] {
            assert_eq!(uci(&start, text).unwrap(), "g1f3", "{text}");
        }
        let chess960 = position("1rk3r1/8/8/8/8/8/6P1/1RK3R1 w GBgb - 0 1");
        assert_eq!(uci(&chess960, "O-O").unwrap(), "c1g1");
        assert_eq!(uci(&chess960, "O-O-O").unwrap(), "c1b1");
    }

    #[test]
    fn malformed_illegal_and_ambiguous_moves_are_refused() {
        let start = Position::default();
        for text in [
            "", "+", "e", "e9", "Xe4", "Nf", "ne4", "e4e4e4", "O-O-O-O", "--", "Nf3=Q", "e8=K", "é4", "=Q",
        ] {
            assert_eq!(
                start.parse_san(text),
                Err(SanError::Malformed(text.to_string())),
                "{text}"
            );
        }
        for text in ["e5", "O-O", "Nd2", "exd5", "e8=Q", "Ke2", "Nbf3", "N2f3"] {
            assert_eq!(
                start.parse_san(text),
                Err(SanError::Illegal(text.to_string())),
                "{text}"
            );
        }
        let promoting = position("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(
            promoting.parse_san("a8"),
            Err(SanError::Illegal("a8".to_string()))
        );
        let rooks = position("4k3/8/8/8/8/8/8/R2K3R w - - 0 1");
        assert_eq!(uci(&rooks, "Rab1").unwrap(), "a1b1");
        let knights = position("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1");
        assert_eq!(
            knights.parse_san("Nd2"),
            Err(SanError::Ambiguous("Nd2".to_string()))
        );
    }
}
