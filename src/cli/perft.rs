//! `enroc perft`: counts the leaves of the move tree, or verifies a file of such counts.

use super::result::CommandResult;
use crate::board::Position;
use crate::engine::perft::{PerftCounter, SuiteEntry, parse_suite};
use crate::support::terminal::{say, when_lost};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process;
use std::time::Instant;

/// What to count and how.
#[derive(Args)]
pub(super) struct Perft {
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

/// Counts, or verifies counts.
pub(super) fn run(arguments: &Perft) -> CommandResult {
    when_lost(|| process::exit(0));
    let counter = PerftCounter::new(arguments.threads as usize, arguments.hash)?;
    match &arguments.suite {
        Some(file) => verify_suite(file, arguments.max_nodes, &counter),
        None => count(arguments, &counter),
    }
}

fn count(arguments: &Perft, counter: &PerftCounter) -> CommandResult {
    let fen = arguments.fen.as_deref().unwrap_or(Position::START_FEN);
    let position = Position::from_fen(fen).map_err(|error| format!("--fen: {error}"))?;
    let depth = arguments.depth.unwrap_or_default();
    let start = Instant::now();
    let nodes = if arguments.divide && depth > 0 {
        let chess960 = position.needs_chess960();
        let parts = counter.divide(&position, depth);
        for (m, nodes) in &parts {
            say(format_args!("{}: {nodes}", m.to_uci(chess960)));
        }
        parts.iter().map(|part| part.1).sum()
    } else {
        counter.count(&position, depth)
    };
    say(measured(nodes, start.elapsed().as_secs_f64()));
    Ok(())
}

fn verify_suite(file: &Path, max_nodes: u64, counter: &PerftCounter) -> CommandResult {
    let name = file.display();
    let entries = parse_suite(&read(file)?).map_err(|error| format!("{name}: {error}"))?;
    let counts =
        |entry: &SuiteEntry| -> Vec<u64> { entry.counts_up_to(max_nodes).map(|count| count.1).collect() };
    let counts: Vec<u64> = entries.iter().flat_map(counts).collect();
    let bar = suite_bar(counts.iter().sum());
    for entry in &entries {
        bar.inc(verify_entry(entry, max_nodes, counter).map_err(|error| format!("{name}: {error}"))?);
    }
    bar.finish_and_clear();
    say(format_args!(
        "{} counts of {} positions agree: {}",
        counts.len(),
        entries.len(),
        measured(bar.position(), bar.elapsed().as_secs_f64())
    ));
    Ok(())
}

/// How much was counted in which time, with millions of nodes a second.
fn measured(nodes: u64, seconds: f64) -> String {
    let speed = nodes as f64 / seconds.max(1e-6) / 1e6;
    format!("{nodes} nodes {seconds:.3} s {speed:.1} Mnps")
}

/// The text of a suite, decompressed where it is compressed.
#[cfg(feature = "lab")]
fn read(file: &Path) -> Result<String, Box<dyn Error>> {
    Ok(crate::data::formats::text::read(file)?)
}

#[cfg(not(feature = "lab"))]
fn read(file: &Path) -> Result<String, Box<dyn Error>> {
    let bytes = std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    Ok(crate::board::pgn::decode(&bytes).into_owned())
}

/// A progress bar over the nodes of a suite, on standard error if that is a terminal.
fn suite_bar(nodes: u64) -> ProgressBar {
    let style = "{bar:40} {percent} % {human_pos} nodes, {per_sec:.0}, {eta} left";
    let bar = ProgressBar::new(nodes);
    bar.with_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn verify_entry(entry: &SuiteEntry, max_nodes: u64, counter: &PerftCounter) -> Result<u64, String> {
    let nodes = entry.verify(counter, max_nodes);
    nodes.map_err(|mismatch| format!("line {}, {}: {mismatch}", entry.line, entry.fen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_in_millions_of_nodes_a_second() {
        assert_eq!(measured(4_865_609, 0.5), "4865609 nodes 0.500 s 9.7 Mnps");
        // a count that took no time that could be measured
        assert_eq!(measured(20, 0.0), "20 nodes 0.000 s 20.0 Mnps");
    }
}
