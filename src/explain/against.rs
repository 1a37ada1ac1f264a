//! What is wrong with a bad move: how it is refuted, what it was played for, what it changes on the board.

use super::answer;
use super::change::Change;
use super::check;
use super::claim::{Claim, Motif};
use super::compose::{About, POISONED};
use super::contrast::changes_the_same;
use super::course::{Course, SMALL};
use super::defence::{self, SAVING_FAILS};
use super::detect;
use super::developments::{self, ENDING_RULE, changes, told_of};
use super::drawbacks::{drawbacks, given_up, goes_back};
use super::endings;
use super::explanation::{Assessment, Grade, Reason, Role, Said};
use super::importance::importance;
use super::judge::{Judge, Question};
use super::line::Line;
use super::merits::OLD_NEWS;
use super::null_move::same_before;
use super::offer;
use super::reasons::{Weighed, claimed, is_near, tactics, why_it_fails};
use super::repeats::is_count;
use super::theme::Theme;
use super::verdict::line_of;
use crate::board::{Move, PieceType, Square};

/// What the answer changes is told against a move from this importance on.
const WORTH_A_REPROACH: i32 = 335;

/// The weight of a mate that punishes who goes on taking: more than that of any other offer.
const MATED_FOR_GREED: i32 = 1_100;

/// Where all that is said against a bad move weighs less, what its answer threatens says more.
const TELLS_LITTLE: i32 = 400;

/// How much more a passed pawn weighs that the answer takes far.
const RUNS: i32 = 150;

/// So many plies show how an attack is met that a piece was given for.
const ATTACK: usize = 6;

/// The weight of a natural capture that fails later.
const LATER_CAPTURE: i32 = 420;

/// The weight of a piece that is left to the answer.
const LEFT: i32 = 430;

/// The weight of a sacrifice that brings too little.
const FOR_TOO_LITTLE: i32 = 600;

/// With so few men the other side may be saved by stalemate.
const BARE: u32 = 8;

/// The weight of a stalemate by which a bad move lets a win slip.
const SAVED_BY_STALEMATE: i32 = 12_000;

/// How much more the shelter of the king weighs where only a pawn is lost: more than that it hangs.
const BARED: i32 = 250;

/// The weight of a reason that comes before the material it costs.
const FIRST: i32 = 20_000;

