//! What a move leaves to be taken, and what becomes of whoever takes it.

use super::check::{exchange, mates};
use super::claim::{Claim, Motif};
use super::course::{Course, READ};
use super::endings;
use super::explanation::{Assessment, Reason, Role, Said};
use super::judge::{Finding, Judge, Question};
use super::line::Line;
use super::reasons::{achieves, claimed, turned_against};
use super::verdict::line_of;
use crate::board::{Move, PieceType, Position};

/// From this expected score on who has offered something may well win more; …
const PROMISES: f64 = 0.4;

/// … searches that follow the line where it ends before the gain, …
const GOES_ON: usize = 3;

/// … up to so many plies.
const FAR: usize = 16;

/// The plies of a refutation after which the greedy capture is looked at: two moves of each side.
const GREED: usize = 4;

/// A loss within so many plies is seen by who thinks of taking back in a trade, or of taking a pawn.
pub const SEEN: usize = 7;

/// What a mistake gives away of the expected score.
const COSTS: f64 = 0.2;

/// Taking a piece that helps so little more than another answer does not help.
const AS_GOOD: f64 = 0.05;

/// So many plies show how a mistake is met that loses nothing at once.
const SHOWN: usize = 6;

/// The longest line that is told with one more move of the player.
const LAST_WORD: usize = 4;

/// What follows a check is searched for with the nodes divided by this.
const CHECKS: u64 = 4;

/// The ply of the opponent's second answer to a bad move.
const LATER: usize = 3;

/// A natural capture takes a piece.
const PIECE: i32 = 300;

/// What seems to be lost is a minor piece at most.
pub const SMALL_BAIT: i32 = 500;

/// A move that leaves something to be taken, in its position.
pub struct Offer<'a> {
    pub question: Question<'a>,
    pub m: Move,
    /// The answer that is expected.
    pub answer: Option<Move>,
    /// What the move is worth to its player, where a capture is to be compared with that answer.
    pub worth: Option<f64>,
    /// Of taking back in a trade only what fails within so many plies is told.
    pub seen: usize,
}

