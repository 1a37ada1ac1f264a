//! `enroc net`: what can be said of a net, and how far its scores are from labels.

#[cfg(feature = "lab")]
mod check;
#[cfg(feature = "lab")]
mod eval;
#[cfg(feature = "lab")]
mod onnx;

use super::nets_folder::nets_folder;
use super::result::CommandResult;
use crate::nets::built_in::NAMES;
use crate::nets::choice::NetChoice;
use crate::nets::net::Net;
use crate::support::foreign::one_line;
use crate::support::terminal::say;
use clap::Subcommand;
use std::path::PathBuf;

#[derive(Subcommand)]
pub enum NetCommand {
    /// Say what a net is and how it was made
    Info {
        /// A net file, a built-in net (mlp, cnn), or the name of a net in the folder `nets`; the default net if not given
        net: Option<String>,
    },
    /// Measure a net on labelled positions, beside a constant and a material count
    #[cfg(feature = "lab")]
    Eval(eval::Eval),
    /// Compare a net file that another program wrote with the outputs that it names, and with a constant
    #[cfg(feature = "lab")]
    Check {
        /// The net file
        net: String,
    },
    /// Write a net as ONNX, for other programs: docs/net-format.md
    #[cfg(feature = "lab")]
    Export(onnx::Export),
    /// Make a net file of an ONNX file that `net export` wrote, perhaps with other weights
    #[cfg(feature = "lab")]
    Import(onnx::Import),
}

/// Does what a command asks.
pub fn run(command: &NetCommand) -> CommandResult {
    match command {
        NetCommand::Info { net } => info(&open(net.as_deref())?),
        #[cfg(feature = "lab")]
        NetCommand::Eval(arguments) => eval::eval(arguments),
        #[cfg(feature = "lab")]
        NetCommand::Check { net } => check::check(net),
        #[cfg(feature = "lab")]
        NetCommand::Export(arguments) => onnx::export(arguments),
        #[cfg(feature = "lab")]
        NetCommand::Import(arguments) => onnx::import(arguments),
    }
}

fn open(name: Option<&str>) -> Result<Net, Box<dyn std::error::Error>> {
    Ok(choice(name)?.read()?)
}

fn choice(name: Option<&str>) -> Result<NetChoice, String> {
    name.map_or_else(|| Ok(NetChoice::default()), named)
}

/// The net with this name: a file's path, a built-in net's name, or that of a net in the folder `nets`.
fn named(name: &str) -> Result<NetChoice, String> {
    let path = PathBuf::from(name);
    if path.is_file() || path.extension().is_some_and(|e| e == NetChoice::FILE_ENDING) {
        return Ok(NetChoice::File(path));
    }
    if let Some(built_in) = NetChoice::built_in(name) {
        return Ok(built_in);
    }
    let folder = nets_folder();
    let found = NetChoice::files_named(name, &folder);
    match found.as_slice() {
        [only] => Ok(NetChoice::File(only.clone())),
        [] => Err(format!(
            "there is no net '{name}': no such file, none of the built-in nets ({}), none in {}",
            NAMES.join(", "),
            folder.display()
        )),
        several => {
            let names: Vec<String> = several.iter().map(|path| path.display().to_string()).collect();
            Err(format!("several nets are called '{name}': {}", names.join(", ")))
        }
    }
}

fn info(net: &Net) -> CommandResult {
    let info = &net.info;
    say(format_args!("name         {}", info.name));
    say(format_args!("kind         {}", info.architecture.kind));
    say(format_args!("layout       {}", info.architecture.layout));
    let settings = info.architecture.settings.iter();
    let settings: Vec<String> = settings.map(|(key, value)| format!("{key} = {value}")).collect();
    if !settings.is_empty() {
        say(format_args!("settings     {}", settings.join(", ")));
    }
    let parameters: usize = net.tensors.values().map(|tensor| tensor.values.len()).sum();
    say(format_args!("parameters   {parameters}"));
    say(format_args!("orientation  {}", info.orientation.name()));
    say(format_args!("curve        {}", info.curve));
    say(format_args!("data         {}", info.data));
    say(format_args!("trained on   {} positions", info.positions));
    if let Some(found) = info.validation {
        let quiet = found.error_quiet;
        let quiet = quiet.map_or(String::new(), |error| format!(", on quiet positions {error:.4}"));
        say(format_args!(
            "mean error   {:.4}{quiet}; a constant has {:.4}, material {:.4} ({} held out)",
            found.error, found.constant, found.material, found.positions
        ));
    }
    if let Some(recipe) = &info.recipe {
        say("recipe");
        for line in recipe.lines() {
            say(format_args!("    {line}").to_string().trim_end());
        }
    }
    for (name, tensor) in &net.tensors {
        let largest = tensor
            .values
            .iter()
            .fold(0f32, |largest, value| largest.max(value.abs()));
        say(format_args!(
            "tensor       {} {:?}, largest {largest:.3}",
            one_line(name),
            tensor.shape
        ));
    }
    Ok(())
}
