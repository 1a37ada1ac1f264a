//! Puts an explanation together: verdict, reasons, better move, facts.

use super::change::Change;
use super::check::exchange;
use super::claim::{Claim, Motif};
use super::course::{Course, MATE_GAIN, SMALL};
use super::explanation::{
    Assessment, Better, Explanation, Grade, OpeningName, Played, Reason, Role, Said, Verdict,
};
use super::facts::Facts;
use super::grading::{self, Graded, Subject};
use super::judge::{Finding, Judge, Question};
use super::net_view::NetView;
use super::null_move::{self, Moment, Passed};
use super::reasons::{Weighed, best_of, changes, drawbacks, given_up, is_count, most, tactics};
use super::theme::Theme;
use super::way_out::way_out;
use crate::board::{Move, PieceType, Square, openings};

/// At most so many reasons are given for the better move.
const MOST_OF_THE_BETTER: usize = 2;

/// Half of an inaccuracy: a good move that costs so much has a drawback worth a word.
pub const WORTH_A_WORD: f64 = 0.05;

/// The searches that follow lines get the nodes of the verdict divided by this.
const FOLLOWING: u64 = 6;

/// How an explanation is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// About so many positions are searched for the verdict; the reasons take up to half as many more.
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
    if verdict.grade > Grade::Good && played.gain < 0 {
        other_way = way_out(&played, &question, findings.played.score, judge);
        // a little that comes late and can be avoided at no cost is not what is wrong with the move
        if played.loses_a_little_late() && other_way.as_ref().is_some_and(|other| !other.worse) {
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
            let (reasons, better) = about.other(&played, &best, judge);
            let better = Better {
                line: best.line.clone(),
                assessment: verdict.before,
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
struct About<'a> {
    /// With the nodes of the verdict.
    question: Question<'a>,
    verdict: &'a Verdict,
    recaptures: bool,
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
        let merits = self.merits(played, self.verdict.after, is_tactic, judge);
        let mut found = best_of(merits, most(played));
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
            ..
        } = *self.verdict;
        // what both moves take is no difference
        let same = self.takes_as_much(played, best).then(|| best.without_outcome());
        let best = same.as_ref().unwrap_or(best);
        let mut better = if best.gain > 0 && best.gain <= played.gain {
            Vec::new()
        } else {
            let merits = self.merits(best, before, grade >= Grade::Inaccuracy, judge);
            best_of(merits, most(best))
        };
        let reasons = if grade == Grade::Good {
            let lost = played.loses_to_mate();
            if lost {
                // whatever is played
                best_of(tactics(played, Role::Allows), 1)
            } else {
                let mut found = self.merits(played, after, false, judge);
                if drop >= DRAWBACK {
                    found.extend(self.drawbacks(played));
                }
                best_of(found, most(played))
            }
        } else {
            let mut against = if makes_no_difference(played, best) {
                Vec::new()
            } else {
                tactics(played, Role::Allows)
            };
            if grade >= Grade::Mistake && !played.loses_to_mate() {
                let fails = null_move::taking_back_fails(&self.question, &played.line, judge);
                against.extend(fails.map(|(value, reason)| (POISONED + value / 3, reason)));
            }
            if !against.is_empty() && !played.loses_to_mate() {
                let opens = drawbacks(played, false).into_iter();
                against.extend(opens.filter(|(_, reason)| {
                    theme_of(reason).is_some_and(|(theme, _)| theme == Theme::OpensFileToKing)
                }));
            }
            let decided = played.gain != best.gain && !(against.is_empty() && better.is_empty());
            if against.is_empty() && !decided {
                against = changes(played, Role::Allows, after.expected, judge);
                // how many squares a piece sees explains no mistake
                against.retain(|(_, reason)| !is_count(reason));
            }
            if played.gain >= 0 {
                against.extend(given_up(played));
            }
            best_of(against, most(played))
        };
        better.truncate(MOST_OF_THE_BETTER);
        (reasons, better)
    }

    /// What speaks for the first move of a course: what it wins; else what it prevents, offers and threatens, and what it
    /// changes. A gain that comes late, where other moves are as good (no `is_tactic`) and the game is not won, is only
    /// what the line happens to hold.
    fn merits(
        &self,
        course: &Course,
        worth: Assessment,
        is_tactic: bool,
        judge: &mut dyn Judge,
    ) -> Vec<Weighed> {
        let is_forced = is_tactic && course.gain >= SMALL;
        let unforced = !is_forced && course.comes_late() && worth.expected < Assessment::WINNING;
        let quiet =
            (unforced || !is_tactic && self.is_avoidable(course, judge)).then(|| course.without_outcome());
        let course = quiet.as_ref().unwrap_or(course);
        let mut found = tactics(course, Role::Achieves);
        let told = course.telling().len();
        let mut wanted = None;
        if let Some(m) = course.line.at(0) {
            let moment = Moment {
                question: self.question,
                m,
                worth,
                answer: course.line.at(1),
            };
            // who wins something needs no threat that is met
            let before = (course.gain <= 0).then(|| moment.before(judge)).flatten();
            wanted = before.as_ref().and_then(Passed::wanted);
            found.extend(self.around(&moment, before.as_ref(), course, gives_something(&found), judge));
        }
        let is_long = told >= LONG || course.mates() && told > SHORT;
        let mut named = changes(course, Role::Achieves, worth.expected, judge);
        // an advance is hindered if the other side wanted it and now would lose the pawn
        let goes = |target: Square| {
            let mut theirs = course.line.moves().iter().skip(1).step_by(2).take(2);
            theirs.any(|m| m.landing() == target)
        };
        named.retain(|(_, reason)| match theme_of(reason) {
            Some((Theme::KeepsFrom | Theme::Restrains, Some(target))) if goes(target) => false,
            Some((Theme::KeepsFrom, Some(target))) => wanted.map(Move::landing) == Some(target),
            Some((Theme::Restrains, Some(target))) => {
                wanted.map(Move::landing) == Some(target)
                    && exchange::loses_by_going(reason.line.end(), target)
            }
            _ => true,
        });
        found.extend(
            named
                .into_iter()
                .filter_map(|(weight, reason)| match course.gain {
                    ..=0 => Some((weight, reason)),
                    // a mate needs no reason of position, unless it is the king's own walk
                    _ if course.mates() && (told == 1 || weight < TO_MATE) => None,
                    // what comes in many moves does not hide what the move itself is known for
                    _ if weight >= KNOWN_BY_NAME && is_long => Some((weight + BEFORE_THE_OUTCOME, reason)),
                    _ => (weight >= KNOWN_BY_NAME).then_some((weight, reason)),
                }),
        );
        found
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
        if course.gain <= 0 && !gives {
            let threat = before.and_then(|before| moment.threat_before(before, judge));
            found.extend(threat.filter(|_| !self.recaptures).map(|reason| {
                let more = if steps_aside(m, &reason) {
                    -PREVENTS
                } else {
                    PREVENTS
                };
                (threat_weight(&reason) + more, reason)
            }));
            if let Some(passed) = moment.after_pass(judge).filter(|_| !m.is_capture()) {
                let threatens = moment.threat_after(&passed, judge);
                found.extend(threatens.map(|reason| (threat_weight(&reason), reason)));
                found.extend(moment.zugzwang(&passed).map(|reason| (ZUGZWANG, reason)));
            }
            found.extend(moment.makes_way(judge).map(|reason| (MAKES_WAY, reason)));
        } else if !m.is_capture() && told > SHORT && null_move::has_few_pieces(course.line.start()) {
            let passed = moment.after_pass(judge);
            let zugzwang = passed.and_then(|passed| moment.zugzwang(&passed));
            found.extend(zugzwang.map(|reason| (ZUGZWANG + BEFORE_THE_OUTCOME, reason)));
        }
        if moment.worth.expected.abs() < Assessment::SLIGHTLY_BETTER {
            let stalemate = moment.stalemate_later(&course.line);
            found.extend(stalemate.map(|reason| (STALEMATE, reason)));
        }
        let poisoned = (!course.mates() || told > SHORT)
            .then(|| moment.poisoned(judge))
            .flatten();
        if let Some((value, reason)) = poisoned {
            let first = self.offers_first(moment, &reason, told);
            let weight = POISONED + value / 3 + first;
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
        let is_moved_piece = taken.is_some_and(|taken| taken.to() == moment.m.landing());
        let is_queen = moment.m.piece().kind() == PieceType::Queen;
        match claim.motif {
            Motif::StalemateTrick { .. } => STALEMATE,
            _ if is_moved_piece && is_queen && told >= LONG => BEFORE_THE_OUTCOME,
            // a queen that stays where it is attacked is an offer all the same
            _ if taken.is_some_and(|taken| takes_less(taken) && moment.was_possible(taken)) => -OLD_NEWS,
            _ => 0,
        }
    }

    /// Whether a small gain that a quiet move brings in the expected line can be avoided at no cost.
    fn is_avoidable(&self, course: &Course, judge: &mut dyn Judge) -> bool {
        let (Some(m), Some(expected)) = (course.line.at(0), course.line.at(1)) else {
            return false;
        };
        let after = course.line.after(0);
        if !(1..SMALL).contains(&course.gain) || m.is_capture() || after.in_check() {
            return false;
        }
        let legal = after.legal_moves().into_iter();
        let others: Vec<Move> = legal.filter(|&other| other != expected).collect();
        if others.is_empty() {
            return false;
        }
        let history = [self.question.history, &[self.question.position.key()]].concat();
        let asked = Question {
            position: after,
            history: &history,
            moves: &others,
            nodes: (self.question.nodes / FOLLOWING).max(1),
        };
        let other = judge.search(&asked);
        let worth = -Assessment::of(other.score).expected;
        worth <= course.worth + ALIKE && Course::follow(&asked, &other, judge).gain > -course.gain
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
        let is_outdone = self.verdict.drop >= WORTH_A_WORD;
        let mut found = drawbacks(played, is_outdone);
        let is_costly = Grade::of(self.verdict.drop) >= Grade::Inaccuracy;
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

/// Whether one of the reasons is that the first move gives something.
fn gives_something(found: &[Weighed]) -> bool {
    let gives = |claim: &Claim| claim.ply == 0 && matches!(claim.motif, Motif::Sacrifice { .. });
    found
        .iter()
        .any(|(_, reason)| matches!(&reason.said, Said::Claim(claim) if gives(claim)))
}

/// The theme of a reason, with its other square.
fn theme_of(reason: &Reason) -> Option<(Theme, Option<Square>)> {
    match reason.said {
        Said::Change(Change::Theme { theme, other, .. }) => Some((theme, other)),
        _ => None,
    }
}

/// What deflects, draws or drives in the line of a capture that fails.
fn why_it_fails(reason: &Reason) -> Option<Reason> {
    let line = &reason.line;
    let told = |said| Reason {
        role: reason.role,
        said,
        line: line.clone(),
        way_out: None,
    };
    let names_it = |claim: &Claim| {
        let first = matches!(
            claim.motif,
            Motif::Deflection { .. } | Motif::Attraction { .. } | Motif::Interference { .. }
        );
        let next = matches!(
            claim.motif,
            Motif::Fork { .. } | Motif::Skewer { .. } | Motif::DoubleCheck { .. }
        );
        claim.ply == 0 && first || claim.ply == 2 && next
    };
    let claims = super::claims(line);
    let claim = claims.into_iter().find(names_it);
    claim.map(|claim| told(Said::Claim(claim)))
}

/// Whether a move merely takes its piece away from what threatened to capture it.
fn steps_aside(m: Move, threat: &Reason) -> bool {
    threat.line.len() == 1 && threat.line.at(0).is_some_and(|capture| capture.to() == m.from())
}

/// The weight of a threat: mate, or by what it wins.
fn threat_weight(threat: &Reason) -> i32 {
    match &threat.said {
        Said::Claim(claim) => match claim.motif {
            // a piece that is attacked has only to step aside
            Motif::Material { centipawns, .. } if threat.line.len() == 1 => 325 + centipawns.min(900) / 12,
            Motif::Material { centipawns, .. } => 300 + centipawns.min(900) / 3,
            _ => 760,
        },
        Said::Change(_) => 0,
    }
}

/// A threat that is met weighs so much more than one that is made.
const PREVENTS: i32 = 20;

/// Answers that differ by less in expected score are alike.
const ALIKE: f64 = 0.04;

/// A good move that costs so much has a drawback.
const DRAWBACK: f64 = 0.02;

/// By how much the weight of a drawback grows with what the move costs.
const COST: f64 = 1000.0;

/// What a playable move that is not the best gives up comes before what it achieves.
const BEFORE_MERITS: i32 = 150;

/// The weight of a zugzwang that a search finds.
const ZUGZWANG: i32 = 850;

/// The weight of an offer later in the line that stalemate answers: it is what the move is played for.
const STALEMATE: i32 = 12_000;

/// An offer that the move does not make weighs so much less than one that it makes.
const OLD_NEWS: i32 = 200;

/// The weight of an offer that cannot be taken, before its worth.
const POISONED: i32 = 480;

/// A mate or gain within so many plies needs no other reason …
const SHORT: usize = 7;

/// … and one after so many comes of what the move is known for.
const LONG: usize = 7;

/// The weight of a way that a pawn's offer makes for a piece.
const MAKES_WAY: i32 = 505;

/// More than any outcome weighs.
const BEFORE_THE_OUTCOME: i32 = 25_000;

/// Changes of this weight are told beside a gain of material.
const KNOWN_BY_NAME: i32 = 500;

/// Changes of this weight are told beside a mate.
const TO_MATE: i32 = 590;

/// Whether a reason tells what material the move loses.
fn is_loss(reason: &Reason) -> bool {
    let is_material =
        matches!(&reason.said, Said::Claim(claim) if matches!(claim.motif, Motif::Material { .. }));
    is_material && reason.role == Role::Allows
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
