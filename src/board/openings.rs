//! The names of openings, and which positions belong to their theory.
//!
//! `openings.tsv` is the data set of lichess.org (CC0) without its redundancy. A position is recognised by its key, so a
//! transposition finds the name as well.

use super::Position;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The table; its first lines say where it comes from and what its columns are.
const TABLE: &str = include_str!("openings.tsv");

/// The name of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its code in the *Encyclopaedia of Chess Openings*, such as `C50`.
    pub eco: &'static str,
    /// Its English name, such as `Italian Game: Giuoco Piano`.
    pub name: &'static str,
}

/// Every position on the way to a named one, with its name where it has one.
static POSITIONS: LazyLock<HashMap<u64, Option<Opening>>> = LazyLock::new(read);

/// The opening that this position is the beginning of, if it has a name.
pub fn named(position: &Position) -> Option<Opening> {
    POSITIONS.get(&position.key()).copied().flatten()
}

/// Whether this position is on the way to one that has a name.
pub fn is_theory(position: &Position) -> bool {
    POSITIONS.contains_key(&position.key())
}

/// The opening of a game: the last of its positions that has a name.
pub fn of_game<'a>(positions: impl IntoIterator<Item = &'a Position>) -> Option<Opening> {
    positions.into_iter().filter_map(named).last()
}

fn read() -> HashMap<u64, Option<Opening>> {
    let mut found = HashMap::new();
    let mut way = vec![Position::default()];
    for row in TABLE.lines().filter(|row| !row.starts_with('#')) {
        let mut fields = row.split('\t');
        let mut field = || fields.next().unwrap_or_default();
        let (eco, name, shared, moves) = (field(), field(), field(), field());
        way.truncate(1 + shared.parse::<usize>().unwrap_or_default());
        for text in moves.split(' ') {
            let Some(mut position) = way.last().copied() else {
                break;
            };
            // a test reads every row
            let Ok(m) = position.parse_san(text) else {
                break;
            };
            position.play(m);
            found.entry(position.key()).or_insert(None);
            way.push(position);
        }
        if let Some(last) = way.last() {
            found.insert(last.key(), Some(Opening { eco, name }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Vec<Position> {
        let mut positions = vec![Position::default()];
        for text in moves.split(' ') {
            let mut position = positions[positions.len() - 1];
            position.play(position.parse_san(text).unwrap());
            positions.push(position);
        }
        positions
    }

    fn name(moves: &str) -> Option<&'static str> {
        of_game(&after(moves)).map(|opening| opening.name)
    }

    #[test]
    fn every_row_has_a_legal_line_and_its_own_position() {
        let rows: Vec<&str> = TABLE.lines().filter(|row| !row.starts_with('#')).collect();
        assert_eq!(rows.len(), 3807);
        let mut plies = 0;
        for row in &rows {
            let fields: Vec<&str> = row.split('\t').collect();
            assert_eq!(fields.len(), 4, "{row}");
            let shared: usize = fields[2].parse().unwrap();
            assert!(shared <= plies && fields[0].len() == 3, "{row}");
            plies = shared + fields[3].split(' ').count();
        }
        let names = POSITIONS.values().flatten().count();
        assert!(names > 3790, "{names}");
    }

    #[test]
    fn openings_have_the_names_that_players_know() {
        assert_eq!(name("e4 e5 Nf3 Nc6 Bc4 Bc5"), Some("Italian Game: Giuoco Piano"));
        assert_eq!(
            name("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"),
            Some("Sicilian Defense: Najdorf Variation")
        );
        // a transposition, and a game that has left the table
        assert_eq!(name("Nf3 d5 d4"), name("d4 d5 Nf3"));
        assert_eq!(name("e4 e5 f4 a6 Nh3 h5"), Some("King's Gambit"));
        assert_eq!(
            name("e4 e5 f4").and(of_game(&after("e4 e5 f4"))).unwrap().eco,
            "C30"
        );
        assert!(is_theory(&after("e4 e5 f4")[3]) && !is_theory(&after("e4 e5 f4 a6 Nh3 h5")[6]));
    }
}
