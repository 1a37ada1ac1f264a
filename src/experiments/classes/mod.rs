//! Sergi Alberich's nets of classes: from a board the interval of its evaluation, from a move what it does.
//!
//! The author tries seven layouts with seven codings of the evaluation and two of the board, and finds that nearly all
//! have the same figures; then the same of moves. Here his nets are trained on our data beside a predictor that looks at
//! nothing, and beside nets that are told the board in single bits and choose among classes that exclude one another.

pub mod author;
pub mod boards;
pub mod coding;
pub mod list;
pub mod measure;
pub mod net;
pub mod picture;
pub mod rows;
pub mod samples;
pub mod saved;
pub mod says;
mod store;
pub mod table;

use crate::data::DataError;
use crate::engine::parallel::each;
use crate::support::mix::mix;
use crate::support::whole_file;
use coding::Task;
use list::{NetName, nets};
use measure::{Figures, constant};
use net::{ClassNet, Said, Schedule};
use rayon::{ThreadPool, ThreadPoolBuilder};
use samples::{Sample, Samples};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The file of a run in its folder.
const FILE: &str = "results.jsonl";

/// What decides the results of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Rows to train on, of positions and of moves.
    pub positions: usize,
    /// Rows to measure on.
    pub test: usize,
    /// Passes over the rows.
    pub epochs: usize,
    /// Centipawns that count 1 in the classes' bounds; 1000 in the author's program.
    pub unit: u32,
    /// Only positions of games that were played, as the author's; the moves come from all.
    pub games: bool,
    /// What nets are asked for.
    pub tasks: Vec<Task>,
    /// Draws the rows, the first weights and the order of the rows.
    pub seed: u64,
}

impl Default for Settings {
    /// As the author trains, with fewer positions.
    fn default() -> Settings {
        Settings {
            positions: 20_000,
            test: 5_000,
            epochs: 10,
            unit: 1000,
            games: false,
            tasks: Task::ALL.to_vec(),
            seed: 0,
        }
    }
}

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The sources of the rows: folders of shards, or files of any kind that `enroc data import` reads.
    pub data: Vec<PathBuf>,
    /// The folder of the results.
    pub folder: PathBuf,
    /// Nets that are trained at once.
    pub threads: usize,
    /// Whether results of an earlier run are thrown away.
    pub restart: bool,
    /// Whether the nets are written to the folder too; those of an earlier run that are not there are trained again.
    pub save: bool,
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ClassesError {
    /// A file of the run cannot be read or written.
    #[error("{path}: {reason}")]
    File { path: PathBuf, reason: String },
    /// The file of the run is not one that a run has written.
    #[error("{path}, line {line}: {reason}; the file is left as it is, --restart trains all nets anew")]
    Damaged {
        path: PathBuf,
        line: usize,
        reason: String,
    },
    /// The run was begun with other settings or data.
    #[error(
        "{path} was begun with other settings or data ({difference}): give the same, another --out, or --restart"
    )]
    OtherRun { path: PathBuf, difference: String },
    /// Another program trains there.
    #[error("another run is writing {0}")]
    Busy(PathBuf),
    /// The data cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The data holds too little.
    #[error(
        "--data holds too few {what}: {} to train on and {} to measure on, wanted are {} and {}; give more data, or smaller --positions and --test",
        found[0], found[1], wanted[0], wanted[1]
    )]
    TooFew {
        what: &'static str,
        found: [usize; 2],
        wanted: [usize; 2],
    },
    /// candle has failed.
    #[error("training failed: {0}")]
    Candle(#[from] candle_core::Error),
    /// There are no threads.
    #[error("no thread to train on: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The picture of the figures cannot be drawn.
    #[error("{0}")]
    Picture(String),
}

impl ClassesError {
    fn file(path: &Path, error: impl std::fmt::Display) -> ClassesError {
        ClassesError::File {
            path: path.into(),
            reason: error.to_string(),
        }
    }

    fn damaged(path: &Path, line: usize, error: impl std::fmt::Display) -> ClassesError {
        ClassesError::Damaged {
            path: path.into(),
            line,
            reason: error.to_string(),
        }
    }
}

/// A net and its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trained {
    pub net: NetName,
    /// On the rows that it was trained on.
    pub training: Figures,
    /// On the others.
    pub test: Figures,
}

