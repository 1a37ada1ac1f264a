//! In which language explanations are given, and how they write moves.

use crate::explain::words::{Language, Notation};
use clap::Args;

/// The options of the commands that explain.
#[derive(Args)]
pub struct Words {
    /// Catalan, Spanish or English: ca, es, en
    #[arg(long, value_name = "LANGUAGE", default_value_t)]
    pub lang: Language,
    /// Pieces as letters of the language or as figurines: letters, figurines
    #[arg(long, value_name = "HOW", default_value_t)]
    pub notation: Notation,
}
