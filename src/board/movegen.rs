//! Legal moves, generated as sets of target squares: pins and checks restrict the sets, so that no move has to be
//! made to test its legality. A `Sink` turns the sets into a list of moves, counts them, or picks one of them.

use super::attacks::{self, Magics, Sliders};
use super::bitboard::Bitboard;
use super::castling;
use super::moves::{Move, MoveList};
use super::position::Position;
use super::types::{Color, PieceType, Square, Wing};

/// Which moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Every legal move.
    All,
    /// Captures and promotions.
    Noisy,
    Quiet,
}

/// Receives the generated sets.
pub(super) trait Sink {
    /// Moves of one piece that is not a pawn.
    fn piece(&mut self, kind: PieceType, from: Square, targets: Bitboard);
    /// Pawn moves that do not promote; the origin of each is its target minus `delta`.
    fn pawns(&mut self, targets: Bitboard, delta: i8, flags: u32);
    /// Pawn moves that promote, four for each target.
    fn promotions(&mut self, targets: Bitboard, delta: i8, flags: u32);
    /// One capture en passant or castling move.
    fn special(&mut self, kind: PieceType, from: Square, to: Square, flags: u32);
}

impl Position {
    /// Every legal move.
    pub fn legal_moves(&self) -> MoveList {
        self.moves(Wanted::All)
    }

    /// The legal moves of the wanted kind.
    pub fn moves(&self, wanted: Wanted) -> MoveList {
        let mut moves = MoveList::new();
        self.add_moves(wanted, &mut moves);
        moves
    }

    /// Appends the legal moves of the wanted kind to a list.
    pub fn add_moves(&self, wanted: Wanted, moves: &mut MoveList) {
        let mut list = List {
            side: self.side,
            enemies: self.of_color(!self.side),
            moves,
        };
        generate(self, wanted, Bitboard::ALL, &mut list);
    }

    /// How many legal moves there are, without listing them.
    pub fn count_moves(&self) -> u32 {
        let mut count = Count(0);
        generate(self, Wanted::All, Bitboard::ALL, &mut count);
        count.0
    }

    /// Whether the side to move has a legal move.
    pub fn has_moves(&self) -> bool {
        self.has_free_push() || self.count_moves() > 0
    }

    /// Whether a pawn can simply step forward, as is nearly always the case: no check to parry, and no pin.
    fn has_free_push(&self) -> bool {
        let up = match self.side {
            Color::White => 8,
            Color::Black => -8,
        };
        let free = self.pieces(self.side, PieceType::Pawn) & !self.pinned;
        !self.in_check() && (free.rotated(up) & !self.occupied()).any()
    }
}

/// How many legal moves the side to move has, which the caller knows already.
#[inline(always)]
pub(super) fn count_moves(side: Color, position: &Position, sliders: impl Sliders) -> u32 {
    let mut count = Count(0);
    generate_for(side, position, sliders, Wanted::All, Bitboard::ALL, &mut count);
    count.0
}

struct Count(u32);

impl Sink for Count {
    #[inline]
    fn piece(&mut self, _: PieceType, _: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: u32) {
        self.0 += targets.count();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: u32) {
        self.0 += 4 * targets.count();
    }

    #[inline]
    fn special(&mut self, _: PieceType, _: Square, _: Square, _: u32) {
        self.0 += 1;
    }
}

struct List<'a> {
    side: Color,
    enemies: Bitboard,
    moves: &'a mut MoveList,
}

impl List<'_> {
    /// No known position fills the list; if a contrived FEN does, the surplus is dropped rather than panicking.
    #[inline]
    fn push(&mut self, m: Move) {
        let _ = self.moves.try_push(m);
    }
}

