//! Puts an explanation together: verdict, reasons, better move, facts.

use super::alternatives::{other_retreats_fail, others_fail};
use super::better_reason::{keeps_from, main_of_the_better};
use super::change::Change;
use super::check::exchange;
use super::claim::Motif;
use super::contrast::{changes_the_same, is_met_too, takes_the_same};
use super::course::{Course, MATE_GAIN, READ};
use super::declined::declined;
use super::developments::{ENDING_RULE, changes};
use super::drawbacks::{drawbacks, given_up};
use super::explanation::{
    Assessment, Better, Explanation, Grade, OnlyMove, OpeningName, Played, Reason, Role, Said, Verdict,
    WayOut,
};
use super::facts::Facts;
use super::grading::{self, Subject};
use super::headline::headline;
use super::judge::{Finding, Judge, Question};
use super::line::Line;
use super::net_view::NetView;
use super::null_move::Moment;
use super::reasons::{Weighed, is_near, most, tactics, takes_material};
use super::repeats::{best_of, is_count};
use super::theme::Theme;
use super::verdict::{Findings, WORTH_A_WORD};
use super::way_out::way_out;
use crate::board::{Move, openings};
use std::cell::OnceCell;

/// At most so many reasons are given for the better move.
const MOST_OF_THE_BETTER: usize = 2;

/// The searches that follow lines get the nodes of the verdict divided by this.
const FOLLOWING: u64 = 6;

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
    let mut graded = grading::grade(subject, judge, options.nodes);
    let second = grading::compare_with_others(subject, &mut graded, judge, options.nodes);
    let facts = Facts::of(position, m, history, previous.map(|previous| previous.m));
    let about = About {
        question: subject.question(options.nodes),
        verdict: &graded.verdict,
        recaptures: facts.recaptures,
    };
    let mut told = about.told(&graded.findings, second.as_ref(), judge);
    if let Some(previous) = previous.filter(|_| facts.recaptures) {
        let says_more =
            |reason: &Reason| reason.role != Role::Achieves || !is_merely_taking_back(reason, &previous);
        told.reasons.retain(says_more);
    }
    Explanation {
        played: Played {
            position: *position,
            m,
        },
        course: told.course,
        verdict: graded.verdict,
        summary: headline(&told.reasons),
        reasons: told.reasons,
        better: told.better,
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

/// What is told of a move: where it leads, what speaks for it or against it, and what would have been better.
struct Told {
    course: Line,
    reasons: Vec<Reason>,
    better: Option<Better>,
}

/// A move whose reasons are looked for.
pub struct About<'a> {
    /// With the nodes of the verdict.
    pub question: Question<'a>,
    pub verdict: &'a Verdict,
    /// Whether the move takes back.
    pub recaptures: bool,
}

