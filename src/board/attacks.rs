//! Which squares a piece attacks: tables computed at compile time, sliders through magic multiplication
//! (Pradu Kannan's "fancy" magic bitboards: one table in which each square takes only the entries that it needs), or, where
//! the processor can gather bits, through a second table in their order ([`Sliders`]).

use super::bitboard::Bitboard;
use super::magics::{Slider, blocker_mask};
use super::types::{Color, PieceType, Square};

/// Entries of the sliders' shared table: 107,648 rounded up to a power of two, so that masking an index
/// replaces its bounds check.
const TABLE_SIZE: usize = 1 << 17;

static KNIGHT: [Bitboard; 64] = steps_table([
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
]);
static KING: [Bitboard; 64] = steps_table([
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
]);
static PAWN: [[Bitboard; 64]; 2] = [steps_table([(-1, 1), (1, 1)]), steps_table([(-1, -1), (1, -1)])];

static BISHOP: [Entry; 64] = entries(Slider::Bishop, 0);
static ROOK: [Entry; 64] = entries(Slider::Rook, 5_248);
// 107,648 entries of some thirty steps each: a second of compile time
#[allow(long_running_const_eval)]
static TABLE: [Bitboard; TABLE_SIZE] = slider_table(Order::Hashes);
#[allow(long_running_const_eval)]
static GATHERED: [Bitboard; TABLE_SIZE] = slider_table(Order::Subsets);

static ORTHOGONAL: [Bitboard; 64] = empty_board_lines(0);
static DIAGONAL: [Bitboard; 64] = empty_board_lines(1);
static ANTI_DIAGONAL: [Bitboard; 64] = empty_board_lines(2);
static BOTH_DIAGONALS: [Bitboard; 64] = empty_board_lines(3);
#[allow(long_running_const_eval)]
static BETWEEN: [[Bitboard; 64]; 64] = lines(true);
#[allow(long_running_const_eval)]
static LINE: [[Bitboard; 64]; 64] = lines(false);

/// The look-up parameters of one square.
#[derive(Clone, Copy)]
struct Entry {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

impl Entry {
    #[inline]
    const fn index(&self, occupied: Bitboard) -> usize {
        let hash = (occupied.0 & self.mask).wrapping_mul(self.magic) >> self.shift;
        (self.offset as usize + hash as usize) & (TABLE_SIZE - 1)
    }
}

/// A way to look up which squares sliders attack.
pub trait Sliders: Copy {
    /// The squares that a bishop on `square` attacks when these squares are occupied.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares that a rook on `square` attacks when these squares are occupied.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares that a queen on `square` attacks when these squares are occupied.
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.bishop(square, occupied) | self.rook(square, occupied)
    }
}

/// Magic multiplication, which every processor can do.
#[derive(Clone, Copy)]
pub struct Magics;

impl Sliders for Magics {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        bishop(square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        rook(square, occupied)
    }
}

/// Look-ups by a function that is lent: of a word and a mask it gathers the word's bits under the mask at the low end.
/// It is one instruction where the processor has PEXT.
#[derive(Clone, Copy)]
pub struct Gathering<F>(pub F);

impl<F: Fn(u64, u64) -> u64 + Copy> Gathering<F> {
    #[inline(always)]
    fn look_up(self, entry: &Entry, occupied: Bitboard) -> Bitboard {
        let subset = (self.0)(occupied.0, entry.mask) as usize;
        GATHERED[(entry.offset as usize + subset) & (TABLE_SIZE - 1)]
    }
}

impl<F: Fn(u64, u64) -> u64 + Copy> Sliders for Gathering<F> {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&BISHOP[square.index()], occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&ROOK[square.index()], occupied)
    }
}

/// The squares that a knight on `square` attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares that a king on `square` attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares that a pawn of this colour on `square` attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that a player's pawns attack.
#[inline]
pub const fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let (left, right) = (
        Bitboard(pawns.0 & !Bitboard::FILE_A.0),
        Bitboard(pawns.0 & !Bitboard::FILE_H.0),
    );
    match color {
        Color::White => Bitboard(left.0 << 7 | right.0 << 9),
        Color::Black => Bitboard(left.0 >> 9 | right.0 >> 7),
    }
}

/// The squares that a bishop on `square` attacks when these squares are occupied.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    TABLE[BISHOP[square.index()].index(occupied)]
}

