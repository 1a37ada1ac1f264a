//! `enroc annotate`: games with a verdict on every move, as PGN and as a page.

use super::resume::Resume;
use crate::annotate::{Event, Settings, Texts, annotate};
use crate::cli::progress::bar;
use crate::cli::result::CommandResult;
use crate::cli::words::Words;
use crate::engine::options::EngineOptions;
use crate::explain::Options;
use crate::explain::words::Writer;
use crate::support::terminal::{complain, say};
use clap::Args;
use std::path::PathBuf;
use std::sync::OnceLock;

#[derive(Args)]
pub struct Annotate {
    /// The games: a PGN file, perhaps compressed
    games: PathBuf,
    /// Where the annotated games go; the page lies beside them, named .html
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// About so many positions are searched for the verdict on a move; the reasons take some more
    #[arg(long, value_name = "N", default_value_t = Options::default().nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Searches at once: two games, or two halves of one
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Folders of endgame tablebases (Syzygy), separated as in PATH
    #[cfg(feature = "syzygy")]
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// A net file to evaluate with, instead of the built-in net
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    #[command(flatten)]
    words: Words,
    #[command(flatten)]
    resume: Resume,
}

/// Annotates the games and says what was done.
pub fn run(arguments: Annotate) -> CommandResult {
    let options = EngineOptions {
        eval_file: arguments.net,
        ..EngineOptions::default()
    };
    #[cfg(feature = "syzygy")]
    let options = crate::cli::tables::with_tables(options, arguments.syzygy.as_deref())?;
    let settings = Settings {
        input: arguments.games,
        output: arguments.out,
        nodes: arguments.nodes,
        threads: usize::from(arguments.threads),
        engine: options,
        restart: arguments.resume.restart,
    };
    let progress = OnceLock::new();
    let tell = |event: Event| match event {
        Event::Broken(game) => complain(game),
        Event::Begins(moves) => {
            progress.get_or_init(|| bar(moves as u64, "moves"));
        }
        Event::Move => {
            if let Some(progress) = progress.get() {
                progress.inc(1);
            }
        }
    };
    let writer = Writer::new(arguments.words.lang, arguments.words.notation);
    let texts = Texts {
        language: arguments.words.lang.tag(),
        explain: &|explanation| writer.explanation(explanation).summary.join(" "),
        moves: &|line| writer.moves(line),
        say: &|name, variables| writer.say(name, variables),
        player: &|color| writer.player(color),
        label: &|name| writer.label(name),
    };
    let done = annotate(&settings, &texts, &tell);
    if let Some(progress) = progress.get() {
        progress.finish_and_clear();
    }
    let done = done?;
    say(format_args!(
        "{} games annotated in {} and {}",
        done.games,
        settings.output.display(),
        done.page.display()
    ));
    Ok(())
}
