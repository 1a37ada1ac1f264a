//! Nets that go in and out: nets/enroc_net.py and onnxruntime give the outputs that candle gives, and `enroc net check` finds
//! a net whose squares are in another order. Without Python, numpy and safetensors (or onnxruntime) a line says what was
//! not tested; with ENROC_NEEDS_PYTHON set that is a failure.

use enroc::board::Position;
use enroc::nets::cnn::shape::CnnShape;
use enroc::nets::curve::{Curve, Orientation};
use enroc::nets::mlp::shape::{Activation, MlpShape};
use enroc::nets::net::{Architecture, FORMAT, Net, NetInfo, NetTensor, Precision};
use enroc::nets::transformer::weights::TransformerPlan;
use enroc::nets::{onnx, registry};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Castling rights, en passant that is legal, pinned and impossible, both sides, every bucket, kings on both wings.
const FENS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "4k2r/8/8/8/3pP3/8/8/R3K3 w Qk - 0 1",
    "4k3/8/8/8/2b5/8/3pP3/4K3 w - - 0 1",
    "2kr3r/pp1n1ppp/2p1pn2/q7/3P4/2NB1N2/PPP2PPP/R2QR1K1 b - - 0 12",
    "1K6/8/8/8/8/8/8/6k1 w - - 0 1",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "8/4k3/8/8/1pP5/8/8/1R2K3 b - c3 0 40",
    "8/8/8/1k6/1pP5/8/8/4K3 b - c3 0 40",
];

fn root() -> PathBuf {
    env!("CARGO_MANIFEST_DIR").into()
}

