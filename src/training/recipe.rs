//! A recipe: one readable TOML file that says how a net is trained.

use super::faults::{first_fault, is_size};
use super::kind::Design;
use super::net_recipe::{NET_ENDING, NetRecipe, one_line};
use super::optimizer::AdamSettings;
use super::registry;
use super::{RecipeError, TrainError};
use crate::data::feed::loader::{BatchSettings, Selection};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How a net is trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// A short name, used for files and kept in the net.
    pub name: String,
    /// What is trained.
    pub net: NetRecipe,
    /// What it is trained on.
    pub data: DataRecipe,
    /// How long and how fast.
    pub schedule: Schedule,
    /// Steps of the optimiser.
    #[serde(default)]
    pub optimizer: AdamSettings,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataRecipe {
    /// What the data is, in words, for the net's card.
    pub description: String,
    /// Labelled files, in the folder that is named at the start of the training.
    pub files: Vec<PathBuf>,
    /// How many shards may be in memory at once, at least 2: then every file must be a folder of shards, and the
    /// training part is read from them again in each epoch. Without it all positions are held in memory.
    #[serde(default)]
    pub in_memory: Option<usize>,
    /// How many shards are trained on, from the first, where they are streamed; all of them without it.
    #[serde(default)]
    pub shards: Option<usize>,
    /// Which positions of them are used, and how they are divided. The errors on all positions are measured on the
    /// validation part without the filter.
    #[serde(default)]
    pub selection: Selection,
}

impl DataRecipe {
    fn check(&self) -> Result<(), RecipeError> {
        let split = &self.selection.split;
        first_fault(&[
            (self.files.is_empty(), "it names no data files"),
            (
                self.in_memory.is_some_and(|shards| shards < 2),
                "in_memory must be at least 2 shards: one is served while another is loaded",
            ),
            (
                self.shards.is_some() && self.in_memory.is_none(),
                "shards needs in_memory",
            ),
            (
                !is_size(split.validation) || !is_size(split.test) || split.validation + split.test >= 1.0,
                "the split's validation and test must be at least 0 and together less than 1",
            ),
            (
                !self.selection.filter.unlabelled,
                "the filter must leave out what is unlabelled: there is nothing to learn from it",
            ),
        ])
    }
}

/// How long to train and how the step size changes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Positions to train on, counted as often as they are shown.
    pub positions: u64,
    /// Positions over which the rate rises from 0.
    pub warm_up: u64,
    /// The share of the rate that is left at the end of the cosine.
    #[serde(default)]
    pub final_rate: f64,
    /// The loss is the mean of the error's size to this power. 2 is the thesis's mean square; more of it weighs large errors
    /// higher, less of it lower, and 1 is the mean size.
    #[serde(default = "square")]
    pub exponent: f64,
    /// The weight of the game's result in the target, from 0 to 1; the score has the rest. A position whose game's result is
    /// unknown has its score alone.
    #[serde(default)]
    pub result_share: f64,
    /// Positions in a step.
    pub batch: usize,
    /// Draws the first weights and the order of the data.
    pub seed: u64,
    /// Whether half of the positions are shown with colours exchanged; of use only with the orientation white.
    #[serde(default)]
    pub flip: bool,
    /// Whether half of the positions in which nobody may castle are shown with the files exchanged.
    #[serde(default)]
    pub mirror: bool,
    /// Positions between two measurements on the validation part.
    pub measure_every: u64,
    /// How many positions of the validation part, evenly drawn, are measured on; all of them where there is no number.
    /// For the test part the same.
    #[serde(default)]
    pub measure_on: Option<usize>,
    /// Ends the training after this many measurements without a better one; 0 never does.
    #[serde(default)]
    pub patience: u32,
}

fn square() -> f64 {
    2.0
}

fn check_optimizer(optimizer: &AdamSettings) -> Result<(), RecipeError> {
    let AdamSettings {
        rate,
        beta1,
        beta2,
        epsilon,
        decay,
    } = *optimizer;
    first_fault(&[
        (
            !is_size(rate) || rate == 0.0,
            "the optimizer's rate must be above 0",
        ),
        (
            !(0.0..1.0).contains(&beta1) || !(0.0..1.0).contains(&beta2),
            "beta1 and beta2 must be at least 0 and less than 1",
        ),
        (!is_size(epsilon) || epsilon == 0.0, "epsilon must be above 0"),
        (!is_size(decay), "decay must be at least 0"),
    ])
}

impl Recipe {
    /// Reads a recipe and checks it.
    ///
    /// # Errors
    /// [`TrainError::Recipe`] says what is wrong with it.
    pub fn read(path: &Path) -> Result<Recipe, TrainError> {
        Recipe::read_checked(path).map_err(|reason| TrainError::Recipe {
            path: path.into(),
            reason,
        })
    }

