//! Puts an explanation together: verdict, reasons, better move, facts.

use super::change::Change;
use super::check::{self, exchange};
use super::claim::{Claim, Motif};
use super::course::{Course, MATE_GAIN};
use super::declined::declined;
use super::defence::{self, SAVING_FAILS};
use super::developments::{self, ENDING_RULE, changes, told_of};
use super::drawbacks::{drawbacks, given_up};
use super::explanation::{
    Assessment, Better, Explanation, Grade, OpeningName, Played, Reason, Role, Said, Verdict,
};
use super::facts::Facts;
use super::grading::{self, Graded, Subject};
use super::headline::{headline, keeps_from, main_of_the_better};
use super::importance::importance;
use super::judge::{Finding, Judge, Question};
use super::line::Line;
use super::net_view::NetView;
use super::offer;
use super::reasons::{Weighed, best_of, is_count, most, tactics, why_it_fails};
use super::theme::Theme;
use super::verdict::WORTH_A_WORD;
use super::way_out::way_out;
use crate::board::{Color, Move, Position, Square, openings};

/// At most so many reasons are given for the better move.
const MOST_OF_THE_BETTER: usize = 2;

/// The searches that follow lines get the nodes of the verdict divided by this.
pub const FOLLOWING: u64 = 6;

/// How an explanation is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// About so many positions are searched for the verdict; the reasons take some more.
    pub nodes: u64,
    /// Whether the network is asked what it thinks of the pieces; a fraction of a second.
    pub net_view: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            nodes: 1_000_000,
            net_view: true,
        }
    }
}

/// Why a move is good or bad.
pub fn explain(subject: &Subject, judge: &mut dyn Judge, options: &Options) -> Explanation {
    let &Subject {
        position,
        history,
        m,
        previous,
        ..
    } = subject;
    let question = subject.question((options.nodes / FOLLOWING).max(1));
    let mut graded = grading::grade(subject, judge, options.nodes);
    let second = grading::compare_with_others(subject, &mut graded, judge, options.nodes);
    let Graded { findings, verdict } = graded;
    let facts = Facts::of(position, m, history, previous.map(|previous| previous.m));
    let mut played = Course::follow(&question, &findings.played, judge).told_as_seen(&findings.played);
    let mut other_way = None;
    // with a loss that comes soon, which is told where nothing better is
    let mut avoidable = None;
    if verdict.grade > Grade::Good && played.gain < 0 {
        other_way = way_out(&played, &question, findings.played.score, judge);
        // a little that can be avoided at no cost is not what is wrong with the move
        if played.loses_a_little() && other_way.as_ref().is_some_and(|other| !other.worse) {
            avoidable = (!played.ends_late()).then(|| played.clone());
            played = played.without_outcome();
        }
    }
    let about = About {
        question: subject.question(options.nodes),
        verdict: &verdict,
        recaptures: facts.recaptures,
    };
    let (mut reasons, better) = match verdict.grade {
        Grade::Best => (about.best(&question, &played, second.as_ref(), judge), None),
        _ => {
            let best = Course::follow(&question, &findings.best, judge).told_as_seen(&findings.best);
            let (mut reasons, mut better) = about.other(&played, &best, judge);
            if let Some(losing) = avoidable.filter(|_| !reasons.first().is_some_and(says_what_is_wrong)) {
                (reasons, better) = about.other(&losing, &best, judge);
            }
            let better = Better {
                line: best.line.clone(),
                assessment: verdict.before,
                summary: main_of_the_better(&better, &reasons, verdict.grade >= Grade::Mistake),
                reasons: better,
            };
            (reasons, Some(better))
        }
    };
    if let Some(loss) = reasons.iter_mut().find(|reason| is_loss(reason)) {
        loss.way_out = other_way;
    }
    if let Some(previous) = previous.filter(|_| facts.recaptures) {
        reasons.retain(|reason| reason.role != Role::Achieves || !is_merely_taking_back(reason, &previous));
    }
    Explanation {
        played: Played {
            position: *position,
            m,
        },
        course: played.line,
        verdict,
        summary: headline(&reasons),
        reasons,
        better,
        opening: openings::named(&position.after(m)).map(|opening| OpeningName {
            eco: opening.eco,
            name: opening.name,
        }),
        facts,
        net_view: options
            .net_view
            .then(|| NetView::of(position, m, judge.effort(), &mut |boards| judge.evaluate(boards))),
    }
}

