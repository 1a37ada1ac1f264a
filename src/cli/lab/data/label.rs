//! `enroc data label` and `enroc data selfplay`: a UCI engine gives the scores.

use super::labeller::LabellerArguments;
use super::shared::{GamesArguments, OutputArguments, finish, nothing_read};
use crate::board::Position;
use crate::cli::lab::progress::spinner;
use crate::cli::lab::values::{factor, share};
use crate::cli::result::CommandResult;
use crate::data::formats::games::GameSettings;
use crate::data::formats::source::{GroupSource, Groups};
use crate::data::import::Starts;
use crate::data::job::InputIdentity;
use crate::data::{DataError, Record};
use crate::labelling;
use crate::labelling::job::LabellingJob;
use crate::labelling::{
    LabelJob, LabelReport, LabellingError, Means, PlayoutSettings, SelfplayJob, TeachJob,
};
use crate::labelling::{TeacherIdentity, teach};
use crate::nets::teacher::Teacher;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct LabelArguments {
    /// What to label: files or folders as for `import`
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    work: WorkArguments,
    /// The share of positions, 0 to 1, that random moves change before they are labelled
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    random_share: f64,
    /// Pass over positions in check
    #[arg(long)]
    drop_check: bool,
    /// Label again what has a label
    #[arg(long)]
    again: bool,
    /// Take the engine's static evaluation, without a search or a best move, and pass over positions in check
    #[arg(long = "static", groups = ["effort", "evaluated"])]
    is_static: bool,
    /// Instead of an engine, let the network of Stockfish 15.1 label, with hints, and pass over positions in check
    #[arg(long, value_name = "NNUE", groups = ["effort", "evaluated"], conflicts_with_all = ["random_share", "engine"])]
    teacher: Option<PathBuf>,
    /// Multiply static evaluations by this
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR", requires = "evaluated", value_parser = factor)]
    scale: f64,
}

#[derive(Args)]
pub struct SelfplayArguments {
    /// Openings: files or folders as for `import`; the start of a game if there are none
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    work: WorkArguments,
    /// How many games; the openings are used over and over
    #[arg(long = "games", value_name = "N")]
    count: u64,
    /// Positions of each game, unless it ends before
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    plies: u32,
    /// The share of games, 0 to 1, that begin with random moves
    #[arg(long, default_value_t = 1.0, value_name = "SHARE", value_parser = share)]
    random_share: f64,
    /// Begin a game anew, with other random moves, whose first score is beyond this many centipawns for either side
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(1..=30_000))]
    most_start: Option<u16>,
    /// End a game, as won, after two scores in a row of at least this many centipawns for the same side
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(1..=30_000))]
    resign: Option<u16>,
}

/// What both commands need.
#[derive(Args)]
struct WorkArguments {
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    games: GamesArguments,
    #[command(flatten)]
    labeller: LabellerArguments,
}

/// Labels positions as they are, or after random moves.
pub fn label(arguments: &LabelArguments) -> CommandResult {
    if let Some(teacher) = &arguments.teacher {
        return label_by_teacher(arguments, teacher);
    }
    let (work, inputs) = (&arguments.work, &arguments.inputs);
    let playout = PlayoutSettings {
        random_share: arguments.random_share,
        plies: 1,
        skip_check: arguments.drop_check || arguments.is_static,
        again: arguments.again,
        ..work.labeller.playout(work.games.seed)
    };
    let means = match arguments.is_static {
        true => Means::Static(arguments.scale),
        false => Means::Search(work.labeller.effort()),
    };
    let job = LabelJob {
        common: work.job(inputs, means, &playout)?,
        games: work.games.settings(),
        drop_check: playout.skip_check,
        again: playout.again,
    };
    let open = || Ok(Groups::new(inputs.clone(), work.games.settings()));
    work.run(inputs, means, playout, &job, open)
}

/// Labels positions with a network's static evaluations and hints.
fn label_by_teacher(arguments: &LabelArguments, teacher: &Path) -> CommandResult {
    let (work, inputs) = (&arguments.work, &arguments.inputs);
    let teacher = Teacher::read(teacher, arguments.scale)?;
    let job = TeachJob {
        inputs: InputIdentity::of_all(inputs)?,
        games: work.games.settings(),
        teacher: TeacherIdentity::of(&teacher),
        again: arguments.again,
        shard_records: work.output.shard_records,
    };
    let Some(mut writer) = work.output.open(&job, inputs, true)? else {
        return Ok(());
    };
    let mut source = Groups::new(inputs.clone(), work.games.settings());
    let progress = spinner("positions labelled");
    let labelled = teach(
        &mut source,
        &teacher,
        arguments.again,
        &mut writer,
        &mut |so_far| {
            progress.set_position(so_far);
        },
    )?;
    let seconds = progress.elapsed().as_secs_f64();
    progress.finish_and_clear();
    let report = LabelReport {
        labelled,
        ..LabelReport::default()
    };
    let mut notes = source.skipped().to_vec();
    notes.extend(words(&report, seconds));
    finish(*writer, notes, &work.output.out)
}

