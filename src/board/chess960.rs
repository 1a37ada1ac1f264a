//! The 960 starts of Chess960 by their numbers.

use super::position::Position;

/// How many starts there are.
pub const STARTS: u16 = 960;

/// The start with this number, by Reinhard Scharnagl's numbering: 518 is the start of standard chess. `None` from 960 on.
pub fn start(number: u16) -> Option<Position> {
    if number >= STARTS {
        return None;
    }
    let mut rank = [None; 8];
    let mut rest = usize::from(number);
    let mut next = |choices: usize| {
        let choice = rest % choices;
        rest /= choices;
        choice
    };
    // the bishops, on light and dark squares
    rank[2 * next(4) + 1] = Some('b');
    rank[2 * next(4)] = Some('b');
    put(&mut rank, next(6), 'q');
    let (first, second) = KNIGHTS[next(10)];
    // the second first, which leaves the places before it as they are
    put(&mut rank, second, 'n');
    put(&mut rank, first, 'n');
    for piece in ['r', 'k', 'r'] {
        put(&mut rank, 0, piece);
    }
    let black: String = rank.into_iter().flatten().collect();
    let white = black.to_uppercase();
    Position::from_fen(&format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")).ok()
}

/// Where the knights stand among the five files that are left to them.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// Puts a piece on a free file, which is counted from the a file.
fn put(rank: &mut [Option<char>; 8], place: usize, piece: char) {
    let free = rank.iter_mut().filter(|file| file.is_none());
    if let Some(file) = free.into_iter().nth(place) {
        *file = Some(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_number_has_a_start_of_its_own() {
        let starts: HashSet<String> = (0..STARTS)
            .map(|number| start(number).expect("a legal position").to_fen(true))
            .collect();
        assert_eq!(starts.len(), usize::from(STARTS));
        assert!(start(STARTS).is_none());
    }

    #[test]
    fn known_numbers() {
        let back_rank = |number| {
            let fen = start(number).expect("a start").to_fen(true);
            fen[..8].to_string()
        };
        assert_eq!(start(518), Some(Position::default()));
        assert_eq!(back_rank(0), "bbqnnrkr");
        assert_eq!(back_rank(959), "rkrnnqbb");
        assert_eq!(back_rank(534), "rnbkqbnr");
    }
}
