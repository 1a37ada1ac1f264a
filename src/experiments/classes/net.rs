//! A small net in candle, trained as Keras trains the author's: sigmoids between, Glorot's first weights, Adam.

use super::coding::{Coding, Part};
use super::list::{Answers, NetName};
use super::rows::Rows;
use candle_core::{D, Device, Result, Tensor, Var};
use candle_nn::ops::{log_softmax, sigmoid};
use candle_nn::{AdamW, Optimizer, ParamsAdamW};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows of a step, as the author has it.
const BATCH: usize = 128;
/// Rows that are answered at once.
const ANSWERED_AT_ONCE: usize = 1024;
/// What Keras adds to divisors, and how near to 0 and 1 it lets a probability come.
const EPSILON: f64 = 1e-7;

/// How nets are trained.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Passes over the rows.
    pub epochs: usize,
    /// Draws the first weights and the order of the rows.
    pub seed: u64,
}

/// A net of dense layers.
pub struct ClassNet {
    pub(super) name: NetName,
    pub(super) coding: Coding,
    /// Weight (inputs × units) and bias (units).
    pub(super) layers: Vec<(Var, Var)>,
}

impl NetName {
    /// The number of outputs.
    pub(super) fn outputs(&self) -> usize {
        let coding = self.task.coding();
        match self.manner.answers {
            Answers::Sigmoids => coding.outputs(),
            Answers::Softmax => coding.classes(),
        }
    }
}

impl ClassNet {
    /// Draws the first weights by Glorot's rule; biases begin at 0.
    ///
    /// # Errors
    /// Those of candle.
    pub fn new(name: NetName, inputs: usize, seed: u64) -> Result<ClassNet> {
        let coding = name.task.coding();
        let outputs = name.outputs();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut layers = Vec::new();
        let mut width = inputs;
        for &units in name.hidden().iter().chain([&outputs]) {
            let bound = (6.0 / (width + units) as f32).sqrt();
            let weights: Vec<f32> = (0..width * units)
                .map(|_| random.random_range(-bound..bound))
                .collect();
            let weight = Var::from_vec(weights, (width, units), &Device::Cpu)?;
            layers.push((weight, Var::zeros(units, candle_core::DType::F32, &Device::Cpu)?));
            width = units;
        }
        Ok(ClassNet { name, coding, layers })
    }

    /// Which net it is.
    pub fn name(&self) -> NetName {
        self.name
    }

    /// Trains on rows whose classes are known.
    ///
    /// # Errors
    /// Those of candle.
    pub fn train(&self, rows: &Rows, classes: &[Vec<u8>], schedule: Schedule) -> Result<()> {
        let variables = self
            .layers
            .iter()
            .flat_map(|(weight, bias)| [weight.clone(), bias.clone()]);
        let adam = ParamsAdamW {
            lr: 1e-3,
            beta1: 0.9,
            beta2: 0.999,
            eps: EPSILON,
            weight_decay: 0.0,
        };
        let mut adam = AdamW::new(variables.collect(), adam)?;
        let mut order: Vec<usize> = (0..rows.len()).collect();
        let mut random = ChaCha8Rng::seed_from_u64(schedule.seed);
        for _ in 0..schedule.epochs {
            order.shuffle(&mut random);
            for places in order.chunks(BATCH) {
                let sums = self.forward(&self.inputs(rows, places)?)?;
                adam.backward_step(&self.loss(&sums, places, classes)?)?;
            }
        }
        Ok(())
    }

    /// The sums before the sigmoids or the softmax of the last layer, a vector for each row.
    ///
    /// # Errors
    /// Those of candle.
    pub fn answers(&self, rows: &Rows) -> Result<Vec<Vec<f32>>> {
        let places: Vec<usize> = (0..rows.len()).collect();
        let mut answers = Vec::with_capacity(rows.len());
        for places in places.chunks(ANSWERED_AT_ONCE) {
            let sums = self.forward(&self.inputs(rows, places)?)?;
            answers.extend(sums.to_vec2::<f32>()?);
        }
        Ok(answers)
    }

    fn inputs(&self, rows: &Rows, places: &[usize]) -> Result<Tensor> {
        let inputs = self.name.manner.inputs;
        let width = rows.width(inputs);
        let mut numbers = Vec::with_capacity(places.len() * width);
        places
            .iter()
            .for_each(|&place| rows.append(place, inputs, &mut numbers));
        Tensor::from_vec(numbers, (places.len(), width), &Device::Cpu)
    }

