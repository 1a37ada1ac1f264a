//! The commands of the laboratory: data, training, comparisons and experiments.

mod annotate;
pub mod classes;
mod compare;
mod data;
mod experiment;
pub mod measures;
mod progress;
mod resume;
mod train;
pub mod values;

use super::result::CommandResult;
use crate::support::threads;
use clap::Subcommand;

/// Examples for `--help`, as further lines.
pub const EXAMPLES: &str = "
  enroc data import games.pgn --out shards      positions to learn from
  enroc train recipe.toml --data .              a net of one's own
  enroc compare mlp@0 mlp@2 stockfish@depth:2   whose moves are Stockfish's?
  enroc annotate games.pgn -o annotated.pgn     every move of games, as PGN and as a page";

#[derive(Subcommand)]
pub enum LabCommand {
    /// Make, label and look at positions to learn from
    #[command(subcommand)]
    Data(data::DataCommand),
    /// Train a net as a recipe says
    Train(train::Train),
    /// Compare nets and engines: whose moves are those of a reference, at which look-ahead?
    Compare(Box<compare::Compare>),
    /// Put a verdict on every move of games, and words and a better line where something was given away
    Annotate(annotate::Annotate),
    /// Run what the authors of earlier systems have run
    #[command(subcommand)]
    Experiment(experiment::Experiment),
}

/// Does what a command asks.
pub fn run(command: LabCommand) -> CommandResult {
    threads::ensure()?;
    match command {
        LabCommand::Data(command) => data::run(&command),
        LabCommand::Train(arguments) => train::train(&arguments),
        LabCommand::Compare(arguments) => compare::run(&arguments),
        LabCommand::Annotate(arguments) => annotate::run(arguments),
        LabCommand::Experiment(command) => experiment::run(&command),
    }
}
