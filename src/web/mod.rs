//! The board in the browser: a server on this machine's loopback interface that gives out a page and answers its calls.
//! docs/board_calls.md describes the calls and the safeguards.
//!
//! The page keeps the game; the server has the rules, the networks and an engine for every tab. No call names a file.

mod api;
mod assets;
mod board;
mod closing;
mod connections;
mod engine_place;
mod error;
mod events;
mod explain;
mod explainer;
mod gallery;
mod guard;
mod hello;
mod inline;
mod judged_move;
mod lean;
mod networks;
mod pgn;
mod position;
mod reply;
mod request;
mod score;
mod script;
mod search;
mod server;
mod sessions;
mod state;
mod tables;
mod text;
mod typed;
mod work;

pub use gallery::Offer;
pub use server::{PORT, Server, ServerError, interrupted};
