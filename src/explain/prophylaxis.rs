//! Plans of the other side that a quiet move makes impossible: what it would have played if the move had been passed, and what
//! becomes of that now.

use super::check::exchange;
use super::claim::Motif;
use super::course::Course;
use super::explanation::Reason;
use super::judge::{Judge, Question};
use super::line::ends;
use super::null_move::{Moment, Passed, hangs_anyway};
use super::pertinence::{OPENING, is_central};
use super::reasons::achieves;
use crate::board::{Move, PieceType};
use std::cell::OnceCell;

/// A refutation takes so many plies at most, with the move.
const IN_SIGHT: usize = 9;

/// A plan that costs so little beside the best one is natural.
const ALMOST: f64 = 0.1;

/// Castling, which mostly is safe, is looked at with the nodes divided by this.
const QUICK: u64 = 4;

impl Moment<'_> {
    /// That what the opponent would have done if the move had been passed, or a pawn's advance to the centre that was as
    /// good, fails now. Asked of a move that threatens nothing: else whatever does not meet the threat fails.
    pub fn stops(&self, before: &Passed, judge: &mut dyn Judge) -> Option<Reason> {
        let wanted = before.wanted().filter(|&wanted| self.is_plan(wanted));
        let failing = wanted.and_then(|wanted| self.fails(before, wanted, before.worth(), judge));
        failing.or_else(|| {
            let push = self.central_push(before)?;
            let worth = Passed::only(&before.position, push, &self.question, judge).worth();
            let is_natural = worth + ALMOST >= before.worth();
            is_natural
                .then(|| self.fails(before, push, worth, judge))
                .flatten()
        })
    }

    /// That a quiet move with which the opponent answers another move well fails after this one.
    pub fn refutes(&self, wanted: Move, judge: &mut dyn Judge) -> Option<Reason> {
        if !self.is_plan(wanted) || self.answer == Some(wanted) {
            return None;
        }
        let line = self.gains_after(wanted, judge)?;
        let (from, to) = (wanted.from(), wanted.to());
        (line.len() <= IN_SIGHT)
            .then(|| achieves(Motif::NowFails { from, to }, line))
            .flatten()
    }

    /// Whether a quiet move of the opponent can still be played, and is not simply taken where it goes.
    fn is_plan(&self, wanted: Move) -> bool {
        let reply = self.question.position.after(self.m);
        let same = |m: &Move| ends(*m) == ends(wanted);
        let is_safe = |m: Move| exchange::best(&reply.after(m), m.landing()) == 0;
        let can_be = reply.legal_moves().into_iter().find(same).is_some_and(is_safe);
        wanted.is_quiet() && !wanted.is_castling() && can_be
    }

    /// An advance of a pawn to the centre that loses nothing where it goes, early in the game, where a piece has moved.
    fn central_push(&self, before: &Passed) -> Option<Move> {
        let is_early = self.question.position.occupied().count() >= OPENING;
        let is_piece = !matches!(self.m.piece().kind(), PieceType::Pawn | PieceType::King);
        let goes_there = |m: &Move| m.piece().kind() == PieceType::Pawn && is_central(m.landing());
        let is_safe = |m: &Move| exchange::best(&before.position.after(*m), m.landing()) == 0;
        let mut moves = before.position.legal_moves().into_iter();
        moves
            .find(|m| goes_there(m) && is_safe(m) && self.is_plan(*m))
            .filter(|_| is_early && is_piece)
    }

    /// That a quiet move of the opponent, worth this much to it if the move had been passed, loses something now that it
    /// would have kept.
    fn fails(&self, before: &Passed, wanted: Move, was: f64, judge: &mut dyn Judge) -> Option<Reason> {
        if was + self.worth.expected < -ALMOST || self.answer == Some(wanted) {
            return None;
        }
        let line = self.gains_after(wanted, judge)?;
        // what is simply taken needs no line
        let is_taken = line.at(2).is_some_and(|taking| taking.to() == wanted.landing());
        if line.len() > IN_SIGHT || is_taken || self.failed(before, wanted, judge) {
            return None;
        }
        let (from, to) = ends(wanted);
        achieves(Motif::NowFails { from, to }, line)
    }

    /// That the opponent may castle and loses something by it, which it would not have done before.
    pub fn castling_fails(&self, before: &Passed, judge: &mut dyn Judge) -> Option<Reason> {
        let after = self.question.position.after(self.m);
        let castles = |m: &Move| m.is_castling() && self.answer != Some(*m);
        let was_possible = |m: &Move| {
            before
                .position
                .legal_moves()
                .iter()
                .any(|was| ends(*was) == ends(*m))
        };
        let castling = after
            .legal_moves()
            .into_iter()
            .filter(castles)
            .find(was_possible)?;
        let quick = Moment {
            question: Question {
                nodes: self.question.nodes / QUICK,
                ..self.question
            },
            next: OnceCell::new(),
            ..*self
        };
        let line = quick.gains_after(castling, judge)?;
        // what hangs whatever is answered is not lost by castling
        let hangs = line
            .at(2)
            .is_some_and(|taking| hangs_anyway(line.after(0), taking));
        if line.len() > IN_SIGHT || hangs || self.failed(before, castling, judge) {
            return None;
        }
        let (from, to) = (castling.from(), castling.landing());
        achieves(Motif::NowFails { from, to }, line)
    }

    /// Whether the same move would have lost something if the move had been passed.
    fn failed(&self, before: &Passed, wanted: Move, judge: &mut dyn Judge) -> bool {
        let asked = Question {
            position: &before.position,
            history: &[],
            moves: &[wanted],
            nodes: self.question.share(),
        };
        let found = judge.search(&asked);
        Course::follow(&asked, &found, judge).gain < 0
    }
}
