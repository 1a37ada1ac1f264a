//! The word that the server ends, for everything that runs until then.

use std::time::Duration;
use tokio::sync::watch;

/// Says it.
pub struct Close(watch::Sender<bool>);

/// Hears it.
#[derive(Clone)]
pub struct Closing(watch::Receiver<bool>);

impl Default for Close {
    fn default() -> Close {
        Close(watch::channel(false).0)
    }
}

impl Close {
    /// Something that hears it.
    pub fn listen(&self) -> Closing {
        Closing(self.0.subscribe())
    }

    /// Says that the server ends, and waits until nobody listens any more, but no longer than this.
    pub async fn close(&self, patience: Duration) {
        self.0.send_replace(true);
        // whoever is late is cut off
        let _ = tokio::time::timeout(patience, self.0.closed()).await;
    }
}

impl Closing {
    /// Ends when the server does.
    pub async fn wait(&mut self) {
        // without a sender there is no server any more
        let _ = self.0.wait_for(|&closing| closing).await;
    }
}
