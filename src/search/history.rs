//! Histories: which moves failed high in earlier parts of the search (Schaeffer's history heuristic, 1989, and its kin).

use super::params::low_ply_weight;
use crate::board::{Bitboard, Move, PieceType, Position};

/// The bound of every history counter: 2^14.
pub(super) const LIMIT: i32 = 16_384;
/// Pawn structures that are told apart, a power of two.
const PAWN_ROWS: usize = 1 << 9;

/// Plies near the root that have a history of their own.
const LOW_PLIES: usize = 4;
/// How many plies ago the moves were that a quiet move is looked at as an answer or continuation to.
pub const LOOK_BACK: [usize; 4] = [1, 2, 4, 6];
/// How much of a bonus their counters get, of 1024.
const LOOK_BACK_SHARE: [i32; 4] = [1_024, 1_024, 1_024, 512];

/// What histories remember of an earlier move: [`Move::piece_target`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// How many there are.
    pub const COUNT: usize = 12 * 64;
    /// No move at all, or a null move: a place behind all others, whose counters stay at 0.
    pub const NONE: PieceTo = PieceTo(PieceTo::COUNT as u16);

    /// That of a move, if there is one.
    #[inline]
    pub fn of(m: Option<Move>) -> PieceTo {
        m.map_or(PieceTo::NONE, |m| PieceTo(m.piece_target() as u16))
    }

    /// 0 to [`PieceTo::COUNT`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NONE
    }
}

/// Counters by the piece and target of one move.
type ByPieceTo = [i16; PieceTo::COUNT];

/// What a quiet move's history depends on beside the move itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The moves that many plies ago as [`LOOK_BACK`] says.
    previous: [PieceTo; LOOK_BACK.len()],
    /// The squares that the enemy attacks with pawns, with minor pieces too, with rooks too, with everything.
    threats: [Bitboard; 4],
    /// Plies from the root.
    ply: usize,
    /// The row of the pawn structure.
    pawns: usize,
}

impl Context {
    /// The context of a position, `ply` plies from the root, after the moves that many plies ago as [`LOOK_BACK`] says.
    pub fn new(position: &Position, ply: usize, previous: [PieceTo; LOOK_BACK.len()]) -> Context {
        Context {
            previous,
            threats: position.attacks_by_worth(!position.side_to_move()),
            ply,
            pawns: position.pawn_key() as usize & (PAWN_ROWS - 1),
        }
    }

    /// How much a quiet move does for the safety of its piece: above 0 if it leaves the attack of a lesser piece, below if it
    /// enters one; the more the piece is worth.
    #[inline]
    pub fn escapes(&self, m: Move) -> i32 {
        let [by_pawns, by_minors, by_rooks, _] = self.threats;
        let (by_lesser, weight) = match m.piece().kind() {
            PieceType::Knight | PieceType::Bishop => (by_pawns, 1),
            PieceType::Rook => (by_minors, 2),
            PieceType::Queen => (by_rooks, 4),
            PieceType::Pawn | PieceType::King => return 0,
        };
        weight * (by_lesser.has(m.from()) as i32 - by_lesser.has(m.to()) as i32)
    }
}

/// The counters of one thread.
pub struct Histories {
    /// Quiet moves by colour, by whether from and to are attacked, by from and to.
    quiet: Box<[[[[i16; 64]; 64]; 4]; 2]>,
    /// Captures by moved piece, target and captured kind.
    capture: Box<[[i16; 6]; PieceTo::COUNT]>,
    /// Quiet moves by a move before, see [`LOOK_BACK`] (continuation history).
    continuation: Vec<ByPieceTo>,
    /// Quiet moves by pawn structure.
    pawn: Vec<ByPieceTo>,
    /// Quiet moves near the root by ply, from and to; forgotten with every search.
    low: Box<[[[i16; 64]; 64]; LOW_PLIES]>,
}

impl Default for Histories {
    fn default() -> Histories {
        Histories {
            quiet: Box::new([[[[0; 64]; 64]; 4]; 2]),
            capture: Box::new([[0; 6]; PieceTo::COUNT]),
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT + 1],
            pawn: vec![[0; PieceTo::COUNT]; PAWN_ROWS],
            low: Box::new([[[0; 64]; 64]; LOW_PLIES]),
        }
    }
}

/// What a move captures; a pawn for en passant, and for promotions that capture nothing.
#[inline]
pub fn victim(position: &Position, m: Move) -> PieceType {
    match position.piece_on(m.to()) {
        Some(piece) if m.is_capture() => piece.kind(),
        _ => PieceType::Pawn,
    }
}

impl Histories {
    /// Forgets everything, in the same memory.
    pub fn clear(&mut self) {
        self.quiet.fill([[[0; 64]; 64]; 4]);
        self.capture.fill([0; 6]);
        self.continuation.fill([0; PieceTo::COUNT]);
        self.pawn.fill([0; PieceTo::COUNT]);
        self.begin_search();
    }

