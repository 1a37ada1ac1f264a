//! Where a line leads: the search's line, followed until nothing is left to be taken, and what it comes to.

use super::check::{self, exchange};
use super::claim::{Claim, Counts, Motif};
use super::detect;
use super::endings;
use super::explanation::Assessment;
use super::judge::{Finding, Judge, Question};
use super::line::Line;
use super::verdict::line_of;
use crate::board::{Color, Move, PieceType};
use crate::nets::Score;
use crate::nets::score::is_mate;

/// Plies that are followed where no mate is expected; what comes later is guesswork.
const LONGEST: usize = 20;

/// A line shorter than this is followed further: its end may come of a table, and what a move wins may come after it.
const SHORTEST: usize = 5;

/// A gain of less than a piece, in centipawns.
pub const SMALL: i32 = 300;

/// A pawn that is lost after more plies than that is no reason.
const SLOW: usize = 9;

/// How much more a knight or bishop is worth than a pawn.
const PIECE_FOR_PAWN: i32 = 200;

/// Plies that are followed to a mate.
const LONGEST_MATE: usize = 40;

/// A gain within so many plies is a tactic whatever else could be played.
const SOON: usize = 7;

/// How many times a line may be extended by a search from its end.
const EXTENSIONS: usize = 4;

/// Each extension gets the nodes of the first search divided by this.
const SHARE: u64 = 8;

/// How many plies back from the end of a line a settled position is looked for.
const TAIL: usize = 6;

/// The share of a line's gain that a part of it has to show.
const MOST: (i32, i32) = (3, 4);

/// The same where that takes more than [`READ`] plies.
const LESS: (i32, i32) = (2, 3);

/// So many plies of a line are read; nobody reads a longer one to its end.
pub const READ: usize = 12;

/// Material ahead by so much more than the score, in centipawns, was not all won.
const THROWN_IN: i32 = 250;

/// More than any material.
pub const MATE_GAIN: i32 = 100_000;

/// A line that was followed to its end.
#[derive(Clone, Debug)]
pub struct Course {
    /// The moves that the search expects.
    pub line: Line,
    /// Mate, or material that is kept, with as much of the line as shows it.
    pub outcome: Option<(Claim, Line)>,
    /// What the score says of it, for the player who begins.
    pub worth: f64,
    /// What the player who begins gains in the end, in centipawns: negative for a loss, ±100,000 for mate.
    pub gain: i32,
}

impl Course {
    /// Follows the line of an answer to this question.
    pub fn follow(question: &Question, answer: &Finding, judge: &mut dyn Judge) -> Course {
        let line = extended(question, answer, judge);
        let outcome = mate(&line).or_else(|| material(&line));
        let outcome = outcome.filter(|(claim, line)| !is_paid_for(claim, line, answer.score));
        let outcome = outcome.filter(|(claim, line)| !is_a_trade(claim, line));
        let outcome = outcome.map(|found| before_what_is_thrown_in(&line, found, answer.score));
        let worth = Assessment::of(answer.score).expected;
        Course::leading_to(outcome, line, worth)
    }

    /// A line that comes to this.
    fn leading_to(outcome: Option<(Claim, Line)>, line: Line, worth: f64) -> Course {
        let us = line.start().side_to_move();
        let gain = outcome.as_ref().map_or(0, |(claim, _)| match claim.motif {
            Motif::Material {
                winner, centipawns, ..
            } => signed(centipawns, winner == us),
            _ => signed(MATE_GAIN, line.mover(claim.ply) == us),
        });
        Course {
            line,
            outcome,
            worth,
            gain,
        }
    }

    /// The same line with the material that falls on the way to a mate which is too far to be seen.
    pub fn with_what_falls_first(self) -> Course {
        let is_far = self.loses_to_mate() && self.ends_late();
        match is_far.then(|| material(&self.line)).flatten() {
            Some(falls) => Course::leading_to(Some(falls), self.line, self.worth),
            None => self,
        }
    }

    /// The piece that the player who begins has won within so many plies and keeps for now.
    pub fn piece_within(&self, plies: usize) -> Option<(Claim, Line)> {
        let us = self.line.mover(0);
        let wins = |claim: &Claim| match claim.motif {
            Motif::Material {
                winner, centipawns, ..
            } => winner == us && centipawns >= SMALL,
            _ => false,
        };
        let parts = (1..=plies.min(self.line.len())).map(|plies| self.line.prefix(plies));
        let mut kept = parts.filter(is_settled).filter_map(|part| {
            let claim = detect::material(&part).filter(|claim| wins(claim) && adds_up(claim))?;
            check::confirms(&part, &claim).then_some((claim, part))
        });
        kept.next()
    }

