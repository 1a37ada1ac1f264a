//! Parses a line of input as a command. Moves stay text here, because they need a position to be understood.

use super::error::CommandError;
use super::go::Go;

/// A command of the client.
#[derive(Clone, Debug)]
pub enum Command {
    /// Identify yourself and list the options.
    Uci,
    /// Accepted, but everything worth a word is told in any case.
    Debug,
    /// Answered at once, even during a search.
    IsReady,
    /// An option by its name, with the text after `value`.
    SetOption {
        /// As sent; UCI option names are case-insensitive.
        name: String,
        /// Empty for a button.
        value: String,
    },
    /// A new game begins.
    NewGame,
    /// A start position and the moves played from it.
    Position {
        /// `None` for the standard start position.
        fen: Option<String>,
        /// In UCI notation.
        moves: Vec<String>,
    },
    /// A `position` without a position; it must not leave the one before it in force.
    BadPosition(CommandError),
    /// Search, or perft.
    Go(Box<Go>),
    /// Stop the search and report its best move.
    Stop,
    /// The opponent played the move that the engine ponders on.
    PonderHit,
    Quit,
    /// List the commands. This and the next four are not part of UCI.
    Help,
    /// Print the board.
    Show,
    /// Print the static evaluation and what each piece contributes to it.
    Eval,
    /// Say why a move of the position is good or bad.
    Explain {
        /// In UCI or algebraic notation.
        m: String,
        /// The tag of the language to say it in.
        language: Option<String>,
    },
    /// Run the benchmark to this depth, or its default depth.
    Bench(Option<u32>),
    /// Print the numbers of the search as OpenBench's form for a tuning run wants them.
    #[cfg(feature = "tune")]
    Spsa,
}

/// The first word of every command.
pub(super) const KNOWN: &[&str] = &[
    "uci",
    "debug",
    "isready",
    "setoption",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "help",
    "d",
    "eval",
    "explain",
    "bench",
    #[cfg(feature = "tune")]
    "spsa",
];

/// First words of another protocol's greeting, which some clients send to every engine.
const GREETINGS: &[&str] = &["xboard", "protover"];

impl Command {
    /// Parses one line. Words before the first known command are skipped, as the protocol requires; an empty line and the
    /// greeting of another protocol give `None`.
    ///
    /// # Errors
    /// [`CommandError`] if there is no known command, or it lacks an argument.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some(first) = words.iter().position(|word| KNOWN.contains(word)) else {
            return match words.first() {
                Some(word) if !GREETINGS.contains(word) => Err(CommandError::Unknown {
                    word: word.to_string(),
                    known: KNOWN,
                }),
                _ => Ok(None),
            };
        };
        let rest = &words[first + 1..];
        Ok(Some(match words[first] {
            "uci" => Command::Uci,
            "debug" => debug(rest)?,
            "isready" => Command::IsReady,
            "setoption" => set_option(line, rest)?,
            "ucinewgame" => Command::NewGame,
            "position" => position(rest).unwrap_or_else(Command::BadPosition),
            "go" => Command::Go(Box::new(Go::parse(rest)?)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "help" => Command::Help,
            "d" => Command::Show,
            "eval" => Command::Eval,
            "explain" => explain(rest)?,
            #[cfg(feature = "tune")]
            "spsa" => Command::Spsa,
            _ => bench(rest)?,
        }))
    }
}

fn debug(words: &[&str]) -> Result<Command, CommandError> {
    match words.first() {
        Some(&("on" | "off")) => Ok(Command::Debug),
        _ => Err(CommandError::DebugMode),
    }
}

/// Names and values may contain spaces; those of a value, which may be a path, are kept as they are.
fn set_option(line: &str, words: &[&str]) -> Result<Command, CommandError> {
    let words = match words {
        ["name", rest @ ..] if !rest.is_empty() => rest,
        _ => return Err(CommandError::OptionName),
    };
    let end = words
        .iter()
        .position(|&word| word == "value")
        .unwrap_or(words.len());
    if end == 0 {
        return Err(CommandError::OptionName);
    }
    let value = words.get(end + 1).map_or("", |first| {
        // the words are parts of the line
        let start = first.as_ptr() as usize - line.as_ptr() as usize;
        line[start..].trim_ascii_end()
    });
    Ok(Command::SetOption {
        name: words[..end].join(" "),
        value: value.to_string(),
    })
}

fn position(words: &[&str]) -> Result<Command, CommandError> {
    let end = words
        .iter()
        .position(|&word| word == "moves")
        .unwrap_or(words.len());
    let fen = match &words[..end] {
        ["startpos"] => None,
        ["startpos", word, ..] => return Err(CommandError::MovesWord(word.to_string())),
        ["fen", fen @ ..] => Some(fen.join(" ")),
        _ => return Err(CommandError::PositionKind),
    };
    let moves = words.get(end + 1..).unwrap_or_default();
    Ok(Command::Position {
        fen,
        moves: moves.iter().map(|m| m.to_string()).collect(),
    })
}

