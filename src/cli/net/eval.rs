//! `enroc net eval`: how far the scores of a net are from labels.

use super::open;
use crate::cli::lab::measures::Table;
use crate::cli::lab::values::PartName;
use crate::cli::result::CommandResult;
use crate::data::Split;
use crate::data::feed::filter::FilterSettings;
use crate::data::feed::loader::Selection;
use crate::nets::kind::Backend;
use crate::nets::net::Net;
use crate::nets::registry;
use crate::support::terminal::say;
use crate::support::threads;
use crate::support::whole_file;
use crate::training::evaluate::{Sample, evaluate, write_outputs};
use crate::training::part_name;
use crate::training::recipe::Recipe;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct Eval {
    /// Labelled positions: files or folders as for `data import`, in the order of the net's recipe
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// A net file, a built-in net (mlp, cnn), or the name of a net in the folder `nets`; the default net if not given
    #[arg(long, value_name = "NET")]
    net: Option<String>,
    /// Which part of the data, divided as in training
    #[arg(long, value_enum, default_value_t = PartName::Test)]
    part: PartName,
    /// The seed of the division, if it is not to be the one that the net was trained with
    #[arg(long)]
    split_seed: Option<u64>,
    /// Read no more than this many positions
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// How the net is computed: auto, incremental, bfloat16, candle or cuda, as in the UCI option
    #[arg(long, value_parser = backend, default_value = Backend::default().name())]
    backend: Backend,
    /// Write the net's output for every position instead: fen,output,centipawns,label, the output to 1e-6 by candle
    #[arg(long, value_name = "FILE", conflicts_with = "backend")]
    raw: Option<PathBuf>,
}

/// Measures and prints.
pub fn eval(arguments: &Eval) -> CommandResult {
    threads::ensure()?;
    let net = open(arguments.net.as_deref())?;
    let (mut split, origin) = split_of(&net);
    split.seed = arguments.split_seed.unwrap_or(split.seed);
    let sample = Sample {
        files: arguments.data.clone(),
        selection: Selection {
            split,
            filter: FilterSettings::default(),
            limit: arguments.limit,
        },
        part: arguments.part.part(),
    };
    if let Some(path) = &arguments.raw {
        let inputs = arguments.data.iter().map(PathBuf::as_path);
        whole_file::check(path, inputs).map_err(|error| format!("{}: {error}", path.display()))?;
        let written = write_outputs(&net, &sample, path)?;
        say(format_args!(
            "{}: {written} positions of the {} part",
            path.display(),
            part_name(sample.part)
        ));
        return Ok(());
    }
    let mut evaluator = registry::evaluator(&net, arguments.backend)?;
    let report = evaluate(evaluator.as_mut(), &sample)?;
    say(format_args!("{} {}", net.info.name, net.info.architecture.layout));
    say(format_args!(
        "{} part: seed {}, {} validation, {} test ({origin})",
        part_name(sample.part),
        split.seed,
        split.validation,
        split.test
    ));
    say(Table(&report).to_string().trim_end());
    Ok(())
}

/// Reads the argument `--backend`.
fn backend(name: &str) -> Result<Backend, String> {
    let names = Backend::ALL.map(Backend::name).join(", ");
    Backend::from_name(name).ok_or_else(|| format!("the backends are {names}"))
}

/// How the data of a net's training was divided, and from where that is known. Another division would call positions
/// unseen that the net has seen.
fn split_of(net: &Net) -> (Split, &'static str) {
    let Some(text) = &net.info.recipe else {
        return (Split::default(), "the default, for the net tells no recipe");
    };
    match Recipe::parse(text) {
        Ok(recipe) => (recipe.data.selection.split, "as in the net's recipe"),
        Err(_) => (
            Split::default(),
            "the default, for the net's recipe is not understood",
        ),
    }
}
