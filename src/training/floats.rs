//! The numbers behind candle's tensors on the CPU, for operations of our own.

use candle_core::{CpuStorage, Layout, Result, Storage, Tensor, bail};

/// The floats of a contiguous f32 tensor on the CPU.
pub(super) fn floats<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match layout.contiguous_offsets() {
        Some((start, end)) => Ok(&storage.as_slice::<f32>()?[start..end]),
        None => bail!("this operation needs contiguous tensors"),
    }
}

/// Calls a function with the floats of f32 tensors on the CPU.
pub(super) fn with_floats<const N: usize, T>(
    tensors: [&Tensor; N],
    function: impl FnOnce([&[f32]; N]) -> Result<T>,
) -> Result<T> {
    let tensors = tensors.iter().map(|tensor| tensor.contiguous());
    let tensors = tensors.collect::<Result<Vec<_>>>()?;
    let held: Vec<_> = tensors.iter().map(Tensor::storage_and_layout).collect();
    let mut numbers: [&[f32]; N] = [&[]; N];
    for (numbers, (storage, layout)) in numbers.iter_mut().zip(&held) {
        *numbers = match &**storage {
            Storage::Cpu(storage) => floats(storage, layout)?,
            _ => bail!("this operation runs on the CPU"),
        };
    }
    function(numbers)
}

/// The floats of a contiguous f32 tensor on the CPU, to be changed.
pub(super) fn floats_mut<'a>(storage: &'a mut CpuStorage, layout: &Layout) -> Result<&'a mut [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(numbers), Some((start, end))) => Ok(&mut numbers[start..end]),
        _ => bail!("this operation needs contiguous tensors of f32"),
    }
}
