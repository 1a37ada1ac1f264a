//! Steps of an MLP's training, encoding included, fused and with candle's gradients.
//!
//! `RAYON_NUM_THREADS=1 cargo bench --bench mlp [-- --batch=N --steps=N --backend=fused|candle --hints DATA LAYOUT…]`: DATA is
//! a labelled file or a folder of shards; without it, positions of random games. Printed are positions a second of processor
//! time (Linux), which tells what an idle core would do.

use enroc::board::Position;
use enroc::data::feed::loader::{Selection, load};
use enroc::data::{Hint, Label, Record};
use enroc::training::recipe::Recipe;
use enroc::training::trainer::Trainer;
use std::path::{Path, PathBuf};

/// Layouts that are measured if none is named, with what their recipes say of them.
const LAYOUTS: [&str; 2] = ["2x774m5-512-16-32-1x8", "2x774m5-1024p-16d-32-1x8"];

fn main() {
    let (mut batch, mut steps, mut hints) = (4096, 100, false);
    let mut backends = vec!["fused".to_string(), "candle".to_string()];
    let (mut data, mut layouts) = (None, Vec::new());
    for argument in std::env::args().skip(1) {
        match argument.split_once('=').unwrap_or((&argument, "")) {
            ("--batch", number) => batch = number.parse().expect("a number"),
            ("--steps", number) => steps = number.parse().expect("a number"),
            ("--backend", name) => backends = vec![name.to_string()],
            ("--hints", _) => hints = true,
            ("--bench", _) => {}
            (text, _) if Path::new(text).exists() => data = Some(PathBuf::from(text)),
            _ => layouts.push(argument),
        }
    }
    if layouts.is_empty() {
        layouts = LAYOUTS.map(String::from).to_vec();
    }
    let records = data.map_or_else(|| random_games(40 * batch), |path| of_file(&path, 100 * batch));
    println!("{} positions, batches of {batch}", records.len());
    for layout in layouts {
        for backend in &backends {
            let speed = speed(&layout, backend, &records, batch, steps, hints);
            println!("{layout}, {backend}: {speed:.0} positions a second");
        }
    }
}

/// Positions a second of processor time.
fn speed(layout: &str, backend: &str, records: &[Record], batch: usize, steps: usize, hints: bool) -> f64 {
    let first = if layout.contains('p') {
        ""
    } else {
        "first_activation = 'squaredclippedrelu'"
    };
    let text = format!(
        "name = 'bench'\n[net]\nlayout = '{layout}'\norientation = 'mover'\nbackend = '{backend}'\n{first}\n\
         later_activation = 'clippedrelu'\nfactorised = {}\ncurve = {{ tanh = {{ scale = 300.0 }} }}\n\
         [data]\ndescription = ''\nfiles = ['data']\n[schedule]\npositions = {}\nwarm_up = 0\n\
         batch = {batch}\nseed = 1\nmeasure_every = {batch}\n[optimizer]\ndecay = 0.01\n",
        layout.contains("p-"),
        batch * steps,
    );
    let recipe = Recipe::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let device = candle_core::Device::Cpu;
    let mut trainer = Trainer::new(&recipe, &device).expect("a net");
    let encode = trainer.encoder();
    let hints: Vec<Hint> = if hints { vec![[700; 16]; batch] } else { Vec::new() };
    let mut step = |number: usize| {
        let start = number * batch % (records.len() - batch + 1);
        let batch = encode(&records[start..start + batch], &hints);
        trainer.step(&batch, number as u64).expect("a step")
    };
    // the first steps fill the caches
    (0..3).for_each(|number| {
        step(number);
    });
    let before = processor_seconds();
    for number in 3..steps {
        step(number);
    }
    (batch * (steps - 3)) as f64 / (processor_seconds() - before)
}

/// What this process has used so far, in all its threads.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    // after the name, which may hold spaces: the 14th and 15th field of all are ticks of 10 ms
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |place: usize| fields[place].parse::<f64>().expect("ticks");
    (ticks(11) + ticks(12)) / 100.0
}

/// The first positions of a file.
fn of_file(path: &Path, count: usize) -> Vec<Record> {
    let selection = Selection {
        limit: Some(count),
        ..Selection::default()
    };
    let loaded = load(&[path.to_path_buf()], &selection).unwrap_or_else(|error| panic!("{error}"));
    loaded.training
}

/// Positions of games without sense.
fn random_games(count: usize) -> Vec<Record> {
    let mut records = Vec::with_capacity(count);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    while records.len() < count {
        let mut position = Position::default();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            position = position.after(moves[(state % moves.len() as u64) as usize]);
            let label = Label::centipawns((state >> 32) as i32 % 500);
            records.push(Record::new(&position).with_label(label));
        }
    }
    records
}
