//! The command line. Without arguments the program speaks UCI.

mod data;

use crate::bench;
use crate::board::Position;
use crate::perft::{Counter, Entry, parse_suite};
use crate::search::Control;
use crate::uci::{self, Engine};
use clap::{Args, Parser, Subcommand, error::ErrorKind};
use indicatif::{ProgressBar, ProgressStyle};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// What a subcommand answers: its error is printed as one line.
type Answer = Result<(), Box<dyn Error>>;

/// The exit code when the arguments or the files that they name are wrong.
const BAD_INPUT: u8 = 2;

/// A chess engine that evaluates with a neural network. Without a command it speaks UCI on standard input and output.
#[derive(Parser)]
#[command(name = "enroc", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Search fixed positions to a fixed depth and print the nodes and the speed
    Bench {
        /// Plies
        #[arg(default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=64))]
        depth: u32,
    },
    /// Count the leaves of the move tree, or verify a file of such counts
    Perft(Perft),
    /// Make, label and look at positions to learn from
    #[command(subcommand)]
    Data(data::Data),
}

#[derive(Args)]
struct Perft {
    /// Plies
    #[arg(required_unless_present = "suite", conflicts_with = "suite")]
    depth: Option<u32>,
    /// Where to start, instead of the start of a game
    #[arg(long, conflicts_with = "suite")]
    fen: Option<String>,
    /// Tell the count behind every move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Size of a table that counts transpositions once, in MiB; 0 for none
    #[arg(long, default_value_t = 0, value_name = "MB")]
    hash: usize,
    /// Verify every count of this file: a FEN and fields such as `;D3 8902` on each line
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    /// Pass over counts of the file that are higher
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true, requires = "suite")]
    max_nodes: u64,
}

/// Reads the arguments and does what they ask.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let answer = match cli.command {
        None => speak_uci(),
        Some(Command::Bench { depth }) => run_bench(depth),
        Some(Command::Perft(arguments)) => run_perft(&arguments),
        Some(Command::Data(command)) => data::run(&command),
    };
    match answer {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Prints help and version as they are; of an error in the arguments the one sentence that says what is wrong.
fn refuse(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render().to_string();
    let sentence: Vec<&str> = text
        .lines()
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect();
    eprintln!("{}", sentence.join(" "));
    ExitCode::from(BAD_INPUT)
}

fn speak_uci() -> Answer {
    Ok(uci::run(Engine::new()?)?)
}

fn run_bench(depth: u32) -> Answer {
    let mut engine = Engine::new()?;
    engine.bench(depth, &Control::default(), &mut |line| println!("{line}"))?;
    Ok(())
}

fn run_perft(arguments: &Perft) -> Answer {
    let counter = Counter::new(arguments.threads as usize, arguments.hash)?;
    match &arguments.suite {
        Some(file) => verify_suite(file, arguments.max_nodes, &counter),
        None => count(arguments, &counter),
    }
}

fn count(arguments: &Perft, counter: &Counter) -> Answer {
    let fen = arguments.fen.as_deref().unwrap_or(Position::START_FEN);
    let position = Position::from_fen(fen).map_err(|error| format!("--fen: {error}"))?;
    let depth = arguments.depth.unwrap_or_default();
    let start = Instant::now();
    let nodes = if arguments.divide && depth > 0 {
        let chess960 = position.needs_chess960();
        let parts = counter.divide(&position, depth);
        for (m, nodes) in &parts {
            println!("{}: {nodes}", m.to_uci(chess960));
        }
        parts.iter().map(|part| part.1).sum()
    } else {
        counter.count(&position, depth)
    };
    let seconds = start.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-6) / 1e6;
    println!("{nodes} nodes {seconds:.3} s {speed:.1} Mnps");
    Ok(())
}

fn verify_suite(file: &Path, max_nodes: u64, counter: &Counter) -> Answer {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"))?;
    let entries = parse_suite(&text).map_err(|error| format!("{name}: {error}"))?;
    let counts = |entry: &Entry| -> Vec<u64> { entry.counts_up_to(max_nodes).map(|count| count.1).collect() };
    let counts: Vec<u64> = entries.iter().flat_map(counts).collect();
    let bar = suite_bar(counts.iter().sum());
    for entry in &entries {
        bar.inc(verify_entry(entry, max_nodes, counter).map_err(|error| format!("{name}: {error}"))?);
    }
    bar.finish_and_clear();
    let (nodes, seconds) = (bar.position(), bar.elapsed().as_secs_f64());
    let speed = nodes as f64 / seconds.max(1e-6) / 1e6;
    println!(
        "{} counts of {} positions agree: {nodes} nodes {seconds:.3} s {speed:.1} Mnps",
        counts.len(),
        entries.len()
    );
    Ok(())
}

/// A progress bar over the nodes of a suite, on standard error if that is a terminal.
fn suite_bar(nodes: u64) -> ProgressBar {
    let style = "{bar:40} {percent} % {human_pos} nodes, {per_sec:.0}, {eta} left";
    let bar = ProgressBar::new(nodes);
    bar.with_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn verify_entry(entry: &Entry, max_nodes: u64, counter: &Counter) -> Result<u64, String> {
    let nodes = entry.verify(counter, max_nodes);
    nodes.map_err(|mismatch| format!("line {}, {}: {mismatch}", entry.line, entry.fen))
}
