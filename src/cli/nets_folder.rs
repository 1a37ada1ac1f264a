//! Where nets lie when no folder is named.

use std::path::{Path, PathBuf};

/// The name of the folder.
const NAME: &str = "nets";

/// The nearest folder `nets` in the current folder, above it, or above the program; `nets` here if there is none.
pub fn nets_folder() -> PathBuf {
    let here = std::env::current_dir().ok();
    let program = std::env::current_exe().and_then(|path| path.canonicalize()).ok();
    let places = [here, program];
    let found = places.iter().flatten().find_map(|place| above(place));
    found.unwrap_or_else(|| PathBuf::from(NAME))
}

/// The nearest folder with that name in a place or above it.
fn above(place: &Path) -> Option<PathBuf> {
    let folders = place.ancestors().map(|folder| folder.join(NAME));
    folders.into_iter().find(|folder| folder.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_is_found() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("a/b/c");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir_all(root.path().join("a/nets")).unwrap();
        assert_eq!(above(&deep), Some(root.path().join("a/nets")));
        assert_eq!(
            above(&root.path().join("a/nets")),
            Some(root.path().join("a/nets"))
        );
    }
}
