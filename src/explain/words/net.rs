//! The network's opinion of the pieces, in words.

use super::voice::Voice;
use crate::explain::explanation::Explanation;
use crate::explain::net_view::{NetView, PieceView};

/// A change of fewer centipawns is not worth a sentence.
const LEAST: f64 = 20.0;
/// At most so many pieces are named.
const MOST: usize = 3;

/// The pieces that the move made better or worse in the network's eyes, the greatest change first.
pub fn sentences(voice: &Voice, explanation: &Explanation, view: &NetView) -> Vec<String> {
    let after = explanation.played.position.after(explanation.played.m);
    let is_telling = |piece: &&PieceView| piece.gain().abs() >= LEAST && piece.is_certain();
    let told = view
        .pieces
        .iter()
        .filter(|piece| piece.to.is_some())
        .filter(is_telling);
    told.take(MOST)
        .filter_map(|piece| {
            let key = if piece.gain() > 0.0 {
                "net-gains"
            } else {
                "net-loses"
            };
            let pawns = format!("{:+.2}", piece.gain() / 100.0);
            let error = format!("{:.2}", piece.error / 100.0);
            let arguments = [
                ("piece", voice.on(&after, piece.to?)),
                ("pawns", voice.decimal(&pawns).into()),
                ("error", voice.decimal(&error).into()),
            ];
            Some(voice.sentence(key, arguments))
        })
        .collect()
}
