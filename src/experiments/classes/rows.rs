//! What the nets learn from: positions with an evaluation, and moves with what they do.

use super::boards::{CodedBoard, Inputs};
use super::coding::{Task, class_of_evaluation};
use crate::board::{Move, PieceType, Position, Square, attacks};
use crate::data::{Label, Record};

/// A position and its evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionRow {
    pub board: CodedBoard,
    /// For White.
    pub centipawns: i32,
}

/// A move: the boards before and after it, and what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveRow {
    /// Before and after.
    pub boards: [CodedBoard; 2],
    /// What it does.
    pub facts: MoveFacts,
}

/// What the author tells of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFacts {
    /// By how much the evaluation for White rises; with mates as the thesis's formulas (1) to (3) have it.
    pub change: i32,
    /// Somebody is to be mated after it.
    pub mate: bool,
    pub capture: bool,
    /// It is played out of check.
    pub check: bool,
    /// Where it goes: 0 the four central squares, 1 the two rings around them, 2 the edge.
    pub zone: u8,
    /// The piece attacks fewer squares than before.
    pub fewer_attacks: bool,
    /// It goes to a file without pawns.
    pub free_file: bool,
}

/// Rows of one kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Rows {
    /// For the evaluations.
    Positions(Vec<PositionRow>),
    /// For the other tasks.
    Moves(Vec<MoveRow>),
}

impl PositionRow {
    /// The row of a record; `None` where it has no evaluation in centipawns: the author leaves mates out.
    pub fn new(record: &Record) -> Option<PositionRow> {
        let Label::Centipawns(centipawns) = record.label()? else {
            return None;
        };
        Some(PositionRow::of(&record.position().ok()?, i32::from(centipawns)))
    }

    /// The row of a position with its evaluation.
    pub fn of(position: &Position, centipawns: i32) -> PositionRow {
        PositionRow {
            board: CodedBoard::new(position),
            centipawns,
        }
    }
}

impl MoveRow {
    /// The row of two records of which the second comes from the first by one legal move; `None` where it does not, or
    /// one has no evaluation.
    pub fn new(before: &Record, after: &Record) -> Option<MoveRow> {
        let labels = [before.label()?, after.label()?];
        let (old, new) = (before.position().ok()?, after.position().ok()?);
        let leads = |m: &Move| old.after(*m).key() == new.key();
        let m = match before.best().filter(leads) {
            Some(best) => best,
            None => old.legal_moves().into_iter().find(leads)?,
        };
        Some(MoveRow::of(&old, m, labels))
    }

    /// The row of a legal move, with the evaluations before and after it.
    pub fn of(before: &Position, m: Move, labels: [Label; 2]) -> MoveRow {
        let after = before.after(m);
        MoveRow {
            boards: [CodedBoard::new(before), CodedBoard::new(&after)],
            facts: MoveFacts::new(before, m, labels),
        }
    }
}

/// The change of an evaluation. A mate in n moves counts 1000 / n against an evaluation, and two mates are compared by
/// their moves.
fn change(before: Label, after: Label) -> i32 {
    let of_mate = |moves: i16| (1000.0 / f64::from(moves)).round() as i32;
    match (before, after) {
        (Label::Centipawns(before), Label::Centipawns(after)) => i32::from(after) - i32::from(before),
        (Label::Centipawns(before), Label::Mate(after)) => of_mate(after) - i32::from(before),
        (Label::Mate(before), Label::Centipawns(after)) => i32::from(after) - of_mate(before),
        (Label::Mate(before), Label::Mate(after)) => i32::from(after) - i32::from(before),
    }
}

/// How far a square is from the centre: 0, 1 or 2 (illustration 7).
fn zone(square: Square) -> u8 {
    let edge = |line: u8| line.min(7 - line);
    match edge(square.file()).min(edge(square.rank())) {
        0 => 2,
        1 | 2 => 1,
        _ => 0,
    }
}

