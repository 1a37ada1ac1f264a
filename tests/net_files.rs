//! Net files: what is written is read back, and whatever is wrong with a file is named.

use enroc::board::Position;
use enroc::nets::Evaluator;
use enroc::nets::choice::NetChoice;
use enroc::nets::cnn::gate::Gate;
use enroc::nets::cnn::shape::CnnShape;
use enroc::nets::cnn::weights::{CnnWeights, Convolution};
use enroc::nets::curve::{Curve, Orientation};
use enroc::nets::file::fingerprint;
use enroc::nets::mlp::reference::Mlp;
use enroc::nets::mlp::shape::{Activation, MlpShape};
use enroc::nets::mlp::weights::MlpWeights;
use enroc::nets::net::{Dense, FORMAT, METADATA_KEY, NetInfo, Precision};
use enroc::nets::net::{Net, NetError};

/// A net with weights that are no two alike; all are exact in half precision.
fn net(layout: &str, orientation: Orientation) -> Net {
    let shape: MlpShape = layout.parse().unwrap();
    let first = if shape.paired {
        shape.first_activation
    } else {
        Activation::SquaredClippedRelu
    };
    let shape = shape.with_activations(first, Activation::ClippedRelu).unwrap();
    let number = |n: usize| ((n * 7919 + 13) % 251) as f32 / 512.0 - 0.25;
    let layers = (0..shape.layers())
        .map(|layer| {
            let (inputs, outputs) = (shape.inputs_of(layer), shape.rows_of(layer));
            Dense {
                inputs,
                outputs,
                weight: (0..inputs * outputs).map(|n| number(n + layer)).collect(),
                bias: (0..outputs).map(|n| number(3 * n + layer)).collect(),
            }
        })
        .collect();
    let info = NetInfo {
        format: FORMAT,
        name: "test".into(),
        architecture: shape.architecture(),
        orientation,
        curve: Curve::Tanh { scale: 800.0 },
        data: "none".into(),
        positions: 0,
        validation: None,
        recipe: None,
    };
    Net::of_mlp(info, &MlpWeights { shape, layers })
}

fn bytes(net: &Net) -> Vec<u8> {
    net.to_bytes(Precision::F32).unwrap()
}

/// A file with the tensors of a net in a kind of float that the engine does not write.
fn rewritten(net: &Net, dtype: safetensors::Dtype, number: impl Fn(f32) -> Vec<u8>) -> Vec<u8> {
    let tensors = net.tensors.iter().map(|(name, tensor)| {
        let bytes: Vec<u8> = tensor.values.iter().flat_map(|&value| number(value)).collect();
        (name, tensor.shape.clone(), bytes)
    });
    let tensors: Vec<_> = tensors.collect();
    let views = tensors.iter().map(|(name, shape, bytes)| {
        (
            *name,
            safetensors::tensor::TensorView::new(dtype, shape.clone(), bytes).unwrap(),
        )
    });
    let info = serde_json::to_string(&net.info).unwrap();
    safetensors::serialize(views, Some([(METADATA_KEY.to_string(), info)].into())).unwrap()
}

/// The weights of the test are exact in half precision and have seven bits or fewer, so bfloat16 holds them too.
#[test]
fn other_floats_are_read() {
    let net = net("774-4-1", Orientation::Mover);
    let double = rewritten(&net, safetensors::Dtype::F64, |x| {
        f64::from(x).to_le_bytes().to_vec()
    });
    assert_eq!(Net::from_bytes(&double).unwrap(), net);
    let brain = rewritten(&net, safetensors::Dtype::BF16, |x| {
        half::bf16::from_f32(x).to_le_bytes().to_vec()
    });
    assert_eq!(Net::from_bytes(&brain).unwrap(), net);
    let large = rewritten(&net, safetensors::Dtype::F64, |_| 1e300f64.to_le_bytes().to_vec());
    assert!(matches!(Net::from_bytes(&large), Err(NetError::NotFinite(_))));
}

#[test]
fn nets_survive_the_file() {
    let net = net("2x774-8-4-1x8", Orientation::Mover);
    for precision in [Precision::F16, Precision::F32] {
        assert_eq!(Net::from_bytes(&net.to_bytes(precision).unwrap()).unwrap(), net);
    }
    let weights = net.mlp().unwrap();
    assert_eq!(weights.shape.first_activation, Activation::SquaredClippedRelu);
    assert_eq!((weights.layers[1].inputs, weights.layers[1].outputs), (16, 32));
}

