//! The connections that are open: a bounded number, of which those that do nothing give way to new ones.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;

/// The most connections at once. A browser keeps at most six for each page, and a tab has two streams at most.
pub const MOST_CONNECTIONS: usize = 64;

/// The open connections, by their numbers in the order of their coming.
#[derive(Clone, Default)]
pub struct Connections(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    next: u64,
    open: BTreeMap<u64, Open>,
}

struct Open {
    /// Calls of the page that are being answered.
    working: usize,
    /// Dropped to close the connection.
    _close: oneshot::Sender<()>,
}

/// The place of one connection; it is free again when this is dropped.
pub struct Slot {
    number: u64,
    connections: Connections,
}

/// While this lives its connection does not give way.
pub struct Work {
    number: u64,
    connections: Connections,
}

impl Connections {
    /// A place for a new connection, and what ends when the connection has to close. When there is none, the oldest
    /// connection that answers no call of the page gives way; if all do, the new one gets none.
    pub fn enter(&self) -> Option<(Slot, oneshot::Receiver<()>)> {
        let (close, closed) = oneshot::channel();
        let number = self.with(|table| {
            if table.open.len() >= MOST_CONNECTIONS {
                let idle = table.open.iter().find(|(_, open)| open.working == 0);
                let idle = *idle?.0;
                table.open.remove(&idle);
            }
            table.next += 1;
            let open = Open {
                working: 0,
                _close: close,
            };
            table.open.insert(table.next, open);
            Some(table.next)
        })?;
        let connections = self.clone();
        Some((Slot { number, connections }, closed))
    }

    /// How many are open.
    #[cfg(test)]
    fn count(&self) -> usize {
        self.with(|table| table.open.len())
    }

    fn with<T>(&self, work: impl FnOnce(&mut Table) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn count_work(&self, number: u64, count: fn(usize) -> usize) {
        self.with(|table| {
            if let Some(open) = table.open.get_mut(&number) {
                open.working = count(open.working);
            }
        });
    }
}

impl Slot {
    /// Marks the connection as working.
    pub fn work(&self) -> Work {
        self.connections.count_work(self.number, |working| working + 1);
        Work {
            number: self.number,
            connections: self.connections.clone(),
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.connections.with(|table| table.open.remove(&self.number));
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.connections.count_work(self.number, |working| working - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_idle_connection_gives_way() {
        let connections = Connections::default();
        let mut places: Vec<_> = (0..MOST_CONNECTIONS)
            .map(|_| connections.enter().expect("a place"))
            .collect();
        let work = places[0].0.work();
        let _new = connections.enter().expect("a place");
        assert!(places[0].1.try_recv() == Err(oneshot::error::TryRecvError::Empty));
        assert!(places[1].1.try_recv() == Err(oneshot::error::TryRecvError::Closed));
        drop(work);
        let _newer = connections.enter().expect("a place");
        assert!(places[0].1.try_recv() == Err(oneshot::error::TryRecvError::Closed));
        drop(places);
        assert_eq!(connections.count(), 2);
    }

    #[test]
    fn connections_that_work_keep_their_places() {
        let connections = Connections::default();
        let places: Vec<_> = (0..MOST_CONNECTIONS)
            .map(|_| connections.enter().expect("a place"))
            .collect();
        let work: Vec<_> = places.iter().map(|place| place.0.work()).collect();
        assert!(connections.enter().is_none());
        drop(work);
        assert!(connections.enter().is_some());
    }
}