impl Rows {
    pub fn len(&self) -> usize {
        match self {
            Rows::Positions(rows) => rows.len(),
            Rows::Moves(rows) => rows.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The inputs of one row.
    pub fn width(&self, inputs: Inputs) -> usize {
        match self {
            Rows::Positions(_) => inputs.len(),
            Rows::Moves(_) => 2 * inputs.len(),
        }
    }

    /// Appends the inputs of the row in this place.
    pub fn append(&self, place: usize, inputs: Inputs, row: &mut Vec<f32>) {
        match self {
            Rows::Positions(rows) => rows[place].board.append(inputs, row),
            Rows::Moves(rows) => rows[place]
                .boards
                .iter()
                .for_each(|board| board.append(inputs, row)),
        }
    }

    /// The class of each question of a task for every row.
    pub fn classes(&self, task: Task, unit: u32) -> Vec<Vec<u8>> {
        match self {
            Rows::Positions(rows) => {
                let class = |row: &PositionRow| vec![class_of_evaluation(task, row.centipawns, unit)];
                rows.iter().map(class).collect()
            }
            Rows::Moves(rows) => rows.iter().map(|row| row.facts.classes(task, unit)).collect(),
        }
    }
}

impl MoveFacts {
    /// What a legal move does, with the evaluations before and after it.
    pub fn new(before: &Position, m: Move, [first, second]: [Label; 2]) -> MoveFacts {
        let after = before.after(m);
        let [from, to] = [m.from(), m.landing()];
        let attacked = |position: &Position, square| {
            let piece = position.piece_on(square);
            piece.map_or(0, |piece| match piece.kind() {
                PieceType::Pawn => attacks::pawn(piece.color(), square).count(),
                kind => attacks::of(kind, square, position.occupied()).count(),
            })
        };
        let pawns = after.of_kind(PieceType::Pawn);
        MoveFacts {
            change: change(first, second),
            mate: matches!(second, Label::Mate(_)),
            capture: m.is_capture(),
            check: before.in_check(),
            zone: zone(to),
            fewer_attacks: attacked(&after, to) < attacked(before, from),
            free_file: !pawns.into_iter().any(|pawn| pawn.file() == to.file()),
        }
    }

    /// The class of each question of a task; `unit` as in [`class_of_evaluation`].
    pub fn classes(&self, task: Task, unit: u32) -> Vec<u8> {
        let change = class_of_evaluation(task, self.change, unit);
        let [mate, capture, check] = [self.mate, self.capture, self.check].map(u8::from);
        match task {
            Task::FreeFile => vec![u8::from(self.free_file)],
            Task::Explanation => vec![
                change,
                mate,
                capture,
                check,
                self.zone,
                u8::from(self.fewer_attacks),
            ],
            _ => vec![change, mate],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(fen: &str, label: &str) -> Record {
        Record::new(&Position::from_fen(fen).unwrap()).with_label(label.parse().unwrap())
    }

    fn facts(fen: &str, m: &str, labels: [&str; 2]) -> Option<MoveFacts> {
        let mut position = Position::from_fen(fen).unwrap();
        let before = record(fen, labels[0]);
        position.play(position.parse_uci(m).unwrap());
        let after = Record::new(&position).with_label(labels[1].parse().unwrap());
        MoveRow::new(&before, &after).map(|row| row.facts)
    }

    #[test]
    fn mates_are_no_evaluations() {
        let start = Position::START_FEN;
        assert_eq!(PositionRow::new(&record(start, "35")).unwrap().centipawns, 35);
        assert_eq!(PositionRow::new(&record(start, "#-3")), None);
        assert_eq!(PositionRow::new(&Record::new(&Position::default())), None);
    }

    #[test]
    fn the_bishop_of_illustration_6_attacks_more() {
        // from g7 a bishop attacks five squares where its diagonals are blocked, from h6 six
        let fen = "6k1/6b1/5n2/8/8/8/8/3K4 b - - 0 1";
        let there = facts(fen, "g7h6", ["0", "10"]).unwrap();
        let expected = MoveFacts {
            change: 10,
            mate: false,
            capture: false,
            check: false,
            zone: 2,
            fewer_attacks: false,
            free_file: true,
        };
        assert_eq!(there, expected);
        assert!(
            facts("6k1/8/8/3b4/8/8/8/3K4 b - - 0 1", "d5a8", ["0", "0"])
                .unwrap()
                .fewer_attacks
        );
    }

    #[test]
    fn what_a_move_does() {
        let check = "4k3/8/8/8/4r3/3P4/3PK3/8 w - - 0 1";
        let capture = facts(check, "d3e4", ["-400", "150"]).unwrap();
        assert!(capture.capture && capture.check && !capture.free_file);
        assert_eq!((capture.zone, capture.change), (0, 550));
        let castling = "4k3/pp5p/8/8/8/8/PP5P/R3K2R w KQ - 0 1";
        // the king stands on g1, on a file without pawns, and attacks no fewer squares than on e1
        let short = facts(castling, "e1g1", ["0", "0"]).unwrap();
        assert!(short.free_file && !short.capture && short.zone == 2);
        let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
        assert!(facts(passing, "e5d6", ["0", "0"]).unwrap().capture);
    }

    #[test]
    fn mates_count_as_the_formulas_have_it() {
        let start = Position::START_FEN;
        for (labels, change, mate) in [
            (["20", "-30"], -50, false),
            (["20", "#3"], 333 - 20, true),
            (["20", "#-2"], -500 - 20, true),
            (["#4", "100"], 100 - 250, false),
            (["#4", "#3"], -1, true),
        ] {
            let facts = facts(start, "e2e4", labels).unwrap();
            assert_eq!((facts.change, facts.mate), (change, mate), "{labels:?}");
        }
    }

    #[test]
    fn two_positions_that_no_move_joins_are_no_move() {
        let [one, two] = [Position::START_FEN, "8/8/8/4k3/8/4K3/8/8 b - - 0 1"];
        assert_eq!(MoveRow::new(&record(one, "0"), &record(two, "0")), None);
        assert_eq!(MoveRow::new(&record(one, "0"), &record(one, "0")), None);
    }

    #[test]
    fn rings_of_the_board() {
        let count = |ring| {
            (0..64)
                .filter(|&square| zone(Square::new(square)) == ring)
                .count()
        };
        assert_eq!([0, 1, 2].map(count), [4, 32, 28]);
    }

    #[test]
    fn classes_of_a_move() {
        let facts = MoveFacts {
            change: -260,
            mate: true,
            capture: false,
            check: true,
            zone: 2,
            fewer_attacks: true,
            free_file: false,
        };
        assert_eq!(facts.classes(Task::Change, 1000), [11, 1]);
        assert_eq!(facts.classes(Task::Explanation, 1000), [11, 1, 0, 1, 2, 1]);
        assert_eq!(facts.classes(Task::FreeFile, 1000), [0]);
        let code: Vec<u8> = Task::Explanation.coding().code(&[11, 1, 0, 1, 2, 1]).collect();
        let ones: Vec<usize> = (0..27).filter(|&place| code[place] == 1).collect();
        // "below 0.25" and its own interval; mate; check; the edge; fewer squares
        assert_eq!(ones, [0, 11, 20, 22, 25, 26]);
    }

    #[test]
    fn as_many_attacks_are_not_fewer() {
        let fewer = |m| {
            facts("7k/8/8/8/8/R7/8/4K3 w - - 0 1", m, ["0", "0"])
                .unwrap()
                .fewer_attacks
        };
        // fourteen squares from a3 and a4, eleven from a1, where the king stands in the way
        assert!(!fewer("a3a4") && fewer("a3a1"));
    }
}
