//! The nets that are built into this binary.

use super::net::{Kind, Net, NetError, fingerprint};
use once_cell::sync::Lazy;

/// The file named by EVALFILE at build time, or the one that `nets/default` names.
static FILE: &[u8] = include_bytes!(env!("ENROC_NET"));
static NET: Lazy<Result<Net, NetError>> = Lazy::new(|| Net::from_bytes(FILE));

/// The file that `nets/default-cnn` names.
static CNN_FILE: &[u8] = include_bytes!(env!("ENROC_CNN"));
static CNN: Lazy<Result<Net, NetError>> = Lazy::new(|| Net::from_bytes(CNN_FILE));

impl Net {
    /// The net of this kind that is built into this binary.
    ///
    /// # Errors
    /// Only if the binary was built with a file that is no net.
    pub fn embedded(kind: Kind) -> Result<&'static Net, NetError> {
        let net = match kind {
            Kind::Mlp => &NET,
            Kind::Cnn => &CNN,
        };
        net.as_ref().map_err(Clone::clone)
    }

    /// The digits of the file name of an embedded net.
    pub fn embedded_fingerprint(kind: Kind) -> String {
        fingerprint(match kind {
            Kind::Mlp => FILE,
            Kind::Cnn => CNN_FILE,
        })
    }
}
