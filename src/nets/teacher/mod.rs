//! The network of Stockfish 15.1 as a teacher: its value of a position, and the sums of its second layer, for other
//! networks to learn from.
//!
//! For each side the board is seen as it is from there, mirrored so that the side's king stands on the files e to h. Every
//! piece is an input for the square of that king. The first layer has 1,024 units a side, multiplied in pairs; what follows
//! is chosen by the number of pieces: 16 units, of which 15 go on, once squared and once as they are, to 32 and then to one
//! output. The 16th goes to the output directly. Beside that, each input has a piece-square value, and the difference of
//! both sides' sums is added in halves. All is in integers, and gives Stockfish's own numbers
//! (`tests/teacher.rs` compares them).

pub mod file;

pub use file::TeacherError;

use crate::arch::bytes::{ByteKernels, Dots};
use crate::arch::{CacheLine, InstructionSet, Kernels, Rows, SimdError};
use crate::board::{Changes, Color, Piece, PieceType, Position, Square};
use crate::nets::Evaluator;
use crate::nets::encoding::{View, seen_square};
use crate::nets::mlp::integer::accumulator::{AccumulatorCache, AccumulatorStack, PieceRows};
use crate::nets::score::{EVALUATION_LIMIT, Score};
use file::{BUCKETS, Bucket, KINGS, LINES, LOW_BITS, REGION_INPUTS, REGIONS, SECOND, THIRD, UNITS, Weights};
use std::path::Path;
use std::sync::Arc;

/// Units of the second layer that go on to the third.
pub const HIDDEN: usize = SECOND - 1;

/// The sum of a unit of the second layer that its clipped activation takes for 1: 127 steps of 2⁶.
const ONE: f64 = 127.0 * 64.0;

/// What one in the straight unit is worth, in the network's unit …
const STRAIGHT: i64 = 600 * 16;
/// … of which a pawn has so many: 361 of Stockfish 15.1's own, each 16 of the network's.
const PAWN: f64 = 361.0 * 16.0;

/// The evaluator. Clones share the weights, so that each thread can have one.
#[derive(Clone, Debug)]
pub struct Teacher {
    weights: Arc<Weights>,
    scale: f64,
    kernels: Kernels,
    bytes: ByteKernels,
    stack: AccumulatorStack,
    cache: AccumulatorCache,
}

/// What the network says of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The piece-square part.
    pub piece_square: i64,
    /// What the layers say, the straight unit included.
    pub positional: i64,
    /// The sums of the second layer, before their activation; the last is the straight unit's.
    pub sums: [i32; SECOND],
}

impl Verdict {
    /// The value in the network's unit, of which Stockfish's own unit has 16.
    pub fn value(&self) -> i64 {
        self.piece_square + self.positional
    }

    /// The value in centipawns, of which Stockfish's `eval` prints hundredths: 361 of its units are a pawn.
    pub fn centipawns(&self) -> f64 {
        self.value() as f64 * 100.0 / PAWN
    }

    /// The sums of the units that go on to the third layer, in the unit of their activation.
    pub fn sums_as_activated(&self) -> [f64; HIDDEN] {
        std::array::from_fn(|unit| f64::from(self.sums[unit]) / ONE)
    }

    /// What does not come through the third layer, the straight unit's and the piece-square part, in centipawns.
    pub fn straight_centipawns(&self) -> f64 {
        let straight = straight(self.sums[HIDDEN]) + self.piece_square;
        straight as f64 * 100.0 / PAWN
    }
}

/// What the sum of the straight unit adds to the output.
fn straight(sum: i32) -> i64 {
    i64::from(sum) * STRAIGHT / ONE as i64
}

impl Teacher {
    /// Reads the network from its file, to compute with the instruction set of [`InstructionSet::chosen`]. Scores of the
    /// evaluator are its centipawns times `scale`.
    ///
    /// # Errors
    /// [`TeacherError`] if the file is not this network, or the instruction set cannot be used.
    pub fn read(path: &Path, scale: f64) -> Result<Teacher, TeacherError> {
        let set = InstructionSet::chosen()?;
        Ok(Teacher::new(Weights::read(path)?, scale, set)?)
    }

    /// The evaluator of weights that were read.
    ///
    /// # Errors
    /// [`SimdError::Unavailable`] if this processor lacks the instruction set.
    pub fn new(weights: Weights, scale: f64, set: InstructionSet) -> Result<Teacher, SimdError> {
        let unavailable = SimdError::Unavailable(set);
        let mut teacher = Teacher {
            weights: Arc::new(weights),
            scale,
            kernels: set.kernels().ok_or(unavailable.clone())?,
            bytes: ByteKernels::of(set).ok_or(unavailable)?,
            stack: AccumulatorStack::new(LINES),
            cache: AccumulatorCache::new(LINES, REGIONS),
        };
        teacher.refresh(&Position::default());
        Ok(teacher)
    }

    /// The same evaluator with another instruction set.
    ///
    /// # Errors
    /// [`SimdError::Unavailable`] if this processor lacks it.
    pub fn to_instructions(&self, set: InstructionSet) -> Result<Teacher, SimdError> {
        let unavailable = SimdError::Unavailable(set);
        Ok(Teacher {
            kernels: set.kernels().ok_or(unavailable.clone())?,
            bytes: ByteKernels::of(set).ok_or(unavailable)?,
            ..self.clone()
        })
    }

