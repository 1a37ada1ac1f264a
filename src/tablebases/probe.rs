//! Probing the tables.

use super::convert::converted;
use super::files::Files;
use super::{Inventory, RankedMove, Ranking, Wdl};
use crate::board::{Ending, Move, Position};
use shakmaty::Chess;
use shakmaty_syzygy::{MaybeRounded, SyzygyError, Tablebase};
use std::cmp::Reverse;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The most plies, distance plus clock, at which the fifty-move rule leaves a win …
const LAST_PLY: i32 = 100;
/// … and at which it surely does where the distance is rounded and may be one too small.
const SAFE_PLIES: i32 = LAST_PLY - 1;
/// The rank of an immediate win; the distance is subtracted from it, and is always far smaller.
const WIN_RANK: i32 = 20_000;
/// The rank of a win that the fifty-move rule spoils.
const CURSED_RANK: i32 = 10_000;

/// The tables of some folders. Their files are opened when they are first probed.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    most_pieces: u32,
    /// The first table that was asked for and could not be used.
    fault: OnceLock<String>,
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "tablebases of up to {} pieces", self.most_pieces)
    }
}

impl Tablebases {
    /// The tables in folders, which are separated as in the environment variable PATH (`:`, on Windows `;`), and what is
    /// there. Files that are damaged are left out and named.
    pub fn open(folders: &str) -> (Tablebases, Inventory) {
        let mut tables = Tablebase::with_filesystem(Arc::new(Files::default()));
        let mut found = Inventory::default();
        for folder in std::env::split_paths(folders) {
            match std::fs::read_dir(&folder) {
                Ok(entries) => {
                    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
                    paths.for_each(|path| add(&mut tables, &path, &mut found));
                }
                Err(error) => found
                    .faults
                    .push(format!("{} cannot be read: {error}", folder.display())),
            }
        }
        found.faults.sort();
        found.most_pieces = tables.max_pieces() as u32;
        let tablebases = Tablebases {
            tables,
            most_pieces: found.most_pieces,
            fault: OnceLock::new(),
        };
        (tablebases, found)
    }

    /// The most pieces, kings included, that a table has.
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// The first table that was needed and is missing or damaged.
    pub fn fault(&self) -> Option<&str> {
        self.fault.get().map(String::as_str)
    }

