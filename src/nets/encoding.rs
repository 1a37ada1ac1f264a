//! The input of the networks: 774 bits for an MLP, 16 planes of 8 × 8 for a CNN.
//!
//! The 774 bits are 12 × 64 piece bits (`piece * 64 + square`, pieces `PNBRQKpnbrqk`, a1 = 0), then six bits of state:
//! White to move, the castling rights K, Q, k, q, and whether an en passant capture is possible.
//!
//! Seen from Black's side, colours are swapped and ranks flipped: a black pawn on e7 is a white pawn on e2, Black's
//! castling rights take the place of White's, and the bit "White to move" is set when *Black* is to move. So that bit is
//! always set from the mover's side and never from the opponent's; a first layer shared by both sides can tell by it
//! who is to move. The en passant bit is the same from both sides.

use crate::board::{Bitboard, CastlingRights, Color, Piece, PieceType, Position, Square, Wing};
use arrayvec::ArrayVec;

/// Bits of a position.
pub const INPUTS: usize = 774;
/// The first bit after the pieces: set if the viewer has the move.
pub const SIDE_TO_MOVE: u16 = 768;
/// The first of the four bits of castling rights, in the order K, Q, k, q.
pub const CASTLING: u16 = 769;
/// Set when a legal en passant capture exists.
pub const EN_PASSANT: u16 = 773;
/// An upper bound on the set bits: 64 squares and six bits of state. Real games set at most 32 + 6.
pub const MAX_ACTIVE: usize = 64 + 6;

/// Planes of a position for a CNN.
pub const PLANES: usize = 16;
/// Numbers in all planes together.
pub const PLANE_INPUTS: usize = PLANES * 64;
/// The first plane after the pieces.
pub const SIDE_PLANE: usize = 12;
/// The files a to d, which stand for the queen's wing in the castling planes.
const QUEEN_WING: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// From where a net sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The side that looks at it.
    pub side: Color,
    /// Whether the files are reversed, h for a. It is so where the net's kings stand on the files e to h and the viewer's
    /// king does not. The six bits of state stay what they are.
    pub mirrored: bool,
    /// Which of the first layer's sets of weights the net uses: 0 where it has one set only.
    pub region: u8,
}

impl View {
    /// The view from which the viewer's king stands on the files e to h.
    #[inline]
    pub fn mirrored_by_king(side: Color, king: Square) -> View {
        View {
            side,
            mirrored: king.index() % 8 < 4,
            region: 0,
        }
    }

    /// Where this view's inputs begin among those of all regions.
    #[inline]
    pub fn first_input(self) -> usize {
        usize::from(self.region) * INPUTS
    }
}

impl From<Color> for View {
    /// The view with the files as they are.
    #[inline]
    fn from(side: Color) -> View {
        View {
            side,
            mirrored: false,
            region: 0,
        }
    }
}

/// The indices of the set bits.
pub type ActiveInputs = ArrayVec<u16, MAX_ACTIVE>;

/// The bit of a piece on a square, seen from somewhere.
#[inline]
pub const fn piece_input(view: View, piece: Piece, square: Square) -> u16 {
    let piece = match view.side {
        Color::White => piece.index(),
        Color::Black => (piece.index() + 6) % 12,
    };
    (piece * 64 + seen_square(view, square)) as u16
}

/// The number of a square, seen from somewhere.
#[inline]
pub const fn seen_square(view: View, square: Square) -> usize {
    let square = match view.side {
        Color::White => square.index(),
        Color::Black => square.index() ^ 56,
    };
    if view.mirrored { square ^ 7 } else { square }
}

/// The set bits besides the pieces', seen from one side: at most six.
pub fn state_inputs(position: &Position, view: Color) -> ArrayVec<u16, 6> {
    let passing = position.en_passant().is_some();
    state_bits(position.side_to_move(), position.castling(), passing, view)
}

