//! The registry of the kinds of network. A new kind is a folder beside `mlp` and `cnn`, and a line here.

use super::Evaluator;
use super::file::read_bytes;
use super::kind::{Backend, EvaluatorVisitor, Method, NetKind};
use super::net::{Net, NetError, NetInfo};
use super::reference::Reference;
use crate::arch::InstructionSet;
#[cfg(feature = "lab")]
use crate::board::Position;
use crate::support::threads;
use std::path::Path;

/// A kind without its types.
pub struct KindEntry {
    /// [`NetKind::NAME`].
    pub name: &'static str,
    check: fn(&Net) -> Result<(), NetError>,
    follows_search: bool,
    is_rules: bool,
    memory: u64,
}

impl KindEntry {
    const fn of<K: NetKind>() -> KindEntry {
        KindEntry {
            name: K::NAME,
            check: K::check,
            follows_search: K::FOLLOWS_SEARCH,
            is_rules: K::IS_RULES,
            memory: K::MEMORY,
        }
    }
}

/// Lists the kinds and finds the one of a net.
macro_rules! kinds {
    ($($kind:ty,)*) => {
        pub const KINDS: &[KindEntry] = &[$(KindEntry::of::<$kind>()),*];

        /// Makes the evaluator of a net and runs generic code with it, so that the search calls it without dynamic
        /// dispatch.
        ///
        /// # Errors
        /// [`NetError`] if the net cannot be computed in this way; the visitor is then not called.
        pub fn with_evaluator<V: EvaluatorVisitor>(
            net: &Net,
            backend: Backend,
            visitor: V,
        ) -> Result<V::Output, NetError> {
            match net.info.architecture.kind.as_str() {
                $(<$kind>::NAME => load::<$kind, V>(net, backend, visitor),)*
                other => Err(unknown(other)),
            }
        }

        /// What a net gives for positions, computed by candle: after tanh (-1 to 1), from the net's own point of view.
        ///
        /// # Errors
        /// [`NetError`] if the net cannot be computed.
        #[cfg(feature = "lab")]
        pub fn outputs(net: &Net, positions: &[Position]) -> Result<Vec<f32>, NetError> {
            match net.info.architecture.kind.as_str() {
                $(<$kind>::NAME => <$kind>::outputs_of(net, positions),)*
                other => Err(unknown(other)),
            }
        }
    };
}

#[cfg(feature = "lab")]
kinds! {
    super::mlp::MlpKind,
    super::cnn::CnnKind,
    super::transformer::TransformerKind,
    super::control::ControlKind,
    super::heuristics::kind::HeuristicsKind,
    super::regressor::kind::RegressorKind,
}

#[cfg(not(feature = "lab"))]
kinds! {
    super::mlp::MlpKind,
}

/// Whether nets of this one's kind are updated move by move, and so are fast enough for a full search.
pub fn follows_search(net: &NetInfo) -> bool {
    entry(&net.architecture.kind).is_ok_and(|entry| entry.follows_search)
}

/// How the evaluator of a net is computed with this backend, for one that [`with_evaluator`] makes.
pub fn method(net: &Net, backend: Backend) -> Method {
    let kind = entry(&net.info.architecture.kind);
    match backend {
        _ if kind.is_ok_and(|kind| kind.is_rules) => Method::Rules,
        Backend::Auto | Backend::Incremental if follows_search(&net.info) => {
            // an unavailable instruction set was refused when the net was loaded
            Method::Incremental(InstructionSet::chosen().unwrap_or(InstructionSet::Scalar))
        }
        Backend::Auto | Backend::Incremental => Method::Blocks,
        Backend::Bfloat16 => Method::MatrixUnit,
        Backend::Candle => Method::Candle,
        Backend::Cuda => Method::Gpu,
    }
}

/// The evaluator of a net as a trait object, for callers that evaluate batches and not every node of a search.
///
/// # Errors
/// [`NetError`] if the net cannot be computed in this way.
pub fn evaluator(net: &Net, backend: Backend) -> Result<Box<dyn Evaluator>, NetError> {
    with_evaluator(net, backend, IntoBox)
}

struct IntoBox;

impl EvaluatorVisitor for IntoBox {
    type Output = Box<dyn Evaluator>;

    fn visit<E: Evaluator + Clone + Send + 'static>(self, evaluator: E) -> Box<dyn Evaluator> {
        Box::new(evaluator)
    }
}

fn load<K: Reference, V: EvaluatorVisitor>(
    net: &Net,
    backend: Backend,
    visitor: V,
) -> Result<V::Output, NetError> {
    if !(K::FOLLOWS_SEARCH && matches!(backend, Backend::Auto | Backend::Incremental)) {
        // all others share batches among threads
        threads::ensure()?;
    }
    match backend {
        Backend::Incremental if !K::FOLLOWS_SEARCH => {
            let reason = format!(
                "a net of the kind {} has no incremental form: set Backend to auto or candle",
                K::NAME
            );
            Err(NetError::Backend(reason))
        }
        Backend::Auto | Backend::Incremental => Ok(visitor.visit(K::fast(net)?)),
        Backend::Bfloat16 => K::visit_in_bfloat16(net, visitor),
        Backend::Candle => K::visit_on_cpu(net, visitor),
        Backend::Cuda => K::visit_on_gpu(net, visitor),
    }
}

/// The entry of a kind.
fn entry(kind: &str) -> Result<&'static KindEntry, NetError> {
    KINDS
        .iter()
        .find(|entry| entry.name == kind)
        .ok_or_else(|| unknown(kind))
}

fn unknown(kind: &str) -> NetError {
    let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    NetError::UnknownKind {
        found: kind.to_string(),
        known: known.join(", "),
        hint: if cfg!(feature = "lab") {
            ""
        } else {
            "; for the other kinds build with `cargo build --release --features lab`"
        },
    }
}

impl Net {
    /// Reads a net file.
    ///
    /// # Errors
    /// [`NetError`] if it cannot be read, or [`Net::from_bytes`] refuses it.
    pub fn read(path: &Path) -> Result<Net, NetError> {
        Net::from_bytes(&read_bytes(path, |kind| Ok(entry(kind)?.memory))?)
    }

    /// Reads a net from the contents of its file and checks every tensor against the layout.
    ///
    /// # Errors
    /// [`NetError`] for the first fault.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        checked(Net::parse(bytes)?)
    }
}

/// The net, once every tensor was checked against the layout.
pub(super) fn checked(net: Net) -> Result<Net, NetError> {
    (entry(&net.info.architecture.kind)?.check)(&net)?;
    Ok(net)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::built_in::BUILT_IN;

    #[test]
    fn every_kind_is_computed_and_others_are_named() {
        let mut net = Net::from_bytes(BUILT_IN[0].bytes).unwrap();
        for entry in KINDS {
            // a net of another kind: its tensors may be missing, its kind is not
            net.info.architecture.kind = entry.name.to_string();
            let answer = evaluator(&net, Backend::Auto);
            assert!(
                !matches!(answer, Err(NetError::UnknownKind { .. })),
                "{}",
                entry.name
            );
        }
        let names: Vec<&str> = KINDS.iter().map(|entry| entry.name).collect();
        net.info.architecture.kind = "rnn".to_string();
        let refused = evaluator(&net, Backend::Auto).err().expect("refused").to_string();
        assert!(
            refused.contains("`rnn`") && refused.contains(&format!("it knows {}", names.join(", "))),
            "{refused}"
        );
    }
}
