//! A game as a story: its opening, where it turned, what went wrong again and again, and what to try once more.

use super::input::Game;
use super::texts::Texts;
use crate::board::{Color, openings};
use crate::explain::explanation::{Assessment, Grade, MateNews, Reason, Role, Said};
use crate::explain::{Explanation, Line, Motif};
use std::collections::BTreeMap;

/// So many positions are offered to be tried again.
const RETRIES: usize = 3;

/// What goes wrong this often is told.
const AGAIN: usize = 2;

/// The sentences before the moves of a game.
pub fn sentences(game: &Game, moves: &[Explanation], texts: &Texts) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(opening) = openings::of_game(&game.positions()) {
        let names = [
            ("name", opening.name.to_string()),
            ("eco", opening.eco.to_string()),
        ];
        told.push((texts.say)("story-opening", &names));
    }
    if let Some(ply) = turning_point(moves) {
        told.push((texts.say)(
            "story-turning",
            &[("move", name(&moves[ply], texts))],
        ));
    }
    for ((color, habit), count) in habits(moves) {
        let player = (texts.player)(if color == 0 { Color::White } else { Color::Black });
        let variables = [
            ("habit", habit.to_string()),
            ("player", player),
            ("count", count.to_string()),
        ];
        told.push((texts.say)("story-habit", &variables));
    }
    let again: Vec<String> = worst(moves).iter().map(|&ply| name(&moves[ply], texts)).collect();
    if !again.is_empty() {
        told.push((texts.say)("story-retry", &[("moves", again.join(", "))]));
    }
    told
}

/// A move with its number.
fn name(explanation: &Explanation, texts: &Texts) -> String {
    let mut line = Line::new(explanation.played.position);
    line.push(explanation.played.m);
    (texts.moves)(&line)
}

/// The last move after which the game was decided for good and before which it was not, if it was a mistake.
fn turning_point(moves: &[Explanation]) -> Option<usize> {
    let mover = |explanation: &Explanation| explanation.played.position.side_to_move();
    let last = moves.last()?;
    let winner = if last.verdict.after.expected > 0.0 {
        mover(last)
    } else {
        !mover(last)
    };
    let decided = |explanation: &Explanation, assessment: Assessment| {
        let for_winner = if mover(explanation) == winner {
            assessment.expected
        } else {
            -assessment.expected
        };
        for_winner >= Assessment::WINNING
    };
    if !decided(last, last.verdict.after) {
        return None;
    }
    let is_open = |explanation: &Explanation| !decided(explanation, explanation.verdict.before);
    let ply = moves.iter().rposition(is_open)?;
    (moves[ply].verdict.grade >= Grade::Mistake).then_some(ply)
}

/// The plies of the costliest moves, in their order.
fn worst(moves: &[Explanation]) -> Vec<usize> {
    let mut faults: Vec<usize> = (0..moves.len())
        .filter(|&ply| moves[ply].verdict.grade >= Grade::Mistake)
        .collect();
    faults.sort_by(|&a, &b| moves[b].verdict.drop.total_cmp(&moves[a].verdict.drop));
    faults.truncate(RETRIES);
    faults.sort_unstable();
    faults
}

/// What a side did wrong more than once, by White (0) or Black (1) and the kind.
fn habits(moves: &[Explanation]) -> BTreeMap<(u8, &'static str), usize> {
    let mut counts = BTreeMap::new();
    for explanation in moves
        .iter()
        .filter(|explanation| explanation.verdict.grade >= Grade::Mistake)
    {
        let side = u8::from(explanation.played.position.side_to_move() == Color::Black);
        if let Some(habit) = habit(explanation) {
            *counts.entry((side, habit)).or_default() += 1;
        }
    }
    counts.retain(|_, count| *count >= AGAIN);
    counts
}