    /// The result for the side to move if a capture or pawn move was just played; `None` if the tables do not have the
    /// position.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        let theirs = self.convert(position)?;
        let wdl = self.known(self.tables.probe_wdl_after_zeroing(&theirs))?;
        Some(match wdl {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        })
    }

    /// All legal moves by what they lead to, with or without the fifty-move rule; `history` are the keys of the
    /// positions before this one. Ranked by distance if the distance tables are there, else by result alone; `None`
    /// where the tables do not have the moves.
    pub fn rank(&self, position: &Position, history: &[u64], fifty_moves: bool) -> Option<Ranking> {
        self.convert(position)?;
        let keys = [history, &[position.key()]].concat();
        let legal = position.legal_moves();
        let by_distance: Option<Vec<RankedMove>> = legal
            .iter()
            .map(|&m| self.rank_by_distance(position, m, &keys, fifty_moves))
            .collect();
        let (mut moves, by_distance) = match by_distance {
            Some(moves) => (moves, true),
            None => {
                let by_result = legal
                    .iter()
                    .map(|&m| self.rank_by_result(position, m, fifty_moves));
                (by_result.collect::<Option<Vec<_>>>()?, false)
            }
        };
        moves.sort_by_key(|ranked| Reverse(ranked.rank));
        Some(Ranking { moves, by_distance })
    }

    fn rank_by_distance(
        &self,
        position: &Position,
        m: Move,
        keys: &[u64],
        fifty_moves: bool,
    ) -> Option<RankedMove> {
        let child = position.after(m);
        let (distance, most) = match child.ending(keys) {
            Some(Ending::Checkmate) => (1, LAST_PLY),
            Some(Ending::FiftyMoves) if !fifty_moves => self.distance(&child)?,
            Some(_) => (0, LAST_PLY),
            None => self.distance(&child)?,
        };
        // mate and moves that reset the clock are in time whatever it says
        let resets = child.halfmove_clock() == 0 || !child.has_moves();
        let clock = match resets {
            true => 0,
            false => i32::from(position.halfmove_clock()),
        };
        let in_time = !fifty_moves || distance.abs() + clock <= most;
        let (wdl, rank) = match (distance.signum(), in_time) {
            (0, _) => (Wdl::Draw, 0),
            (1, true) => (Wdl::Win, WIN_RANK - distance),
            (1, false) => (Wdl::CursedWin, CURSED_RANK - distance),
            (_, true) => (Wdl::Loss, -WIN_RANK - distance),
            (_, false) => (Wdl::BlessedLoss, -CURSED_RANK - distance),
        };
        Some(RankedMove { m, wdl, rank })
    }

    /// Plies from the parent to the next capture, pawn move or mate, above 0 if the player who moved to `child` wins, and
    /// the most plies of the fifty-move rule that may then have passed.
    fn distance(&self, child: &Position) -> Option<(i32, i32)> {
        if child.halfmove_clock() == 0 {
            // the move resets the fifty-move clock, so only the result counts
            let distance = match self.wdl(child)?.negated() {
                Wdl::Win => 1,
                Wdl::CursedWin => 1 + 100,
                Wdl::Draw => 0,
                Wdl::BlessedLoss => -1 - 100,
                Wdl::Loss => -1,
            };
            return Some((distance, LAST_PLY));
        }
        let theirs = self.convert(child)?;
        let (found, most) = match self.known(self.tables.probe_dtz(&theirs))? {
            MaybeRounded::Precise(found) => (found, LAST_PLY),
            MaybeRounded::Rounded(found) => (found, SAFE_PLIES),
        };
        let distance = -found.0;
        Some((distance + distance.signum(), most))
    }

    fn rank_by_result(&self, position: &Position, m: Move, fifty_moves: bool) -> Option<RankedMove> {
        let child = position.after(m);
        let wdl = match child.ending(&[]) {
            Some(Ending::Checkmate) => Wdl::Win,
            Some(Ending::Stalemate | Ending::InsufficientMaterial) => Wdl::Draw,
            _ => self.wdl(&child)?.negated(),
        };
        let wdl = if fifty_moves {
            wdl
        } else {
            wdl.without_fifty_moves()
        };
        Some(RankedMove {
            m,
            wdl,
            rank: wdl as i32,
        })
    }

    fn convert(&self, position: &Position) -> Option<Chess> {
        let few = position.occupied().count() <= self.most_pieces;
        if few { converted(position) } else { None }
    }

    /// Keeps the first fault of a table.
    fn known<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(SyzygyError::Castling | SyzygyError::TooManyPieces) => None,
            Err(error) => {
                let text = match &error {
                    SyzygyError::MissingTable { metric, material } => {
                        format!("the {metric} table {material} is missing")
                    }
                    SyzygyError::ProbeFailed { metric, material, .. } => {
                        format!("the {metric} table {material} is damaged or cannot be read")
                    }
                    other => other.to_string(),
                };
                let _ = self.fault.set(text);
                None
            }
        }
    }
}