impl About<'_> {
    /// What speaks against a bad move, or one of theory that costs something. What the best move leads to as well makes no
    /// difference and is left out.
    pub fn against(
        &self,
        played: &Course,
        best: &Course,
        better_has_reasons: bool,
        judge: &mut dyn Judge,
    ) -> Vec<Weighed> {
        let (grade, after) = (self.verdict.grade, self.verdict.after);
        let mut against = if makes_no_difference(played, best) {
            let mut attacks = tactics(&played.without_outcome(), Role::Allows);
            attacks.retain(|(_, reason)| answer_threatens_mate(reason) || answer_attacks(reason));
            attacks
        } else {
            tactics(played, Role::Allows)
        };
        let differs =
            |(_, reason): &Weighed| !changes_the_same(reason, &best.line) && !goes_anyway(reason, &best.line);
        against.retain(differs);
        if !played.loses_to_mate() {
            self.refutations(played, &mut against, judge);
        }
        if !against.is_empty() && grade >= Grade::Inaccuracy {
            against.extend(takes_own_flight(played));
            against.extend(blocks_own_guard(played));
        }
        if !played.loses_to_mate() {
            let loses = against.iter().any(|(_, reason)| reason.is_outcome());
            against.extend(leaves_square(played).filter(|_| grade >= Grade::Inaccuracy && !loses));
            against.extend(gives_up_guard(played).filter(|_| grade >= Grade::Inaccuracy));
            // a fork tells more than where the king is driven
            let is_fork = |(_, reason): &Weighed| matches!(reason.motif(), Some(Motif::Fork { .. }));
            let told = loses || against.iter().any(is_fork);
            against.extend(developments::by_checks(played, -after.expected, told));
        }
        let decided = played.gain != best.gain && (better_has_reasons || !against.is_empty());
        // if material explains it, only a rule of endings says why
        let is_explained = !against.is_empty() || decided;
        if grade >= Grade::Mistake || against.is_empty() {
            let found = self.changes_against(played, judge);
            if is_explained && grade >= Grade::Mistake {
                let rules = found.iter().cloned();
                against.extend(rules.filter_map(|found| ending_rule(found, after)));
                let shut_in = found
                    .iter()
                    .filter(|(_, reason)| reason.has_theme(Theme::Dominates));
                against.extend(shut_in.cloned());
                if against.iter().all(|(_, reason)| only_hangs(reason)) {
                    against.extend(self.bared_king(played, &found));
                }
                against.extend(lost_pawn_ending(played, after));
            }
            if against.is_empty() {
                against = found;
            }
        }
        if played.gain >= 0 && !against.iter().any(|(_, reason)| reason.is_unsound()) {
            against.extend(given_up(played));
            against.extend(goes_back(played).filter(|_| grade >= Grade::Inaccuracy));
        }
        if grade == Grade::Good && played.gain >= 0 {
            against.extend(self.drawbacks(played));
        }
        if grade >= Grade::Inaccuracy {
            against.retain(|(_, reason)| !is_idle_weakness(reason, &played.line));
        }
        against.retain(differs);
        if grade >= Grade::Inaccuracy && against.is_empty() {
            against.extend(leaves_a_piece(played).filter(differs));
        }
        if grade >= Grade::Inaccuracy && against.is_empty() {
            against.extend(answer::is_for(&self.question, played, judge).filter(differs));
        }
        against
    }

    /// How the move is refuted, where not by mate: a piece that it gives for too little, what fails after the answer, and what
    /// the answer threatens.
    fn refutations(&self, played: &Course, against: &mut Vec<Weighed>, judge: &mut dyn Judge) {
        let (grade, after) = (self.verdict.grade, self.verdict.after);
        let is_bare = self.question.position.occupied().count() <= BARE;
        if grade >= Grade::Mistake && is_bare && !after.is_lost() {
            let saved = offer::stalemate_saves(&self.question, &played.line, judge);
            against.extend(saved.map(|reason| (SAVED_BY_STALEMATE, reason)));
        }
        if grade >= Grade::Mistake {
            let greed = offer::greed_is_mated(&self.question, &played.line);
            against.extend(greed.map(|reason| (MATED_FOR_GREED, reason)));
        }
        // what is lost is no piece that was forgotten
        let takes_back = played.line.is_taken(0) && played.line.is_taken(1);
        let is_played_for = grade == Grade::Mistake || played.gain >= 0 || takes_back || draws_king(played);
        if let Some(sacrifice) = unsound_sacrifice(played).filter(|_| is_played_for) {
            let square = played.line.at(0).map(Move::landing);
            against.retain(|(_, reason)| !is_left(reason, square));
            against.push(sacrifice);
            for (_, reason) in against.iter_mut().filter(|(_, reason)| reason.is_outcome()) {
                self.show_the_attack(reason, judge);
            }
        }
        if grade >= Grade::Inaccuracy {
            let fails =
                offer::taking_back_fails(&self.question, &played.line, grade >= Grade::Mistake, judge);
            let saving = defence::saving_fails_after(&self.question, played, judge);
            against.extend(saving.map(|reason| (SAVING_FAILS, reason)));
            if let Some((value, reason)) = fails {
                // a piece that stood there to be taken explains less than one that goes there or is uncovered, unless who takes it
                // is mated
                let taking = reason.line.at(2);
                let goes_there = taking.map(Move::to) == played.line.at(1).map(Move::landing);
                let before = taking.and_then(|taking| same_before(played.line.after(0), taking));
                let was_open = before.is_none_or(|(_, same)| !same.is_empty());
                let end = reason.line.end();
                let is_news = goes_there || !was_open || end.in_check() && !end.has_moves();
                let weight = POISONED + value / 3 - if is_news { 0 } else { OLD_NEWS };
                against.extend(why_it_fails(&reason).map(|why| (weight - 1, why)));
                against.push((weight, reason));
            }
            let has = |is: fn(&Reason) -> bool| against.iter().any(|(_, reason)| is(reason));
            if grade >= Grade::Mistake && !has(|reason| reason.is_outcome() || reason.is_offer()) {
                let later = offer::capture_fails_later(&self.question, &played.line, judge);
                against.extend(later.map(|reason| (LATER_CAPTURE, reason)));
            }
            if grade >= Grade::Mistake && !against.iter().any(|(_, reason)| reason.is_outcome()) {
                against.extend(answer::ends_the_attack(&self.question, played, judge));
            }
            // what the answer attacks is plain to see
            let attacks = against.iter().any(|(_, reason)| answer_attacks(reason));
            if !attacks && against.iter().all(|&(weight, _)| weight < TELLS_LITTLE) {
                let threat = defence::answer_threatens(&self.question, played, judge);
                against.extend(threat.map(|reason| (SAVING_FAILS, reason)));
            }
        }
        if !against.is_empty() {
            let opens = drawbacks(played, false).into_iter();
            against.extend(opens.filter(|(_, reason)| reason.has_theme(Theme::OpensFileToKing)));
        }
    }

    /// Shows of what a sacrifice on the king loses also how the attack goes on with a check and is met.
    fn show_the_attack(&self, reason: &mut Reason, judge: &mut dyn Judge) {
        let given = reason.line.prefix(2);
        let Said::Claim(told) = &reason.said else {
            return;
        };
        let taken = given.end();
        let checks = taken.legal_moves().into_iter();
        let checks: Vec<Move> = checks.filter(|&check| taken.after(check).in_check()).collect();
        if given.len() < 2 || !given.after(0).in_check() || checks.is_empty() {
            return;
        }
        let found = judge.search(&Question {
            position: taken,
            history: &[],
            moves: &checks,
            nodes: self.question.share(),
        });
        let moves = [given.moves(), &found.line].concat();
        let line = line_of(given.start(), &moves);
        let loss = |claim: &Claim| match claim.motif {
            Motif::Material { centipawns, .. } => centipawns,
            _ => 0,
        };
        let longer = (given.len() + 1..=ATTACK.min(line.len())).rev();
        let mut shown = longer.filter_map(|plies| {
            let line = line.prefix(plies);
            let claim = detect::material(&line).filter(|claim| loss(claim) >= loss(told))?;
            claimed(Role::Allows, claim, line)
        });
        if let Some(shown) = shown.next() {
            *reason = shown;
        }
    }

    /// The pawns that the king is left without, where a pawn is all that is lost: it does not say why so much is.
    fn bared_king(&self, played: &Course, changes: &[Weighed]) -> Option<Weighed> {
        let is_pawn = (1..=check::exchange::worth(PieceType::Pawn)).contains(&-played.gain);
        let is_bared = |(_, reason): &&Weighed| matches!(reason.said, Said::Change(Change::Shelter { .. }));
        let (weight, reason) = changes.iter().find(is_bared)?;
        (is_pawn && self.verdict.grade == Grade::Blunder).then(|| (weight + BARED, reason.clone()))
    }

    /// What the move and what follows change on the board, for the other side.
    fn changes_against(&self, played: &Course, judge: &mut dyn Judge) -> Vec<Weighed> {
        let is_mistake = self.verdict.grade >= Grade::Mistake;
        let mut found = changes(played, Role::Allows, self.verdict.after.expected, judge);
        for (weight, reason) in &mut found {
            *weight += if is_runner(reason) { RUNS } else { 0 };
        }
        // how many squares a piece sees, or what is only natural, explains no mistake
        found.retain(|(_, reason)| is_runner(reason) || !is_count(reason) && !is_minor(reason));
        // where few pieces are left, no square is an outpost
        let few = endings::has_few_pieces(self.question.position);
        found.retain(|(_, reason)| !(few && matches!(reason.said, Said::Change(Change::Outpost { .. }))));
        // nor is a file that the answer takes what is wrong with a mistake, nor what many moves lead to
        found.retain(|(weight, reason)| {
            !is_mistake || !is_a_file(reason) && (*weight >= ENDING_RULE || is_near(reason))
        });
        found
    }
}

