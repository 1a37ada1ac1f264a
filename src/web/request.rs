//! Reading requests, within bounds of size and time.

use super::error::ApiError;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header;
use hyper::{Request, StatusCode};
use serde::de::DeserializeOwned;
use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

/// The longest body, in bytes.
pub const LONGEST_BODY: usize = 1 << 20;

/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);

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
    if body.size_hint().lower() > LONGEST_BODY as u64 {
        return Err(too_large());
    }
    let mut body = pin!(body);
    let mut collected = Vec::new();
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let frame = frame.map_err(|_| ApiError::bad("too_slow", "the body was cut off"))?;
        let Ok(piece) = frame.into_data() else {
            continue;
        };
        if collected.len() + piece.len() > LONGEST_BODY {
            return Err(too_large());
        }
        collected.extend_from_slice(&piece);
    }
    Ok(collected.into())
}

/// Reads a question in JSON.
///
/// # Errors
/// [`ApiError`] with the code `json`.
pub fn parse<Q: DeserializeOwned>(body: &[u8]) -> Result<Q, ApiError> {
    serde_json::from_slice(body).map_err(|error| ApiError::bad("json", error))
}
