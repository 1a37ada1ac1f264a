//! Progress bars of runs whose end is not known, and of what is mostly done at once.

use crate::cli::progress::{bar_style, style, tick};
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::time::Duration;

/// A command that takes less time needs no bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// Counts what is done of a run whose end is not known.
pub fn spinner(what: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    tick(&bar, Duration::from_millis(200));
    bar.with_style(style(&format!(
        "{{spinner}} {{human_pos}} {what}, {{per_sec:.0}}, {{elapsed}}"
    )))
}

/// A bar for what is mostly done at once: [`show_late`] shows it once that takes longer.
pub fn hidden_bar(total: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
    bar.with_style(bar_style(what))
}

/// Moves a bar of [`hidden_bar`] and shows it after two seconds.
pub fn show_late(bar: &ProgressBar, done: u64) {
    bar.set_position(done);
    if bar.is_hidden() && bar.elapsed() >= PATIENCE {
        bar.set_draw_target(ProgressDrawTarget::stderr());
    }
}
