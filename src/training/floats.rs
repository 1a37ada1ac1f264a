//! The numbers behind candle's tensors on the CPU, for operations of our own.

use candle_core::{CpuStorage, Layout, Result, Storage, Tensor, bail};

/// The floats of a contiguous f32 tensor on the CPU.
pub(super) fn floats<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match layout.contiguous_offsets() {
        Some((start, end)) => Ok(&storage.as_slice::<f32>()?[start..end]),
        None => bail!("this operation needs contiguous tensors"),
    }
}

/// Calls a function with the floats of a contiguous f32 tensor on the CPU.
pub(super) fn with_floats<T>(tensor: &Tensor, function: impl FnOnce(&[f32]) -> Result<T>) -> Result<T> {
    let tensor = tensor.contiguous()?;
    let (storage, layout) = tensor.storage_and_layout();
    match &*storage {
        Storage::Cpu(storage) => function(floats(storage, layout)?),
        _ => bail!("this operation runs on the CPU"),
    }
}

/// The floats of a contiguous f32 tensor on the CPU, to be changed.
pub(super) fn floats_mut<'a>(storage: &'a mut CpuStorage, layout: &Layout) -> Result<&'a mut [f32]> {
    match (storage, layout.contiguous_offsets()) {
        (CpuStorage::F32(numbers), Some((start, end))) => Ok(&mut numbers[start..end]),
        _ => bail!("this operation needs contiguous tensors of f32"),
    }
}
