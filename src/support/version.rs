//! What this build calls itself.

/// The version, with the commit in brackets unless this is a release or was built without git; see `build.rs`.
pub const VERSION: &str = env!("ENROC_VERSION");
