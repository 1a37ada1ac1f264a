//! Groups of records in files and folders.

use enroc::data::Record;
use enroc::data::formats::games::GameSettings;
use enroc::data::formats::source::{GroupSource, Groups};
use std::path::Path;

pub fn groups(source: &Path) -> Groups {
    Groups::new(vec![source.to_path_buf()], GameSettings::default())
}

/// All groups, in the order of the source.
pub fn read(source: &Path) -> Vec<Vec<Record>> {
    let (mut source, mut group, mut found) = (groups(source), Vec::new(), Vec::new());
    while source.next_group(&mut group).unwrap() {
        found.push(group.clone());
    }
    found
}
