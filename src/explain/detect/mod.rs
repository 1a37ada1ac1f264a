//! Finds what may be claimed of the moves of a line, quickly: with bitboards, and with exchanges in which each side
//! always takes with its cheapest piece. What it finds still has to pass the checkers.

mod changes;
mod defenders;
mod double;
mod ideas;
mod king;
mod lines;
mod material;
mod pawns;
mod pieces;
mod themes;
mod threats;

pub use changes::changes;
pub use themes::themes;

use super::claim::{Claim, Motif};
use super::line::Line;
use crate::board::{Bitboard, Color, Move, PieceType, Position, Square, attacks, see};

/// A move of a line, as the detectors see it.
struct View<'a> {
    line: &'a Line,
    ply: usize,
    m: Move,
    us: Color,
    before: &'a Position,
    after: &'a Position,
    /// The position after the move with the mover's turn again; none where the opponent is in check.
    passed: Option<Position>,
}

/// What a family of motifs adds its candidates to.
type Found = Vec<Motif>;

/// Everything that may hold of the moves of a line, in their order; claims that turn out false are among them.
pub fn candidates(line: &Line) -> Vec<Claim> {
    let mut claims = Vec::new();
    for ply in 0..line.len() {
        let view = View::new(line, ply);
        let mut found = Found::new();
        king::find(&view, &mut found);
        material::find(&view, &mut found);
        pawns::find(&view, &mut found);
        double::find(&view, &mut found);
        lines::find(&view, &mut found);
        defenders::find(&view, &mut found);
        pieces::find(&view, &mut found);
        threats::find(&view, &mut found);
        claims.extend(found.into_iter().map(|motif| Claim { ply, motif }));
    }
    claims
}

/// The material that one side is up after a line; what it keeps of that is for the checker to say.
pub fn material(line: &Line) -> Option<Claim> {
    let ply = line.len().checked_sub(1)?;
    material::gain(line).map(|motif| Claim { ply, motif })
}

impl<'a> View<'a> {
    fn new(line: &'a Line, ply: usize) -> View<'a> {
        let after = line.after(ply);
        View {
            line,
            ply,
            m: line.moves()[ply],
            us: line.mover(ply),
            before: line.before(ply),
            after,
            passed: after.passed(),
        }
    }

    /// The opponent's pieces after the move, king left out.
    fn prey(&self) -> Bitboard {
        self.after.of_color(!self.us) & !self.after.of_kind(PieceType::King)
    }

    /// The opponent's answer and the mover's next move.
    fn next_two(&self) -> Option<(Move, Move)> {
        Some((self.line.at(self.ply + 1)?, self.line.at(self.ply + 2)?))
    }

    /// Whether the piece on `by` would win the one on `target`, or as much of what comes between them, if the opponent left
    /// both where they are.
    fn wins_if_left(&self, by: Square, target: Square) -> bool {
        if let Some(passed) = &self.passed {
            return capture_value(passed, by, target) > 0;
        }
        let mut answers = 0;
        for m in self.after.legal_moves() {
            if m.from() == target || m.landing() == by {
                continue;
            }
            answers += 1;
            let answered = self.after.after(m);
            if capture_value(&answered, by, target) <= 0
                && swap(&answered, m.landing()) < worth_on(self.after, target)
            {
                return false;
            }
        }
        answers > 0
    }
}

/// The squares that the piece on a square attacks.
fn attacks_from(position: &Position, square: Square) -> Bitboard {
    match position.piece_on(square) {
        None => Bitboard::EMPTY,
        Some(piece) if piece.kind() == PieceType::Pawn => attacks::pawn(piece.color(), square),
        Some(piece) => attacks::of(piece.kind(), square, position.occupied()),
    }
}

fn worth_on(position: &Position, square: Square) -> i32 {
    position
        .piece_on(square)
        .map_or(0, |piece| see::value(piece.kind()))
}

/// What a move takes at once, and what its promotion adds.
fn taken(position: &Position, m: Move) -> i32 {
    let captured = if m.is_en_passant() {
        see::value(PieceType::Pawn)
    } else if m.is_capture() {
        worth_on(position, m.to())
    } else {
        0
    };
    let promotion = m
        .promoted()
        .map_or(0, |piece| see::value(piece.kind()) - see::value(PieceType::Pawn));
    captured + promotion
}

/// What the side to move wins on a square if each side takes with the cheapest piece that may, and stops in time.
fn swap(position: &Position, square: Square) -> i32 {
    if (position.attackers_to(square, position.occupied()) & position.of_color(position.side_to_move()))
        .is_empty()
    {
        return 0;
    }
    let captures = || {
        let legal = position.legal_moves().into_iter();
        legal.filter(|m| m.is_capture() && !m.is_en_passant() && m.to() == square)
    };
    let cheapest = captures().map(|m| m.piece().kind()).min();
    captures()
        .filter(|m| Some(m.piece().kind()) == cheapest)
        .map(|m| taken(position, m) - swap(&position.after(m), square))
        .fold(0, i32::max)
}

/// What the piece on `by` wins by taking on `target`; 0 if it cannot.
fn capture_value(position: &Position, by: Square, target: Square) -> i32 {
    if !attacks_from(position, by).has(target) {
        return 0;
    }
    let capture = position
        .legal_moves()
        .into_iter()
        .find(|m| m.from() == by && m.to() == target && m.is_capture());
    capture.map_or(0, |m| taken(position, m) - swap(&position.after(m), target))
}

/// A player's material less the other's.
fn balance(position: &Position, color: Color) -> i32 {
    let count = |color, kind| position.pieces(color, kind).count() as i32;
    PieceType::ALL
        .into_iter()
        .map(|kind| see::value(kind) * (count(color, kind) - count(!color, kind)))
        .sum()
}