/// The piece that the move leaves to the answer, where that is not what the line comes to in the end.
fn leaves_a_piece(played: &Course) -> Option<Weighed> {
    let line = played.line.prefix(2);
    let taken = line.at(1).filter(|answer| answer.is_capture())?.to();
    let is_it = |claim: &Claim| match claim.motif {
        Motif::LeavesEnPrise {
            square, centipawns, ..
        } => square == taken && centipawns >= SMALL,
        _ => false,
    };
    let claim = detect::candidates(&line).into_iter().find(is_it)?;
    claimed(Role::Allows, claim, line).map(|reason| (LEFT, reason))
}

/// Whether a reason is that a rook or queen has come to an open file.
fn is_a_file(reason: &Reason) -> bool {
    matches!(reason.said, Said::Change(Change::TakesFile { .. }))
}

/// Whether a reason is a change of little weight on the board.
fn is_minor(reason: &Reason) -> bool {
    matches!(&reason.said, Said::Change(change) if importance(change) < WORTH_A_REPROACH)
}

/// That a poor move gives material for too little.
fn unsound_sacrifice(played: &Course) -> Option<Weighed> {
    let line = played.line.prefix(2);
    let told = |claim| claimed(Role::Allows, claim, line.clone());
    let reason = detect::candidates(&line)
        .into_iter()
        .filter_map(told)
        .find(Reason::is_unsound)?;
    (!played.loses_to_mate()).then_some((FOR_TOO_LITTLE, reason))
}

