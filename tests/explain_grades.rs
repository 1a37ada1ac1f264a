//! How a move is graded, and which reasons a grade asks for, with a judge that answers as it is told.

use enroc::board::{Move, Position};
use enroc::explain::contributions::Effort;
use enroc::explain::explanation::{Grade, Role, Said, Value};
use enroc::explain::judge::{Finding, Judge, Question};
use enroc::explain::{Options, Subject, explain, grade};
use enroc::nets::Score;

/// Scores of the best move and of the graded one, round by round; the last ones hold from then on.
struct Rounds {
    best: Move,
    scores: [[Score; 3]; 2],
    asked: [usize; 2],
}

impl Judge for Rounds {
    fn search(&mut self, question: &Question) -> Finding {
        let is_alone = usize::from(!question.moves.is_empty());
        let round = self.asked[is_alone].min(2);
        self.asked[is_alone] += 1;
        let first = question.moves.first().copied().unwrap_or(self.best);
        let is_legal = question.position.legal_moves().contains(&first);
        Finding {
            score: self.scores[is_alone][round],
            line: [first].into_iter().filter(|_| is_legal).collect(),
            nodes: question.nodes,
        }
    }

    fn evaluate(&mut self, positions: &[Position]) -> Vec<Score> {
        vec![0; positions.len()]
    }

    fn effort(&self) -> Effort {
        Effort::FAST
    }
}

fn moves(position: &Position, texts: [&str; 2]) -> [Move; 2] {
    texts.map(|text| position.parse_san(text).expect(text))
}

#[test]
fn a_grade_is_searched_on_while_one_of_its_scores_still_moves() {
    let fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
    let position = Position::from_fen(fen).expect(fen);
    let [best, m] = moves(&position, ["e4", "a3"]);
    for scores in [[[0; 3], [-100, -600, -300]], [[-100, 600, 0], [-300; 3]]] {
        let mut judge = Rounds {
            best,
            scores,
            asked: [0; 2],
        };
        let verdict = grade(&Subject::alone(&position, m), &mut judge, 1_000).verdict;
        let found = [verdict.before.value, verdict.after.value];
        assert_eq!(found, scores.map(|round| Value::Centipawns(round[2])));
    }
}

#[test]
fn a_good_move_is_told_by_what_speaks_for_it() {
    let fen = "4k3/ppp2ppp/8/8/8/8/PPP2PPP/R3K3 w - - 0 1";
    let position = Position::from_fen(fen).expect(fen);
    let [best, m] = moves(&position, ["Ke2", "Rd1"]);
    let mut judge = Rounds {
        best,
        scores: [[0; 3], [-10; 3]],
        asked: [0; 2],
    };
    let found = explain(&Subject::alone(&position, m), &mut judge, &Options::default());
    assert_eq!(found.verdict.grade, Grade::Good);
    let is_file = |said: &Said| matches!(said, Said::Change(change) if change.name() == "takes_file");
    let said: Vec<(Role, bool)> = found
        .reasons
        .iter()
        .map(|reason| (reason.role, is_file(&reason.said)))
        .collect();
    assert!(said.contains(&(Role::Achieves, true)), "{said:?}");
}
