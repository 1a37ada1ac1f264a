//! Endgame tablebases at the root: every position of three pieces, up to symmetry, in which a single move is right.

use super::*;
use crate::board::Square;
use crate::nets::score::EVALUATION_LIMIT;
use crate::search::tablebase::TablebaseSettings;
use crate::tablebases::{Tablebases, Wdl};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/syzygy");

/// Calls `visit` on every legal position of White's king and piece against Black's king that goes on, once for each
/// symmetry.
fn each_position(kind: PieceType, mut visit: impl FnMut(&Position)) {
    let letter = kind.of(Color::White).letter();
    let has_pawns = kind == PieceType::Pawn;
    let all = || (0..64).map(Square::new);
    // without pawns the board may be mirrored at its diagonals too
    let is_first = |king: Square| king.file() < 4 && (has_pawns || king.rank() <= king.file());
    for king in all().filter(|&king| is_first(king)) {
        for other in all() {
            for piece in all() {
                if king == other || king == piece || other == piece {
                    continue;
                }
                let letter_on = |square: Square| match square {
                    square if square == king => 'K',
                    square if square == other => 'k',
                    square if square == piece => letter,
                    _ => '1',
                };
                let rank =
                    |rank| -> String { (0..8).map(|file| letter_on(Square::at(file, rank))).collect() };
                let board: Vec<String> = (0..8).rev().map(rank).collect();
                for side in ["w", "b"] {
                    let fen = format!("{} {side} - - 0 1", board.join("/"));
                    if let Ok(position) = Position::from_fen(&fen)
                        && position.ending(&[]).is_none()
                    {
                        visit(&position);
                    }
                }
            }
        }
    }
}

/// Searches a position at 1 to 5 lines; the best move is the right one, and scores never contradict the order.
fn check(pool: &mut Pool<Counting>, tables: &Arc<Tablebases>, position: &Position, right: Move) {
    let limits = Limits {
        nodes: Some(30),
        ..Limits::default()
    };
    let game = Game {
        position: *position,
        history: Vec::new(),
    };
    for multi_pv in 1..=5 {
        let settings = Settings {
            multi_pv,
            tablebases: TablebaseSettings {
                tables: Some(tables.clone()),
                ..TablebaseSettings::default()
            },
            ..Settings::default()
        };
        let mut reports = Vec::new();
        let outcome = pool.search(&game, &limits, &settings, &Control::default(), &mut |report| {
            reports.push((report.multi_pv, report.score, report.line[0]));
        });
        assert_eq!(outcome.best, Some(right), "{position} with {multi_pv} lines");
        let last = reports.iter().rposition(|report| report.0 == 1).unwrap();
        let lines = &reports[last..];
        assert!(
            lines.is_sorted_by(|one, next| one.1 >= next.1),
            "{position}: {lines:?}"
        );
        let ranking = tables.rank(position, &[], true).unwrap();
        for &(_, score, first) in lines {
            let wdl = ranking.moves.iter().find(|ranked| ranked.m == first).unwrap().wdl;
            let told = match score {
                score if score > EVALUATION_LIMIT => Wdl::Win,
                score if score < -EVALUATION_LIMIT => Wdl::Loss,
                _ => Wdl::Draw,
            };
            assert_eq!(told, wdl, "{position}: {lines:?}");
        }
    }
}

#[test]
fn a_single_right_move_is_played_at_every_number_of_lines() {
    let tables = Arc::new(Tablebases::open(FOLDER).0);
    let mut pool = Pool::new(1, vec![Counting::default()]).unwrap();
    let mut checked = [0; 3];
    let kinds = [PieceType::Pawn, PieceType::Rook, PieceType::Queen];
    for (count, kind) in checked.iter_mut().zip(kinds) {
        each_position(kind, |position| {
            let ranking = tables.rank(position, &[], true).unwrap();
            if let [first, second, ..] = ranking.moves[..]
                && first.wdl > second.wdl
            {
                check(&mut pool, &tables, position, first.m);
                *count += 1;
            }
        });
    }
    assert!(checked.iter().all(|&count| count > 500), "{checked:?}");
}
