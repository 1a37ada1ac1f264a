//! The UCI options: one table by which they are printed, looked up and checked.

use super::suggestion::hint;
use crate::engine::level::{ELO, FULL_SKILL};
use crate::engine::options::{EngineOption, EngineOptions};
use crate::nets::built_in;
use crate::nets::kind::Backend;
#[cfg(feature = "syzygy")]
use crate::search::tablebase::MOST_PIECES;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// The effect of setting an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionEffect {
    /// Sets an option of the engine.
    Engine(EngineOption),
    /// Clears the table and the histories.
    ClearHash,
    /// Whether castling is written as king takes rook.
    Chess960(bool),
    /// Whether info lines include win, draw and loss probabilities.
    ShowWdl(bool),
    /// Where to write what client and engine say; `None` for nowhere.
    Log(Option<PathBuf>),
    /// None: the option informs the client only.
    Nothing,
}

/// The UCI type of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default value.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default value.
        default: i64,
        min: i64,
        max: i64,
    },
    /// One of several words, the default first.
    Combo(&'static [&'static str]),
    /// An action without a value.
    Button,
    /// Any text, with its default.
    Text(&'static str),
}

/// One option as it is declared to clients.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its name, matched case-insensitively.
    pub name: &'static str,
    pub kind: OptionKind,
    /// The effect of a valid value.
    effect: fn(&Value) -> OptionEffect,
}

const fn declare(name: &'static str, kind: OptionKind, effect: fn(&Value) -> OptionEffect) -> Declaration {
    Declaration { name, kind, effect }
}

const fn spin(default: i64, min: i64, max: i64) -> OptionKind {
    OptionKind::Spin { default, min, max }
}

/// A check that is off by default.
const OFF: OptionKind = OptionKind::Check { default: false };

/// Every option, in the order in which clients show them.
pub const OPTIONS: &[Declaration] = &[
    declare("Hash", spin(16, 1, 65_536), |value| {
        OptionEffect::Engine(EngineOption::Hash(value.count()))
    }),
    declare("Clear Hash", OptionKind::Button, |_| OptionEffect::ClearHash),
    declare("Threads", spin(1, 1, 256), |value| {
        OptionEffect::Engine(EngineOption::Threads(value.count()))
    }),
    declare("MultiPV", spin(1, 1, 256), |value| {
        OptionEffect::Engine(EngineOption::MultiPv(value.count()))
    }),
    declare("Ponder", OFF, |_| OptionEffect::Nothing),
    declare("Move Overhead", spin(30, 0, 5_000), |value| {
        let time = Duration::from_millis(value.count() as u64);
        OptionEffect::Engine(EngineOption::MoveOverhead(time))
    }),
    declare("UCI_Chess960", OFF, |value| OptionEffect::Chess960(value.flag())),
    declare("UCI_ShowWDL", OFF, |value| OptionEffect::ShowWdl(value.flag())),
    declare("Net", OptionKind::Combo(built_in::NAMES), |value| {
        OptionEffect::Engine(EngineOption::Net(value.word()))
    }),
    declare("Backend", OptionKind::Combo(BACKENDS), |value| {
        // never the default: the option only takes the names of backends
        let backend = Backend::from_name(value.word()).unwrap_or_default();
        OptionEffect::Engine(EngineOption::Backend(backend))
    }),
    declare("EvalFile", OptionKind::Text(""), |value| {
        let file = Some(value.text()).filter(|text| !text.is_empty());
        OptionEffect::Engine(EngineOption::EvalFile(file.map(PathBuf::from)))
    }),
    declare("LookAhead", spin(0, 0, 32), |value| {
        OptionEffect::Engine(EngineOption::LookAhead(value.count() as u32))
    }),
    declare("Quiescence", OFF, |value| {
        OptionEffect::Engine(EngineOption::Quiescence(value.flag()))
    }),
    declare("UCI_LimitStrength", OFF, |value| {
        OptionEffect::Engine(EngineOption::LimitStrength(value.flag()))
    }),
    declare(
        "UCI_Elo",
        spin(EngineOptions::DEFAULT_ELO as i64, ELO.0 as i64, ELO.1 as i64),
        |value| OptionEffect::Engine(EngineOption::Elo(value.count() as u32)),
    ),
    declare(
        "Skill Level",
        spin(FULL_SKILL as i64, 0, FULL_SKILL as i64),
        |value| OptionEffect::Engine(EngineOption::SkillLevel(value.count() as u32)),
    ),
    #[cfg(feature = "syzygy")]
    declare("SyzygyPath", OptionKind::Text(""), |value| {
        OptionEffect::Engine(EngineOption::SyzygyPath(value.text().to_string()))
    }),
    #[cfg(feature = "syzygy")]
    declare("SyzygyProbeDepth", spin(1, 1, 100), |value| {
        OptionEffect::Engine(EngineOption::SyzygyProbeDepth(value.count() as u32))
    }),
    #[cfg(feature = "syzygy")]
    declare(
        "SyzygyProbeLimit",
        spin(MOST_PIECES as i64, 0, MOST_PIECES as i64),
        |value| OptionEffect::Engine(EngineOption::SyzygyProbeLimit(value.count() as u32)),
    ),
    #[cfg(feature = "syzygy")]
    declare("Syzygy50MoveRule", OptionKind::Check { default: true }, |value| {
        OptionEffect::Engine(EngineOption::Syzygy50MoveRule(value.flag()))
    }),
    declare("Debug Log File", OptionKind::Text(""), |value| {
        let file = Some(value.text()).filter(|text| !text.is_empty());
        OptionEffect::Log(file.map(PathBuf::from))
    }),
    declare("UCI_EngineAbout", OptionKind::Text(ABOUT), |_| {
        OptionEffect::Nothing
    }),
];