    fn read_checked(path: &Path) -> Result<Recipe, RecipeError> {
        let text = std::fs::read_to_string(path).map_err(|error| RecipeError::File(error.to_string()))?;
        let recipe = Recipe::parse(&text)?;
        recipe.check()?;
        Ok(recipe)
    }

    /// The recipe in a text, with the kind of its net and every default filled in, so that equal recipes compare equal
    /// however they were written. The values outside the `[net]` table are not checked.
    ///
    /// # Errors
    /// [`RecipeError`] says what stands in the way.
    pub fn parse(text: &str) -> Result<Recipe, RecipeError> {
        let mut recipe: Recipe = toml::from_str(text).map_err(|error| fault_of(text, &error))?;
        recipe.net.kind = registry::kind_of(&recipe.net)?.name.into();
        recipe.net.settings = registry::design(&recipe.net)?.settings();
        Ok(recipe)
    }

    /// The same recipe with another random seed, and a name of its own.
    pub fn reseed(&mut self, seed: u64) {
        self.schedule.seed = seed;
        self.name = format!("{}-seed{seed}", self.name);
    }

    /// The text of the recipe, with every default written out.
    ///
    /// # Errors
    /// None that a recipe from a file could cause.
    pub fn to_text(&self) -> Result<String, TrainError> {
        toml::to_string(self).map_err(|error| self.fault(error.into()))
    }

    fn fault(&self, reason: RecipeError) -> TrainError {
        TrainError::Recipe {
            path: self.name.clone().into(),
            reason,
        }
    }

    /// What is wrong with the recipe, if anything.
    fn check(&self) -> Result<(), RecipeError> {
        let design = registry::design(&self.net)?;
        first_fault(&[
            (
                self.name.is_empty() || self.name.contains(['/', '\\']),
                "the name must be fit for a file",
            ),
            (
                self.name.ends_with(NET_ENDING),
                "the name must not end in .safetensors, as net files do",
            ),
            (
                self.net.after.as_ref() == Some(&self.name),
                "a training cannot begin after itself",
            ),
        ])?;
        self.data.check()?;
        self.net.check()?;
        self.schedule.check()?;
        let multiple = design.batch_multiple();
        if !self.schedule.batch.is_multiple_of(multiple) {
            let kind = self.net.kind.clone();
            return Err(RecipeError::Batch { kind, multiple });
        }
        check_optimizer(&self.optimizer)
    }

    /// The checked design of the net.
    ///
    /// # Errors
    /// None for a recipe that was read or parsed.
    pub fn design(&self) -> Result<Box<dyn Design>, TrainError> {
        registry::design(&self.net).map_err(|reason| self.fault(reason))
    }

    /// How batches are drawn.
    pub fn batches(&self) -> BatchSettings {
        BatchSettings {
            size: self.schedule.batch,
            seed: self.schedule.seed,
            flip: self.schedule.flip,
            mirror: self.schedule.mirror,
        }
    }
}

/// What is wrong with a TOML file, and where, without the excerpt that the library prints.
fn fault_of(text: &str, error: &toml::de::Error) -> RecipeError {
    let start = error.span().map_or(0, |span| span.start);
    let line = 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
    RecipeError::Text {
        line,
        reason: one_line(error),
    }
}

impl Schedule {
    fn check(&self) -> Result<(), RecipeError> {
        first_fault(&[
            (
                self.batch == 0 || self.measure_every == 0 || self.measure_on == Some(0),
                "batch, measure_every and measure_on must be at least 1",
            ),
            (
                self.positions < self.batch as u64 || self.warm_up > self.positions,
                "positions must be at least one batch and no less than warm_up",
            ),
            (
                !(0.0..=1.0).contains(&self.final_rate),
                "final_rate, a share of the rate, must be from 0 to 1",
            ),
            (
                !self.exponent.is_finite() || self.exponent < 1.0,
                "the exponent must be at least 1",
            ),
            (
                !(0.0..=1.0).contains(&self.result_share),
                "result_share must be from 0 to 1",
            ),
        ])
    }

    /// Steps of the whole training.
    pub fn steps(&self) -> u64 {
        self.positions / self.batch as u64
    }

    /// The share of the full rate at a step, counted from 0: a straight rise, then half a cosine.
    pub fn rate(&self, step: u64) -> f64 {
        let (step, steps) = (step as f64 + 1.0, self.steps() as f64);
        let rise = self.warm_up as f64 / self.batch as f64;
        if step < rise {
            return step / rise;
        }
        let gone = ((step - rise) / (steps - rise).max(1.0)).min(1.0);
        let cosine = (1.0 + (std::f64::consts::PI * gone).cos()) / 2.0;
        self.final_rate + (1.0 - self.final_rate) * cosine
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        let schedule = Schedule {
            positions: 1000,
            warm_up: 100,
            final_rate: 0.1,
            exponent: square(),
            result_share: 0.0,
            batch: 10,
            seed: 0,
            flip: false,
            mirror: false,
            measure_every: 100,
            measure_on: None,
            patience: 0,
        };
        let rates: Vec<f64> = (0..schedule.steps()).map(|step| schedule.rate(step)).collect();
        assert!((rates[0] - 0.1).abs() < 1e-12 && (rates[9] - 1.0).abs() < 1e-12);
        assert!(rates[..10].is_sorted() && rates[9..].is_sorted_by(|a, b| a >= b));
        assert!((rates[54] - 0.55).abs() < 0.02, "half-way down: {}", rates[54]);
        assert!((rates[99] - 0.1).abs() < 1e-9);
    }