/// A move whose reasons are looked for.
pub struct About<'a> {
    /// With the nodes of the verdict.
    pub question: Question<'a>,
    verdict: &'a Verdict,
    /// Whether the move takes back.
    pub recaptures: bool,
}

impl About<'_> {
    /// What the best move achieves, and what the next best would have allowed.
    fn best(
        &self,
        question: &Question,
        played: &Course,
        second: Option<&Finding>,
        judge: &mut dyn Judge,
    ) -> Vec<Reason> {
        let loses = |second: &&Finding| {
            Grade::of(self.verdict.after.expected - Assessment::of(second.score).expected)
                >= Grade::Inaccuracy
        };
        let is_tactic = second.as_ref().is_some_and(loses);
        let mut merits = self.merits(played, self.verdict.after, is_tactic, judge);
        merits.extend(self.declines(played, judge));
        let mut found = best_of(merits, most(played));
        if found.is_empty() {
            found = best_of(self.concessions(played, judge), 1);
        }
        // who stands well all the same has lost nothing of note
        let is_poor = |second: &&Finding| Assessment::of(second.score).expected < Assessment::SLIGHTLY_BETTER;
        let costs = second.filter(loses).filter(is_poor);
        if let Some(second) = costs.filter(|_| !played.mates()) {
            let course = Course::follow(question, second, judge);
            if course.gain < played.gain.min(0) {
                found.extend(best_of(tactics(&course, Role::Avoids), 1));
            }
        }
        found
    }

    /// What speaks for a good move or against a worse one, and what the better move would have achieved. What both lines
    /// lead to alike makes no difference and is left out.
    fn other(&self, played: &Course, best: &Course, judge: &mut dyn Judge) -> (Vec<Reason>, Vec<Reason>) {
        let Verdict {
            grade,
            before,
            after,
            drop,
            theory,
            ..
        } = *self.verdict;
        // what both moves take is no difference
        let same = self.takes_as_much(played, best).then(|| best.without_outcome());
        let best = same.as_ref().unwrap_or(best);
        let mut better = if best.gain > 0 && best.gain <= played.gain {
            Vec::new()
        } else {
            let mut merits = self.merits(best, before, grade >= Grade::Inaccuracy, judge);
            // where the answer to the explained move goes is the square that counts
            let answer = played.line.at(1).map(Move::landing);
            for (weight, reason) in &mut merits {
                *weight += answer
                    .filter(|&square| keeps_from(reason, square))
                    .map_or(0, |_| BARS_ANSWER);
            }
            let after = played.line.after(0);
            merits.retain(|(_, reason)| reason.role != Role::Prevents || !is_met_too(reason, after));
            best_of(merits, most(best))
        };
        // a move of theory that costs something is told like any other that does
        let is_sound = grade == Grade::Good && !(theory && Grade::of(drop) >= Grade::Inaccuracy);
        let reasons = if is_sound {
            let lost = played.loses_to_mate();
            if lost {
                // whatever is played
                best_of(tactics(played, Role::Allows), 1)
            } else {
                let mut found = self.merits(played, after, false, judge);
                found.extend(self.declines(played, judge));
                if drop >= DRAWBACK {
                    found.extend(self.drawbacks(played));
                }
                // where nothing else is to be said
                if found.is_empty() && drop > 0.0 && played.gain >= 0 {
                    found.extend(given_up(played));
                }
                if found.is_empty() && before.is_lost() {
                    found.extend(self.concessions(played, judge));
                }
                best_of(found, most(played))
            }
        } else {
            let mut against = tactics(played, Role::Allows);
            if makes_no_difference(played, best) {
                against.retain(|(_, reason)| answer_threatens_mate(reason));
            }
            if grade >= Grade::Mistake
                && self.question.position.occupied().count() <= BARE
                && !after.is_lost()
            {
                let saved = offer::stalemate_saves(&self.question, &played.line, judge);
                against.extend(saved.map(|reason| (SAVED_BY_STALEMATE, reason)));
            }
            if grade >= Grade::Mistake && !played.loses_to_mate() {
                let greed = offer::greed_is_mated(&self.question, &played.line);
                against.extend(greed.map(|reason| (MATED_FOR_GREED, reason)));
            }
            // what is lost is no piece that was forgotten
            let is_played_for = grade == Grade::Mistake || played.gain >= 0;
            if let Some(sacrifice) = unsound_sacrifice(played).filter(|_| is_played_for) {
                let square = played.line.at(0).map(Move::landing);
                against.retain(|(_, reason)| !is_left(reason, square));
                against.push(sacrifice);
            }
            if grade >= Grade::Inaccuracy && !played.loses_to_mate() {
                let fails =
                    offer::taking_back_fails(&self.question, &played.line, grade >= Grade::Mistake, judge);
                let saving = defence::saving_fails_after(&self.question, played, judge);
                against.extend(saving.map(|reason| (SAVING_FAILS, reason)));
                if let Some((value, reason)) = fails {
                    let weight = POISONED + value / 3;
                    against.extend(why_it_fails(&reason).map(|why| (weight - 1, why)));
                    against.push((weight, reason));
                }
                if against.iter().all(|&(weight, _)| weight < TELLS_LITTLE) {
                    let threat = defence::answer_threatens(&self.question, played, judge);
                    against.extend(threat.map(|reason| (SAVING_FAILS, reason)));
                }
            }
            if !against.is_empty() && !played.loses_to_mate() {
                let opens = drawbacks(played, false).into_iter();
                against.extend(opens.filter(|(_, reason)| reason.has_theme(Theme::OpensFileToKing)));
            }
            if !against.is_empty() && grade >= Grade::Inaccuracy {
                against.extend(takes_own_flight(played));
            }
            if !played.loses_to_mate() {
                let loses = against.iter().any(|(_, reason)| reason.is_outcome());
                against.extend(developments::by_checks(played, -after.expected, loses));
            }
            let decided = played.gain != best.gain && !(against.is_empty() && better.is_empty());
            // if material explains it, only a rule of endings says why
            let is_explained = !against.is_empty() || decided;
            if grade >= Grade::Mistake || against.is_empty() {
                let mut found = changes(played, Role::Allows, after.expected, judge);
                // how many squares a piece sees, or what is only natural, explains no mistake
                for (weight, reason) in &mut found {
                    *weight += if is_runner(reason) { RUNS } else { 0 };
                }
                found.retain(|(_, reason)| is_runner(reason) || !is_count(reason) && !is_minor(reason));
                // nor is a file that the answer takes what is wrong with a mistake
                found.retain(|(_, reason)| grade < Grade::Mistake || !is_a_file(reason));
                // nor what many moves lead to
                found.retain(|(weight, reason)| {
                    grade < Grade::Mistake || reason.line.len() <= NEAR || *weight >= ENDING_RULE
                });
                if is_explained && grade >= Grade::Mistake {
                    let rules = found.iter().cloned();
                    against.extend(rules.filter_map(|found| ending_rule(found, after)));
                    let shut_in = found
                        .iter()
                        .filter(|(_, reason)| reason.has_theme(Theme::Dominates));
                    against.extend(shut_in.cloned());
                    against.extend(lost_pawn_ending(played, after));
                }
                if against.is_empty() {
                    against = found;
                }
            }
            if played.gain >= 0 && !against.iter().any(|(_, reason)| reason.is_unsound()) {
                against.extend(given_up(played));
            }
            if grade == Grade::Good && played.gain >= 0 {
                against.extend(self.drawbacks(played));
            }
            if grade >= Grade::Inaccuracy {
                against.retain(|(_, reason)| !is_idle_weakness(reason, &played.line));
            }
            best_of(against, most(played))
        };
        better.truncate(MOST_OF_THE_BETTER);
        (reasons, better)
    }

    /// What the best move cannot help: the rule by which an ending is lost, a bishop that is buried, what it gives up.
    fn concessions(&self, played: &Course, judge: &mut dyn Judge) -> Vec<Weighed> {
        let mut found = changes(played, Role::Allows, self.verdict.after.expected, judge);
        let least = if played.gain == 0 {
            NOT_TO_BE_HELPED
        } else {
            ENDING_RULE
        };
        found.retain(|&(weight, _)| weight >= least);
        if played.gain == 0 {
            found.extend(given_up(played));
        }
        found
    }

    /// A piece that the move does not take, because that would be worse.
    fn declines(&self, played: &Course, judge: &mut dyn Judge) -> Option<Weighed> {
        let m = played.line.at(0).filter(|_| !played.mates())?;
        declined(&self.question, m, self.verdict.after, judge)
    }

    /// Whether the move takes what the better one gains, and keeps it.
    fn takes_as_much(&self, played: &Course, best: &Course) -> bool {
        let start = self.question.position;
        let us = start.side_to_move();
        let kept = exchange::balance(played.line.end(), us) - exchange::balance(start, us);
        let takes = played
            .line
            .at(0)
            .is_some_and(|m| exchange::takings(start, m) >= best.gain);
        (1..MATE_GAIN).contains(&best.gain) && played.gain <= 0 && takes && kept >= best.gain
    }

    /// What is to be said against a good move that is not the best one; the more the move costs, the sooner.
    fn drawbacks(&self, played: &Course) -> Vec<Weighed> {
        let is_costly = self.verdict.is_costly();
        let is_outdone = is_costly || self.verdict.is_outdone();
        let mut found = drawbacks(played, is_outdone);
        let takes = played.line.at(0).is_some_and(|m| m.is_capture());
        let wins_back = |reason: &Reason| {
            let Said::Claim(claim) = &reason.said else {
                return false;
            };
            let attacks_two = matches!(claim.motif, Motif::Fork { .. } | Motif::DoubleAttack { .. });
            is_costly || takes && claim.ply == 1 && attacks_two
        };
        let against = tactics(played, Role::Allows).into_iter();
        found.extend(against.filter(|(_, reason)| wins_back(reason)));
        let before_merits = if is_outdone { BEFORE_MERITS } else { 0 };
        let costs = (COST * (self.verdict.drop - WORTH_A_WORD).min(WORTH_A_WORD)) as i32 + before_merits;
        found
            .into_iter()
            .map(|(weight, reason)| (weight + costs, reason))
            .collect()
    }
}

