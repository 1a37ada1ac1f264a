//! The search as a whole, with an evaluator that counts material and mobility instead of a network.

use super::*;
use crate::board::{Changes, Color, PieceType};
use crate::nets::Evaluator;
use crate::nets::score::{DRAW, is_mate, mate_in, mated_in};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

mod mates;
mod reports;
#[cfg(feature = "syzygy")]
mod tables;

/// Material, and a point for every move; checks that the search keeps it in step with the positions.
#[derive(Clone, Default)]
struct Counting {
    batch: usize,
    depth: usize,
    ponder_hit: Option<PonderHit>,
}

/// The opponent plays the expected move after so many evaluations.
#[derive(Clone)]
struct PonderHit {
    control: Arc<Control>,
    left: u64,
}

impl Evaluator for Counting {
    fn refresh(&mut self, _: &Position) {
        self.depth = 0;
    }

    fn push(&mut self, _: Changes) {
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth = self
            .depth
            .checked_sub(1)
            .expect("a move was taken back that was never made");
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        if let Some(hit) = &mut self.ponder_hit {
            hit.left = hit.left.saturating_sub(1);
            hit.control.pondering.store(hit.left > 0, Relaxed);
        }
        let side = position.side_to_move();
        let worth = |color: Color| -> Score {
            let counts = PieceType::ALL.map(|kind| position.pieces(color, kind).count() as Score);
            counts
                .iter()
                .zip([100, 300, 310, 500, 900, 0])
                .map(|(count, value)| count * value)
                .sum()
        };
        worth(side) - worth(!side) + position.count_moves() as Score
    }

    fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        scores.extend(positions.iter().map(|position| self.evaluate(position)));
    }

    fn batch_size(&self) -> usize {
        self.batch.max(1)
    }
}

fn game(fen: &str) -> Game {
    Game {
        position: Position::from_fen(fen).unwrap(),
        history: Vec::new(),
    }
}

fn run(game: &Game, limits: Limits, settings: Settings) -> (Outcome, Vec<Report>) {
    run_on(1, game, limits, settings)
}

fn run_on(threads: usize, game: &Game, limits: Limits, settings: Settings) -> (Outcome, Vec<Report>) {
    let evaluators = vec![Counting::default(); threads];
    let mut pool = Pool::new(4, evaluators).unwrap();
    let mut reports = Vec::new();
    let outcome = pool.search(game, &limits, &settings, &Control::default(), &mut |report| {
        reports.push(report.clone())
    });
    (outcome, reports)
}

fn depth(plies: u32) -> Limits {
    Limits {
        depth: Some(plies),
        ..Limits::default()
    }
}

#[test]
fn finds_mates_and_counts_them_right() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8", 1),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "", 2),
        (
            "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1",
            "d2h6",
            2,
        ),
    ];
    for (fen, best, moves) in cases {
        let (outcome, reports) = run(&game(fen), depth(12), Settings::default());
        assert_eq!(outcome.score, mate_in(2 * moves - 1), "{fen}");
        assert_eq!(reports.last().unwrap().line.len(), 2 * moves - 1, "{fen}");
        if !best.is_empty() {
            assert_eq!(outcome.best.unwrap().to_uci(false), best);
        }
    }
}

#[test]
fn a_search_is_endless_while_it_ponders_or_has_no_limit() {
    let none = Limits::default();
    let ends = depth(3);
    for (limits, expected) in [
        (none.clone(), true),
        (ends.clone(), false),
        (
            Limits {
                ponder: true,
                ..ends.clone()
            },
            true,
        ),
        (
            Limits {
                infinite: true,
                ..ends
            },
            true,
        ),
    ] {
        assert_eq!(limits.is_endless(), expected, "{limits:?}");
    }
}

#[test]
fn sees_that_it_is_mated() {
    let (outcome, _) = run(
        &game("k7/8/1K6/8/8/8/8/7R b - - 0 1"),
        depth(5),
        Settings::default(),
    );
    assert_eq!(outcome.score, mated_in(2));
}

#[test]
fn a_finished_game_has_no_move() {
    let mate = run(
        &game("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"),
        depth(3),
        Settings::default(),
    )
    .0;
    assert_eq!((mate.best, mate.score), (None, mated_in(0)));
    let stalemate = run(
        &game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        depth(3),
        Settings::default(),
    )
    .0;
    assert_eq!((stalemate.best, stalemate.score), (None, DRAW));
}

#[test]
fn a_winning_side_avoids_the_third_repetition() {
    let fresh = game("8/8/8/4k3/8/8/R7/4K3 w - - 10 40");
    let (outcome, _) = run(&fresh, depth(6), Settings::default());
    let best = outcome.best.unwrap();
    let repeated = fresh.position.after(best).key();
    let history = vec![1, 2, 3, repeated, 4, repeated];
    let (outcome, _) = run(&Game { history, ..fresh }, depth(6), Settings::default());
    assert_ne!(outcome.best, Some(best));
    assert!(outcome.score > 300);
}

