//! Net files of every kind.

use crate::board::FENS;
use crate::mutation::{Input, Mutations};
use crate::target::fuzz;
use candle_core::Device;
use enroc::board::Position;
use enroc::nets::kind::Backend;
use enroc::nets::net::{FORMAT, Net, NetInfo, Precision};
use enroc::nets::registry::evaluator;
use enroc::nets::score::EVALUATION_LIMIT;
use enroc::training::recipe::Recipe;

/// Kind, layout and orientation of small nets.
const NETS: &[(&str, &str, &str)] = &[
    ("mlp", "774-2-1", "white"),
    ("mlp", "2x774m-4-2-1x8", "mover"),
    ("mlp", "2x774m5-3-2-1x8", "mover"),
    ("mlp", "2x774m16-3-2-1x8", "mover"),
    ("cnn", "16-1x1:4-8-1r-pool-2-1", "mover"),
    ("cnn", "16-8-1se-pool-2-1", "mover"),
    ("transformer", "16-8-1t2h8f2g-pool-4-1", "mover"),
    ("control", "65-4-6", "white"),
];

const WORDS: &[&str] = &[
    "\"F16\"",
    "\"F32\"",
    "\"BF16\"",
    "\"I64\"",
    "\"shape\":",
    "\"data_offsets\":[0,0]",
    "[]",
    "null",
    "mlp",
    "cnn",
    "transformer",
    "control",
    "2x",
    "774",
    "774m",
    "774m5",
    "16",
    "-1",
    "x8",
    "pool",
    "1r",
    "64r",
    "1se",
    "64se",
    "1t",
    "4h",
    "8f",
    "2g",
    "mover",
    "white",
    "tanh",
    "linear",
    "layer0",
    "weight",
    "bias",
    "\\\"",
    "{",
    "}",
    ",",
    "-",
];

/// A file with first weights of this kind.
fn file(kind: &str, layout: &str, orientation: &str) -> Vec<u8> {
    let text = format!(
        "name = \"small\"\n[net]\nkind = \"{kind}\"\nlayout = \"{layout}\"\norientation = \"{orientation}\"\n\
         curve = {{ tanh = {{ scale = 800.0 }} }}\n[data]\ndescription = \"\"\nfiles = [\"a\"]\n[schedule]\n\
         positions = 640\nwarm_up = 0\nbatch = 64\nseed = 1\nmeasure_every = 64\n"
    );
    let recipe = Recipe::parse(&text).expect("a recipe");
    let design = recipe.design().expect("a design");
    let info = NetInfo {
        format: FORMAT,
        name: "small".into(),
        architecture: design.architecture(),
        orientation: recipe.net.orientation,
        curve: recipe.net.curve,
        data: "none".into(),
        positions: 0,
        validation: None,
        recipe: None,
    };
    let model = design.model(1, &Device::Cpu).expect("a model");
    let net = model.net(info).expect("a net");
    net.to_bytes(Precision::F32).expect("a file")
}

/// A small net.
pub fn small_net() -> Net {
    let (kind, layout, orientation) = NETS[0];
    Net::from_bytes(&file(kind, layout, orientation)).expect("a net")
}

/// Where the header of a file ends, which begins behind its length in eight bytes.
fn header_end(file: &[u8]) -> usize {
    let length: [u8; 8] = file[..8].try_into().expect("eight bytes");
    8 + u64::from_le_bytes(length) as usize
}

/// A damaged file. Every second seed is the header alone, to which its right length and the tensors are put: else hardly
/// a damaged header would be read.
fn assemble(files: &[Vec<u8>], input: &Input) -> Vec<u8> {
    let file = &files[input.seed / 2];
    if input.seed.is_multiple_of(2) {
        return input.bytes.clone();
    }
    let length = (input.bytes.len() as u64).to_le_bytes();
    [&length, &input.bytes[..], &file[header_end(file)..]].concat()
}

/// A file is refused in one line, or it is a net that evaluates within bounds, and is the same when it is written.
#[test]
fn nets() {
    let files: Vec<Vec<u8>> = NETS.iter().map(|net| file(net.0, net.1, net.2)).collect();
    let seeds = files
        .iter()
        .flat_map(|file| [file.clone(), file[8..header_end(file)].to_vec()])
        .collect();
    let positions: Vec<Position> = FENS
        .iter()
        .filter_map(|fen| Position::from_fen(fen).ok())
        .collect();
    fuzz("nets", 4_000, Mutations::of_files(seeds, WORDS), |input| {
        check_net(&assemble(&files, input), &positions)
    });
}

fn check_net(bytes: &[u8], positions: &[Position]) -> bool {
    let net = match Net::from_bytes(bytes) {
        Ok(net) => net,
        Err(error) => {
            let line = error.to_string();
            assert!(!line.contains('\n'), "{line}");
            return false;
        }
    };
    assert_eq!(
        Net::from_bytes(&net.to_bytes(Precision::F32).expect("a file")).as_ref(),
        Ok(&net)
    );
    for backend in [Backend::Auto, Backend::Candle] {
        let mut evaluator = match evaluator(&net, backend) {
            Ok(evaluator) => evaluator,
            Err(error) => {
                let line = error.to_string();
                assert!(!line.contains('\n'), "{line}");
                continue;
            }
        };
        let mut scores = Vec::new();
        evaluator.evaluate_batch(positions, &mut scores);
        assert_eq!(scores.len(), positions.len());
        assert!(
            scores.iter().all(|score| score.abs() <= EVALUATION_LIMIT),
            "{scores:?}"
        );
    }
    true
}
