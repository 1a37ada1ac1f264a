//! `enroc board`: the board in the browser.

use super::result::CommandResult;
use crate::support::terminal::say;
use crate::web::{PORT, Server, interrupted};
use clap::Args;

/// Where the board is served.
#[derive(Args)]
pub(super) struct Board {
    /// The port on this machine; 0 for any that is free. What the browser keeps for the board belongs to its port
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,
    /// Print the address only, and leave the browser alone
    #[arg(long)]
    no_open: bool,
}

/// Serves the board until it is interrupted.
pub(super) fn run(arguments: &Board) -> CommandResult {
    let server = Server::bind(arguments.port)?;
    let address = server.address();
    say("The board is served at this address, to this machine only, until Ctrl-C:");
    say(&address);
    if !arguments.no_open && open::that_detached(&address).is_err() {
        say("No browser could be started: open the address in one.");
    }
    server.run(interrupted())?;
    Ok(())
}
