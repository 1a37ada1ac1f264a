//! Streams of server-sent events: what one thread finds out, another sends, and neither waits for the other.
//!
//! Of every kind of event that replaces itself, such as the lines of a search, only the newest is kept, so that a slow
//! reader costs no memory.

use super::closing::Closing;
use hyper::body::Bytes;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::timeout;

/// The least time between two events that replace each other.
const PACE: Duration = Duration::from_millis(50);
/// A stream without events says at these intervals that it is alive, which also tells whether anybody reads it.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// A reader that takes nothing for this long is gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// What waits to be sent.
#[derive(Default)]
struct Waiting {
    /// Sent as soon as possible, in this order.
    events: VecDeque<Bytes>,
    /// Replaced by the next of its kind, and sent at the pace of the stream.
    newest: Option<Bytes>,
    ended: bool,
}

struct Shared {
    waiting: Mutex<Waiting>,
    news: Notify,
}

/// The end of a stream that its producer holds; the stream ends when it is dropped.
pub struct Events(Arc<Shared>);

impl Events {
    /// Sends an event.
    pub fn send(&self, name: &str, data: &impl Serialize) {
        self.change(|waiting| {
            // the event that waits in `newest` came first and must not be sent after this one
            let newest = waiting.newest.take();
            waiting.events.extend(newest);
            waiting.events.push_back(event(name, data));
        });
    }

    /// Sends an event, unless a newer one replaces it before it can be sent.
    pub fn send_newest(&self, name: &str, data: &impl Serialize) {
        self.change(|waiting| waiting.newest = Some(event(name, data)));
    }

    fn change(&self, change: impl FnOnce(&mut Waiting)) {
        change(&mut self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        self.0.news.notify_one();
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.change(|waiting| waiting.ended = true);
    }
}

fn event(name: &str, data: &impl Serialize) -> Bytes {
    // JSON has no line breaks
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n").into()
}

/// A stream: the end of its producer, and what is sent. `gone` is called when the stream is over, whether because its
/// producer ended it, or because nobody reads it any more, or because the server closes.
pub fn stream(closing: Closing, gone: impl FnOnce() + Send + 'static) -> (Events, Receiver<Bytes>) {
    let shared = Arc::new(Shared {
        waiting: Mutex::new(Waiting::default()),
        news: Notify::new(),
    });
    let (sender, receiver) = mpsc::channel(4);
    let pump = Arc::clone(&shared);
    tokio::spawn(async move {
        pump_events(&pump, sender, closing).await;
        gone();
    });
    (Events(shared), receiver)
}

async fn pump_events(shared: &Shared, sender: Sender<Bytes>, mut closing: Closing) {
    loop {
        let news = tokio::select! {
            news = timeout(HEARTBEAT, shared.news.notified()) => news.is_ok(),
            () = sender.closed() => return,
            () = closing.wait() => {
                let _ = sender.try_send(event("closing", &serde_json::json!({})));
                return;
            }
        };
        let (pieces, paced, ended) = match news {
            true => take(shared),
            false => (Bytes::from_static(b":\n\n"), false, false),
        };
        if !pieces.is_empty() && !matches!(timeout(PATIENCE, sender.send(pieces)).await, Ok(Ok(()))) {
            return;
        }
        if ended {
            return;
        }
        if paced {
            tokio::select! {
                () = tokio::time::sleep(PACE) => {}
                () = sender.closed() => return,
            }
        }
    }
}

/// What can be sent now, whether the stream must pause after it, and whether it is the last.
fn take(shared: &Shared) -> (Bytes, bool, bool) {
    let mut waiting = shared.waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let newest = waiting.newest.take();
    let pieces: Vec<u8> = waiting.events.drain(..).chain(newest.clone()).flatten().collect();
    (pieces.into(), newest.is_some(), waiting.ended)
}

#[cfg(test)]
mod tests {
    use super::super::closing::Close;
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    fn run(future: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(future);
    }

    #[test]
    fn the_end_of_the_server_is_the_last_event() {
        run(async {
            let close = Close::default();
            let (_events, receiver) = stream(close.listen(), || {});
            let (text, ()) = tokio::join!(all(receiver), close.close(Duration::from_secs(60)));
            assert_eq!(text, "event: closing\ndata: {}\n\n");
        });
    }

    async fn all(mut receiver: Receiver<Bytes>) -> String {
        let mut text = String::new();
        while let Some(piece) = receiver.recv().await {
            text.push_str(std::str::from_utf8(&piece).expect("text"));
        }
        text
    }

    #[test]
    fn of_what_replaces_itself_only_the_newest_is_sent() {
        run(async {
            let close = Close::default();
            let (events, receiver) = stream(close.listen(), || {});
            for number in 0..1000 {
                events.send_newest("info", &number);
            }
            events.send("done", &"<b>");
            drop(events);
            let expected = "event: info\ndata: 999\n\nevent: done\ndata: \"<b>\"\n\n";
            assert_eq!(all(receiver).await, expected);
        });
    }

    #[test]
    fn a_stream_that_nobody_reads_is_over() {
        run(async {
            let gone = Arc::new(AtomicBool::new(false));
            let told = Arc::clone(&gone);
            let close = Close::default();
            let (_events, receiver) = stream(close.listen(), move || told.store(true, SeqCst));
            drop(receiver);
            while !gone.load(SeqCst) {
                tokio::task::yield_now().await;
            }
        });
    }
}
