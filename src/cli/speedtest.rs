//! `enroc speedtest`: nodes a second in play, with as many threads as the machine has.

use super::progress::bar;
use super::result::CommandResult;
use crate::engine::Engine;
use crate::engine::options::{EngineOption, EngineOptions};
use crate::engine::speedtest::{SpeedTestError, run, steps};
use crate::search::STACK;
use crate::support::terminal::say;
use crate::support::version::VERSION;
use clap::Args;
use std::thread;
use std::time::Duration;

/// MiB of the table for each thread, if nothing else is asked for.
const HASH_PER_THREAD: usize = 128;

#[derive(Args)]
pub struct SpeedTest {
    /// Search threads; as many as the machine runs at once by default
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The table's size in MiB; 128 for each thread by default
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: Option<u32>,
    /// Seconds in all
    #[arg(default_value_t = 150, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,
}

/// Measures and prints.
pub fn test(arguments: &SpeedTest) -> CommandResult {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or(processors.min(256), usize::from);
    let hash = arguments
        .hash
        .map_or(threads * HASH_PER_THREAD, |hash| hash as usize);
    let duration = Duration::from_secs(u64::from(arguments.seconds));
    let mut options = EngineOptions::default();
    options.set(EngineOption::Threads(threads));
    options.set(EngineOption::Hash(hash));
    let mut engine = Engine::new(options)?;
    let bar = bar(u64::from(steps()), "moves");
    let progress = bar.clone();
    let measure = move || -> Result<_, SpeedTestError> {
        let speed = run(&mut engine, duration, &mut |done| {
            progress.set_position(u64::from(done));
        })?;
        Ok(speed)
    };
    // the main thread of some systems has a megabyte of stack
    let thread = thread::Builder::new().stack_size(STACK).spawn(measure)?;
    let speed = thread.join().map_err(|_| "the measurement broke down")??;
    bar.finish_and_clear();
    say(format_args!("version           Enroc {VERSION}"));
    say(format_args!("processors        {processors}"));
    say(format_args!("threads           {threads}"));
    say(format_args!(
        "table             {hash} MiB, {}/1000 full at the end of a move on average",
        speed.mean_hash_full()
    ));
    say(format_args!("moves             {}", speed.moves));
    say(format_args!("nodes             {}", speed.nodes));
    say(format_args!(
        "time              {:.3} s",
        speed.time.as_secs_f64()
    ));
    say(format_args!("nodes per second  {}", speed.per_second()));
    Ok(())
}
