//! The devices on which candle computes.

use super::net::NetError;
pub use candle_core::Device;

/// Positions for one call of candle on the CPU: more gains little and delays the first score.
const BATCH: usize = 32;
/// The same on a GPU: about the children of a few nodes.
const BATCH_ON_GPU: usize = 256;

/// The best batch size for one call of candle on a device.
pub fn batch_size(device: &Device) -> usize {
    if device.is_cpu() { BATCH } else { BATCH_ON_GPU }
}

/// The requested device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    Cpu,
    /// The GPU, or the CPU with a note if no GPU can be used.
    Cuda,
    /// The GPU if this program was built for one and it can be used, else the CPU.
    #[default]
    Auto,
}

/// The device to use, and a one-line note if it is not the requested one.
pub fn choose(choice: DeviceChoice) -> (Device, Option<String>) {
    if choice == DeviceChoice::Cpu {
        return (Device::Cpu, None);
    }
    match cuda() {
        Ok(device) => (device, None),
        Err(reason) if choice == DeviceChoice::Cuda => {
            let note = format!("{reason}; using the CPU");
            (Device::Cpu, Some(note))
        }
        Err(_) => (Device::Cpu, None),
    }
}

/// The GPU, or why it cannot be used.
///
/// # Errors
/// [`NetError::NoGpu`]: the machine has no NVIDIA GPU, or no driver for it.
#[cfg(feature = "cuda")]
pub fn cuda() -> Result<Device, NetError> {
    let device = Device::new_cuda(0).map_err(|error| {
        // with backtraces enabled, candle's error has many more lines
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        NetError::NoGpu(format!("no NVIDIA GPU can be used: {first}"))
    })?;
    // TF32: ten bits of mantissa are enough here
    candle_core::cuda::set_gemm_reduced_precision_f32(true);
    Ok(device)
}

/// The GPU, or why it cannot be used.
///
/// # Errors
/// [`NetError::NoGpu`]: the program was built without the feature.
#[cfg(not(feature = "cuda"))]
pub fn cuda() -> Result<Device, NetError> {
    let reason = "this program was built without the feature cuda";
    Err(NetError::NoGpu(reason.into()))
}
