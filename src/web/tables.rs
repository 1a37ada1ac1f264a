//! `/api/tablebase`: what perfect play of a position with few pieces leads to, where the program was given tables.

use super::board::Board;
use super::error::ApiError;
use super::position::NamedMove;
use super::state::State;
use crate::tablebases::Wdl;
use serde::{Deserialize, Serialize};

/// A game whose last position is looked up.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablesQuestion {
    state: State,
}

/// The answer: null where the tables do not have the position.
#[derive(Serialize)]
pub struct TablesAnswer {
    moves: Option<Vec<TableMove>>,
}

/// A legal move, and its result for the player who moves.
#[derive(Serialize)]
struct TableMove {
    #[serde(flatten)]
    named: NamedMove,
    result: &'static str,
}

/// `/api/tablebase`: the legal moves, the best first.
///
/// # Errors
/// [`ApiError`] if the game is not legal.
pub fn tablebase(board: &Board, question: TablesQuestion) -> Result<TablesAnswer, ApiError> {
    let game = question.state.replay()?;
    let position = game.last();
    let tables = board.tables.as_ref();
    let tables = tables.filter(|tables| position.occupied().count() <= tables.most_pieces());
    let ranking = tables.and_then(|tables| tables.rank(position, &game.history(), true));
    let moves = ranking.map(|ranking| {
        let moves = ranking.moves.iter().map(|ranked| TableMove {
            named: NamedMove::new(position, ranked.m, game.chess960),
            result: match ranked.wdl {
                Wdl::Loss => "loss",
                Wdl::BlessedLoss => "blessed_loss",
                Wdl::Draw => "draw",
                Wdl::CursedWin => "cursed_win",
                Wdl::Win => "win",
            },
        });
        moves.collect()
    });
    Ok(TablesAnswer { moves })
}
