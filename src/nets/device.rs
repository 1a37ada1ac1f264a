//! Where candle computes.

pub use candle_core::Device;

/// Positions for one call of candle on the processor: more gains little there and delays the first score.
const BATCH: usize = 32;
/// The same on a graphics processor, about what the children of a few nodes make.
const BATCH_ON_GPU: usize = 256;

/// How many positions one call of candle should hold on a device.
pub fn batch_size(device: &Device) -> usize {
    if device.is_cpu() { BATCH } else { BATCH_ON_GPU }
}

/// What was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The processor.
    Cpu,
    /// The graphics processor; the processor, with a line that says so, where there is none.
    Cuda,
    /// The graphics processor if this program was built for one and there is one.
    #[default]
    Auto,
}

/// The device to use, and one line if it is not the one that was asked for.
pub fn choose(choice: DeviceChoice) -> (Device, Option<String>) {
    if choice == DeviceChoice::Cpu {
        return (Device::Cpu, None);
    }
    match cuda() {
        Ok(device) => (device, None),
        Err(reason) if choice == DeviceChoice::Cuda => {
            let note = format!("{reason}; the CPU does it");
            (Device::Cpu, Some(note))
        }
        Err(_) => (Device::Cpu, None),
    }
}

/// The graphics processor, or why there is none.
///
/// # Errors
/// A line: the machine has no such processor, or no driver for it.
#[cfg(feature = "cuda")]
pub fn cuda() -> Result<Device, String> {
    let device = Device::new_cuda(0).map_err(|error| {
        // where backtraces are on, candle's error goes on for pages
        let text = error.to_string();
        format!(
            "no NVIDIA GPU can be used: {}",
            text.lines().next().unwrap_or_default()
        )
    })?;
    // TF32: ten bits of mantissa are enough here
    candle_core::cuda::set_gemm_reduced_precision_f32(true);
    Ok(device)
}

/// The graphics processor, or why there is none.
///
/// # Errors
/// A line: the feature is missing from this program.
#[cfg(not(feature = "cuda"))]
pub fn cuda() -> Result<Device, String> {
    Err("this program was built without the feature cuda".into())
}
