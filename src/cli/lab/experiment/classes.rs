//! `enroc experiment classes`: nets of classes, beside a predictor that looks at nothing.

use crate::cli::lab::resume::Resume;
use crate::cli::progress::bar;
use crate::cli::result::CommandResult;
use crate::experiments::classes;
use crate::experiments::classes::coding::Task;
use crate::experiments::classes::{Options, Settings, picture, table};
use crate::support::terminal::say;
use crate::support::whole_file;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
pub struct Classes {
    /// Where positions and moves are drawn from: a folder of shards, or a file that `enroc data import` reads; may be
    /// named again. Moves are positions that follow one another
    #[arg(long, required = true, value_name = "FOLDER")]
    data: Vec<PathBuf>,
    /// Positions to train on, and as many moves
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = count)]
    positions: usize,
    /// Positions to measure on, and as many moves, of games and starts that none is trained on
    #[arg(long, default_value_t = 5_000, value_name = "N", value_parser = count)]
    test: usize,
    /// Passes over the positions
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: u16,
    /// Centipawns that count 1 in the classes' bounds: 1000 as in the author's program, or 100, a pawn, as in his text
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    unit: u32,
    /// Only positions of games that were played, as the author has; moves come from all
    #[arg(long)]
    games: bool,
    /// Only the nets of positions, or those of moves
    #[arg(long, value_enum)]
    only: Option<Kind>,
    /// Nets that are trained at once
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Draws the positions, the first weights and their order
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where results, table and picture go; the same command goes on with them
    #[arg(long, short, value_name = "FOLDER", default_value = "classes")]
    out: PathBuf,
    /// Also write the nets, to the folder nets in there, for `enroc explain --classes`
    #[arg(long)]
    save: bool,
    #[command(flatten)]
    resume: Resume,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Kind {
    Positions,
    Moves,
}

fn count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=100_000_000) => Ok(count),
        _ => Err("it is a whole number from 1 to 100000000".to_string()),
    }
}

pub fn train(arguments: &Classes) -> CommandResult {
    let wanted = |task: &Task| {
        arguments
            .only
            .is_none_or(|kind| task.of_moves() == (kind == Kind::Moves))
    };
    let settings = Settings {
        positions: arguments.positions,
        test: arguments.test,
        epochs: usize::from(arguments.epochs),
        unit: arguments.unit,
        games: arguments.games,
        tasks: Task::ALL.into_iter().filter(wanted).collect(),
        seed: arguments.seed,
    };
    let options = Options {
        data: arguments.data.clone(),
        folder: arguments.out.clone(),
        threads: usize::from(arguments.threads),
        restart: arguments.resume.restart,
        save: arguments.save,
    };
    let bar = bar(0, "nets");
    bar.set_message("reading the data");
    let mut begun = false;
    let outcome = classes::run(&settings, &options, &mut |all, done| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
        if !begun {
            // the nets of an earlier run say nothing of the time that the rest takes
            bar.set_message("");
            bar.reset_eta();
            begun = true;
        }
    });
    bar.finish_and_clear();
    let outcome = outcome?;
    let (text, drawing) = (table::markdown(&outcome), picture::svg(&outcome)?);
    for (name, content) in [("table.md", &text), ("classes.svg", &drawing)] {
        let path = arguments.out.join(name);
        whole_file::write_bytes(&path, content.as_bytes())
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    outcome.skipped.iter().for_each(say);
    say(text.trim_end());
    Ok(())
}
