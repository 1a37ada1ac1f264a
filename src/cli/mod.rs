//! The command line. Without arguments the program speaks UCI.

#[cfg(feature = "board")]
mod board;
mod explain;
mod genfens;
#[cfg(feature = "lab")]
mod lab;
mod net;
mod nets_folder;
#[cfg(feature = "board")]
mod opener;
mod perft;
mod progress;
mod result;
mod speedtest;
#[cfg(feature = "syzygy")]
mod tables;
mod values;
mod words;

use crate::engine::bench;
use crate::search::{Control, STACK};
use crate::support::terminal::{self, say, when_lost};
use crate::support::version::VERSION;
use crate::uci;
use crate::uci::UciEngine;
use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};
use clap_complete::Shell;
use result::CommandResult;
use std::process::{self, ExitCode};
use std::thread;

/// The exit code when the arguments or the files that they name are wrong.
const BAD_INPUT: u8 = 2;

/// Examples for `--help`.
const EXAMPLES: &str = "\
Examples:
  enroc                                         speak UCI, as chess programs ask for it
  enroc bench                                   nodes and speed of this build
  enroc net info                                what the built-in net is and how it was made
  enroc explain startpos Nf3 --lang ca          why a move is good or bad
  enroc completions bash > enroc.bash           completions for a shell";

/// More of them, of commands that not every build has.
#[cfg(feature = "lab")]
const MORE_EXAMPLES: &str = lab::EXAMPLES;
#[cfg(not(feature = "lab"))]
const MORE_EXAMPLES: &str = "";

/// A chess engine that evaluates with a neural network. Without a command it speaks UCI on standard input and output.
#[derive(Parser)]
#[command(name = "enroc", version = VERSION, after_help = format!("{EXAMPLES}{MORE_EXAMPLES}"))]
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
    /// Play, analyse and look into the networks on a board in the browser
    #[cfg(feature = "board")]
    Board(board::Board),
    /// Play against itself with all processors and print the speed
    Speedtest(speedtest::SpeedTest),
    /// Count the leaves of the move tree, or verify a file of such counts
    Perft(perft::Perft),
    /// Say why moves are good or bad, or what the moves of a line do
    Explain(explain::Explain),
    /// Look at a net, or measure it
    #[command(subcommand)]
    Net(net::NetCommand),
    #[cfg(feature = "lab")]
    #[command(flatten)]
    Lab(lab::LabCommand),
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Reads the arguments and does what they ask.
pub fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    // OpenBench writes this command as one argument with blanks
    let first = words.first().and_then(|word| word.split_whitespace().next());
    if first == Some(genfens::NAME) {
        return exit_code(genfens::run(&words));
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    exit_code(match cli.command {
        None => speak_uci(),
        Some(Command::Bench { depth }) => run_bench(depth),
        #[cfg(feature = "board")]
        Some(Command::Board(arguments)) => board::run(&arguments),
        Some(Command::Speedtest(arguments)) => speedtest::test(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Explain(arguments)) => explain::run(arguments),
        Some(Command::Net(command)) => net::run(&command),
        #[cfg(feature = "lab")]
        Some(Command::Lab(command)) => lab::run(command),
        Some(Command::Completions { shell }) => {
            print_completions(shell);
            Ok(())
        }
    })
}

/// Tells an error, of the command or of what it printed.
fn exit_code(answer: CommandResult) -> ExitCode {
    let answer = answer.and_then(|()| match terminal::failure() {
        Some(error) => Err(format!("cannot write to standard output: {error}").into()),
        None => Ok(()),
    });
    match answer {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::complain(format_args!("error: {error}"));
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// Prints help and version as they are; of an error in the arguments the one sentence that says what is wrong.
fn refuse(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        terminal::note_error(error.print());
        return exit_code(Ok(()));
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        terminal::complain("error: what to do is missing; --help after the command tells what can be done");
        return ExitCode::from(BAD_INPUT);
    }
    let text = error.render().to_string();
    let sentence = text.lines().take_while(|line| !line.is_empty());
    // clap's suggestion for a word that was mistyped
    let tip = text.lines().filter(|line| line.trim().starts_with("tip: "));
    let mut words: Vec<&str> = sentence.chain(tip).map(str::trim).collect();
    if cfg!(not(feature = "lab")) && error.kind() == ErrorKind::InvalidSubcommand {
        words.push(
            "data, train, compare, annotate, experiment and board are commands of a full build: cargo build --release",
        );
    }
    terminal::complain(words.join("; ").replacen(":; ", ": ", 1));
    ExitCode::from(BAD_INPUT)
}

fn print_completions(shell: Shell) {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "enroc", &mut text);
    say(String::from_utf8_lossy(&text).trim_end());
}

fn speak_uci() -> CommandResult {
    Ok(uci::run(UciEngine::new()?)?)
}

fn run_bench(depth: u32) -> CommandResult {
    when_lost(|| process::exit(0));
    let engine = UciEngine::new()?;
    let bench = move || engine.bench(depth, &Control::default(), &mut |line| say(line));
    // the main thread of some systems has a megabyte of stack
    let thread = thread::Builder::new().stack_size(STACK).spawn(bench)?;
    thread.join().map_err(|_| "the benchmark broke down")??;
    Ok(())
}