    fn forward(&self, inputs: &Tensor) -> Result<Tensor> {
        let mut values = inputs.clone();
        for (number, (weight, bias)) in self.layers.iter().enumerate() {
            if number > 0 {
                values = sigmoid(&values)?;
            }
            values = values.matmul(weight)?.broadcast_add(bias)?;
        }
        Ok(values)
    }

    fn loss(&self, sums: &Tensor, places: &[usize], classes: &[Vec<u8>]) -> Result<Tensor> {
        match self.name.manner.answers {
            Answers::Softmax => self.cross_entropies(sums, places, classes),
            Answers::Sigmoids => {
                let codes = places.iter().flat_map(|&place| self.coding.code(&classes[place]));
                let codes: Vec<f32> = codes.map(f32::from).collect();
                let targets = Tensor::from_vec(codes, sums.shape(), &Device::Cpu)?;
                let outputs = sigmoid(sums)?;
                match self.coding.outputs() {
                    1 => binary_cross_entropy(&outputs, &targets),
                    _ => categorical_cross_entropy(&outputs, &targets),
                }
            }
        }
    }

    /// The sum over the questions of the cross-entropy over its classes.
    fn cross_entropies(&self, sums: &Tensor, places: &[usize], classes: &[Vec<u8>]) -> Result<Tensor> {
        let (mut total, mut first) = (Tensor::zeros((), sums.dtype(), sums.device())?, 0);
        for (question, part) in self.coding.parts.iter().enumerate() {
            let logs = log_softmax(&sums.narrow(D::Minus1, first, part.classes())?, D::Minus1)?;
            let own: Vec<u32> = places
                .iter()
                .map(|&place| u32::from(classes[place][question]))
                .collect();
            let own = Tensor::from_vec(own, (places.len(), 1), sums.device())?;
            total = (total - logs.gather(&own, D::Minus1)?.mean_all()?)?;
            first += part.classes();
        }
        Ok(total)
    }
}

/// Keras's: the outputs are divided by their sum, kept off 0 and 1, and their logarithms weighted by the targets. The
/// targets are not divided by their sum.
fn categorical_cross_entropy(outputs: &Tensor, targets: &Tensor) -> Result<Tensor> {
    let shares = outputs.broadcast_div(&outputs.sum_keepdim(D::Minus1)?)?;
    let logs = shares.clamp(EPSILON, 1.0 - EPSILON)?.log()?;
    (logs * targets)?.sum(D::Minus1)?.mean_all()?.neg()
}

/// Keras's, of one output.
fn binary_cross_entropy(outputs: &Tensor, targets: &Tensor) -> Result<Tensor> {
    let outputs = outputs.clamp(EPSILON, 1.0 - EPSILON)?;
    let right = (outputs.log()? * targets)?;
    let wrong = (outputs.affine(-1.0, 1.0)?.log()? * targets.affine(-1.0, 1.0)?)?;
    (right + wrong)?.mean_all()?.neg()
}

/// What a net says of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The place of the largest of the author's outputs.
    pub largest: usize,
    /// For each question, the class whose zeros and ones it says; `None` where it is no class.
    pub classes: Vec<Option<u8>>,
}

impl Said {
    /// Reads a net's sums: a sigmoid of ½ or more is a 1, of a softmax the likeliest class counts.
    pub fn new(sums: &[f32], coding: &Coding, answers: Answers) -> Said {
        let mut first = 0;
        let mut own = |count: usize| {
            first += count;
            &sums[first - count..first]
        };
        match answers {
            Answers::Sigmoids => Said {
                largest: place_of_largest(sums),
                classes: coding
                    .parts
                    .iter()
                    .map(|part| class_of_bits(own(part.outputs()), part))
                    .collect(),
            },
            Answers::Softmax => {
                let parts = coding.parts.iter();
                let classes: Vec<u8> = parts
                    .map(|part| place_of_largest(own(part.classes())) as u8)
                    .collect();
                Said {
                    largest: coding.first_one(&classes),
                    classes: classes.into_iter().map(Some).collect(),
                }
            }
        }
    }
}

