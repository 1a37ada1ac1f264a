//! Reading the values of the laboratory's options.

use crate::data::Part;
use clap::ValueEnum;

/// `NAME=VALUE`.
pub fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is written NAME=VALUE")?;
    Ok((name.to_string(), value.to_string()))
}

/// A share, from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a share lies between 0 and 1".to_string()),
    }
}

/// A factor above 0, up to 100.
pub fn factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if factor > 0.0 && factor <= 100.0 => Ok(factor),
        _ => Err("a factor lies above 0 and is at most 100".to_string()),
    }
}

/// A time to wait in seconds, from 0.1 to a day.
pub fn seconds(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(seconds) if (0.1..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("seconds lie between 0.1 and 86400".to_string()),
    }
}

/// A number of games that come in pairs.
pub fn even(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if count > 0 && count % 2 == 0 => Ok(count),
        _ => Err("games are played in pairs: it is an even number above 0".to_string()),
    }
}

/// A part of divided data, as arguments name it.
#[derive(Clone, Copy, ValueEnum)]
pub enum PartName {
    Training,
    Validation,
    Test,
}

impl PartName {
    /// The part.
    pub fn part(self) -> Part {
        match self {
            PartName::Training => Part::Training,
            PartName::Validation => Part::Validation,
            PartName::Test => Part::Test,
        }
    }
}
