//! The signal that the server shuts down, for everything that runs until then.

use std::time::Duration;
use tokio::sync::watch;

/// Sends the signal.
pub struct Close(watch::Sender<bool>);

/// Receives the signal.
#[derive(Clone)]
pub struct Closing(watch::Receiver<bool>);

impl Default for Close {
    fn default() -> Close {
        Close(watch::channel(false).0)
    }
}

impl Close {
    /// A new receiver of the signal.
    pub fn listen(&self) -> Closing {
        Closing(self.0.subscribe())
    }

    /// Sends the signal and waits until all receivers are dropped, but no longer than `patience`.
    pub async fn close(&self, patience: Duration) {
        self.0.send_replace(true);
        // receivers that take longer are cut off
        let _ = tokio::time::timeout(patience, self.0.closed()).await;
    }
}

impl Closing {
    /// Returns when the server shuts down.
    pub async fn wait(&mut self) {
        // without a sender there is no server any more
        let _ = self.0.wait_for(|&closing| closing).await;
    }
}
