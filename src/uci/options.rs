//! The UCI options: one table from which they are printed, found and checked.

use std::fmt;
use thiserror::Error;

/// Which option a declaration is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// Size of the transposition table.
    Hash,
    /// Forget what was searched.
    ClearHash,
    /// Threads that search together.
    Threads,
    /// Best lines to find.
    MultiPv,
    /// The client may let the engine think on the opponent's time.
    Ponder,
    /// Time kept back for every move.
    MoveOverhead,
    /// Castling is written as king takes rook.
    Chess960,
    /// Info lines tell the chances to win, draw and lose.
    ShowWdl,
    /// Which kind of network evaluates.
    Net,
    /// How the network is computed.
    Backend,
    /// The network's file.
    EvalFile,
    /// Plies of a plain search.
    LookAhead,
    /// Whether that plain search resolves captures.
    Quiescence,
    /// What the engine is.
    About,
}

impl Id {
    /// The default of a spin as a count, 0 for other kinds.
    pub fn default_count(self) -> usize {
        let own = OPTIONS.iter().find(|option| option.id == self);
        match own.map(|option| option.kind) {
            Some(Kind::Spin { default, .. }) => Value::Number(default).count(),
            _ => 0,
        }
    }
}

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Check {
        /// At the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// At the start.
        default: i64,
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// One of several words, the first at the start.
    Combo(&'static [&'static str]),
    /// Something to press.
    Button,
    /// Any text; empty at the start unless this says otherwise.
    Text(&'static str),
}

/// One option as a client sees it.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Which one.
    pub id: Id,
    /// Its name; clients compare it without regard to case.
    pub name: &'static str,
    /// Its values.
    pub kind: Kind,
}

const fn declare(id: Id, name: &'static str, kind: Kind) -> Declaration {
    Declaration { id, name, kind }
}

const fn spin(default: i64, min: i64, max: i64) -> Kind {
    Kind::Spin { default, min, max }
}

/// A check that is off at the start.
const OFF: Kind = Kind::Check { default: false };

/// Every option, in the order in which clients show them.
pub const OPTIONS: &[Declaration] = &[
    declare(Id::Hash, "Hash", spin(16, 1, 65_536)),
    declare(Id::ClearHash, "Clear Hash", Kind::Button),
    declare(Id::Threads, "Threads", spin(1, 1, 256)),
    declare(Id::MultiPv, "MultiPV", spin(1, 1, 256)),
    declare(Id::Ponder, "Ponder", OFF),
    declare(Id::MoveOverhead, "Move Overhead", spin(30, 0, 5_000)),
    declare(Id::Chess960, "UCI_Chess960", OFF),
    declare(Id::ShowWdl, "UCI_ShowWDL", OFF),
    declare(Id::Net, "Net", Kind::Combo(&["mlp", "cnn"])),
    declare(
        Id::Backend,
        "Backend",
        Kind::Combo(&["auto", "incremental", "candle", "cuda"]),
    ),
    declare(Id::EvalFile, "EvalFile", Kind::Text("")),
    declare(Id::LookAhead, "LookAhead", spin(0, 0, 32)),
    declare(Id::Quiescence, "Quiescence", OFF),
    declare(Id::About, "UCI_EngineAbout", Kind::Text(ABOUT)),
];

/// What `UCI_EngineAbout` says; a client shows it and cannot change it.
const ABOUT: &str = concat!(
    "Enroc ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine that evaluates with a neural network; GPL-3.0-or-later"
);

/// A value that fits its option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a check.
    Flag(bool),
    /// Of a spin.
    Number(i64),
    /// Of a combo or a text.
    Text(String),
    /// Of a button.
    Pressed,
}

impl Value {
    /// The flag of a check, `false` for other kinds.
    pub fn flag(&self) -> bool {
        *self == Value::Flag(true)
    }

    /// The number of a spin as a count, 0 for other kinds.
    pub fn count(&self) -> usize {
        match self {
            Value::Number(number) => usize::try_from(*number).unwrap_or(0),
            _ => 0,
        }
    }

    /// The text of a combo or text, empty for other kinds.
    pub fn text(&self) -> &str {
        match self {
            Value::Text(text) => text,
            _ => "",
        }
    }
}

