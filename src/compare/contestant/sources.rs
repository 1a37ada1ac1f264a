//! Hashes of the sources that decide what a network answers, so that answers of another version are recognised. The
//! build script makes them: see `build/answers.rs` for the sources that count.

/// For each kind of network the names for a static evaluation, a plain look-ahead and a full search.
const NAMES: &[(&str, [&str; 3])] = include!(concat!(env!("OUT_DIR"), "/answer_sources.rs"));

/// The name for a kind of network and a look-ahead in plies: 0 is a static evaluation, `None` a full search.
pub fn name(kind: &str, look_ahead: Option<u32>) -> &'static str {
    let question = match look_ahead {
        Some(0) => 0,
        Some(_) => 1,
        None => 2,
    };
    let names = NAMES.iter().find(|(name, _)| *name == kind);
    names.map_or("", |(_, names)| names[question])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::registry::KINDS;

    #[test]
    fn every_kind_has_names_and_they_differ() {
        let questions = [Some(0), Some(2), None];
        let names = || {
            KINDS
                .iter()
                .flat_map(|kind| questions.map(|question| name(kind.name, question)))
        };
        let distinct: std::collections::HashSet<_> = names().collect();
        assert_eq!(distinct.len(), 3 * KINDS.len());
        assert!(names().all(|name| name.len() == 8));
    }
}