/// What a run has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How it was trained.
    pub settings: Settings,
    /// The predictor that looks at nothing, for each task: its figures on both sets of rows.
    pub constants: Vec<(Task, [Figures; 2])>,
    /// The nets, in the order of [`nets`].
    pub trained: Vec<Trained>,
    /// What could not be read of the data, a line for each source.
    pub skipped: Vec<String>,
}

/// Trains all nets that the folder does not hold yet. `tell` hears how many nets there are and how many are trained,
/// once before the first and after each.
///
/// # Errors
/// [`ClassesError`]; the nets before are kept.
pub fn run(
    settings: &Settings,
    options: &Options,
    tell: &mut (dyn FnMut(usize, usize) + Send),
) -> Result<Outcome, ClassesError> {
    let folder = &options.folder;
    let fault = |error| ClassesError::file(folder, error);
    std::fs::create_dir_all(folder).map_err(fault)?;
    let _lock = whole_file::lock(folder)
        .map_err(fault)?
        .ok_or_else(|| ClassesError::Busy(folder.clone()))?;
    let samples = samples::draw(&options.data, settings)?;
    let header = store::Header::new(settings, &samples.fingerprint);
    let path = folder.join(FILE);
    let mut trained = match options.restart {
        true => Vec::new(),
        false => store::read(&path, &header)?,
    };
    if options.save {
        trained.retain(|known| saved::path(folder, &known.net).exists());
    }
    let nets = nets(&settings.tasks);
    let open: Vec<NetName> = nets
        .iter()
        .filter(|net| trained.iter().all(|known| known.net != **net))
        .copied()
        .collect();
    tell(nets.len(), trained.len());
    each(
        &open,
        options.threads,
        // candle would spread each product over all threads; nets are too small for that
        || Ok(ThreadPoolBuilder::new().num_threads(1).build()?),
        |pool: &mut ThreadPool, &net| -> Result<Trained, ClassesError> {
            pool.install(|| {
                let (net, trained) = train(net, &samples, settings)?;
                if options.save {
                    saved::write(folder, &net, settings.unit)?;
                }
                Ok(trained)
            })
        },
        |_, result| {
            trained.push(result);
            store::write(&path, &header, &trained)?;
            tell(nets.len(), trained.len());
            Ok(())
        },
    )
    .map_err(|fault| fault.error)?;
    trained.sort_by_key(|trained| nets.iter().position(|&net| net == trained.net));
    let constants = settings
        .tasks
        .iter()
        .map(|&task| (task, constants(task, &samples, settings)));
    Ok(Outcome {
        settings: settings.clone(),
        constants: constants.collect(),
        trained,
        skipped: samples.skipped.clone(),
    })
}

/// The rows of a task; they were drawn because a task of its kind is wanted.
fn rows_of(task: Task, samples: &Samples) -> Option<&Sample> {
    match task.of_moves() {
        true => samples.moves.as_ref(),
        false => samples.positions.as_ref(),
    }
}

fn train(net: NetName, samples: &Samples, settings: &Settings) -> Result<(ClassNet, Trained), ClassesError> {
    let coding = net.task.coding();
    let Some(Sample { training, test }) = rows_of(net.task, samples) else {
        let error = candle_core::Error::Msg(format!("no rows for {}", net.task));
        return Err(error.into());
    };
    let [known, unknown] = [training, test].map(|rows| rows.classes(net.task, settings.unit));
    let class_net = ClassNet::new(net, training.width(net.manner.inputs), mix(settings.seed))?;
    let schedule = Schedule {
        epochs: settings.epochs,
        seed: settings.seed,
    };
    class_net.train(training, &known, schedule)?;
    let figures = |rows, classes: &[Vec<u8>]| -> Result<Figures, ClassesError> {
        let answers = class_net.answers(rows)?;
        let said: Vec<Said> = answers
            .iter()
            .map(|sums| Said::new(sums, &coding, net.manner.answers))
            .collect();
        Ok(Figures::of(net.task, &coding, &said, classes))
    };
    let trained = Trained {
        net,
        training: figures(training, &known)?,
        test: figures(test, &unknown)?,
    };
    Ok((class_net, trained))
}

fn constants(task: Task, samples: &Samples, settings: &Settings) -> [Figures; 2] {
    let none = Vec::new();
    let [training, test] = match rows_of(task, samples) {
        Some(sample) => [&sample.training, &sample.test].map(|rows| rows.classes(task, settings.unit)),
        None => [none.clone(), none],
    };
    [&training, &test].map(|rows| constant(task, &task.coding(), &training, rows))
}

#[cfg(test)]
mod tests {
    use super::samples::tests::write_games;
    use super::*;

