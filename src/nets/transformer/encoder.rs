//! A transformer's forward pass on the CPU, for a few positions at a time on one thread: in play, and in training, where
//! it keeps what the backward pass needs.

use super::layers::{Target, add, linear, normalise, relu, softmax};
use super::shape::{CODE, SQUARES, SUMMARY};
use super::weights::{BlockPlan, TransformerPlan};
use crate::arch::product::{Matrix, product};
use crate::board::Bitboard;
use crate::nets::encoding::PLANES;

/// The planes of a position, see [`crate::nets::encoding::plane_boards`].
pub type Planes = [u64; PLANES];

/// Positions to compute together: their activations fit in the cache.
pub const CHUNK: usize = 8;

/// Numbers of a template, and of a head's attention.
pub const PAIRS: usize = SQUARES * SQUARES;

/// A head of one position: the offsets and layouts of its matrices among those of all positions.
#[derive(Clone, Copy, Debug)]
pub struct HeadPlaces {
    /// Where its attention (64 × 64) begins.
    pub attention: usize,
    /// Where its queries, keys and values begin in the projected tokens.
    pub projected: [usize; 3],
    pub projected_shape: Matrix,
    /// Where what it gathers begins.
    pub gathered: usize,
    /// The shape of that.
    pub gathered_shape: Matrix,
}

/// The shape of an attention.
pub const ATTENTION: Matrix = Matrix::new(SQUARES, SQUARES, SQUARES);

impl TransformerPlan {
    /// The heads of so many positions.
    pub fn heads(&self, positions: usize) -> impl Iterator<Item = HeadPlaces> + use<> {
        let (width, heads, projected) = (self.shape.width, self.shape.heads, self.shape.projected());
        let of_head = self.shape.head_width();
        (0..positions * heads).map(move |number| {
            let (position, head) = (number / heads, number % heads);
            let start = position * SQUARES * projected + head * of_head;
            HeadPlaces {
                attention: number * PAIRS,
                projected: [start, start + width, start + 2 * width],
                projected_shape: Matrix::new(SQUARES, of_head, projected),
                gathered: position * SQUARES * width + head * of_head,
                gathered_shape: Matrix::new(SQUARES, of_head, width),
            }
        })
    }
}

/// The result of a norm.
#[derive(Clone, Debug, Default)]
pub struct NormTape {
    /// The normalized tokens.
    pub normal: Vec<f32>,
    /// The factor of each token.
    pub factors: Vec<f32>,
}

impl NormTape {
    fn run(&mut self, tokens: &[f32], width: usize) {
        self.normal.resize(tokens.len(), 0.0);
        self.factors.resize(tokens.len() / width, 0.0);
        normalise(tokens, width, &mut self.normal, &mut self.factors);
    }
}

/// The activations of a block; one row for each token or position.
#[derive(Clone, Debug, Default)]
pub struct BlockTape {
    /// Before the attention.
    pub first_norm: NormTape,
    /// Queries, keys, values and summary of each token.
    pub projected: Vec<f32>,
    /// The summaries alone: positions × 64 · [`SUMMARY`].
    pub summaries: Vec<f32>,
    /// Positions × [`CODE`], after ReLU.
    pub code: Vec<f32>,
    /// Positions × heads × templates.
    pub mixture: Vec<f32>,
    /// Positions × heads × 64 × 64, after the softmax.
    pub attention: Vec<f32>,
    /// The heads' outputs for each token.
    pub gathered: Vec<f32>,
    /// Before the feed-forward part.
    pub second_norm: NormTape,
    /// Feed-forward units, after ReLU.
    pub hidden: Vec<f32>,
}

/// The activations of a forward pass, reusable from call to call.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// The number of positions.
    pub positions: usize,
    /// The tokens as they are now (positions × 64 × width).
    tokens: Vec<f32>,
    /// One for each block, or one that all of them use.
    pub blocks: Vec<BlockTape>,
    /// Before the pooling.
    pub last_norm: NormTape,
    /// What each dense layer was given, and the outputs before tanh, one for each position.
    pub dense: Vec<Vec<f32>>,
}

impl Tape {
    /// A tape for playing: what a block computed is overwritten by the next.
    pub fn for_playing() -> Tape {
        Tape {
            blocks: vec![BlockTape::default()],
            ..Tape::default()
        }
    }

    /// A tape that keeps what each block computed.
    pub fn for_training(plan: &TransformerPlan) -> Tape {
        Tape {
            blocks: vec![BlockTape::default(); plan.blocks.len()],
            ..Tape::default()
        }
    }

    /// The outputs before tanh, one for each position.
    pub fn outputs(&self) -> &[f32] {
        self.dense.last().map_or(&[], Vec::as_slice)
    }
}