    /// Whether it comes to a gain of material for the player who begins, but only after many plies.
    pub fn comes_late(&self) -> bool {
        self.gain > 0 && !self.mates() && self.ends_late()
    }

    /// Whether it comes to a small loss of material for the player who begins.
    pub fn loses_a_little(&self) -> bool {
        (1..SMALL).contains(&-self.gain)
    }

    /// Whether a pawn is lost, and only after very many plies, to which a quiet answer leads.
    pub fn loses_slowly(&self) -> bool {
        let is_slow = self.outcome.as_ref().is_some_and(|(_, line)| line.len() > SLOW);
        let is_quiet = self.line.at(1).is_some_and(|answer| !answer.is_capture());
        (1..PIECE_FOR_PAWN).contains(&-self.gain) && is_slow && is_quiet
    }

    /// Whether what it comes to comes only after many plies.
    pub fn ends_late(&self) -> bool {
        self.outcome.as_ref().is_some_and(|(_, line)| line.len() > SOON)
    }

    /// The same line, with nothing said of where it leads if the search itself saw little of that, and what shorter searches
    /// add is a small gain or one in a game that is not won.
    pub fn told_as_seen(self, answer: &Finding) -> Course {
        let is_small = self.gain < SMALL || self.worth < Assessment::WINNING;
        if answer.line.len() < SHORTEST && self.comes_late() && is_small {
            return self.without_outcome();
        }
        self
    }

    /// The same line, with nothing said of where it leads.
    pub fn without_outcome(&self) -> Course {
        Course {
            outcome: None,
            gain: 0,
            ..self.clone()
        }
    }

    /// Whether it ends in mate by the player who begins.
    pub fn mates(&self) -> bool {
        self.gain == MATE_GAIN
    }

    /// Whether it ends in mate by the other player.
    pub fn loses_to_mate(&self) -> bool {
        self.gain == -MATE_GAIN
    }

    /// The part of the line that its claims are about: up to the outcome, or the first moves where there is none.
    pub fn telling(&self) -> Line {
        match &self.outcome {
            Some((_, line)) => line.clone(),
            None => self.line.prefix(TAIL),
        }
    }
}

/// A gain as the player who begins sees it.
pub fn signed(gain: i32, is_ours: bool) -> i32 {
    if is_ours { gain } else { -gain }
}

/// The line of an answer, extended by searches from its end while it stops short of an expected mate or amid captures.
pub fn extended(question: &Question, answer: &Finding, judge: &mut dyn Judge) -> Line {
    let mates = is_mate(answer.score);
    let longest = if mates { LONGEST_MATE } else { LONGEST };
    let mut line = line_of(question.position, &answer.line).prefix(longest);
    for _ in 0..EXTENSIONS {
        let is_done = !mates && line.len() >= SHORTEST && settled_part(&line).is_some();
        if is_done || line.len() >= longest || !line.end().has_moves() {
            break;
        }
        let found = search_on(question, &line, judge);
        let before = line.len();
        for m in found.into_iter().take(longest - before) {
            line.push(m);
        }
        if line.len() == before {
            break;
        }
    }
    line
}

/// What the search expects at the end of a line.
fn search_on(question: &Question, line: &Line, judge: &mut dyn Judge) -> Vec<Move> {
    let mut history = question.history.to_vec();
    history.extend((0..line.len()).map(|ply| line.before(ply).key()));
    let answer = judge.search(&Question {
        position: line.end(),
        history: &history,
        moves: &[],
        nodes: (question.nodes / SHARE).max(1),
    });
    line_of(line.end(), &answer.line).moves().to_vec()
}

/// The longest part of a line, near its end, after which the side to move has nothing to win by captures.
fn settled_part(line: &Line) -> Option<usize> {
    let shortest = line.len().saturating_sub(TAIL).max(1);
    (shortest..=line.len())
        .rev()
        .find(|&plies| is_settled(&line.prefix(plies)))
}

/// Whether the side to move at the end of a line has nothing to win by captures.
fn is_settled(line: &Line) -> bool {
    let waits: Color = !line.end().side_to_move();
    exchange::keeps(line.end(), waits, exchange::balance(line.end(), waits))
}

/// The mate at the end of a line.
fn mate(line: &Line) -> Option<(Claim, Line)> {
    let ply = line.len().checked_sub(1)?;
    let mated = line.end().side_to_move();
    let claim = Claim {
        ply,
        motif: Motif::Mate {
            king: line.end().king(mated),
        },
    };
    check::confirms(line, &claim).then(|| (claim, line.clone()))
}

