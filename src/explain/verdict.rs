//! Grades, and what a move does about forced mates.

use super::check::mates;
use super::explanation::{Assessment, Grade, MateNews, OnlyMove, Value, Verdict};
use super::judge::Finding;
use super::line::Line;
use crate::board::{Move, Position};
use crate::nets::score::{EVALUATION_LIMIT, Score, mate_moves};
use crate::nets::wdl;

/// Drops, from 0 to 2, from which a move is an inaccuracy, a mistake and a blunder: those of Lichess.
const DROPS: [(f64, Grade); 3] = [
    (0.3, Grade::Blunder),
    (0.2, Grade::Mistake),
    (0.1, Grade::Inaccuracy),
];

/// Who has more than this without the mate, or less before it was allowed, has made an inaccuracy only; so Lichess.
const MATE_MATTERS_LITTLE: i32 = 999;

/// The same for a mistake.
const MATE_MATTERS: i32 = 700;

/// Mates farther away than this are not proved but left to the search.
const LONGEST_PROOF: u32 = 6;

/// What the searches found about a move.
#[derive(Clone, Debug)]
pub struct Findings {
    /// With all moves.
    pub best: Finding,
    /// With the move that is explained.
    pub played: Finding,
}

impl Findings {
    /// Whether the search found no better move. At equal scores the move is as good.
    pub fn is_best(&self) -> bool {
        self.best.line.first() == self.played.line.first() || self.played.score >= self.best.score
    }

    /// The searches that were made, one of them if both are the same.
    fn searches(&self) -> impl Iterator<Item = &Finding> {
        let both = [&self.best, &self.played];
        both.into_iter().skip(usize::from(self.best == self.played))
    }
}

/// Half of an inaccuracy: a good move that costs so much has a drawback worth a word.
pub const WORTH_A_WORD: f64 = 0.05;

impl Verdict {
    /// The verdict on the first move of `played.line`.
    pub fn of(position: &Position, findings: &Findings) -> Verdict {
        let after = Assessment::of(findings.played.score);
        // two searches of fixed length may disagree: the higher score counts
        let before = Assessment::of(findings.best.score.max(findings.played.score));
        let drop = before.expected - after.expected;
        let is_only_legal = position.count_moves() == 1;
        Verdict {
            before,
            after,
            drop,
            grade: if findings.is_best() {
                Grade::Best
            } else {
                Grade::between(before, after)
            },
            theory: false,
            howler: false,
            only: is_only_legal.then_some(OnlyMove::Legal),
            mates: mate_news(position, before, after, findings),
            nodes: findings.searches().map(|answer| answer.nodes).sum(),
        }
    }

    /// Whether the move costs something worth talking about, though opening theory may know it.
    pub fn is_costly(&self) -> bool {
        self.grade.max(Grade::of(self.drop)) >= Grade::Inaccuracy
    }

    /// Whether the move is so far from the best one that it is worth a word, and no theory.
    pub fn is_outdone(&self) -> bool {
        self.drop >= WORTH_A_WORD && !self.theory
    }

    /// How exact the move is, in per cent, by Lichess's curve (lichess.org/page/accuracy).
    pub fn accuracy(&self) -> f64 {
        accuracy_of(self.drop)
    }
}