/// Pairs and double activations are in the layout, and a file that claims another activation of pairs is refused.
#[test]
fn pairs_and_double_activations_survive_the_file() {
    let net = net("2x774m5-8p-4d-3-1x8", Orientation::Mover);
    assert_eq!(Net::from_bytes(&bytes(&net)).unwrap(), net);
    let weights = net.mlp().unwrap();
    assert!(weights.shape.paired && weights.shape.doubled);
    let sizes: Vec<_> = weights
        .layers
        .iter()
        .map(|layer| (layer.inputs, layer.outputs))
        .collect();
    assert_eq!(sizes, [(5 * 774, 8), (8, 32), (6, 24), (3, 8)]);
    let mut other = net.clone();
    let settings = &mut other.info.architecture.settings;
    settings.insert("first_activation".into(), "squaredclippedrelu".into());
    let error = other.mlp().unwrap_err();
    assert!(
        matches!(&error, NetError::Metadata(reason) if reason.contains("clippedrelu")),
        "{error}"
    );
    other.info.architecture.layout = "2x774m5-7p-4d-3-1x8".into();
    assert!(matches!(other.mlp().unwrap_err(), NetError::Layout(_)));
}

/// The gates of residual blocks are in the file of a CNN, and a file that lacks one is refused.
#[test]
fn gates_of_a_cnn_survive_the_file() {
    let shape: CnnShape = "16-12-1r-2se-pool-4-1".parse().unwrap();
    let number = |n: usize| ((n * 7919 + 13) % 251) as f32 / 512.0 - 0.25;
    let numbers = |count: usize, seed: usize| (0..count).map(|n| number(n + seed)).collect::<Vec<f32>>();
    let dense = |(inputs, outputs): (usize, usize), seed: usize| Dense {
        inputs,
        outputs,
        weight: numbers(inputs * outputs, seed),
        bias: numbers(outputs, seed + 1),
    };
    let convolutions = shape.convolutions().into_iter().enumerate();
    let convolutions = convolutions.map(|(place, shape)| Convolution {
        shape,
        weight: numbers(shape.weights(), place),
        bias: numbers(shape.outputs, 2 * place),
        gate: shape.gate.map(|gate| Gate {
            layers: gate.layers().map(|layer| dense(layer, place + layer.0)),
        }),
    });
    let weights = CnnWeights {
        convolutions: convolutions.collect(),
        dense: shape.dense().into_iter().map(|layer| dense(layer, 5)).collect(),
        shape,
    };
    let mut info = net("774-3-1", Orientation::Mover).info;
    info.architecture = weights.shape.architecture();
    let net = Net::of_cnn(info, &weights);
    let mut read = Net::from_bytes(&bytes(&net)).unwrap();
    assert_eq!(read, net);
    assert_eq!(read.cnn().unwrap(), weights);
    let gates = read.tensors.keys().filter(|name| name.starts_with("gate"));
    let gates: Vec<&str> = gates.map(String::as_str).collect();
    let layers = ["gate4.expand", "gate4.reduce", "gate6.expand", "gate6.reduce"];
    let wanted = layers.map(|layer| ["bias", "weight"].map(|part| format!("{layer}.{part}")));
    assert_eq!(gates, wanted.as_flattened());
    read.tensors.remove("gate6.expand.bias");
    assert_eq!(read.cnn(), Err(NetError::Missing("gate6.expand.bias".into())));
}

#[test]
fn a_net_may_tell_its_recipe() {
    let mut net = net("774-3-1", Orientation::White);
    let older = bytes(&net);
    assert!(!String::from_utf8_lossy(&older).contains("recipe"));
    assert_eq!(Net::from_bytes(&older).unwrap().info.recipe, None);
    net.info.recipe = Some("name = \"three\"\n".into());
    assert_eq!(Net::from_bytes(&bytes(&net)).unwrap(), net);
}

