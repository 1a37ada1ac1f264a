//! Labels and hints by a teacher, a network that this program computes itself.

use crate::board::{Color, Position};
use crate::data::formats::source::GroupSource;
use crate::data::record::hint::hint_of;
use crate::data::store::writer::ShardWriter;
use crate::data::{DataError, Hint, Label, NO_HINT, Record};
use crate::nets::teacher::{Teacher, Verdict};
use rayon::prelude::*;
use serde::Serialize;

/// Positions that are gathered, as whole groups, before they are labelled.
const AT_ONCE: usize = 1 << 16;

/// What labels depend on besides the positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TeacherIdentity {
    network: String,
    scale: f64,
}

impl TeacherIdentity {
    /// Which network a teacher is, and how its scores are scaled.
    pub fn of(teacher: &Teacher) -> TeacherIdentity {
        TeacherIdentity {
            network: teacher.digest().to_string(),
            scale: teacher.scale(),
        }
    }
}

/// The label for White and the hint of a verdict on a position of this side to move.
pub fn lesson(teacher: &Teacher, verdict: &Verdict, mover: Color) -> (Label, Hint) {
    let label = Label::centipawns(teacher.score(verdict));
    let straight = verdict.straight_centipawns() * teacher.scale();
    let label = match mover {
        Color::White => label,
        Color::Black => label.negated(),
    };
    (label, hint_of(&verdict.sums_as_activated(), straight))
}

/// Labels the groups of the input, from the first that the writer has not dealt with, and appends them to it: every
/// position in its place, without a best move. Left out are those in check and those where the game has ended; they have
/// no static evaluation. Positions that have a label keep it, without a hint, unless they are labelled `again`. `progress`
/// is called with the number of positions labelled so far, which is returned.
///
/// # Errors
/// As the input and the writer.
pub fn teach(
    input: &mut dyn GroupSource,
    teacher: &Teacher,
    again: bool,
    writer: &mut ShardWriter,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, DataError> {
    let mut skip = writer.groups();
    let mut labelled = 0;
    loop {
        let (mut groups, mut count) = (Vec::new(), 0);
        let mut group = Vec::new();
        while count < AT_ONCE && input.next_group(&mut group)? {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            count += group.len();
            groups.push(std::mem::take(&mut group));
        }
        if groups.is_empty() {
            return Ok(labelled);
        }
        let taught: Vec<Taught> = groups
            .par_iter()
            .map_init(|| teacher.clone(), |teacher, group| taught(teacher, group, again))
            .collect();
        for group in taught {
            writer.append_with_hints(&group.records, &group.hints)?;
            labelled += group.labelled;
        }
        writer.flush_if_old()?;
        progress(labelled);
    }
}

/// What a group has become.
#[derive(Default)]
struct Taught {
    records: Vec<Record>,
    hints: Vec<Hint>,
    labelled: u64,
}

fn taught(teacher: &mut Teacher, group: &[Record], again: bool) -> Taught {
    let mut taught = Taught::default();
    for record in group {
        if record.score().is_some() && !again {
            taught.records.push(*record);
            taught.hints.push(NO_HINT);
        } else if let Some(position) = judged(record) {
            let verdict = teacher.judge_any(&position);
            let (label, hint) = lesson(teacher, &verdict, position.side_to_move());
            taught.records.push(record.without_label().with_label(label));
            taught.hints.push(hint);
            taught.labelled += 1;
        }
    }
    // the part of a group is drawn by its first position
    if let (Some(first), Some(kept)) = (group.first(), taught.records.first())
        && first.hash() != kept.hash()
    {
        taught.records.insert(0, first.without_label());
        taught.hints.insert(0, NO_HINT);
    }
    taught
}

/// The position of a record, if it has a static evaluation.
fn judged(record: &Record) -> Option<Position> {
    let position = record.position().ok().filter(|position| !position.in_check())?;
    position.ending(&[]).is_none().then_some(position)
}