fn habit(explanation: &Explanation) -> Option<&'static str> {
    let is_material = |reason: &&Reason| matches!(&reason.said, Said::Claim(claim) if matches!(claim.motif, Motif::Material { .. }));
    let news = &explanation.verdict.mates;
    if news.iter().any(|news| matches!(news, MateNews::Allowed { .. })) {
        return Some("mate");
    }
    if explanation
        .reasons
        .iter()
        .find(is_material)
        .is_some_and(|reason| reason.role == Role::Allows)
    {
        return Some("lost");
    }
    let better = explanation.better.iter().flat_map(|better| &better.reasons);
    let missed = news.iter().any(|news| matches!(news, MateNews::Missed { .. }));
    (missed || better.into_iter().any(|reason| is_material(&reason))).then_some("missed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{GameResult, Position};
    use crate::explain::contributions::Effort;
    use crate::explain::judge::{Finding, Judge, Question};
    use crate::explain::{Options, Subject, explain};
    use crate::nets::Score;

    /// Finds the first move that is asked about, and everything level.
    struct Level;

    impl Judge for Level {
        fn search(&mut self, question: &Question) -> Finding {
            let legal = question.position.legal_moves();
            let line = question.moves.iter().chain(&legal).take(1).copied().collect();
            Finding {
                score: 0,
                line,
                nodes: 1,
            }
        }

        fn evaluate(&mut self, positions: &[Position]) -> Vec<Score> {
            vec![0; positions.len()]
        }

        fn effort(&self) -> Effort {
            Effort::FAST
        }
    }

    /// A game whose moves have these expected scores, before and after each, as White sees them.
    fn game(scores: &[(f64, f64, Grade)]) -> Vec<Explanation> {
        let mut position = Position::default();
        let told = |&(before, after, grade): &(f64, f64, Grade)| {
            let m = position.legal_moves()[0];
            let options = Options {
                nodes: 1,
                net_view: false,
            };
            let mut explained = explain(&Subject::alone(&position, m), &mut Level, &options);
            let for_mover = match position.side_to_move() {
                Color::White => 1.0,
                Color::Black => -1.0,
            };
            explained.verdict.before.expected = before * for_mover;
            explained.verdict.after.expected = after * for_mover;
            explained.verdict.grade = grade;
            position.play(m);
            explained
        };
        scores.iter().map(told).collect()
    }

    #[test]
    fn a_game_turns_with_the_mistake_that_decides_it_for_good() {
        let won = Assessment::WINNING;
        let turns = |scores: &[(f64, f64, Grade)]| turning_point(&game(scores));
        let best = |value: f64| (value, value, Grade::Best);
        // Black's mistake, although White gives the win away once before
        let twice = [
            best(0.0),
            (0.0, won, Grade::Blunder),
            (won, 0.1, Grade::Mistake),
            (0.1, 0.9, Grade::Mistake),
            best(0.9),
        ];
        assert_eq!(turns(&twice), Some(3));
        // White's, for Black
        assert_eq!(
            turns(&[best(0.0), best(0.0), (0.0, -won, Grade::Blunder), best(-won)]),
            Some(2)
        );
        // nobody's
        let slips = [best(0.0), (0.4, won, Grade::Inaccuracy), best(won)];
        assert_eq!(turns(&slips), None);
        // not decided in the end
        assert_eq!(turns(&[best(0.0), (0.0, won - 0.01, Grade::Blunder)]), None);
        assert_eq!(turns(&[]), None);
    }

    #[test]
    fn the_costliest_mistakes_are_tried_again_in_the_order_of_the_game() {
        let drops = [0.2, 0.9, 0.0, 0.3, 0.5, 0.25];
        let grades = [
            Grade::Mistake,
            Grade::Blunder,
            Grade::Best,
            Grade::Inaccuracy,
            Grade::Blunder,
            Grade::Mistake,
        ];
        let mut moves = game(&grades.map(|grade| (0.0, 0.0, grade)));
        for (explained, drop) in moves.iter_mut().zip(drops) {
            explained.verdict.drop = drop;
        }
        assert_eq!(worst(&moves), [1, 4, 5]);
        assert_eq!(worst(&moves[..1]), [0]);
        assert!(worst(&[]).is_empty());
    }

    #[test]
    fn what_a_side_does_wrong_again_and_again_is_told() {
        let allowed = MateNews::Allowed {
            moves: 2,
            proved: true,
        };
        let missed = MateNews::Missed {
            moves: 2,
            proved: true,
        };
        // two of White's and one of Black's; missed chances of an inaccuracy do not count
        let mut moves = game(&[(0.0, 0.0, Grade::Blunder); 5]);
        moves[4].verdict.grade = Grade::Inaccuracy;
        for (explained, news) in moves.iter_mut().zip([allowed, missed, allowed, missed, allowed]) {
            explained.verdict.mates = vec![news];
            explained.reasons.clear();
        }
        let told: Vec<_> = habits(&moves).into_iter().collect();
        assert_eq!(told, [((0, "mate"), 2), ((1, "missed"), 2)]);
        moves[3].verdict.grade = Grade::Good;
        assert_eq!(habits(&moves).len(), 1);
    }

    #[test]
    fn a_story_names_moves_and_players() {
        let texts = Texts {
            language: "en",
            explain: &|_| String::new(),
            moves: &|line| line.to_san().join(" "),
            say: &|name, values| {
                let values: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
                format!("{name}: {}", values.join("|"))
            },
            player: &|color| format!("{color:?}"),
            label: &|_| String::new(),
        };
        let mut moves = game(&[
            (0.0, 0.0, Grade::Best),
            (0.0, 1.0, Grade::Blunder),
            (1.0, 1.0, Grade::Best),
            (1.0, 1.0, Grade::Blunder),
        ]);
        for explained in &mut moves {
            explained.verdict.mates = vec![MateNews::Allowed {
                moves: 1,
                proved: true,
            }];
        }
        let played = |ply: usize| moves[ply].played.position.to_san(moves[ply].played.m);
        let game = Game {
            number: 1,
            tags: Vec::new(),
            start: Position::default(),
            moves: moves.iter().map(|explained| explained.played.m).collect(),
            result: GameResult::Unknown,
            losses: Vec::new(),
        };
        let told = sentences(&game, &moves, &texts);
        let expected = [
            format!("story-turning: {}", played(1)),
            "story-habit: mate|Black|2".to_owned(),
            format!("story-retry: {}, {}", played(1), played(3)),
        ];
        assert_eq!(
            told.iter()
                .filter(|text| !text.starts_with("story-opening"))
                .collect::<Vec<_>>(),
            expected.iter().collect::<Vec<_>>()
        );
    }
}