/// Whether a reason is a capture that fails, or a square that is given up for good: what is wrong with a move by which a pawn
/// may be lost, too.
fn says_what_is_wrong(reason: &Reason) -> bool {
    matches!(reason.motif(), Some(Motif::CannotTake { .. }))
        || matches!(reason.said, Said::Change(Change::WeakSquare { .. }))
}

/// Whether a reason is that a rook or queen has come to an open file.
fn is_a_file(reason: &Reason) -> bool {
    matches!(reason.said, Said::Change(Change::TakesFile { .. }))
}

/// Whether a threat is met in this position too: its first move is no longer possible, or wins nothing where it did.
fn is_met_too(threat: &Reason, position: &Position) -> bool {
    // what is not possible in check may come after it
    let Some(first) = threat.line.at(0).filter(|_| !position.in_check()) else {
        return false;
    };
    let same = |m: &Move| (m.from(), m.to()) == (first.from(), first.to());
    let wins = |position| exchange::wins_by(position, first.from(), first.to());
    match position.legal_moves().into_iter().find(same) {
        None => true,
        Some(now) if first.is_capture() => {
            !now.is_capture() || wins(threat.line.start()) > 0 && wins(position) <= 0
        }
        Some(_) => false,
    }
}

/// Whether a reason is a change of little weight on the board.
fn is_minor(reason: &Reason) -> bool {
    matches!(&reason.said, Said::Change(change) if importance(change) < WORTH_A_REPROACH)
}

