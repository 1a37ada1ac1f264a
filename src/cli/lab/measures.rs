//! The measures of a net as text.

use crate::training::evaluate::Evaluation;
use crate::training::measure::{Errors, Group, Measures};
use std::fmt;

/// The mean errors in one line, beside those of the baselines.
pub fn line(measures: &Measures) -> String {
    let part = |group: Group| {
        let row = measures.row(group);
        if row.net.count() == 0 {
            return format!("{} -", group.name());
        }
        format!(
            "{} {:.4} (constant {:.4}, material {:.4})",
            group.name(),
            row.net.mean(),
            row.constant.mean(),
            row.material.mean()
        )
    };
    format!("mean error {}, {}", part(Group::All), part(Group::Quiet))
}

/// The table that `enroc net eval` prints.
pub struct Table<'a>(pub &'a Evaluation);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Evaluation { measures, baselines } = self.0;
        writeln!(
            f,
            "error: mean absolute, ten pawns = 1, clipped; game: the same in the game's expected score, a win = 1;"
        )?;
        writeln!(
            f,
            "cp: the same in centipawns where |label| < 1000; side: who is better; r: correlation; 0.9, 0.1: share"
        )?;
        writeln!(
            f,
            "within; const, mat: a constant's and a material count's error ({:.0}; {:.0?} and {:.0} for the move)",
            baselines.constant,
            &baselines.values[..5],
            baselines.values[5]
        )?;
        writeln!(
            f,
            "{:<15} {:>9} {:>7} {:>6} {:>5} {:>6} {:>6} {:>6} {:>6} | {:>6} {:>6}",
            "", "positions", "error", "game", "cp", "side", "r", "0.9", "0.1", "const", "mat"
        )?;
        for group in Group::ALL {
            let row = measures.row(group);
            if row.net.count() > 0 {
                write_row(f, group.name(), &row.net)?;
                writeln!(f, " | {:>6.4} {:>6.4}", row.constant.mean(), row.material.mean())?;
            }
        }
        let all = measures.row(Group::All);
        for (name, errors) in [("constant, all", &all.constant), ("material, all", &all.material)] {
            write_row(f, name, errors)?;
            writeln!(f)?;
        }
        Ok(())
    }
}

fn write_row(f: &mut fmt::Formatter, name: &str, errors: &Errors) -> fmt::Result {
    write!(
        f,
        "{name:<15} {:>9} {:>7.4} {:>6.4} {:>5.0} {:>6.4} {:>6.4} {:>6.4} {:>6.4}",
        errors.count(),
        errors.mean(),
        errors.expected(),
        errors.centipawns(),
        errors.sign(),
        errors.correlation(),
        errors.loose(),
        errors.strict()
    )
}
