//! How a run that is there already is taken up.

use clap::Args;

/// The options of the commands whose runs may be cut off and continued.
#[derive(Args)]
pub struct Resume {
    /// Continue a run that was cut off; so does the same command without it
    #[arg(long)]
    resume: bool,
    /// Discard what an earlier run has left there and begin again
    #[arg(long, conflicts_with = "resume")]
    pub restart: bool,
}