impl About<'_> {
    /// The nodes of a search that follows a line.
    pub fn following(&self) -> u64 {
        (self.question.nodes / FOLLOWING).max(1)
    }

    /// The reasons that these searches show, and the better move.
    fn told(&self, findings: &Findings, second: Option<&Finding>, judge: &mut dyn Judge) -> Told {
        let question = Question {
            nodes: self.following(),
            ..self.question
        };
        let seen = Course::follow(&question, &findings.played, judge).told_as_seen(&findings.played);
        let is_loss_told = self.verdict.grade > Grade::Good && seen.gain < 0;
        let other_way = is_loss_told
            .then(|| way_out(&seen, &question, findings.played.score, judge))
            .flatten();
        let (played, small_loss) = without_small_loss(seen, other_way.as_ref());
        let (mut reasons, better) = match self.verdict.grade {
            Grade::Best => (self.best(&question, &played, second, judge), None),
            _ => {
                let best = Course::follow(&question, &findings.best, judge).told_as_seen(&findings.best);
                let (reasons, better) = self.beside_the_best(&played, small_loss, &best, judge);
                (reasons, Some(better))
            }
        };
        if let Some(loss) = reasons.iter_mut().find(|reason| reason.is_loss()) {
            loss.way_out = other_way;
        }
        Told {
            course: played.line,
            reasons,
            better,
        }
    }

    /// What is told of a move that is not the best, and of the best one.
    fn beside_the_best(
        &self,
        played: &Course,
        small_loss: Option<SmallLoss>,
        best: &Course,
        judge: &mut dyn Judge,
    ) -> (Vec<Reason>, Better) {
        let (mut reasons, mut better) = self.other(played, best, judge);
        if let Some(losing) = small_loss.filter(|loss| loss.is_needed(&reasons)) {
            (reasons, better) = self.other(&losing.course, best, judge);
        }
        let is_mistake = self.verdict.grade >= Grade::Mistake;
        let better = Better {
            line: best.line.clone(),
            assessment: self.verdict.before,
            summary: main_of_the_better(&better, &reasons, played.line.at(1), is_mistake),
            reasons: better,
        };
        (reasons, better)
    }

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
        // who stands well all the same has lost nothing of note
        let is_poor = |second: &&Finding| Assessment::of(second.score).expected < Assessment::SLIGHTLY_BETTER;
        let costs = second.is_some_and(|second| loses(&second) && is_poor(&second)) && !played.mates();
        let asked = second.filter(|_| costs || self.wins_back(played));
        let second = asked.map(|second| Course::follow(question, second, judge).with_what_falls_first());
        // what another move wins back as well is not what this one is for
        let quiet = second
            .as_ref()
            .filter(|second| self.wins_back(played) && second.gain >= played.gain)
            .map(|_| played.without_outcome());
        let played = quiet.as_ref().unwrap_or(played);
        let mut merits = self.merits(played, self.verdict.after, is_tactic, judge);
        self.add_declined(&mut merits, played, judge);
        self.add_other_retreats(&mut merits, played, judge);
        let mut found = best_of(merits, most(played));
        let allows = second.filter(|second| costs && second.gain < played.gain.min(0));
        let m = played
            .line
            .at(0)
            .filter(|_| self.verdict.only == Some(OnlyMove::Good));
        let fails = m.and_then(|m| others_fail(&self.question, m, judge));
        let second = || allows.and_then(|second| best_of(tactics(&second, Role::Avoids), 1).pop());
        let allowed = fails.or_else(second);
        let is_told = |reason: &Reason| {
            found
                .iter()
                .any(|told| told.role == reason.role && told.line.at(0) == reason.line.at(0))
        };
        let allowed = allowed.filter(|reason| reason.line.len() <= READ && !is_told(reason));
        if allowed.is_some() {
            found.retain(|reason| !is_count(reason));
        } else if found.is_empty() {
            found = best_of(self.concessions(played, judge), 1);
        }
        found.extend(allowed);
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
        let takes_the_same = takes_the_same(played, best);
        let wins_as_much = (1..=played.gain.min(MATE_GAIN - 1)).contains(&best.gain);
        let is_same = takes_the_same || wins_as_much || self.takes_as_much(played, best);
        let same = is_same.then(|| best.without_outcome());
        let mut better = self.of_the_better(played, same.as_ref().unwrap_or(best), is_same, judge);
        // a move of theory that costs something is told like any other that does
        let is_sound = grade == Grade::Good && !(theory && Grade::of(drop) >= Grade::Inaccuracy);
        let reasons = if is_sound {
            let lost = played.loses_to_mate();
            if lost {
                // whatever is played
                best_of(tactics(played, Role::Allows), 1)
            } else {
                let mut found = self.merits(played, after, false, judge);
                self.add_declined(&mut found, played, judge);
                self.add_other_retreats(&mut found, played, judge);
                // alone it would read as what is wrong with the move
                let least = if found.is_empty() {
                    2.0 * DRAWBACK
                } else {
                    DRAWBACK
                };
                if drop >= least {
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
            best_of(
                self.against(played, best, !better.is_empty(), judge),
                most(played),
            )
        };
        better.truncate(MOST_OF_THE_BETTER);
        (reasons, better)
    }

    /// What speaks for the better move and is not so of the explained one; where both come to the same material, it is not told.
    fn of_the_better(
        &self,
        played: &Course,
        best: &Course,
        is_same: bool,
        judge: &mut dyn Judge,
    ) -> Vec<Reason> {
        let is_tactic = self.verdict.grade >= Grade::Inaccuracy;
        let mut merits = self.merits(best, self.verdict.before, is_tactic, judge);
        if is_tactic && best.gain <= 0 {
            merits.extend(self.answer_fails(played, best, judge));
        }
        // where the answer to the explained move goes is the square that counts
        let answer = played.line.at(1).map(Move::landing);
        for (weight, reason) in &mut merits {
            *weight += answer
                .filter(|&square| keeps_from(reason, square))
                .map_or(0, |_| BARS_ANSWER);
        }
        let after_played = played.line.after(0);
        merits.retain(|(_, reason)| {
            !(reason.role == Role::Prevents && is_met_too(reason, after_played)
                || is_same && takes_material(reason)
                || is_tactic && matches!(reason.said, Said::Change(_)) && !is_near(reason)
                || changes_the_same(reason, &played.line))
        });
        best_of(merits, most(best))
    }

    /// That the answer to the explained move fails after the better one.
    fn answer_fails(&self, played: &Course, best: &Course, judge: &mut dyn Judge) -> Option<Weighed> {
        let moment = Moment {
            question: self.question,
            m: best.line.at(0)?,
            worth: self.verdict.before,
            answer: best.line.at(1),
            next: OnceCell::new(),
        };
        let reason = moment.refutes(played.line.at(1)?, judge)?;
        Some((ANSWER_FAILS, reason))
    }

    /// What the best move cannot help: the rule by which an ending is lost, a bishop that is buried, what it gives up.
    fn concessions(&self, played: &Course, judge: &mut dyn Judge) -> Vec<Weighed> {
        let mut found = changes(played, Role::Allows, self.verdict.after.expected, judge);
        let least = if played.gain == 0 {
            NOT_TO_BE_HELPED
        } else {
            ENDING_RULE
        };
        found.retain(|(weight, reason)| *weight >= least || reason.has_theme(Theme::ShutsOff));
        // alone it would read as what is wrong with a move that is fine
        if played.gain == 0 && self.verdict.after.expected < 0.0 {
            found.extend(given_up(played));
        }
        found
    }

    /// Adds the piece that the move does not take, because that would be worse; a threat that it meets says more.
    fn add_declined(&self, merits: &mut Vec<Weighed>, played: &Course, judge: &mut dyn Judge) {
        let m = played.line.at(0).filter(|_| !played.mates());
        let Some((weight, reason)) = m.and_then(|m| declined(&self.question, m, self.verdict.after, judge))
        else {
            return;
        };
        let is_met = |reason: &Reason| reason.role == Role::Prevents && reason.motif().is_some();
        let met = merits.iter().filter(|(_, reason)| is_met(reason));
        let most = met.map(|&(weight, _)| weight - 1).max();
        merits.push((most.map_or(weight, |most| weight.min(most)), reason));
    }

    /// Adds, to the attack on the moved piece that the move meets, what its other retreats lose.
    fn add_other_retreats(&self, merits: &mut Vec<Weighed>, played: &Course, judge: &mut dyn Judge) {
        let Some(m) = played.line.at(0).filter(|_| played.gain == 0) else {
            return;
        };
        let is_attack = |reason: &Reason| {
            reason.role == Role::Prevents && reason.line.at(0).is_some_and(|taking| taking.to() == m.from())
        };
        if merits.iter().any(|(_, reason)| is_attack(reason)) {
            merits.extend(other_retreats_fail(&self.question, m, self.verdict.after, judge));
        }
    }

    /// Whether a quiet move wins no more than what the player is behind: most likely what was just taken.
    fn wins_back(&self, played: &Course) -> bool {
        let start = self.question.position;
        let is_quiet = played.line.at(0).is_some_and(|m| m.is_quiet());
        let behind = -exchange::balance(start, start.side_to_move());
        is_quiet && !played.mates() && played.gain > 0 && played.gain == behind
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
    pub fn drawbacks(&self, played: &Course) -> Vec<Weighed> {
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

/// A course with a small loss that is told only where little else is.
struct SmallLoss {
    course: Course,
    /// Whether it comes only after many moves, rather than soon and for nothing.
    is_slow: bool,
}

impl SmallLoss {
    /// Whether the other reasons leave open what is wrong with the move.
    fn is_needed(&self, reasons: &[Reason]) -> bool {
        match self.is_slow {
            true => reasons.iter().all(|reason| reason.role == Role::Answers),
            false => !reasons.first().is_some_and(says_what_is_wrong),
        }
    }
}

/// A course without the little that it loses, or all that it loses late in a level position, where another line avoids that at
/// no cost, or where it is lost only after many moves: that is not what is wrong with the move.
fn without_small_loss(course: Course, other_way: Option<&WayOut>) -> (Course, Option<SmallLoss>) {
    let is_level = course.worth.abs() < Assessment::SLIGHTLY_BETTER;
    let is_little = course.loses_a_little() || is_level && course.ends_late();
    let is_avoidable = is_little && other_way.is_some_and(|other| !other.worse);
    let is_slow = !is_avoidable && course.loses_slowly();
    if !is_avoidable && !is_slow {
        return (course, None);
    }
    let quiet = course.without_outcome();
    let is_told = is_slow || !course.ends_late();
    (quiet, is_told.then_some(SmallLoss { course, is_slow }))
}

/// Whether a reason is a capture that fails, or a square that is given up for good: what is wrong with a move by which a pawn
/// may be lost, too.
fn says_what_is_wrong(reason: &Reason) -> bool {
    matches!(reason.motif(), Some(Motif::CannotTake { .. }))
        || matches!(reason.said, Said::Change(Change::WeakSquare { .. }))
}

/// How much more a square weighs that the better move keeps the answer from.
const BARS_ANSWER: i32 = 100;

/// The weight of what becomes of the answer to the explained move after the better one.
const ANSWER_FAILS: i32 = 460;

/// The least weight of what the answers to the best move change.
const NOT_TO_BE_HELPED: i32 = 475;

/// A good move that costs so much has a drawback.
const DRAWBACK: f64 = 0.02;

/// By how much the weight of a drawback grows with what the move costs.
const COST: f64 = 1000.0;

/// What a playable move that is not the best gives up comes before what it achieves.
const BEFORE_MERITS: i32 = 150;

/// The weight of an offer that cannot be taken, before its worth.
pub const POISONED: i32 = 480;

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
