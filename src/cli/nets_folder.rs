//! Where nets lie when no folder is named.

use std::path::{Path, PathBuf};

/// The name of the folder.
const NAME: &str = "nets";

/// The first folder `nets` that there is: here, beside the program, or in the sources that the program was built in;
/// `nets` here if there is none. Folders above these are not searched, for they may be anybody's.
pub fn nets_folder() -> PathBuf {
    let program = std::env::current_exe().and_then(|path| path.canonicalize());
    let places = places(program.ok().as_deref());
    let found = places.iter().find(|folder| folder.is_dir());
    found.cloned().unwrap_or_else(|| PathBuf::from(NAME))
}

/// Where the folder may lie, the nearest place first.
fn places(program: Option<&Path>) -> Vec<PathBuf> {
    let folder = program.and_then(Path::parent);
    // cargo puts a program into SOURCES/target/PROFILE
    let target = folder
        .and_then(Path::parent)
        .filter(|above| above.ends_with("target"));
    let sources = target.and_then(Path::parent);
    let beside = [folder, sources].into_iter().flatten();
    [PathBuf::from(NAME)]
        .into_iter()
        .chain(beside.map(|folder| folder.join(NAME)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nets_lie_here_beside_the_program_or_in_its_sources() {
        let names = |program: &str| -> Vec<String> {
            let places = places(Some(Path::new(program)));
            places.iter().map(|place| place.display().to_string()).collect()
        };
        assert_eq!(names("/opt/enroc/enroc"), ["nets", "/opt/enroc/nets"]);
        assert_eq!(
            names("/home/a/enroc/target/release/enroc"),
            ["nets", "/home/a/enroc/target/release/nets", "/home/a/enroc/nets"]
        );
        assert_eq!(places(None), [PathBuf::from("nets")]);
    }
}
