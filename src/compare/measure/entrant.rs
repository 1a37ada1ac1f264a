//! What stands in a row of the results: a contestant, or a group of nets that are one recipe from several random seeds.

use crate::compare::answer::Answers;
use crate::compare::contestant::Contestant;

/// A contestant, or a group of them that is measured as one.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// As reports call it.
    pub name: String,
    /// The exact identities of its members.
    pub identity: String,
    /// Their places among the answers.
    pub members: Vec<usize>,
    /// What the members share, under the entrant's name; `None` for a contestant of a table.
    pub contestant: Option<Contestant>,
}

/// The entrants in the order of their first members; `contestants` are those of the answers, `None` for those of a table.
pub fn entrants(contestants: &[Option<Contestant>], answers: &[Answers]) -> Vec<Entrant> {
    let mut entrants: Vec<Entrant> = Vec::new();
    for (place, (contestant, answers)) in contestants.iter().zip(answers).enumerate() {
        let group = contestant
            .as_ref()
            .and_then(|contestant| contestant.group.as_ref());
        let name = group.unwrap_or(&answers.name);
        let known = entrants
            .iter_mut()
            .find(|known| group.is_some() && known.name == *name);
        match known {
            Some(known) => {
                known.members.push(place);
                known.identity = format!("{}, {}", known.identity, answers.identity);
            }
            None => entrants.push(Entrant {
                name: name.clone(),
                identity: answers.identity.clone(),
                members: vec![place],
                contestant: contestant.clone().map(|contestant| Contestant {
                    name: name.clone(),
                    ..contestant
                }),
            }),
        }
    }
    entrants
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn nets_of_a_group_are_one() {
        let texts = ["mlp@2", "pair=mlp,cnn@2", "cnn@2"];
        let parse = |text: &&str| Contestant::parse_all(text, Path::new("none")).unwrap();
        let contestants: Vec<Contestant> = texts.iter().flat_map(parse).collect();
        let names: Vec<&str> = contestants.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["mlp@2", "mlp@2", "cnn@2", "cnn@2"]);
        let answers: Vec<Answers> = contestants
            .iter()
            .map(|contestant| Answers {
                name: contestant.name.clone(),
                identity: contestant.name.clone(),
                rows: Vec::new(),
            })
            .collect();
        let contestants: Vec<Option<Contestant>> = contestants.into_iter().map(Some).collect();
        let found = entrants(&contestants, &answers);
        let found: Vec<(&str, &[usize])> = found
            .iter()
            .map(|entrant| (entrant.name.as_str(), entrant.members.as_slice()))
            .collect();
        assert_eq!(found, [("mlp@2", &[0][..]), ("pair@2", &[1, 2]), ("cnn@2", &[3])]);
    }
}