/// A net of this layout whose weights are no two alike, small enough for the output to vary.
fn net(architecture: Architecture, orientation: Orientation, tensors: Vec<(String, Vec<usize>)>) -> Net {
    let info = NetInfo {
        format: FORMAT,
        name: "exchanged".into(),
        architecture,
        orientation,
        curve: Curve::Tanh { scale: 500.0 },
        data: "none".into(),
        positions: 0,
        validation: None,
        recipe: None,
    };
    let mut net = Net::empty(info);
    for (number, (name, shape)) in tensors.into_iter().enumerate() {
        let count: usize = shape.iter().product();
        let inputs: usize = shape[1..].iter().product();
        let size = match shape.len() {
            1 => 0.1,
            _ => (3.0 / inputs.min(40) as f32).sqrt(),
        };
        // splitmix64
        let value = |n: usize| {
            let mut x = ((number << 32 | n) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (x >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        let values = (0..count).map(|n| size * value(n)).collect();
        net.tensors.insert(name, NetTensor { shape, values });
    }
    net
}

fn layer(name: String, inputs: usize, outputs: usize) -> [(String, Vec<usize>); 2] {
    [
        (format!("{name}.weight"), vec![outputs, inputs]),
        (format!("{name}.bias"), vec![outputs]),
    ]
}

fn mlp(layout: &str, orientation: Orientation, first: Activation) -> Net {
    let shape: MlpShape = layout.parse().unwrap();
    let first = if shape.paired {
        shape.first_activation
    } else {
        first
    };
    let shape = shape.with_activations(first, Activation::ClippedRelu).unwrap();
    let tensors =
        (0..shape.layers()).flat_map(|n| layer(format!("layer{n}"), shape.inputs_of(n), shape.rows_of(n)));
    net(shape.architecture(), orientation, tensors.collect())
}

fn cnn(layout: &str, orientation: Orientation) -> Net {
    let shape: CnnShape = layout.parse().unwrap();
    let mut tensors = Vec::new();
    for (n, conv) in shape.convolutions().iter().enumerate() {
        tensors.push((
            format!("conv{n}.weight"),
            vec![conv.outputs, conv.inputs, conv.side, conv.side],
        ));
        tensors.push((format!("conv{n}.bias"), vec![conv.outputs]));
        if let Some(gate) = conv.gate {
            let names = ["reduce", "expand"].into_iter().zip(gate.layers());
            tensors.extend(
                names.flat_map(|(name, (inputs, outputs))| layer(format!("gate{n}.{name}"), inputs, outputs)),
            );
        }
    }
    let dense = shape.dense().into_iter().enumerate();
    tensors.extend(dense.flat_map(|(n, (inputs, outputs))| layer(format!("dense{n}"), inputs, outputs)));
    let mut net = net(shape.architecture(), orientation, tensors);
    // residual blocks add up to more than tanh can tell apart
    let blocks = shape.convolutions().iter().filter(|layer| layer.shortcut).count();
    let last = format!("dense{}.weight", shape.dense().len() - 1);
    let last = net.tensors.get_mut(&last).unwrap();
    last.values
        .iter_mut()
        .for_each(|value| *value /= (1 + 3 * blocks) as f32);
    net
}

fn transformer() -> Net {
    let plan = TransformerPlan::new("16-16-2t2h24f3g-pool-8-1".parse().unwrap());
    let tensors = plan.parameters.iter();
    let tensors = tensors.map(|parameter| (parameter.name.clone(), parameter.dims.clone()));
    net(plan.shape.architecture(), Orientation::Mover, tensors.collect())
}

fn mlps_and_cnns() -> Vec<Net> {
    use Activation::{ClippedRelu, Relu, SquaredClippedRelu};
    use Orientation::{Mover, White};
    vec![
        mlp("774-12-8-1", White, Relu),
        mlp("774-12-8-1", Mover, ClippedRelu),
        mlp("774m-12-1", Mover, Relu),
        mlp("2x774-12-8-6-1x8", Mover, SquaredClippedRelu),
        mlp("2x774m5-12-8-1", Mover, ClippedRelu),
        mlp("2x774m5-16p-4d-3-1x8", Mover, ClippedRelu),
        mlp("2x774m16-8-4-1", Mover, ClippedRelu),
        cnn("16-1x1:5-8-6-pool-16-1", White),
        cnn("16-8-2r-1se-pool-16-1", Mover),
    ]
}

fn positions() -> Vec<Position> {
    FENS.iter().map(|fen| Position::from_fen(fen).unwrap()).collect()
}

/// Python, if it has these modules; else a line says that nothing is tested.
fn python(modules: &str) -> Option<Command> {
    let found = Command::new("python3")
        .arg("-c")
        .arg(format!("import {modules}"))
        .output();
    if found.is_ok_and(|found| found.status.success()) {
        return Some(Command::new("python3"));
    }
    eprintln!("NOT TESTED: python3 with {modules} is missing");
    let needed = std::env::var_os("ENROC_NEEDS_PYTHON").is_some() && !modules.contains("onnx");
    assert!(!needed, "ENROC_NEEDS_PYTHON is set");
    None
}

fn numbers(output: &Output) -> Vec<f32> {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .map(|line| line.split(' ').next().unwrap().parse().unwrap())
        .collect()
}

fn assert_near(found: &[f32], wanted: &[f32], what: &str) {
    assert_eq!(found.len(), wanted.len());
    for ((found, wanted), fen) in found.iter().zip(wanted).zip(FENS) {
        assert!(
            (found - wanted).abs() < 1e-5,
            "{what}, {fen}: {found}, by candle {wanted}"
        );
    }
    let spread = |numbers: &[f32]| {
        numbers
            .iter()
            .fold(0f32, |most, x| most.max((x - numbers[0]).abs()))
    };
    assert!(
        spread(wanted) > 1e-3,
        "{what} says nearly the same of all positions: {wanted:?}"
    );
    assert!(wanted.iter().any(|x| x.abs() < 0.999), "{what} says only ±1");
}

#[test]
fn python_gives_what_candle_gives() {
    let folder = tempfile::tempdir().unwrap();
    for net in mlps_and_cnns() {
        let Some(mut python) = python("numpy, safetensors") else {
            return;
        };
        let path = net.save_in(folder.path(), Precision::F32).unwrap();
        let found = python
            .arg(root().join("nets/enroc_net.py"))
            .arg(&path)
            .args(FENS)
            .output()
            .unwrap();
        let wanted = registry::outputs(&net, &positions()).unwrap();
        assert_near(&numbers(&found), &wanted, &net.info.architecture.layout);
    }
}

const RUN_ONNX: &str = "
import sys, json, numpy, onnxruntime
sys.path.insert(0, sys.argv[1])
from enroc_net import Position, REGIONS
session = onnxruntime.InferenceSession(sys.argv[2], providers=['CPUExecutionProvider'])
info = json.loads(session.get_modelmeta().custom_metadata_map['enroc'])
layout, mover = info['architecture']['layout'], info['orientation'] == 'mover'
inputs = {value.name: [] for value in session.get_inputs()}
for fen in sys.argv[3:]:
    position = Position(fen)
    own = position.own if mover else 0
    for name, view in (('bits', own), ('other_bits', 6 - own)):
        if name in inputs:
            king = next(square for piece, square in position.seen(view)[0] if piece == 5)
            mirrored = '774m' in layout and king % 8 < 4
            king = king ^ 7 if mirrored else king
            seen = layout.split('774')[1].split('-')[0]
            region = REGIONS[seen][king // 8][king % 8 - 4] if seen in REGIONS else 0
            bits = numpy.zeros(774 * int(seen[1:] or 1), numpy.float32)
            bits[774 * region:][:774] = position.bits(view, mirrored)
            inputs[name].append(bits)
    if 'bucket' in inputs:
        inputs['bucket'].append(min((64 - position.board.count(-1) - 2) // 4, 7))
    if 'planes' in inputs:
        inputs['planes'].append(position.planes(own))
for x in session.run(None, {name: numpy.array(values) for name, values in inputs.items()})[0]:
    print(f'{x:.7f}')
";

#[test]
fn onnxruntime_gives_what_candle_gives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.onnx");
    for net in mlps_and_cnns().into_iter().chain([transformer()]) {
        let layout = &net.info.architecture.layout;
        let bytes = onnx::export(&net).unwrap();
        assert_eq!(onnx::import(&bytes).unwrap(), net, "{layout}");
        let Some(mut python) = python("numpy, safetensors, onnxruntime") else {
            continue;
        };
        std::fs::write(&path, &bytes).unwrap();
        let found = python
            .args(["-c", RUN_ONNX])
            .arg(root().join("nets"))
            .arg(&path)
            .args(FENS)
            .output()
            .unwrap();
        assert_near(
            &numbers(&found),
            &registry::outputs(&net, &positions()).unwrap(),
            layout,
        );
    }
}

fn check(path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_enroc"))
        .args(["net", "check"])
        .arg(path)
        .output()
        .unwrap()
}

/// A file as Python writes it passes; the same weights in another order of squares are found out.
#[test]
fn a_net_from_python_is_checked_by_its_golden_outputs() {
    let Some(mut python) = python("numpy, safetensors") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let code = "
import sys
sys.path.insert(0, sys.argv[1])
import enroc_net
net = enroc_net.load(sys.argv[2])
enroc_net.save(net, 'right.safetensors', sys.argv[3:])
saved = net.output
weight = net.tensors['layer0.weight']
weight[:, :768] = weight[:, :768].reshape(-1, 12, 8, 8)[:, :, ::-1].reshape(-1, 768)
net.output = lambda fen: right[fen]
right = {fen: enroc_net.load('right.safetensors').output(fen) for fen in sys.argv[3:]}
enroc_net.save(net, 'wrong.safetensors', sys.argv[3:])
enroc_net.save(net, 'silent.safetensors')
";
    let net = mlp("774-12-8-1", Orientation::Mover, Activation::Relu);
    let path = net.save_in(folder.path(), Precision::F32).unwrap();
    let made = python
        .args(["-c", code])
        .arg(root().join("nets"))
        .arg(path)
        .args(FENS)
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    for (name, passes, line) in [
        ("right", true, "largest difference"),
        ("wrong", false, "largest difference"),
        ("silent", true, "names no outputs"),
    ] {
        let output = check(&folder.path().join(name).with_extension("safetensors"));
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.success(), passes, "{name}: {text}");
        assert!(text.contains(line), "{name}: {text}");
        // weights that were never trained are no better than a constant
        assert!(text.contains("WARNING"), "{name}: {text}");
    }
}

#[test]
fn a_net_that_has_learnt_gets_no_warning() {
    let output = check(Path::new("mlp"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("mean error on the 500"),
        "{text}"
    );
    assert!(!text.contains("WARNING"), "{text}");
}