#[test]
fn one_thread_searches_the_same_tree_every_time() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let (first, _) = run(&game(fen), depth(7), Settings::default());
    let (second, _) = run(&game(fen), depth(7), Settings::default());
    assert_eq!(
        (first.nodes, first.best, first.score),
        (second.nodes, second.best, second.score)
    );
}

#[test]
fn node_limits_are_exact_with_one_thread() {
    for limit in [1, 2, 100, 5_000] {
        let limits = Limits {
            nodes: Some(limit),
            ..Limits::default()
        };
        let (outcome, reports) = run(&game(Position::START_FEN), limits, Settings::default());
        assert_eq!(outcome.nodes, limit);
        assert!(outcome.best.is_some() && !reports.is_empty());
        assert!(
            reports.iter().all(|report| !is_mate(report.score)),
            "nothing is known of a mate"
        );
    }
}

#[test]
fn a_search_that_is_stopped_at_once_has_looked_at_its_move() {
    // the pawn attacks the queen
    let root = game("4k3/8/8/2p5/3Q4/8/8/4K3 w - - 0 1");
    let control = Control::default();
    control.stop.store(true, Relaxed);
    let mut pool = Pool::new(1, vec![Counting::default()]).unwrap();
    let outcome = pool.search(
        &root,
        &Limits::default(),
        &Settings::default(),
        &control,
        &mut |_| {},
    );
    assert_eq!(outcome.best.unwrap().from(), "d4".parse().unwrap());
    assert!(outcome.score > 700);
}

