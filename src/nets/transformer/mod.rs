//! The transformer: the 64 squares as tokens, in encoder blocks whose attention has a bias for the geometry of the board.
//!
//! A token begins as what its square adds plus what each set plane adds there. Each block then does
//!
//! ```text
//! n = norm(token)                          RMSNorm: no mean, no gain (the products behind it hold the gain)
//! query, key, value, summary = project(n)
//! code = relu(code(summaries of all 64 tokens))
//! bias of a head = Σ mixture(code) · template           64 × 64 numbers
//! weights of a head = softmax(query · key + bias)       over the 64 keys; the weights hold the usual 1/√width
//! token += out(Σ weights · value, all heads side by side)
//! token += down(relu(up(norm(token))))
//! ```
//!
//! and the mean of the tokens after a last norm goes through dense layers to one output.
//!
//! The bias is what Monroe and Chalmers call geometric attention bias (Mastering Chess with a Transformer Model, arXiv
//! 2409.12272); they show that the position encoding of the attention decides how well a transformer plays. Which squares
//! are related depends on the position (an open file, a long diagonal), so that for each position the bias is mixed
//! from learned templates over pairs of squares. Our form is smaller: the templates are mixed in one step, are shared by
//! all blocks, and are initialized with the moves of the pieces.
//!
//! The norm is applied before each part (pre-norm), which makes training stable without a long warm-up (Xiong and
//! others, arXiv 2002.04745); RMSNorm without mean and gain works as well (Zhang and Sennrich, arXiv 1910.07467) in half
//! of the passes.

pub mod blocks;
pub mod encoder;
pub mod layers;
pub mod reference;
pub mod shape;
pub mod weights;

#[cfg(test)]
pub(crate) mod tests;

use super::kind::NetKind;
use super::net::{Net, NetError};
use super::reference::Reference;
use crate::board::Position;
use blocks::FastTransformer;
use candle_core::Device;
use reference::Transformer;

/// The name of this kind of network.
pub const KIND: &str = "transformer";

/// The entry in the registry of networks.
pub struct TransformerKind;

impl NetKind for TransformerKind {
    const NAME: &'static str = KIND;
    type Fast = FastTransformer;

    fn check(net: &Net) -> Result<(), NetError> {
        net.transformer().map(|_| ())
    }

    fn fast(net: &Net) -> Result<FastTransformer, NetError> {
        FastTransformer::new(net)
    }
}

impl Reference for TransformerKind {
    type Model = Transformer;

    fn reference(net: &Net, device: &Device) -> Result<Transformer, NetError> {
        Transformer::new(net, device)
    }

    fn outputs(model: &Transformer, positions: &[Position]) -> candle_core::Result<Vec<f32>> {
        Ok(model.sums(positions)?.into_iter().map(f32::tanh).collect())
    }
}
