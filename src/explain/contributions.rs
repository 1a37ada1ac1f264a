//! What each piece contributes to a static evaluation: its Shapley value.
//!
//! Put the pieces on a board with nothing but the kings, one by one in some order: each adds the difference that it
//! makes to the evaluation. The Shapley value of a piece is the mean of that over all orders. The values add up to the
//! evaluation of the position less that of the kings alone, whatever the evaluator.
//!
//! A board on the way may leave the king of the side that is not to move in check. No evaluator knows such a board, so
//! the side in check is given the move ([`Position::keeping`]); where both kings are attacked, the pieces that attack
//! them are left out. Either way the value of a set of pieces depends on the set alone.

use crate::board::{Bitboard, Color, Move, Piece, PieceType, Position, Square};
use crate::nets::Score;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// An evaluator: the scores of several positions, each for its side to move.
pub type Evaluate<'a> = dyn FnMut(&[Position]) -> Vec<Score> + 'a;

/// How many orders are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The number of random orders, each tried together with its reverse, because the two err in opposite directions.
    /// Where all sets of pieces are no more boards than these orders need, all are evaluated instead, and the values
    /// are exact.
    pub pairs: usize,
    /// Where the random orders begin; the same seed gives the same values.
    pub seed: u64,
}

impl Effort {
    /// For a net that computes a hundred thousand boards a second: in a middle game a standard error of about 0.15 pawns
    /// for the queens and less for the others.
    pub const FAST: Effort = Effort { pairs: 256, seed: 1 };
    /// For a net a hundred times slower.
    pub const SLOW: Effort = Effort { pairs: 16, seed: 1 };
}

/// A piece on the board and its contribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contribution {
    /// Its square.
    pub square: Square,
    /// The piece, never a king.
    pub piece: Piece,
    /// Its Shapley value in centipawns for White.
    pub score: f64,
    /// The standard error of that; 0 if it is exact.
    pub error: f64,
}

/// The static evaluation of a position, piece by piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Contributions {
    /// In centipawns for White.
    pub score: Score,
    /// The evaluation of the two kings alone, in centipawns for White.
    pub kings: Score,
    /// Every piece but the kings, from a1 to h8.
    pub pieces: Vec<Contribution>,
}

impl Contributions {
    /// The contributions of the pieces of a position.
    pub fn of(position: &Position, effort: Effort, evaluate: &mut Evaluate) -> Contributions {
        let board = PieceSet::new(position);
        let samples = Samples::draw(&[&board], effort, evaluate);
        samples.contributions(0, &board)
    }
}

/// A piece before and after a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceChange {
    /// The piece before the move.
    pub piece: Piece,
    /// Where it stood.
    pub from: Square,
    /// What it is after the move (a pawn may have been promoted) and where; none if it was taken.
    pub now: Option<(Piece, Square)>,
    /// Its contribution before the move, in centipawns for White.
    pub before: f64,
    /// Its contribution after the move; 0 if it was taken.
    pub after: f64,
    /// The standard error of the difference. The same orders are tried before and after, so that it is smaller than
    /// those of the two contributions.
    pub error: f64,
}

/// The contributions before and after a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes {
    /// Before the move.
    pub before: Contributions,
    /// After it.
    pub after: Contributions,
    /// The pieces that stood on the board before, kings left out, from a1 to h8.
    pub pieces: Vec<PieceChange>,
}

impl Changes {
    /// What a legal move of a position changes.
    pub fn of(position: &Position, m: Move, effort: Effort, evaluate: &mut Evaluate) -> Changes {
        let before = PieceSet::new(position);
        let after = before.after(m);
        let samples = Samples::draw(&[&before, &after], effort, evaluate);
        let pieces = (0..before.squares.len()).filter_map(|player| {
            let from = before.squares[player]?;
            let now = after.squares[player];
            Some(PieceChange {
                piece: position.piece_on(from)?,
                from,
                now: now.and_then(|square| Some((after.position.piece_on(square)?, square))),
                before: samples.mean(|sample| sample[0][player]),
                after: samples.mean(|sample| sample[1][player]),
                error: samples.error(|sample| sample[1][player] - sample[0][player]),
            })
        });
        Changes {
            pieces: pieces.collect(),
            before: samples.contributions(0, &before),
            after: samples.contributions(1, &after),
        }
    }
}

