//! The table of an instruction set: all loops, compiled for it. Each is a function with that target feature.

/// Defines the loops as functions compiled for an instruction set, and their table. The vocabulary must be a unit struct.
macro_rules! compiled {
    ($vocabulary:ident, $set:expr $(, #[$features:meta])?) => {
        $(#[$features])?
        fn accumulate(
            target: &mut [super::CacheLine],
            source: &[super::CacheLine],
            rows: super::Rows,
            added: &[u16],
            removed: &[u16],
        ) {
            super::accumulate::accumulate($vocabulary, target, source, rows, added, removed)
        }

        $(#[$features])?
        fn activate(
            sums: &[super::CacheLine],
            state: &[super::CacheLine],
            first: u16,
            outputs: &mut super::ActiveOutputs,
        ) {
            super::lists::activate($vocabulary, sums, state, first, outputs)
        }

        $(#[$features])?
        fn multiply(
            inputs: &mut super::ActiveOutputs,
            layer: super::ListLayer,
            sums: &mut [super::Sums],
            outputs: &mut super::ActiveOutputs,
        ) {
            super::lists::multiply($vocabulary, inputs, layer, sums, outputs)
        }

        $(#[$features])?
        fn activate_bytes(
            sums: &[super::CacheLine],
            state: &[super::CacheLine],
            activation: super::ByteActivation,
            first: usize,
            outputs: &mut super::ActiveBytes,
        ) {
            super::active_bytes::activate_bytes($vocabulary, sums, state, activation, first, outputs)
        }

        $(#[$features])?
        fn follow(
            update: super::Update,
            rows: super::Rows,
            state: &[super::CacheLine],
            activation: super::ByteActivation,
            first: usize,
            outputs: &mut super::ActiveBytes,
        ) {
            super::active_bytes::follow($vocabulary, update, rows, state, activation, first, outputs)
        }

        $(#[$features])?
        fn forward(inputs: &mut super::ActiveBytes, layers: &super::DenseLayers) -> [i32; 2] {
            super::dense::forward($vocabulary, inputs, layers)
        }

        const KERNELS: super::Kernels = super::Kernels {
            set: $set,
            accumulate,
            activate,
            multiply,
            activate_bytes,
            follow,
            forward,
        };
    };
}
pub(super) use compiled;