/// The words of the option `Backend`.
const BACKENDS: &[&str] = &[
    Backend::Auto.name(),
    Backend::Incremental.name(),
    #[cfg(feature = "lab")]
    Backend::Bfloat16.name(),
    #[cfg(feature = "lab")]
    Backend::Candle.name(),
    #[cfg(feature = "cuda")]
    Backend::Cuda.name(),
];

/// The value of `UCI_EngineAbout`, which clients show but cannot change.
const ABOUT: &str = concat!(
    "Enroc ",
    env!("ENROC_VERSION"),
    ", a chess engine that evaluates with a neural network; GPL-3.0-or-later"
);

/// A valid value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a check.
    Flag(bool),
    /// Of a spin.
    Number(i64),
    /// Of a combo.
    Word(&'static str),
    /// Of a text.
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

    /// The word of a combo, empty for other kinds.
    pub fn word(&self) -> &'static str {
        match self {
            Value::Word(word) => word,
            _ => "",
        }
    }

    /// The text of a text, empty for other kinds.
    pub fn text(&self) -> &str {
        match self {
            Value::Text(text) => text,
            _ => "",
        }
    }
}

/// Why an option cannot be set to a value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("there is no option '{}'{}", .0, hint(.0, &OPTIONS.iter().map(|option| option.name).collect::<Vec<_>>()))]
    Unknown(String),
    /// `UCI_Opponent`, which clients may send to every engine.
    #[error("UCI_Opponent is ignored: Enroc plays the same against every opponent")]
    Opponent,
    /// Not `true` or `false`.
    #[error("option {name} is true or false, not '{value}'")]
    Flag {
        name: &'static str,
        /// What was given.
        value: String,
    },
    /// Not a number, or one outside the range.
    #[error("option {name} is a number from {min} to {max}, not '{value}'")]
    Number {
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
        name: &'static str,
        choices: &'static [&'static str],
        /// What was given.
        value: String,
    },
}