/// That a poor move gives material for too little.
fn unsound_sacrifice(played: &Course) -> Option<Weighed> {
    let claims = super::claims(&played.line.prefix(2));
    let gives = |claim: &Claim| claim.ply == 0 && matches!(claim.motif, Motif::Sacrifice { .. });
    let claim = claims
        .into_iter()
        .find(gives)
        .filter(|_| !played.loses_to_mate())?;
    let reason = Reason {
        role: Role::Allows,
        said: Said::Claim(claim),
        line: played.line.prefix(2),
        way_out: None,
        made_by: None,
    };
    Some((FOR_TOO_LITTLE, reason))
}

/// That the move takes a square from its own king, which an early check shows.
fn takes_own_flight(played: &Course) -> Option<Weighed> {
    let line = [2, 4].map(|plies| played.line.prefix(plies)).into_iter();
    let mut found = line.filter_map(|line| {
        let change = Change::Theme {
            theme: Theme::TakesOwnFlight,
            color: !line.mover(0),
            square: line.at(0)?.landing(),
            other: None,
        };
        let weight = importance(&change);
        check::confirms_change(&line, &change).then(|| (weight, told_of(Role::Allows, change, &line)))
    });
    found.next()
}

/// Whether a reason is that what stands on a square hangs.
fn is_left(reason: &Reason, square: Option<Square>) -> bool {
    matches!(reason.motif(), Some(Motif::LeavesEnPrise { square: left, .. }) if Some(*left) == square)
}