/// What `enroc net info` prints can be put into a recipe as it is.
#[test]
fn names_are_those_of_recipes_and_files() {
    let written = |value: serde_json::Value| value.as_str().unwrap().to_string();
    for activation in [
        Activation::Relu,
        Activation::ClippedRelu,
        Activation::SquaredClippedRelu,
    ] {
        assert_eq!(
            activation.name(),
            written(serde_json::to_value(activation).unwrap())
        );
    }
    for orientation in [Orientation::White, Orientation::Mover] {
        assert_eq!(
            orientation.name(),
            written(serde_json::to_value(orientation).unwrap())
        );
    }
    #[derive(serde::Deserialize)]
    struct Recipe {
        curve: Curve,
    }
    for curve in [Curve::THESIS, Curve::Tanh { scale: 412.5 }] {
        let recipe: Recipe = toml::from_str(&format!("curve = {curve}")).unwrap();
        assert_eq!(recipe.curve, curve);
    }
}

#[test]
fn a_saved_net_is_named_by_its_contents() {
    let folder = tempfile::tempdir().unwrap();
    let net = net("774-3-1", Orientation::White);
    let path = net.save_in(folder.path(), Precision::F16).unwrap();
    let contents = std::fs::read(&path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    assert_eq!(name, format!("mlp-{}.safetensors", fingerprint(&contents)));
    assert_eq!(Net::read(&path).unwrap(), net);
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        1,
        "nothing else is left there"
    );
}

#[test]
fn a_missing_file_is_named() {
    let error = Net::read("no/such.safetensors".as_ref()).unwrap_err();
    assert!(
        error.to_string().starts_with("net file no/such.safetensors: "),
        "{error}"
    );
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let whole = bytes(&net("774-2-1", Orientation::Mover));
    for length in (0..whole.len()).step_by(61).chain([whole.len() - 1]) {
        assert!(
            Net::from_bytes(&whole[..length]).is_err(),
            "cut after {length} bytes"
        );
    }
    let cut = Net::from_bytes(&whole[..whole.len() - 100]);
    assert!(matches!(cut, Err(NetError::Truncated { .. })));
    let mut longer = whole;
    longer.push(0);
    assert!(matches!(
        Net::from_bytes(&longer),
        Err(NetError::Truncated { .. })
    ));
}

#[test]
fn foreign_files_are_refused() {
    for foreign in [
        &b""[..],
        b"PK\x03\x04zip",
        &[0; 64],
        &[255; 64],
        b"\x02\0\0\0\0\0\0\0{}",
    ] {
        let error = Net::from_bytes(foreign).unwrap_err();
        let known = matches!(
            error,
            NetError::NotSafetensors(_) | NetError::Foreign | NetError::Truncated { .. }
        );
        assert!(known, "{error}");
    }
    let other = safetensors::serialize(Vec::<(&str, safetensors::tensor::TensorView)>::new(), None).unwrap();
    assert_eq!(Net::from_bytes(&other), Err(NetError::Foreign));
}

#[test]
fn damaged_contents_are_named() {
    let good = net("774-4-2-1", Orientation::Mover);
    let fails = |change: &dyn Fn(&mut Net)| {
        let mut net = good.clone();
        change(&mut net);
        Net::from_bytes(&bytes(&net)).unwrap_err()
    };
    let missing = fails(&|net| drop(net.tensors.remove("layer1.bias")));
    assert_eq!(missing, NetError::Missing("layer1.bias".into()));
    let shape = fails(&|net| {
        let tensor = net.tensors.get_mut("layer2.weight").unwrap();
        tensor.shape = vec![2, 1];
    });
    assert!(matches!(shape, NetError::Shape { ref name, .. } if name == "layer2.weight"));
    for bad in [f32::NAN, f32::INFINITY] {
        let infinite = fails(&|net| net.tensors.get_mut("layer0.weight").unwrap().values[5] = bad);
        assert_eq!(infinite, NetError::NotFinite("layer0.weight".into()));
    }
    let curve = fails(&|net| net.info.curve = Curve::Tanh { scale: -1.0 });
    let newer = fails(&|net| net.info.format = FORMAT + 1);
    assert!(matches!(
        (curve, newer),
        (NetError::Metadata(_), NetError::Metadata(_))
    ));
    let layout = |text: &str| {
        fails(&|net| {
            net.info.architecture.layout = text.into();
        })
    };
    assert!(matches!(layout("774-x-1"), NetError::Layout(_)));
    assert!(matches!(layout("774-4-2-2-1"), NetError::Shape { .. }));
    assert!(matches!(layout("2x774-4-2-1"), NetError::Shape { .. }));
}