fn class_of_bits(sums: &[f32], part: &Part) -> Option<u8> {
    let says = |code: &Vec<u8>| {
        code.iter()
            .zip(sums)
            .all(|(&bit, &sum)| (bit == 1) == (sum >= 0.0))
    };
    Some(part.codes.iter().position(says)? as u8)
}

/// The first of the largest.
fn place_of_largest(numbers: &[f32]) -> usize {
    let better = |best: usize, place: usize| {
        if numbers[place] > numbers[best] {
            place
        } else {
            best
        }
    };
    (0..numbers.len()).fold(0, better)
}

#[cfg(test)]
mod tests {
    use super::super::boards::Inputs;
    use super::super::coding::Task;
    use super::super::list::Manner;
    use super::*;

    fn scalar(tensor: &Tensor) -> f64 {
        f64::from(tensor.to_scalar::<f32>().unwrap())
    }

    #[test]
    fn losses_by_hand() {
        let tensor =
            |rows: &[[f32; 3]]| Tensor::from_vec(rows.concat(), (rows.len(), 3), &Device::Cpu).unwrap();
        let outputs = tensor(&[[0.5, 0.3, 0.2], [0.9, 0.9, 0.0]]);
        let targets = tensor(&[[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]);
        // ½ of the first row's sum, and ½ and ½ of the second's
        let expected = (2f64.ln() + 2.0 * 2f64.ln()) / 2.0;
        let loss = categorical_cross_entropy(&outputs, &targets).unwrap();
        assert!((scalar(&loss) - expected).abs() < 1e-5);
        // twice the outputs are the same shares
        let double = (outputs * 0.5).unwrap();
        assert!((scalar(&categorical_cross_entropy(&double, &targets).unwrap()) - expected).abs() < 1e-5);
        let one = |values: [f32; 2]| Tensor::from_vec(values.to_vec(), (2, 1), &Device::Cpu).unwrap();
        let loss = binary_cross_entropy(&one([0.8, 0.4]), &one([1.0, 0.0])).unwrap();
        assert!((scalar(&loss) + (0.8f64.ln() + 0.6f64.ln()) / 2.0).abs() < 1e-5);
    }

    #[test]
    fn the_first_weights_are_glorots() {
        let name = NetName {
            task: Task::Evaluation(6),
            manner: Manner::ALL[0],
            layout: 2,
        };
        let net = ClassNet::new(name, Inputs::Squares.len(), 1).unwrap();
        let weights = net.layers[0].0.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        let bound = (6f32 / (64.0 + 128.0)).sqrt();
        let largest = weights.iter().fold(0f32, |most, weight| most.max(weight.abs()));
        assert!(largest <= bound && largest > 0.99 * bound, "{largest} of {bound}");
        let square = weights.iter().map(|weight| weight * weight).sum::<f32>() / weights.len() as f32;
        assert!((square / (bound * bound / 3.0) - 1.0).abs() < 0.05);
        assert_eq!(net.layers.last().unwrap().1.to_vec1::<f32>().unwrap(), [0.0; 20]);
    }

    #[test]
    fn what_is_said_is_read() {
        let coding = Task::Evaluation(2).coding();
        let said = Said::new(
            &[1.0, -2.0, 3.0, -1.0, -1.0, -1.0, -1.0],
            &coding,
            Answers::Sigmoids,
        );
        // the sign and the second interval: the class behind the six of White
        assert_eq!((said.largest, &said.classes[..]), (2, &[Some(7)][..]));
        let said = Said::new(
            &[1.0, 2.0, 3.0, -1.0, -1.0, -1.0, -1.0],
            &coding,
            Answers::Sigmoids,
        );
        assert_eq!((said.largest, &said.classes[..]), (2, &[None][..]));
        let mut sums = vec![0.0; 12];
        sums[7] = 1.0;
        let said = Said::new(&sums, &coding, Answers::Softmax);
        // the sign stands first
        assert_eq!((said.largest, &said.classes[..]), (0, &[Some(7)][..]));
        let coding = Task::Change.coding();
        let mut sums = vec![0.0; 22];
        (sums[3], sums[21]) = (1.0, 1.0);
        let said = Said::new(&sums, &coding, Answers::Softmax);
        assert_eq!((said.largest, said.classes), (3, vec![Some(3), Some(1)]));
    }
}
