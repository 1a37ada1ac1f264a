//! `enroc net export --onnx` and `enroc net import`.

use super::open;
use crate::cli::result::CommandResult;
use crate::nets::net::Precision;
use crate::nets::onnx;
use crate::support::terminal::say;
use crate::support::whole_file;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct Export {
    /// A net file, a built-in net (mlp, cnn), or the name of a net in the folder `nets`; the default net if not given
    net: Option<String>,
    /// The ONNX file to write
    #[arg(long, value_name = "FILE")]
    onnx: PathBuf,
}

#[derive(Args)]
pub struct Import {
    /// An ONNX file that `enroc net export` wrote, perhaps with other weights
    onnx: PathBuf,
    /// The folder for the net file
    #[arg(long, short, value_name = "FOLDER", default_value = ".")]
    out: PathBuf,
}

/// Writes a net as ONNX.
pub fn export(arguments: &Export) -> CommandResult {
    let net = open(arguments.net.as_deref())?;
    let path = &arguments.onnx;
    let fault = |error: std::io::Error| format!("{}: {error}", path.display());
    let bytes = onnx::export(&net)?;
    whole_file::write_bytes(path, &bytes).map_err(fault)?;
    say(format_args!("{}", path.display()));
    Ok(())
}

/// Makes a net file of such a file.
pub fn import(arguments: &Import) -> CommandResult {
    let path = &arguments.onnx;
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let net = onnx::import(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    say(net.save_in(&arguments.out, Precision::F32)?.display());
    Ok(())
}
