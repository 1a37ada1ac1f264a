//! What speaks for the first move of a course: what it wins, prevents, offers, threatens and changes.

use super::check::exchange;
use super::claim::Motif;
use super::compose::{About, POISONED};
use super::course::{Course, MATE_GAIN, SMALL};
use super::defence::{self, SAVING_FAILS};
use super::developments::changes;
use super::endings;
use super::explanation::{Assessment, Reason, Role, Said};
use super::gains::{
    BEFORE_THE_OUTCOME, LONG, SHORT, TO_MATE, beside_a_gain, beside_what_is_won, is_tactic_at_once,
    least_beside_a_gain, levels_the_material, reweigh_capture, was_there_before, wins_slowly,
};
use super::judge::{Judge, Question};
use super::line::ends;
use super::null_move::{Moment, Passed, hangs_anyway};
use super::pertinence;
use super::rank;
use super::reasons::{Weighed, is_bar, tactics, why_it_fails};
use super::theme::Theme;
use crate::board::{Move, PieceType};
use std::cell::OnceCell;

/// A threat that is met weighs so much more than one that is made.
const PREVENTS: i32 = 20;

/// Answers that differ by less in expected score are alike.
const ALIKE: f64 = 0.04;

/// Who can expect more than that wins in any way.
const SURELY_WON: f64 = 0.8;

/// A tactic after so many plies of a line in which nothing is won …
const LATE: usize = 4;

/// … weighs so much less.
const BY_CHANCE: i32 = 200;

/// A piece that is drawn somewhere where nothing is won or offered weighs so much less.
const TO_NO_END: i32 = 300;

/// The weight of a zugzwang that a search finds.
const ZUGZWANG: i32 = 850;

/// The weight of an offer later in the line that stalemate answers: it is what the move is played for.
const STALEMATE: i32 = 12_000;

/// The weight of a threat to offer something that cannot be taken.
const THREATENED_OFFER: i32 = 520;

/// An offer that the move does not make weighs so much less than one that it makes.
pub const OLD_NEWS: i32 = 200;

/// The least weight of an offer: more than that of a piece that is developed.
const STAYS_TAKEABLE: i32 = 335;

/// The weight of a capture later in the line that is natural and fails.
const TAKING_BACK: i32 = 610;

/// Where a reason weighs less than that, what the move prepares is told first.
pub const SAYS_LITTLE: i32 = 336;

/// The weight of a guard for what would have been taken: more than that of castling that fails.
const GUARDS: i32 = 446;

/// The weight of castling that fails after the move.
const CASTLING: i32 = 445;

/// The weight of a way that a pawn's offer makes for a piece.
const MAKES_WAY: i32 = 505;

