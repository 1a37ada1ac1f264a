//! What a running board has: its guard, its networks, its sessions.

use super::closing::Close;
use super::explainer::Explainer;
use super::gallery::{Gallery, Offer};
use super::guard::Guard;
use super::sessions::Sessions;
use crate::tablebases::Tablebases;
use std::sync::Arc;
use std::thread;

/// A running board.
pub struct Board {
    /// Who may ask.
    pub guard: Guard,
    /// The networks.
    pub gallery: Arc<Gallery>,
    /// The engine that explains moves.
    pub explainer: Explainer,
    /// The tabs that have an engine.
    pub sessions: Sessions,
    /// The endgame tablebases, if any were given.
    pub tables: Option<Arc<Tablebases>>,
    /// Their folders, for the engines.
    pub table_folders: Option<String>,
    /// The end of the server.
    pub close: Close,
}

impl Board {
    /// A board without sessions. Its networks are read meanwhile, on another thread.
    pub fn new(guard: Guard, offer: Offer) -> Board {
        let (tables, table_folders) = (offer.tables.clone(), offer.table_folders.clone());
        let gallery = Arc::new(Gallery::new(offer));
        let reader = Arc::clone(&gallery);
        // where the system refuses a thread, the first question reads them
        let _ = thread::Builder::new().spawn(move || {
            reader.catalogue();
        });
        Board {
            guard,
            gallery,
            explainer: Explainer::default(),
            sessions: Sessions::default(),
            tables,
            table_folders,
            close: Close::default(),
        }
    }
}
