//! Former names of nets.

/// Renamed recipes, the old name first: the nets that repeat those of the thesis were called after "the seed", which a
/// reader could take for the seed of a random generator.
const RENAMED: [(&str, &str); 3] = [
    ("mlp-seed", "mlp-thesis"),
    ("cnn-seed", "cnn-thesis"),
    ("cnn-seed-first", "cnn-thesis-first"),
];

/// The present name of a recipe, for one that older files and commands may still use.
pub fn present_name(name: &str) -> &str {
    let renamed = RENAMED.iter().find(|(old, _)| *old == name);
    renamed.map_or(name, |(_, present)| present)
}

#[cfg(test)]
mod tests {
    use super::present_name;

    #[test]
    fn old_names_are_read() {
        assert_eq!(present_name("cnn-seed-first"), "cnn-thesis-first");
        assert_eq!(present_name("mlp-thesis"), "mlp-thesis");
        assert_eq!(present_name("mlp-default"), "mlp-default");
    }
}
