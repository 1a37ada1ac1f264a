//! What anybody can see on the board when a move is played, without judging it.

use super::change::FileState;
use super::plain;
use crate::board::{Bitboard, Color, Ending, Move, Piece, PieceType, Position, Square, attacks};
use serde::Serialize;

/// Plain facts about a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The player was in check.
    pub answers_check: bool,
    /// The move gives check.
    pub gives_check: bool,
    /// What it takes.
    #[serde(serialize_with = "plain::optional_kind")]
    pub captures: Option<PieceType>,
    /// Whether it takes back where the opponent's last move took; `false` where that move is not known.
    pub recaptures: bool,
    /// How the game ends with it, by the board alone.
    #[serde(serialize_with = "plain::optional_ending")]
    pub ends: Option<Ending>,
    /// Where the moved piece stands now.
    pub place: Ring,
    /// How many squares the moved piece attacks, those of its own side included.
    pub sees: Span,
    /// The legal moves of both sides; not told where either side is in check before or after the move.
    pub mobility: Option<Mobility>,
    /// What the file on which the moved piece now stands is for its player.
    pub file: FileState,
}

/// A part of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ring {
    /// d4, e4, d5, e5.
    Centre,
    /// Between the centre and the edge.
    Middle,
    /// The outer files and ranks.
    Edge,
}

/// A number before and after the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    /// Before.
    pub before: u32,
    /// After.
    pub after: u32,
}

/// The numbers of legal moves that both sides have, each as if it were to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Mobility {
    /// Of the player who moves.
    pub own: Span,
    /// Of the opponent.
    pub opponent: Span,
}

impl Facts {
    /// What is seen when this legal move is played; `history` holds the keys of the positions before, and `previous` is
    /// the opponent's last move.
    pub fn of(before: &Position, m: Move, history: &[u64], previous: Option<Move>) -> Facts {
        let keys = [history, &[before.key()]].concat();
        let after = before.after(m);
        let us = before.side_to_move();
        let square = m.landing();
        let seen = |position: &Position, square: Square| attacked_from(position, square).count();
        Facts {
            answers_check: before.in_check(),
            gives_check: after.in_check(),
            captures: captured(before, m),
            recaptures: takes_back(m, previous),
            ends: after.ending(&keys),
            place: Ring::of(square),
            sees: Span {
                before: seen(before, m.from()),
                after: seen(&after, square),
            },
            mobility: Mobility::of(before, &after),
            file: file_state(&after, square.file(), us),
        }
    }
}

impl Ring {
    /// Where a square lies.
    pub fn of(square: Square) -> Ring {
        let from_edge = |coordinate: u8| coordinate.min(7 - coordinate);
        match from_edge(square.file()).min(from_edge(square.rank())) {
            3 => Ring::Centre,
            0 => Ring::Edge,
            _ => Ring::Middle,
        }
    }
}

impl Mobility {
    /// The legal moves of both sides before and after a move.
    fn of(before: &Position, after: &Position) -> Option<Mobility> {
        Some(Mobility {
            own: Span {
                before: before.count_moves(),
                after: after.passed()?.count_moves(),
            },
            opponent: Span {
                before: before.passed()?.count_moves(),
                after: after.count_moves(),
            },
        })
    }
}

/// What a move takes.
fn captured(before: &Position, m: Move) -> Option<PieceType> {
    let victim = before.piece_on(m.to()).map_or(PieceType::Pawn, Piece::kind);
    m.is_capture().then_some(victim)
}

/// Whether a move takes back where the opponent's last move took.
pub(super) fn takes_back(m: Move, previous: Option<Move>) -> bool {
    m.is_capture() && previous.is_some_and(|previous| previous.is_capture() && previous.landing() == m.to())
}

/// The squares that the piece on a square attacks.
fn attacked_from(position: &Position, square: Square) -> Bitboard {
    match position.piece_on(square) {
        None => Bitboard::EMPTY,
        Some(piece) if piece.kind() == PieceType::Pawn => attacks::pawn(piece.color(), square),
        Some(piece) => attacks::of(piece.kind(), square, position.occupied()),
    }
}

/// Which pawns stand on a file.
fn file_state(position: &Position, file: u8, color: Color) -> FileState {
    let on_file = |color| {
        position
            .pieces(color, PieceType::Pawn)
            .into_iter()
            .any(|pawn| pawn.file() == file)
    };
    match (on_file(color), on_file(!color)) {
        (true, _) => FileState::Closed,
        (false, true) => FileState::HalfOpen,
        (false, false) => FileState::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(fen: &str, text: &str) -> Facts {
        let position = Position::from_fen(fen).unwrap();
        let m = position.parse_san(text).unwrap();
        Facts::of(&position, m, &[], None)
    }

    #[test]
    fn the_first_move_of_a_game() {
        let found = facts(Position::START_FEN, "e4");
        assert_eq!(found.place, Ring::Centre);
        assert_eq!(found.sees, Span { before: 2, after: 2 });
        assert_eq!(found.file, FileState::Closed);
        let mobility = found.mobility.unwrap();
        assert_eq!(
            mobility.own,
            Span {
                before: 20,
                after: 30
            }
        );
        assert_eq!(
            mobility.opponent,
            Span {
                before: 20,
                after: 20
            }
        );
        assert!(!found.answers_check && !found.gives_check && found.captures.is_none());
    }

    #[test]
    fn checks_captures_and_ends() {
        let found = facts("3r3k/6pp/8/8/8/8/6PP/3R3K w - - 0 1", "Rxd8#");
        assert_eq!(found.captures, Some(PieceType::Rook));
        assert_eq!(found.ends, Some(Ending::Checkmate));
        assert!(found.gives_check && found.mobility.is_none());
        assert_eq!((found.place, found.file), (Ring::Edge, FileState::Open));
        let answer = facts("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kxe2");
        assert!(answer.answers_check && answer.mobility.is_none());
        assert_eq!(answer.ends, Some(Ending::InsufficientMaterial));
        let en_passant = facts("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6");
        assert_eq!(en_passant.captures, Some(PieceType::Pawn));
        assert_eq!(en_passant.place, Ring::Middle);
    }
}
