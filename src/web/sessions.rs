//! The tabs of the browser that have an engine: a bounded number, of which the oldest idle one gives way to a new one.

use super::engine_place::EnginePlace;
use super::error::ApiError;
use super::request::SessionId;
use crate::engine::Engine;
use crate::search::Control;
use hyper::StatusCode;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most sessions with an engine.
pub const MOST_SESSIONS: usize = 6;
/// Dropped sessions that are remembered until their tab is told.
const MOST_DROPPED: usize = 8 * MOST_SESSIONS;

/// A session that has not asked for this long is over: its tab was closed, or is forgotten.
pub const IDLE: Duration = Duration::from_secs(15 * 60);

/// One tab's engine and what runs for it.
#[derive(Default)]
pub struct Session {
    engine: EnginePlace,
    /// The signals to what was begun last of each [`Kind`].
    running: [Mutex<Option<Arc<Control>>>; 4],
}

/// What a session runs, of each at most one.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A search with the session's engine.
    Search,
    /// A look at the networks.
    Look,
    /// An explanation.
    Explanation,
    /// The grading of a move.
    Grading,
}

/// Something that runs for a session, until this is dropped.
pub struct Running {
    /// The session.
    pub session: Arc<Session>,
    /// The signals to it.
    pub control: Arc<Control>,
    kind: Kind,
}

impl Session {
    /// The place of the engine, which is made for the first search. Waits while another search has it.
    pub fn engine(&self) -> MutexGuard<'_, Option<Engine>> {
        self.engine.lock()
    }

    /// Stops what runs of this kind, and begins another.
    pub fn begin(self: &Arc<Session>, kind: Kind) -> Running {
        let control = Arc::new(Control::default());
        let before = lock(&self.running[kind as usize]).replace(Arc::clone(&control));
        if let Some(before) = before {
            before.stop.store(true, Relaxed);
        }
        Running {
            session: Arc::clone(self),
            control,
            kind,
        }
    }

    /// Stops everything.
    fn stop(&self) {
        for control in self.running.iter().filter_map(|running| lock(running).clone()) {
            control.stop.store(true, Relaxed);
        }
    }

    fn is_idle(&self) -> bool {
        self.running.iter().all(|running| lock(running).is_none())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut running = lock(&self.session.running[self.kind as usize]);
        if running
            .as_ref()
            .is_some_and(|last| Arc::ptr_eq(last, &self.control))
        {
            *running = None;
        }
    }
}

/// All sessions.
#[derive(Default)]
pub struct Sessions(Mutex<Table>);

#[derive(Default)]
struct Table {
    open: HashMap<SessionId, (Arc<Session>, Instant)>,
    /// Those that had to give way and have not been told yet.
    dropped: VecDeque<SessionId>,
}

impl Sessions {
    /// The session of a tab, a new one if it has none. With too many, the one that has been idle for longest gives way.
    ///
    /// # Errors
    /// [`ApiError`] with the code `session_dropped`, once, if this one had to give way; `busy` if all others are at work.
    pub fn enter(&self, id: &SessionId) -> Result<Arc<Session>, ApiError> {
        let mut table = lock(&self.0);
        let now = Instant::now();
        if let Some((session, used)) = table.open.get_mut(id) {
            *used = now;
            return Ok(Arc::clone(session));
        }
        if let Some(place) = table.dropped.iter().position(|dropped| dropped == id) {
            table.dropped.remove(place);
            return Err(ApiError::new(
                StatusCode::CONFLICT,
                "session_dropped",
                "other tabs needed the engine of this one; ask again to get one back",
            ));
        }
        if table.open.len() >= MOST_SESSIONS {
            let oldest = table.oldest_idle().ok_or_else(|| {
                ApiError::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "busy",
                    format!("{MOST_SESSIONS} tabs are searching already: stop one of them"),
                )
            })?;
            table.open.remove(&oldest);
            // tabs that were closed never ask again: the oldest of them are forgotten
            if table.dropped.len() == MOST_DROPPED {
                table.dropped.pop_front();
            }
            table.dropped.push_back(oldest);
        }
        let session = Arc::<Session>::default();
        table.open.insert(id.clone(), (Arc::clone(&session), now));
        Ok(session)
    }

    /// Notes that a tab is still there.
    pub fn touch(&self, id: &SessionId) {
        if let Some((_, used)) = lock(&self.0).open.get_mut(id) {
            *used = Instant::now();
        }
    }

    /// Ends the session of a tab that is closed.
    pub fn leave(&self, id: &SessionId) {
        let left = lock(&self.0).open.remove(id);
        if let Some((session, _)) = left {
            session.stop();
        }
    }

    /// Ends the sessions that have been idle for too long.
    pub fn sweep(&self, idle: Duration) {
        let now = Instant::now();
        let stays = |session: &Session, used: Instant| !session.is_idle() || now.duration_since(used) < idle;
        lock(&self.0)
            .open
            .retain(|_, (session, used)| stays(session, *used));
    }

    /// How many there are.
    #[cfg(test)]
    fn count(&self) -> usize {
        lock(&self.0).open.len()
    }
}