/// Whether the good bishop that a move gives is traded after the best move, too.
fn goes_anyway(reason: &Reason, best: &Line) -> bool {
    let Some(given) = reason
        .line
        .at(0)
        .filter(|_| reason.has_theme(Theme::GivesGoodBishop))
    else {
        return false;
    };
    let mut captures = best.moves().iter().filter(|m| m.is_capture());
    captures.any(|m| m.to() == given.from() || m.from() == given.from())
}

/// Whether a piece is given to the king with check, on purpose.
fn draws_king(played: &Course) -> bool {
    let line = &played.line;
    let takes = |king: Move| king.piece().kind() == PieceType::King && line.is_taken(0);
    line.len() > 1 && line.after(0).in_check() && line.at(1).is_some_and(takes)
}

/// That the move takes a square from its own king, which an early check shows.
fn takes_own_flight(played: &Course) -> Option<Weighed> {
    let lines = [2, 4].map(|plies| played.line.prefix(plies)).into_iter();
    let mut found = lines.filter_map(|line| lets(line, Theme::TakesOwnFlight, None));
    found.next()
}

/// That the move gets in the way of a guard of what the answer takes.
fn blocks_own_guard(played: &Course) -> Option<Weighed> {
    let line = played.line.prefix(2);
    let taken = line.at(1)?.to();
    lets(line, Theme::BlocksOwnGuard, Some(taken))
}

/// That the move gives up a square to which the answer goes.
fn leaves_square(played: &Course) -> Option<Weighed> {
    let line = played.line.prefix(2);
    let square = line.at(1)?.landing();
    lets_at(line, Theme::LeavesSquare, square, None)
}

/// That the move gives up the guard of a piece that the answer attacks.
fn gives_up_guard(played: &Course) -> Option<Weighed> {
    let line = played.line.prefix(2);
    let square = line.at(1)?.landing();
    let own = line.after(0).of_color(line.mover(0));
    own.into_iter()
        .find_map(|ward| lets_at(line.clone(), Theme::GivesUpGuard, square, Some(ward)))
}

/// A theme of where the first move goes and perhaps another square, for the other side, if the line bears it out.
fn lets(line: Line, theme: Theme, other: Option<Square>) -> Option<Weighed> {
    let square = line.at(0)?.landing();
    lets_at(line, theme, square, other)
}

/// The same of any square.
fn lets_at(line: Line, theme: Theme, square: Square, other: Option<Square>) -> Option<Weighed> {
    let change = Change::Theme {
        theme,
        color: !line.mover(0),
        square,
        other,
    };
    let weight = importance(&change);
    check::confirms_change(&line, &change).then(|| (weight, told_of(Role::Allows, change, &line)))
}

