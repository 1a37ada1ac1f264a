//! `enroc experiment`: the systems of the documents that Enroc grew from.

mod classes;
mod homework;

use crate::cli::result::CommandResult;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Experiment {
    /// A linear regression learns from the moves of a minimax and plays against it, as in the minimax homework
    Homework(homework::Homework),
    /// Small nets sort positions and moves into classes, as in the thesis on explaining moves, and what it takes that
    /// they do more than name the commonest class
    Classes(classes::Classes),
}

/// Does what the arguments ask.
pub fn run(command: &Experiment) -> CommandResult {
    match command {
        Experiment::Homework(arguments) => homework::play(arguments),
        Experiment::Classes(arguments) => classes::train(arguments),
    }
}