impl About<'_> {
    /// What speaks for the first move of a course: what it wins; else what it prevents, offers and threatens, and what it
    /// changes. A gain that comes late, where other moves are as good (no `is_tactic`) and the game is not won, is only
    /// what the line happens to hold.
    pub fn merits(
        &self,
        course: &Course,
        worth: Assessment,
        is_tactic: bool,
        judge: &mut dyn Judge,
    ) -> Vec<Weighed> {
        let found = self.merits_of(course, worth, is_tactic, judge);
        let first = found.iter().max_by_key(|(weight, _)| *weight);
        if wins_slowly(course) && first.is_some_and(|(_, reason)| reason.is_outcome()) {
            let quiet = self.merits_of(&course.without_outcome(), worth, is_tactic, judge);
            if !quiet.is_empty() {
                return quiet;
            }
        }
        found
    }

    /// The same, whatever a gain that comes slowly hides.
    fn merits_of(
        &self,
        course: &Course,
        worth: Assessment,
        is_tactic: bool,
        judge: &mut dyn Judge,
    ) -> Vec<Weighed> {
        let quiet = self
            .is_idle(course, worth, is_tactic, judge)
            .then(|| course.without_outcome());
        let course = quiet.as_ref().unwrap_or(course);
        let mut found = tactics(course, Role::Achieves);
        let gives = found.iter().any(|(_, reason)| reason.is_sacrifice());
        if course.gain <= 0 {
            discount_attacks(&mut found);
            if !is_tactic {
                discount_chances(&mut found, gives);
            }
        }
        let Some(m) = course.line.at(0) else {
            return found;
        };
        let moment = Moment {
            question: self.question,
            m,
            worth,
            answer: course.line.at(1),
            next: OnceCell::new(),
        };
        // who wins something needs no threat that is met
        let before = (course.gain <= 0).then(|| moment.before(judge)).flatten();
        found.extend(self.around(&moment, before.as_ref(), course, gives, judge));
        put_threats_before_offers(&mut found, m);
        let is_how = |(weight, reason): &Weighed| {
            let is_attack = matches!(reason.motif(), Some(Motif::ThreatensCapture { .. }));
            *weight >= SAVING_FAILS && !reason.is_outcome() || is_tactic_at_once(reason) && !is_attack
        };
        if course.gain > 0 && !course.mates() && !m.is_capture() && !found.iter().any(is_how) {
            let fails = defence::saving_fails(&moment, judge);
            found.extend(fails.map(|reason| (SAVING_FAILS, reason)));
        }
        if course.gain > 0 && !course.mates() {
            let fails = moment.taking_back_fails_in(&course.telling(), judge);
            found.extend(fails.map(|reason| (TAKING_BACK, reason)));
        }
        let levels = levels_the_material(course, m);
        if m.is_capture() && course.gain > 0 {
            reweigh_capture(&mut found, course.line.start(), m, levels);
        }
        let wanted = before.as_ref().and_then(Passed::wanted);
        let mut named = named_here(course, &moment, wanted, judge);
        weigh_guards(&mut named, before.as_ref());
        // what the move keeps the other side from has a name
        let square = wanted.map(Move::landing);
        if named.iter().any(|(_, reason)| is_bar(reason, square)) {
            found.retain(|(_, reason)| !(reason.role == Role::Prevents && reason.motif().is_none()));
        }
        let known = least_beside_a_gain(course, m, &found);
        let beside = |named| beside_what_is_won(named, course, known, levels);
        found.extend(named.into_iter().filter_map(beside));
        drop_plain_attacks(&mut found);
        put_threats_first(&mut found);
        // a rule by which an ending is won says more than what falls in one line of it
        if found.iter().any(|(_, reason)| reason.has_theme(Theme::Lucena)) {
            found.retain(|(_, reason)| !reason.is_outcome());
        }
        let says_much = |(weight, reason): &Weighed| *weight >= SAYS_LITTLE || reason.role.is_threat();
        if course.gain == 0 && m.is_quiet() && !found.iter().any(says_much) {
            found.extend(moment.prepares(judge));
        }
        found
    }

    /// Whether what a course wins is not what its first move is played for: it comes late, was there before, or the other side
    /// can avoid it at no cost.
    fn is_idle(&self, course: &Course, worth: Assessment, is_tactic: bool, judge: &mut dyn Judge) -> bool {
        let is_forced = is_tactic && course.gain >= SMALL;
        let unforced = !is_forced && course.comes_late() && worth.expected < Assessment::WINNING;
        // where the game is not won, what a quiet move wins may be won only by a mistake
        let may_be_avoided = !is_tactic || worth.expected < Assessment::WINNING;
        unforced
            || was_there_before(course)
            || may_be_avoided && self.is_avoidable(course, judge)
            || self.is_avoidable_in_the_end(course, judge)
    }

    /// What a pass before the move or after it shows, and what becomes of whoever takes what it offers.
    fn around(
        &self,
        moment: &Moment,
        before: Option<&Passed>,
        course: &Course,
        gives: bool,
        judge: &mut dyn Judge,
    ) -> Vec<Weighed> {
        let mut found = Vec::new();
        let (m, told) = (moment.m, course.telling().len());
        // a capture whose gain comes later may bring it by a threat
        let taken = exchange::takings(course.line.start(), m);
        if course.gain <= 0 && !gives {
            let threat = before.and_then(|before| moment.threat_before(before, judge));
            // an attacked piece that takes something is known for that
            let is_met = |threat: &Reason| !(self.recaptures || m.is_capture() && is_attack_on(threat, m));
            found.extend(threat.filter(is_met).map(|reason| {
                let more = if steps_aside(m, &reason) {
                    -PREVENTS
                } else {
                    PREVENTS
                };
                (threat_weight(&reason, m) + more, reason)
            }));
            if let Some(before) = before.filter(|_| found.is_empty() && !m.is_capture() && !self.recaptures) {
                found.extend(moment.forestalls(before, judge));
            }
            if m.is_capture() {
                found.extend(great_threat(moment, judge));
            } else if let Some(passed) = moment.after_pass(judge) {
                let threat = moment.threat(passed, judge);
                if let Some(before) =
                    before.filter(|_| found.is_empty() && threat.is_none() && !self.recaptures)
                {
                    let stops = moment.stops(before, judge);
                    found.extend(stops.map(|reason| (rank::STOPS, reason)));
                }
                let threatens = threat.and_then(|threat| moment.told_threat(threat));
                let threatens = threatens.or_else(|| moment.threatened_offer(passed, judge));
                found.extend(threatens.map(|reason| (threat_weight(&reason, m), reason)));
                found.extend(moment.zugzwang(passed).map(|reason| (ZUGZWANG, reason)));
                let castling = before.and_then(|before| moment.castling_fails(before, judge));
                found.extend(castling.map(|reason| (CASTLING, reason)));
            }
            found.extend(moment.makes_way(judge).map(|reason| (MAKES_WAY, reason)));
        } else if gives && course.gain <= 0 {
            found.extend(great_threat(moment, judge));
        } else if !course.line.after(0).in_check() && told > 1 && (!m.is_capture() || course.gain > taken) {
            let threat = moment.threatens(judge);
            found.extend(threat.and_then(|threat| Some((beside_a_gain(course, m, &threat)?, threat))));
            let passed = moment.after_pass(judge);
            let few = told > SHORT && endings::has_few_pieces(course.line.start());
            let now = passed.filter(|_| few).and_then(|passed| moment.zugzwang(passed));
            let is_pawns_only = few && endings::is_pawn_ending(course.line.start());
            let zugzwang = now.or_else(|| {
                is_pawns_only
                    .then(|| defence::zugzwang_next(moment, course, judge))
                    .flatten()
            });
            found.extend(zugzwang.map(|reason| (ZUGZWANG + BEFORE_THE_OUTCOME, reason)));
        }
        if moment.worth.expected.abs() < Assessment::SLIGHTLY_BETTER {
            let stalemate = moment.stalemate_in(&course.line);
            found.extend(stalemate.map(|reason| (STALEMATE, reason)));
        }
        // a short mate says it all, but for the moved piece that seems to hang
        let says_all = course.mates() && told <= SHORT;
        let is_moved_piece = |reason: &Reason| reason.line.at(1).map(Move::to) == Some(m.landing());
        let is_offer = !says_all || told > 1 && !course.line.after(0).in_check();
        let poisoned = is_offer.then(|| moment.poisoned(judge)).flatten();
        let poisoned = poisoned.filter(|(_, reason)| !says_all || is_moved_piece(reason));
        if let Some((value, reason)) = poisoned {
            let first = self.offers_first(moment, &reason, told);
            let weight = POISONED + value / 3 + first;
            let weight = weight.max(if course.gain > 0 { 0 } else { STAYS_TAKEABLE });
            found.extend(why_it_fails(&reason).map(|why| (weight - 1, why)));
            found.push((weight, reason));
        }
        found
    }

    /// How much more an offer that cannot be taken weighs: with the moved piece it is what a combination is known for, and
    /// what stood there to be taken before the move explains little. Stalemate is what one who stands badly plays for.
    fn offers_first(&self, moment: &Moment, reason: &Reason, told: usize) -> i32 {
        let Said::Claim(claim) = &reason.said else {
            return 0;
        };
        let taken = reason.line.at(1);
        let takes_less =
            |taken: Move| exchange::takings(reason.line.after(0), taken) < exchange::worth(PieceType::Queen);
        let is_old = |taken: Move| takes_less(taken) && hangs_anyway(moment.question.position, taken);
        let is_moved_piece = taken.is_some_and(|taken| taken.to() == moment.m.landing());
        let is_queen = moment.m.piece().kind() == PieceType::Queen;
        let end = reason.line.end();
        let mates = reason.line.len() <= SHORT && end.in_check() && !end.has_moves();
        match claim.motif {
            Motif::StalemateTrick { .. } => STALEMATE,
            _ if is_moved_piece && (is_queen && told > 1 || mates && told >= LONG) => BEFORE_THE_OUTCOME,
            // a queen that stays where it is attacked is an offer all the same
            _ if taken.is_some_and(is_old) => -OLD_NEWS,
            _ => 0,
        }
    }

    /// Whether a gain that a quiet move brings in the expected line can be avoided at no cost by another answer.
    fn is_avoidable(&self, course: &Course, judge: &mut dyn Judge) -> bool {
        let is_quiet = course.line.at(0).is_some_and(|m| !m.is_capture());
        is_quiet && !course.line.after(0).in_check() && self.is_avoided_at(1, course, judge)
    }

    /// Whether another move of the opponent right before the capture that ends the line avoids the gain at no cost.
    fn is_avoidable_in_the_end(&self, course: &Course, judge: &mut dyn Judge) -> bool {
        let last = course.telling().len();
        let is_open = course.worth < SURELY_WON && !last.is_multiple_of(2) && last > 3;
        is_open && self.is_avoided_at(last - 2, course, judge)
    }

    /// Whether another move of the opponent at this point of a course avoids its gain at no cost.
    fn is_avoided_at(&self, ply: usize, course: &Course, judge: &mut dyn Judge) -> bool {
        let Some(expected) = course.line.at(ply) else {
            return false;
        };
        let after = course.line.before(ply);
        let legal = after.legal_moves().into_iter();
        let others: Vec<Move> = legal.filter(|&other| other != expected).collect();
        if others.is_empty() || !(1..MATE_GAIN).contains(&course.gain) {
            return false;
        }
        let us = course.line.start().side_to_move();
        let banked = exchange::balance(after, us) - exchange::balance(course.line.start(), us);
        let passed = (0..ply).map(|ply| course.line.before(ply).key());
        let history: Vec<_> = self.question.history.iter().copied().chain(passed).collect();
        let asked = Question {
            position: after,
            history: &history,
            moves: &others,
            nodes: self.following(),
        };
        let other = judge.search(&asked);
        let worth = -Assessment::of(other.score).expected;
        worth <= course.worth + ALIKE && Course::follow(&asked, &other, judge).gain > banked - course.gain
    }
}

