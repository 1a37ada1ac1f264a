//! Answers: whole ones, streams of events, and the headers that all of them have.

use super::connections::Work;
use super::error::ApiError;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::Receiver;

/// What the page may load and do: nothing but its own files and calls to this server. No text becomes HTML or code.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// An answer.
pub type Reply = Response<Content>;

/// The body of an answer.
pub struct Content {
    pieces: Pieces,
    /// Kept until the body is sent, or nobody reads it any more.
    work: Option<Work>,
}

enum Pieces {
    /// All of it at once.
    Whole(Bytes),
    /// Pieces as they come, until their sender is dropped.
    Stream(Receiver<Bytes>),
}

impl Content {
    /// A body that is there already.
    pub fn whole(bytes: impl Into<Bytes>) -> Content {
        Content {
            pieces: Pieces::Whole(bytes.into()),
            work: None,
        }
    }

    /// A body that comes in pieces, until their sender is dropped.
    pub fn stream(pieces: Receiver<Bytes>) -> Content {
        Content {
            pieces: Pieces::Stream(pieces),
            work: None,
        }
    }

    /// Keeps the connection at work until the body is sent.
    pub fn keep(&mut self, work: Work) {
        self.work = Some(work);
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut self.pieces {
            Pieces::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            Pieces::Whole(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Pieces::Stream(pieces) => pieces
                .poll_recv(context)
                .map(|piece| piece.map(|bytes| Ok(Frame::data(bytes)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(&self.pieces, Pieces::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match &self.pieces {
            Pieces::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Pieces::Stream(_) => SizeHint::default(),
        }
    }
}

/// An answer with the headers of all answers.
pub fn reply(status: StatusCode, kind: &'static str, caching: &'static str, content: Content) -> Reply {
    let mut reply = Response::new(content);
    *reply.status_mut() = status;
    let headers = reply.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    reply
}

/// A value as JSON.
pub fn json(status: StatusCode, value: &impl Serialize) -> Reply {
    // only maps with keys that are no strings cannot be written, and there are none
    let text = serde_json::to_vec(value).unwrap_or_default();
    reply(status, "application/json", "no-store", Content::whole(text))
}

/// A refusal as JSON.
pub fn refusal(error: &ApiError) -> Reply {
    json(error.status, &serde_json::json!({ "error": error.fault }))
}

/// A stream of server-sent events.
pub fn events(pieces: Receiver<Bytes>) -> Reply {
    reply(
        StatusCode::OK,
        "text/event-stream",
        "no-store",
        Content::stream(pieces),
    )
}
