//! The calls of the page: which are there, and what each may do.

use super::board::Board;
use super::connections::Place;
use super::error::ApiError;
use super::reply::{self, Reply};
use super::{assets, position, request};
use hyper::body::{Bytes, Incoming};
use hyper::{Method, Request, StatusCode, header};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Answers a request.
pub async fn answer(board: Arc<Board>, place: Arc<Place>, request: Request<Incoming>) -> Reply {
    match route(&board, &place, request).await {
        Ok(reply) => reply,
        Err(error) => {
            let mut reply = reply::refusal(&error);
            if matches!(
                error.status,
                StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT
            ) {
                // what is left of the body is not worth reading
                let close = header::HeaderValue::from_static("close");
                reply.headers_mut().insert(header::CONNECTION, close);
            }
            reply
        }
    }
}

async fn route(board: &Arc<Board>, place: &Place, request: Request<Incoming>) -> Result<Reply, ApiError> {
    board.guard.check_source(request.headers())?;
    let path = request.uri().path().to_string();
    match path.strip_prefix("/api/") {
        Some(call) => {
            board.guard.check_caller(request.headers())?;
            let work = place.work();
            let mut reply = answer_call(board, call, request).await?;
            reply.body_mut().keep(work);
            Ok(reply)
        }
        None if !matches!(*request.method(), Method::GET | Method::HEAD) => Err(wrong_method()),
        None => assets::file(&path, request.headers()).ok_or_else(not_found),
    }
}

async fn answer_call(board: &Arc<Board>, call: &str, request: Request<Incoming>) -> Result<Reply, ApiError> {
    let wanted = match call {
        "hello" => Method::GET,
        _ => Method::POST,
    };
    if *request.method() != wanted {
        return Err(wrong_method());
    }
    match call {
        "hello" => Ok(reply::json(StatusCode::OK, &board.hello())),
        "position" => compute(request::body(request).await?, position::position).await,
        "move" => compute(request::body(request).await?, position::read_move).await,
        "chess960" => compute(request::body(request).await?, position::chess960_start).await,
        _ => Err(not_found()),
    }
}

/// Answers a call that only the rules have to be asked for, beside the server's thread.
async fn compute<Q, A>(body: Bytes, answer: fn(Q) -> Result<A, ApiError>) -> Result<Reply, ApiError>
where
    Q: DeserializeOwned + 'static,
    A: Serialize + 'static,
{
    let work = move || {
        let answer = answer(request::parse(&body)?)?;
        Ok(reply::json(StatusCode::OK, &answer))
    };
    let broken = |_| {
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "this call broke down; the others go on",
        )
    };
    tokio::task::spawn_blocking(work).await.map_err(broken)?
}

fn not_found() -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "not_found",
        "there is nothing at this address",
    )
}

fn wrong_method() -> ApiError {
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method",
        "this address does not take this method",
    )
}
