//! The nets that are built into this binary: the files that `nets/built-in` names, the first of them replaced by the
//! file in the environment variable EVALFILE at build time. See `build.rs`.

use super::net::{Net, NetError};

/// A net that is built in.
pub struct BuiltIn {
    /// As options and arguments call it.
    pub name: &'static str,
    /// The contents of its file.
    pub bytes: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

impl BuiltIn {
    /// The net of a name.
    pub fn find(name: &str) -> Option<&'static BuiltIn> {
        BUILT_IN.iter().find(|net| net.name == name)
    }

    /// The net itself.
    ///
    /// # Errors
    /// Only if the binary was built with a file that is no net.
    pub fn read(&self) -> Result<Net, NetError> {
        Net::from_bytes(self.bytes)
    }
}