/// A position and where its pieces stand. The pieces keep their numbers through a move.
struct PieceSet {
    position: Position,
    /// The square of every piece but the kings; none once it is taken.
    squares: Vec<Option<Square>>,
}

impl PieceSet {
    fn new(position: &Position) -> PieceSet {
        let pieces = position.occupied() & !position.of_kind(PieceType::King);
        PieceSet {
            position: *position,
            squares: pieces.into_iter().map(Some).collect(),
        }
    }

    fn after(&self, m: Move) -> PieceSet {
        let mut position = self.position;
        let changes = position.make(m);
        // a rook that castles moves like the piece that was lifted with it
        let moved = |square: Square| {
            let left = changes.removed.iter().find(|&&(_, from)| from == square);
            let Some(&(piece, _)) = left else {
                return Some(square);
            };
            let dropped = changes.added.iter().find(|(added, _)| {
                let same = added.kind() == piece.kind() || m.promoted().is_some() && square == m.from();
                added.color() == piece.color() && same
            });
            dropped.map(|&(_, to)| to)
        };
        PieceSet {
            squares: self
                .squares
                .iter()
                .map(|&square| square.and_then(moved))
                .collect(),
            position,
        }
    }

    /// The board of a set of pieces; see the module.
    fn of(&self, mut pieces: Bitboard) -> Position {
        loop {
            if let Some(position) = self.position.keeping(pieces) {
                return position;
            }
            let kings = self.position.of_kind(PieceType::King);
            let occupied = pieces | kings;
            for color in Color::ALL {
                let king = self.position.king(color);
                pieces &= !(self.position.attackers_to(king, occupied) & self.position.of_color(!color));
            }
        }
    }
}

/// The values of boards that have been asked for, each asked once.
struct Values<'a> {
    board: &'a PieceSet,
    known: HashMap<u64, f64>,
}

impl Values<'_> {
    /// Asks for the sets that are not known yet, all at once.
    fn ask(&mut self, sets: impl Iterator<Item = Bitboard>, evaluate: &mut Evaluate) {
        let mut new = Vec::new();
        for set in sets {
            self.known.entry(set.0).or_insert_with(|| {
                new.push(set);
                f64::NAN
            });
        }
        let boards: Vec<Position> = new.iter().map(|&set| self.board.of(set)).collect();
        for ((set, board), score) in new.iter().zip(&boards).zip(evaluate(&boards)) {
            let score = board.side_to_move().for_white(score);
            self.known.insert(set.0, f64::from(score));
        }
    }

    fn of(&self, set: Bitboard) -> f64 {
        self.known[&set.0]
    }
}

/// One estimate of every contribution: for each board, one for each piece (0 where it is not on the board).
type Sample = Vec<Vec<f64>>;

/// Independent estimates; a single one if it is exact.
struct Samples {
    samples: Vec<Sample>,
    /// The scores of each board and of its kings alone, in centipawns for White.
    ends: Vec<(Score, Score)>,
}

impl Samples {
    /// Tries all sets of pieces of some boards, or the same random orders on each.
    fn draw(boards: &[&PieceSet], effort: Effort, evaluate: &mut Evaluate) -> Samples {
        let players = boards[0].squares.len();
        let pairs = effort.pairs.max(1);
        let exact = players < 24 && 1 << players <= 2 * pairs * players.max(1);
        let mut random = ChaCha8Rng::seed_from_u64(effort.seed);
        let mut order: Vec<usize> = (0..players).collect();
        let orders: Vec<Vec<usize>> = (0..if exact { 0 } else { pairs })
            .map(|_| {
                order.shuffle(&mut random);
                order.clone()
            })
            .collect();
        let mut samples = vec![Vec::new(); orders.len().max(1)];
        let mut ends = Vec::new();
        for &board in boards {
            let mut values = Values {
                board,
                known: HashMap::new(),
            };
            let all = union(board.squares.iter().flatten().copied());
            let both = || [Bitboard::EMPTY, all].into_iter();
            if exact {
                values.ask(all.subsets(), evaluate);
                samples[0].push(board.exact(&values));
            } else {
                let sets = orders.iter().flat_map(|order| board.prefixes(order));
                let sets: Vec<Bitboard> = sets.flat_map(|set| [set, all & !set]).chain(both()).collect();
                values.ask(sets.into_iter(), evaluate);
                for (sample, order) in samples.iter_mut().zip(&orders) {
                    sample.push(board.along(order, all, &values));
                }
            }
            ends.push((values.of(all) as Score, values.of(Bitboard::EMPTY) as Score));
        }
        Samples { samples, ends }
    }

