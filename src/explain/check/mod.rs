//! Confirms claims from nothing but the line, by the definitions in [`super::claim`].
//!
//! What finds claims ([`super::detect`]) is quick and may err on the generous side; what is said has passed here.
//! A file for each family of motifs, as there.

pub mod aims;
mod changes;
mod concessions;
mod defenders;
mod double;
mod ending_themes;
pub mod exchange;
pub mod ideas;
mod influence;
mod key_squares;
mod king;
mod lines;
mod material;
pub mod mates;
pub mod offers;
mod opening_themes;
mod patterns;
mod pawns;
pub mod perpetual;
mod pieces;
mod plans;
pub mod pressure;
mod prospects;
mod purposes;
pub mod rooks;
mod squares;
mod structure;
mod themes;
mod threats;
mod trades;
mod ways;

pub use changes::confirms as confirms_change;
pub use squares::{height, is_outpost, is_passed};
pub use structure::outside_passer;

use super::claim::{Claim, Motif};
use super::line::Line;
use crate::board::{Color, Move, Position};

/// The move that a claim is about, and the line around it.
#[derive(Clone, Copy)]
struct Scene<'a> {
    line: &'a Line,
    ply: usize,
    m: Move,
    mover: Color,
    before: &'a Position,
    after: &'a Position,
}

impl<'a> Scene<'a> {
    fn new(line: &'a Line, ply: usize) -> Option<Scene<'a>> {
        Some(Scene {
            line,
            ply,
            m: line.at(ply)?,
            mover: line.mover(ply),
            before: line.before(ply),
            after: line.after(ply),
        })
    }

    /// The opponent's answer and the mover's next move, where the line goes on so far.
    fn next_two(&self) -> Option<(Move, Move)> {
        Some((self.line.at(self.ply + 1)?, self.line.at(self.ply + 2)?))
    }

    /// Whether the mover is at least a pawn better off after its next move than before this one, and keeps that.
    fn gains_by_the_next_move(&self) -> bool {
        let needed = exchange::balance(self.before, self.mover) + 100;
        exchange::keeps(self.line.after(self.ply + 2), self.mover, needed)
    }

    /// Whether the line ends in the opponent's mate or with a pawn's gain that the mover keeps.
    fn pays(&self) -> bool {
        let end = self.line.end();
        if end.in_check() && !end.has_moves() {
            return self.mates();
        }
        let needed = exchange::balance(self.before, self.mover) + 100;
        exchange::keeps(end, self.mover, needed)
    }

    /// Whether the line ends in mate by the mover.
    fn mates(&self) -> bool {
        let end = self.line.end();
        end.in_check() && !end.has_moves() && end.side_to_move() != self.mover
    }
}

/// Whether a claim about a line is true.
pub fn confirms(line: &Line, claim: &Claim) -> bool {
    let Some(scene) = Scene::new(line, claim.ply) else {
        return false;
    };
    let scene = &scene;
    match claim.motif {
        Motif::Material { .. } => material::material(scene, &claim.motif),
        Motif::Sacrifice {
            square,
            piece,
            centipawns,
        } => material::sacrifice(scene, square, piece, centipawns),
        Motif::TakesFree { square, piece } => pieces::takes_free(scene, square, piece),
        Motif::LeavesEnPrise {
            square,
            piece,
            centipawns,
        } => pieces::leaves_en_prise(scene, square, piece, centipawns),
        Motif::OpensLine { slider, target } => pieces::opens_line(scene, slider, target),
        Motif::LeavesGuard { target } => pieces::leaves_guard(scene, target),
        Motif::Trapped { square, piece } => pieces::trapped(scene, square, piece),
        Motif::Fork { by, ref targets } => double::fork(scene, by, targets),
        Motif::DoubleAttack {
            ref attackers,
            ref targets,
        } => double::attack(scene, attackers, targets),
        Motif::DoubleCheck { king, ref checkers } => double::check(scene, king, checkers),
        Motif::DiscoveredCheck { slider, king } => lines::discovered_check(scene, slider, king),
        Motif::DiscoveredAttack { slider, target } => lines::discovered_attack(scene, slider, target),
        Motif::PinPreventsEscape {
            pinner,
            pinned,
            behind,
        } => lines::pin_prevents_escape(scene, [pinner, pinned, behind]),
        Motif::PinPreventsAttack {
            pinner,
            pinned,
            behind,
            prey,
        } => lines::pin_prevents_attack(scene, [pinner, pinned, behind], prey),
        Motif::Skewer { by, front, behind } => lines::skewer(scene, by, front, behind),
        Motif::XRay {
            slider,
            through,
            target,
        } => lines::x_ray(scene, slider, through, target),
        Motif::Overloaded {
            defender,
            first,
            second,
        } => defenders::overloaded(scene, defender, first, second),
        Motif::RemovedDefender { defender, target } => defenders::removed(scene, defender, target),
        Motif::Deflection { defender, target } => defenders::deflection(scene, defender, target),
        Motif::Attraction { from, square } => defenders::attraction(scene, from, square),
        Motif::Interference {
            square,
            slider,
            target,
        } => defenders::interference(scene, square, slider, target),
        Motif::Intermezzo { recapture } => defenders::intermezzo(scene, recapture),
        Motif::Mate { king } => king::mate(scene, king),
        Motif::BackRankMate { king, attacker } => king::back_rank_mate(scene, king, attacker),
        Motif::NamedMate { king, pattern } => patterns::named_mate(scene, king, pattern),
        Motif::CannotTake { square } => threats::cannot_take(scene, square),
        Motif::TakingCosts { square, .. } => threats::taking_costs(scene, square),
        Motif::TakingIsWorse { square, piece } => threats::seems_to_win(scene, square, piece),
        Motif::NowFails { from, to } => threats::now_fails(scene, from, to),
        Motif::Zugzwang { king, proved } => threats::zugzwang(scene, king, proved),
        Motif::Perpetual { king } => perpetual::confirms(scene, king),
        Motif::StalemateTrick { square } => king::stalemate_trick(scene, square),
        Motif::LosesCastling {
            king_side,
            queen_side,
        } => king::loses_castling(scene, king_side, queen_side),
        Motif::Promotion { square, piece } => pawns::promotion(scene, square, piece),
        Motif::Underpromotion {
            square,
            piece,
            reason,
        } => pawns::underpromotion(scene, square, piece, reason),
        Motif::UnstoppablePawn { pawn } => pawns::unstoppable(scene, pawn),
        Motif::ThreatensMate { from, to } => threats::threatens_mate(scene, from, to),
        Motif::ThreatensCapture { target, centipawns } => {
            threats::threatens_capture(scene, target, centipawns)
        }
        Motif::IgnoresMate { from, to } => threats::ignores_mate(scene, from, to),
        Motif::IgnoresCapture { target } => threats::ignores_capture(scene, target),
    }
}
