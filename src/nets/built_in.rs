//! The nets built into this binary: the files that `nets/built-in` names. The environment variable EVALFILE replaces the
//! first of them at build time, see `build.rs`.

use super::net::{Net, NetError};

/// A built-in net.
pub struct BuiltIn {
    /// Its name in options and arguments.
    pub name: &'static str,
    /// The contents of its file.
    pub bytes: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

impl BuiltIn {
    /// The built-in net with this name.
    pub fn find(name: &str) -> Option<&'static BuiltIn> {
        BUILT_IN.iter().find(|net| net.name == name)
    }

    /// Reads the net.
    ///
    /// # Errors
    /// Only if the binary was built with a file that is not a net.
    pub fn read(&self) -> Result<Net, NetError> {
        Net::from_bytes(self.bytes)
    }
}
