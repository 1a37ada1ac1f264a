//! The grade of a move. There is one way to it, and whatever shows a grade, a glyph, a colour or a sentence, takes it
//! from here: the same move of the same game with the same number of nodes has the same grade everywhere.

use super::check::{exchange, mates, perpetual};
use super::endings;
use super::explanation::{Assessment, Grade, OnlyMove, Played, Value, Verdict};
use super::judge::{Finding, Judge, Question};
use super::verdict::Findings;
use crate::board::{Move, Position, openings};
use crate::nets::score::{DRAW, Score, is_decisive, mate_in, mated_in};
use std::cell::OnceCell;

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
    /// What a search of the position after the move has found, where there was one: it has seen a move farther.
    pub known: Option<&'a Finding>,
}

impl<'a> Subject<'a> {
    /// A move of a position of which no game is known.
    pub fn alone(position: &'a Position, m: Move) -> Subject<'a> {
        Subject {
            position,
            history: &[],
            m,
            previous: None,
            known: None,
        }
    }

    /// The best answers with all moves and with this move; what is known already of the latter is not searched again.
    fn ask(&self, nodes: u64, judge: &mut dyn Judge) -> Findings {
        let best = judge.search(&self.question(nodes));
        let is_the_move = best.line.first() == Some(&self.m);
        let Some(known) = self.known else {
            let played = if is_the_move {
                best.clone()
            } else {
                self.search_it(nodes, judge)
            };
            return Findings { best, played };
        };
        let played = known.clone();
        let worth = |answer: &Finding| Assessment::of(answer.score).expected;
        let best = match is_the_move {
            false => best,
            // the search of all moves did not see what comes: another move may be better
            true if worth(&best) - worth(&played) >= CLEARLY => self
                .better_than(&played, nodes, judge)
                .unwrap_or_else(|| played.clone()),
            true => played.clone(),
        };
        Findings { best, played }
    }

    /// Whether an elementary ending is drawn or won after another move as well.
    fn others_are_known_to_hold(&self) -> bool {
        let others = self.position.legal_moves().into_iter().filter(|&m| m != self.m);
        let result = |m| endings::result(&self.position.after(m));
        let here = result(self.m);
        here.is_some() && others.map(result).any(|other| other == here)
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
    fn search_others(&self, nodes: u64, judge: &mut dyn Judge) -> Option<Finding> {
        let legal = self.position.legal_moves().into_iter();
        let moves: Vec<Move> = legal.filter(|&other| other != self.m).collect();
        (!moves.is_empty()).then(|| {
            judge.search(&Question {
                moves: &moves,
                ..self.question(nodes.max(1))
            })
        })
    }

    /// The best of the other moves, if it is better than this one.
    fn better_than(&self, played: &Finding, nodes: u64, judge: &mut dyn Judge) -> Option<Finding> {
        let others = self.search_others(nodes, judge);
        others.filter(|others| others.score > played.score)
    }

    /// Where the expected answer leads to an ending that is known to be drawn, the answer that is searched for is another one;
    /// without a better one the game is drawn.
    fn hold_by_answers(&self, findings: &mut Findings, nodes: u64, judge: &mut dyn Judge) {
        let Findings { best, played } = findings;
        let same = best.line.first() == Some(&self.m);
        self.hold_by_answer(played, nodes, judge);
        if same {
            best.clone_from(played);
        } else {
            self.hold_by_answer(best, nodes, judge);
            if played.score >= best.score {
                best.clone_from(played);
            }
        }
    }

    fn hold_by_answer(&self, found: &mut Finding, nodes: u64, judge: &mut dyn Judge) {
        let &[m, answer, ..] = found.line.as_slice() else {
            return;
        };
        let after = self.position.after(m);
        let is_drawn = |answer: &Move| endings::is_drawn(&after.after(*answer));
        let legal = after.legal_moves();
        if found.score >= DRAW || !legal.contains(&answer) || !is_drawn(&answer) {
            return;
        }
        let others: Vec<Move> = legal.into_iter().filter(|answer| !is_drawn(answer)).collect();
        let history = [self.history, &[self.position.key()]].concat();
        let best = (!others.is_empty()).then(|| {
            judge.search(&Question {
                position: &after,
                history: &history,
                moves: &others,
                nodes,
            })
        });
        // the draw is the opponent's for the asking
        let best = best.map_or(DRAW, |best| best.score.max(DRAW));
        found.score = found.score.max(-best);
    }

    /// Searches the move alone.
    fn search_it(&self, nodes: u64, judge: &mut dyn Judge) -> Finding {
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
    /// What that means. `only` is set here for a forced move alone; `compare_with_others` finds the only good one.
    pub verdict: Verdict,
}

impl Graded {
    /// A better move than the one that is graded, if there is one.
    pub fn better(&self) -> Option<Move> {
        let best = self.findings.best.line.first().copied();
        best.filter(|_| self.verdict.grade != Grade::Best)
    }
}

/// The grade of a move takes up to three rounds of searches, each with the nodes divided by this.
const ROUNDS: [u64; 3] = [10, 4, 4];

/// A piece that is given costs so much at least, less what the move took. What it brings is seen late: unless it
/// is a blunder, the move is searched with all nodes once more.
const GIVEN: i32 = 200;

/// A score that moves by more than this between two rounds is searched on, as is a drop so near to the next grade.
const UNSETTLED: f64 = 0.03;

/// A drop from which the first round is enough …
const CLEAR: f64 = 0.7;

/// … where the player was sure to win, with at least so much, or did not stand clearly better.
const SURELY_WON: f64 = 0.65;

/// Grades a move by searches of all moves and, where it is not the best of them, of the move alone, until the scores have
/// settled. Short mates of both sides and elementary endings are looked up and not left to the search. What the judge
/// remembers is forgotten first, so that nothing that was asked before changes the answer.
pub fn grade(subject: &Subject, judge: &mut dyn Judge, nodes: u64) -> Graded {
    judge.forget();
    let knowledge = Knowledge::of(subject);
    let is_theory = openings::is_theory(&subject.position.after(subject.m));
    let mut spent = 0;
    let mut graded_by = |mut findings: Findings, nodes: u64, judge: &mut dyn Judge| {
        spent += Verdict::of(subject.position, &findings).nodes;
        knowledge.correct(subject, &mut findings);
        // where the choice of the search is mated by proof, another move may be better
        if knowledge.mated.is_some() && findings.best.line.first() == Some(&subject.m) {
            let better = subject.better_than(&findings.played, nodes, judge);
            findings.best = better.unwrap_or(findings.best);
        }
        if knowledge.few {
            subject.hold_by_answers(&mut findings, nodes, judge);
        }
        let mut verdict = Verdict::of(subject.position, &findings);
        verdict.nodes = spent;
        verdict.theory = is_theory;
        if is_theory && verdict.grade < Grade::Mistake && verdict.grade != Grade::Best {
            verdict.grade = Grade::Good;
        }
        if is_howler(subject, &findings, &verdict) {
            verdict.howler = true;
            verdict.grade = Grade::Inaccuracy;
        }
        Graded { findings, verdict }
    };
    let mut ask = |share: u64, judge: &mut dyn Judge| {
        let nodes = (nodes / share).max(1);
        graded_by(subject.ask(nodes, judge), nodes, judge)
    };
    let mut graded = ask(ROUNDS[0], judge);
    let is_forced = graded.verdict.only.is_some();
    if is_forced || graded.is_certain() || graded.verdict.is_plain() {
        return graded;
    }
    for share in &ROUNDS[1..] {
        let before = graded.verdict;
        graded = ask(*share, judge);
        if graded.is_certain() || graded.verdict.is_settled_since(&before) {
            break;
        }
    }
    let is_doubtful = matches!(graded.verdict.grade, Grade::Inaccuracy | Grade::Mistake);
    if is_doubtful && !graded.is_certain() && gives_a_piece(subject) {
        let findings = Findings {
            played: subject.search_it(nodes, judge),
            // its nodes have been counted
            best: Finding {
                nodes: 0,
                ..graded.findings.best
            },
        };
        graded = graded_by(findings, nodes, judge);
    }
    graded
}

/// Whether the move leaves its piece to be taken, for much less than that is worth.
fn gives_a_piece(subject: &Subject) -> bool {
    let (position, m) = (subject.position, subject.m);
    exchange::best(&position.after(m), m.landing()) - exchange::takings(position, m) >= GIVEN
}

impl Graded {
    /// Whether both scores are mates or results from tablebases.
    fn is_certain(&self) -> bool {
        is_decisive(self.findings.best.score) && is_decisive(self.findings.played.score)
    }
}

impl Verdict {
    /// Whether so much is thrown away that a short search sees it.
    fn is_plain(&self) -> bool {
        let had = self.before.expected;
        self.drop >= CLEAR && !(Assessment::BETTER..SURELY_WON).contains(&had)
    }

    /// Whether another round has changed little, and the grade does not hang by a hair.
    fn is_settled_since(&self, before: &Verdict) -> bool {
        let stays = |one: Assessment, other: Assessment| (one.expected - other.expected).abs() <= UNSETTLED;
        let is_near = |bound: &f64| (self.drop - bound).abs() <= UNSETTLED;
        let hangs = self.grade != Grade::Best && [0.1, 0.2, 0.3].iter().any(is_near);
        stays(self.before, before.before) && stays(self.after, before.after) && !hangs
    }
}

/// Score that a piece given away in a lost game costs at least, in centipawns, as the piece itself does.
const HOWLER: i32 = 300;

/// Whether the move of a player who is lost leaves a piece to be taken, which the winning chances hardly show.
fn is_howler(subject: &Subject, findings: &Findings, verdict: &Verdict) -> bool {
    let (Value::Centipawns(had), Value::Centipawns(has)) = (verdict.before.value, verdict.after.value) else {
        return false;
    };
    let Some(&answer) = findings.played.line.get(1) else {
        return false;
    };
    let after = subject.position.after(subject.m);
    verdict.grade == Grade::Good
        && verdict.before.is_lost()
        && had - has >= HOWLER
        && after.legal_moves().contains(&answer)
        && exchange::value_of(&after, answer) - exchange::takings(subject.position, subject.m) >= HOWLER
}

/// What is known of a move without a search.
struct Knowledge {
    /// A short mate by the player.
    mate: Option<Vec<Move>>,
    /// A short mate by the opponent after the move.
    mated: Option<Vec<Move>>,
    /// Whether elementary endings are near.
    few: bool,
    /// A perpetual check by the player, this move before others.
    checks: OnceCell<Option<Move>>,
}

impl Knowledge {
    fn of(subject: &Subject) -> Knowledge {
        Knowledge {
            mate: mates::short(subject.position),
            mated: mates::short(&subject.position.after(subject.m)),
            few: subject.position.occupied().count() <= 8,
            checks: OnceCell::new(),
        }
    }

    /// Puts what is known in the place of what the search believes.
    fn correct(&self, subject: &Subject, findings: &mut Findings) {
        let Findings { best, played } = findings;
        if self.few {
            self.look_up(subject, best, played);
        }
        self.hold_by_checks(subject, best, played);
        if let Some(line) = &self.mated {
            let score = mated_in(line.len() + 1);
            if played.score > score {
                played.score = score;
                played.line = [&[subject.m][..], line].concat();
                if best.line.first() == Some(&subject.m) {
                    *best = played.clone();
                }
            }
        }
        if let Some(line) = &self.mate {
            let score = mate_in(line.len());
            if best.score < score {
                best.score = score;
                best.line.clone_from(line);
            }
            if line.first() == Some(&subject.m) && played.score < score {
                played.score = score;
                played.line.clone_from(line);
            }
        }
    }

    /// A perpetual check that is proved draws a game that the search believes to be lost: its last step may be an offer of
    /// the last piece, many checks later, with stalemate if it is taken.
    fn hold_by_checks(&self, subject: &Subject, best: &mut Finding, played: &mut Finding) {
        if Assessment::of(best.score.min(played.score)).expected > -Assessment::BETTER {
            return;
        }
        let Some(check) = *self.checks.get_or_init(|| perpetual_check(subject)) else {
            return;
        };
        if check == subject.m && played.score < DRAW {
            played.score = DRAW;
            keep_checks(subject.position, &mut played.line);
        }
        if best.score < DRAW {
            *best = match check == subject.m {
                true => played.clone(),
                false => Finding {
                    score: DRAW,
                    line: vec![check],
                    nodes: best.nodes,
                },
            };
        }
    }

    /// Elementary endings after the move and after any other one.
    fn look_up(&self, subject: &Subject, best: &mut Finding, played: &mut Finding) {
        let known = |m: Move| endings::result(&subject.position.after(m));
        let told = |result, score: Score| match result {
            endings::Result::Draw => DRAW,
            endings::Result::Loss => score.max(WON),
            endings::Result::Win => score.min(-WON),
        };
        if let Some(result) = known(subject.m) {
            played.score = told(result, played.score);
        }
        let first = best.line.first().copied();
        if let Some(result) = first.and_then(known) {
            best.score = told(result, best.score);
        }
        let others = subject.position.legal_moves().into_iter();
        for (m, result) in others.filter_map(|m| Some((m, known(m)?))) {
            let score = told(result, best.score);
            if Assessment::of(score).expected - Assessment::of(best.score).expected > CLEARLY {
                best.score = score;
                best.line = vec![m];
            }
        }
        if played.score >= best.score && first != Some(subject.m) {
            *best = played.clone();
        }
    }
}

/// The first move of a perpetual check, the subject's own if it is one.
fn perpetual_check(subject: &Subject) -> Option<Move> {
    let goes_on = |&m: &Move| perpetual::is_perpetual(&subject.position.after(m));
    let others = || subject.position.legal_moves().into_iter().find(goes_on);
    Some(subject.m).filter(goes_on).or_else(others)
}

/// Cuts a line before the first move by its first player that ends the checks.
fn keep_checks(start: &Position, line: &mut Vec<Move>) {
    let mut position = *start;
    for ply in 0..line.len() {
        position = position.after(line[ply]);
        if ply % 2 == 0 && !perpetual::is_perpetual(&position) {
            line.truncate(ply);
            return;
        }
    }
}

/// The least score of an ending that is known to be won.
const WON: Score = 900;

/// What a known result has to be better by to take the place of the search's choice.
const CLEARLY: f64 = 0.1;

/// The second-best move gets the nodes divided by this …
const SECOND: u64 = 5;

/// … and, before a move is called the only good one, the others once more divided by this.
const OTHERS_AGAIN: u64 = 3;

/// The second-best move after a grade of [`Grade::Best`]. Where it would be a mistake and the move holds the game, the
/// others are searched farther, and only if the same comes out the move is called the only good one.
pub(super) fn compare_with_others(
    subject: &Subject,
    graded: &mut Graded,
    judge: &mut dyn Judge,
    nodes: u64,
) -> Option<Finding> {
    if graded.verdict.grade != Grade::Best {
        return None;
    }
    let second = subject.search_others(nodes / SECOND, judge)?;
    graded.verdict.nodes += second.nodes;
    if is_only(&graded.findings.played, &second) && graded.verdict.only.is_none() {
        let others = subject.search_others(nodes / OTHERS_AGAIN, judge)?;
        graded.verdict.nodes += others.nodes;
        let holds = is_only(&graded.findings.played, &others) && !subject.others_are_known_to_hold();
        graded.verdict.only = holds.then_some(OnlyMove::Good);
    }
    Some(second)
}

/// Whether the first answer holds the game and the second would be a mistake beside it. Where the player is clearly worse
/// even with the first, nothing depends on it.
fn is_only(first: &Finding, second: &Finding) -> bool {
    let [first, second] = [first, second].map(|answer| Assessment::of(answer.score).expected);
    first >= -Assessment::BETTER && Grade::of(first - second) >= Grade::Mistake
}
