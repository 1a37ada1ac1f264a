//! The choice of a net: a built-in one or a file.

use super::built_in::{BUILT_IN, BuiltIn};
use super::file::{Head, file_error, fingerprint};
use super::names::present_name;
use super::net::{Net, NetError};
use std::fmt;
use std::path::{Path, PathBuf};

/// A built-in net or a net file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetChoice {
    /// A built-in net, by its name in [`BUILT_IN`].
    BuiltIn(&'static str),
    File(PathBuf),
}

/// A net that cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[error("net {choice}: {reason}")]
pub struct ChoiceError {
    pub choice: NetChoice,
    /// What is wrong with it.
    pub reason: NetError,
}

impl Default for NetChoice {
    /// The net that plays by default.
    fn default() -> NetChoice {
        NetChoice::BuiltIn(BUILT_IN[0].name)
    }
}

impl fmt::Display for NetChoice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NetChoice::BuiltIn(name) => write!(f, "{name} (built in)"),
            NetChoice::File(path) => write!(f, "{}", path.display()),
        }
    }
}

impl NetChoice {
    /// The built-in net with this name.
    pub fn built_in(name: &str) -> Option<NetChoice> {
        BuiltIn::find(name).map(|net| NetChoice::BuiltIn(net.name))
    }

    /// The ending of a net file's name.
    pub const FILE_ENDING: &'static str = "safetensors";

    /// The net files in a folder that have this name without the ending, or whose recipe has.
    pub fn files_named(name: &str, folder: &Path) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return Vec::new();
        };
        let mut found: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                path.extension()
                    .is_some_and(|ending| ending == NetChoice::FILE_ENDING)
            })
            .filter(|path| {
                path.file_stem().is_some_and(|stem| stem == name)
                    || Head::read(path).is_ok_and(|head| head.info.name == present_name(name))
            })
            .collect();
        found.sort();
        found
    }

    /// Reads the net.
    ///
    /// # Errors
    /// [`ChoiceError`] if it cannot be used.
    pub fn read(&self) -> Result<Net, ChoiceError> {
        let net = match self {
            NetChoice::BuiltIn(name) => {
                BuiltIn::find(name).map_or_else(|| Err(NetError::Missing(name.to_string())), BuiltIn::read)
            }
            NetChoice::File(path) => Net::read(path),
        };
        net.map_err(|reason| self.fault(reason))
    }

    /// Reads what the net says of itself, without its numbers.
    ///
    /// # Errors
    /// [`ChoiceError`] if it is no net.
    pub fn head(&self) -> Result<Head, ChoiceError> {
        let head = match self {
            NetChoice::BuiltIn(name) => match BuiltIn::find(name) {
                Some(net) => Head::of_bytes(net.bytes),
                None => Err(NetError::Missing(name.to_string())),
            },
            NetChoice::File(path) => Head::read(path),
        };
        head.map_err(|reason| self.fault(reason))
    }

    /// The error that names this net and what is wrong with it.
    pub fn fault(&self, reason: NetError) -> ChoiceError {
        ChoiceError {
            choice: self.clone(),
            reason,
        }
    }

    /// The [`fingerprint`] of the net's file.
    ///
    /// # Errors
    /// [`ChoiceError`] if the file cannot be read.
    pub fn fingerprint(&self) -> Result<String, ChoiceError> {
        Ok(match self {
            NetChoice::BuiltIn(name) => {
                BuiltIn::find(name).map_or_else(String::new, |net| fingerprint(net.bytes))
            }
            NetChoice::File(path) => {
                let bytes = std::fs::read(path).map_err(|error| self.fault(file_error(path, error)))?;
                fingerprint(&bytes)
            }
        })
    }
}