impl Declaration {
    /// The option with this name, in any case, and the parsed value.
    ///
    /// # Errors
    /// [`OptionError`] if there is no such option, or the text is not a valid value.
    pub fn parse(name: &str, value: &str) -> Result<(&'static Declaration, Value), OptionError> {
        let declaration = OPTIONS
            .iter()
            .find(|declaration| declaration.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| match name.eq_ignore_ascii_case("UCI_Opponent") {
                true => OptionError::Opponent,
                false => OptionError::Unknown(name.to_string()),
            })?;
        Ok((declaration, declaration.value(value)?))
    }

    /// The effect of setting an option to a text.
    ///
    /// # Errors
    /// As [`Declaration::parse`].
    pub fn effect(name: &str, value: &str) -> Result<OptionEffect, OptionError> {
        let (declaration, value) = Declaration::parse(name, value)?;
        Ok((declaration.effect)(&value))
    }

    fn value(&self, text: &str) -> Result<Value, OptionError> {
        let (name, value) = (self.name, text.to_string());
        match self.kind {
            OptionKind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" => Ok(Value::Flag(true)),
                "false" => Ok(Value::Flag(false)),
                _ => Err(OptionError::Flag { name, value }),
            },
            OptionKind::Spin { min, max, .. } => match text.parse() {
                Ok(number) if (min..=max).contains(&number) => Ok(Value::Number(number)),
                _ => Err(OptionError::Number {
                    name,
                    min,
                    max,
                    value,
                }),
            },
            OptionKind::Combo(choices) => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(text))
                .map(|choice| Value::Word(choice))
                .ok_or(OptionError::Choice { name, choices, value }),
            OptionKind::Button => Ok(Value::Pressed),
            // UCI's notation of an empty string
            OptionKind::Text(_) if text == "<empty>" => Ok(Value::Text(String::new())),
            OptionKind::Text(_) => Ok(Value::Text(value)),
        }
    }
}

impl fmt::Display for Declaration {
    /// The line that answers `uci`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo(choices) => {
                write!(f, "combo default {}", choices[0])?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => write!(f, "button"),
            OptionKind::Text("") => write!(f, "string default <empty>"),
            OptionKind::Text(default) => write!(f, "string default {default}"),
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
    fn every_default_is_valid() {
        for option in OPTIONS {
            let default = match option.kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo(choices) => choices[0].to_string(),
                OptionKind::Button => String::new(),
                OptionKind::Text(default) => default.to_string(),
            };
            let (found, _) = Declaration::parse(&option.name.to_uppercase(), &default).unwrap();
            assert_eq!(found.name, option.name);
        }
    }

    #[test]
    fn options_print_in_uci_format() {
        let lines: Vec<String> = OPTIONS.iter().map(Declaration::to_string).collect();
        let net = format!(
            "option name Net type combo default mlp var {}",
            built_in::NAMES.join(" var ")
        );
        for line in [
            "option name Hash type spin default 16 min 1 max 65536",
            "option name Clear Hash type button",
            "option name UCI_Chess960 type check default false",
            &net,
            "option name EvalFile type string default <empty>",
        ] {
            assert!(lines.iter().any(|l| l == line), "{line} is not among {lines:?}");
        }
    }

    #[test]
    fn values_are_parsed() {
        let value = |name, value| Declaration::parse(name, value).unwrap().1;
        assert_eq!(value("hash", "64").count(), 64);
        assert!(value("Ponder", "True").flag());
        assert_eq!(value("Clear Hash", ""), Value::Pressed);
        assert_eq!(value("EvalFile", "<empty>").text(), "");
        assert_eq!(value("net", "MLP").word(), "mlp");
    }

    #[test]
    fn errors_name_the_option_and_the_value() {
        assert_eq!(refused("Contempt", "3"), "there is no option 'Contempt'");
        assert_eq!(
            refused("Theads", "3"),
            "there is no option 'Theads'; did you mean 'Threads'?"
        );
        assert!(refused("UCI_Opponent", "GM 2800 human Gull").contains("ignored"));
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
        let nets = built_in::NAMES.join(", ");
        assert_eq!(
            refused("Net", "rnn"),
            format!("option Net is one of {nets}, not 'rnn'")
        );
    }
}
