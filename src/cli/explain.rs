//! `enroc explain`: why moves are good or bad, or what the moves of a line do.

use super::result::CommandResult;
use super::words::Words;
use crate::board::{Color, Ending, Move, Position};
use crate::engine::Engine;
use crate::engine::options::EngineOptions;
use crate::explain::words::Writer;
use crate::explain::{Claim, Explanation, Line, Options, Subject, claims, explain};
use crate::search::{Control, STACK};
use crate::support::terminal::{complain, say};
use clap::Args;
use serde::Serialize;
use std::error::Error;
use std::io::{self, BufRead};
use std::path::PathBuf;
use std::thread;

#[derive(Args)]
pub struct Explain {
    /// The position as FEN, in quotes; startpos for the start of a game; - to read FENs from standard input, each on a
    /// line with a tab and the moves
    fen: String,
    /// The moves to explain, each played in this position: Nf3 or g1f3
    #[arg(conflicts_with = "line")]
    moves: Vec<String>,
    /// Name what each move of this line does, without a search: moves with blanks between them
    #[arg(long, value_name = "MOVES")]
    line: Option<String>,
    /// Add what can be counted on the board and what the network thinks of the pieces
    #[arg(long)]
    all: bool,
    /// Print JSON, an object a line
    #[arg(long)]
    json: bool,
    /// About so many positions are searched for the verdict; the reasons take some more
    #[arg(long, value_name = "N", default_value_t = Options::default().nodes, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Folders of endgame tablebases (Syzygy), separated as in PATH
    #[cfg(feature = "syzygy")]
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// A net file to evaluate with, instead of the built-in net
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Nets of classes that say something too, beside what is true: files, or folders of them, that
    /// `enroc experiment classes --save` has written
    #[cfg(feature = "lab")]
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["json", "line"])]
    classes: Vec<PathBuf>,
    #[command(flatten)]
    words: Words,
}

/// What the moves of a line do, as JSON.
#[derive(Serialize)]
struct NamedLine<'a> {
    #[serde(flatten)]
    line: &'a Line,
    claims: Vec<Claim>,
}

/// Who has a say about every move.
struct Asked {
    engine: Engine,
    #[cfg(feature = "lab")]
    nets: super::lab::classes::ClassNets,
}

/// Runs on a thread with the stack that a search needs.
pub fn run(arguments: Explain) -> CommandResult {
    let explain = move || arguments.run().map_err(|error| error.to_string());
    let thread = thread::Builder::new().stack_size(STACK).spawn(explain)?;
    Ok(thread.join().map_err(|_| "the search broke down")??)
}

impl Explain {
    fn run(&self) -> CommandResult {
        if let Some(moves) = &self.line {
            return self.name(&Line::parse(position(&self.fen)?, moves)?);
        }
        let options = EngineOptions {
            eval_file: self.net.clone(),
            ..EngineOptions::default()
        };
        #[cfg(feature = "syzygy")]
        let options = super::tables::with_tables(options, self.syzygy.as_deref())?;
        let mut asked = Asked {
            #[cfg(feature = "lab")]
            nets: super::lab::classes::ClassNets::read(&self.classes)?,
            engine: Engine::new(options)?,
        };
        if self.fen == "-" {
            return self.explain_input(&mut asked);
        }
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        self.explain_moves(&self.fen, &moves, &mut asked)
    }

    /// What the moves of a line do.
    fn name(&self, line: &Line) -> CommandResult {
        let claims = claims(line);
        if !self.json {
            self.writer().line(line, &claims).iter().for_each(say);
            return Ok(());
        }
        say(serde_json::to_string(&NamedLine { line, claims })?);
        Ok(())
    }

    /// Explains the moves of every line of standard input; what is wrong with one is told, and the next is read.
    fn explain_input(&self, asked: &mut Asked) -> CommandResult {
        let (mut lines, mut refused) = (0, 0);
        for text in io::stdin().lock().lines() {
            let text = text.map_err(|error| format!("standard input: {error}"))?;
            lines += 1;
            let (fen, moves) = text.split_once('\t').unwrap_or((&text, ""));
            let moves: Vec<&str> = moves.split_whitespace().collect();
            if let Err(error) = self.explain_moves(fen, &moves, asked) {
                refused += 1;
                complain(format_args!("line {lines}: {error}"));
            }
        }
        match refused {
            0 => Ok(()),
            _ => Err(format!("{refused} of {lines} lines were refused").into()),
        }
    }

    /// Explains moves of a position, after all of them have been understood.
    fn explain_moves(&self, fen: &str, moves: &[&str], asked: &mut Asked) -> CommandResult {
        let position = position(fen)?;
        if let Some(ending) = position.ending(&[]).filter(|_| !position.has_moves()) {
            return Err(over(ending, position.side_to_move()).into());
        }
        if moves.is_empty() {
            return Err(
                "there is no move to explain: add some after the position, such as Nf3 or g1f3".into(),
            );
        }
        let read = |text: &&str| parse(&position, text);
        for m in moves.iter().map(read).collect::<Result<Vec<Move>, _>>()? {
            let subject = Subject {
                position: &position,
                history: &[],
                m,
                previous: None,
                known: None,
            };
            let options = Options {
                nodes: self.nodes,
                net_view: self.all || self.json,
            };
            let explanation = explain(&subject, &mut asked.engine.judge(&Control::default()), &options);
            self.print(&explanation)?;
            #[cfg(feature = "lab")]
            asked.nets.say_all(&position, m, &explanation.verdict)?;
        }
        Ok(())
    }

    fn writer(&self) -> Writer {
        Writer::new(self.words.lang, self.words.notation)
    }

    /// The summary as a paragraph and the details as a list, or JSON.
    fn print(&self, explanation: &Explanation) -> CommandResult {
        if !self.json {
            let text = self.writer().explanation(explanation);
            say(text.summary.join(" "));
            let more = text.more.iter().filter(|_| self.all);
            text.details
                .iter()
                .chain(more)
                .for_each(|sentence| say(format_args!("- {sentence}")));
            return Ok(());
        }
        say(serde_json::to_string(explanation)?);
        Ok(())
    }
}

fn position(fen: &str) -> Result<Position, Box<dyn Error>> {
    if fen == "startpos" {
        return Ok(Position::default());
    }
    Ok(Position::from_fen(fen).map_err(|error| format!("the position '{fen}': {error}"))?)
}

/// A move in UCI's or algebraic notation.
fn parse(position: &Position, text: &str) -> Result<Move, String> {
    let read = position.parse_uci(text).or_else(|_| position.parse_san(text));
    read.map_err(|error| format!("the move '{text}': {error}"))
}

fn over(ending: Ending, loser: Color) -> &'static str {
    match (ending, loser) {
        (Ending::Checkmate, Color::White) => "the game is over: White is mated",
        (Ending::Checkmate, Color::Black) => "the game is over: Black is mated",
        _ => "the game is over: it is stalemate",
    }
}
