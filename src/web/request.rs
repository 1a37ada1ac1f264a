//! Reading requests, within bounds of size and time.

use super::error::ApiError;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName};
use hyper::{Request, StatusCode};
use serde::de::DeserializeOwned;
use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

/// The longest body, in bytes.
pub const LONGEST_BODY: usize = 1 << 20;

/// How much of a longer body is read before it is refused: a client that is still sending seldom sees the refusal.
const MOST_PASSED_OVER: usize = 16 << 20;

/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);

const SESSION: HeaderName = HeaderName::from_static("x-board-session");

/// A tab of the browser, by the number that it drew for itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionId(String);

/// The session that a request names.
///
/// # Errors
/// [`ApiError`] with the code `session` if it names none.
pub fn session(headers: &HeaderMap) -> Result<SessionId, ApiError> {
    let id = headers.get(SESSION).and_then(|value| value.to_str().ok());
    id.and_then(SessionId::new).ok_or_else(|| {
        let message = "the header X-Board-Session needs 16 to 64 hexadecimal digits";
        ApiError::bad("session", message)
    })
}

impl SessionId {
    /// Reads an id.
    pub fn new(text: &str) -> Option<SessionId> {
        let is_id = (16..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then(|| SessionId(text.to_string()))
    }
}

/// The body of a request in JSON.
///
/// # Errors
/// [`ApiError`] if it is of another type, too long or too slow.
pub async fn body(request: Request<Incoming>) -> Result<Bytes, ApiError> {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "content_type",
            "the body of a call is application/json",
        ));
    }
    let slow = || {
        ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "too_slow",
            format!("the body has not arrived within {} s", BODY_TIME.as_secs()),
        )
    };
    tokio::time::timeout(BODY_TIME, collect(request.into_body()))
        .await
        .map_err(|_| slow())?
}

async fn collect(body: Incoming) -> Result<Bytes, ApiError> {
    let too_large = || {
        ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            format!("the body has more than {LONGEST_BODY} bytes"),
        )
    };
    let mut body = pin!(body);
    let mut collected = Vec::new();
    let mut length = 0;
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let frame = frame.map_err(|_| ApiError::bad("cut_off", "the body was cut off"))?;
        let piece = frame.into_data().unwrap_or_default();
        length += piece.len();
        if length <= LONGEST_BODY {
            collected.extend_from_slice(&piece);
        } else if length > MOST_PASSED_OVER {
            break;
        }
    }
    match length <= LONGEST_BODY {
        true => Ok(collected.into()),
        false => Err(too_large()),
    }
}

/// Reads a question in JSON.
///
/// # Errors
/// [`ApiError`] with the code `json`.
pub fn parse<Q: DeserializeOwned>(body: &[u8]) -> Result<Q, ApiError> {
    serde_json::from_slice(body).map_err(|error| ApiError::bad("json", error))
}