/// The set bits for the given state, seen from one side.
pub fn state_bits(
    side_to_move: Color,
    castling: CastlingRights,
    en_passant: bool,
    view: Color,
) -> ArrayVec<u16, 6> {
    let mut active = ArrayVec::new();
    if side_to_move == view {
        active.push(SIDE_TO_MOVE);
    }
    for (color, place) in [(view, 0), (!view, 2)] {
        for wing in Wing::ALL {
            if castling.has(color, wing) {
                active.push(CASTLING + place + wing as u16);
            }
        }
    }
    if en_passant {
        active.push(EN_PASSANT);
    }
    active
}

/// The set bits of a position seen from somewhere: pieces by colour, kind and square, then the state. With
/// [`Color::White`] it is the encoding of the thesis, whoever is to move.
pub fn active(position: &Position, view: impl Into<View>) -> ActiveInputs {
    let view = view.into();
    let mut active = ActiveInputs::new();
    for color in Color::ALL {
        for kind in PieceType::ALL {
            for square in position.pieces(color, kind) {
                active.push(piece_input(view, kind.of(color), square));
            }
        }
    }
    active.extend(state_inputs(position, view.side));
    active
}

/// The 774 inputs as numbers, 1 where a bit is set.
pub fn dense(position: &Position, view: impl Into<View>) -> [f32; INPUTS] {
    let mut inputs = [0.0; INPUTS];
    for index in active(position, view) {
        inputs[index as usize] = 1.0;
    }
    inputs
}

/// The set squares of the 16 planes, seen from one side: 12 of pieces; the side to move (all squares if it is the
/// viewer); the viewer's castling rights (files a–d the queen's wing, e–h the king's) and the opponent's; the en passant
/// square.
pub fn plane_boards(position: &Position, view: Color) -> [u64; PLANES] {
    let state = state_planes(
        position.side_to_move(),
        position.castling(),
        position.en_passant(),
        view,
    );
    std::array::from_fn(|plane| match plane.checked_sub(SIDE_PLANE) {
        Some(number) => state[number],
        None => {
            let owner = if plane < 6 { view } else { !view };
            seen(position.pieces(owner, PieceType::ALL[plane % 6]).0, view)
        }
    })
}

/// Writes a 1 for each set square of the planes into one lane of a block (planes × 64 × lanes) of zeros.
#[inline]
pub fn spread(planes: &[u64; PLANES], lane: usize, lanes: usize, block: &mut [f32]) {
    for (plane, &squares) in planes.iter().enumerate() {
        for square in Bitboard(squares) {
            block[(plane * 64 + square.index()) * lanes + lane] = 1.0;
        }
    }
}

/// The planes as numbers, each 64 from a1 to h8.
pub fn planes(position: &Position, view: Color) -> [f32; PLANE_INPUTS] {
    let mut planes = [0.0; PLANE_INPUTS];
    spread(&plane_boards(position, view), 0, 1, &mut planes);
    planes
}

/// A bitboard seen from one side: swapping its bytes flips the ranks.
const fn seen(board: u64, view: Color) -> u64 {
    match view {
        Color::White => board,
        Color::Black => board.swap_bytes(),
    }
}

/// All squares if the viewer has the move.
fn side_plane(side_to_move: Color, view: Color) -> u64 {
    if side_to_move == view { !0 } else { 0 }
}

fn castling_plane(castling: CastlingRights, color: Color) -> u64 {
    let wing = |wing, files| if castling.has(color, wing) { files } else { 0 };
    wing(Wing::Queen, QUEEN_WING) | wing(Wing::King, !QUEEN_WING)
}

