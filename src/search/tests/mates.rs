//! Mates that are proved, stalemates and forced draws.

use super::*;

fn mate(fen: &str, moves: u32) -> (Outcome, Vec<Report>) {
    let limits = Limits {
        mate: Some(moves),
        ..Limits::default()
    };
    run(&game(fen), limits, Settings::default())
}

#[test]
fn mates_are_proved_with_quiet_keys() {
    for (fen, moves, key) in [
        // the search alone does not find it in twenty million nodes
        (
            "3N3K/B2bRB2/1Qp4p/1R1pppp1/1P2k3/r3pNP1/2P1P3/b2r3q w - - 0 1",
            2,
            "d8b7",
        ),
        // zugzwang: Black may do anything but pass
        ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 2, "c6c7"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 1, "h1h8"),
    ] {
        for asked in [moves, moves + 2] {
            let (outcome, reports) = mate(fen, asked);
            assert_eq!(outcome.score, mate_in(2 * moves as usize - 1), "{fen}");
            let line = &reports.last().unwrap().line;
            assert_eq!(line.len(), 2 * moves as usize - 1, "{fen}");
            let mut position = game(fen).position;
            line.iter().for_each(|&m| drop(position.make(m)));
            assert!(position.in_check() && !position.has_moves(), "{fen}");
            assert!(key.is_empty() || line[0].to_uci(false) == key, "{fen}");
        }
    }
}

#[test]
fn a_search_for_a_mate_ends_where_there_is_none() {
    for (fen, moves) in [
        (Position::START_FEN, 2),
        // mate in three, not in two
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 1),
        // the fiftieth move comes before the mate
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 98 90", 2),
    ] {
        let (outcome, _) = mate(fen, moves);
        assert!(
            outcome.best.is_some() && outcome.score < mate_in(2 * moves as usize - 1),
            "{fen}"
        );
    }
}

#[test]
fn stalemate_is_seen_at_the_leaves() {
    let root = game("7k/5n2/8/8/8/8/5Q2/6K1 w - - 0 1");
    let limits = Limits {
        search_moves: vec![root.position.parse_uci("f2f7").unwrap()],
        ..depth(1)
    };
    assert_eq!(run(&root, limits, Settings::default()).0.score, DRAW);
}

#[test]
fn a_forced_draw_is_told_as_one() {
    for fen in [
        "8/8/8/3k4/8/8/8/K6R w - - 99 120",
        "8/8/8/3k4/8/8/8/K6R b - - 99 120",
    ] {
        for plies in 1..=6 {
            let (outcome, reports) = run(&game(fen), depth(plies), Settings::default());
            assert_eq!(outcome.score, DRAW, "{fen}");
            assert!(reports.iter().all(|report| report.score == DRAW), "{fen}");
        }
    }
}

#[test]
fn a_mate_may_lead_through_a_position_that_came_once_but_not_twice() {
    let root = game("k7/8/2K5/8/8/8/8/1R6 w - - 0 1");
    let key = root
        .position
        .after(root.position.parse_uci("c6c7").unwrap())
        .key();
    let limits = Limits {
        mate: Some(2),
        ..Limits::default()
    };
    let found = |history: Vec<u64>| {
        let root = Game {
            history,
            ..root.clone()
        };
        run(&root, limits.clone(), Settings::default()).0.score
    };
    assert_eq!(found(vec![key]), mate_in(3));
    assert!(found(vec![key, key]) < mate_in(4));
}
