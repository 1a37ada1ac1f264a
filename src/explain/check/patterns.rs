//! Mates that have names.

use super::Scene;
use super::exchange::{kind_on, sees};
use super::king::mate;
use crate::board::{PieceType, Square};
use crate::explain::claim::MatePattern;

pub(super) fn named_mate(scene: &Scene, king: Square, pattern: MatePattern) -> bool {
    let (us, after) = (scene.mover, scene.after);
    let beside: Vec<Square> = Square::all().filter(|&square| apart(square, king) == 1).collect();
    let own = |square: &Square| kind_on(after, *square, !us).is_some();
    let ours = |kind| -> Vec<Square> {
        let on = |square: &Square| kind_on(after, *square, us) == Some(kind);
        Square::all().filter(on).collect()
    };
    let checks = |square: &Square| sees(after, *square, king);
    let guards = |guard: Square| {
        beside
            .iter()
            .filter(|&&square| sees(after, guard, square))
            .count()
    };
    let on_edge = |coordinate: u8| matches!(coordinate, 0 | 7);
    let heavy = || [ours(PieceType::Rook), ours(PieceType::Queen)].concat();
    let is_so = match pattern {
        MatePattern::Smothered => {
            let knight = ours(PieceType::Knight).iter().any(checks);
            knight && beside.iter().all(own)
        }
        MatePattern::Anastasia => {
            let along = heavy()
                .iter()
                .any(|square| checks(square) && square.file() == king.file());
            let knight = |knight: &Square| knight.file().abs_diff(king.file()) == 3 && guards(*knight) >= 2;
            on_edge(king.file()) && along && ours(PieceType::Knight).iter().any(knight)
        }
        MatePattern::Arabian => {
            let rook = |rook: &Square| {
                checks(rook)
                    && apart(*rook, king) == 1
                    && ours(PieceType::Knight)
                        .iter()
                        .any(|&knight| sees(after, knight, *rook))
            };
            on_edge(king.file()) && on_edge(king.rank()) && ours(PieceType::Rook).iter().any(rook)
        }
        MatePattern::Boden => {
            let bishops = ours(PieceType::Bishop);
            let second = |bishop: &Square| !checks(bishop) && guards(*bishop) > 0;
            // nothing else keeps the king in
            let other =
                |guard: &Square| kind_on(after, *guard, us).is_some_and(|kind| kind != PieceType::Bishop);
            let by_another = |square: &Square| {
                !own(square)
                    && Square::all()
                        .filter(other)
                        .any(|guard| sees(after, guard, *square))
            };
            bishops.iter().any(checks) && bishops.iter().any(second) && !beside.iter().any(by_another)
        }
        MatePattern::Epaulette => {
            let queen = |queen: &Square| {
                let [files, ranks] = [
                    queen.file().abs_diff(king.file()),
                    queen.rank().abs_diff(king.rank()),
                ];
                let flanks: Vec<&Square> = beside
                    .iter()
                    .filter(|square| {
                        if files == 0 {
                            square.rank() == king.rank()
                        } else {
                            square.file() == king.file()
                        }
                    })
                    .collect();
                checks(queen)
                    && files.min(ranks) == 0
                    && files.max(ranks) == 2
                    && flanks.len() == 2
                    && flanks.into_iter().all(own)
            };
            let edge = on_edge(king.file()) || on_edge(king.rank());
            edge && ours(PieceType::Queen).iter().any(queen)
        }
        MatePattern::Opera => {
            let rook = |rook: &Square| {
                checks(rook)
                    && rook.rank() == king.rank()
                    && apart(*rook, king) == 1
                    && ours(PieceType::Bishop)
                        .iter()
                        .any(|&bishop| sees(after, bishop, *rook))
            };
            king.rank() == (!us).back_rank() && ours(PieceType::Rook).iter().any(rook)
        }
    };
    is_so && mate(scene, king)
}

/// A king's way between two squares.
fn apart(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()))
}
