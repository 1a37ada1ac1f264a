//! `enroc board`: the board in the browser.

use super::nets_folder::nets_folder;
use super::opener::Redirect;
use super::result::CommandResult;
use crate::nets::built_in::BUILT_IN;
use crate::nets::choice::NetChoice;
use crate::nets::file::fingerprint;
use crate::support::terminal::say;
#[cfg(feature = "syzygy")]
use crate::tablebases::Tablebases;
use crate::web::{Offer, PORT, Server, interrupted};
use clap::Args;
use std::path::{Path, PathBuf};
#[cfg(feature = "syzygy")]
use std::sync::Arc;

/// Where the board is served, and what it has to show.
#[derive(Args)]
pub(super) struct Board {
    /// The port on this machine; 0 for any that is free. What the browser keeps for the board belongs to its port
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,
    /// Print the address only, and leave the browser alone
    #[arg(long)]
    no_open: bool,
    /// A net file to play against and look into, beside the built-in nets and those in the folder `nets` here or beside
    /// the program; may be repeated
    #[arg(long, value_name = "FILE")]
    net: Vec<PathBuf>,
    /// Stockfish, to compare the networks with: a path, or a name to look for on the PATH
    #[arg(long, value_name = "PROGRAM", default_value = "stockfish")]
    stockfish: String,
    /// Folders with Syzygy endgame tablebases, separated as in PATH, to show what perfect play leads to
    #[cfg(feature = "syzygy")]
    #[arg(long, value_name = "FOLDERS", default_value = "", hide_default_value = true)]
    syzygy: String,
}

/// Serves the board until it is interrupted.
pub(super) fn run(arguments: &Board) -> CommandResult {
    let server = Server::bind(arguments.port, offer(arguments)?)?;
    let address = server.address();
    say("The board is served at this address, to this machine only, until Ctrl-C:");
    say(&address);
    let redirect = match arguments.no_open {
        true => None,
        false => open_browser(&address),
    };
    server.run(interrupted())?;
    drop(redirect);
    Ok(())
}

/// Opens the address in the browser; the file that leads it there must stay for a while.
fn open_browser(address: &str) -> Option<Redirect> {
    let redirect = Redirect::to(address).ok();
    let is_open = |redirect: &Redirect| open::that_detached(redirect.path()).is_ok();
    if !redirect.as_ref().is_some_and(is_open) {
        say("No browser could be started: open the address in one.");
    }
    redirect
}

/// The nets that were given, which must be sound, and those that are found.
fn offer(arguments: &Board) -> Result<Offer, Box<dyn std::error::Error>> {
    let mut nets: Vec<(String, NetChoice)> = Vec::new();
    let found = found_nets(&nets_folder()).into_iter().map(|path| (path, false));
    for (path, given) in arguments
        .net
        .iter()
        .cloned()
        .map(|path| (path, true))
        .chain(found)
    {
        let choice = NetChoice::File(path.clone());
        if given {
            choice.read()?;
        }
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if nets.iter().all(|(other, _)| *other != name) {
            nets.push((name, choice));
        }
    }
    let mut offer = Offer {
        nets,
        stockfish: Some(arguments.stockfish.clone()),
        ..Offer::default()
    };
    #[cfg(feature = "syzygy")]
    if !arguments.syzygy.is_empty() {
        let (tables, found) = Tablebases::open(&arguments.syzygy);
        found.faults.iter().for_each(say);
        if found.wdl == 0 {
            return Err(format!("there are no tablebases in {}", arguments.syzygy).into());
        }
        offer.tables = Some(Arc::new(tables));
        offer.table_folders = Some(arguments.syzygy.clone());
    }
    Ok(offer)
}

/// The net files in a folder, without those that are built in.
fn found_nets(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    let built_in: Vec<String> = BUILT_IN.iter().map(|net| fingerprint(net.bytes)).collect();
    let is_other_net = |path: &PathBuf| {
        let name = path.to_string_lossy();
        path.extension().is_some_and(|ending| ending == "safetensors")
            && !built_in.iter().any(|print| name.contains(print.as_str()))
    };
    let mut nets: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_other_net)
        .collect();
    nets.sort_unstable();
    nets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nets_are_found_besides_those_that_are_built_in() {
        let folder = tempfile::tempdir().unwrap();
        let built_in = format!("mlp-{}.safetensors", fingerprint(BUILT_IN[0].bytes));
        for name in ["two.safetensors", "one.safetensors", "README.md", &built_in] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let found = ["one.safetensors", "two.safetensors"].map(|name| folder.path().join(name));
        assert_eq!(found_nets(folder.path()), found);
        assert!(found_nets(&folder.path().join("none")).is_empty());
    }
}
