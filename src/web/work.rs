//! Work that takes longer than an answer may: on threads of its own, and told while it goes on.

use super::board::Board;
use super::error::ApiError;
use super::events::{Events, stream};
use super::reply::{self, Reply};
use super::request::SessionId;
use super::sessions::{Kind, Running};
use crate::search::STACK;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

/// Runs `work` on a thread of this name, with the stack that a search needs.
///
/// # Errors
/// [`ApiError`] if the system has no room for another thread.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), ApiError> {
    let thread = thread::Builder::new().name(name.to_string()).stack_size(STACK);
    thread.spawn(work).map_err(ApiError::internal)?;
    Ok(())
}

/// Begins work for a session and answers with the stream of what it tells. What the session had begun before of this
/// kind is stopped; so is this once nobody reads the stream any more.
///
/// # Errors
/// [`ApiError`] if there is no room for this session, or for another thread.
pub fn streamed(
    board: &Board,
    id: &SessionId,
    kind: Kind,
    name: &str,
    work: impl FnOnce(&Running, &Events) + Send + 'static,
) -> Result<Reply, ApiError> {
    let running = board.sessions.enter(id)?.begin(kind);
    let control = Arc::clone(&running.control);
    let stop = move || control.stop.store(true, Relaxed);
    let (events, pieces) = stream(board.close.listen(), stop);
    spawn(name, move || work(&running, &events))?;
    Ok(reply::events(pieces))
}
