//! A position: the pieces, the side to move, castling and en passant, checks and pins.

use super::attacks::{self, Magics, Sliders};
use super::bitboard::Bitboard;
use super::types::{CastlingRights, Color, Piece, PieceType, Square, Wing};
use super::zobrist;

/// A legal chess position, 192 bytes, copied before a move is made.
///
/// Besides the board it keeps what every node of the search needs: the Zobrist keys, the pieces that give check, and
/// the pieces that stand alone between a slider and the king of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// a copy of whole cache lines has no loads or stores that straddle two
#[repr(align(64))]
pub struct Position {
    pub(super) by_kind: [Bitboard; 6],
    pub(super) by_color: [Bitboard; 2],
    pub(super) squares: [Option<Piece>; 64],
    pub(super) key: u64,
    pub(super) pawn_key: u64,
    /// Keys of each player's king and pieces without the pawns, cut to 32 bits so that a position fits in three cache
    /// lines.
    pub(super) piece_keys: [u32; 2],
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    /// Squares of the kings and rooks that may castle: a move from or to one of them loses a right.
    pub(super) castling_squares: Bitboard,
    pub(super) castling_rooks: [Square; 4],
    pub(super) castling: CastlingRights,
    pub(super) side: Color,
    pub(super) en_passant: Option<Square>,
    pub(super) halfmove: u8,
    pub(super) fullmove: u16,
}

// a copy is made for every move: no field may spill into a fourth cache line
const _: () = assert!(size_of::<Position>() <= 3 * 64);

impl Position {
    /// The placeholder in `castling_rooks` for a lost right, so that equal positions compare equal.
    pub(super) const NO_ROOKS: [Square; 4] = [Square::new(0); 4];

    /// A board without pieces, to be filled by the FEN reader.
    pub(super) fn empty() -> Position {
        Position {
            by_kind: [Bitboard::EMPTY; 6],
            by_color: [Bitboard::EMPTY; 2],
            squares: [None; 64],
            key: 0,
            pawn_key: 0,
            piece_keys: [0; 2],
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling_squares: Bitboard::EMPTY,
            castling_rooks: Position::NO_ROOKS,
            castling: CastlingRights::NONE,
            side: Color::White,
            en_passant: None,
            halfmove: 0,
            fullmove: 1,
        }
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// The squares of all pieces of one kind and colour.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.by_color[color.index()] & self.by_kind[kind.index()]
    }

