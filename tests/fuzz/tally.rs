//! How long a target runs, and how much of its input was accepted.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// No input of a few kilobytes may take longer, on a busy machine and with checks for overflow.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a target runs: `ENROC_FUZZ_SECONDS`, or a second.
pub fn time() -> Duration {
    let seconds = std::env::var("ENROC_FUZZ_SECONDS").ok();
    let seconds = seconds.map(|text| text.parse().expect("ENROC_FUZZ_SECONDS is a number of seconds"));
    Duration::from_secs(seconds.unwrap_or(1))
}

/// Counts the inputs of a target.
pub struct Tally {
    name: &'static str,
    inputs: AtomicU64,
    accepted: AtomicU64,
}

impl Tally {
    pub fn new(name: &'static str) -> Tally {
        Tally {
            name,
            inputs: AtomicU64::new(0),
            accepted: AtomicU64::new(0),
        }
    }

    /// Counts an input, and whether any of it was accepted.
    pub fn count(&self, accepts: impl FnOnce() -> bool) {
        let start = Instant::now();
        let accepted = accepts();
        assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
        self.inputs.fetch_add(1, Relaxed);
        self.accepted.fetch_add(accepted.into(), Relaxed);
    }

    /// Prints the counts. A target that accepts nothing, or everything, tests nothing.
    pub fn end(self) {
        let (inputs, accepted) = (self.inputs.into_inner(), self.accepted.into_inner());
        println!("{}: {inputs} inputs, {accepted} accepted", self.name);
        assert!(inputs > 0 && accepted > 0, "{} accepts nothing", self.name);
    }
}
