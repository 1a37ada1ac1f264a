//! How a target is run: the same inputs in every `cargo test`, others for as long as it is asked for.

use crate::mutation::{Input, Mutations};
use bolero::generator::bolero_generator::driver::{Options, Rng};
use bolero::{ValueGenerator, check};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::panic::RefUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// No input of a few kilobytes may take longer, on a busy machine and with checks for overflow.
const PATIENCE: Duration = Duration::from_secs(20);

/// A name, and how many inputs have been tried and accepted.
struct Target<'a> {
    name: &'a str,
    inputs: AtomicU64,
    accepted: AtomicU64,
}

/// Tries damaged inputs: the first `usual` ones of a fixed sequence, or random ones for `ENROC_FUZZ_SECONDS`, or the one
/// that `BOLERO_RANDOM_SEED` stands for and random ones for a second. `accepts` says whether any of an input was accepted.
pub fn fuzz(name: &str, usual: u64, inputs: Mutations, accepts: impl Fn(&Input) -> bool + RefUnwindSafe) {
    let target = Target {
        name,
        inputs: AtomicU64::new(0),
        accepted: AtomicU64::new(0),
    };
    match time() {
        Some(time) => check!()
            .with_test_time(time)
            .with_generator(inputs)
            .for_each(|input| target.count(input, &accepts)),
        None => {
            for number in 0..usual {
                let rng = ChaCha8Rng::seed_from_u64(number);
                let input = inputs.generate(&mut Rng::new(rng, &Options::default()));
                let shown = Shown(input.expect("an input"));
                target.count(&shown.0, &accepts);
            }
        }
    }
    target.end();
}

/// How long random inputs are tried; `None` for the fixed ones.
fn time() -> Option<Duration> {
    let seconds = std::env::var("ENROC_FUZZ_SECONDS").ok();
    let seconds = seconds.map(|text| text.parse().expect("ENROC_FUZZ_SECONDS is a number of seconds"));
    let repeated = std::env::var_os("BOLERO_RANDOM_SEED").map(|_| 1);
    seconds.or(repeated).map(Duration::from_secs)
}

/// An input that is printed if the test fails on it.
struct Shown(Input);

impl Drop for Shown {
    fn drop(&mut self) {
        if thread::panicking() {
            println!("{:?}", self.0);
        }
    }
}

impl Target<'_> {
    /// Tries an input and counts it.
    fn count(&self, input: &Input, accepts: impl Fn(&Input) -> bool) {
        let start = Instant::now();
        let accepted = accepts(input);
        assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
        self.inputs.fetch_add(1, Relaxed);
        self.accepted.fetch_add(accepted.into(), Relaxed);
    }

    /// Prints the counts. A target that accepts nothing tests nothing.
    fn end(self) {
        let (inputs, accepted) = (self.inputs.into_inner(), self.accepted.into_inner());
        println!("{}: {inputs} inputs, {accepted} accepted", self.name);
        assert!(inputs > 0 && accepted > 0, "{} accepts nothing", self.name);
    }
}
