//! A game as bytes, and the records of its positions.

use super::BrokenGame;
use super::moves::{PLY_BYTES, unpack_move, unpack_score};
use super::start::{START_BYTES, unpack};
use crate::data::{Origin, Record};

/// The records of a game without its end mark: every position with its score, the move that was played as best move and
/// the result of the game. None for a game without moves.
pub(super) fn replay(bytes: &[u8]) -> Result<Vec<Record>, BrokenGame> {
    let (start, plies) = bytes
        .split_first_chunk::<START_BYTES>()
        .ok_or(BrokenGame::CutOff)?;
    let (mut position, result) = unpack(start)?;
    let mut records = Vec::with_capacity(plies.len() / PLY_BYTES);
    for ply in plies.chunks_exact(PLY_BYTES) {
        let played = unpack_move([ply[0], ply[1]], &position).ok_or(BrokenGame::Move)?;
        let record = Record::new(&position)
            .with_label(unpack_score([ply[2], ply[3]]))
            .with_best(played)
            .with_result(result)
            .with_origin(Origin::Play)
            .with_group_start(records.is_empty());
        records.push(record);
        position.play(played);
    }
    Ok(records)
}