/// The squares that a rook on `square` attacks when these squares are occupied.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    TABLE[ROOK[square.index()].index(occupied)]
}

/// The squares that a queen on `square` attacks when these squares are occupied.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares that a piece other than a pawn attacks.
///
/// # Panics
/// For a pawn, whose attacks depend on its colour: see [`pawn`].
#[inline]
pub fn of(kind: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Pawn => unreachable!("a pawn's attacks need its colour"),
        PieceType::Knight => knight(square),
        PieceType::Bishop => bishop(square, occupied),
        PieceType::Rook => rook(square, occupied),
        PieceType::Queen => queen(square, occupied),
        PieceType::King => king(square),
    }
}

/// The bishop's lines through `square` on an empty board.
#[inline]
pub fn bishop_lines(square: Square) -> Bitboard {
    BOTH_DIAGONALS[square.index()]
}

/// The rook's lines through `square` on an empty board.
#[inline]
pub fn rook_lines(square: Square) -> Bitboard {
    ORTHOGONAL[square.index()]
}

/// The diagonal (towards h8) through `square`, without it.
#[inline]
pub fn diagonal(square: Square) -> Bitboard {
    DIAGONAL[square.index()]
}

/// The anti-diagonal (towards a8) through `square`, without it.
#[inline]
pub fn anti_diagonal(square: Square) -> Bitboard {
    ANTI_DIAGONAL[square.index()]
}

/// The squares strictly between two squares on one line; empty if no line joins them.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line from edge to edge through two squares; empty if no line joins them.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

