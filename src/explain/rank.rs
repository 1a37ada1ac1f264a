//! How much a claim tells of why a move is good or bad, so that the most important reasons come first.

use super::check::exchange;
use super::claim::{Claim, Motif};
use super::line::Line;
use crate::board::{Color, PieceType, Square};

/// A claim that weighs less than this is not worth a reason of its own.
pub const LEAST: i32 = 200;

/// The weight of a plan of the other side that fails after the move.
pub const STOPS: i32 = 340;

/// How much weight a motif loses for every ply before it occurs.
const PLY: i32 = 30;

/// What a motif gains if a piece that it is about is taken later in the line.
const PAYS: i32 = 150;

/// What a threat gains if it is a pawn's, so that the piece has to go.
const DRIVES: i32 = 70;

/// Who is better off by a claim.
pub fn favours(line: &Line, claim: &Claim) -> Color {
    let mover = line.mover(claim.ply);
    match claim.motif {
        Motif::Material { winner, .. } => winner,
        Motif::LeavesEnPrise { .. }
        | Motif::OpensLine { .. }
        | Motif::LeavesGuard { .. }
        | Motif::IgnoresMate { .. }
        | Motif::IgnoresCapture { .. }
        | Motif::TakingIsWorse { .. }
        | Motif::LosesCastling { .. } => !mover,
        _ => mover,
    }
}

/// The weight of a claim about a line.
pub fn weight(line: &Line, claim: &Claim) -> i32 {
    let base = match &claim.motif {
        Motif::NamedMate { .. } => return 20_002,
        Motif::BackRankMate { .. } => return 20_001,
        Motif::Mate { .. } => return 20_000,
        Motif::Material { centipawns, .. } => return 10_000 + centipawns,
        Motif::StalemateTrick { .. } | Motif::Perpetual { .. } => return 9_000,
        Motif::IgnoresMate { .. } => return 8_000,
        Motif::UnstoppablePawn { .. } | Motif::Underpromotion { .. } => 900,
        Motif::CannotTake { .. } | Motif::TakingCosts { .. } => 800,
        Motif::NowFails { .. } => STOPS,
        // told where its explanation has looked for it
        Motif::TakingIsWorse { .. } => LEAST,
        // a check that drives the king off and attacks what it guarded is known as a fork
        Motif::Deflection { defender, target } if forks(line, claim, *defender, *target) => 505,
        Motif::Zugzwang { .. } => 850,
        Motif::Promotion { .. } => 700,
        Motif::Attraction { .. } | Motif::Interference { .. } | Motif::Deflection { .. } => 620,
        Motif::Overloaded { .. } | Motif::RemovedDefender { .. } | Motif::Intermezzo { .. } => 600,
        Motif::Sacrifice { .. } => 480,
        Motif::Trapped { .. } => 560,
        Motif::Fork { targets, .. } if targets.iter().all(|&target| is_pawn(line, claim, target)) => 300,
        // a check is all that is new
        Motif::Fork { targets, .. }
            if targets
                .iter()
                .all(|&target| is_old_pawn_or_king(line, claim, target)) =>
        {
            return 0;
        }
        Motif::DiscoveredAttack { target, .. } if is_pawn(line, claim, *target) => 330,
        Motif::DoubleCheck { .. } => 560,
        Motif::Fork { .. } | Motif::Skewer { .. } => 520,
        Motif::DiscoveredAttack { .. } | Motif::PinPreventsEscape { .. } => 510,
        Motif::DoubleAttack { .. } => 500,
        Motif::IgnoresCapture { .. } => 470,
        Motif::LeavesEnPrise { centipawns, .. } => 430 + centipawns / 10,
        Motif::TakesFree { .. } => 440,
        Motif::OpensLine { .. } | Motif::LeavesGuard { .. } => 475,
        Motif::DiscoveredCheck { .. } if takes_next(line, claim) => 660,
        Motif::DiscoveredCheck { .. } => 430,
        Motif::ThreatensMate { .. } => 560,
        Motif::XRay { .. } => 330,
        Motif::PinPreventsAttack { .. } if takes_past_a_pin(line, claim) => 590,
        Motif::PinPreventsAttack { .. } if stands_past_a_pin(line, claim) => 570,
        Motif::PinPreventsAttack { .. } if claim.ply == 0 => 437,
        Motif::PinPreventsAttack { .. } => 310,
        Motif::ThreatensCapture {
            target, centipawns, ..
        } => {
            let m = line.moves()[claim.ply];
            let by_pawn = claim.ply == 0 && m.piece().kind() == PieceType::Pawn && !m.is_capture();
            let drives = by_pawn && !is_pawn(line, claim, *target);
            260 + centipawns / 10 + if drives { DRIVES } else { 0 }
        }
        Motif::LosesCastling { .. } if claim.ply == 0 => 390,
        // the expected answer is not the only one
        Motif::LosesCastling { .. } => 350,
    };
    let later = claim.ply as i32 * PLY;
    base - later + if is_cashed(line, claim) { PAYS } else { 0 }
}