    /// Forgets what belongs to one search alone.
    pub fn begin_search(&mut self) {
        self.low.fill([[0; 64]; 64]);
    }

    /// The history of a quiet move.
    #[inline]
    pub fn quiet(&self, m: Move, context: &Context) -> i32 {
        let (from, to) = (m.from().index(), m.to().index());
        let main = self.quiet[m.color().index()][threatened(m, context)][from][to] as i32;
        let pawn = self.pawn[context.pawns][m.piece_target()] as i32;
        context.previous.iter().fold(main + pawn, |sum, before| {
            sum + self.continuation[before.index()][m.piece_target()] as i32
        })
    }

    /// What the order of quiet moves owes to cut-offs this near to the root, in this search; 0 farther away.
    #[inline]
    pub fn low_ply(&self, m: Move, context: &Context) -> i32 {
        let Some(low) = self.low.get(context.ply) else {
            return 0;
        };
        let counter = low[m.from().index()][m.to().index()] as i32;
        counter * low_ply_weight() / (1 + 2 * context.ply as i32)
    }

    /// The history of any move.
    #[inline]
    pub fn of(&self, position: &Position, m: Move, context: &Context) -> i32 {
        match m.is_quiet() {
            true => self.quiet(m, context),
            false => self.capture(position, m),
        }
    }

    /// The history of a capture or promotion.
    #[inline]
    pub fn capture(&self, position: &Position, m: Move) -> i32 {
        self.capture[m.piece_target()][victim(position, m).index()] as i32
    }

    /// Raises (or, with a negative bonus, lowers) the history of a quiet move.
    pub fn update_quiet(&mut self, m: Move, context: &Context, bonus: i32) {
        self.update_here(m, context, bonus);
        self.update_continuation(m, context, bonus);
        if let Some(low) = self.low.get_mut(context.ply) {
            nudge(&mut low[m.from().index()][m.to().index()], bonus);
        }
    }

    /// Raises or lowers those histories of a quiet move alone that look at the position and not at the moves before.
    pub fn update_here(&mut self, m: Move, context: &Context, bonus: i32) {
        let quiet = &mut self.quiet[m.color().index()][threatened(m, context)];
        nudge(&mut quiet[m.from().index()][m.to().index()], bonus);
        nudge(&mut self.pawn[context.pawns][m.piece_target()], bonus);
    }

    /// Raises or lowers those histories of a quiet move alone that look at the moves before.
    pub fn update_continuation(&mut self, m: Move, context: &Context, bonus: i32) {
        for (&before, share) in context.previous.iter().zip(LOOK_BACK_SHARE) {
            if before != PieceTo::NONE {
                let counter = &mut self.continuation[before.index()][m.piece_target()];
                nudge(counter, bonus * share / 1_024);
            }
        }
    }

    /// Raises or lowers the history of a capture or promotion.
    pub fn update_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        let victim = victim(position, m);
        nudge(&mut self.capture[m.piece_target()][victim.index()], bonus);
    }
}

/// Whether a move leaves and whether it enters a square that the enemy attacks, as a number below 4.
#[inline]
fn threatened(m: Move, context: &Context) -> usize {
    let [.., threats] = context.threats;
    threats.has(m.from()) as usize * 2 + threats.has(m.to()) as usize
}

/// Moves a counter by the bonus, the less the nearer it is to its bound, which it never passes.
#[inline]
pub(super) fn nudge(counter: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let value = *counter as i32;
    *counter = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_approach_their_bound_and_come_back() {
        let mut counter = 0;
        for _ in 0..1000 {
            nudge(&mut counter, 2000);
        }
        assert!((15_000..=LIMIT as i16).contains(&counter));
        for _ in 0..1000 {
            nudge(&mut counter, -2000);
        }
        assert!((-LIMIT as i16..=-15_000).contains(&counter));
    }

    #[test]
    fn a_move_that_failed_high_ranks_above_one_that_did_not() {
        let position = Position::default();
        let moves = position.legal_moves();
        let mut histories = Histories::default();
        let first = Context::new(&position, 9, [PieceTo::NONE; 4]);
        let after = Context::new(
            &position,
            9,
            [PieceTo(80), PieceTo::NONE, PieceTo::NONE, PieceTo::NONE],
        );
        histories.update_quiet(moves[0], &after, 500);
        histories.update_quiet(moves[1], &after, -500);
        assert!(histories.quiet(moves[0], &after) > histories.quiet(moves[0], &first));
        assert!(histories.quiet(moves[1], &after) < 0);
        assert_eq!(histories.quiet(moves[2], &after), 0);
    }
}
