//! A network of the teacher's format, and its value computed straight from the bytes of the file.

use enroc::board::{Color, Piece, PieceType, Position, Square};

const UNITS: usize = 1_024;
const INPUTS: usize = 22_528;
const DESCRIPTION: &[u8] = b"random numbers";
/// A hash, then biases and weights of 16, 32 and 1 units.
const BUCKET: usize = 4 + 16 * 4 + 16 * UNITS + 32 * 4 + 32 * 32 + 4 + 32;

/// Where the first layer begins, with its hash.
pub fn first_layer() -> usize {
    12 + DESCRIPTION.len()
}

/// Where the piece-square values begin.
pub fn piece_square() -> usize {
    first_layer() + 4 + 2 * UNITS + 2 * UNITS * INPUTS
}

/// Where the later layers of a bucket begin, with their hash.
pub fn bucket(number: usize) -> usize {
    piece_square() + 32 * INPUTS + number * BUCKET
}

/// The next random number.
pub fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    *seed >> 33
}

/// A file with random weights, of a size at which every activation is met below, between and beyond its bounds.
pub fn synthetic(mut seed: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(bucket(8));
    let put = |bytes: &mut Vec<u8>, number: i64, length: usize| {
        bytes.extend_from_slice(&number.to_le_bytes()[..length]);
    };
    let mut within = |bound: i64| random(&mut seed) as i64 % (2 * bound + 1) - bound;
    put(&mut bytes, 0x7af3_2f20, 4);
    put(&mut bytes, 0x1c10_2ef2, 4);
    put(&mut bytes, DESCRIPTION.len() as i64, 4);
    bytes.extend_from_slice(DESCRIPTION);
    put(&mut bytes, 0x7f23_44b8, 4);
    (0..UNITS).for_each(|_| put(&mut bytes, within(200), 2));
    // some near the ends of the type: the sums wrap round
    for n in 0..UNITS * INPUTS {
        put(
            &mut bytes,
            if n % 4_099 == 0 {
                within(32_767)
            } else {
                within(30)
            },
            2,
        );
    }
    for n in 0..8 * INPUTS {
        put(
            &mut bytes,
            if n % 797 == 0 {
                within(900_000)
            } else {
                within(20_000)
            },
            4,
        );
    }
    for _ in 0..8 {
        put(&mut bytes, 0x6333_6a4a, 4);
        (0..16).for_each(|_| put(&mut bytes, within(9_000), 4));
        (0..16 * UNITS).for_each(|_| put(&mut bytes, within(20), 1));
        (0..32).for_each(|_| put(&mut bytes, within(9_000), 4));
        (0..32 * 32).for_each(|_| put(&mut bytes, within(127), 1));
        put(&mut bytes, within(9_000), 4);
        (0..32).for_each(|_| put(&mut bytes, within(127), 1));
    }
    assert_eq!(bytes.len(), bucket(8));
    bytes
}

/// The file's bytes.
pub struct Slow<'a>(pub &'a [u8]);

impl Slow<'_> {
    /// The piece-square part and what the layers say, for the side to move, in 16ths of Stockfish's unit, and the sums of the
    /// second layer.
    pub fn verdict(&self, position: &Position) -> (i64, i64, [i32; 16]) {
        let pieces: Vec<(Piece, Square)> = position
            .occupied()
            .into_iter()
            .map(|square| (position.piece_on(square).unwrap(), square))
            .collect();
        let number = (pieces.len() - 1) / 4;
        let mut layer = Vec::new();
        let mut piece_squares = Vec::new();
        for side in [position.side_to_move(), !position.side_to_move()] {
            let inputs: Vec<usize> = pieces
                .iter()
                .map(|&(piece, square)| input(side, position.king(side), piece, square))
                .collect();
            piece_squares.push(
                inputs
                    .iter()
                    .map(|&n| self.dword(piece_square() + 32 * n + 4 * number))
                    .sum::<i64>(),
            );
            let start = first_layer() + 4;
            let sum = |unit: usize| {
                let weight = |&n: &usize| self.word(start + 2 * UNITS + 2 * (n * UNITS + unit));
                inputs
                    .iter()
                    .map(weight)
                    .fold(self.word(start + 2 * unit), i16::wrapping_add)
            };
            let clipped: Vec<i64> = (0..UNITS)
                .map(|unit| i64::from(sum(unit)).clamp(0, 127))
                .collect();
            layer.extend((0..UNITS / 2).map(|n| clipped[n] * clipped[n + UNITS / 2] / 128));
        }
        let start = bucket(number) + 4;
        let second = self.dense(start, 16, &layer);
        let mut hidden: Vec<i64> = Vec::new();
        hidden.extend(second[..15].iter().map(|sum| (sum * sum / 4_096 / 128).min(127)));
        hidden.extend(second[..15].iter().map(|sum| sum.div_euclid(64).clamp(0, 127)));
        hidden.extend([0, 0]);
        let start = start + 16 * 4 + 16 * UNITS;
        let third = self.dense(start, 32, &hidden);
        let last: Vec<i64> = third.iter().map(|sum| sum.div_euclid(64).clamp(0, 127)).collect();
        let output = self.dense(start + 32 * 4 + 32 * 32, 1, &last)[0];
        let positional = output + second[15] * 9_600 / 8_128;
        let sums = std::array::from_fn(|unit| second[unit] as i32);
        ((piece_squares[0] - piece_squares[1]) / 2, positional, sums)
    }

    /// The sums of a layer: biases, then a row of weights for each unit.
    fn dense(&self, start: usize, units: usize, inputs: &[i64]) -> Vec<i64> {
        let weight =
            |unit: usize, n: usize| i64::from(self.0[start + 4 * units + unit * inputs.len() + n] as i8);
        let products = |unit| {
            inputs
                .iter()
                .enumerate()
                .map(move |(n, input)| input * weight(unit, n))
                .sum::<i64>()
        };
        (0..units)
            .map(|unit| self.dword(start + 4 * unit) + products(unit))
            .collect()
    }

    fn word(&self, at: usize) -> i16 {
        i16::from_le_bytes([self.0[at], self.0[at + 1]])
    }

    fn dword(&self, at: usize) -> i64 {
        i32::from_le_bytes(self.0[at..][..4].try_into().unwrap()).into()
    }
}

/// The input of a piece for a side with its king on this square.
fn input(side: Color, king: Square, piece: Piece, square: Square) -> usize {
    let seen = |square: Square| {
        let rank = if side == Color::White {
            square.index() / 8
        } else {
            7 - square.index() / 8
        };
        let mirrored = king.index() % 8 <= 3;
        let file = if mirrored {
            7 - square.index() % 8
        } else {
            square.index() % 8
        };
        (file, rank)
    };
    let (file, rank) = seen(king);
    // from h8 to e8, then the rank below
    let region = 4 * (7 - rank) + (7 - file);
    let kinds = [
        PieceType::Pawn,
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
    ];
    let plane = match kinds.iter().position(|&kind| kind == piece.kind()) {
        Some(kind) if piece.color() == side => 2 * kind,
        Some(kind) => 2 * kind + 1,
        None => 10,
    };
    let (file, rank) = seen(square);
    region * 704 + plane * 64 + rank * 8 + file
}