impl Offer<'_> {
    /// The capture that seems to win most of what the move leaves to be taken, with that.
    pub fn bait(&self) -> Option<(i32, Move)> {
        let after = self.question.position.after(self.m);
        let value = |m: &Move| exchange::value_of(&after, *m);
        // what the expected answer takes can be taken after all
        let expected = self.answer.filter(|answer| answer.is_capture()).map(Move::to);
        let captures = after
            .legal_moves()
            .into_iter()
            .filter(|m| m.is_capture() && Some(*m) != self.answer && Some(m.to()) != expected);
        let valued = captures.map(|m| (value(&m), m));
        valued
            .max_by_key(|&(value, _)| value)
            .filter(|&(value, _)| value >= 100)
    }

    /// The short mate that follows where the opponent takes the queen or rook that has moved by one of the same kind.
    pub fn mated_for_trading(&self) -> Option<Line> {
        let (start, square) = (self.question.position, self.m.landing());
        let after = start.after(self.m);
        let kind = self.m.piece().kind();
        if !matches!(kind, PieceType::Queen | PieceType::Rook) {
            return None;
        }
        let is_trade = |m: &Move| m.is_capture() && m.to() == square && m.piece().kind() == kind;
        let trades = after.legal_moves().into_iter().filter(is_trade);
        trades
            .filter(|&taking| self.answer != Some(taking))
            .find_map(|taking| {
                let mate = mates::short(&after.after(taking))?;
                Some(line_of(start, &[&[self.m, taking], &mate[..]].concat()))
            })
    }

    /// What becomes of an opponent who makes this capture, with what it seems to win.
    pub fn taken_by(&self, (value, taking): (i32, Move), judge: &mut dyn Judge) -> Option<(i32, Reason)> {
        if let Some(reason) = stalemate(self.question.position, &[self.m, taking]) {
            return Some((value, reason));
        }
        let course = self.course(vec![self.m, taking], judge);
        let Some(line) = shown(&course) else {
            return Some((value, self.costs((value, taking), &course)?));
        };
        // of a trade only what fails soon is told, or why a piece is lost instead
        let is_trade =
            taking.to() == self.m.landing() && value <= exchange::takings(self.question.position, self.m);
        // and of a pawn that is left behind
        let is_pawn_left = taking.to() != self.m.landing() && value <= exchange::worth(PieceType::Pawn);
        if is_trade && line.len() > self.seen || is_pawn_left && line.len() > SEEN {
            return None;
        }
        let back = taking_back(&line).and_then(|moves| self.outcome(moves, judge));
        let reason = achieves(Motif::CannotTake { square: taking.to() }, back.unwrap_or(line))?;
        Some((value, reason))
    }

    /// That a capture by the opponent is a mistake, although it loses nothing, or that taking the moved piece helps it no more
    /// than the expected answer does.
    fn costs(&self, (value, taking): (i32, Move), course: &Course) -> Option<Reason> {
        let more = course.worth - self.worth?;
        let mistake = more >= COSTS && course.worth >= Assessment::BETTER;
        let is_gift = taking.to() == self.m.landing() && value >= PIECE;
        let is_sound = is_gift && more >= -AS_GOOD && course.worth >= -Assessment::SLIGHTLY_BETTER;
        let line = course.line.prefix(if mistake { SHOWN } else { SHOWN + 1 });
        let motif = Motif::TakingCosts {
            square: taking.to(),
            mistake,
        };
        (mistake || is_sound).then(|| achieves(motif, line)).flatten()
    }

    /// What becomes of an opponent who takes back later in a line, where that seems to win something and is not expected.
    pub fn taking_back_fails_in(&self, line: &Line, judge: &mut dyn Judge) -> Option<Reason> {
        let moves = taking_back(line)?;
        let claim = Claim {
            ply: moves.len() - 2,
            motif: Motif::CannotTake {
                square: moves.last()?.to(),
            },
        };
        let line = self.outcome(moves, judge).filter(|line| line.len() <= READ)?;
        claimed(Role::Achieves, claim, line)
    }

    /// The line that shows what the player, who is to move after these moves, gains by them; `None` if it is nothing.
    pub fn outcome(&self, moves: Vec<Move>, judge: &mut dyn Judge) -> Option<Line> {
        shown(&self.course(moves, judge))
    }

    /// Where it leads if the player, who is to move after these moves, goes on.
    fn course(&self, mut moves: Vec<Move>, judge: &mut dyn Judge) -> Course {
        let (start, after) = (self.question.position, self.question.position.after(self.m));
        let history = [self.question.history, &[start.key(), after.key()]].concat();
        let nodes = self.question.share();
        let found = judge.search(&Question {
            position: line_of(self.question.position, &moves).end(),
            history: &history,
            moves: &[],
            nodes,
        });
        let mut expected = Assessment::of(found.score).expected;
        moves.extend(&found.line);
        let mut answer = Finding { line: moves, ..found };
        let mut course = Course::follow(&self.question, &answer, judge);
        // the gain that the score promises may come after the end of the line
        for _ in 0..GOES_ON {
            if expected < PROMISES || course.outcome.is_some() || course.line.len() >= FAR {
                break;
            }
            let end = course.line.end();
            let further = judge.search(&Question {
                position: end,
                history: &history,
                moves: &[],
                nodes: nodes / 2,
            });
            let for_mover = Assessment::of(further.score).expected;
            expected = if end.side_to_move() == start.side_to_move() {
                for_mover
            } else {
                -for_mover
            };
            answer.line = [course.line.moves(), &further.line].concat();
            course = Course::follow(&self.question, &answer, judge);
        }
        course
    }
}

/// The part of a course that shows what its player gains.
fn shown(course: &Course) -> Option<Line> {
    let (_, line) = course.outcome.as_ref()?;
    if course.gain <= 0 || line.len() <= 2 {
        return None;
    }
    // of a short line the player has the last word
    let more = line.len() + usize::from(line.len().is_multiple_of(2) && line.len() <= LAST_WORD);
    Some(course.line.prefix(more.min(course.line.len())))
}

/// What becomes of a player who takes back after the answer to a bad move, or takes a rook or a queen that is left to be taken
/// or, if `is_attack_told`, what the moved piece attacks, as is natural, where the search does not expect it. With it comes
/// what that seems to win.
pub fn taking_back_fails(
    question: &Question,
    line: &Line,
    is_attack_told: bool,
    judge: &mut dyn Judge,
) -> Option<(i32, Reason)> {
    let (m, answer) = (line.at(0)?, line.at(1)?);
    let history = [question.history, &[question.position.key()]].concat();
    // who does not take back a piece has a reason
    let taken = exchange::takings(line.after(0), answer);
    let is_left = taken >= PIECE && !line.is_taken(1) && line.len() > 2;
    let offer = Offer {
        question: Question {
            position: line.after(0),
            history: &history,
            ..*question
        },
        m: answer,
        answer: line.at(2),
        worth: None,
        seen: if is_left { READ } else { SEEN },
    };
    let bait = offer.bait().filter(|(value, taking)| {
        let is_few = endings::has_few_pieces(line.start());
        // what has been taken is taken back first
        let is_busy = answer.is_capture() && line.is_taken(1);
        let is_wanted = is_attack_told && taking.from() == m.landing() && !is_busy;
        is_wanted || taking.to() == answer.landing() || *value >= SMALL_BAIT || is_few
    })?;
    let (value, reason) = offer.taken_by(bait, judge)?;
    Some((value, turned_against(question, m, &reason)?))
}

