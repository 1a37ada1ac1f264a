//! Whether a player who loses material in the expected line has to lose it. A search may prefer a gambit to a move that
//! keeps the pawn: then the pawn is not simply lost.

use super::check::exchange;
use super::claim::Motif;
use super::course::{Course, extended};
use super::explanation::{Assessment, Grade, WayOut};
use super::judge::{Finding, Judge, Question};
use super::line::Line;
use crate::board::Move;
use crate::nets::Score;

/// At how many of the player's moves an alternative is searched for.
const MOVES_ASKED: usize = 3;

/// Each of these searches gets the nodes of the first search divided by this; what they find is then searched with all.
const SHARE: u64 = 4;

/// Looks for an alternative move of the player who begins a line that loses material: one that loses at most half of
/// that and is no mistake. `score` is that of the line, for the same player; one who is lost has no way out.
pub fn way_out(course: &Course, question: &Question, score: Score, judge: &mut dyn Judge) -> Option<WayOut> {
    let (claim, line) = course.outcome.as_ref()?;
    let Motif::Material {
        winner, centipawns, ..
    } = claim.motif
    else {
        return None;
    };
    let stands = Assessment::of(score);
    if line.mover(0) == winner || stands.is_lost() {
        return None;
    }
    let least = exchange::balance(line.start(), !winner) - centipawns / 2;
    let short = &Question {
        nodes: (question.nodes / SHARE).max(1),
        ..*question
    };
    (2..line.len()).step_by(2).take(MOVES_ASKED).find_map(|ply| {
        let drop_of = |other: &Finding| stands.expected - Assessment::of(other.score).expected;
        let is_sound = |other: &Finding| Grade::of(drop_of(other)) < Grade::Mistake;
        let other = search_others(short, line, ply, least, judge).filter(is_sound)?;
        // a short search overlooks what a capture runs into
        let confirmed = search(question, line, ply, &[*other.line.first()?], judge);
        let other = Some(confirmed).filter(is_sound)?;
        let drop = drop_of(&other);
        let instead = kept(short, &line.prefix(ply), &other, least, judge)?;
        Some(WayOut {
            ply,
            worse: Grade::of(drop) >= Grade::Inaccuracy,
            line: instead,
        })
    })
}

/// The best alternative to the line's move at this ply after which no captures bring its side below this balance;
/// `None` if there is none.
fn search_others(
    question: &Question,
    line: &Line,
    ply: usize,
    least: i32,
    judge: &mut dyn Judge,
) -> Option<Finding> {
    let position = line.before(ply);
    let loser = position.side_to_move();
    let moves: Vec<Move> = position
        .legal_moves()
        .into_iter()
        .filter(|&m| Some(m) != line.at(ply) && exchange::keeps(&position.after(m), loser, least))
        .collect();
    (!moves.is_empty()).then(|| search(question, line, ply, &moves, judge))
}

/// The best of these moves in place of the line's at this ply.
fn search(question: &Question, line: &Line, ply: usize, moves: &[Move], judge: &mut dyn Judge) -> Finding {
    let mut history = question.history.to_vec();
    history.extend((0..ply).map(|ply| line.before(ply).key()));
    judge.search(&Question {
        position: line.before(ply),
        history: &history,
        moves,
        nodes: question.nodes,
    })
}

/// The line continued with this answer, cut off at the last ply where the answering side has and keeps at least this
/// balance.
fn kept(
    question: &Question,
    before: &Line,
    answer: &Finding,
    least: i32,
    judge: &mut dyn Judge,
) -> Option<Line> {
    let whole = Finding {
        line: [before.moves(), &answer.line].concat(),
        ..answer.clone()
    };
    let line = extended(question, &whole, judge);
    let loser = before.end().side_to_move();
    (before.len() + 1..=line.len())
        .rev()
        .map(|plies| line.prefix(plies))
        .find(|part| exchange::keeps(part.end(), loser, least))
}