    /// By what its centipawns are multiplied.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The first 12 digits of the file's SHA-256, by which Stockfish names its networks.
    pub fn digest(&self) -> &str {
        &self.weights.digest
    }

    /// What the network says of the position that the pushed moves led to.
    pub fn judge(&mut self, position: &Position) -> Verdict {
        self.judge_by(position, |teacher, view| {
            let Teacher {
                weights,
                kernels,
                stack,
                cache,
                ..
            } = teacher;
            stack.sums(kernels, &**weights, position, view, cache)
        })
    }

    /// The same of any position, independent of the pushed moves.
    pub fn judge_any(&mut self, position: &Position) -> Verdict {
        self.judge_by(position, |teacher, view| {
            teacher
                .cache
                .sums(&teacher.kernels, &*teacher.weights, position, view)
        })
    }

    /// Judges by the sums of the first layer, which `sums` gives for a view.
    #[inline(always)]
    fn judge_by(
        &mut self,
        position: &Position,
        sums: impl for<'a> Fn(&'a mut Teacher, View) -> &'a [CacheLine],
    ) -> Verdict {
        let number = bucket(position);
        let mut inputs = [0; UNITS];
        let mut piece_square = 0;
        let mover = position.side_to_move();
        for (side, inputs) in [mover, !mover]
            .into_iter()
            .zip(inputs.chunks_exact_mut(UNITS / 2))
        {
            let view = self.weights.view(side, position.king(side));
            let bytes = self.bytes;
            let sums = sums(self, view);
            let value = piece_square_sum(&sums[LINES - 1], number);
            piece_square += if side == mover { value } else { -value };
            bytes.pair_products(&sums[..LINES - 1], inputs);
        }
        let (positional, sums) = later_layers(self.bytes, &self.weights.buckets[number], &inputs);
        Verdict {
            // towards zero, as Stockfish does
            piece_square: piece_square / 2,
            positional,
            sums,
        }
    }

    /// The score of a verdict: its centipawns times the scale.
    pub fn score(&self, verdict: &Verdict) -> Score {
        let score = (verdict.centipawns() * self.scale).round() as Score;
        score.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }
}

/// The set of later layers: one for every four pieces.
fn bucket(position: &Position) -> usize {
    ((position.occupied().count() as usize).saturating_sub(1) / 4).min(BUCKETS - 1)
}

/// The piece-square value of one side, from the last line of its sums.
fn piece_square_sum(line: &CacheLine, bucket: usize) -> i64 {
    let (low, high) = (line.0[bucket], line.0[BUCKETS + bucket]);
    i64::from(low) + (i64::from(high) << LOW_BITS)
}

/// The output of the later layers, the straight unit included, and the sums of the second layer.
#[inline(always)]
fn later_layers(kernels: ByteKernels, layers: &Bucket, inputs: &[u8; UNITS]) -> (i64, [i32; SECOND]) {
    let mut sums = [Dots::ZERO];
    kernels.multiply(inputs, &layers.second, &layers.second_bias, &mut sums);
    let [Dots(sums)] = sums;
    let mut hidden = [0; 2 * SECOND];
    for (unit, &sum) in sums[..HIDDEN].iter().enumerate() {
        let square = (i64::from(sum) * i64::from(sum)) >> 19;
        hidden[unit] = square.min(127) as u8;
        hidden[HIDDEN + unit] = (sum >> 6).clamp(0, 127) as u8;
    }
    let mut third = [Dots::ZERO; 2];
    kernels.multiply(&hidden, &layers.third, &layers.third_bias, &mut third);
    let units = third.iter().flat_map(|dots| dots.0);
    let products = units
        .zip(layers.output)
        .map(|(sum, weight)| (sum >> 6).clamp(0, 127) * i32::from(weight));
    const { assert!(THIRD == 2 * crate::arch::DOTS) };
    let output = i64::from(layers.output_bias) + i64::from(products.sum::<i32>());
    (output + straight(sums[HIDDEN]), sums)
}

impl PieceRows for Weights {
    #[inline]
    fn view(&self, side: Color, king: Square) -> View {
        let mut view = View::mirrored_by_king(side, king);
        view.region = file::region_of_square(seen_square(view, king)) as u8;
        view
    }

    #[inline]
    fn row(&self, view: View, piece: Piece, square: Square) -> u16 {
        let first = match piece.kind() {
            PieceType::King => KINGS,
            kind => 128 * kind as usize + if piece.color() == view.side { 0 } else { 64 },
        };
        (view.region as usize * REGION_INPUTS + first + seen_square(view, square)) as u16
    }

    #[inline]
    fn rows(&self) -> Rows<'_> {
        Rows::Words(&self.rows)
    }
}

impl Evaluator for Teacher {
    fn refresh(&mut self, position: &Position) {
        self.stack.refresh(&self.kernels, &*self.weights, position);
    }

    #[inline]
    fn push(&mut self, changes: Changes) {
        self.stack.push(&*self.weights, changes);
    }

    #[inline]
    fn pop(&mut self) {
        self.stack.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        let verdict = self.judge(position);
        self.score(&verdict)
    }

    fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        for position in positions {
            let verdict = self.judge_any(position);
            scores.push(self.score(&verdict));
        }
    }
}
