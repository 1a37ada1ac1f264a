//! What nets of classes say in `enroc explain --classes`.

use crate::board::{Color, Move, Position};
use crate::cli::result::CommandResult;
use crate::data::Label;
use crate::experiments::classes::coding::Task;
use crate::experiments::classes::rows::MoveRow;
use crate::experiments::classes::saved::{SavedNet, files};
use crate::experiments::classes::{ClassesError, author, says};
use crate::explain::explanation::{Value, Verdict};
use crate::support::terminal::say;
use std::path::PathBuf;

/// The nets that are asked about every move.
pub struct ClassNets(Vec<SavedNet>);

impl ClassNets {
    /// Reads net files, and all those of folders.
    ///
    /// # Errors
    /// [`ClassesError`] names the file that cannot be read.
    pub fn read(paths: &[PathBuf]) -> Result<ClassNets, ClassesError> {
        let mut nets = Vec::new();
        for path in paths {
            for file in files(path)? {
                nets.push(SavedNet::read(&file)?);
            }
        }
        Ok(ClassNets(nets))
    }

    /// Prints the answers of all nets about a move, then what the author's program says of it.
    pub fn say_all(&self, position: &Position, m: Move, verdict: &Verdict) -> CommandResult {
        if self.0.is_empty() {
            return Ok(());
        }
        let mover = position.side_to_move();
        let labels = [verdict.before.value, verdict.after.value].map(|value| label(value, mover));
        let row = MoveRow::of(position, m, labels);
        let centipawns = match labels[1] {
            Label::Centipawns(centipawns) => i32::from(centipawns),
            Label::Mate(moves) => i32::from(moves.signum()) * 10_000,
        };
        let mut free_file = row.facts.free_file;
        for net in &self.0 {
            let answers = says::ask(net, &row, centipawns)?;
            let words = answers.iter().map(|answer| match &answer.said {
                Some(said) if answer.is_right() => said.clone(),
                Some(said) => format!("{said} (wrong: {})", answer.truth),
                None => format!("no class ({})", answer.truth),
            });
            let words: Vec<String> = words.collect();
            say(format_args!("{}: {}.", net.net.name(), words.join("; ")));
            if net.net.name().task == Task::FreeFile {
                // the program believes this net, right or wrong
                free_file = row.facts.free_file == answers[0].is_right();
            }
        }
        let text = author::text(position, m, &row.facts, free_file);
        say(format_args!(
            "The author's program, which never takes its net's answer: {text}"
        ));
        Ok(())
    }
}

/// A value for the mover as White's label.
fn label(value: Value, mover: Color) -> Label {
    match value {
        Value::Centipawns(score) => Label::centipawns(mover.for_white(score)),
        // a mate on the board counts as one in a move
        Value::Mate(moves) => {
            Label::mate(mover.for_white(moves)).unwrap_or(Label::Mate(mover.for_white(-1) as i16))
        }
    }
}
