//! Endgame tablebases for the commands that explain.

use crate::engine::options::{EngineOption, EngineOptions};

/// These options with the tables of these folders.
///
/// # Errors
/// A sentence for each folder or file that cannot be used, or that there is no table.
pub fn with_tables(mut options: EngineOptions, folders: Option<&str>) -> Result<EngineOptions, String> {
    let Some(folders) = folders else {
        return Ok(options);
    };
    options.set(EngineOption::SyzygyPath(folders.to_string()));
    let found = options.tablebases.as_ref();
    match found.filter(|found| found.wdl > 0) {
        Some(_) => Ok(options),
        None => {
            let faults = found
                .map(|found| found.faults.join("; "))
                .filter(|faults| !faults.is_empty());
            Err(faults.unwrap_or_else(|| format!("there are no tablebases in '{folders}'")))
        }
    }
}
