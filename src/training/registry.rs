//! Finds the kind of network that a recipe asks for among `KINDS`.

use super::kind::{Design, TrainingKind};
use super::net_recipe::NetRecipe;
use super::{KINDS, RecipeError};

/// The kind of a recipe's net: the one that it names, or else the first that recognises the layout.
///
/// # Errors
/// [`RecipeError`] if there is none.
pub fn kind_of(net: &NetRecipe) -> Result<&'static TrainingKind, RecipeError> {
    let named = |kind: &&TrainingKind| kind.name == net.kind;
    let recognised = |kind: &&TrainingKind| (kind.recognises)(&net.layout);
    if net.kind.is_empty() {
        let found = KINDS.iter().find(recognised);
        return found.ok_or_else(|| RecipeError::UnknownLayout {
            layout: net.layout.clone(),
            known: names(),
        });
    }
    let found = KINDS.iter().find(named);
    found.ok_or_else(|| RecipeError::UnknownKind {
        kind: net.kind.clone(),
        known: names(),
    })
}

/// The checked design of a recipe's net.
///
/// # Errors
/// [`RecipeError`] says what is wrong with the recipe's `[net]` table.
pub fn design(net: &NetRecipe) -> Result<Box<dyn Design>, RecipeError> {
    (kind_of(net)?.design)(net)
}

fn names() -> String {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Record;
    use crate::nets::curve::{Curve, Orientation};
    use crate::nets::net::{FORMAT, NetInfo};
    use candle_core::Device;

    fn net(kind: &str, layout: &str) -> NetRecipe {
        NetRecipe {
            kind: kind.into(),
            layout: layout.into(),
            orientation: Orientation::Mover,
            curve: Curve::THESIS,
            after: None,
            settings: toml::Table::new(),
        }
    }

    #[test]
    fn a_recipe_without_a_kind_has_the_kind_of_its_layout() {
        for (kind, layout, wanted) in [
            ("", "774-8-1", "mlp"),
            ("", "2x774-8-1x8", "mlp"),
            ("", "16-8-pool-1", "cnn"),
            ("cnn", "16-8-pool-1", "cnn"),
            // the kind that is named says what is wrong with the layout
            ("mlp", "16-8-pool-1", "mlp"),
        ] {
            assert_eq!(kind_of(&net(kind, layout)).map(|kind| kind.name), Ok(wanted));
        }
        for (kind, layout) in [("", "5-1"), ("tree", "774-8-1")] {
            let error = kind_of(&net(kind, layout)).err().unwrap().to_string();
            assert!(error.contains("mlp, cnn"), "{error}");
        }
        assert!(design(&net("mlp", "16-8-pool-1")).is_err());
    }

    /// Positions of a game without sense.
    fn records(count: usize) -> Vec<Record> {
        let mut position = Position::default();
        (0..count)
            .map(|ply| {
                let moves = position.legal_moves();
                position.play(moves[ply * 7 % moves.len()]);
                Record::new(&position)
            })
            .collect()
    }

    fn info(recipe: &NetRecipe) -> NetInfo {
        NetInfo {
            format: FORMAT,
            name: recipe.kind.clone(),
            architecture: design(recipe).unwrap().architecture(),
            orientation: recipe.orientation,
            curve: Curve::THESIS,
            data: String::new(),
            positions: 0,
            validation: None,
            recipe: None,
        }
    }

    /// A net in training that takes over a net file writes that file again.
    #[test]
    fn every_kind_goes_on_from_its_net_file() {
        let records = records(64);
        for (kind, layout, orientation) in [
            ("mlp", "2x774-8-4-1x8", Orientation::Mover),
            ("cnn", "16-4-2r-pool-4-1", Orientation::Mover),
            ("cnn", "16-4-1se-1r-pool-4-1", Orientation::Mover),
            ("control", "65-8-6", Orientation::White),
            ("transformer", "16-16-1t2h16f4g-pool-4-1", Orientation::Mover),
        ] {
            let recipe = NetRecipe {
                orientation,
                ..net(kind, layout)
            };
            let design = design(&recipe).unwrap();
            let info = info(&recipe);
            let model = |seed| design.model(seed, &Device::Cpu).unwrap();
            let written = model(1).net(info.clone()).unwrap();
            let mut other = model(2);
            assert_ne!(other.net(info.clone()).unwrap(), written, "{kind}");
            other.take_over(&written, &records).unwrap();
            let again = other.net(info).unwrap();
            for (name, tensor) in &written.tensors {
                let found = &again.tensors[name].values;
                assert_eq!(found.len(), tensor.values.len(), "{kind}, {name}");
                let found = found.iter().zip(&tensor.values);
                let farthest = found
                    .map(|(found, wanted)| (found - wanted).abs())
                    .fold(0.0, f32::max);
                assert!(farthest < 1e-5, "{kind}, {name}: {farthest}");
            }
        }
        let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(
            kinds,
            ["transformer", "mlp", "cnn", "control"],
            "a kind that is not tried above"
        );
    }

    /// The empty boards of a block that the sample does not fill are no positions.
    #[test]
    fn whole_blocks_alone_count_in_the_statistics_of_a_cnn() {
        let recipe = net("cnn", "16-4-2r-pool-4-1");
        let design = design(&recipe).unwrap();
        let model = |seed| design.model(seed, &Device::Cpu).unwrap();
        let net = model(1).net(info(&recipe)).unwrap();
        let statistics = |sample: &[Record]| {
            let mut model = model(2);
            model.take_over(&net, sample).unwrap();
            let state = model.state().unwrap();
            let numbers = state.iter().map(|tensor| tensor.flatten_all()?.to_vec1::<f64>());
            numbers.collect::<Result<Vec<_>, _>>().unwrap()
        };
        let records = records(69);
        assert_eq!(statistics(&records), statistics(&records[..64]));
        assert_ne!(statistics(&records), statistics(&records[..32]));
    }

    /// What a kind calls itself is what net files will call it.
    #[test]
    fn kinds_have_the_names_of_net_files() {
        for (kind, layout) in [("mlp", "774-8-1"), ("cnn", "16-8-pool-1")] {
            let architecture = design(&net(kind, layout)).unwrap().architecture();
            assert_eq!(architecture.kind, kind);
        }
    }
}