const fn steps_table<const N: usize>(steps: [(i8, i8); N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < N {
            let (file, rank) = ((square % 8) as i8 + steps[i].0, (square / 8) as i8 + steps[i].1);
            if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                table[square].0 |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

const fn entries(slider: Slider, start: u32) -> [Entry; 64] {
    let mut table = [Entry {
        mask: 0,
        magic: 0,
        offset: 0,
        shift: 0,
    }; 64];
    let mut offset = start;
    let mut square = 0;
    while square < 64 {
        let mask = blocker_mask(slider, Square::new(square));
        let magic = slider.magics()[square as usize];
        table[square as usize] = Entry {
            mask: mask.0,
            magic,
            offset,
            shift: 64 - mask.count(),
        };
        offset += 1 << mask.count();
        square += 1;
    }
    table
}

/// Where a set of blockers lies among the entries of its square.
#[derive(Clone, Copy)]
enum Order {
    /// At the hash that the square's magic number gives.
    Hashes,
    /// The sets in ascending order, as bits that are gathered count them.
    Subsets,
}

const fn slider_table(order: Order) -> [Bitboard; TABLE_SIZE] {
    let mut table = [Bitboard::EMPTY; TABLE_SIZE];
    let mut square = 0;
    while square < 64 {
        let (rook, bishop) = (&ROOK[square], &BISHOP[square]);
        let (rank, file, diagonal, anti) = full_lines(square as i8);
        fill(&mut table, order, rook, square, rank, file);
        fill(&mut table, order, bishop, square, diagonal, anti);
        square += 1;
    }
    table
}

const fn fill(
    table: &mut [Bitboard; TABLE_SIZE],
    order: Order,
    entry: &Entry,
    square: usize,
    first: u64,
    second: u64,
) {
    let mut blockers = 0u64;
    let mut subset = entry.offset as usize;
    loop {
        let attacks = along(first, square, blockers) | along(second, square, blockers);
        let index = match order {
            Order::Hashes => entry.index(Bitboard(blockers)),
            Order::Subsets => subset,
        };
        table[index] = Bitboard(attacks);
        subset += 1;
        blockers = blockers.wrapping_sub(entry.mask) & entry.mask;
        if blockers == 0 {
            return;
        }
    }
}

/// Attacks along one line by subtraction (hyperbola quintessence: o ^ (o - 2s) up, the mirrored word down).
const fn along(line: u64, square: usize, occupied: u64) -> u64 {
    let slider = 1u64 << square;
    let on_line = occupied & line;
    let up = on_line.wrapping_sub(slider.wrapping_mul(2));
    let down = on_line
        .reverse_bits()
        .wrapping_sub(slider.reverse_bits().wrapping_mul(2))
        .reverse_bits();
    (up ^ down) & line
}

/// The rank, file, diagonal and anti-diagonal through a square, without the square.
const fn full_lines(square: i8) -> (u64, u64, u64, u64) {
    let (file, rank) = (square % 8, square / 8);
    let mut lines = [0u64; 4];
    let mut other = 0;
    while other < 64 {
        let (f, r) = (other % 8, other / 8);
        if other != square {
            lines[0] |= ((r == rank) as u64) << other;
            lines[1] |= ((f == file) as u64) << other;
            lines[2] |= ((f - r == file - rank) as u64) << other;
            lines[3] |= ((f + r == file + rank) as u64) << other;
        }
        other += 1;
    }
    (lines[0], lines[1], lines[2], lines[3])
}

const fn empty_board_lines(which: u8) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let (rank, file, diagonal, anti) = full_lines(square as i8);
        table[square] = Bitboard(match which {
            0 => rank | file,
            1 => diagonal,
            2 => anti,
            _ => diagonal | anti,
        });
        square += 1;
    }
    table
}

const fn lines(only_between: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let (rank, file, diagonal, anti) = full_lines(a as i8);
        let lines = [rank, file, diagonal, anti];
        let mut b = 0;
        while b < 64 {
            let mut i = 0;
            while i < 4 {
                if lines[i] >> b & 1 == 1 {
                    let inner = along(lines[i], a, 1 << b) & along(lines[i] | 1 << a, b, 1 << a);
                    table[a][b] = Bitboard(if only_between { inner } else { lines[i] | 1 << a });
                }
                i += 1;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::magics::walk_rays;

    #[test]
    fn every_blocker_set_of_every_square_agrees_with_ray_walking() {
        agrees_with_ray_walking(Magics);
        agrees_with_ray_walking(Gathering(gather));
    }

    fn agrees_with_ray_walking(sliders: impl Sliders) {
        for square in Square::all() {
            for blockers in blocker_mask(Slider::Rook, square).subsets() {
                assert_eq!(
                    sliders.rook(square, blockers),
                    walk_rays(Slider::Rook, square, blockers)
                );
            }
            for blockers in blocker_mask(Slider::Bishop, square).subsets() {
                assert_eq!(
                    sliders.bishop(square, blockers),
                    walk_rays(Slider::Bishop, square, blockers)
                );
            }
        }
    }

    /// PEXT, bit by bit.
    fn gather(bits: u64, mask: u64) -> u64 {
        let places = Bitboard(mask).into_iter().enumerate();
        places.fold(0, |gathered, (i, from)| {
            gathered | (bits >> from.index() & 1) << i
        })
    }

    #[test]
    fn occupied_edges_do_not_matter() {
        for square in Square::all() {
            let edges = !blocker_mask(Slider::Rook, square);
            assert_eq!(rook(square, edges), walk_rays(Slider::Rook, square, edges));
        }
    }

    #[test]
    fn table_parts_do_not_overlap() {
        let last = BISHOP[63];
        assert_eq!(last.offset + (1 << (64 - last.shift)), ROOK[0].offset);
        let last = ROOK[63];
        assert_eq!(last.offset + (1 << (64 - last.shift)), 107_648);
    }

    #[test]
    fn lines_agree_with_ray_walking() {
        for a in Square::all() {
            for b in Square::all() {
                let pair = Bitboard::of(a) | Bitboard::of(b);
                let (mut inner, mut whole) = (Bitboard::EMPTY, Bitboard::EMPTY);
                for slider in [Slider::Rook, Slider::Bishop] {
                    if walk_rays(slider, a, Bitboard::EMPTY).has(b) {
                        inner = walk_rays(slider, a, pair) & walk_rays(slider, b, pair);
                        whole = (walk_rays(slider, a, Bitboard::EMPTY)
                            & walk_rays(slider, b, Bitboard::EMPTY))
                            | pair;
                    }
                }
                assert_eq!(between(a, b), inner, "between {a} and {b}");
                assert_eq!(line(a, b), whole, "line {a} {b}");
            }
        }
    }

    #[test]
    fn leapers_and_pawns() {
        let e4 = Square::at(4, 3);
        assert_eq!(knight(e4).count(), 8);
        assert_eq!(knight(Square::at(0, 0)).count(), 2);
        assert_eq!(king(e4).count(), 8);
        assert_eq!(king(Square::at(7, 7)).count(), 3);
        for square in Square::all() {
            for target in pawn(Color::White, square) {
                assert!(pawn(Color::Black, target).has(square));
                assert_eq!(target.rank(), square.rank() + 1);
            }
        }
    }
}