/// Whether a reason is that the answer takes a passed pawn a long way.
fn is_runner(reason: &Reason) -> bool {
    let answer = reason.line.at(1).filter(|_| reason.line.len() == 2);
    let is_far = |m: Move| match reason.line.mover(1) {
        Color::White => m.to().rank() >= 4,
        Color::Black => m.to().rank() <= 3,
    };
    reason.has_theme(Theme::PasserAdvances) && answer.is_some_and(is_far)
}

/// Whether a reason is a weak square that the other side makes no use of in what follows.
fn is_idle_weakness(reason: &Reason, course: &Line) -> bool {
    let Said::Change(Change::WeakSquare { square, .. }) = reason.said else {
        return false;
    };
    let goes_there =
        |ply: usize| course.mover(ply) != course.mover(0) && course.moves()[ply].landing() == square;
    !(0..course.len()).any(goes_there)
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
    let line = played.line.prefix(2);
    let change = Change::Theme {
        theme: Theme::PawnEnding,
        color: !line.mover(0),
        square: line.at(0)?.landing(),
        other: None,
    };
    let is_so = after.is_lost() && check::confirms_change(&line, &change);
    is_so.then(|| (FIRST, told_of(Role::Allows, change, &line)))
}

/// How much more a square weighs that the better move keeps the answer from.
const BARS_ANSWER: i32 = 100;

/// What the answer changes is told against a move from this importance on.
const WORTH_A_REPROACH: i32 = 335;

/// The weight of a mate that punishes who goes on taking: more than that of any other offer.
const MATED_FOR_GREED: i32 = 1_100;

/// The least weight of what the answers to the best move change.
const NOT_TO_BE_HELPED: i32 = 475;

/// Where all that is said against a bad move weighs less, what its answer threatens says more.
const TELLS_LITTLE: i32 = 400;

/// Plies of a line whose changes on the board count against a mistake.
const NEAR: usize = 3;

/// How much more a passed pawn weighs that the answer takes far.
const RUNS: i32 = 150;

/// The weight of a sacrifice that brings too little.
const FOR_TOO_LITTLE: i32 = 600;

/// With so few men the other side may be saved by stalemate.
const BARE: u32 = 8;

/// The weight of a stalemate by which a bad move lets a win slip.
const SAVED_BY_STALEMATE: i32 = 12_000;

/// A good move that costs so much has a drawback.
const DRAWBACK: f64 = 0.02;

/// By how much the weight of a drawback grows with what the move costs.
const COST: f64 = 1000.0;

/// What a playable move that is not the best gives up comes before what it achieves.
const BEFORE_MERITS: i32 = 150;

/// The weight of a reason that comes before the material it costs.
const FIRST: i32 = 20_000;

/// The weight of an offer that cannot be taken, before its worth.
pub const POISONED: i32 = 480;

/// Whether a reason tells what material the move loses.
fn is_loss(reason: &Reason) -> bool {
    matches!(reason.motif(), Some(Motif::Material { .. })) && reason.role == Role::Allows
}

/// Whether the outcome of a bad move is no argument against it: it wins something all the same, or the best move loses
/// at least as much.
fn makes_no_difference(played: &Course, best: &Course) -> bool {
    played.gain > 0 || played.gain < 0 && played.gain >= best.gain
}

/// Whether a reason tells of no more than the recapture: material up to what the opponent took before.
fn is_merely_taking_back(reason: &Reason, previous: &Played) -> bool {
    let taken = exchange::takings(&previous.position, previous.m);
    match &reason.said {
        Said::Claim(claim) => match claim.motif {
            Motif::Material { centipawns, .. } => centipawns <= taken,
            Motif::TakesFree { .. } => claim.ply == 0,
            _ => false,
        },
        Said::Change(_) => false,
    }
}
