//! Legal moves, generated as sets of target squares: pins and checks restrict the sets, so that no move has to be
//! made to test its legality. A [`Sink`] turns the sets into a list of moves, counts them, or picks one of them.

use super::attacks;
use super::bitboard::Bitboard;
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
        let mut list = List {
            side: self.side,
            enemies: self.of_color(!self.side),
            moves: &mut moves,
        };
        generate(self, wanted, Bitboard::ALL, &mut list);
        moves
    }

    /// How many legal moves there are, without listing them.
    pub fn count_moves(&self) -> u32 {
        let mut count = Count(0);
        generate(self, Wanted::All, Bitboard::ALL, &mut count);
        count.0
    }

    /// Whether the side to move has a legal move.
    pub fn has_moves(&self) -> bool {
        self.count_moves() > 0
    }
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
#[inline]
pub(super) fn generate<S: Sink>(position: &Position, wanted: Wanted, movers: Bitboard, sink: &mut S) {
    let side = position.side;
    let (own, enemies) = (position.of_color(side), position.of_color(!side));
    let allowed = if wanted == Wanted::All { !own } else { enemies };
    let king = position.king(side);
    if movers.has(king) {
        king_moves(position, allowed, sink);
    }
    let evasion = match position.checkers.first() {
        None => Bitboard::ALL,
        Some(_) if position.checkers.more_than_one() => return,
        Some(checker) => attacks::between(king, checker) | position.checkers,
    };
    piece_moves(position, allowed & evasion, movers, sink);
    pawn_moves(position, wanted, evasion, movers, sink);
    if wanted == Wanted::All && movers.has(king) && position.castling.any(side) && !position.in_check() {
        castling_moves(position, sink);
    }
}

#[inline]
fn king_moves<S: Sink>(position: &Position, allowed: Bitboard, sink: &mut S) {
    let side = position.side;
    let from = position.king(side);
    // the king does not shield the squares behind it
    let occupied = position.occupied() ^ Bitboard::of(from);
    let mut attacked =
        attacks::king(position.king(!side)) | attacks::pawns(!side, position.pieces(!side, PieceType::Pawn));
    for knight in position.pieces(!side, PieceType::Knight) {
        attacked |= attacks::knight(knight);
    }
    let mut targets = attacks::king(from) & allowed & !attacked;
    for to in targets {
        if position.is_attacked_by_slider(to, !side, occupied) {
            targets ^= Bitboard::of(to);
        }
    }
    sink.piece(PieceType::King, from, targets);
}

#[inline]
fn piece_moves<S: Sink>(position: &Position, allowed: Bitboard, movers: Bitboard, sink: &mut S) {
    let side = position.side;
    let occupied = position.occupied();
    let movers = position.of_color(side) & movers;
    let free = movers & !position.pinned;
    let kind = |kind: PieceType| position.of_kind(kind);
    for from in kind(PieceType::Knight) & free {
        sink.piece(PieceType::Knight, from, attacks::knight(from) & allowed);
    }
    for from in kind(PieceType::Bishop) & free {
        sink.piece(PieceType::Bishop, from, attacks::bishop(from, occupied) & allowed);
    }
    for from in kind(PieceType::Rook) & free {
        sink.piece(PieceType::Rook, from, attacks::rook(from, occupied) & allowed);
    }
    for from in kind(PieceType::Queen) & free {
        sink.piece(PieceType::Queen, from, attacks::queen(from, occupied) & allowed);
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

#[inline]
fn pawn_moves<S: Sink>(
    position: &Position,
    wanted: Wanted,
    evasion: Bitboard,
    movers: Bitboard,
    sink: &mut S,
) {
    let side = position.side;
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
    if wanted == Wanted::All {
        let single = (pushers & !seventh).rotated(up) & empty;
        let double = (single & third).rotated(up) & empty & evasion;
        sink.pawns(single & evasion, up, 0);
        sink.pawns(double, 2 * up, Move::DOUBLE_PUSH);
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

fn castling_moves<S: Sink>(position: &Position, sink: &mut S) {
    let side = position.side;
    let king = position.king(side);
    for wing in Wing::ALL {
        if !position.castling.has(side, wing) {
            continue;
        }
        let rook = position.castling_rook(side, wing);
        let (king_target, rook_target) = (wing.king_target(side), wing.rook_target(side));
        let movers = Bitboard::of(king) | Bitboard::of(rook);
        let occupied = position.occupied() & !movers;
        let king_path = attacks::between(king, king_target) | Bitboard::of(king_target);
        let rook_path = attacks::between(rook, rook_target) | Bitboard::of(rook_target);
        let blocked = (occupied & (king_path | rook_path)).any();
        if !blocked
            && !king_path
                .into_iter()
                .any(|square| position.is_attacked(square, !side, occupied))
        {
            sink.special(PieceType::King, king, rook, Move::CASTLING);
        }
    }
}
