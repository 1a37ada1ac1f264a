//! Recipes of trainings.

use crate::mutation::Mutations;
use crate::target::fuzz;
use enroc::training::recipe::Recipe;
use std::fs;
use std::path::Path;

const WORDS: &[&str] = &[
    "=",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "#",
    "\n",
    "\n[net]\n",
    "\n[data]\n",
    "\n[data.selection]\n",
    "\n[optimizer]\n",
    "kind = \"mlp\"\n",
    "kind = \"cnn\"\n",
    "2x774",
    "774m",
    "774m5",
    "-1x8",
    "pool",
    "16-",
    "5r",
    "3t4h128f16g",
    "clip = [1.0]\n",
    "sparsity = 0.1\n",
    "exponent = 1.5\n",
    "result_share = 0.5\n",
    "in_memory = 2\n",
    "shards = 1\n",
    "bfloat16 = true\n",
    "after = \"x\"\n",
    "true",
    "false",
    "1_000",
    "0x10",
    "1979-05-27",
    "\"\"\"",
    "\\u0000",
];

/// A recipe is refused in one line, or it is one that a training can begin with: it has a design, is the same when it is
/// written, and its steps have rates from 0 to 1.
#[test]
fn recipes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/recipes");
    let entries = fs::read_dir(folder).expect("the recipes");
    let mut seeds: Vec<Vec<u8>> = entries
        .map(|entry| fs::read(entry.expect("a file").path()).expect("a recipe"))
        .collect();
    seeds.sort();
    let room = tempfile::tempdir().expect("a folder");
    let path = room.path().join("recipe.toml");
    fuzz("recipes", 3_000, Mutations::of_files(seeds, WORDS), |input| {
        fs::write(&path, &input.bytes).expect("a file");
        check_recipe(&path)
    });
}

fn check_recipe(path: &Path) -> bool {
    let recipe = match Recipe::read(path) {
        Ok(recipe) => recipe,
        Err(error) => {
            let line = error.to_string();
            assert!(!line.contains('\n'), "{line}");
            return false;
        }
    };
    let text = recipe.to_text().expect("a text");
    assert_eq!(Recipe::parse(&text).as_ref(), Ok(&recipe), "{text}");
    recipe.design().expect("a design").architecture();
    let (schedule, steps) = (recipe.schedule, recipe.schedule.steps());
    assert!(steps > 0 && recipe.batches().size > 0);
    for step in [0, steps / 2, steps - 1] {
        let rate = schedule.rate(step);
        assert!(
            (0.0..=1.0 + 1e-9).contains(&rate),
            "{rate} at {step} of {steps}: {text}"
        );
    }
    true
}