/// Whether a reason is that a pawn other than the man that has moved cannot be taken.
fn offers_another_pawn(reason: &Reason, m: Move) -> bool {
    let offered = reason.offered().filter(|&square| square != m.landing());
    let man = offered.and_then(|square| reason.line.start().piece_on(square));
    man.is_some_and(|man| man.kind() == PieceType::Pawn)
}

/// An offer of another pawn weighs less than the threat by which taking it fails.
fn put_threats_before_offers(found: &mut [Weighed], m: Move) {
    let threats: Vec<(i32, Move)> = found
        .iter()
        .filter_map(|(weight, reason)| Some((*weight, threatened(reason)?)))
        .collect();
    for (weight, reason) in found {
        let fails = reason.line.at(2).filter(|_| offers_another_pawn(reason, m));
        let is_it = |taking: Move| fails.is_some_and(|fails| ends(fails) == ends(taking));
        let same = threats.iter().filter(|&&(_, taking)| is_it(taking));
        *weight = same.map(|&(threat, _)| threat - 1).fold(*weight, i32::min);
    }
}

/// The capture that a reason says the move threatens.
fn threatened(reason: &Reason) -> Option<Move> {
    match reason.motif() {
        Some(Motif::ThreatensCapture { target, .. }) if reason.subject() == 0 => {
            let passed = reason.line.after(0).passed()?;
            let captures = passed
                .legal_moves()
                .into_iter()
                .filter(|m| m.is_capture() && m.to() == *target);
            captures.min_by_key(|m| exchange::worth(m.piece().kind()))
        }
        _ => reason
            .line
            .at(0)
            .filter(|m| reason.role == Role::Threatens && m.is_capture()),
    }
}

