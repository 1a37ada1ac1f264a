//! The rules of chess: positions, legal moves, notation. No input or output, no floats, no threads.

pub mod attacks;
pub mod bitboard;
pub mod castling;
pub mod chess960;
pub mod coordinates;
pub mod cycles;
pub mod draws;
pub mod epd;
pub mod fen;
pub mod magics;
pub mod make;
pub mod movegen;
pub mod moves;
pub mod openings;
pub mod pgn;
pub mod phase;
pub mod position;
pub mod removal;
mod replies;
pub mod result;
pub mod san;
pub mod see;
pub mod types;
pub mod zobrist;

pub use bitboard::Bitboard;
pub use coordinates::UciMoveError;
pub use draws::Ending;
pub use fen::FenError;
pub use make::Changes;
pub use movegen::Wanted;
pub use moves::{MAX_MOVES, Move, MoveList};
pub use phase::Phase;
pub use position::Position;
pub use result::GameResult;
pub use san::SanError;
pub use types::{CastlingRights, Color, Piece, PieceType, Square, Wing};