/// The planes after those of the pieces, seen from one side.
pub fn state_planes(
    side_to_move: Color,
    castling: CastlingRights,
    en_passant: Option<Square>,
    view: Color,
) -> [u64; PLANES - SIDE_PLANE] {
    [
        side_plane(side_to_move, view),
        castling_plane(castling, view),
        castling_plane(castling, !view),
        en_passant.map_or(0, |square| seen(1 << square.index(), view)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black to move, castling K and q, en passant on e3 by the pawn on d4.
    const FEN: &str = "r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 0 1";

    fn sorted(active: impl IntoIterator<Item = u16>) -> Vec<u16> {
        let mut active: Vec<u16> = active.into_iter().collect();
        active.sort_unstable();
        active
    }

    /// Indices computed by hand from the module's description.
    #[test]
    fn golden_bits() {
        let position = Position::from_fen(FEN).unwrap();
        let white = [
            28,           // P e4
            3 * 64 + 7,   // R h1
            5 * 64 + 4,   // K e1
            6 * 64 + 27,  // p d4
            9 * 64 + 56,  // r a8
            11 * 64 + 60, // k e8
            769,          // K
            772,          // q
            773,          // en passant
        ];
        assert_eq!(sorted(active(&position, Color::White)), white);
        let black = [
            35,          // own pawn: d4 becomes d5
            3 * 64,      // own rook: a8 becomes a1
            5 * 64 + 4,  // own king: e8 becomes e1
            6 * 64 + 36, // enemy pawn: e4 becomes e5
            9 * 64 + 63, // enemy rook: h1 becomes h8
            11 * 64 + 60,
            768, // Black has the move
            770, // own queen's wing
            771, // the enemy's king's wing
            773,
        ];
        assert_eq!(sorted(active(&position, Color::Black)), black);
    }

    /// Reversing the files of the board and of the view changes nothing but the bits of state, which stay.
    #[test]
    fn a_mirrored_view_is_the_view_of_the_mirrored_board() {
        let (position, mirrored) = (
            Position::from_fen("1k5r/pp3p2/8/2n5/4P3/3Q4/5PPP/R4RK1 w - - 0 1").unwrap(),
            Position::from_fen("r5k1/2p3pp/8/5n2/3P4/4Q3/PPP5/1KR4R w - - 0 1").unwrap(),
        );
        for side in Color::ALL {
            let view = View::mirrored_by_king(side, position.king(side));
            assert_eq!(view.mirrored, side == Color::Black);
            let other = View::mirrored_by_king(side, mirrored.king(side));
            assert_eq!(other.mirrored, side == Color::White);
            assert_eq!(sorted(active(&position, view)), sorted(active(&mirrored, other)));
        }
    }

    #[test]
    fn the_start_position_sets_37_bits() {
        let start = Position::default();
        let bits = active(&start, Color::White);
        assert_eq!(bits.len(), 32 + 5);
        assert_eq!(sorted(bits)[32..], [768, 769, 770, 771, 772]);
        let ones = dense(&start, Color::White);
        assert_eq!(ones.iter().sum::<f32>(), 37.0);
        assert_eq!((ones[8], ones[7], ones[EN_PASSANT as usize]), (1.0, 0.0, 0.0));
    }

    #[test]
    fn golden_planes() {
        let planes = planes(&Position::from_fen(FEN).unwrap(), Color::White);
        let plane = |number: usize| &planes[number * 64..][..64];
        let ones = |number: usize| -> Vec<usize> { (0..64).filter(|&s| plane(number)[s] == 1.0).collect() };
        assert_eq!(ones(0), [28]);
        assert_eq!(ones(3), [7]);
        assert_eq!(ones(11), [60]);
        assert!(ones(12).is_empty());
        assert!((0..64).all(|s| plane(13)[s] == if s % 8 >= 4 { 1.0 } else { 0.0 }));
        assert!((0..64).all(|s| plane(14)[s] == if s % 8 < 4 { 1.0 } else { 0.0 }));
        assert_eq!(ones(15), [20]);
        assert_eq!(planes.iter().sum::<f32>(), 6.0 + 32.0 + 32.0 + 1.0);
    }

    /// A position and its mirror image look the same to the two players.
    #[test]
    fn mirrored_positions_have_equal_views() {
        let pairs = [
            (FEN, "4k2r/8/8/3Pp3/8/8/8/R3K3 w Qk e6 0 1"),
            (
                Position::START_FEN,
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            ),
        ];
        for (one, other) in pairs {
            let (one, other) = (
                Position::from_fen(one).unwrap(),
                Position::from_fen(other).unwrap(),
            );
            for color in Color::ALL {
                assert_eq!(dense(&one, color), dense(&other, !color));
                assert_eq!(planes(&one, color), planes(&other, !color));
            }
        }
    }
}
