//! The checkers' own tools: exchanges by trying every legal capture, rays walked step by step, edited positions read
//! back from FEN. Slower than the tools of the engine on purpose, and written without them.

use crate::board::{Color, Move, Piece, PieceType, Position, Square};

/// What the pieces are worth in the counts, pawn to king, in centipawns: the 1-3-3-5-9 of the textbooks.
const WORTH: [i32; 6] = [100, 300, 300, 500, 900, 0];

/// More than any exchange can win.
const ALL: i32 = 100_000;

/// How many positions a count of captures may visit before it is given up.
const BUDGET: u32 = 50_000;

/// What a kind of piece is worth.
pub fn worth(kind: PieceType) -> i32 {
    WORTH[kind.index()]
}

/// What a rook is worth beyond a bishop.
pub fn the_exchange() -> i32 {
    worth(PieceType::Rook) - worth(PieceType::Bishop)
}

/// What the piece on a square is worth; nothing for an empty one.
pub fn worth_on(position: &Position, square: Square) -> i32 {
    position.piece_on(square).map_or(0, |piece| worth(piece.kind()))
}

/// The kind of a player's piece on a square.
pub fn kind_on(position: &Position, square: Square, color: Color) -> Option<PieceType> {
    let piece = position.piece_on(square)?;
    (piece.color() == color).then(|| piece.kind())
}

/// A player's material less the other's.
pub fn balance(position: &Position, color: Color) -> i32 {
    let worth_of = |piece: Piece| {
        let worth = worth(piece.kind());
        if piece.color() == color { worth } else { -worth }
    };
    Square::all()
        .filter_map(|square| position.piece_on(square))
        .map(worth_of)
        .sum()
}

/// What a move takes and what its promotion adds, before any answer.
pub fn takings(position: &Position, m: Move) -> i32 {
    let us = position.side_to_move();
    balance(&position.after(m), us) - balance(position, us)
}

/// The legal captures on an occupied square, cheapest piece first.
pub(super) fn captures_on(position: &Position, square: Square) -> Vec<Move> {
    let mut captures: Vec<Move> = position
        .legal_moves()
        .into_iter()
        .filter(|m| m.is_capture() && !m.is_en_passant() && m.to() == square)
        .collect();
    captures.sort_by_key(|m| m.piece().kind());
    captures
}

/// What the side to move wins by captures on a square, either side stopping when it likes: 0 if nothing.
pub fn best(position: &Position, square: Square) -> i32 {
    exchange(position, square, 0, ALL)
}

fn exchange(position: &Position, square: Square, mut alpha: i32, beta: i32) -> i32 {
    alpha = alpha.max(0);
    for m in captures_on(position, square) {
        if alpha >= beta {
            break;
        }
        let taken = takings(position, m);
        let value = taken - exchange(&position.after(m), square, taken - beta, taken - alpha);
        alpha = alpha.max(value);
    }
    alpha
}

/// What a legal move is worth once the captures on its target square have been made: negative if it loses.
pub fn value_of(position: &Position, m: Move) -> i32 {
    takings(position, m) - best(&position.after(m), m.landing())
}

/// Whether a pawn of the side to move that goes to a square, taking nothing, is won there by captures.
pub fn loses_by_going(position: &Position, target: Square) -> bool {
    pushed(position, position.side_to_move(), target).is_some_and(|after| best(&after, target) > 0)
}

/// The position after a pawn of a player has gone to a square, taking nothing, as if it were its turn; `None` where none
/// can go there.
pub fn pushed(position: &Position, player: Color, target: Square) -> Option<Position> {
    let position = to_move(position, player)?;
    let moves = position.legal_moves();
    let is_push = |m: &Move| m.piece().kind() == PieceType::Pawn && !m.is_capture() && m.to() == target;
    moves.into_iter().find(is_push).map(|push| position.after(push))
}

/// Whether a player's piece of one of these kinds can go to a square, as if it were its turn.
pub fn can_go(position: &Position, player: Color, kinds: &[PieceType], target: Square) -> bool {
    let goes = |m: &Move| m.landing() == target && kinds.contains(&m.piece().kind());
    to_move(position, player).is_some_and(|position| position.legal_moves().iter().any(goes))
}