/// The accuracy in per cent of a move that gives away so much, from 0 to 2: the whole point.
fn accuracy_of(drop: f64) -> f64 {
    let lost = 50.0 * drop.max(0.0);
    (103.1668 * (-0.04354 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

impl Grade {
    /// The grade of a move that is not the best one, by Lichess's rules: the drop of winning chances, and its own steps
    /// where a mate was there or is there now. A mate that takes longer is no fault.
    pub fn between(before: Assessment, after: Assessment) -> Grade {
        let steps = |score: i32| match score {
            score if score > MATE_MATTERS_LITTLE => Grade::Inaccuracy,
            score if score > MATE_MATTERS => Grade::Mistake,
            _ => Grade::Blunder,
        };
        match (before.value, after.value) {
            (Value::Mate(mates), Value::Centipawns(left)) if mates > 0 => steps(left),
            (Value::Mate(mates), Value::Mate(mated)) if mates > 0 && mated <= 0 => Grade::Blunder,
            (Value::Centipawns(had), Value::Mate(mated)) if mated <= 0 => steps(-had),
            (Value::Centipawns(_), Value::Centipawns(_)) => Grade::of(before.expected - after.expected),
            _ => Grade::Good,
        }
    }

    /// The grade of a move that gives away this much and is not the best one.
    pub fn of(drop: f64) -> Grade {
        // the curve is a float: a drop of exactly 0.1 must not depend on its last bit
        let reaches = |least: f64| drop >= least - 1e-9;
        DROPS
            .iter()
            .find(|&&(least, _)| reaches(least))
            .map_or(Grade::Good, |&(_, grade)| grade)
    }
}

impl Assessment {
    /// What a score of the player who moves means.
    pub fn of(score: Score) -> Assessment {
        let value = match mate_moves(score) {
            Some(moves) => Value::Mate(moves),
            None => Value::Centipawns(score.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)),
        };
        Assessment {
            value,
            expected: wdl::winning_chances(score),
        }
    }

    /// In how many moves the player mates, if at all.
    fn mates_in(self) -> Option<u32> {
        match self.value {
            Value::Mate(moves) if moves > 0 => Some(moves.unsigned_abs()),
            _ => None,
        }
    }

    /// In how many moves the opponent mates, if at all.
    fn mated_in(self) -> Option<u32> {
        match self.value {
            Value::Mate(moves) if moves <= 0 => Some(moves.unsigned_abs()),
            _ => None,
        }
    }
}

/// What the move does about forced mates.
fn mate_news(
    position: &Position,
    before: Assessment,
    after: Assessment,
    findings: &Findings,
) -> Vec<MateNews> {
    let mut news = Vec::new();
    let Some(&m) = findings.played.line.first() else {
        return news;
    };
    let best = || proved_win(position, &findings.best, before.mates_in());
    match (before.mates_in(), after.mates_in()) {
        (Some(shortest), Some(moves)) if moves > shortest => news.push(MateNews::Delayed {
            best: shortest,
            moves,
            proved: best(),
        }),
        (_, Some(moves)) => {
            let proved = moves <= LONGEST_PROOF
                && mates::suffers(&position.after(m), moves - 1, &findings.played.line[1..]);
            news.push(MateNews::Mates { moves, proved });
        }
        (Some(moves), None) => news.push(MateNews::Missed {
            moves,
            proved: best(),
        }),
        (None, None) => {}
    }
    if let Some(moves) = after.mated_in() {
        let hint = &findings.played.line[1..];
        let proved = moves <= LONGEST_PROOF && mates::forces(&position.after(m), moves, hint);
        news.push(match before.mated_in() {
            Some(best) => MateNews::Suffered { moves, best, proved },
            None => MateNews::Allowed { moves, proved },
        });
    }
    news
}

/// Whether the side to move mates in so many moves, by trying every answer.
fn proved_win(position: &Position, best: &Finding, moves: Option<u32>) -> bool {
    moves.is_some_and(|moves| moves <= LONGEST_PROOF && mates::forces(position, moves, &best.line))
}

/// The line of an answer, as far as it is legal.
pub fn line_of(position: &Position, moves: &[Move]) -> Line {
    let mut line = Line::new(*position);
    for &m in moves {
        if !line.end().legal_moves().contains(&m) {
            break;
        }
        line.push(m);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::score::{mate_in, mated_in};

    #[test]
    fn the_curve_is_that_of_lichess() {
        // 0, 5, 10, 20 and 100 per cent of the expected score are lost
        for (drop, accuracy) in [(0.0, 100.0), (0.1, 79.8), (0.2, 63.6), (0.4, 40.0), (2.0, 0.0)] {
            let found = accuracy_of(drop);
            assert!((found - accuracy).abs() < 0.1, "{drop}: {found}");
        }
    }

    fn answer(position: &Position, score: Score, line: &str) -> Finding {
        Finding {
            score,
            line: Line::parse(*position, line).unwrap().moves().to_vec(),
            nodes: 10,
        }
    }

    /// The verdict on a move of the start of a game with made-up scores.
    fn verdict(best: Score, played: Score) -> Verdict {
        let position = Position::default();
        Verdict::of(
            &position,
            &Findings {
                best: answer(&position, best, "e4 e5"),
                played: answer(&position, played, "g4 d5"),
            },
        )
    }

    #[test]
    fn grades_go_by_the_drop() {
        for (drop, grade) in [
            (0.0, Grade::Good),
            (0.09, Grade::Good),
            (0.1, Grade::Inaccuracy),
            (0.19, Grade::Inaccuracy),
            (0.2, Grade::Mistake),
            (0.299, Grade::Mistake),
            (0.3, Grade::Blunder),
            (2.0, Grade::Blunder),
        ] {
            assert_eq!(Grade::of(drop), grade, "{drop}");
        }
        assert!(Grade::Best < Grade::Good && Grade::Mistake < Grade::Blunder);
    }

    #[test]
    fn mates_are_graded_as_on_lichess() {
        for (before, after, grade) in [
            // created
            (30, mated_in(4), Grade::Blunder),
            (-700, mated_in(4), Grade::Blunder),
            (-701, mated_in(4), Grade::Mistake),
            (-1000, mated_in(4), Grade::Inaccuracy),
            // lost
            (mate_in(3), 1000, Grade::Inaccuracy),
            (mate_in(3), 999, Grade::Mistake),
            (mate_in(3), 700, Grade::Blunder),
            (mate_in(3), mated_in(2), Grade::Blunder),
            // delayed, hastened
            (mate_in(3), mate_in(9), Grade::Good),
            (mated_in(8), mated_in(2), Grade::Good),
        ] {
            let [one, other] = [before, after].map(Assessment::of);
            assert_eq!(Grade::between(one, other), grade, "{before} {after}");
        }
        // a pawn in a level game, on Lichess an inaccuracy
        assert_eq!(verdict(20, -80).grade, Grade::Inaccuracy);
        assert_eq!(verdict(20, -20).grade, Grade::Good);
    }

    #[test]
    fn a_verdict_never_rises_above_the_best_move() {
        let worse = verdict(50, -250);
        assert_eq!(worse.grade, Grade::Blunder);
        assert_eq!(worse.before.value, Value::Centipawns(50));
        assert!((worse.drop - (worse.before.expected - worse.after.expected)).abs() < 1e-12);
        let better = verdict(20, 30);
        assert_eq!((better.grade, better.drop), (Grade::Best, 0.0));
        assert_eq!(better.before, better.after);
        assert_eq!(verdict(1500, 1480).grade, Grade::Good);
    }

    #[test]
    fn mates_are_news() {
        let news = |best, played| verdict(best, played).mates;
        assert_eq!(news(30, 20), []);
        assert_eq!(
            news(mate_in(5), 900),
            [MateNews::Missed {
                moves: 3,
                proved: false
            }]
        );
        assert_eq!(
            news(mate_in(3), mate_in(7)),
            [MateNews::Delayed {
                best: 2,
                moves: 4,
                proved: false
            }]
        );
        assert_eq!(
            news(0, mated_in(4)),
            [MateNews::Allowed {
                moves: 2,
                proved: false
            }]
        );
        assert_eq!(
            news(mated_in(8), mated_in(4)),
            [MateNews::Suffered {
                moves: 2,
                best: 4,
                proved: false
            }]
        );
        assert_eq!(news(mate_in(1), mated_in(2)).len(), 2);
    }

    #[test]
    fn short_mates_are_proved() {
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").unwrap();
        let findings = Findings {
            best: answer(&position, mate_in(1), "Ra8"),
            played: answer(&position, mate_in(1), "Ra8"),
        };
        let found = Verdict::of(&position, &findings);
        assert_eq!(
            found.mates,
            [MateNews::Mates {
                moves: 1,
                proved: true
            }]
        );
        assert_eq!((found.grade, found.nodes), (Grade::Best, 10));
        let missed = Findings {
            played: answer(&position, 600, "Ra7"),
            ..findings
        };
        let expected = MateNews::Missed {
            moves: 1,
            proved: true,
        };
        assert_eq!(Verdict::of(&position, &missed).mates, [expected]);
    }
}
