//! `enroc data import`: games, lists and rows as shards.

use super::shared::{GamesArguments, OutputArguments, finish, nothing_read};
use crate::cli::lab::progress::spinner;
use crate::cli::result::CommandResult;
use crate::data::feed::filter::{Filter, FilterSettings};
use crate::data::formats::source::{GroupSource, Groups};
use crate::data::import::import;
use crate::data::job::{ImportJob, InputIdentity};
use crate::data::store::shard::has_hints;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct ImportArguments {
    /// .pgn, .vf (viriformat), .jsonl (Lichess's evaluations), .csv (fen,score,bestmove,origin), .fen, .epd, .txt, each plain or .xz, .gz, .bz2, .zst; or folders of shards
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    games: GamesArguments,
    /// Leave out positions in check
    #[arg(long)]
    drop_check: bool,
    /// Leave out positions whose best move captures or promotes
    #[arg(long)]
    drop_noisy: bool,
    /// Leave out positions without a label
    #[arg(long)]
    drop_unlabelled: bool,
    /// Leave out scores beyond this many centipawns for either side, mates included
    #[arg(long, value_name = "CP")]
    max_score: Option<u16>,
    /// Leave out positions that came before, as far as this much memory remembers them (131,072 in a MiB)
    #[arg(long, value_name = "MB")]
    unique: Option<usize>,
}

/// Imports what the arguments name.
pub fn run(arguments: &ImportArguments) -> CommandResult {
    let filter = FilterSettings {
        in_check: arguments.drop_check,
        noisy: arguments.drop_noisy,
        unlabelled: arguments.drop_unlabelled,
        max_score: arguments.max_score,
        duplicate_memory: arguments.unique,
    };
    let games = arguments.games.settings();
    let job = ImportJob {
        inputs: InputIdentity::of_all(&arguments.inputs)?,
        games,
        filter: filter.clone(),
        shard_records: arguments.output.shard_records,
    };
    let mut hinted = 0;
    for input in &arguments.inputs {
        hinted += has_hints(input)? as usize;
    }
    let all_hinted = hinted == arguments.inputs.len();
    let Some(mut writer) = arguments.output.open(&job, &arguments.inputs, all_hinted)? else {
        return Ok(());
    };
    let mut source = Groups::new(arguments.inputs.clone(), games);
    let mut filter = Filter::new(filter);
    let progress = spinner("positions read");
    let imported = import(&mut source, &mut filter, &mut writer, &mut |so_far| {
        progress.set_position(so_far.read);
    });
    progress.finish_and_clear();
    let report = imported.map_err(|error| match writer.records() {
        0 => error.to_string(),
        kept => format!(
            "{error}; {kept} positions before it are kept, and `enroc data finish {}` makes a whole folder of them",
            arguments.output.out.display()
        ),
    })?;
    let mut notes = source.skipped().to_vec();
    if report.read == 0 {
        drop(writer);
        return Err(nothing_read(&notes, &arguments.inputs, &arguments.output.out));
    }
    let kept = format!(
        "{} positions in {} groups read, {} of them with a label; {} kept",
        report.read, report.groups, report.labelled, report.kept
    );
    notes.push(kept);
    if report.bare > 0 {
        notes.push(format!(
            "{} more stay without their labels, as the first of their groups",
            report.bare
        ));
    }
    notes.push(format!("left out: {}", filter.rejected()));
    if hinted > 0 && !all_hinted {
        notes.push("without hints, which not all of the inputs have".to_string());
    }
    finish(*writer, notes, &arguments.output.out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Record;
    use crate::data::store::shard::Index;
    use crate::data::store::writer::{Opened, ShardWriter};
    use clap::Parser;
    use std::path::Path;

    #[derive(Parser)]
    struct Import {
        #[command(flatten)]
        arguments: ImportArguments,
    }

    /// A folder with one record and its hint.
    fn hinted(folder: &Path) {
        let Opened::Ready(mut writer) = ShardWriter::open_with_hints(folder, &"job", 10).unwrap() else {
            panic!("complete already");
        };
        let record = Record::new(&Position::default());
        writer.append_with_hints(&[record], &[[3; 16]]).unwrap();
        writer.finish(Vec::new()).unwrap();
    }

    #[test]
    fn hints_are_kept_where_all_inputs_have_them() {
        let room = tempfile::tempdir().unwrap();
        let path = |name: &str| room.path().join(name);
        hinted(&path("one"));
        hinted(&path("two"));
        std::fs::write(path("list.fen"), Position::START_FEN).unwrap();
        for (inputs, kept) in [
            (&["one", "two"][..], true),
            (&["one"], true),
            (&["one", "list.fen"], false),
            (&["list.fen"], false),
        ] {
            let out = path(&format!("from {}", inputs.join(" ")));
            let mut words = vec!["import".into(), "--out".into(), out.clone().into_os_string()];
            words.extend(inputs.iter().map(|name| path(name).into_os_string()));
            run(&Import::parse_from(words).arguments).unwrap();
            let index = Index::read(&out).unwrap();
            assert_eq!(index.hints, kept, "{inputs:?}");
            let loses = index.notes.iter().any(|note| note.contains("without hints"));
            assert_eq!(loses, inputs.len() > 1 && !kept, "{:?}", index.notes);
        }
    }
}
