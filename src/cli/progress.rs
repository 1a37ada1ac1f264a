//! Progress bars on standard error; none where that is no terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::thread;
use std::time::Duration;

/// A bar that knows how much there is to do, and estimates the time left.
pub fn bar(total: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(total);
    tick(&bar, Duration::from_millis(500));
    bar.with_style(bar_style(what))
}

/// Moves a bar while nothing is reported, on a thread of its own where the system grants one.
pub fn tick(bar: &ProgressBar, every: Duration) {
    // indicatif would panic
    if thread::Builder::new().spawn(|| ()).is_ok() {
        bar.enable_steady_tick(every);
    }
}

/// The look of a bar that knows how much there is to do.
pub fn bar_style(what: &str) -> ProgressStyle {
    style(&format!(
        "{{bar:30}} {{human_pos}}/{{human_len}} {what} {{msg}} ({{elapsed}}, {{eta}} left)"
    ))
}

/// A look, from indicatif's notation.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
