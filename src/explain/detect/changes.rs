//! Finds what a line may have changed in a position, with bitboards.

use super::super::change::{Change, FileState};
use super::super::line::Line;
use crate::board::{Bitboard, Color, Move, PieceType, Position, Square, Wing, attacks};

/// A difference of this many squares is worth telling of a piece.
const MOBILITY: u32 = 3;

/// And this many of a player's space.
const SPACE: u32 = 2;

/// Everything that may have changed from the first position of a line to its last.
pub fn changes(line: &Line) -> Vec<Change> {
    let mut found = Vec::new();
    if line.is_empty() {
        return found;
    }
    for color in [line.mover(0), !line.mover(0)] {
        let view = View {
            color,
            start: line.start(),
            end: line.end(),
        };
        for square in line.start().of_color(color) {
            if let Some(now) = follow(line, square) {
                view.piece(square, now, &mut found);
            }
        }
        view.pawns(&mut found);
        view.king(&mut found);
        view.bishops(&mut found);
        view.space(&mut found);
    }
    found
}

/// Where the piece on a square of the first position stands in the last; `None` if it was taken or promoted.
fn follow(line: &Line, mut square: Square) -> Option<Square> {
    for (ply, &m) in line.moves().iter().enumerate() {
        square = step(line.before(ply), m, square)?;
    }
    Some(square)
}

/// The same for one move.
fn step(position: &Position, m: Move, square: Square) -> Option<Square> {
    if m.from() == square {
        return m.promoted().is_none().then(|| m.landing());
    }
    if m.is_castling() && m.to() == square {
        let wing = if m.to() > m.from() {
            Wing::King
        } else {
            Wing::Queen
        };
        return Some(wing.rook_target(position.side_to_move()));
    }
    let victim = match m.is_en_passant() {
        true => Square::at(m.to().file(), m.from().rank()),
        false => m.to(),
    };
    (square != victim).then_some(square)
}

/// A player in the first and the last position.
struct View<'a> {
    color: Color,
    start: &'a Position,
    end: &'a Position,
}

impl View<'_> {
    fn piece(&self, was: Square, is: Square, found: &mut Vec<Change>) {
        let color = self.color;
        let Some(kind) = self.end.piece_on(is).map(|piece| piece.kind()) else {
            return;
        };
        match kind {
            PieceType::King => {}
            PieceType::Pawn => {
                if passed(self.end, color, is) && !passed(self.start, color, was) {
                    found.push(Change::PassedPawn { color, pawn: is });
                }
                if isolated(self.end, color, is) && !isolated(self.start, color, was) {
                    found.push(Change::IsolatedPawn { color, pawn: is });
                }
            }
            piece => {
                let before = mobility(self.start, color, piece, was);
                let after = mobility(self.end, color, piece, is);
                if before.abs_diff(after) >= MOBILITY {
                    found.push(Change::Mobility {
                        color,
                        square: is,
                        piece,
                        before,
                        after,
                    });
                }
                let minor = matches!(piece, PieceType::Knight | PieceType::Bishop);
                if minor && outpost(self.end, color, is) && !outpost(self.start, color, was) {
                    found.push(Change::Outpost {
                        color,
                        square: is,
                        piece,
                    });
                }
                let state = file_state(self.end, color, is.file());
                let is_new = was.file() != is.file() || state != file_state(self.start, color, is.file());
                if !minor && state != FileState::Closed && is_new {
                    found.push(Change::TakesFile {
                        color,
                        square: is,
                        piece,
                        state,
                    });
                }
            }
        }
    }

    fn pawns(&self, found: &mut Vec<Change>) {
        let color = self.color;
        for file in 0..8 {
            let on_file =
                |position: &Position| position.pieces(color, PieceType::Pawn) & Bitboard::file(file);
            let now = on_file(self.end);
            if now.more_than_one() && !on_file(self.start).more_than_one() {
                let foremost = now.into_iter().max_by_key(|&pawn| rank(color, pawn));
                found.extend(foremost.map(|pawn| Change::DoubledPawns { color, pawn }));
            }
        }
        let central = |square: Square| matches!(square.file(), 3 | 4) && rank(color, square) == 4;
        let in_reach = |square: &Square| matches!(rank(color, *square), 2 | 3) || central(*square);
        for square in Square::all().filter(in_reach) {
            if weak(self.end, color, square) && can_be_guarded(self.start, color, square) {
                found.push(Change::WeakSquare { color, square });
            }
        }
    }

    fn king(&self, found: &mut Vec<Change>) {
        let color = self.color;
        let attacked = |position: &Position| position.pieces(!color, PieceType::Queen).any();
        let (before, after) = (shelter(self.start, color), shelter(self.end, color));
        if before != after && attacked(self.start) && attacked(self.end) {
            let king = self.end.king(color);
            found.push(Change::Shelter {
                color,
                king,
                before,
                after,
            });
        }
    }

    fn bishops(&self, found: &mut Vec<Change>) {
        let color = self.color;
        if bishop_pair(self.start, color) && !bishop_pair(self.end, color) {
            let other_has_it = bishop_pair(self.end, !color);
            found.push(Change::LosesBishopPair { color, other_has_it });
        }
    }

    fn space(&self, found: &mut Vec<Change>) {
        let color = self.color;
        let (before, after) = (space(self.start, color), space(self.end, color));
        if before.abs_diff(after) >= SPACE {
            found.push(Change::Space { color, before, after });
        }
    }
}