impl TransformerPlan {
    /// Computes positions with the network whose parameters are `values`.
    pub fn forward(&self, values: &[f32], positions: &[Planes], tape: &mut Tape) {
        let width = self.shape.width;
        tape.positions = positions.len();
        tape.tokens.resize(positions.len() * SQUARES * width, 0.0);
        self.embed(values, positions, &mut tape.tokens);
        let last = tape.blocks.len() - 1;
        for (number, block) in self.blocks.iter().enumerate() {
            let mine = &mut tape.blocks[number.min(last)];
            self.attend(values, block, &mut tape.tokens, mine);
            let BlockTape {
                second_norm, hidden, ..
            } = mine;
            second_norm.run(&tape.tokens, width);
            hidden.resize(tape.tokens.len() / width * self.shape.feed_forward, 0.0);
            linear(values, &block.up, &second_norm.normal, hidden, Target::Replace);
            relu(hidden);
            linear(values, &block.down, hidden, &mut tape.tokens, Target::Add);
        }
        tape.last_norm.run(&tape.tokens, width);
        tape.dense.resize(self.dense.len() + 1, Vec::new());
        pool(&tape.last_norm.normal, width, &mut tape.dense[0]);
        for (number, layer) in self.dense.iter().enumerate() {
            let (before, after) = tape.dense.split_at_mut(number + 1);
            let outputs = &mut after[0];
            outputs.resize(positions.len() * layer.outputs, 0.0);
            linear(values, layer, &before[number], outputs, Target::Replace);
            if number + 1 < self.dense.len() {
                relu(outputs);
            }
        }
    }

    /// The tokens of positions: what the square adds and what each set plane adds.
    fn embed(&self, values: &[f32], positions: &[Planes], tokens: &mut [f32]) {
        let width = self.shape.width;
        let (planes, squares) = (&values[self.planes.clone()], &values[self.squares.clone()]);
        for (position, tokens) in positions.iter().zip(tokens.chunks_exact_mut(SQUARES * width)) {
            tokens.copy_from_slice(squares);
            for (set, more) in position.iter().zip(planes.chunks_exact(width)) {
                for square in Bitboard(*set) {
                    add(&mut tokens[square.index() * width..][..width], more);
                }
            }
        }
    }

    /// The attention of a block, added to the tokens.
    fn attend(&self, values: &[f32], block: &BlockPlan, tokens: &mut [f32], tape: &mut BlockTape) {
        let (width, projected) = (self.shape.width, self.shape.projected());
        let rows = tokens.len() / width;
        let positions = rows / SQUARES;
        tape.first_norm.run(tokens, width);
        tape.projected.resize(rows * projected, 0.0);
        linear(
            values,
            &block.project,
            &tape.first_norm.normal,
            &mut tape.projected,
            Target::Replace,
        );
        self.bias(values, block, positions, tape);
        tape.gathered.resize(tokens.len(), 0.0);
        for head in self.heads(positions) {
            let [queries, keys, of_values] = head.projected.map(|start| &tape.projected[start..]);
            let attention = &mut tape.attention[head.attention..][..PAIRS];
            product(
                (attention, ATTENTION),
                (queries, head.projected_shape),
                (keys, head.projected_shape.transposed()),
                true,
            );
            softmax(attention);
            product(
                (&mut tape.gathered[head.gathered..], head.gathered_shape),
                (attention, ATTENTION),
                (of_values, head.projected_shape),
                false,
            );
        }
        linear(values, &block.out, &tape.gathered, tokens, Target::Add);
    }

    /// The bias of every head, where the attention will stand.
    fn bias(&self, values: &[f32], block: &BlockPlan, positions: usize, tape: &mut BlockTape) {
        let (heads, templates) = (self.shape.heads, self.shape.templates);
        tape.summaries.clear();
        for token in tape.projected.chunks_exact(self.shape.projected()) {
            tape.summaries.extend_from_slice(&token[3 * self.shape.width..]);
        }
        debug_assert_eq!(tape.summaries.len(), positions * SQUARES * SUMMARY);
        tape.code.resize(positions * CODE, 0.0);
        linear(
            values,
            &block.code,
            &tape.summaries,
            &mut tape.code,
            Target::Replace,
        );
        relu(&mut tape.code);
        tape.mixture.resize(positions * heads * templates, 0.0);
        linear(
            values,
            &block.mixture,
            &tape.code,
            &mut tape.mixture,
            Target::Replace,
        );
        tape.attention.resize(positions * heads * PAIRS, 0.0);
        product(
            (&mut tape.attention, Matrix::new(positions * heads, PAIRS, PAIRS)),
            (
                &tape.mixture,
                Matrix::new(positions * heads, templates, templates),
            ),
            (
                &values[self.templates.clone()],
                Matrix::new(templates, PAIRS, PAIRS),
            ),
            false,
        );
    }
}

/// The mean token of each position.
fn pool(tokens: &[f32], width: usize, means: &mut Vec<f32>) {
    means.clear();
    means.resize(tokens.len() / SQUARES, 0.0);
    for (tokens, mean) in tokens
        .chunks_exact(SQUARES * width)
        .zip(means.chunks_exact_mut(width))
    {
        tokens.chunks_exact(width).for_each(|token| add(mean, token));
        mean.iter_mut().for_each(|x| *x /= SQUARES as f32);
    }
}