/// What guards a man that the other side wanted to take with one of its next two moves says more than other changes.
fn weigh_guards(named: &mut [Weighed], before: Option<&Passed>) {
    for (weight, reason) in named {
        let ward = reason
            .theme()
            .filter(|&(theme, _)| theme == Theme::Holds)
            .and_then(|(_, ward)| ward);
        if ward.zip(before).is_some_and(|(ward, before)| before.takes(ward)) {
            *weight = GUARDS.max(*weight);
        }
    }
}

/// Who drives a guard away need not be told to threaten it.
fn drop_plain_attacks(found: &mut Vec<Weighed>) {
    let driven = |(_, reason): &Weighed| match reason.theme() {
        Some((Theme::DrivesGuard, guard)) => guard,
        _ => None,
    };
    let Some(guard) = found.iter().find_map(driven) else {
        return;
    };
    let takes = |reason: &Reason| {
        let first = reason.line.at(0).filter(|m| m.is_capture());
        first.map(Move::to) == Some(guard)
    };
    found.retain(|(_, reason)| reason.role != Role::Threatens || !takes(reason));
}

/// A threat that is made or met says more than what the move might keep the other side from.
fn put_threats_first(found: &mut [Weighed]) {
    let is_threat = |reason: &Reason| reason.role.is_threat() && reason.motif().is_some();
    let threats = found.iter().filter(|(_, reason)| is_threat(reason));
    let Some(most) = threats.map(|&(weight, _)| weight).max() else {
        return;
    };
    for (weight, reason) in found {
        let is_vague = matches!(
            reason.theme(),
            Some((Theme::KeepsFrom | Theme::GuardsBreak | Theme::ClosesLines, _))
        );
        *weight = if is_vague {
            (*weight).min(most - 1)
        } else {
            *weight
        };
    }
}