impl Table {
    fn oldest_idle(&self) -> Option<SessionId> {
        let idle = self.open.iter().filter(|(_, (session, _))| session.is_idle());
        idle.min_by_key(|(_, (_, used))| *used).map(|(id, _)| id.clone())
    }
}

/// A poisoned lock does no harm: each change of these tables is one assignment, so a panic leaves them consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> SessionId {
        SessionId::new(&format!("{number:016x}")).expect("an id")
    }

    #[test]
    fn the_oldest_idle_session_gives_way_and_is_told_once() {
        let sessions = Sessions::default();
        let entered: Vec<_> = (0..MOST_SESSIONS)
            .map(|number| sessions.enter(&id(number)).expect("a place"))
            .collect();
        let work = entered[0].begin(Kind::Search);
        sessions.enter(&id(100)).expect("a place");
        assert_eq!(sessions.count(), MOST_SESSIONS);
        assert!(
            sessions
                .enter(&id(0))
                .is_ok_and(|same| Arc::ptr_eq(&same, &entered[0]))
        );
        let told = sessions.enter(&id(1)).err().map(|error| error.fault.code);
        assert_eq!(told, Some("session_dropped"));
        // the next time it is another's turn
        assert!(sessions.enter(&id(1)).is_ok());
        drop(work);
    }

    #[test]
    fn a_tab_that_is_still_there_does_not_give_way() {
        let sessions = Sessions::default();
        for number in 0..MOST_SESSIONS {
            sessions.enter(&id(number)).expect("a place");
        }
        sessions.touch(&id(0));
        sessions.enter(&id(100)).expect("a place");
        assert!(sessions.enter(&id(0)).is_ok());
        assert!(sessions.enter(&id(1)).is_err());
    }

    #[test]
    fn of_many_dropped_sessions_the_newest_are_remembered() {
        let sessions = Sessions::default();
        let last = MOST_SESSIONS + MOST_DROPPED;
        for number in 0..=last {
            sessions.enter(&id(number)).expect("a place");
        }
        let is_told = |number| sessions.enter(&id(number)).is_err();
        assert!(is_told(last - MOST_SESSIONS));
        assert!(is_told(1));
        assert!(!is_told(0));
    }

    #[test]
    fn sessions_at_work_do_not_give_way() {
        let sessions = Sessions::default();
        let enter = |number| sessions.enter(&id(number)).expect("a place");
        let mut work: Vec<_> = (0..MOST_SESSIONS)
            .map(|number| enter(number).begin(Kind::Look))
            .collect();
        let refused = sessions.enter(&id(100)).err().map(|error| error.fault.code);
        assert_eq!(refused, Some("busy"));
        sessions.sweep(Duration::ZERO);
        assert_eq!(sessions.count(), MOST_SESSIONS);
        work.pop();
        sessions.sweep(Duration::ZERO);
        assert_eq!(sessions.count(), MOST_SESSIONS - 1);
    }

    #[test]
    fn a_new_search_stops_the_old_and_leaving_stops_all() {
        let sessions = Sessions::default();
        let session = sessions.enter(&id(0)).expect("a place");
        let stopped = |running: &Running| running.control.stop.load(Relaxed);
        let first = session.begin(Kind::Search);
        let look = session.begin(Kind::Look);
        let second = session.begin(Kind::Search);
        assert!(stopped(&first) && !stopped(&look) && !stopped(&second));
        drop(first);
        sessions.leave(&id(0));
        assert!(stopped(&look) && stopped(&second));
        assert_eq!(sessions.count(), 0);
    }
}