    fn contributions(&self, number: usize, board: &PieceSet) -> Contributions {
        let mut pieces: Vec<Contribution> = board
            .squares
            .iter()
            .enumerate()
            .filter_map(|(player, &square)| {
                Some(Contribution {
                    square: square?,
                    piece: board.position.piece_on(square?)?,
                    score: self.mean(|sample| sample[number][player]),
                    error: self.error(|sample| sample[number][player]),
                })
            })
            .collect();
        pieces.sort_by_key(|piece| piece.square.index());
        let (score, kings) = self.ends[number];
        Contributions { score, kings, pieces }
    }

    fn mean(&self, value: impl Fn(&Sample) -> f64) -> f64 {
        self.samples.iter().map(value).sum::<f64>() / self.samples.len() as f64
    }

    /// The standard error of the mean; 0 for a single sample, which is exact.
    fn error(&self, value: impl Fn(&Sample) -> f64) -> f64 {
        standard_error(&self.samples.iter().map(value).collect::<Vec<f64>>())
    }
}

/// The standard error of the mean of some values, by their spread with one degree of freedom less than they are.
fn standard_error(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (count - 1.0).max(1.0) / count).sqrt()
}

impl PieceSet {
    /// The sets of pieces that stand on the board before each piece of an order is added.
    fn prefixes(&self, order: &[usize]) -> Vec<Bitboard> {
        let mut set = Bitboard::EMPTY;
        let squares = order.iter().filter_map(|&player| self.squares[player]);
        squares
            .map(|square| {
                let before = set;
                set |= Bitboard::of(square);
                before
            })
            .collect()
    }

    /// What each piece adds along an order and along its reverse, on average.
    fn along(&self, order: &[usize], all: Bitboard, values: &Values) -> Vec<f64> {
        let mut shares = vec![0.0; self.squares.len()];
        let mut set = Bitboard::EMPTY;
        for &player in order {
            let Some(square) = self.squares[player] else {
                continue;
            };
            let with = set | Bitboard::of(square);
            let forwards = values.of(with) - values.of(set);
            let backwards = values.of(all & !set) - values.of(all & !with);
            shares[player] = (forwards + backwards) / 2.0;
            set = with;
        }
        shares
    }

    /// The mean over all orders, by way of all sets.
    fn exact(&self, values: &Values) -> Vec<f64> {
        let all = union(self.squares.iter().flatten().copied());
        let count = all.count() as usize;
        // for a set of each size: the share of the orders in which its pieces come first, then the piece in question
        let mut weights = vec![1.0 / count.max(1) as f64];
        for size in 1..count {
            let last = weights[size - 1];
            weights.push(last * size as f64 / (count - size) as f64);
        }
        let share = |square: Square| {
            let piece = Bitboard::of(square);
            let others = (all & !piece).subsets();
            others
                .map(|set| weights[set.count() as usize] * (values.of(set | piece) - values.of(set)))
                .sum()
        };
        self.squares
            .iter()
            .map(|square| square.map_or(0.0, share))
            .collect()
    }
}

fn union(squares: impl Iterator<Item = Square>) -> Bitboard {
    squares.fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_standard_error_is_that_of_the_textbooks() {
        let error = super::standard_error(&[1.0, 2.0, 3.0, 4.0]);
        assert!((error - (5.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12, "{error}");
        assert_eq!(super::standard_error(&[7.0]), 0.0);
    }
}