/// Whether a claim is that a capture cannot be taken back because of a pin, by a piece that guarded its square.
pub fn takes_past_a_pin(line: &Line, claim: &Claim) -> bool {
    let m = line.moves()[claim.ply];
    let goes_there =
        |motif: &Motif| matches!(motif, Motif::PinPreventsAttack { prey, .. } if *prey == m.landing());
    m.is_capture() && goes_there(&claim.motif) && (!line.is_taken(claim.ply) || is_paid_behind(line, claim))
}

/// Whether a claim is that a pinned man cannot take the greater piece that has moved, and nothing takes it next.
pub fn stands_past_a_pin(line: &Line, claim: &Claim) -> bool {
    let m = line.moves()[claim.ply];
    let Motif::PinPreventsAttack { prey, pinned, .. } = claim.motif else {
        return false;
    };
    let man = line.before(claim.ply).piece_on(pinned);
    let is_greater = |kind: PieceType| exchange::worth(m.piece().kind()) > exchange::worth(kind);
    !m.is_capture()
        && prey == m.landing()
        && man.is_some_and(|man| is_greater(man.kind()))
        && !line.is_taken(claim.ply)
}

/// Whether what is pinned takes all the same, and what stood behind it is taken.
fn is_paid_behind(line: &Line, claim: &Claim) -> bool {
    let Motif::PinPreventsAttack { pinned, behind, .. } = claim.motif else {
        return false;
    };
    let takes = |ply: usize| line.at(ply).filter(|m| m.is_capture());
    takes(claim.ply + 1).is_some_and(|m| m.from() == pinned)
        && takes(claim.ply + 2).is_some_and(|m| m.to() == behind)
}

/// Whether the mover's next move takes something.
fn takes_next(line: &Line, claim: &Claim) -> bool {
    line.at(claim.ply + 2).is_some_and(|m| m.is_capture())
}

/// Whether a king stands on a square, or a pawn that the piece attacked from where it came from.
fn is_old_pawn_or_king(line: &Line, claim: &Claim, square: Square) -> bool {
    let (before, m) = (line.before(claim.ply), line.moves()[claim.ply]);
    match line.after(claim.ply).piece_on(square).map(|piece| piece.kind()) {
        Some(PieceType::King) => true,
        Some(PieceType::Pawn) => exchange::sees(before, m.from(), square),
        _ => false,
    }
}

/// Whether the piece that moves with a claim checks the king on the first square and attacks the second.
fn forks(line: &Line, claim: &Claim, king: Square, target: Square) -> bool {
    let (after, by) = (line.after(claim.ply), line.moves()[claim.ply].landing());
    after.king(after.side_to_move()) == king
        && exchange::sees(after, by, king)
        && exchange::sees(after, by, target)
}

/// Whether a pawn stands on a square after the move of a claim.
fn is_pawn(line: &Line, claim: &Claim, square: Square) -> bool {
    let piece = line.after(claim.ply).piece_on(square);
    piece.is_some_and(|piece| piece.kind() == PieceType::Pawn)
}

/// The pieces of the other side that a motif is about.
fn prey(motif: &Motif) -> Vec<Square> {
    match *motif {
        Motif::Fork { ref targets, .. } | Motif::DoubleAttack { ref targets, .. } => targets.clone(),
        Motif::DiscoveredAttack { target, .. }
        | Motif::Overloaded { second: target, .. }
        | Motif::RemovedDefender { target, .. }
        | Motif::Deflection { target, .. }
        | Motif::Interference { target, .. }
        | Motif::ThreatensCapture { target, .. }
        | Motif::Trapped { square: target, .. }
        | Motif::LeavesEnPrise { square: target, .. }
        | Motif::IgnoresCapture { target } => vec![target],
        Motif::PinPreventsEscape { pinned, behind, .. } => vec![pinned, behind],
        Motif::PinPreventsAttack { pinned, .. } => vec![pinned],
        Motif::Skewer { front, behind, .. } => vec![front, behind],
        _ => Vec::new(),
    }
}

/// Whether a motif is about no more than pawns, beside the king.
pub fn is_about_pawns(line: &Line, claim: &Claim) -> bool {
    let is_slight = |square: Square| {
        let piece = line.after(claim.ply).piece_on(square);
        piece.is_some_and(|piece| matches!(piece.kind(), PieceType::Pawn | PieceType::King))
    };
    let prey = prey(&claim.motif);
    !prey.is_empty() && prey.into_iter().all(is_slight)
}

/// Whether one of the pieces that a motif is about is taken later in the line.
pub fn is_cashed(line: &Line, claim: &Claim) -> bool {
    let prey = prey(&claim.motif);
    let winner = favours(line, claim);
    (claim.ply + 1..line.len()).any(|ply| {
        let m = line.moves()[ply];
        line.mover(ply) == winner && m.is_capture() && prey.contains(&m.to())
    })
}