/// The rank of a square as its player counts, from 0.
fn rank(color: Color, square: Square) -> u8 {
    match color {
        Color::White => square.rank(),
        Color::Black => 7 - square.rank(),
    }
}

/// The ranks before a square, as its player sees them.
fn ahead(color: Color, square: Square) -> Bitboard {
    Square::all()
        .filter(|&other| rank(color, other) > rank(color, square))
        .collect()
}

/// The files beside one.
fn neighbours(file: u8) -> Bitboard {
    (0..8u8)
        .filter(|other| other.abs_diff(file) == 1)
        .fold(Bitboard::EMPTY, |files, other| files | Bitboard::file(other))
}

fn pawn_attacks(position: &Position, color: Color) -> Bitboard {
    position
        .pieces(color, PieceType::Pawn)
        .into_iter()
        .fold(Bitboard::EMPTY, |squares, pawn| {
            squares | attacks::pawn(color, pawn)
        })
}

fn mobility(position: &Position, color: Color, kind: PieceType, square: Square) -> u32 {
    let attacked = attacks::of(kind, square, position.occupied());
    (attacked & !position.of_color(color) & !pawn_attacks(position, !color)).count()
}

fn passed(position: &Position, color: Color, pawn: Square) -> bool {
    let way = (neighbours(pawn.file()) | Bitboard::file(pawn.file())) & ahead(color, pawn);
    (way & position.pieces(!color, PieceType::Pawn)).is_empty()
}

fn isolated(position: &Position, color: Color, pawn: Square) -> bool {
    (neighbours(pawn.file()) & position.pieces(color, PieceType::Pawn)).is_empty()
}

fn outpost(position: &Position, color: Color, square: Square) -> bool {
    let attackers =
        neighbours(square.file()) & ahead(color, square) & position.pieces(!color, PieceType::Pawn);
    (3..=5).contains(&rank(color, square))
        && pawn_attacks(position, color).has(square)
        && attackers
            .into_iter()
            .all(|pawn| rank(color, pawn) > rank(color, square) + 1 && is_blocked(position, color, pawn))
}

/// Whether a pawn stands right in front of one of the other side's pawns.
fn is_blocked(position: &Position, color: Color, pawn: Square) -> bool {
    let before = Bitboard::file(pawn.file()) & position.of_kind(PieceType::Pawn);
    before
        .into_iter()
        .any(|other| rank(color, other) + 1 == rank(color, pawn))
}

fn file_state(position: &Position, color: Color, file: u8) -> FileState {
    let has = |color| (position.pieces(color, PieceType::Pawn) & Bitboard::file(file)).any();
    match (has(color), has(!color)) {
        (true, _) => FileState::Closed,
        (false, true) => FileState::HalfOpen,
        (false, false) => FileState::Open,
    }
}

/// Whether a pawn of the player guards a square or could by going straight on.
fn can_be_guarded(position: &Position, color: Color, square: Square) -> bool {
    let behind = !ahead(color, square) & !Bitboard::rank(square.rank());
    (neighbours(square.file()) & behind & position.pieces(color, PieceType::Pawn)).any()
}

/// Whether a square in the middle or near the king has lost its guards for good, and the other side has a piece for it.
fn weak(position: &Position, color: Color, square: Square) -> bool {
    let matters =
        (2..=5).contains(&square.file()) || square.file().abs_diff(position.king(color).file()) <= 1;
    let same_color =
        |bishop: Square| (bishop.file() + bishop.rank() + square.file() + square.rank()).is_multiple_of(2);
    let bishops = position.pieces(!color, PieceType::Bishop);
    let visitors = position.pieces(!color, PieceType::Knight).any() || bishops.into_iter().any(same_color);
    matters && visitors && !can_be_guarded(position, color, square)
}

fn shelter(position: &Position, color: Color) -> u32 {
    let king = position.king(color);
    let files = neighbours(king.file()) | Bitboard::file(king.file());
    (files & position.pieces(color, PieceType::Pawn))
        .into_iter()
        .filter(|&pawn| (1..=2).contains(&(i16::from(rank(color, pawn)) - i16::from(rank(color, king)))))
        .count() as u32
}

fn bishop_pair(position: &Position, color: Color) -> bool {
    let on = |parity: u8| {
        let mut bishops = position.pieces(color, PieceType::Bishop).into_iter();
        bishops.any(|bishop| (bishop.file() + bishop.rank()) % 2 == parity)
    };
    on(0) && on(1)
}

fn space(position: &Position, color: Color) -> u32 {
    let taken = position.pieces(color, PieceType::Pawn) | pawn_attacks(position, !color);
    Square::all()
        .filter(|square| (2..=5).contains(&square.file()) && (1..=3).contains(&rank(color, *square)))
        .filter(|&square| !taken.has(square))
        .count() as u32
}
