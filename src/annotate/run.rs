//! A run over the games of a file, from reading to the two files that it writes.

use super::input::{self, BrokenGame, Game};
use super::journal::{Entry, Journal};
use super::review::Piece;
use super::texts::Texts;
use super::{page, pgn};
use crate::data::DataError;
use crate::engine::Engine;
use crate::engine::options::EngineOptions;
use crate::engine::parallel::{self, Fault};
use crate::engine::searcher::SearcherError;
use crate::explain::Explanation;
use crate::support::hex::hex;
use crate::support::version::VERSION;
use crate::support::whole_file;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What a run reads, how it searches, and where it writes.
pub struct Settings {
    /// The games.
    pub input: PathBuf,
    /// The annotated games; the page lies beside them with `html` for an ending.
    pub output: PathBuf,
    /// Positions searched for each score.
    pub nodes: u64,
    /// How many games are searched at once.
    pub threads: usize,
    /// The engine's options.
    pub engine: EngineOptions,
    /// Whether what an earlier run has left is thrown away.
    pub restart: bool,
}

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum AnnotateError {
    /// The games cannot be read.
    #[error(transparent)]
    Read(#[from] DataError),
    /// The net cannot be used.
    #[error(transparent)]
    Engine(#[from] SearcherError),
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The page would replace the games.
    #[error("{} is where the page goes: give the games another name with -o", .0.display())]
    SameFile(PathBuf),
    /// Another run left its journal there.
    #[error("{} is of a run with other games or settings, or by another build of the program: repeat that command to finish it, or throw its work away with --restart", .0.display())]
    OtherRun(PathBuf),
    /// Another run writes the same output.
    #[error("another run is writing {}: wait for it, or choose another output with -o", .0.display())]
    Busy(PathBuf),
    /// No game of the file can be annotated.
    #[error("{} has no game that can be annotated", .0.display())]
    NoGames(PathBuf),
}

/// What a run tells while it works.
pub enum Event<'a> {
    /// A game that is left out, or what is lost of one.
    Broken(&'a BrokenGame),
    /// So many moves are to be searched.
    Begins(usize),
    /// One of them was.
    Move,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Games in the output.
    pub games: usize,
    /// Games that were left out.
    pub broken: usize,
    /// The page.
    pub page: PathBuf,
}

/// Annotates the games of a file.
///
/// # Errors
/// [`AnnotateError`]; what is finished is kept, and the same run continues it.
pub fn annotate(
    settings: &Settings,
    texts: &Texts,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<Done, AnnotateError> {
    let output = &settings.output;
    let page_path = output.with_extension("html");
    check_outputs(&settings.input, output, &page_path)?;
    let lock = whole_file::lock_name(output).map_err(|source| write_error(output, source))?;
    let _lock = lock.ok_or_else(|| AnnotateError::Busy(output.clone()))?;
    let (games, broken): (Vec<_>, Vec<_>) =
        input::read(&settings.input)?.into_iter().partition(Result::is_ok);
    let games: Vec<Game> = games.into_iter().flatten().collect();
    let broken: Vec<BrokenGame> = broken.into_iter().filter_map(Result::err).collect();
    let losses = games.iter().flat_map(|game| &game.losses);
    losses.chain(&broken).for_each(|game| tell(Event::Broken(game)));
    if games.is_empty() {
        return Err(AnnotateError::NoGames(settings.input.clone()));
    }
    let (mut journal, finished) = open_journal(settings, texts)?;
    let mut entries: BTreeMap<usize, Entry> =
        finished.into_iter().map(|entry| (entry.number, entry)).collect();
    let waiting: Vec<&Game> = games
        .iter()
        .filter(|game| !entries.contains_key(&game.number))
        .collect();
    tell(Event::Begins(waiting.iter().map(|game| game.moves.len()).sum()));
    search(settings, texts, &waiting, tell, |entry| {
        let added = journal.add(&entry);
        added.map_err(|source| write_error(&Journal::path(output), source))?;
        entries.insert(entry.number, entry);
        Ok(())
    })?;
    let text: String = entries.values().map(|entry| entry.pgn.as_str()).collect();
    write(output, &text)?;
    let parts: Vec<&str> = entries.values().map(|entry| entry.page.as_str()).collect();
    write(&page_path, &page::page(&games, &parts, texts))?;
    journal.discard();
    Ok(Done {
        games: entries.len(),
        broken: broken.len(),
        page: page_path,
    })
}

/// Asks before any work whether both files can be written.
fn check_outputs(input: &Path, output: &Path, page: &Path) -> Result<(), AnnotateError> {
    for path in [output, page] {
        whole_file::check(path, [input]).map_err(|source| write_error(path, source))?;
    }
    let targets = [output, page].map(|path| whole_file::target(path).ok());
    match output == page || targets[0] == targets[1] {
        true => Err(AnnotateError::SameFile(output.to_path_buf())),
        false => Ok(()),
    }
}

/// Searches games and hands each on once all its pieces are there.
fn search(
    settings: &Settings,
    texts: &Texts,
    games: &[&Game],
    tell: &(dyn Fn(Event) + Sync),
    mut finish: impl FnMut(Entry) -> Result<(), AnnotateError> + Send,
) -> Result<(), AnnotateError> {
    let pieces: Vec<Piece> = games.iter().flat_map(|game| Piece::all(game)).collect();
    let mut parts: HashMap<usize, BTreeMap<usize, Vec<Explanation>>> = HashMap::new();
    let start = || Engine::new(settings.engine.clone()).map_err(AnnotateError::from);
    let work =
        |engine: &mut Engine, piece: &Piece| Ok(piece.explain(engine, settings.nodes, &|| tell(Event::Move)));
    let receive = |place: usize, explanations: Vec<Explanation>| {
        let piece = &pieces[place];
        let game = piece.game;
        let found = parts.entry(game.number).or_default();
        found.insert(piece.first, explanations);
        if found.values().map(Vec::len).sum::<usize>() < game.moves.len() {
            return Ok(());
        }
        let moves: Vec<Explanation> = parts
            .remove(&game.number)
            .unwrap_or_default()
            .into_values()
            .flatten()
            .collect();
        finish(Entry {
            number: game.number,
            pgn: pgn::write(game, &moves, texts),
            page: page::game(game, &moves, texts).into_string(),
        })
    };
    let done = parallel::each(&pieces, settings.threads, start, work, receive);
    done.map_err(|Fault { error, .. }| error)
}

fn open_journal(settings: &Settings, texts: &Texts) -> Result<(Journal, Vec<Entry>), AnnotateError> {
    let path = Journal::path(&settings.output);
    let fault = |source| write_error(&path, source);
    if settings.restart && path.exists() {
        fs::remove_file(&path).map_err(fault)?;
    }
    let identity = identity(settings, texts)?;
    let opened = Journal::open(&settings.output, &identity).map_err(fault)?;
    opened.ok_or(AnnotateError::OtherRun(path.clone()))
}

/// What a run must have in common with an earlier one to continue it.
fn identity(settings: &Settings, texts: &Texts) -> Result<String, AnnotateError> {
    let bytes = fs::read(&settings.input).map_err(|error| DataError::read(&settings.input, error))?;
    Ok(format!(
        "enroc {} annotates {} with {} nodes in {}, net {:?}, tables {:?}",
        // another commit may grade the same move differently
        VERSION,
        hex(&Sha256::digest(bytes)),
        settings.nodes,
        texts.language,
        settings.engine.plan().net,
        settings.engine.search.tablebases.tables,
    ))
}

fn write(path: &Path, text: &str) -> Result<(), AnnotateError> {
    whole_file::write_bytes(path, text.as_bytes()).map_err(|source| write_error(path, source))
}

fn write_error(path: &Path, source: io::Error) -> AnnotateError {
    AnnotateError::Write {
        path: path.to_path_buf(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "syzygy")]
    use crate::engine::options::EngineOption;

    fn of(input: &Path, nodes: u64, engine: EngineOptions, language: &'static str) -> String {
        let settings = Settings {
            input: input.to_owned(),
            output: PathBuf::from("out.pgn"),
            nodes,
            threads: 1,
            engine,
            restart: false,
        };
        let texts = Texts {
            language,
            explain: &|_| String::new(),
            moves: &|_| String::new(),
            say: &|_, _| String::new(),
            player: &|_| String::new(),
            label: &|_| String::new(),
        };
        identity(&settings, &texts).unwrap()
    }

    /// A run goes on only where all that its verdicts depend on is the same.
    #[test]
    fn other_games_nodes_nets_and_languages_make_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one.pgn", "two.pgn"].map(|name| folder.path().join(name));
        fs::write(&one, "1. e4 *\n").unwrap();
        fs::write(&two, "1. d4 *\n").unwrap();
        let with_net = || EngineOptions {
            eval_file: Some(PathBuf::from("other.safetensors")),
            ..EngineOptions::default()
        };
        let first = of(&one, 1_000, EngineOptions::default(), "en");
        assert_eq!(first, of(&one, 1_000, EngineOptions::default(), "en"));
        for other in [
            of(&two, 1_000, EngineOptions::default(), "en"),
            of(&one, 2_000, EngineOptions::default(), "en"),
            of(&one, 1_000, with_net(), "en"),
            of(&one, 1_000, EngineOptions::default(), "de"),
        ] {
            assert_ne!(other, first);
        }
    }

    #[cfg(feature = "syzygy")]
    #[test]
    fn a_run_with_tables_is_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("games.pgn");
        fs::write(&input, "1. e4 *\n").unwrap();
        let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/syzygy");
        let [without, with] = ["", tables].map(|folders| {
            let mut engine = EngineOptions::default();
            engine.set(EngineOption::SyzygyPath(folders.to_owned()));
            of(&input, 1_000, engine, "en")
        });
        assert_ne!(with, without);
    }
}