    /// A recipe with nothing but what every one needs.
    pub const MLP: &str = r#"
        name = "small"
        [net]
        layout = "774-8-1"
        orientation = "mover"
        curve = { tanh = { scale = 800.0 } }
        [data]
        description = ""
        files = ["rows.csv"]
        [schedule]
        positions = 640
        warm_up = 64
        batch = 64
        seed = 1
        measure_every = 64
        "#;

    #[test]
    fn what_makes_no_sense_is_named() {
        let found = |text: String| Recipe::parse(&text).and_then(|recipe| recipe.check());
        let refused = |text: String| found(text).unwrap_err().to_string();
        let cnn = MLP.replace("774-8-1", "16-4-pool-1");
        assert_eq!(found(MLP.into()), Ok(()));
        assert_eq!(found(cnn.clone()), Ok(()));
        for (section, line, word) in [
            ("net", "clip = [1.0, -0.5]", "clip"),
            ("net", "clip = [nan]", "clip"),
            ("net", "sparsity = 1.0", "sparsity"),
            ("net", "after = 'small'", "after itself"),
            ("data", "shards = 3", "in_memory"),
            ("data", "in_memory = 1", "in_memory"),
            (
                "data",
                "selection = { filter = { unlabelled = false } }",
                "unlabelled",
            ),
            (
                "data",
                "selection = { split = { seed = 1, validation = 0.5, test = 0.5 } }",
                "split",
            ),
            (
                "data",
                "selection = { split = { seed = 1, validation = -0.1, test = 0.5 } }",
                "split",
            ),
            ("schedule", "measure_on = 0", "measure_on"),
            ("schedule", "final_rate = 1.5", "final_rate"),
            ("schedule", "final_rate = -0.1", "final_rate"),
            ("schedule", "exponent = 0.9", "exponent"),
            ("schedule", "exponent = inf", "exponent"),
            ("schedule", "result_share = 1.5", "result_share"),
            ("schedule", "result_share = nan", "result_share"),
        ] {
            let heading = format!("[{section}]");
            let fault = refused(MLP.replace(&heading, &format!("{heading}\n{line}")));
            assert!(fault.contains(word), "{line}: {fault}");
        }
        for (line, word) in [
            ("rate = 0.0", "rate"),
            ("rate = -1e-3", "rate"),
            ("rate = inf", "rate"),
            ("beta1 = 1.0", "beta1"),
            ("beta2 = -0.1", "beta2"),
            ("epsilon = 0.0", "epsilon"),
            ("decay = -0.01", "decay"),
            ("decay = nan", "decay"),
        ] {
            let fault = refused(format!("{MLP}\n[optimizer]\n{line}"));
            assert!(fault.contains(word), "{line}: {fault}");
        }
        for (line, word) in [
            ("clip = [1.0]", "clip"),
            ("first_activation = 'clippedrelu'", "first_activation"),
            ("later_activation = 'clippedrelu'", "later_activation"),
            ("sparsity = 1e-5", "sparsity"),
        ] {
            let fault = refused(cnn.replace("[net]", &format!("[net]\n{line}")));
            assert!(fault.contains(word) && fault.contains("MLPs"), "{line}: {fault}");
        }
        for name in ["", "a/b", "a\\\\b", "small.safetensors"] {
            let fault = refused(MLP.replace("\"small\"", &format!("\"{name}\"")));
            assert!(fault.contains("the name must"), "{name}: {fault}");
        }
        let odd = cnn.replace("batch = 64", "batch = 48");
        assert!(refused(odd).contains("32"));
        let batch = MLP.replace("batch = 64", "batch = 0");
        assert!(refused(batch).contains("batch"));
    }

    /// The recipes that the project ships can be read.
    #[test]
    fn shipped_recipes_are_sound() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/recipes");
        let mut count = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let recipe = Recipe::read(&entry.unwrap().path()).unwrap();
            count += 1;
            // as a checkpoint of an earlier version has it
            let text = recipe.to_text().unwrap();
            let mut older = text.clone();
            for later in ["exponent = 2.0\n", "result_share = 0.0\n"] {
                assert!(text.contains(later), "{text}");
                older = older.replace(later, "");
            }
            assert_eq!(Recipe::parse(&older), Ok(recipe));
        }
        assert!(count > 0);
    }
}
