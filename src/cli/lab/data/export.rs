//! `enroc data export`: shards as text or as games, for other programs.

use crate::cli::lab::progress::{hidden_bar, show_late};
use crate::cli::lab::values::{PartName, share};
use crate::cli::result::CommandResult;
use crate::data::Split;
use crate::data::feed::part::PartOf;
use crate::data::formats::export::{Format, export};
use crate::data::formats::games::GameSettings;
use crate::data::formats::source::{GroupSource, Groups};
use crate::data::store::shard::Index;
use crate::support::terminal::say;
use crate::support::whole_file;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
pub struct ExportArguments {
    /// Folders of shards
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// The file to write: named .csv for csv, .txt for bullet, .vf for viriformat
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// How to write the positions
    #[arg(long, value_enum, default_value_t = FormatName::Csv)]
    format: FormatName,
    /// With bullet: write positions of unknown result as draws instead of leaving them out, for trainings by score alone
    #[arg(long)]
    unknown_as_draw: bool,
    /// Write only this part, divided as `enroc train` and `net eval` divide: so an outside trainer keeps the test part apart
    #[arg(long, value_enum)]
    part: Option<PartName>,
    /// With --part: the seed of the division
    #[arg(long, value_name = "N", default_value_t = Split::default().seed, requires = "part")]
    split_seed: u64,
    /// With --part: the share of groups that is the validation part
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = Split::default().validation, requires = "part")]
    validation: f64,
    /// With --part: the share of groups that is the test part
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = Split::default().test, requires = "part")]
    test: f64,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatName {
    /// fen,score,bestmove,origin,result: all that a record holds, as `import` reads it
    Csv,
    /// FEN | score | result, both for White
    Bullet,
    /// Whole games in binary, as engines play them against themselves; positions of unknown result are left out
    Viriformat,
}

/// Writes what the arguments ask for.
pub fn run(arguments: &ExportArguments) -> CommandResult {
    let (format, ending) = match arguments.format {
        FormatName::Csv => (Format::Rows, "csv"),
        FormatName::Bullet => {
            let unknown_as_draw = arguments.unknown_as_draw;
            (Format::Bullet { unknown_as_draw }, "txt")
        }
        FormatName::Viriformat => (Format::Viriformat, "vf"),
    };
    let out = arguments.out.display();
    // readers tell the format by the ending: under another one the file could not be read again
    if arguments.out.extension().is_none_or(|found| found != ending) {
        return Err(format!("{out}: in this format the name of the file ends in .{ending}").into());
    }
    let inputs = arguments.folders.iter().map(PathBuf::as_path);
    whole_file::check(&arguments.out, inputs).map_err(|error| format!("{out}: {error}"))?;
    let mut total = 0;
    for folder in &arguments.folders {
        total += Index::read(folder)?.records();
    }
    let groups = Groups::new(arguments.folders.clone(), GameSettings::default());
    let mut source: Box<dyn GroupSource> = match arguments.part {
        None => Box::new(groups),
        Some(part) => Box::new(PartOf::new(groups, split(arguments)?, part.part())),
    };
    let bar = hidden_bar(total, "positions");
    let report = export(source.as_mut(), &arguments.out, format, &mut |done| {
        show_late(&bar, done);
    })?;
    bar.finish_and_clear();
    if report.left_out.total() > 0 {
        say(format_args!("left out: {}", report.left_out));
    }
    match format {
        Format::Viriformat => say(format_args!(
            "{out}: {} positions in {} games",
            report.written, report.games
        )),
        _ => say(format_args!("{out}: {} positions", report.written)),
    }
    Ok(())
}

/// How the arguments divide the data.
fn split(arguments: &ExportArguments) -> Result<Split, String> {
    let ExportArguments {
        split_seed,
        validation,
        test,
        ..
    } = *arguments;
    if validation + test > 1.0 {
        return Err("--validation and --test together are more than everything".into());
    }
    Ok(Split {
        seed: split_seed,
        validation,
        test,
    })
}