#[test]
fn unknown_metadata_and_types_are_named() {
    let one = [0u8; 8];
    let view =
        |dtype| safetensors::tensor::TensorView::new(dtype, vec![1], &one[..dtype.bitsize() / 8]).unwrap();
    let file = |dtype, info: &str| {
        let metadata = [(METADATA_KEY.to_string(), info.to_string())].into();
        safetensors::serialize([("layer0.bias", view(dtype))], Some(metadata)).unwrap()
    };
    let info = serde_json::to_string(&net("774-1-1", Orientation::White).info).unwrap();
    let integer = Net::from_bytes(&file(safetensors::Dtype::I32, &info));
    assert!(matches!(integer, Err(NetError::Type { .. })));
    let activation = |name: &str| info.replace("\"squaredclippedrelu\"", name);
    for info in [
        "",
        "{}",
        "[]",
        &info.replace("white", "sideways"),
        &activation("\"sine\""),
        &activation("3"),
        &info.replace("later_activation", "last_activation"),
    ] {
        let found = Net::from_bytes(&file(safetensors::Dtype::F32, info));
        assert!(matches!(found, Err(NetError::Metadata(_))), "{info}");
    }
    let tree = info.replace("\"mlp\"", "\"tree\"");
    let refused = Net::from_bytes(&file(safetensors::Dtype::F32, &tree))
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("`tree`") && refused.contains("it knows mlp, cnn, transformer"),
        "{refused}"
    );
}

/// The positions of a few plies of different openings, either side to move.
fn positions() -> Vec<Position> {
    let starts = [
        Position::START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    let mut positions = Vec::new();
    for fen in starts {
        let mut position = Position::from_fen(fen).unwrap();
        for ply in 0..12 {
            positions.push(position);
            let moves = position.legal_moves();
            position = position.after(moves[ply * 5 % moves.len()]);
        }
    }
    positions
}

#[test]
fn sums_of_rows_and_the_dense_product_give_the_same_scores() {
    for (layout, orientation) in [
        ("774-16-8-1", Orientation::White),
        ("774-16-8-1x8", Orientation::Mover),
        ("2x774-8-4-1", Orientation::Mover),
        ("2x774-8-4-4-1x8", Orientation::Mover),
    ] {
        let mut mlp = Mlp::new(&net(layout, orientation)).unwrap();
        let positions = positions();
        let dense = mlp.evaluate_dense(&positions).unwrap();
        let mut batch = Vec::new();
        mlp.evaluate_batch(&positions, &mut batch);
        let single: Vec<i32> = positions.iter().map(|position| mlp.evaluate(position)).collect();
        for scores in [batch, single] {
            assert_eq!(scores.len(), dense.len());
            let close = dense.iter().zip(&scores).all(|(a, b)| (a - b).abs() <= 1);
            assert!(close, "{layout}: {dense:?} {scores:?}");
        }
        assert!(
            dense.iter().any(|score| *score != dense[0]),
            "{layout} tells positions apart"
        );
    }
}

#[test]
fn a_mirrored_position_has_the_same_score_for_its_mover() {
    let mut mlp = Mlp::new(&net("2x774-8-4-1x8", Orientation::Mover)).unwrap();
    let white = Position::from_fen("r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 0 1").unwrap();
    let black = Position::from_fen("4k2r/8/8/3Pp3/8/8/8/R3K3 w Qk e6 0 1").unwrap();
    assert_eq!(mlp.evaluate(&white), mlp.evaluate(&black));
}

#[test]
fn the_embedded_net_knows_what_a_queen_is_worth() {
    let mut mlp = Mlp::new(&NetChoice::default().read().unwrap()).unwrap();
    let mut score = |fen| mlp.evaluate(&Position::from_fen(fen).unwrap());
    let queen_up = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let queen_down = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1";
    assert!(score(queen_up) > 300, "{}", score(queen_up));
    assert!(score(queen_down) < -300, "{}", score(queen_down));
    assert!(score(Position::START_FEN).abs() < 150);
}
