//! Asking all contestants about all positions. Answers are saved as they come, so that the run may be cut off.

use super::player::Player;
use super::spec::Contestant;
use super::store;
use super::store::Known;
use crate::compare::answer::Answers;
use crate::compare::error::CompareError;
use crate::compare::set::Set;
use crate::engine::parallel::{Fault, each};
use crate::uci_client::EngineSettings;
use csv::StringRecord;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Answers are written at most this often.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// How a run is done.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Threads, each with a contestant of its own at work.
    pub threads: usize,
    /// For outside engines, but for the program.
    pub engine: EngineSettings,
    /// Whether answers of an earlier run are thrown away.
    pub restart: bool,
}

/// Called with the name of the contestant at work and the number of answers so far, over all contestants.
pub type Tell<'a> = &'a mut (dyn FnMut(&str, usize) + Send);

/// Asks every contestant about every position that it has not answered in `folder` yet.
///
/// # Errors
/// [`CompareError::Broken`] when an outside engine breaks down; all answers before are kept.
pub fn run(
    set: &Set,
    contestants: &[Contestant],
    folder: &Path,
    settings: &RunSettings,
    tell: Tell,
) -> Result<Vec<Answers>, CompareError> {
    let answers_folder = folder.join("answers");
    std::fs::create_dir_all(&answers_folder).map_err(|error| CompareError::write(&answers_folder, error))?;
    // every contestant is checked before the first one works, so that a mistake is found at once
    let mut all = Vec::new();
    for contestant in contestants {
        let identity = contestant.identity(&settings.engine)?;
        let path = store::path_of(folder, &identity);
        let known = match settings.restart {
            true => Known::nothing(set),
            false => store::read(&path, &identity, set)?,
        };
        let answers = Answers {
            name: contestant.name.clone(),
            identity,
            rows: known.rows,
        };
        all.push(Kept {
            answers,
            others: known.others,
            path,
        });
    }
    let mut done: usize = all.iter().map(|kept| kept.answers.count()).sum();
    for (contestant, kept) in contestants.iter().zip(&mut all) {
        tell(&contestant.name, done);
        ask(set, contestant, kept, settings, &mut || {
            done += 1;
            tell(&contestant.name, done);
        })?;
    }
    Ok(all.into_iter().map(|kept| kept.answers).collect())
}

/// The answers of a contestant, and the file that keeps them.
struct Kept {
    answers: Answers,
    /// Rows of the file about other positions.
    others: Vec<StringRecord>,
    path: PathBuf,
}

/// Asks one contestant about what it has not answered.
fn ask(
    set: &Set,
    contestant: &Contestant,
    kept: &mut Kept,
    settings: &RunSettings,
    tell: &mut (dyn FnMut() + Send),
) -> Result<(), CompareError> {
    let Kept {
        answers,
        others,
        path,
    } = kept;
    let open: Vec<usize> = (0..set.cases.len())
        .filter(|&place| answers.rows[place].is_none())
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let mut saved = Instant::now();
    let result = each(
        &open,
        settings.threads,
        || Player::new(contestant, &settings.engine),
        |player, &place| Ok(player.answer(&set.cases[place].position)?),
        |number, answer| {
            answers.rows[open[number]] = Some(answer);
            tell();
            if saved.elapsed() < SAVE_EVERY {
                return Ok(());
            }
            saved = Instant::now();
            store::write(path, answers, others, set)
        },
    );
    store::write(path, answers, others, set)?;
    result.map_err(|fault| match fault {
        Fault {
            item: Some(number),
            error: CompareError::Engine(error),
        } => CompareError::Broken {
            name: contestant.name.clone(),
            error: Box::new(error),
            fen: set.cases[open[number]].fen(),
            kept: answers.count(),
            path: path.to_path_buf(),
        },
        fault => fault.error,
    })
}
