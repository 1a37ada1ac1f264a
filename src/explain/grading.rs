//! The grade of a move. There is one way to it, and whatever shows a grade, a glyph, a colour or a sentence, takes it
//! from here: the same move of the same game with the same number of nodes has the same grade everywhere.

use super::explanation::{Assessment, Grade, OnlyMove, Played, Verdict};
use super::judge::{Answer, Judge, Question};
use super::verdict::Findings;
use crate::board::{Move, Position};

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

impl<'a> Subject<'a> {
    /// A move of a position of which no game is known.
    pub fn alone(position: &'a Position, m: Move) -> Subject<'a> {
        Subject {
            position,
            history: &[],
            m,
            previous: None,
        }
    }

    /// The question how good the position is.
    pub(super) fn question(&self, nodes: u64) -> Question<'a> {
        Question {
            position: self.position,
            history: self.history,
            moves: &[],
            nodes,
        }
    }

    /// Searches the other moves alone; `None` if there are none.
    fn search_others(&self, nodes: u64, judge: &mut dyn Judge) -> Option<Answer> {
        let legal = self.position.legal_moves().into_iter();
        let moves: Vec<Move> = legal.filter(|&other| other != self.m).collect();
        (!moves.is_empty()).then(|| {
            judge.search(&Question {
                moves: &moves,
                ..self.question(nodes.max(1))
            })
        })
    }

    /// Searches the move alone.
    fn search_it(&self, nodes: u64, judge: &mut dyn Judge) -> Answer {
        judge.search(&Question {
            moves: &[self.m],
            ..self.question(nodes)
        })
    }
}

/// How good a move is, and the lines that say so.
#[derive(Clone, Debug)]
pub struct Graded {
    /// What the searches found.
    pub findings: Findings,
    /// What that means. `only` is set here for a forced move alone; [`compare_with_others`] finds the only good one.
    pub verdict: Verdict,
}

impl Graded {
    /// A better move than the one that is graded, if there is one.
    pub fn better(&self) -> Option<Move> {
        let best = self.findings.best.line.first().copied();
        best.filter(|_| self.verdict.grade != Grade::Best)
    }
}

/// Grades a move by a search of all moves and, where it is not the best of them, one of the move alone. What the judge
/// remembers is forgotten first, so that nothing that was asked before changes the answer.
pub fn grade(subject: &Subject, judge: &mut dyn Judge, nodes: u64) -> Graded {
    judge.forget();
    let best = judge.search(&subject.question(nodes));
    let played = if best.line.first() == Some(&subject.m) {
        best.clone()
    } else {
        subject.search_it(nodes, judge)
    };
    let findings = Findings { best, played };
    Graded {
        verdict: Verdict::of(subject.position, &findings),
        findings,
    }
}

/// Before a move is called the only good one, it is searched again with this many times the nodes of its grade …
const MOVE_AGAIN: u64 = 2;

/// … and the other moves with this many.
const OTHERS_AGAIN: u64 = 4;

/// The second-best move after a grade of [`Grade::Best`], with half the nodes. Where it would be a mistake and the move
/// holds the game, both are searched farther, and only if the same comes out the move is called the only good one.
pub(super) fn compare_with_others(
    subject: &Subject,
    graded: &mut Graded,
    judge: &mut dyn Judge,
    nodes: u64,
) -> Option<Answer> {
    if graded.verdict.grade != Grade::Best {
        return None;
    }
    let second = subject.search_others(nodes / 2, judge)?;
    graded.verdict.nodes += second.nodes;
    if is_only(&graded.findings.played, &second) {
        let played = subject.search_it(nodes.saturating_mul(MOVE_AGAIN), judge);
        let others = subject.search_others(nodes.saturating_mul(OTHERS_AGAIN), judge)?;
        graded.verdict.nodes += played.nodes + others.nodes;
        graded.verdict.only = is_only(&played, &others).then_some(OnlyMove::Good);
    }
    Some(second)
}

/// Whether the first answer holds the game and the second would be a mistake beside it. Where the player is clearly worse
/// even with the first, nothing depends on it.
fn is_only(first: &Answer, second: &Answer) -> bool {
    let [first, second] = [first, second].map(|answer| Assessment::of(answer.score).expected);
    first >= -Assessment::BETTER && Grade::of(first - second) >= Grade::Mistake
}