/// That the player's next natural capture after a bad move and its answer, of a piece that the opponent leaves a move later,
/// fails.
pub fn capture_fails_later(question: &Question, line: &Line, judge: &mut dyn Judge) -> Option<Reason> {
    let (before, m) = (line.moves().get(..LATER)?, line.at(LATER)?);
    let offer = Offer {
        question: Question {
            position: line.after(LATER - 1),
            history: &[],
            ..*question
        },
        m,
        answer: line.at(LATER + 1),
        worth: None,
        seen: SEEN,
    };
    let bait = offer.bait().filter(|&(value, _)| value >= PIECE)?;
    let (_, reason) = offer.taken_by(bait, judge)?;
    let Said::Claim(claim) = reason.said else {
        return None;
    };
    let claim = Claim {
        ply: claim.ply + LATER,
        ..claim
    };
    let moves = [before, reason.line.moves()].concat();
    claimed(Role::Allows, claim, line_of(question.position, &moves))
}

/// That a player who goes on taking after the answer to a bad move is mated in a few moves.
pub fn greed_is_mated(question: &Question, line: &Line) -> Option<Reason> {
    let moves = line.moves().get(..GREED)?;
    let position = line.after(GREED - 1);
    let offered =
        |m: &Move| m.is_capture() && exchange::takings(position, *m) >= exchange::worth(PieceType::Rook);
    let takes = position.legal_moves().into_iter().filter(offered);
    let (taking, mate) = takes
        .filter(|&taking| line.at(GREED) != Some(taking))
        .find_map(|taking| Some((taking, mates::short(&position.after(taking))?)))?;
    let line = line_of(question.position, &[moves, &[taking], &mate[..]].concat());
    let claim = Claim {
        ply: GREED - 1,
        motif: Motif::CannotTake { square: taking.to() },
    };
    claimed(Role::Allows, claim, line)
}

/// That the natural check after the answer to a bad move runs into stalemate: the opponent leaves a piece, and taking it ends
/// the game.
pub fn stalemate_saves(question: &Question, line: &Line, judge: &mut dyn Judge) -> Option<Reason> {
    let (m, answer) = (line.at(0)?, line.at(1)?);
    let after = line.after(1);
    let checks = after
        .legal_moves()
        .into_iter()
        .filter(|&check| after.after(check).in_check());
    let mut saved = checks.filter_map(|check| {
        let position = after.after(check);
        let found = judge.search(&Question {
            position: &position,
            history: &[],
            moves: &[],
            nodes: question.share() / CHECKS,
        });
        let way_out = *found.line.first()?;
        let takings = position.after(way_out).legal_moves().into_iter();
        let mut ends = takings
            .filter(|taking| taking.is_capture())
            .filter_map(|taking| stalemate(question.position, &[m, answer, check, way_out, taking]));
        let reason = ends.next()?;
        Some(Reason {
            role: Role::Allows,
            ..reason
        })
    });
    saved.next()
}

/// A line up to where the second player could take back with profit, as it seems, and does not; with that capture.
fn taking_back(line: &Line) -> Option<Vec<Move>> {
    let back = |ply: usize| {
        let taken = line.at(ply - 1).filter(|m| m.is_capture())?.landing();
        let before = line.before(ply);
        let captures = before.legal_moves().into_iter();
        let back = captures
            .filter(|m| m.is_capture() && m.to() == taken)
            .max_by_key(|m| exchange::value_of(before, *m))?;
        let is_natural = line.at(ply)?.to() != taken && exchange::value_of(before, back) >= 100;
        is_natural.then(|| [&line.moves()[..ply], &[back]].concat())
    };
    (3..line.len()).step_by(2).find_map(back)
}

/// That the last of these moves, which takes what the move before it offers, is stalemate.
pub fn stalemate(position: &Position, moves: &[Move]) -> Option<Reason> {
    let [.., _, taking] = *moves else {
        return None;
    };
    let claim = Claim {
        ply: moves.len() - 2,
        motif: Motif::StalemateTrick { square: taking.to() },
    };
    claimed(Role::Achieves, claim, line_of(position, moves))
}
