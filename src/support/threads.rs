//! The threads that parallel loops share.

use super::memory::has_room;
use std::error::Error;
use std::sync::LazyLock;
use std::thread::available_parallelism;

/// The address space that the stack of a thread takes: the standard library's default.
const STACK: usize = 2 << 20;

/// What has to remain beside the stacks. Threads that find no memory while they start end the whole program.
const RESERVE: usize = 64 << 20;

/// Why the system does not grant the threads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: the system grants too few threads (RAYON_NUM_THREADS=1 asks for one)")]
pub struct TooFewThreads(String);

/// Makes the threads that rayon's loops run on, before the first of them, which would panic where the system refuses them.
///
/// # Errors
/// [`TooFewThreads`], now and whenever it is asked again.
pub fn ensure() -> Result<(), TooFewThreads> {
    static MADE: LazyLock<Result<(), TooFewThreads>> = LazyLock::new(|| {
        let threads = wanted();
        if !has_room(threads.saturating_mul(STACK).saturating_add(RESERVE)) {
            return Err(TooFewThreads(format!("no memory for {threads} threads")));
        }
        match rayon::ThreadPoolBuilder::new().build_global() {
            // without a source: there are some already
            Err(error) if error.source().is_some() => Err(TooFewThreads(error.to_string())),
            _ => Ok(()),
        }
    });
    MADE.clone()
}

/// How many threads rayon makes: those of `RAYON_NUM_THREADS`, or as many as there are processors.
fn wanted() -> usize {
    let asked = std::env::var("RAYON_NUM_THREADS").ok();
    let asked = asked
        .and_then(|text| text.parse().ok())
        .filter(|&threads| threads > 0);
    asked.unwrap_or_else(|| available_parallelism().map_or(1, usize::from))
}
