//! A small transformer with fixed weights: what it must compute, and that all ways of computing it agree.

use super::blocks::FastTransformer;
use super::encoder::Tape;
use super::reference;
use super::reference::Transformer;
use super::shape::TransformerShape;
use super::weights::{TransformerPlan, TransformerWeights};
use crate::board::Position;
use crate::nets::encoding;
use crate::nets::net::{FORMAT, NetError, NetInfo};
use crate::nets::{Curve, Evaluator, Net, Orientation};
use candle_core::{Device, Result, Tensor};

/// Weights that any program can reproduce: neighbours differ, and each is exact in half precision.
fn number(n: usize) -> f32 {
    ((n * 7919 + 13) % 251) as f32 / 256.0 - 0.5
}

pub fn weights(layout: &str) -> TransformerWeights {
    let plan = TransformerPlan::new(layout.parse::<TransformerShape>().unwrap());
    let values = (0..plan.length()).map(number).collect();
    TransformerWeights { plan, values }
}

fn net(layout: &str, orientation: Orientation) -> Net {
    let weights = weights(layout);
    let info = NetInfo {
        format: FORMAT,
        name: "test".into(),
        architecture: weights.plan.shape.architecture(),
        orientation,
        curve: Curve::Tanh { scale: 800.0 },
        data: String::new(),
        positions: 0,
        validation: None,
        recipe: None,
    };
    Net::of_transformer(info, &weights)
}

/// Both sides to move, castling rights, en passant.
const FENS: [&str; 4] = [
    Position::START_FEN,
    "r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
];

fn positions() -> Vec<Position> {
    FENS.map(|fen| Position::from_fen(fen).unwrap()).to_vec()
}

/// The tensors of weights, in their order.
pub fn tensors(weights: &TransformerWeights) -> Vec<Tensor> {
    let parameters = weights.plan.parameters.iter();
    let tensor = |numbers: &[f32], dims: &[usize]| Tensor::from_slice(numbers, dims, &Device::Cpu).unwrap();
    parameters
        .map(|parameter| tensor(&weights.values[parameter.place.clone()], &parameter.dims))
        .collect()
}

/// The outputs before tanh that NumPy finds for the formulas in the description of [`super`] in double precision, and
/// those of both ways here.
#[test]
fn golden_outputs() -> Result<()> {
    let wanted = [-0.868_121_5, -1.068_535_2, -0.852_884_1, -1.201_064_8f32];
    let weights = weights("16-8-2t2h6f3g-pool-5-1");
    let boards: Vec<_> = positions()
        .iter()
        .map(|position| encoding::plane_boards(position, position.side_to_move()))
        .collect();
    let planes = reference::planes(&boards, &Device::Cpu)?;
    let candle = reference::forward(&weights.plan, &tensors(&weights), &planes)?.to_vec1::<f32>()?;
    let mut tape = Tape::for_playing();
    weights.plan.forward(&weights.values, &boards, &mut tape);
    for ((wanted, candle), fast) in wanted.iter().zip(&candle).zip(tape.outputs()) {
        assert!(
            (wanted - candle).abs() < 1e-5,
            "{wanted:?} {candle:?} {:?}",
            tape.outputs()
        );
        assert!((wanted - fast).abs() < 1e-5, "{wanted:?} {:?}", tape.outputs());
    }
    Ok(())
}

#[test]
fn all_ways_give_the_same_scores() -> Result<()> {
    for (layout, orientation) in [
        ("16-8-2t2h6f3g-pool-5-1", Orientation::Mover),
        ("16-24-1t3h40f5g-pool-1", Orientation::White),
        ("16-64-3t4h128f16g-pool-64-1", Orientation::Mover),
    ] {
        let net = net(layout, orientation);
        let positions: Vec<Position> = positions().into_iter().cycle().take(21).collect();
        let wanted = Transformer::new(&net, &Device::Cpu).unwrap().scores(&positions)?;
        let mut fast = FastTransformer::new(&net).unwrap();
        let mut found = Vec::new();
        fast.evaluate_batch(&positions, &mut found);
        let single: Vec<_> = positions.iter().map(|position| fast.evaluate(position)).collect();
        assert_eq!((found.len(), found == single), (wanted.len(), true), "{layout}");
        let close = found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() <= 1);
        assert!(close, "{layout}: {found:?} {wanted:?}");
        assert!(
            found.iter().any(|score| *score != found[0]),
            "{layout} gives different positions different scores"
        );
    }
    Ok(())
}

#[test]
fn a_mirrored_position_has_the_same_score_for_its_mover() {
    let mut net = FastTransformer::new(&net("16-8-2t2h6f3g-pool-5-1", Orientation::Mover)).unwrap();
    let white = Position::from_fen("r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 0 1").unwrap();
    let black = Position::from_fen("4k2r/8/8/3Pp3/8/8/8/R3K3 w Qk e6 0 1").unwrap();
    assert_eq!(net.evaluate(&white), net.evaluate(&black));
}

#[test]
fn files_are_read_and_faults_are_named() {
    let good = net("16-8-2t2h6f3g-pool-5-1", Orientation::Mover);
    assert_eq!(good.transformer().unwrap(), weights("16-8-2t2h6f3g-pool-5-1"));
    let fault = |change: &dyn Fn(&mut Net)| {
        let mut net = good.clone();
        change(&mut net);
        net.transformer().unwrap_err()
    };
    let missing = fault(&|net| drop(net.tensors.remove("block1.code.bias")));
    assert_eq!(missing, NetError::Missing("block1.code.bias".into()));
    let shape = fault(&|net| net.tensors.get_mut("templates").unwrap().shape = vec![3, 4096]);
    assert!(matches!(shape, NetError::Shape { ref name, .. } if name == "templates"));
    let layout = fault(&|net| net.info.architecture.layout = "16-8-2t3h6f3g-pool-5-1".into());
    assert!(matches!(layout, NetError::Layout(_)));
    let kind = fault(&|net| net.info.architecture.kind = "cnn".into());
    assert!(matches!(kind, NetError::Kind { .. }));
    let other = Net::read("nets/mlp-7d6b5a64efea.safetensors".as_ref()).unwrap();
    assert!(other.transformer().is_err());
}
