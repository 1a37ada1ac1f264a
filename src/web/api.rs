//! The calls of the page: which are there, and what each may do.

use super::board::Board;
use super::connections::Slot;
use super::error::ApiError;
use super::reply::{self, Reply};
use super::request::SessionId;
use super::{assets, explain, hello, networks, pgn, position, request, search, tables, text};
use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode, header};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Answers a request.
pub async fn answer(board: Arc<Board>, place: Arc<Slot>, request: Request<Incoming>) -> Reply {
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

async fn route(board: &Arc<Board>, place: &Slot, request: Request<Incoming>) -> Result<Reply, ApiError> {
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
    let id = request::session(request.headers());
    if let Ok(id) = &id {
        board.sessions.touch(id);
    }
    let wanted = match call {
        "hello" => Method::GET,
        _ => Method::POST,
    };
    if *request.method() != wanted {
        return Err(wrong_method());
    }
    if call == "hello" {
        let board = Arc::clone(board);
        // the first one waits until every net was read
        return blocking(move || Ok(reply::json(StatusCode::OK, &hello::hello(&board)))).await;
    }
    if call == "explain" {
        let question = request::parse(&request::body(request).await?)?;
        return explain::explain(board, &id?, question).await;
    }
    if call == "grade" {
        let question = request::parse(&request::body(request).await?)?;
        return explain::grade(board, &id?, question).await;
    }
    let answer: Answer = match call {
        "position" => |_, _, body| answer_by_rules(body, position::position),
        "move" => |_, _, body| answer_by_rules(body, position::read_move),
        "chess960" => |_, _, body| answer_by_rules(body, position::chess960_start),
        "pgn/read" => |_, _, body| answer_by_rules(body, pgn::read),
        "text" => |_, _, body| answer_by_rules(body, text::text),
        "pgn/write" => |_, _, body| answer_by_rules(body, pgn::write),
        "tablebase" => |board, _, body| {
            let answer = tables::tablebase(board, request::parse(body)?)?;
            Ok(reply::json(StatusCode::OK, &answer))
        },
        "search" => |board, id, body| search::search(board, &id?, request::parse(body)?),
        "networks" => |board, id, body| networks::networks(board, &id?, request::parse(body)?),
        "leave" => |board, id, _| {
            board.sessions.leave(&id?);
            Ok(reply::json(StatusCode::OK, &serde_json::json!({})))
        },
        _ => return Err(not_found()),
    };
    let body = request::body(request).await?;
    let board = Arc::clone(board);
    blocking(move || answer(&board, id, &body)).await
}

/// Answers a call from its session and its body.
type Answer = fn(&Board, Result<SessionId, ApiError>, &[u8]) -> Result<Reply, ApiError>;

/// Answers a call that only the rules have to be asked for.
fn answer_by_rules<Q: DeserializeOwned, A: Serialize>(
    body: &[u8],
    answer: fn(Q) -> Result<A, ApiError>,
) -> Result<Reply, ApiError> {
    Ok(reply::json(StatusCode::OK, &answer(request::parse(body)?)?))
}

/// Works on another thread, so that this one has time for the other connections.
async fn blocking(
    work: impl FnOnce() -> Result<Reply, ApiError> + Send + 'static,
) -> Result<Reply, ApiError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(ApiError::internal)?
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
