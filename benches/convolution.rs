//! The training step of a 3 × 3 convolution: ours against candle's with its own backward pass, in pairs.
use candle_core::{Device, Result, Tensor, Var};
use enroc::training::convolution::convolve;
use std::sync::Arc;
use std::time::Instant;

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|n| (n as f32 * 0.731).sin()).collect()
}

fn main() -> Result<()> {
    let device = Device::Cpu;
    for (inputs, outputs, batch, lanes) in [
        (64, 64, 256, 16),
        (64, 64, 256, 32),
        (64, 64, 256, 64),
        (16, 64, 256, 32),
        (512, 512, 64, 16),
        (512, 512, 64, 32),
    ] {
        let weights = Var::from_vec(numbers(outputs * inputs * 9), (outputs, inputs, 3, 3), &device)?;
        let planes = Var::from_vec(numbers(batch * inputs * 64), (batch, inputs, 8, 8), &device)?;
        let boards = Var::from_vec(
            numbers(batch * inputs * 64),
            (batch / lanes, inputs, 64, lanes),
            &device,
        )?;
        let workspace = Arc::default();
        let gflop = (batch * 64 * inputs * outputs * 9 * 2) as f64 / 1e9;
        let time = |f: &dyn Fn() -> Result<Tensor>| -> Result<(f64, f64)> {
            let (mut fwd, mut both) = (f64::MAX, f64::MAX);
            for _ in 0..5 {
                let t = Instant::now();
                let r = f()?;
                fwd = fwd.min(t.elapsed().as_secs_f64());
                let l = r.sum_all()?;
                l.backward()?;
                both = both.min(t.elapsed().as_secs_f64());
            }
            Ok((fwd, both))
        };
        let ours = time(&|| convolve(&boards, &weights, &workspace))?;
        println!(
            "{inputs}->{outputs} b{batch} l{lanes}: fwd {:.1} ms {:.0} GF/s, step {:.1} ms {:.0} GF/s",
            ours.0 * 1e3,
            gflop / ours.0,
            ours.1 * 1e3,
            3.0 * gflop / ours.1
        );
        if lanes == 32 {
            let stock = time(&|| planes.conv2d(&weights, 1, 1, 1, 1))?;
            println!(
                "   stock fwd {:.1} ms, step {:.1} ms: ratio {:.2}",
                stock.0 * 1e3,
                stock.1 * 1e3,
                stock.1 / ours.1
            );
        }
    }
    Ok(())
}