impl Sink for List<'_> {
    #[inline]
    fn piece(&mut self, kind: PieceType, from: Square, targets: Bitboard) {
        let piece = kind.of(self.side);
        for to in targets & self.enemies {
            self.push(Move::new(from, to, piece, Move::CAPTURE));
        }
        for to in targets & !self.enemies {
            self.push(Move::new(from, to, piece, 0));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, delta: i8, flags: u32) {
        let pawn = PieceType::Pawn.of(self.side);
        for to in targets {
            self.push(Move::new(origin(to, delta), to, pawn, flags));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, delta: i8, flags: u32) {
        let pawn = PieceType::Pawn.of(self.side);
        for to in targets {
            for kind in PieceType::PROMOTIONS {
                self.push(Move::promotion(
                    origin(to, delta),
                    to,
                    pawn,
                    kind.of(self.side),
                    flags,
                ));
            }
        }
    }

    #[inline]
    fn special(&mut self, kind: PieceType, from: Square, to: Square, flags: u32) {
        self.push(Move::new(from, to, kind.of(self.side), flags));
    }
}

/// Where a pawn stood that has moved by `delta` square numbers.
#[inline]
pub(super) fn origin(to: Square, delta: i8) -> Square {
    Square::new((to.index() as u8).wrapping_sub(delta as u8))
}

/// Hands the wanted legal moves of the pieces on some squares to the sink.
#[inline(always)]
pub(super) fn generate<S: Sink>(position: &Position, wanted: Wanted, movers: Bitboard, sink: &mut S) {
    // compiled once for each colour, which turns shifts and ranks that depend on it into constants
    match position.side {
        Color::White => generate_for(Color::White, position, Magics, wanted, movers, sink),
        Color::Black => generate_for(Color::Black, position, Magics, wanted, movers, sink),
    }
}

#[inline(always)]
fn generate_for<S: Sink>(
    side: Color,
    position: &Position,
    sliders: impl Sliders,
    wanted: Wanted,
    movers: Bitboard,
    sink: &mut S,
) {
    let king = position.king(side);
    let king_moves = movers.has(king);
    let (own, enemies) = (position.of_color(side), position.of_color(!side));
    let allowed = match wanted {
        Wanted::All => !own,
        Wanted::Noisy => enemies,
        Wanted::Quiet => !(own | enemies),
    };
    let castles =
        king_moves && wanted != Wanted::Noisy && position.castling.any(side) && !position.in_check();
    let paths = if castles {
        [
            castling_path(side, position, Wing::King),
            castling_path(side, position, Wing::Queen),
        ]
    } else {
        [Bitboard::EMPTY; 2]
    };
    let steps = if king_moves {
        attacks::king(king) & allowed
    } else {
        Bitboard::EMPTY
    };
    let safe = safe_for_king(side, position, sliders, steps | paths[0] | paths[1]);
    sink.piece(PieceType::King, king, steps & safe);
    let evasion = match position.checkers.first() {
        None => Bitboard::ALL,
        Some(_) if position.checkers.more_than_one() => return,
        Some(checker) => attacks::between(king, checker) | position.checkers,
    };
    piece_moves(side, position, sliders, allowed & evasion, movers, sink);
    pawn_moves(side, position, wanted, evasion, movers, sink);
    if castles {
        for (wing, path) in Wing::ALL.into_iter().zip(paths) {
            if path.any() && (path & !safe).is_empty() {
                let rook = position.castling_rook(side, wing);
                sink.special(PieceType::King, king, rook, Move::CASTLING);
            }
        }
    }
}

/// Those of the squares on which no enemy piece would attack the king.
#[inline(always)]
fn safe_for_king(side: Color, position: &Position, sliders: impl Sliders, squares: Bitboard) -> Bitboard {
    if squares.is_empty() {
        return squares;
    }
    let enemy = |kind: PieceType| position.pieces(!side, kind);
    let mut attacked = attacks::king(position.king(!side)) | attacks::pawns(!side, enemy(PieceType::Pawn));
    for knight in enemy(PieceType::Knight) {
        attacked |= attacks::knight(knight);
    }
    let mut safe = squares & !attacked;
    // the king does not shield the squares behind it
    let occupied = position.occupied() ^ Bitboard::of(position.king(side));
    for square in safe {
        if position.is_attacked_by_slider(square, !side, occupied, sliders) {
            safe ^= Bitboard::of(square);
        }
    }
    safe
}

/// The squares that the king crosses or reaches when it castles, none of which may be attacked. Empty if the player has no
/// right to castle on this wing, if a piece is in the way, or if the rook shields the king from an attack along the rank,
/// which happens in Chess960 alone.
#[inline(always)]
fn castling_path(side: Color, position: &Position, wing: Wing) -> Bitboard {
    if !position.castling.has(side, wing) {
        return Bitboard::EMPTY;
    }
    let (king, rook) = (position.king(side), position.castling_rook(side, wing));
    let paths = castling::paths(side, wing, king, rook);
    if (paths.empty & position.occupied()).any() || position.pinned.has(rook) {
        return Bitboard::EMPTY;
    }
    paths.king
}

#[inline(always)]
fn piece_moves<S: Sink>(
    side: Color,
    position: &Position,
    sliders: impl Sliders,
    allowed: Bitboard,
    movers: Bitboard,
    sink: &mut S,
) {
    let occupied = position.occupied();
    let movers = position.of_color(side) & movers;
    let free = movers & !position.pinned;
    let kind = |kind: PieceType| position.of_kind(kind);
    for from in kind(PieceType::Knight) & free {
        sink.piece(PieceType::Knight, from, attacks::knight(from) & allowed);
    }
    for from in kind(PieceType::Bishop) & free {
        sink.piece(PieceType::Bishop, from, sliders.bishop(from, occupied) & allowed);
    }
    for from in kind(PieceType::Rook) & free {
        sink.piece(PieceType::Rook, from, sliders.rook(from, occupied) & allowed);
    }
    for from in kind(PieceType::Queen) & free {
        sink.piece(PieceType::Queen, from, sliders.queen(from, occupied) & allowed);
    }
    // a pinned slider may move along its pin, but cannot parry a check by another piece
    let pinned = movers & position.pinned;
    let sliders = kind(PieceType::Bishop) | kind(PieceType::Rook) | kind(PieceType::Queen);
    if (pinned & sliders).any() && !position.in_check() {
        let king = position.king(side);
        for from in pinned & sliders {
            let piece = position
                .piece_on(from)
                .map_or(PieceType::Queen, |piece| piece.kind());
            let targets = attacks::of(piece, from, occupied) & attacks::line(king, from) & allowed;
            sink.piece(piece, from, targets);
        }
    }
}

#[inline(always)]
fn pawn_moves<S: Sink>(
    side: Color,
    position: &Position,
    wanted: Wanted,
    evasion: Bitboard,
    movers: Bitboard,
    sink: &mut S,
) {
    let king = position.king(side);
    let (empty, enemies) = (!position.occupied(), position.of_color(!side));
    let pawns = position.pieces(side, PieceType::Pawn) & movers;
    let free = pawns & !position.pinned;
    // the rank before promotion, the rank that a double push crosses, and the steps of this side's pawns
    let (seventh, third, up, left, right) = match side {
        Color::White => (Bitboard::rank(6), Bitboard::rank(2), 8, 7, 9),
        Color::Black => (Bitboard::rank(1), Bitboard::rank(5), -8, -9, -7),
    };

    // a pinned pawn may only move along its pin: push on the king's file, or capture on the king's diagonal
    let pushers = free | pawns & Bitboard::file(king.file());
    if wanted != Wanted::Noisy {
        let single = (pushers & !seventh).rotated(up) & empty;
        let double = (single & third).rotated(up) & empty & evasion;
        sink.pawns(single & evasion, up, 0);
        sink.pawns(double, 2 * up, Move::DOUBLE_PUSH);
    }
    if wanted == Wanted::Quiet {
        return;
    }
    let (left_line, right_line) = match side {
        Color::White => (attacks::anti_diagonal(king), attacks::diagonal(king)),
        Color::Black => (attacks::diagonal(king), attacks::anti_diagonal(king)),
    };
    let to_left = (free | pawns & left_line) & !Bitboard::FILE_A;
    let to_right = (free | pawns & right_line) & !Bitboard::FILE_H;
    let targets = enemies & evasion;
    sink.pawns((to_left & !seventh).rotated(left) & targets, left, Move::CAPTURE);
    sink.pawns(
        (to_right & !seventh).rotated(right) & targets,
        right,
        Move::CAPTURE,
    );
    if (pawns & seventh).any() {
        sink.promotions((pushers & seventh).rotated(up) & empty & evasion, up, 0);
        sink.promotions((to_left & seventh).rotated(left) & targets, left, Move::CAPTURE);
        sink.promotions(
            (to_right & seventh).rotated(right) & targets,
            right,
            Move::CAPTURE,
        );
    }
    if let Some(to) = position.en_passant {
        for from in attacks::pawn(!side, to) & pawns {
            if position.en_passant_is_safe(from, to) {
                sink.special(PieceType::Pawn, from, to, Move::CAPTURE | Move::EN_PASSANT);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn castling_moves(fen: &str) -> Vec<String> {
        let moves = Position::from_fen(fen).unwrap().legal_moves();
        let castling = moves.iter().filter(|m| m.is_castling());
        castling.map(|m| m.to_uci(true)).collect()
    }

    #[test]
    fn noisy_and_quiet_moves_are_all_moves() {
        for fen in [
            Position::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            // promotions, a capture en passant, a double check, an evasion by a double push
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "4k3/8/4r3/8/1b6/8/8/R3K2R w KQ - 0 1",
            "8/8/7k/8/r6K/8/6P1/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let (noisy, quiet) = (position.moves(Wanted::Noisy), position.moves(Wanted::Quiet));
            assert!(
                noisy.iter().all(|m| !m.is_quiet()) && quiet.iter().all(|m| m.is_quiet()),
                "{fen}"
            );
            let sorted = |moves: &mut dyn Iterator<Item = Move>| {
                let mut bits: Vec<u32> = moves.map(Move::bits).collect();
                bits.sort_unstable();
                bits
            };
            let all = sorted(&mut position.legal_moves().into_iter());
            assert_eq!(sorted(&mut noisy.into_iter().chain(quiet)), all, "{fen}");
        }
    }

    #[test]
    fn whether_there_is_a_move_is_told_as_by_counting() {
        use crate::board::magics::splitmix;
        let (mut random, mut ends) = (7, 0);
        for _ in 0..200 {
            let mut position = Position::default();
            for _ in 0..250 {
                let moves = position.legal_moves();
                assert_eq!(position.has_moves(), !moves.is_empty(), "{position}");
                let Some(last) = moves.len().checked_sub(1) else {
                    ends += 1;
                    break;
                };
                position.play(moves[splitmix(&mut random) as usize % (last + 1)]);
            }
        }
        assert!(ends > 0);
        // a pinned pawn, a blocked one, and one that may not leave the check alone
        for fen in [
            "8/8/8/8/8/5k2/4p3/4K3 w - - 0 1",
            "7k/8/8/8/8/p1b5/P7/K7 w - - 0 1",
            "k7/8/8/8/8/8/r5P1/r6K w - - 0 1",
            "6rk/8/8/8/8/8/6PP/r6K w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(position.has_moves(), !position.legal_moves().is_empty(), "{fen}");
        }
    }

    #[test]
    fn a_rook_that_shields_the_king_along_the_rank_cannot_castle() {
        assert!(castling_moves("7k/8/8/8/8/8/8/rRK5 w B - 0 1").is_empty());
        assert!(castling_moves("7k/8/8/8/8/8/8/rR2K3 w B - 0 1").is_empty());
        // a knight in the rook's place behind it attacks nothing on the way
        assert_eq!(castling_moves("7k/8/8/8/8/8/8/nRK5 w B - 0 1"), ["c1b1"]);
    }

    #[test]
    fn a_king_castles_beside_attacked_squares_but_not_over_them() {
        assert_eq!(castling_moves("1r5k/8/8/8/8/8/8/R3K3 w Q - 0 1"), ["e1a1"]);
        assert!(castling_moves("3r3k/8/8/8/8/8/8/R3K3 w Q - 0 1").is_empty());
        assert!(castling_moves("2r4k/8/8/8/8/8/8/R3K3 w Q - 0 1").is_empty());
        assert!(castling_moves("7k/8/8/8/8/8/1p6/R3K3 w Q - 0 1").is_empty());
    }
}