/// Why an option cannot be set so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// Not `true` or `false`.
    #[error("option {name} is true or false, not '{value}'")]
    Flag {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
    },
    /// Not a number, or one outside the range.
    #[error("option {name} is a number from {min} to {max}, not '{value}'")]
    Number {
        /// The option.
        name: &'static str,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// What was given.
        value: String,
    },
    /// None of the words of a combo.
    #[error("option {name} is one of {}, not '{value}'", .choices.join(", "))]
    Choice {
        /// The option.
        name: &'static str,
        /// The words.
        choices: &'static [&'static str],
        /// What was given.
        value: String,
    },
}

impl Declaration {
    /// The option with this name, in whatever case, and the value that the text stands for.
    ///
    /// # Errors
    /// [`OptionError`] when there is no such option, or the text is none of its values.
    pub fn parse(name: &str, value: &str) -> Result<(&'static Declaration, Value), OptionError> {
        let declaration = OPTIONS
            .iter()
            .find(|declaration| declaration.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(name.to_string()))?;
        Ok((declaration, declaration.value(value)?))
    }

    fn value(&self, text: &str) -> Result<Value, OptionError> {
        let (name, value) = (self.name, text.to_string());
        match self.kind {
            Kind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" => Ok(Value::Flag(true)),
                "false" => Ok(Value::Flag(false)),
                _ => Err(OptionError::Flag { name, value }),
            },
            Kind::Spin { min, max, .. } => match text.parse() {
                Ok(number) if (min..=max).contains(&number) => Ok(Value::Number(number)),
                _ => Err(OptionError::Number {
                    name,
                    min,
                    max,
                    value,
                }),
            },
            Kind::Combo(choices) => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(text))
                .map(|choice| Value::Text(choice.to_string()))
                .ok_or(OptionError::Choice { name, choices, value }),
            Kind::Button => Ok(Value::Pressed),
            // clients write an empty text so
            Kind::Text(_) if text == "<empty>" => Ok(Value::Text(String::new())),
            Kind::Text(_) => Ok(Value::Text(value)),
        }
    }
}

impl fmt::Display for Declaration {
    /// The line that answers `uci`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Check { default } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Combo(choices) => {
                write!(f, "combo default {}", choices[0])?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            Kind::Button => write!(f, "button"),
            Kind::Text("") => write!(f, "string default <empty>"),
            Kind::Text(default) => write!(f, "string default {default}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str, value: &str) -> String {
        Declaration::parse(name, value).unwrap_err().to_string()
    }

    #[test]
    fn every_default_is_a_value_of_its_option() {
        for option in OPTIONS {
            let default = match option.kind {
                Kind::Check { default } => default.to_string(),
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Combo(choices) => choices[0].to_string(),
                Kind::Button => String::new(),
                Kind::Text(default) => default.to_string(),
            };
            let (found, _) = Declaration::parse(&option.name.to_uppercase(), &default).unwrap();
            assert_eq!(found.id, option.id);
        }
    }

    #[test]
    fn options_print_as_uci_wants_them() {
        let lines: Vec<String> = OPTIONS.iter().map(Declaration::to_string).collect();
        for line in [
            "option name Hash type spin default 16 min 1 max 65536",
            "option name Clear Hash type button",
            "option name UCI_Chess960 type check default false",
            "option name Net type combo default mlp var mlp var cnn",
            "option name EvalFile type string default <empty>",
        ] {
            assert!(lines.iter().any(|l| l == line), "{line} is not among {lines:?}");
        }
    }

    #[test]
    fn values_are_read() {
        let value = |name, value| Declaration::parse(name, value).unwrap().1;
        assert_eq!(value("hash", "64").count(), 64);
        assert!(value("Ponder", "True").flag());
        assert_eq!(value("Clear Hash", ""), Value::Pressed);
        assert_eq!(value("EvalFile", "<empty>").text(), "");
        assert_eq!(value("net", "MLP").text(), "mlp");
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(refused("Contempt", "3"), "there is no option 'Contempt'");
        assert_eq!(
            refused("Hash", "0"),
            "option Hash is a number from 1 to 65536, not '0'"
        );
        assert_eq!(
            refused("Threads", "two"),
            "option Threads is a number from 1 to 256, not 'two'"
        );
        assert_eq!(
            refused("Threads", "99999999999999999999"),
            "option Threads is a number from 1 to 256, not '99999999999999999999'"
        );
        assert_eq!(refused("Ponder", ""), "option Ponder is true or false, not ''");
        assert_eq!(refused("Net", "rnn"), "option Net is one of mlp, cnn, not 'rnn'");
    }
}
