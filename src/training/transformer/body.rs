//! The whole transformer in training as one operation, forwards and backwards, on all threads of the CPU.
//!
//! No position looks at another, so each thread takes a share of the batch through the network in small chunks, with
//! the same forward pass as in play, and then backward. The plain form in candle's operations, for other devices and as
//! the reference, is [`crate::nets::transformer::reference::forward`].

use super::back::{linear_back, normalise_back, relu_back, softmax_back};
use crate::arch::product::{Matrix, product};
use crate::board::Bitboard;
use crate::nets::transformer::encoder::{ATTENTION, BlockTape, CHUNK, NormTape, PAIRS, Planes, Tape};
use crate::nets::transformer::layers::add;
use crate::nets::transformer::shape::{CODE, SQUARES, SUMMARY};
use crate::nets::transformer::weights::{BlockPlan, TransformerPlan};
use crate::training::floats::{floats, with_floats};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};
use pulp::Arch;
use rayon::prelude::*;
use std::sync::{Arc, Mutex};

/// The network's plan, and tapes that are used over and over.
pub struct Body {
    plan: TransformerPlan,
    tapes: Mutex<Vec<Tape>>,
}

impl Body {
    /// The body of a plan.
    pub fn new(plan: TransformerPlan) -> Body {
        Body {
            plan,
            tapes: Mutex::default(),
        }
    }

    pub fn plan(&self) -> &TransformerPlan {
        &self.plan
    }

    /// The outputs before tanh of positions, for all parameters in one row.
    pub fn outputs(&self, values: &[f32], positions: &[Planes]) -> Vec<f32> {
        let chunks = positions.par_chunks(CHUNK);
        let outputs = chunks.map_init(Tape::for_playing, |tape, positions| {
            self.plan.forward(values, positions, tape);
            tape.outputs().to_vec()
        });
        outputs.flatten_iter().collect()
    }

    fn take(&self) -> Tape {
        let taken = self.tapes.lock().expect("no thread panics with the lock").pop();
        taken.unwrap_or_else(|| Tape::for_training(&self.plan))
    }
}

/// One forward and backward pass.
struct Pass {
    body: Arc<Body>,
    positions: Arc<Vec<Planes>>,
    /// What each chunk left on its way forward.
    tapes: Mutex<Vec<Tape>>,
}

/// The outputs before tanh (positions), for all parameters in one row; the gradients are those of the parameters.
///
/// # Errors
/// If there are not so many parameters, or they are not plain f32 on the CPU.
pub fn forward(body: &Arc<Body>, parameters: &Tensor, positions: &Arc<Vec<Planes>>) -> Result<Tensor> {
    if parameters.dims() != [body.plan.length()] {
        bail!(
            "{:?} parameters for a transformer of {}",
            parameters.dims(),
            body.plan.length()
        );
    }
    parameters.apply_op1(Pass {
        body: body.clone(),
        positions: positions.clone(),
        tapes: Mutex::default(),
    })
}

impl CustomOp1 for Pass {
    fn name(&self) -> &'static str {
        "transformer"
    }

    fn cpu_fwd(&self, parameters: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let values = floats(parameters, layout)?;
        let tapes: Vec<Tape> = self
            .positions
            .par_chunks(CHUNK)
            .map(|positions| {
                let mut tape = self.body.take();
                self.body.plan.forward(values, positions, &mut tape);
                tape
            })
            .collect();
        let outputs: Vec<f32> = tapes.iter().flat_map(Tape::outputs).copied().collect();
        *self.tapes.lock().expect("no thread panics with the lock") = tapes;
        let shape = Shape::from(outputs.len());
        Ok((CpuStorage::F32(outputs), shape))
    }

    /// Each thread has its share of the chunks, so that the sums come out the same in every run with as many threads.
    fn bwd(&self, parameters: &Tensor, _: &Tensor, gradients: &Tensor) -> Result<Option<Tensor>> {
        let tapes = std::mem::take(&mut *self.tapes.lock().expect("no thread panics with the lock"));
        if tapes.len() != self.positions.len().div_ceil(CHUNK) {
            bail!("a transformer goes backwards once after each way forward");
        }
        let share = tapes.len().div_ceil(rayon::current_num_threads()).max(1);
        let sums = with_floats([parameters, gradients], |[values, gradients]| {
            let parts = tapes
                .par_chunks(share)
                .zip(self.positions.par_chunks(share * CHUNK))
                .zip(gradients.par_chunks(share * CHUNK))
                .map(|((tapes, positions), gradients)| {
                    let mut way = WayBack::new(&self.body.plan, values);
                    let chunks = tapes.iter().zip(positions.chunks(CHUNK));
                    for ((tape, positions), gradients) in chunks.zip(gradients.chunks(CHUNK)) {
                        way.chunk(tape, positions, gradients);
                    }
                    way.sums
                });
            let parts: Vec<Vec<f32>> = parts.collect();
            Ok(parts.into_iter().reduce(|mut sums, part| {
                add(&mut sums, &part);
                sums
            }))
        })?;
        let mut kept = self.body.tapes.lock().expect("no thread panics with the lock");
        kept.extend(tapes);
        let sums = sums.unwrap_or_else(|| vec![0.0; self.body.plan.length()]);
        Ok(Some(Tensor::from_vec(
            sums,
            parameters.shape(),
            parameters.device(),
        )?))
    }
}

