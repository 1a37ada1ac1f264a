//! The threads that parallel loops share.

use std::error::Error;
use std::sync::LazyLock;

/// Why the system does not grant the threads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: the system grants too few threads (RAYON_NUM_THREADS=1 asks for one)")]
pub struct TooFewThreads(String);

/// Makes the threads that rayon's loops run on, before the first of them, which would panic where the system refuses them.
///
/// # Errors
/// [`TooFewThreads`], now and whenever it is asked again.
pub fn ensure() -> Result<(), TooFewThreads> {
    static MADE: LazyLock<Result<(), TooFewThreads>> =
        LazyLock::new(|| match rayon::ThreadPoolBuilder::new().build_global() {
            // without a source: there are some already
            Err(error) if error.source().is_some() => Err(TooFewThreads(error.to_string())),
            _ => Ok(()),
        });
    MADE.clone()
}