#[test]
fn a_ponder_search_that_has_seen_enough_ends_at_the_ponder_hit() {
    const EVALUATIONS: u64 = 30_000;
    let game = game("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let control = Arc::new(Control::default());
    control.pondering.store(true, Relaxed);
    let evaluator = Counting {
        ponder_hit: Some(PonderHit {
            control: control.clone(),
            left: EVALUATIONS,
        }),
        ..Counting::default()
    };
    // hours on the clock, but a single move to choose from
    let limits = Limits {
        search_moves: game.position.legal_moves().into_iter().take(1).collect(),
        clock: [Some(Duration::from_secs(10_000)); 2],
        ponder: true,
        ..Limits::default()
    };
    let mut pool = Pool::new(4, vec![evaluator]).unwrap();
    let outcome = pool.search(&game, &limits, &Settings::default(), &control, &mut |_| {});
    // the next look at the clock comes after 1,024 nodes at most
    let late = EVALUATIONS..EVALUATIONS + 1_100;
    assert!(late.contains(&outcome.evaluations), "{}", outcome.evaluations);
}

#[test]
fn only_the_wanted_root_moves_are_searched() {
    let root = game(Position::START_FEN);
    let a3 = root.position.parse_uci("a2a3").unwrap();
    let limits = Limits {
        search_moves: vec![a3],
        ..depth(5)
    };
    assert_eq!(run(&root, limits, Settings::default()).0.best, Some(a3));
}

#[test]
fn several_lines_are_different_and_in_order() {
    let settings = Settings {
        multi_pv: 4,
        ..Settings::default()
    };
    for look_ahead in [0, 2] {
        let settings = Settings {
            look_ahead,
            ..settings.clone()
        };
        let (outcome, reports) = run(&game(Position::START_FEN), depth(5), settings);
        let last: Vec<_> = reports[reports.len() - 4..].to_vec();
        assert_eq!(
            last.iter().map(|report| report.multi_pv).collect::<Vec<_>>(),
            [1, 2, 3, 4]
        );
        assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
        let firsts: std::collections::HashSet<_> = last.iter().map(|report| report.line[0]).collect();
        assert_eq!(firsts.len(), 4);
        assert_eq!(outcome.best, Some(last[0].line[0]));
    }
}

#[test]
fn every_reported_line_is_legal() {
    let fen = "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2N1PN2/PPP1BPPP/R1BQK2R w KQkq - 0 6";
    for (threads, multi_pv) in [(1, 1), (3, 2)] {
        let settings = Settings {
            multi_pv,
            ..Settings::default()
        };
        for report in run_on(threads, &game(fen), depth(7), settings).1 {
            let mut position = Position::from_fen(fen).unwrap();
            for m in report.line {
                assert!(position.legal_moves().contains(&m), "{m:?} in {position}");
                position.make(m);
            }
        }
    }
}

#[test]
fn the_last_report_is_of_the_move_that_is_played() {
    let fen = "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P4/2N1PN2/PPP1BPPP/R1BQK2R w KQkq - 0 6";
    for (nodes, multi_pv) in (20..4_000).step_by(53).flat_map(|nodes| [(nodes, 1), (nodes, 3)]) {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let settings = Settings {
            multi_pv,
            ..Settings::default()
        };
        let (outcome, reports) = run(&game(fen), limits, settings);
        let last = reports.iter().rfind(|report| report.multi_pv == 1).unwrap();
        assert_eq!(
            outcome.best,
            last.line.first().copied(),
            "{nodes} nodes, {multi_pv} lines"
        );
    }
}

#[test]
fn a_stop_from_another_thread_ends_an_infinite_search() {
    let root = game("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1");
    let control = Control::default();
    let mut pool = Pool::new(1, vec![Counting::default(); 2]).unwrap();
    let limits = Limits {
        infinite: true,
        ..Limits::default()
    };
    let settings = Settings::default();
    thread::scope(|scope| {
        let control = &control;
        let searching = scope.spawn(move || pool.search(&root, &limits, &settings, control, &mut |_| {}));
        thread::sleep(Duration::from_millis(20));
        assert!(
            !searching.is_finished(),
            "an infinite search must not end by itself"
        );
        control.stop.store(true, Relaxed);
        // stalemate: there is no move to give
        assert_eq!(searching.join().unwrap().best, None);
    });
}

/// Minimax without any cut-off: the oracle of the limited look-ahead.
fn minimax(position: &Position, seen: &mut Vec<u64>, plies: u32, ply: usize) -> Score {
    let repeated = seen[1..].contains(&position.key()) && ply > 0;
    if ply > 0 && (position.insufficient_material() || position.halfmove_clock() >= 100 || repeated) {
        return DRAW;
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        return if position.in_check() { mated_in(ply) } else { DRAW };
    }
    if plies == 0 {
        return Counting::default().evaluate(position);
    }
    seen.push(position.key());
    let best = moves
        .iter()
        .map(|&m| -minimax(&position.after(m), seen, plies - 1, ply + 1))
        .max()
        .unwrap();
    seen.pop();
    best
}

#[test]
fn look_ahead_is_the_minimax_value_one_by_one_and_in_batches() {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/8/3k4/3p4/8/3K1N2/8 w - - 98 70",
    ];
    for fen in fens {
        for plies in 1..=3 {
            let root = game(fen);
            let expected = minimax(&root.position, &mut vec![0], plies, 0);
            let settings = Settings {
                look_ahead: plies,
                ..Settings::default()
            };
            let mut chosen = Vec::new();
            for batch in [1, 2, 7, 64] {
                let mut pool = Pool::new(
                    1,
                    vec![Counting {
                        batch,
                        ..Counting::default()
                    }],
                )
                .unwrap();
                let outcome = pool.search(
                    &root,
                    &Limits::default(),
                    &settings,
                    &Control::default(),
                    &mut |_| {},
                );
                assert_eq!(
                    outcome.score, expected,
                    "{fen} at {plies} plies in batches of {batch}"
                );
                assert_eq!(outcome.depth, plies);
                chosen.push(outcome.best);
            }
            assert!(chosen.iter().all(|m| *m == chosen[0]), "{fen}: {chosen:?}");
        }
    }
}

#[test]
fn a_dead_position_is_a_draw_and_threads_come_and_go() {
    let mut pool = Pool::new(1, vec![Counting::default()]).unwrap();
    for (threads, fen) in [
        (1, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        (3, "4k3/8/8/8/8/8/8/4KN2 w - - 0 1"),
        (2, "4kb2/8/8/8/8/8/8/4K3 w - - 0 1"),
    ] {
        pool.set_threads(threads).unwrap();
        let limits = Limits {
            depth: Some(5),
            ..Limits::default()
        };
        let mut told = Vec::new();
        let outcome = pool.search(
            &game(fen),
            &limits,
            &Settings::default(),
            &Control::default(),
            &mut |report| told.push(report.score),
        );
        assert!(outcome.best.is_some());
        assert_eq!(outcome.score, 0);
        assert!(told.iter().all(|&score| score == 0), "{told:?}");
    }
}

#[test]
fn quiescence_at_the_leaves_sees_the_recapture() {
    // one ply ahead QxP wins a pawn, unless the leaf is resolved: the pawn is guarded
    let fen = "4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1";
    let best = |quiescence| {
        let settings = Settings {
            look_ahead: 1,
            quiescence,
            ..Settings::default()
        };
        run(&game(fen), Limits::default(), settings)
            .0
            .best
            .unwrap()
            .to_uci(false)
    };
    assert_eq!(best(false), "d2d5");
    assert_ne!(best(true), "d2d5");
}
