//! A training step of a CNN without the optimiser: ours in f32, in bfloat16 where the processor has a matrix unit, and the
//! same network in candle's operations, with the backward pass of its own `conv2d`.
//!
//! `cargo bench --bench convolution [-- LAYOUT…]`; the small CNN by default. They take turns, so that whatever else the
//! machine does falls on all alike; printed are the medians, and the medians of the ratios of the same turn.

use candle_core::{DType, Device, Result, Tensor, Var};
use candle_nn::ops::sigmoid;
use enroc::arch::matrix_unit::MatrixUnit;
use enroc::nets::cnn::shape::CnnShape;
use enroc::training::cnn::encode::Boards;
use enroc::training::cnn::model::TrainedCnn;
use std::hint::black_box;
use std::time::Instant;

/// Positions in a step.
const BATCH: usize = 128;
/// Positions side by side in our blocks.
const LANES: usize = 32;
/// How often each has its turn.
const TURNS: usize = 5;

fn main() -> Result<()> {
    let arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"));
    let mut layouts: Vec<String> = arguments.collect();
    if layouts.is_empty() {
        layouts.push("16-64-5r-pool-64-1".into());
    }
    for layout in layouts {
        let shape: CnnShape = layout.parse().unwrap_or_else(|error| panic!("{error}"));
        let new = |unit| TrainedCnn::new(shape.clone(), 1, unit, &Device::Cpu);
        let mut ours = new(None)?;
        let mut bfloat = MatrixUnit::of_processor()
            .map(|unit| new(Some(unit)))
            .transpose()?;
        let stock = Stock::new(shape.clone())?;
        let planes = (0..BATCH * 1024).map(|place| (place % 34 == 0) as u8 as f32);
        let boards = Boards {
            planes: planes.collect(),
            lanes: LANES,
        };
        let images = Tensor::from_slice(&boards.planes, (BATCH, 16, 8, 8), &Device::Cpu)?;
        let mut seconds = Vec::new();
        for turn in 0..=TURNS {
            let candle = time(|| stock.forward(&images)?.sqr()?.sum_all()?.backward())?;
            let single = time(|| ours.forward(&boards)?.sqr()?.sum_all()?.backward())?;
            let mut times = vec![candle, single];
            if let Some(bfloat) = &mut bfloat {
                times.push(time(|| bfloat.forward(&boards)?.sqr()?.sum_all()?.backward())?);
            }
            // the first turn only warms up
            if turn > 0 {
                seconds.push(times);
            }
        }
        println!("{layout}, positions a second and how many times candle's:");
        for (way, name) in ["candle", "f32", "bfloat16"]
            .iter()
            .enumerate()
            .take(seconds[0].len())
        {
            let speed = BATCH as f64 / median(seconds.iter().map(|times| times[way]));
            let ratio = median(seconds.iter().map(|times| times[0] / times[way]));
            println!("{name:9} {speed:6.0} {ratio:6.2}");
        }
    }
    Ok(())
}

fn time<T>(step: impl FnOnce() -> Result<T>) -> Result<f64> {
    let start = Instant::now();
    black_box(step()?);
    Ok(start.elapsed().as_secs_f64())
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The same network in candle's operations, on images (positions × channels × 8 × 8).
struct Stock {
    shape: CnnShape,
    /// Weights, scales and shifts.
    convolutions: Vec<[Var; 3]>,
    /// The weights of the gate behind each convolution, if there is one (inputs × outputs).
    gates: Vec<Option<[Var; 2]>>,
    dense: Vec<Var>,
}

impl Stock {
    fn new(shape: CnnShape) -> Result<Stock> {
        let device = Device::Cpu;
        let convolutions = shape.convolutions().into_iter().map(|layer| {
            let dims = (layer.outputs, layer.inputs, layer.side, layer.side);
            let deviation = (2.0 / (layer.weights() / layer.outputs) as f32).sqrt();
            Ok([
                Var::randn(0f32, deviation, dims, &device)?,
                Var::ones((1, layer.outputs, 1, 1), DType::F32, &device)?,
                Var::zeros((1, layer.outputs, 1, 1), DType::F32, &device)?,
            ])
        });
        let convolutions = convolutions.collect::<Result<_>>()?;
        let gates = shape.convolutions().into_iter().map(|layer| {
            let weights = layer.gate.map(|gate| {
                let [reduce, expand] = gate.layers().map(|layer| Var::randn(0f32, 0.1, layer, &device));
                Ok::<_, candle_core::Error>([reduce?, expand?])
            });
            weights.transpose()
        });
        let gates = gates.collect::<Result<_>>()?;
        let dense = shape.dense().into_iter();
        let dense = dense.map(|(inputs, outputs)| Var::randn(0f32, 0.1, (inputs, outputs), &device));
        let dense = dense.collect::<Result<_>>()?;
        Ok(Stock {
            shape,
            convolutions,
            gates,
            dense,
        })
    }

    fn forward(&self, images: &Tensor) -> Result<Tensor> {
        let mut layers = self.convolutions.iter().zip(&self.gates);
        let images = self.shape.walk(images.clone(), |images: &Tensor, shortcut| {
            let ([weight, scale, shift], gate) = layers.next().expect("the shape names the layers");
            let images = images.conv2d(weight, weight.dim(3)? / 2, 1, 1, 1)?;
            let centred = images.broadcast_sub(&images.mean_keepdim((0, 2, 3))?)?;
            let deviation = (centred.sqr()?.mean_keepdim((0, 2, 3))? + 1e-5)?.sqrt()?;
            let normal = centred.broadcast_div(&deviation)?;
            let mut normal = normal.broadcast_mul(scale)?.broadcast_add(shift)?;
            if let Some([reduce, expand]) = gate {
                let hidden = normal.mean((2, 3))?.matmul(reduce)?.relu()?;
                let factors = sigmoid(&hidden.matmul(expand)?)?;
                normal = normal.broadcast_mul(&factors.unsqueeze(2)?.unsqueeze(3)?)?;
            }
            match shortcut {
                Some(shortcut) => (normal + shortcut)?.relu(),
                None => normal.relu(),
            }
        })?;
        let mut hidden = images.mean((2, 3))?;
        for weight in &self.dense {
            hidden = hidden.matmul(weight)?;
        }
        hidden.flatten_all()
    }
}