/// Whether a reason is that what stands on a square hangs.
fn is_left(reason: &Reason, square: Option<Square>) -> bool {
    matches!(reason.motif(), Some(Motif::LeavesEnPrise { square: left, .. }) if Some(*left) == square)
}

/// Whether a reason says no more than what is lost, and that it stood there to be taken.
fn only_hangs(reason: &Reason) -> bool {
    reason.is_outcome() || reason.motif().is_some_and(Motif::leaves_a_man)
}

/// Whether a reason is that the answer takes a passed pawn a long way.
fn is_runner(reason: &Reason) -> bool {
    let answer = reason.line.at(1).filter(|_| reason.line.len() == 2);
    let is_far = |m: Move| check::height(reason.line.mover(1), m.to()) >= 5;
    reason.has_theme(Theme::PasserAdvances) && answer.is_some_and(is_far)
}

/// A weak pawn that moves on or falls within so many plies is no lasting weakness.
const SOON_GONE: usize = 8;

/// The pawn that a reason calls backward or isolated.
fn weak_pawn(reason: &Reason) -> Option<Square> {
    match reason.said {
        Said::Change(Change::IsolatedPawn { pawn, .. }) => Some(pawn),
        Said::Change(Change::Theme {
            theme: Theme::BackwardPawn,
            square,
            ..
        }) => Some(square),
        _ => None,
    }
}

/// Whether a reason is a weak square that no knight or bishop of the other side can go to at once, nor does so in what follows;
/// or a weak pawn that is soon gone.
fn is_idle_weakness(reason: &Reason, course: &Line) -> bool {
    if let Some(pawn) = weak_pawn(reason) {
        let goes = |m: &Move| m.from() == pawn || m.to() == pawn && m.is_capture();
        return course.moves().iter().take(SOON_GONE).any(goes);
    }
    let Said::Change(Change::WeakSquare { square, .. }) = reason.said else {
        return false;
    };
    let after = course.after(0);
    let minors = after.of_kind(PieceType::Knight) | after.of_kind(PieceType::Bishop);
    let near = after.attackers_to(square, after.occupied()) & after.of_color(!course.mover(0)) & minors;
    let mut theirs = course.moves().iter().skip(1).step_by(2);
    near.is_empty() && !theirs.any(|m| m.landing() == square)
}

/// Whether a reason is that the answer attacks more than a pawn.
fn answer_attacks(reason: &Reason) -> bool {
    let Said::Claim(claim) = &reason.said else {
        return false;
    };
    let pawn = check::exchange::worth(PieceType::Pawn);
    claim.ply == 1 && matches!(claim.motif, Motif::ThreatensCapture { centipawns, .. } if centipawns > pawn)
}

/// Whether a reason is that the answer threatens mate.
fn answer_threatens_mate(reason: &Reason) -> bool {
    let threatens = |claim: &Claim| claim.ply == 1 && matches!(claim.motif, Motif::ThreatensMate { .. });
    matches!(&reason.said, Said::Claim(claim) if threatens(claim))
}

/// A theme that decides an ending by a rule; where the rule draws it, this comes before what is lost on the way.
fn ending_rule((weight, reason): Weighed, after: Assessment) -> Option<Weighed> {
    let is_drawn = after.expected.abs() < Assessment::SLIGHTLY_BETTER;
    (weight >= ENDING_RULE).then_some((if is_drawn { FIRST } else { weight }, reason))
}

/// A trade into a lost pawn ending, which comes before the promotion that it leads to.
fn lost_pawn_ending(played: &Course, after: Assessment) -> Option<Weighed> {
    let (_, reason) = lets(played.line.prefix(2), Theme::PawnEnding, None).filter(|_| after.is_lost())?;
    Some((FIRST, reason))
}

/// Whether the outcome of a bad move is no argument against it: it wins something all the same, or the best move loses
/// at least as much.
fn makes_no_difference(played: &Course, best: &Course) -> bool {
    played.gain > 0 || played.gain < 0 && played.gain >= best.gain
}
