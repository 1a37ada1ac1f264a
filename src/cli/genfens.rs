//! `enroc "genfens N seed S book PATH|None EXTRA" quit`: openings for the data workloads of OpenBench, which calls every
//! engine in this way.

use super::result::CommandResult;
use super::values::from_to;
use crate::board::Position;
use crate::engine::openings::{OpeningSettings, Openings};
use crate::support::terminal::say;
use std::path::Path;

/// The first word of the command.
pub const NAME: &str = "genfens";

/// How the command is written.
const USAGE: &str = "genfens N [seed S] [book FILE|None] [plies 8-9] [cp 250] [nodes 1000]";

/// A command, read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Request {
    count: u64,
    book: Option<String>,
    settings: OpeningSettings,
}

/// Prints the openings that the words ask for, a line each.
pub fn run(words: &[String]) -> CommandResult {
    let request = read(words)?;
    let starts = match &request.book {
        Some(book) => read_book(Path::new(book))?,
        None => Vec::new(),
    };
    let mut openings = Openings::new(request.settings, starts)?;
    for _ in 0..request.count {
        let position = openings
            .draw()
            .ok_or("no start position leaves an opening: every game ends on the way")?;
        let fen = position.to_fen(position.needs_chess960());
        say(format_args!("info string genfens {fen}"));
    }
    Ok(())
}

/// The positions of a book, one a line as FEN or EPD; lines that hold none are passed over.
fn read_book(path: &Path) -> Result<Vec<Position>, String> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let positions: Vec<Position> = text
        .lines()
        .filter_map(|line| Position::from_epd(line).ok())
        .collect();
    match positions.is_empty() {
        true => Err(format!(
            "{name} holds no position: a book is plain text with a FEN or EPD on each line (unpack it if it is compressed)"
        )),
        false => Ok(positions),
    }
}

fn read(words: &[String]) -> Result<Request, String> {
    // OpenBench passes one argument with blanks; typed without quotes, the same text arrives as several
    let words: Vec<&str> = words.iter().flat_map(|word| word.split_whitespace()).collect();
    let words = words.strip_suffix(&["quit"]).unwrap_or(&words);
    let mut words = words.iter().copied().skip(1);
    let count = words
        .next()
        .ok_or_else(|| format!("genfens is written {USAGE}"))?;
    let mut request = Request {
        count: number("genfens", count)?,
        book: None,
        settings: OpeningSettings::default(),
    };
    while let Some(name) = words.next() {
        let value = words
            .next()
            .ok_or_else(|| format!("'{name}' needs a value: {USAGE}"))?;
        let settings = &mut request.settings;
        match name {
            "seed" => settings.seed = number(name, value)?,
            "book" if value.eq_ignore_ascii_case("none") => request.book = None,
            "book" => request.book = Some(value.to_string()),
            "plies" => (settings.least_plies, settings.most_plies) = from_to(value)?,
            "cp" => settings.most_score = number(name, value)?,
            "nodes" => settings.nodes = number(name, value)?,
            _ => return Err(format!("'{name}' is not understood: {USAGE}")),
        }
    }
    Ok(request)
}

fn number<N: std::str::FromStr>(name: &str, value: &str) -> Result<N, String> {
    value
        .parse()
        .map_err(|_| format!("'{name}' needs a number, not '{value}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        vec![text.to_string(), "quit".to_string()]
    }

    #[test]
    fn the_command_of_openbench_is_read() {
        let request = read(&words("genfens 12 seed 1234567890123 book None ")).unwrap();
        assert_eq!((request.count, request.settings.seed), (12, 1_234_567_890_123));
        assert_eq!(request.book, None);
        let request = read(&words(
            "genfens 2 seed 7 book Books/a.epd plies 4-6 cp 100 nodes 10",
        ))
        .unwrap();
        assert_eq!(request.book.as_deref(), Some("Books/a.epd"));
        let settings = &request.settings;
        assert_eq!(
            (
                settings.least_plies,
                settings.most_plies,
                settings.most_score,
                settings.nodes
            ),
            (4, 6, 100, 10)
        );
        let split: Vec<String> = "genfens 3 seed 1".split(' ').map(str::to_string).collect();
        assert_eq!(read(&split).unwrap().count, 3);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, named) in [
            ("genfens", "genfens N"),
            ("genfens many", "'many'"),
            ("genfens 3 seed", "'seed'"),
            ("genfens 3 seed x", "'x'"),
            ("genfens 3 sed 4", "'sed'"),
        ] {
            let error = read(&words(text)).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }
}
