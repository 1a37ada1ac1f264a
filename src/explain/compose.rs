//! Puts an explanation together: verdict, reasons, better move, facts.

use super::check::exchange;
use super::claim::Motif;
use super::course::Course;
use super::explanation::{Assessment, Better, Explanation, Grade, Played, Reason, Role, Said, Verdict};
use super::facts::Facts;
use super::grading::{self, Graded, Subject};
use super::judge::{Answer, Judge, Question};
use super::net_view::NetView;
use super::reasons::{changes, tactics};
use super::way_out::way_out;

/// At most so many reasons are given for the better move.
const MOST_OF_THE_BETTER: usize = 2;

/// How an explanation is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Positions searched for each of the verdict's two scores. The second-best move gets half of that; see
    /// [`grading`] for what it takes to call a move the only good one.
    pub nodes: u64,
    /// Whether the network is asked what it thinks of the pieces; a fraction of a second.
    pub net_view: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            nodes: 100_000,
            net_view: true,
        }
    }
}

/// Why a move is good or bad.
pub fn explain(subject: &Subject, judge: &mut dyn Judge, options: &Options) -> Explanation {
    let Subject {
        position,
        history,
        m,
        previous,
    } = *subject;
    let question = subject.question(options.nodes);
    let mut graded = grading::grade(subject, judge, options.nodes);
    let second = grading::compare_with_others(subject, &mut graded, judge, options.nodes);
    let Graded { findings, verdict } = graded;
    let played = Course::follow(&question, &findings.played, judge);
    let (mut reasons, better) = match verdict.grade {
        Grade::Best => (
            for_the_best_move(&question, &verdict, &played, second.as_ref(), judge),
            None,
        ),
        grade => {
            let best = Course::follow(&question, &findings.best, judge);
            let (reasons, better) = for_another_move(grade, &played, &best, judge);
            let better = Better {
                line: best.line.clone(),
                assessment: verdict.before,
                reasons: better,
            };
            (reasons, Some(better))
        }
    };
    if let Some(loss) = reasons.iter_mut().find(|reason| is_loss(reason)) {
        loss.way_out = way_out(&played, &question, findings.played.score, judge);
    }
    let facts = Facts::of(position, m, history, previous.map(|previous| previous.m));
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
        facts,
        net_view: options
            .net_view
            .then(|| NetView::of(position, m, judge.effort(), &mut |boards| judge.evaluate(boards))),
    }
}

/// Whether a reason tells what material the move loses.
fn is_loss(reason: &Reason) -> bool {
    let is_material =
        matches!(&reason.said, Said::Claim(claim) if matches!(claim.motif, Motif::Material { .. }));
    is_material && reason.role == Role::Allows
}

/// What the best move achieves, and what the next best would have allowed.
fn for_the_best_move(
    question: &Question,
    verdict: &Verdict,
    played: &Course,
    second: Option<&Answer>,
    judge: &mut dyn Judge,
) -> Vec<Reason> {
    let mut found = tactics(played, Role::Achieves);
    let loses = |second: &&Answer| {
        Grade::of(verdict.after.expected - Assessment::of(second.score).expected) >= Grade::Inaccuracy
    };
    if let Some(second) = second.filter(loses).filter(|_| !played.mates()) {
        let course = Course::follow(question, second, judge);
        if course.gain < played.gain.min(0) {
            found.extend(tactics(&course, Role::Avoids).into_iter().take(1));
        }
    }
    if found.is_empty() {
        found = changes(played, Role::Achieves, judge);
    }
    found
}

/// What speaks for a good move or against a worse one, and what the better move would have achieved. What both lines
/// lead to alike makes no difference and is left out; changes in the position are given where no tactics decide.
fn for_another_move(
    grade: Grade,
    played: &Course,
    best: &Course,
    judge: &mut dyn Judge,
) -> (Vec<Reason>, Vec<Reason>) {
    let mut better = if best.gain > 0 && best.gain <= played.gain {
        Vec::new()
    } else {
        tactics(best, Role::Achieves)
    };
    let role = if grade == Grade::Good {
        Role::Achieves
    } else {
        Role::Allows
    };
    let mut reasons = if role == Role::Allows && makes_no_difference(played, best) {
        Vec::new()
    } else {
        tactics(played, role)
    };
    let decided = played.gain != best.gain && !(reasons.is_empty() && better.is_empty());
    if reasons.is_empty() && !decided {
        reasons = changes(played, role, judge);
    }
    if better.is_empty() && !decided {
        better = changes(best, Role::Achieves, judge);
    }
    better.truncate(MOST_OF_THE_BETTER);
    (reasons, better)
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