fn explain(words: &[&str]) -> Result<Command, CommandError> {
    let m = words.first().ok_or(CommandError::ExplainMove)?;
    Ok(Command::Explain {
        m: m.to_string(),
        language: words.get(1).map(|word| word.to_string()),
    })
}

fn bench(words: &[&str]) -> Result<Command, CommandError> {
    let depth = words.first().map(|word| {
        let depth = word.parse().ok().filter(|&depth| depth > 0);
        depth.ok_or_else(|| CommandError::Depth(word.to_string()))
    });
    Ok(Command::Bench(depth.transpose()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    fn refused(line: &str) -> CommandError {
        Command::parse(line).unwrap_err()
    }

    #[test]
    fn plain_commands() {
        assert!(matches!(parsed("uci"), Command::Uci));
        assert!(matches!(parsed("  isready\r"), Command::IsReady));
        assert!(matches!(parsed("debug on"), Command::Debug));
        assert!(matches!(parsed("bench"), Command::Bench(None)));
        assert!(matches!(parsed("bench 5"), Command::Bench(Some(5))));
    }

    #[test]
    fn a_move_is_explained_in_a_language() {
        for (line, expected) in [("explain Nf3", None), ("explain e2e4 ca", Some("ca"))] {
            let Command::Explain { language, .. } = parsed(line) else {
                panic!("{line} explains nothing");
            };
            assert_eq!(language.as_deref(), expected);
        }
    }

    #[test]
    fn every_known_word_is_a_command_or_needs_arguments() {
        for word in KNOWN {
            assert!(!matches!(Command::parse(word), Ok(None)), "{word}");
        }
    }

    #[test]
    fn unknown_words_are_skipped_and_unknown_lines_are_told() {
        for line in ["", "xboard", "protover 2", "   "] {
            assert!(matches!(Command::parse(line), Ok(None)), "{line:?}");
        }
        assert!(matches!(parsed("joho debug on"), Command::Debug));
        for (line, told) in [
            (
                "GO",
                "there is no command 'GO', 'help' lists them; did you mean 'go'?",
            ),
            (
                "\u{fffd}\0",
                "there is no command '\u{fffd}\0', 'help' lists them",
            ),
        ] {
            assert_eq!(refused(line).to_string(), told);
        }
    }

    #[test]
    fn option_names_and_values_may_contain_spaces() {
        for (line, expected) in [
            ("setoption name Hash value 64", ("Hash", "64")),
            ("setoption name Clear  Hash", ("Clear Hash", "")),
            ("setoption name EvalFile value /a b/c", ("EvalFile", "/a b/c")),
            ("setoption name EvalFile value", ("EvalFile", "")),
            (
                "  setoption name  EvalFile value   /a  b\t/value  c \r",
                ("EvalFile", "/a  b\t/value  c"),
            ),
        ] {
            let Command::SetOption { name, value } = parsed(line) else {
                panic!("{line} is no setoption");
            };
            assert_eq!((name.as_str(), value.as_str()), expected);
        }
        for line in [
            "setoption",
            "setoption name",
            "setoption Hash 3",
            "setoption name value 3",
        ] {
            assert_eq!(refused(line), CommandError::OptionName, "{line}");
        }
    }

    #[test]
    fn positions() {
        let (start, empty) = (
            "position startpos moves e2e4 e7e5",
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        );
        for (line, expected_fen, expected_moves) in [
            (start, None, vec!["e2e4", "e7e5"]),
            (empty, Some("8/8/8/8/8/8/8/8 w - - 0 1"), vec![]),
        ] {
            let Command::Position { fen, moves } = parsed(line) else {
                panic!("{line} is no position");
            };
            assert_eq!(
                (fen.as_deref(), moves),
                (
                    expected_fen,
                    expected_moves.iter().map(|m| m.to_string()).collect()
                )
            );
        }
        for (line, error) in [
            ("position", CommandError::PositionKind),
            ("position e2e4", CommandError::PositionKind),
            ("position moves e2e4", CommandError::PositionKind),
            (
                "position startpos e2e4",
                CommandError::MovesWord("e2e4".to_string()),
            ),
        ] {
            assert!(
                matches!(parsed(line), Command::BadPosition(refused) if refused == error),
                "{line}"
            );
        }
    }

    #[test]
    fn bad_arguments_are_named() {
        assert_eq!(refused("debug"), CommandError::DebugMode);
        assert_eq!(refused("bench x"), CommandError::Depth("x".to_string()));
        assert_eq!(refused("bench 0"), CommandError::Depth("0".to_string()));
        assert_eq!(refused("explain"), CommandError::ExplainMove);
        assert_eq!(refused("go perft"), CommandError::PerftDepth);
    }
}
