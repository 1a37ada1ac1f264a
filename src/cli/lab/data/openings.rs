//! `enroc data openings`: a book for matches.

use crate::cli::progress::bar;
use crate::cli::result::CommandResult;
use crate::cli::values::from_to;
use crate::compare::play::book;
use crate::compare::play::book::BookSettings;
use crate::engine::searcher::{SearcherPlan, searcher};
use crate::nets::choice::NetChoice;
use crate::nets::kind::Backend;
use crate::support::terminal::say;
use crate::support::whole_file;
use clap::Args;
use std::path::PathBuf;

/// Of the search that judges, in MiB.
const HASH: usize = 16;

#[derive(Args)]
pub struct OpeningsArguments {
    /// The file to write, a FEN a line
    file: PathBuf,
    /// How many openings
    #[arg(long, default_value_t = BookSettings::default().count, value_name = "N")]
    count: usize,
    /// The seed of the random generator
    #[arg(long, default_value_t = BookSettings::default().seed)]
    seed: u64,
    /// Random plies from the start position, such as 8 or 8-9
    #[arg(long, value_name = "N-M", default_value = "8-9", value_parser = from_to)]
    plies: (u32, u32),
    /// Nodes of the search that judges an opening
    #[arg(long, default_value_t = BookSettings::default().nodes, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How far one side may be ahead, in centipawns
    #[arg(long, value_name = "N-M", default_value = "40-120", value_parser = from_to)]
    ahead: (u32, u32),
}

/// Makes the book.
pub fn run(arguments: &OpeningsArguments) -> CommandResult {
    let settings = BookSettings {
        count: arguments.count,
        seed: arguments.seed,
        plies: arguments.plies,
        nodes: arguments.nodes,
        ahead: (arguments.ahead.0 as i32, arguments.ahead.1 as i32),
    };
    let path = &arguments.file;
    whole_file::check(path, []).map_err(|error| format!("{}: {error}", path.display()))?;
    let (mut judge, _) = searcher(&SearcherPlan {
        net: NetChoice::default(),
        backend: Backend::default(),
        threads: 1,
        hash: HASH,
    })?;
    let bar = bar(settings.count as u64, "openings");
    let openings = book::make(&settings, judge.as_mut(), &mut |done| {
        bar.set_position(done as u64)
    });
    bar.finish_and_clear();
    if openings.len() < settings.count {
        let found = openings.len();
        return Err(format!(
            "only {found} of {} openings were found: allow more with --plies or --ahead",
            settings.count
        )
        .into());
    }
    whole_file::write(path, |file| {
        openings
            .iter()
            .try_for_each(|opening| writeln!(file, "{}", opening.to_fen(false)))
    })
    .map_err(|error| format!("{}: {error}", path.display()))?;
    say(format_args!("{} openings in {}", openings.len(), path.display()));
    Ok(())
}
