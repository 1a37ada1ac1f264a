//! The rules of chess once more, slow and plain, as the oracle of the fast ones: a mailbox, rays walked step by
//! step, every pseudo-legal move tried on a copy. It shares nothing with the library but the move's layout.

use enroc::board::{Color, Move, Piece, PieceType, Position, Square, Wing};

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const KNIGHT: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// What a slow rule needs to know of a position.
#[derive(Clone)]
pub struct SlowBoard {
    pub squares: [Option<Piece>; 64],
    side: Color,
    /// Squares of the rooks that may castle, by colour.
    castling: [Vec<Square>; 2],
    en_passant: Option<Square>,
}

fn step(square: Square, (files, ranks): (i8, i8)) -> Option<Square> {
    let (file, rank) = (square.file() as i8 + files, square.rank() as i8 + ranks);
    let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    on_board.then(|| Square::at(file as u8, rank as u8))
}

fn forward(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

impl SlowBoard {
    pub fn new(position: &Position) -> SlowBoard {
        let rooks = |color: Color| {
            Wing::ALL
                .into_iter()
                .filter(|&wing| position.castling().has(color, wing))
                .map(|wing| position.castling_rook(color, wing))
                .collect()
        };
        SlowBoard {
            squares: std::array::from_fn(|index| position.piece_on(Square::new(index as u8))),
            side: position.side_to_move(),
            castling: [rooks(Color::White), rooks(Color::Black)],
            en_passant: position.en_passant(),
        }
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    fn find(&self, piece: Piece) -> Vec<Square> {
        Square::all()
            .filter(|&square| self.at(square) == Some(piece))
            .collect()
    }

    pub fn king(&self, color: Color) -> Square {
        self.find(PieceType::King.of(color))[0]
    }

    /// The squares that the piece on `from` attacks.
    fn attacks(&self, from: Square) -> Vec<Square> {
        let Some(piece) = self.at(from) else {
            return Vec::new();
        };
        let once = |steps: &[(i8, i8)]| steps.iter().filter_map(|&delta| step(from, delta)).collect();
        let rays = |steps: &[(i8, i8)]| steps.iter().flat_map(|&delta| self.ray(from, delta)).collect();
        let all = [STRAIGHT, DIAGONAL].concat();
        match piece.kind() {
            PieceType::Pawn => once(&[-1, 1].map(|file| (file, forward(piece.color())))),
            PieceType::Knight => once(&KNIGHT),
            PieceType::Bishop => rays(&DIAGONAL),
            PieceType::Rook => rays(&STRAIGHT),
            PieceType::Queen => rays(&all),
            PieceType::King => once(&all),
        }
    }

    /// The squares from `from` up to the first occupied one, which is among them.
    fn ray(&self, from: Square, delta: (i8, i8)) -> Vec<Square> {
        let mut squares = Vec::new();
        let mut current = from;
        while let Some(next) = step(current, delta) {
            squares.push(next);
            if self.at(next).is_some() {
                break;
            }
            current = next;
        }
        squares
    }

    /// Where the pieces of a player stand that attack a square.
    pub fn attackers(&self, target: Square, by: Color) -> Vec<Square> {
        Square::all()
            .filter(|&from| self.at(from).is_some_and(|piece| piece.color() == by))
            .filter(|&from| self.attacks(from).contains(&target))
            .collect()
    }

    /// The pieces whose leaving the board would let an enemy slider attack the king of the side to move.
    pub fn pinned(&self) -> Vec<Square> {
        let king = self.king(self.side);
        let attackers = self.attackers(king, !self.side);
        let without = |square: Square| {
            let mut board = self.clone();
            board.squares[square.index()] = None;
            board.attackers(king, !self.side)
        };
        Square::all()
            .filter(|&square| square != king && self.at(square).is_some())
            .filter(|&square| without(square).iter().any(|from| !attackers.contains(from)))
            .collect()
    }

    /// The board after a move, by the flags of its encoding.
    pub fn after(&self, m: Move) -> SlowBoard {
        let mut board = self.with_squares(self.squares_after(m));
        let king_moved = m.piece().kind() == PieceType::King;
        for color in Color::ALL {
            board.castling[color.index()]
                .retain(|&rook| rook != m.from() && rook != m.to() && !(king_moved && color == self.side));
        }
        board.side = !self.side;
        board.en_passant = m
            .is_double_push()
            .then(|| Square::at(m.to().file(), (m.from().rank() + m.to().rank()) / 2))
            .filter(|&square| board.can_capture_en_passant(square));
        board
    }

    fn can_capture_en_passant(&self, square: Square) -> bool {
        let mut board = self.clone();
        board.en_passant = Some(square);
        board.legal_moves().into_iter().any(Move::is_en_passant)
    }

    /// Whether two boards are the same position, rights included.
    pub fn agrees_with(&self, other: &SlowBoard) -> bool {
        let rights = |board: &SlowBoard| {
            board.castling.clone().map(|mut rooks| {
                rooks.sort();
                rooks
            })
        };
        self.squares == other.squares
            && self.side == other.side
            && self.en_passant == other.en_passant
            && rights(self) == rights(other)
    }

    /// Every legal move, in no order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::all() {
            match self.at(from) {
                Some(piece) if piece.color() != self.side => {}
                Some(piece) if piece.kind() == PieceType::Pawn => self.pawn_moves(from, piece, &mut moves),
                Some(piece) => self.piece_moves(from, piece, &mut moves),
                None => {}
            }
        }
        self.castling_moves(&mut moves);
        moves.retain(|&m| {
            let board = self.with_squares(self.squares_after(m));
            board.attackers(board.king(self.side), !self.side).is_empty()
        });
        moves
    }

    fn with_squares(&self, squares: [Option<Piece>; 64]) -> SlowBoard {
        SlowBoard {
            squares,
            ..self.clone()
        }
    }

    fn squares_after(&self, m: Move) -> [Option<Piece>; 64] {
        let mut squares = self.squares;
        let mut place = |square: Square, piece| squares[square.index()] = piece;
        place(m.from(), None);
        if m.is_castling() {
            let rank = m.from().rank();
            let (king, rook) = if m.to() > m.from() { (6, 5) } else { (2, 3) };
            place(m.to(), None);
            place(Square::at(king, rank), Some(m.piece()));
            place(Square::at(rook, rank), Some(PieceType::Rook.of(self.side)));
        } else {
            place(m.to(), Some(m.promoted().unwrap_or(m.piece())));
        }
        if m.is_en_passant() {
            place(Square::at(m.to().file(), m.from().rank()), None);
        }
        squares
    }

    fn piece_moves(&self, from: Square, piece: Piece, moves: &mut Vec<Move>) {
        for to in self.attacks(from) {
            match self.at(to) {
                None => moves.push(Move::new(from, to, piece, 0)),
                Some(other) if other.color() != self.side => {
                    moves.push(Move::new(from, to, piece, Move::CAPTURE));
                }
                Some(_) => {}
            }
        }
    }

    fn pawn_moves(&self, from: Square, pawn: Piece, moves: &mut Vec<Move>) {
        let up = forward(self.side);
        let mut add = |to: Square, flags| {
            if matches!(to.rank(), 0 | 7) {
                for kind in [
                    PieceType::Knight,
                    PieceType::Bishop,
                    PieceType::Rook,
                    PieceType::Queen,
                ] {
                    moves.push(Move::promotion(from, to, pawn, kind.of(self.side), flags));
                }
            } else {
                moves.push(Move::new(from, to, pawn, flags));
            }
        };
        for to in self.attacks(from) {
            if self.at(to).is_some_and(|other| other.color() != self.side) {
                add(to, Move::CAPTURE);
            } else if self.en_passant == Some(to) {
                add(to, Move::CAPTURE | Move::EN_PASSANT);
            }
        }
        let one = step(from, (0, up)).filter(|&to| self.at(to).is_none());
        if let Some(one) = one {
            add(one, 0);
            let start_rank = if self.side == Color::White { 1 } else { 6 };
            let two = step(one, (0, up)).filter(|&to| from.rank() == start_rank && self.at(to).is_none());
            if let Some(two) = two {
                add(two, Move::DOUBLE_PUSH);
            }
        }
    }

    /// Castling where the way is free and no square of the king's is attacked, seen without the king. Whether he
    /// is safe once the rook has arrived is tried like any other move.
    fn castling_moves(&self, moves: &mut Vec<Move>) {
        let king = self.king(self.side);
        for &rook in &self.castling[self.side.index()] {
            let (king_file, rook_file) = if rook > king { (6, 5) } else { (2, 3) };
            let path = |from: Square, file: u8| {
                let (low, high) = (from.file().min(file), from.file().max(file));
                (low..=high).map(move |file| Square::at(file, from.rank()))
            };
            let mut kingless = self.clone();
            kingless.squares[king.index()] = None;
            let free = |square| square == rook || kingless.at(square).is_none();
            let safe = |square| kingless.attackers(square, !self.side).is_empty();
            if path(king, king_file).all(|square| free(square) && safe(square))
                && path(rook, rook_file).all(free)
            {
                moves.push(Move::new(
                    king,
                    rook,
                    PieceType::King.of(self.side),
                    Move::CASTLING,
                ));
            }
        }
    }
}