/// The material that one side is up in the end and keeps, with the shortest part of the line that shows most of it; of a long
/// part nobody reads the end, and a little less will do.
fn material(line: &Line) -> Option<(Claim, Line)> {
    let last = detect::material(&line.prefix(settled_part(line)?))?;
    let found = shortest_with(line, &last, MOST)?;
    let is_long = found.1.len() > READ;
    is_long
        .then(|| shortest_with(line, &last, LESS))
        .flatten()
        .or(Some(found))
}

/// The shortest part of a line with at least such a share of its gain, as numerator and denominator.
fn shortest_with(line: &Line, last: &Claim, share: (i32, i32)) -> Option<(Claim, Line)> {
    (1..=line.len()).find_map(|plies| {
        // a line that stops before the piece is taken back tells of a loss that is none
        if line.is_taken(plies - 1) {
            return None;
        }
        let part = line.prefix(plies);
        let is_enough = |claim: &Claim| is_most(claim, last, share) && adds_up(claim);
        let claim = detect::material(&part).filter(is_enough)?;
        check::confirms(&part, &claim).then_some((claim, part))
    })
}

/// Whether a gain of material is not real: its side ends up ahead in material, yet stands no better by the score. Then
/// the material was given up for compensation, or the line ends in a mistake.
fn is_paid_for(claim: &Claim, line: &Line, score: Score) -> bool {
    let Motif::Material { winner, .. } = claim.motif else {
        return false;
    };
    let expected = Assessment::of(score).expected;
    let is_ours = winner == line.start().side_to_move();
    let expected = if is_ours { expected } else { -expected };
    let ahead = exchange::balance(line.end(), winner);
    // a piece more, and the score of half a pawn
    ahead > 0 && expected < Assessment::SLIGHTLY_BETTER || ahead >= 300 && expected < Assessment::BETTER
}

/// The first gain of the line, where the one that was found is far more than the score says: then the loser gives up more and
/// more to put off what is lost anyway.
fn before_what_is_thrown_in(line: &Line, found: (Claim, Line), score: Score) -> (Claim, Line) {
    let Motif::Material { winner, .. } = found.0.motif else {
        return found;
    };
    let score = signed(score, winner == line.start().side_to_move());
    let is_credible = |part: &Line| exchange::balance(part.end(), winner) <= score + THROWN_IN;
    if is_credible(&found.1) {
        return found;
    }
    let parts = (1..found.1.len()).map(|plies| line.prefix(plies));
    let mut gains = parts.filter_map(|part| {
        let claim = detect::material(&part).filter(adds_up)?;
        let is_gain = matches!(claim.motif, Motif::Material { winner: of, .. } if of == winner);
        let is_kept = is_settled(&part) && is_credible(&part) && !line.is_taken(part.len() - 1);
        (is_gain && is_kept && check::confirms(&part, &claim)).then_some((claim, part))
    });
    gains.next().unwrap_or(found)
}

/// Whether what is won in an ending is only a trade that the other side declines: the first move's capture, which could be
/// taken back at no loss.
fn is_a_trade(claim: &Claim, line: &Line) -> bool {
    let (Motif::Material { centipawns, .. }, Some(m)) = (&claim.motif, line.at(0)) else {
        return false;
    };
    m.is_capture()
        && endings::has_few_pieces(line.start())
        && !line.is_taken(0)
        && exchange::value_of(line.start(), m) <= 0
        && *centipawns <= exchange::takings(line.start(), m)
}

/// Whether the pieces that are named make up the gain: not where the loser promotes, and the new piece is taken.
fn adds_up(claim: &Claim) -> bool {
    let Motif::Material {
        centipawns,
        won,
        lost,
        promoted,
        ..
    } = claim.motif
    else {
        return true;
    };
    let worth = |counts: Counts| -> i32 {
        let kinds = PieceType::ALL.into_iter().zip(counts);
        kinds
            .map(|(kind, count)| exchange::worth(kind) * i32::from(count))
            .sum()
    };
    let pawns: i32 = promoted.into_iter().map(i32::from).sum();
    worth(won) - worth(lost) + worth(promoted) - pawns * exchange::worth(PieceType::Pawn) == centipawns
}

/// Whether a gain is the same player's as the final one and about as large, from a share of it to three halves: a pawn that
/// falls or is given back ten plies after the queen is not worth the longer line.
fn is_most(claim: &Claim, last: &Claim, (part, whole): (i32, i32)) -> bool {
    let gain = |claim: &Claim| match claim.motif {
        Motif::Material {
            winner, centipawns, ..
        } => Some((winner, centipawns)),
        _ => None,
    };
    gain(claim)
        .zip(gain(last))
        .is_some_and(|(one, end)| one.0 == end.0 && 2 * one.1 <= 3 * end.1 && whole * one.1 >= part * end.1)
}