    fn settings() -> Settings {
        Settings {
            positions: 400,
            test: 80,
            epochs: 1,
            tasks: vec![Task::Evaluation(2), Task::FreeFile],
            ..Settings::default()
        }
    }

    fn options(folder: &Path) -> Options {
        let path = folder.join("rows.csv");
        if !path.exists() {
            write_games(&path, 40);
        }
        Options {
            data: vec![path],
            folder: folder.join("out"),
            threads: 2,
            restart: false,
            save: false,
        }
    }

    #[test]
    fn a_run_that_was_cut_off_comes_to_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path());
        let straight = run(&settings(), &options, &mut |_, _| {}).unwrap();
        // 7 nets in five manners, 9 in four
        assert_eq!(straight.trained.len(), 35 + 36);
        assert_eq!(straight.constants.len(), 2);
        let path = options.folder.join(FILE);
        let text = std::fs::read_to_string(&path).unwrap();
        let cut: Vec<&str> = text.lines().take(20).collect();
        std::fs::write(&path, cut.join("\n") + "\n").unwrap();
        let mut told = Vec::new();
        let again = run(&settings(), &options, &mut |_, done| told.push(done)).unwrap();
        assert_eq!(again, straight);
        assert_eq!((told[0], told.last()), (19, Some(&71)));
        // the nets themselves are trained again to be saved, and come to the same
        let saving = Options {
            save: true,
            ..options
        };
        assert_eq!(run(&settings(), &saving, &mut |_, _| {}).unwrap(), straight);
        let folder = saving.folder.join("nets");
        assert_eq!(saved::files(&folder).unwrap().len(), 71);
        run(&settings(), &saving, &mut |_, done| assert_eq!(done, 71)).unwrap();
    }

    #[test]
    fn what_is_damaged_or_of_another_run_is_named_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        // one after the other, so that each has its line
        let options = Options {
            threads: 1,
            ..options(folder.path())
        };
        let few = Settings {
            tasks: vec![Task::Evaluation(2)],
            ..settings()
        };
        run(&few, &options, &mut |_, _| {}).unwrap();
        let path = options.folder.join(FILE);
        let text = std::fs::read_to_string(&path).unwrap();
        let second = text.lines().nth(1).unwrap();
        for (damage, line, words) in [
            (String::new(), 1, "empty"),
            ("{}\n".to_string(), 1, "missing field"),
            (text[..text.len() - 30].to_string(), 36, "EOF"),
            (format!("{text}{second}\n"), 37, "twice"),
            (text.replace("\"layout\":7", "\"layout\":8"), 8, "no such net"),
            (
                text.replacen("\"format\":1", "\"format\":2", 1),
                1,
                "formats up to 1",
            ),
        ] {
            std::fs::write(&path, &damage).unwrap();
            let error = run(&few, &options, &mut |_, _| {}).unwrap_err().to_string();
            assert!(
                error.contains(&format!("{FILE}, line {line}: ")) && error.contains(words),
                "{error}"
            );
            assert_eq!(std::fs::read_to_string(&path).unwrap(), damage);
        }
        std::fs::write(&path, &text).unwrap();
        let other = Settings {
            epochs: 2,
            ..few.clone()
        };
        let error = run(&other, &options, &mut |_, _| {}).unwrap_err().to_string();
        assert!(error.contains("epochs 1, now 2"), "{error}");
        write_games(&folder.path().join("rows.csv"), 39);
        let error = run(&few, &options, &mut |_, _| {}).unwrap_err().to_string();
        assert!(error.contains("rows "), "{error}");
        let anew = Options {
            restart: true,
            ..options
        };
        assert_eq!(run(&few, &anew, &mut |_, _| {}).unwrap().trained.len(), 35);
    }

    #[test]
    fn softmax_over_bits_learns_the_material() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings {
            positions: 1_500,
            test: 150,
            epochs: 12,
            unit: 100,
            tasks: vec![Task::Evaluation(2)],
            ..Settings::default()
        };
        let samples = samples::draw(&options(folder.path()).data, &settings).unwrap();
        let net = NetName {
            task: Task::Evaluation(2),
            manner: list::Manner::ALL[4],
            layout: 7,
        };
        let (_, best) = train(net, &samples, &settings).unwrap();
        let constant = constants(net.task, &samples, &settings)[1];
        assert!(
            best.test.accuracy > constant.accuracy + 0.1 && best.training.exact > constant.exact + 0.3,
            "{best:?} {constant:?}"
        );
    }
}