/// What the piece on `from` wins by taking on `target`: 0 if it cannot, or if that loses.
pub fn wins_by(position: &Position, from: Square, target: Square) -> i32 {
    captures_on(position, target)
        .into_iter()
        .filter(|m| m.from() == from)
        .map(|m| value_of(position, m))
        .fold(0, i32::max)
}

/// Whether the side to move can take on a square without loss.
pub fn takeable(position: &Position, square: Square) -> bool {
    captures_on(position, square)
        .into_iter()
        .any(|m| value_of(position, m) >= 0)
}

/// Whether the side to move can take on a square at all.
pub fn capturable(position: &Position, square: Square) -> bool {
    !captures_on(position, square).is_empty()
}

/// The position with the other player to move; `None` where the side to move is in check.
pub fn passed(position: &Position) -> Option<Position> {
    edited(position, None, !position.side_to_move())
}

/// The position with this player to move, by a pass of the other one where that is needed; `None` where the other one is in
/// check.
pub fn to_move(position: &Position, player: Color) -> Option<Position> {
    if position.side_to_move() == player {
        Some(*position)
    } else {
        passed(position)
    }
}

/// The position with one piece less, without castling and en passant, and this side to move; `None` where that is not
/// a legal position.
pub fn edited(position: &Position, removed: Option<Square>, side: Color) -> Option<Position> {
    let row = |rank: u8| -> String {
        let squares = (0..8).map(|file| Square::at(file, rank));
        let on = |square| position.piece_on(square).filter(|_| Some(square) != removed);
        squares
            .map(|square| on(square).map_or('1', Piece::letter))
            .collect()
    };
    let rows: Vec<String> = (0..8).rev().map(row).collect();
    let side = if side == Color::White { 'w' } else { 'b' };
    Position::from_fen(&format!("{} {side} - - 0 1", rows.join("/"))).ok()
}

/// The steps of file and rank in which a kind of piece moves, and whether it slides.
fn steps(piece: Piece) -> (&'static [(i8, i8)], bool) {
    const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    const ROUND: [(i8, i8); 8] = [
        (1, 0),
        (-1, 0),
        (0, 1),
        (0, -1),
        (1, 1),
        (1, -1),
        (-1, 1),
        (-1, -1),
    ];
    const JUMPS: [(i8, i8); 8] = [
        (1, 2),
        (2, 1),
        (-1, 2),
        (-2, 1),
        (1, -2),
        (2, -1),
        (-1, -2),
        (-2, -1),
    ];
    match piece {
        Piece::WhitePawn => (&[(1, 1), (-1, 1)], false),
        Piece::BlackPawn => (&[(1, -1), (-1, -1)], false),
        _ => match piece.kind() {
            PieceType::Knight => (&JUMPS, false),
            PieceType::Bishop => (&DIAGONAL, true),
            PieceType::Rook => (&STRAIGHT, true),
            PieceType::Queen => (&ROUND, true),
            _ => (&ROUND, false),
        },
    }
}

/// The squares from `from` on in one direction, to the edge of the board.
fn ray(from: Square, (file, rank): (i8, i8)) -> impl Iterator<Item = Square> {
    let at = move |distance: i8| {
        let place = (
            from.file() as i8 + file * distance,
            from.rank() as i8 + rank * distance,
        );
        let inside = (0..8).contains(&place.0) && (0..8).contains(&place.1);
        inside.then(|| Square::at(place.0 as u8, place.1 as u8))
    };
    (1..8).map_while(at)
}

/// The squares that the piece on `from` attacks, those of its own side too.
pub fn seen_from(position: &Position, from: Square) -> Vec<Square> {
    let Some(piece) = position.piece_on(from) else {
        return Vec::new();
    };
    let (directions, slides) = steps(piece);
    let mut seen = Vec::new();
    for &direction in directions {
        for square in ray(from, direction).take(if slides { 7 } else { 1 }) {
            seen.push(square);
            if position.piece_on(square).is_some() {
                break;
            }
        }
    }
    seen
}