/// Lets the engine play on from openings.
pub fn selfplay(arguments: &SelfplayArguments) -> CommandResult {
    let (work, inputs) = (&arguments.work, &arguments.inputs);
    let playout = PlayoutSettings {
        random_share: arguments.random_share,
        plies: arguments.plies,
        again: true,
        most_start: arguments.most_start,
        resign: arguments.resign,
        ..work.labeller.playout(work.games.seed)
    };
    let means = Means::Search(work.labeller.effort());
    let job = SelfplayJob {
        common: work.job(inputs, means, &playout)?,
        openings: work.games.settings(),
        games: arguments.count,
        plies: playout.plies,
        most_start: playout.most_start,
        resign: playout.resign,
    };
    work.run(inputs, means, playout, &job, || {
        let (openings, skipped) = read_openings(inputs, work.games.settings())?;
        Starts::new(openings, arguments.count, skipped)
    })
}

/// The openings, and what of their files was skipped.
fn read_openings(inputs: &[PathBuf], games: GameSettings) -> Result<(Vec<Record>, Vec<String>), DataError> {
    if inputs.is_empty() {
        return Ok((vec![Record::new(&Position::default())], Vec::new()));
    }
    let mut groups = Groups::new(inputs.to_vec(), games);
    let (mut openings, mut group) = (Vec::new(), Vec::new());
    while groups.next_group(&mut group)? {
        openings.append(&mut group);
    }
    Ok((openings, groups.skipped().to_vec()))
}

impl WorkArguments {
    /// What both commands say of a run.
    fn job(
        &self,
        inputs: &[PathBuf],
        means: Means,
        playout: &PlayoutSettings,
    ) -> Result<LabellingJob, LabellingError> {
        Ok(LabellingJob {
            inputs: InputIdentity::of_all(inputs)?,
            random_share: playout.random_share,
            labels: self.labeller.identity(means, playout)?,
            shard_records: self.output.shard_records,
        })
    }

    /// Labels what `open` opens.
    fn run<S: GroupSource + Send>(
        &self,
        inputs: &[PathBuf],
        means: Means,
        playout: PlayoutSettings,
        job: &impl Serialize,
        open: impl FnOnce() -> Result<S, DataError>,
    ) -> CommandResult {
        let Some(mut writer) = self.output.open(job, inputs, false)? else {
            return Ok(());
        };
        let mut source = open()?;
        let progress = spinner("positions labelled");
        let settings = self.labeller.settings(means, playout);
        let report = labelling::label(&mut source, &settings, &mut writer, &mut |so_far| {
            progress.set_position(so_far.labelled);
        })?;
        let seconds = progress.elapsed().as_secs_f64();
        progress.finish_and_clear();
        let mut notes = source.skipped().to_vec();
        if writer.groups() == 0 {
            drop(writer);
            return Err(nothing_read(&notes, inputs, &self.output.out));
        }
        notes.extend(words(&report, seconds));
        finish(*writer, notes, &self.output.out)
    }
}

/// What a run has to say at its end.
fn words(report: &LabelReport, seconds: f64) -> Vec<String> {
    let labelled = report.labelled;
    let rate = labelled as f64 / seconds.max(1e-3);
    let mut words = vec![format!(
        "{labelled} positions labelled in the last run, {rate:.0} a second"
    )];
    if report.unbalanced > 0 {
        words.push(format!("{} starts were out of balance", report.unbalanced));
    }
    if report.restarts + report.given_up > 0 {
        let (restarts, given_up) = (report.restarts, report.given_up);
        words.push(format!(
            "the engine was started again {restarts} times, {given_up} positions were given up"
        ));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_happened_is_said_at_the_end() {
        let smooth = LabelReport {
            labelled: 300,
            ..LabelReport::default()
        };
        assert_eq!(
            words(&smooth, 2.0),
            ["300 positions labelled in the last run, 150 a second"]
        );
        let rough = LabelReport {
            unbalanced: 7,
            given_up: 1,
            ..smooth
        };
        let said = words(&rough, 2.0);
        assert_eq!(said.len(), 3, "{said:?}");
        assert_eq!(said[1], "7 starts were out of balance");
        assert!(said[2].ends_with("1 positions were given up"), "{said:?}");
    }
}