/// Adds a file if its name is that of a table.
fn add(tables: &mut Tablebase<Chess>, path: &Path, found: &mut Inventory) {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let count = match ending {
        Some("rtbw") => &mut found.wdl,
        Some("rtbz") => &mut found.dtz,
        _ => return,
    };
    match tables.add_file(path) {
        Ok(()) => *count += 1,
        Err(error) => found
            .faults
            .push(format!("{} is left out: {error}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, PieceType, Square};
    use rand::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use std::path::PathBuf;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syzygy")
    }

    fn tables() -> Tablebases {
        let (tables, found) = Tablebases::open(&folder().display().to_string());
        let expected = Inventory {
            wdl: 5,
            dtz: 5,
            most_pieces: 3,
            faults: Vec::new(),
        };
        assert_eq!(found, expected);
        tables
    }

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// A random legal position of two kings and a white piece.
    fn random(kind: PieceType, rng: &mut ChaCha8Rng) -> Position {
        loop {
            let squares: Vec<usize> = rand::seq::index::sample(rng, 64, 3).into_vec();
            let letters = ['K', 'k', kind.of(Color::White).letter()];
            let letter_on = |square: Square| {
                let place = squares.iter().position(|&other| other == square.index());
                place.map_or('1', |place| letters[place])
            };
            let rank =
                |rank: u8| -> String { (0..8).map(|file| letter_on(Square::at(file, rank))).collect() };
            let board: Vec<String> = (0..8).rev().map(rank).collect();
            let side = if rng.random() { 'w' } else { 'b' };
            let fen = format!("{} {side} - - 0 1", board.join("/"));
            if let Ok(position) = Position::from_fen(&fen)
                && position.has_moves()
            {
                return position;
            }
        }
    }

    #[test]
    fn the_first_moves_win_or_hold_what_the_tables_promise() {
        let tables = tables();
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for kind in [PieceType::Queen, PieceType::Rook, PieceType::Pawn] {
            for _ in 0..25 {
                let start = random(kind, &mut rng);
                let promised = tables.wdl(&start).unwrap();
                let mut position = start;
                let mut history = Vec::new();
                let end = loop {
                    if let Some(ending) = position.ending(&history) {
                        break ending;
                    }
                    let Some(ranking) = tables.rank(&position, &history, true) else {
                        // promoted: the pieces have tables of their own
                        panic!("no ranking of {position}");
                    };
                    assert!(ranking.by_distance);
                    history.push(position.key());
                    position.make(ranking.moves[0].m);
                };
                let mover = start.side_to_move();
                let result = match end {
                    Ending::Checkmate if position.side_to_move() == mover => Wdl::Loss,
                    Ending::Checkmate => Wdl::Win,
                    _ => Wdl::Draw,
                };
                assert_eq!(result, promised, "{start} ended at {position} by {end:?}");
            }
        }
    }

    #[test]
    fn results_are_those_of_the_next_moves() {
        let tables = tables();
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for kind in [
            PieceType::Queen,
            PieceType::Rook,
            PieceType::Pawn,
            PieceType::Bishop,
        ] {
            for _ in 0..200 {
                let parent = random(kind, &mut rng);
                let best = parent
                    .legal_moves()
                    .iter()
                    .map(|&m| {
                        let child = parent.after(m);
                        match child.ending(&[]) {
                            Some(Ending::Checkmate) => Wdl::Win,
                            Some(_) => Wdl::Draw,
                            None => tables.wdl(&child).unwrap().negated(),
                        }
                    })
                    .max();
                assert_eq!(tables.wdl(&parent), best, "{parent}");
            }
        }
    }

    #[test]
    fn a_win_too_late_for_the_fifty_move_rule_is_cursed() {
        let late = position("8/8/8/8/3k4/8/8/K6R w - - 85 120");
        let best = |fifty_moves| tables().rank(&late, &[], fifty_moves).unwrap().moves[0];
        assert_eq!(best(true).wdl, Wdl::CursedWin);
        assert_eq!(best(false).wdl, Wdl::Win);
        assert_eq!(best(true).m, best(false).m);
    }

    #[test]
    fn the_clock_does_not_count_for_moves_that_reset_it() {
        // promotions and a mate on the last ply before the draw, and a rook that comes too late
        for (fen, best, wdl) in [
            ("8/2P5/8/8/8/4k3/8/K7 w - - 99 120", "c7c8q", Wdl::Win),
            ("k7/8/1K6/8/8/8/8/7R w - - 99 120", "h1h8", Wdl::Win),
            ("8/8/8/8/8/2k5/2p5/K7 b - - 99 120", "c2c1q", Wdl::Win),
            ("8/8/8/8/3k4/8/8/K6R w - - 99 120", "", Wdl::Draw),
            // the other side promotes on the last ply
            ("8/8/8/8/8/k7/3p4/7K w - - 98 120", "", Wdl::Loss),
            ("8/8/8/8/3k4/8/8/K6R w - - 98 120", "", Wdl::CursedWin),
            // nobody has claimed the draw
            ("8/2P5/8/8/8/4k3/8/K7 w - - 110 120", "c7c8q", Wdl::Win),
        ] {
            let ranking = tables().rank(&position(fen), &[], true).unwrap();
            let found = ranking.moves[0];
            assert_eq!(found.wdl, wdl, "{fen}: {}", found.m.to_uci(false));
            if wdl == Wdl::Win {
                assert_eq!(found.m.to_uci(false), best, "{fen}");
            }
        }
    }

    #[test]
    fn a_win_is_taken_the_short_way_and_a_loss_the_long_way() {
        let tables = tables();
        let plies = |fen: &str| -> Vec<i32> {
            let start = position(fen);
            let moves = tables.rank(&start, &[], true).unwrap().moves;
            let decided = moves.iter().filter(|ranked| ranked.wdl != Wdl::Draw);
            let distance = |ranked: &RankedMove| tables.distance(&start.after(ranked.m)).unwrap().0;
            decided.map(distance).collect()
        };
        let wins = plies("8/8/8/8/3k4/8/8/K6R w - - 0 1");
        assert!(
            wins.is_sorted() && 0 < wins[0] && wins.first() < wins.last(),
            "{wins:?}"
        );
        // the distances of losses are below 0
        let losses = plies("8/8/8/8/3k4/8/8/K6R b - - 0 1");
        assert!(
            losses.is_sorted() && losses.first() < losses.last() && losses.iter().all(|&plies| plies < 0),
            "{losses:?}"
        );
    }

    #[test]
    fn what_no_table_knows_is_not_answered() {
        let tables = tables();
        for fen in [
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "4k3/8/8/8/8/8/8/R3KR2 w - - 0 1",
        ] {
            assert_eq!(tables.wdl(&position(fen)), None);
            assert_eq!(tables.rank(&position(fen), &[], true), None);
        }
        assert_eq!(tables.fault(), None);
    }

    #[test]
    fn missing_and_damaged_tables_are_named() {
        let room = tempfile::tempdir().unwrap();
        let copy = |name: &str| std::fs::copy(folder().join(name), room.path().join(name)).unwrap();
        for name in ["KRvK.rtbw", "KQvK.rtbw", "KQvK.rtbz", "KPvK.rtbw"] {
            copy(name);
        }
        // cut in the middle, and with its beginning overwritten
        let whole = std::fs::read(folder().join("KPvK.rtbz")).unwrap();
        std::fs::write(room.path().join("KPvK.rtbz"), &whole[..1001]).unwrap();
        std::fs::write(room.path().join("KQvK.rtbz"), vec![7; 5328]).unwrap();
        let folders = std::env::join_paths([room.path(), Path::new("/no/such/folder")]).unwrap();
        let (tables, found) = Tablebases::open(&folders.to_string_lossy());
        assert_eq!((found.wdl, found.dtz, found.faults.len()), (3, 1, 2));
        assert!(found.faults.iter().any(|fault| fault.contains("KPvK.rtbz")));
        assert!(found.faults.iter().any(|fault| fault.contains("/no/such/folder")));
        // without distances the results alone rank the moves
        let rook = tables
            .rank(&position("8/8/8/8/3k4/8/8/K6R w - - 0 1"), &[], true)
            .unwrap();
        assert!(!rook.by_distance && rook.moves[0].wdl == Wdl::Win);
        assert!(tables.fault().unwrap().contains("KRvK"), "{:?}", tables.fault());
        let (tables, _) = Tablebases::open(&room.path().display().to_string());
        let queen = position("8/8/8/8/3k4/8/8/K6Q w - - 0 1");
        assert!(!tables.rank(&queen, &[], true).unwrap().by_distance);
        let fault = tables.fault().unwrap();
        assert!(fault.contains("KQvK") && fault.contains("damaged"), "{fault}");
    }
}