/// Whether the piece on `from` attacks `to`.
pub fn sees(position: &Position, from: Square, to: Square) -> bool {
    seen_from(position, from).contains(&to)
}

/// The first two pieces that the slider on `from` meets in the direction of `to`; `None` if it does not slide there.
pub fn first_two(position: &Position, from: Square, to: Square) -> Option<(Square, Option<Square>)> {
    let (directions, slides) = steps(position.piece_on(from)?);
    let direction = directions
        .iter()
        .find(|&&direction| ray(from, direction).any(|square| square == to))?;
    let mut met = ray(from, *direction).filter(|&square| position.piece_on(square).is_some());
    let first = met.next().filter(|_| slides)?;
    Some((first, met.next()))
}

/// Whether a square lies on the straight line from `a` to `b`, strictly between them.
pub fn is_between(square: Square, a: Square, b: Square) -> bool {
    let (file, rank) = (b.file() as i8 - a.file() as i8, b.rank() as i8 - a.rank() as i8);
    let straight = file == 0 || rank == 0 || file.abs() == rank.abs();
    let way = ray(a, (file.signum(), rank.signum()));
    straight
        && a != b
        && way
            .take_while(|&passed| passed != b)
            .any(|passed| passed == square)
}

/// Whether the mover's piece on `by` would win the piece on `target` if the opponent, who is to move, left both where
/// they are: after a pass, or, if the opponent is in check and cannot pass, after every legal reply that leaves both; or
/// would win as much by taking what has come between.
pub fn would_win(after: &Position, by: Square, target: Square) -> bool {
    if let Some(position) = passed(after) {
        return wins_by(&position, by, target) > 0;
    }
    let leaves = |m: &Move| m.from() != target && m.landing() != by;
    let answers: Vec<Move> = after.legal_moves().into_iter().filter(leaves).collect();
    let price = worth_on(after, target);
    let wins = |m: &Move| {
        let answered = after.after(*m);
        wins_by(&answered, by, target) > 0 || best(&answered, m.landing()) >= price
    };
    !answers.is_empty() && answers.iter().all(wins)
}

/// Whether a player has this much more material than the other and keeps it: both sides go on with captures, promotions
/// and replies to checks, and either may stop; if the player is to move, its first move may be any. Where the count
/// takes too long, the answer is no.
pub fn keeps(position: &Position, player: Color, needed: i32) -> bool {
    let mut budget = BUDGET;
    if !position.has_moves() && !position.in_check() {
        return false;
    }
    let kept = if position.side_to_move() == player {
        let mut moves = position.legal_moves();
        // captures often decide it, and a quiet move rarely has to be looked at far
        moves.sort_by_key(|&m| (m.is_quiet(), place(m)));
        moves
            .into_iter()
            .any(|m| at_least(&position.after(m), player, needed, &mut budget))
    } else {
        at_least(position, player, needed, &mut budget)
    };
    kept && budget > 0
}

/// The count of [`keeps`] from a position on.
fn at_least(position: &Position, player: Color, needed: i32, budget: &mut u32) -> bool {
    *budget = budget.saturating_sub(1);
    let ours = position.side_to_move() == player;
    if *budget == 0 {
        return !ours;
    }
    let reached = balance(position, player) >= needed;
    if !position.in_check() && reached == ours {
        // the side to move is content and stops
        return reached;
    }
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    if !position.in_check() {
        moves.retain(|m| !m.is_quiet());
    } else if moves.is_empty() {
        return !ours;
    }
    moves.sort_by_key(|&m| (-takings(position, m), place(m)));
    let holds = |m: &Move| at_least(&position.after(*m), player, needed, budget);
    if ours {
        moves.iter().any(holds)
    } else {
        let mut holds = holds;
        moves.iter().all(&mut holds)
    }
}

/// Where a move goes, as its player sees the board: in this order a count that takes too long ends for both colours alike.
fn place(m: Move) -> [usize; 3] {
    let seen = |square: Square| match m.piece().color() {
        Color::White => square.index(),
        Color::Black => square.flip_rank().index(),
    };
    [
        seen(m.from()),
        seen(m.landing()),
        m.promoted().map_or(0, |kind| kind as usize),
    ]
}