/// One thread's backward pass, with its scratch space.
struct WayBack<'a> {
    plan: &'a TransformerPlan,
    values: &'a [f32],
    /// The gradients of all parameters so far.
    sums: Vec<f32>,
    /// Of the tokens between the parts of the network.
    tokens: Vec<f32>,
    normal: Vec<f32>,
    hidden: Vec<f32>,
    gathered: Vec<f32>,
    attention: Vec<f32>,
    mixture: Vec<f32>,
    code: Vec<f32>,
    summaries: Vec<f32>,
    projected: Vec<f32>,
}

/// The buffer resized to this length; its contents are unspecified.
fn room(buffer: &mut Vec<f32>, length: usize) -> &mut [f32] {
    buffer.resize(length, 0.0);
    buffer
}

impl<'a> WayBack<'a> {
    fn new(plan: &'a TransformerPlan, values: &'a [f32]) -> WayBack<'a> {
        WayBack {
            plan,
            values,
            sums: vec![0.0; values.len()],
            tokens: Vec::new(),
            normal: Vec::new(),
            hidden: Vec::new(),
            gathered: Vec::new(),
            attention: Vec::new(),
            mixture: Vec::new(),
            code: Vec::new(),
            summaries: Vec::new(),
            projected: Vec::new(),
        }
    }

    /// Adds the gradients of the parameters for one chunk, from those of its outputs.
    fn chunk(&mut self, tape: &Tape, positions: &[Planes], outputs_back: &[f32]) {
        self.dense(tape, outputs_back);
        for (block, tape) in self.plan.blocks.iter().zip(&tape.blocks).rev() {
            self.feed_forward(block, tape);
            self.attend(block, tape);
        }
        self.embed(positions);
    }

    /// Back through the dense layers, the pooling and the last norm.
    fn dense(&mut self, tape: &Tape, outputs_back: &[f32]) {
        let mut gradients = outputs_back.to_vec();
        for (number, layer) in self.plan.dense.iter().enumerate().rev() {
            if number + 1 < self.plan.dense.len() {
                relu_back(&tape.dense[number + 1], &mut gradients);
            }
            let mut before = vec![0.0; tape.positions * layer.inputs];
            linear_back(
                self.values,
                &mut self.sums,
                layer,
                &tape.dense[number],
                &gradients,
                &mut before,
            );
            gradients = before;
        }
        let width = self.plan.shape.width;
        self.normal.clear();
        for mean in gradients.chunks_exact(width) {
            for _ in 0..SQUARES {
                self.normal.extend(mean.iter().map(|x| x / SQUARES as f32));
            }
        }
        self.tokens.clear();
        self.tokens.resize(self.normal.len(), 0.0);
        self.norm(&tape.last_norm);
    }

    /// Adds to the gradients of the tokens what comes back through a norm.
    fn norm(&mut self, tape: &NormTape) {
        let width = self.plan.shape.width;
        normalise_back(&tape.normal, &tape.factors, width, &self.normal, &mut self.tokens);
    }

    fn feed_forward(&mut self, block: &BlockPlan, tape: &BlockTape) {
        let hidden = room(&mut self.hidden, tape.hidden.len());
        linear_back(
            self.values,
            &mut self.sums,
            &block.down,
            &tape.hidden,
            &self.tokens,
            hidden,
        );
        relu_back(&tape.hidden, hidden);
        let normal = room(&mut self.normal, self.tokens.len());
        linear_back(
            self.values,
            &mut self.sums,
            &block.up,
            &tape.second_norm.normal,
            hidden,
            normal,
        );
        self.norm(&tape.second_norm);
    }

    fn attend(&mut self, block: &BlockPlan, tape: &BlockTape) {
        let gathered = room(&mut self.gathered, tape.gathered.len());
        linear_back(
            self.values,
            &mut self.sums,
            &block.out,
            &tape.gathered,
            &self.tokens,
            gathered,
        );
        self.heads(tape);
        self.bias(block, tape);
        let normal = room(&mut self.normal, self.tokens.len());
        linear_back(
            self.values,
            &mut self.sums,
            &block.project,
            &tape.first_norm.normal,
            &self.projected,
            normal,
        );
        self.norm(&tape.first_norm);
    }

    /// From what the heads gathered to queries, keys and values, and to the sums that the softmax was given.
    fn heads(&mut self, tape: &BlockTape) {
        let attention_back = room(&mut self.attention, tape.attention.len());
        let projected_back = room(&mut self.projected, tape.projected.len());
        let positions = tape.attention.len() / (self.plan.shape.heads * PAIRS);
        for head in self.plan.heads(positions) {
            let gathered = (&self.gathered[head.gathered..], head.gathered_shape);
            let attention = &tape.attention[head.attention..][..PAIRS];
            let back = &mut attention_back[head.attention..][..PAIRS];
            let part = |number: usize| (&tape.projected[head.projected[number]..], head.projected_shape);
            let [queries, keys, values] = [part(0), part(1), part(2)];
            product(
                (back, ATTENTION),
                gathered,
                (values.0, values.1.transposed()),
                false,
            );
            softmax_back(attention, back);
            let mut write = |number: usize, left, right| {
                let to = &mut projected_back[head.projected[number]..];
                product((to, head.projected_shape), left, right, false);
            };
            write(0, (&*back, ATTENTION), keys);
            write(1, (&*back, ATTENTION.transposed()), queries);
            write(2, (attention, ATTENTION.transposed()), gathered);
        }
    }

    /// From the sums that the softmax was given to templates, mixture, code and summaries.
    fn bias(&mut self, block: &BlockPlan, tape: &BlockTape) {
        let shape = &self.plan.shape;
        let rows = tape.attention.len() / PAIRS;
        let attention = (&self.attention[..], Matrix::new(rows, PAIRS, PAIRS));
        let mixture_shape = Matrix::new(rows, shape.templates, shape.templates);
        let templates_shape = Matrix::new(shape.templates, PAIRS, PAIRS);
        product(
            (&mut self.sums[self.plan.templates.clone()], templates_shape),
            (&tape.mixture, mixture_shape.transposed()),
            attention,
            true,
        );
        let mixture = room(&mut self.mixture, tape.mixture.len());
        product(
            (mixture, mixture_shape),
            attention,
            (
                &self.values[self.plan.templates.clone()],
                templates_shape.transposed(),
            ),
            false,
        );
        let code = room(&mut self.code, rows / shape.heads * CODE);
        linear_back(
            self.values,
            &mut self.sums,
            &block.mixture,
            &tape.code,
            mixture,
            code,
        );
        relu_back(&tape.code, code);
        let summaries = room(&mut self.summaries, tape.summaries.len());
        linear_back(
            self.values,
            &mut self.sums,
            &block.code,
            &tape.summaries,
            code,
            summaries,
        );
        let tokens = self.projected.chunks_exact_mut(shape.projected());
        for (token, summary) in tokens.zip(summaries.chunks_exact(SUMMARY)) {
            token[3 * shape.width..].copy_from_slice(summary);
        }
    }

    /// To what squares and planes add to tokens.
    fn embed(&mut self, positions: &[Planes]) {
        let width = self.plan.shape.width;
        let tokens = self.tokens.chunks_exact(SQUARES * width);
        Arch::new().dispatch(|| {
            for (planes, tokens) in positions.iter().zip(tokens) {
                add(&mut self.sums[self.plan.squares.clone()], tokens);
                let sums = self.sums[self.plan.planes.clone()].chunks_exact_mut(width);
                for (set, sums) in planes.iter().zip(sums) {
                    for square in Bitboard(*set) {
                        add(sums, &tokens[square.index() * width..][..width]);
                    }
                }
            }
        });
    }
}
