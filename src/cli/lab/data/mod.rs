//! `enroc data`: the commands that make positions to learn from.

mod export;
mod folders;
mod import;
mod label;
mod labeller;
mod openings;
mod shared;
mod visit;

use crate::cli::result::CommandResult;
use clap::Subcommand;
use std::path::PathBuf;

#[derive(Subcommand)]
pub enum DataCommand {
    /// Turn games, lists, labelled rows or shards into a folder of shards
    Import(import::ImportArguments),
    /// Label positions with a UCI engine, perhaps after random moves
    Label(label::LabelArguments),
    /// Let a UCI engine play on from openings, a few plies each, and label every position
    Selfplay(label::SelfplayArguments),
    /// Collect positions that the engine's own search evaluates on its way from others, to be labelled
    Visit(visit::VisitArguments),
    /// Close runs that were cut off: what they made counts as complete, and they cannot be continued
    Finish {
        /// Folders of shards
        #[arg(required = true)]
        folders: Vec<PathBuf>,
    },
    /// Check that folders of shards are undamaged
    Check {
        /// Folders of shards
        #[arg(required = true)]
        folders: Vec<PathBuf>,
    },
    /// Write shards as text, the rows that `import` reads or the lines of the trainer bullet, or as games in viriformat
    Export(export::ExportArguments),
    /// Make a book of uneven openings for matches
    Openings(openings::OpeningsArguments),
    /// Print histograms of positions
    Stats {
        /// Folders of shards, or files as for `import`
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
    },
}

/// Does what a command asks.
pub fn run(command: &DataCommand) -> CommandResult {
    match command {
        DataCommand::Import(arguments) => import::run(arguments),
        DataCommand::Label(arguments) => label::label(arguments),
        DataCommand::Selfplay(arguments) => label::selfplay(arguments),
        DataCommand::Visit(arguments) => visit::run(arguments),
        DataCommand::Finish { folders } => folders::finish(folders),
        DataCommand::Check { folders } => folders::check(folders),
        DataCommand::Export(arguments) => export::run(arguments),
        DataCommand::Openings(arguments) => openings::run(arguments),
        DataCommand::Stats { inputs } => folders::stats(inputs),
    }
}
