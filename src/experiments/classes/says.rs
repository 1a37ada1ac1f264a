//! What a saved net says of a position or of a move, in words, beside what is true of it.

use super::coding::{Task, interval};
use super::list::NetName;
use super::net::Said;
use super::rows::{MoveRow, PositionRow, Rows};
use super::saved::SavedNet;

/// A question to a net, its answer and the true one.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// What the net says; `None` where its zeros and ones are no class.
    pub said: Option<String>,
    /// What is true; of an evaluation, what a search finds.
    pub truth: String,
}

impl Answered {
    pub fn is_right(&self) -> bool {
        self.said.as_ref() == Some(&self.truth)
    }
}

/// What a net says of a move: a net of positions of the one after it, whose evaluation for White is `centipawns`.
///
/// # Errors
/// Those of candle.
pub fn ask(saved: &SavedNet, row: &MoveRow, centipawns: i32) -> candle_core::Result<Vec<Answered>> {
    let NetName { task, manner, .. } = saved.net.name;
    let rows = match task.of_moves() {
        true => Rows::Moves(vec![row.clone()]),
        false => Rows::Positions(vec![PositionRow {
            board: row.boards[1],
            centipawns,
        }]),
    };
    let classes = rows.classes(task, saved.unit).remove(0);
    let sums = saved.net.answers(&rows)?.remove(0);
    let said = Said::new(&sums, &saved.net.coding, manner.answers);
    let words = |question, class| words(task, question, class, saved.unit);
    let answers = said.classes.iter().zip(classes).enumerate();
    Ok(answers
        .map(|(question, (said, class))| Answered {
            said: said.map(|said| words(question, said)),
            truth: words(question, class),
        })
        .collect())
}

/// A class of a question in words.
fn words(task: Task, question: usize, class: u8, unit: u32) -> String {
    let yes = class == 1;
    let said = match (task, question) {
        (Task::Evaluation(_), _) => {
            return evaluation(task, class, unit, ["White is ahead", "Black is ahead"]);
        }
        (Task::Change | Task::Explanation, 0) => {
            return evaluation(task, class, unit, ["it turns for White", "it turns for Black"]);
        }
        (Task::Change | Task::Explanation, 1) if yes => "somebody is to be mated",
        (Task::Change | Task::Explanation, 1) => "nobody is to be mated",
        (Task::Explanation, 2) if yes => "it captures",
        (Task::Explanation, 2) => "it captures nothing",
        (Task::Explanation, 3) if yes => "it is played out of check",
        (Task::Explanation, 3) => "there was no check",
        (Task::Explanation, 4) => [
            "it goes to the centre",
            "it goes to the rings around it",
            "it goes to the edge",
        ][usize::from(class)],
        (Task::Explanation, _) if yes => "the piece attacks fewer squares",
        (Task::Explanation, _) => "the piece attacks no fewer squares",
        (Task::FreeFile, _) if yes => "it goes to a free file",
        (Task::FreeFile, _) => "the file is not free",
        (Task::Change, _) => unreachable!("two questions"),
    };
    said.to_string()
}

/// The class of an evaluation, in pawns.
fn evaluation(task: Task, class: u8, unit: u32, [white, black]: [&str; 2]) -> String {
    let (for_white, sizes) = interval(task, class);
    let [low, high] = sizes.map(|size| size * f64::from(unit) / 100.0);
    let side = match for_white {
        None => return "nobody is ahead".to_string(),
        Some(true) => white,
        Some(false) => black,
    };
    match high.is_infinite() {
        true => format!("{side} by {low} pawns or more"),
        false => format!("{side} by {low} to {high} pawns"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_words_of_its_own() {
        for task in Task::ALL {
            for (question, part) in task.coding().parts.iter().enumerate() {
                let mut all: Vec<String> = (0..part.classes())
                    .map(|class| words(task, question, class as u8, 100))
                    .collect();
                all.sort();
                all.dedup();
                assert_eq!(all.len(), part.classes(), "{task}, question {question}: {all:?}");
            }
        }
        assert_eq!(
            words(Task::Evaluation(2), 0, 7, 1000),
            "Black is ahead by 5 to 15 pawns"
        );
        assert_eq!(
            words(Task::Change, 0, 9, 100),
            "it turns for White by 4.5 pawns or more"
        );
    }
}
