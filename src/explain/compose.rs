//! Puts an explanation together: verdict, reasons, better move, facts.

use super::check::exchange;
use super::claim::Motif;
use super::course::Course;
use super::explanation::{Assessment, Better, Explanation, Grade, Played, Reason, Role, Said, Verdict};
use super::facts::Facts;
use super::judge::{Answer, Judge, Question};
use super::net_view::NetView;
use super::reasons::{changes, tactics};
use super::verdict::{Findings, one_move_earlier};
use crate::board::{Move, Position};

/// At most so many reasons are given for the better move.
const MOST_OF_THE_BETTER: usize = 2;

/// How an explanation is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Positions searched for each of the verdict's two scores; the second-best move gets half of that.
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

/// A legal move, its position, and the keys of the positions before, oldest first.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Before the move.
    pub position: &'a Position,
    /// For repetitions; see [`Question`].
    pub history: &'a [u64],
    /// The move that is explained.
    pub m: Move,
    /// The opponent's move before it, where it is known: taking back wins nothing.
    pub previous: Option<Played>,
}

/// Answers that are known already, of searches with the same nodes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// For the position before the move.
    pub before: Option<&'a Answer>,
    /// For the position after it.
    pub after: Option<&'a Answer>,
}

/// Why a move is good or bad.
pub fn explain(subject: &Subject, judge: &mut dyn Judge, options: &Options) -> Explanation {
    explain_known(subject, &Known::default(), judge, options)
}

/// The same, with what earlier searches found.
pub fn explain_known(
    subject: &Subject,
    known: &Known,
    judge: &mut dyn Judge,
    options: &Options,
) -> Explanation {
    let Subject {
        position,
        history,
        m,
        previous,
    } = *subject;
    let question = Question {
        position,
        history,
        moves: &[],
        nodes: options.nodes,
    };
    let findings = find(&question, m, known, judge);
    let verdict = Verdict::of(position, &findings);
    let played = Course::follow(&question, &findings.played, judge);
    let (mut reasons, better) = match verdict.grade {
        Grade::Best => {
            let second = findings.second.as_ref();
            (
                for_the_best_move(&question, &verdict, &played, second, judge),
                None,
            )
        }
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

/// Searches what is not known.
fn find(question: &Question, m: Move, known: &Known, judge: &mut dyn Judge) -> Findings {
    let best = match known.before {
        Some(answer) => answer.clone(),
        None => judge.search(question),
    };
    let is_best = best.line.first() == Some(&m);
    let played = match known.after {
        _ if is_best => best.clone(),
        Some(after) => Answer {
            score: one_move_earlier(after.score),
            line: [&[m], &after.line[..]].concat(),
            nodes: 0,
        },
        None => judge.search(&Question {
            moves: &[m],
            ..*question
        }),
    };
    let others: Vec<Move> = question
        .position
        .legal_moves()
        .into_iter()
        .filter(|&other| other != m)
        .collect();
    let is_best = is_best || played.score >= best.score;
    let second = (is_best && !others.is_empty()).then(|| {
        judge.search(&Question {
            moves: &others,
            nodes: (question.nodes / 2).max(1),
            ..*question
        })
    });
    Findings { best, played, second }
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
/// come to makes no difference and is not told; changes in the position are, where no tactics decide.
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

/// Whether what a bad move leads to is no reason against it: it wins something all the same, or the best move loses as
/// much.
fn makes_no_difference(played: &Course, best: &Course) -> bool {
    played.gain > 0 || played.gain < 0 && played.gain >= best.gain
}

/// Whether a reason tells of no more than what taking back brings: material up to what the opponent took before.
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