    /// The squares of both players' pieces of one kind.
    #[inline]
    pub fn of_kind(&self, kind: PieceType) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The squares of one player's pieces.
    #[inline]
    pub fn of_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// Every occupied square.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The square of a player's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceType::King).lowest()
    }

    /// The castling rights of both players.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square of the rook of a castling right; a1 once the right is lost.
    #[inline]
    pub fn castling_rook(&self, color: Color, wing: Wing) -> Square {
        self.castling_rooks[CastlingRights::slot(color, wing)]
    }

    /// The square behind a pawn that just moved two squares, set only if an en passant capture is legal.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u8 {
        self.halfmove
    }

    /// The full move number: 1 at the start, incremented after Black's move.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove
    }

    /// The Zobrist key: pieces, side to move, castling rights and the file of an en passant capture.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The Zobrist key of the pawns alone.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// The upper half of the Zobrist key of one player's king and pieces, without the pawns.
    #[inline]
    pub fn piece_key(&self, color: Color) -> u32 {
        self.piece_keys[color.index()]
    }

    /// The enemy pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of either colour that stand alone between an enemy slider and the king of the side to move.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Whether a player has any piece besides pawns and the king; without one zugzwang is common.
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        (self.of_color(color) & !(self.of_kind(PieceType::Pawn) | self.of_kind(PieceType::King))).any()
    }

    /// The pieces of both players that attack a square, given the occupied squares.
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let kind = |kind: PieceType| self.of_kind(kind);
        let diagonal = kind(PieceType::Bishop) | kind(PieceType::Queen);
        let straight = kind(PieceType::Rook) | kind(PieceType::Queen);
        (attacks::pawn(Color::White, square) & self.pieces(Color::Black, PieceType::Pawn))
            | (attacks::pawn(Color::Black, square) & self.pieces(Color::White, PieceType::Pawn))
            | (attacks::knight(square) & kind(PieceType::Knight))
            | (attacks::king(square) & kind(PieceType::King))
            | (attacks::bishop(square, occupied) & diagonal)
            | (attacks::rook(square, occupied) & straight)
    }

    /// Every square that a player's pieces attack.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        let [.., all] = self.attacks_by_worth(color);
        all
    }

    /// The squares that a player attacks with pawns, with pawns and minor pieces, with these and rooks, and with everything.
    pub fn attacks_by_worth(&self, color: Color) -> [Bitboard; 4] {
        let occupied = self.occupied();
        let pieces = |kind: PieceType| self.pieces(color, kind);
        let attacked = |kind: PieceType, below: Bitboard| {
            pieces(kind)
                .into_iter()
                .fold(below, |all, square| all | attacks::of(kind, square, occupied))
        };
        let pawns = attacks::pawns(color, pieces(PieceType::Pawn));
        let minors = attacked(PieceType::Bishop, attacked(PieceType::Knight, pawns));
        let rooks = attacked(PieceType::Rook, minors);
        let all = attacked(PieceType::Queen, rooks) | attacks::king(self.king(color));
        [pawns, minors, rooks, all]
    }

    /// Whether a player attacks a square, given the occupied squares.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let kind = |kind: PieceType| self.pieces(by, kind);
        (attacks::pawn(!by, square) & kind(PieceType::Pawn)).any()
            || (attacks::knight(square) & kind(PieceType::Knight)).any()
            || (attacks::king(square) & kind(PieceType::King)).any()
            || self.is_attacked_by_slider(square, by, occupied, Magics)
    }

    /// Whether a bishop, rook or queen of a player attacks a square, given the occupied squares.
    #[inline(always)]
    pub(super) fn is_attacked_by_slider(
        &self,
        square: Square,
        by: Color,
        occupied: Bitboard,
        sliders: impl Sliders,
    ) -> bool {
        let queens = self.pieces(by, PieceType::Queen);
        let diagonal = self.pieces(by, PieceType::Bishop) | queens;
        let straight = self.pieces(by, PieceType::Rook) | queens;
        // most squares have no slider on their lines, which is cheaper to test than the attacks are to look up
        (attacks::bishop_lines(square) & diagonal).any()
            && (sliders.bishop(square, occupied) & diagonal).any()
            || (attacks::rook_lines(square) & straight).any()
                && (sliders.rook(square, occupied) & straight).any()
    }

    /// The key computed from scratch, to check the incremental one against.
    pub fn recomputed_key(&self) -> u64 {
        self.key_of(self.occupied()) ^ self.key_of_rights()
    }

    /// What the key has besides the pieces: castling rights, an en passant capture, the side to move.
    pub(super) fn key_of_rights(&self) -> u64 {
        let mut key = 0;
        for color in Color::ALL {
            for wing in Wing::ALL {
                if self.castling.has(color, wing) {
                    key ^= zobrist::castling(color, self.castling_rook(color, wing));
                }
            }
        }
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square);
        }
        if self.side == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }

    /// The pawn key computed from scratch.
    pub fn recomputed_pawn_key(&self) -> u64 {
        self.key_of(self.of_kind(PieceType::Pawn))
    }

    /// The key of one player's king and pieces computed from scratch.
    pub fn recomputed_piece_key(&self, color: Color) -> u32 {
        upper_half(self.key_of(self.of_color(color) & !self.of_kind(PieceType::Pawn)))
    }

    /// The key of the pieces on some squares.
    fn key_of(&self, squares: Bitboard) -> u64 {
        squares
            .into_iter()
            .filter_map(|square| self.piece_on(square).map(|piece| zobrist::piece(piece, square)))
            .fold(0, |key, number| key ^ number)
    }

    /// Puts a piece on an empty square and updates the bitboards and keys.
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.drop(piece.color(), piece, square);
        self.toggle_keys(piece, square);
    }

    /// Puts a piece on an empty square, but leaves the keys to [`Position::toggle_keys`].
    #[inline]
    pub(super) fn drop(&mut self, color: Color, piece: Piece, square: Square) {
        self.squares[square.index()] = Some(piece);
        self.toggle(color, piece, square);
    }

    /// Removes a piece from its square, but leaves the keys to [`Position::toggle_keys`].
    #[inline]
    pub(super) fn lift(&mut self, color: Color, piece: Piece, square: Square) {
        self.squares[square.index()] = None;
        self.toggle(color, piece, square);
    }

    #[inline]
    fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.by_kind[piece.kind().index()] ^= bit;
        self.by_color[color.index()] ^= bit;
    }

    /// Adds a piece to the keys, or takes it out of them.
    #[inline]
    pub(super) fn toggle_keys(&mut self, piece: Piece, square: Square) {
        let number = zobrist::piece(piece, square);
        self.key ^= number;
        if piece.kind() == PieceType::Pawn {
            self.pawn_key ^= number;
        } else {
            self.piece_keys[piece.color().index()] ^= upper_half(number);
        }
    }

    /// Finds checkers and pinned pieces for `side`, which is to move, from the enemy sliders that face its king.
    #[inline(always)]
    pub(super) fn find_checks_and_pins(&mut self, side: Color) {
        let king = self.king(side);
        let them = self.of_color(!side);
        let queens = self.of_kind(PieceType::Queen);
        let knights = attacks::knight(king) & self.of_kind(PieceType::Knight);
        let pawns = attacks::pawn(side, king) & self.of_kind(PieceType::Pawn);
        self.checkers = (knights | pawns) & them;
        self.pinned = Bitboard::EMPTY;
        let diagonal = attacks::bishop_lines(king) & (self.of_kind(PieceType::Bishop) | queens);
        let straight = attacks::rook_lines(king) & (self.of_kind(PieceType::Rook) | queens);
        let occupied = self.occupied();
        for slider in (diagonal | straight) & them {
            let between = attacks::between(king, slider) & occupied;
            if between.is_empty() {
                self.checkers |= Bitboard::of(slider);
            } else if !between.more_than_one() {
                self.pinned |= between;
            }
        }
    }

    /// Gives a player a castling right with the rook on `rook`; king and rook must stand on the back rank.
    pub(super) fn add_castling(&mut self, color: Color, wing: Wing, rook: Square) {
        self.castling = self.castling.with(color, wing);
        self.castling_rooks[CastlingRights::slot(color, wing)] = rook;
        self.castling_squares |= Bitboard::of(rook) | Bitboard::of(self.king(color));
    }
}

#[inline]
fn upper_half(number: u64) -> u32 {
    (number >> 32) as u32
}

impl Default for Position {
    /// The start of a game.
    fn default() -> Position {
        Position::from_fen(Position::START_FEN).expect("the start position is legal")
    }
}
