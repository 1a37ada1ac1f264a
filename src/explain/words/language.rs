//! The languages, and how moves are written in them.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A language of the messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// `ca`.
    Catalan,
    /// `es`.
    Spanish,
    /// `en`.
    #[default]
    English,
}

/// How pieces are named in moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// By the letters of the language: R D T A C in Catalan and Spanish, K Q R B N in English.
    #[default]
    Letters,
    /// By figurines, which all languages share: ♔ ♕ ♖ ♗ ♘.
    Figurines,
}

/// A word that names none of the choices.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{word}' is not one of {choices}")]
pub struct UnknownWord {
    /// The word.
    pub word: String,
    /// What there is.
    pub choices: &'static str,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 3] = [Language::Catalan, Language::Spanish, Language::English];

    /// The tag of the language, as in BCP 47.
    pub fn tag(self) -> &'static str {
        match self {
            Language::Catalan => "ca",
            Language::Spanish => "es",
            Language::English => "en",
        }
    }

    /// The language's messages.
    pub(super) fn messages(self) -> &'static str {
        match self {
            Language::Catalan => include_str!("ca.ftl"),
            Language::Spanish => include_str!("es.ftl"),
            Language::English => include_str!("en.ftl"),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.tag())
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Notation::Letters => "letters",
            Notation::Figurines => "figurines",
        })
    }
}

impl FromStr for Language {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Language, UnknownWord> {
        let fits = |language: &Language| language.tag() == word;
        Language::ALL.into_iter().find(fits).ok_or(UnknownWord {
            word: word.to_string(),
            choices: "ca, es, en",
        })
    }
}

impl FromStr for Notation {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Notation, UnknownWord> {
        match word {
            "letters" => Ok(Notation::Letters),
            "figurines" => Ok(Notation::Figurines),
            _ => Err(UnknownWord {
                word: word.to_string(),
                choices: "letters, figurines",
            }),
        }
    }
}
