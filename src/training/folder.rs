//! The folder of a training, and who may write into it.

use super::TrainError;
use super::net_recipe::NET_ENDING;
use super::options::Options;
use super::recipe::Recipe;
use crate::support::whole_file;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The name of a training's checkpoint in its folder.
const CHECKPOINT: &str = "checkpoint.safetensors";

/// Where the first weights of a training lie, if they are not drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Earlier {
    /// The checkpoint of another training.
    Checkpoint(PathBuf),
    /// A net file.
    Net(PathBuf),
}

/// The files of one training beside its net.
pub(super) struct Folder {
    /// Where the first weights come from, if they are not drawn.
    pub before: Option<Earlier>,
    pub checkpoint: PathBuf,
    pub log: PathBuf,
    pub curves: PathBuf,
    pub errors: PathBuf,
    _lock: File,
}

impl Folder {
    /// Creates the folder of a training and locks it for this process. The path of a net file in the recipe is relative
    /// to the recipe's folder, `recipes`.
    ///
    /// # Errors
    /// [`TrainError::Busy`] if another program trains there.
    pub fn open(options: &Options, recipe: &Recipe, recipes: &Path) -> Result<Folder, TrainError> {
        let folder = options.output.join(&recipe.name);
        fs::create_dir_all(&folder).map_err(|error| TrainError::file(&folder, error))?;
        let checkpoint_of = |name: &str| options.output.join(name).join(CHECKPOINT);
        Ok(Folder {
            _lock: lock(&folder)?,
            before: recipe.net.after.as_deref().map(|after| {
                if after.ends_with(NET_ENDING) {
                    Earlier::Net(recipes.join(after))
                } else {
                    Earlier::Checkpoint(checkpoint_of(after))
                }
            }),
            checkpoint: checkpoint_of(&recipe.name),
            log: folder.join("log.csv"),
            curves: folder.join("curves.svg"),
            errors: folder.join("errors.svg"),
        })
    }
}

fn lock(folder: &Path) -> Result<File, TrainError> {
    let held = whole_file::lock(folder).map_err(|error| TrainError::file(folder, error))?;
    held.ok_or_else(|| TrainError::Busy(folder.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_training_at_a_time_writes_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let held = lock(folder.path()).unwrap();
        let refused = lock(folder.path()).unwrap_err().to_string();
        let name = folder.path().display();
        assert_eq!(refused, format!("another training is writing {name}"));
        drop(held);
        lock(folder.path()).unwrap();
    }
}