/// Attacks on a piece after an answer that need not be given, in a line in which nothing is won, weigh less.
fn discount_attacks(found: &mut Vec<Weighed>) {
    let is_chance = |reason: &Reason| {
        let attacks = matches!(reason.motif(), Some(Motif::ThreatensCapture { .. }));
        attacks && reason.subject() > 1
    };
    found.retain_mut(|(weight, reason)| {
        *weight -= if is_chance(reason) { BY_CHANCE } else { 0 };
        *weight >= rank::LEAST
    });
}

/// Tactics that come late in a line in which nothing is won, or that draw a piece to no end, weigh less.
fn discount_chances(found: &mut Vec<Weighed>, gives: bool) {
    found.retain_mut(|(weight, reason)| {
        *weight -= if is_late(reason) { BY_CHANCE } else { 0 };
        *weight -= if !gives && is_lure(reason) { TO_NO_END } else { 0 };
        *weight >= rank::LEAST
    });
}

/// What changes by the first move of a course and bears on it, by what it weighs there.
pub fn named_here(
    course: &Course,
    moment: &Moment,
    wanted: Option<Move>,
    judge: &mut dyn Judge,
) -> Vec<Weighed> {
    let mut named = changes(course, Role::Achieves, moment.worth.expected, judge);
    named.retain(|(_, reason)| pertinence::is_to_the_point(reason, course, moment, wanted, judge));
    for (weight, reason) in &mut named {
        // where it mates, the king's help is what the move is for
        *weight = match course.mates() && reason.has_theme(Theme::KingHelps) {
            true => TO_MATE,
            false => pertinence::weight_here(*weight, reason, course, wanted),
        };
    }
    named
}

/// A threat to win a piece or to mate, of a move that has another purpose as well.
fn great_threat(moment: &Moment, judge: &mut dyn Judge) -> Option<Weighed> {
    // what is taken back at once has threatened nothing
    let m = moment.m;
    if m.is_capture() && moment.answer.is_some_and(|answer| answer.to() == m.landing()) {
        return None;
    }
    let threat = moment.threatens(judge)?;
    let is_great = match threat.motif() {
        Some(Motif::Material { centipawns, .. }) => *centipawns >= SMALL,
        _ => threat.is_mate(),
    };
    is_great.then(|| (threat_weight(&threat, moment.m), threat))
}

/// Whether a tactic comes so late in a line that the other side need not let it happen; an in-between move does so after any
/// answer.
fn is_late(reason: &Reason) -> bool {
    let Said::Claim(claim) = &reason.said else {
        return false;
    };
    let is_intermezzo = matches!(claim.motif, Motif::Intermezzo { .. });
    claim.ply >= if is_intermezzo { 1 } else { LATE }
}

/// Whether a reason is that a piece is drawn somewhere.
fn is_lure(reason: &Reason) -> bool {
    matches!(reason.motif(), Some(Motif::Attraction { .. }))
}

/// Whether a move merely takes its piece away from what threatened to capture it.
fn steps_aside(m: Move, threat: &Reason) -> bool {
    threat.line.len() == 1 && is_attack_on(threat, m)
}

/// Whether a threat begins with the capture of the piece that moves.
fn is_attack_on(threat: &Reason, m: Move) -> bool {
    threat.line.at(0).is_some_and(|capture| capture.to() == m.from())
}

/// The weight of a threat: mate, or by what it wins.
fn threat_weight(threat: &Reason, m: Move) -> i32 {
    let takes = |taking: Move| taking.is_capture() && taking.from() == m.landing();
    // a piece that is attacked has only to step aside
    let is_attack = threat.line.len() == 1
        || threat.line.len() == 2 && threat.role == Role::Threatens && threat.line.at(0).is_some_and(takes);
    match &threat.said {
        Said::Claim(claim) => match claim.motif {
            Motif::Material { centipawns, .. } if is_attack => 325 + centipawns.min(900) / 12,
            Motif::Material { centipawns, .. } if centipawns >= SMALL && threat.role == Role::Threatens => {
                340 + centipawns.min(900) / 2
            }
            Motif::Material { centipawns, .. } => 300 + centipawns.min(900) / 3,
            Motif::CannotTake { .. } | Motif::DiscoveredAttack { .. } => THREATENED_OFFER,
            _ if threat.role == Role::Threatens => 800,
            _ => 760,
        },
        Said::Change(_) => 0,
    }
}
