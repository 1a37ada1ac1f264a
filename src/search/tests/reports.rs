//! What a search tells, and when it ends.

use super::*;

#[test]
fn the_last_report_tells_all_that_was_searched() {
    let fens = [
        Position::START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/4k3/8/8/R7/4K3 w - - 10 40",
        "k7/8/1K6/8/8/8/8/7R b - - 0 1",
    ];
    for fen in fens {
        for (nodes, threads, lines) in [
            (1, 1, 1),
            (90, 1, 1),
            (3_000, 1, 3),
            (20_000, 1, 1),
            (9_000, 3, 1),
            (9_000, 2, 4),
        ] {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let settings = Settings {
                multi_pv: lines,
                ..Settings::default()
            };
            let (outcome, reports) = run_on(threads, &game(fen), limits, settings);
            let place = reports.iter().rposition(|report| report.multi_pv == 1).unwrap();
            let last = &reports[place];
            let case = format!("{fen} with {nodes} nodes, {threads} threads, {lines} lines");
            assert_eq!(last.nodes, outcome.nodes, "{case}");
            assert_eq!(last.score, outcome.score, "{case}");
            assert_eq!(Some(last.line[0]), outcome.best, "{case}");
            assert_eq!(last.line.get(1).copied(), outcome.ponder, "{case}");
            let told: Vec<Score> = reports[place..].iter().map(|report| report.score).collect();
            assert!(told.is_sorted_by(|one, next| one >= next), "{case}: {told:?}");
        }
    }
}

#[test]
fn several_threads_stop_near_their_limit() {
    for threads in [2, 4, 8] {
        for nodes in [1, 500, 3_000] {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let (outcome, _) = run_on(threads, &game(Position::START_FEN), limits, Settings::default());
            // what a thread was granted and did not need is small
            let least = nodes.saturating_sub(nodes / 8);
            assert!(
                (least..=nodes + threads as u64).contains(&outcome.nodes),
                "{threads}: {} for {nodes}",
                outcome.nodes
            );
        }
    }
}

/// [`Counting`], with what a large network takes.
#[derive(Clone, Default)]
struct Slow(Counting);

impl Evaluator for Slow {
    fn refresh(&mut self, position: &Position) {
        self.0.refresh(position);
    }

    fn push(&mut self, changes: Changes) {
        self.0.push(changes);
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        thread::sleep(Duration::from_millis(10));
        self.0.evaluate(position)
    }

    fn evaluate_batch(&mut self, positions: &[Position], scores: &mut Vec<Score>) {
        scores.extend(positions.iter().map(|position| self.evaluate(position)));
    }
}

#[test]
fn a_slow_network_is_not_asked_beyond_its_time() {
    // a busy machine makes it slower and asks it less often
    let root = game(Position::START_FEN);
    let limits = Limits {
        move_time: Some(Duration::from_millis(100)),
        ..Limits::default()
    };
    for (stop, most) in [(false, 14), (true, 6)] {
        let control = Control::default();
        control.stop.store(stop, Relaxed);
        let mut pool = Pool::new(1, vec![Slow::default()]).unwrap();
        // a second search begins with what the table holds
        for _ in 0..2 {
            let outcome = pool.search(&root, &limits, &Settings::default(), &control, &mut |_| {});
            assert!(outcome.best.is_some());
            assert!(outcome.evaluations <= most, "{}", outcome.evaluations);
        }
    }
}

#[test]
fn a_slow_network_is_not_asked_where_the_clock_runs_out() {
    // a queen can be taken, and every evaluation takes longer than the clock has
    let root = game("q3k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let search = |pool: &mut Pool<Slow>, left: u64| {
        let limits = Limits {
            clock: [Some(Duration::from_millis(left)); 2],
            ..Limits::default()
        };
        let control = Control::default();
        pool.search(&root, &limits, &Settings::default(), &control, &mut |_| {})
    };
    let mut pool = Pool::new(1, vec![Slow::default()]).unwrap();
    // it is known to be slow once it was asked a few times
    assert!(search(&mut pool, 10_000).evaluations > 0);
    pool.clear();
    let outcome = search(&mut pool, 5);
    assert_eq!(outcome.evaluations, 0);
    assert_eq!(outcome.best.unwrap().to_uci(false), "a1a8");
}

#[test]
fn progress_is_told_and_a_listener_that_has_left_ends_the_search() {
    let control = Control {
        listener: Some(Box::new(|progress| progress.nodes == 0)),
        ..Control::default()
    };
    let mut pool = Pool::new(1, vec![Counting::default()]).unwrap();
    let root = game(Position::START_FEN);
    let outcome = pool.search(
        &root,
        &Limits::default(),
        &Settings::default(),
        &control,
        &mut |_| {},
    );
    assert!(outcome.nodes > 0 && control.stop.load(Relaxed));
}

#[test]
fn a_move_that_was_not_finished_is_the_first_in_the_order_of_the_search() {
    // the capture of the queen comes first, and one node is not enough for it
    let root = game("q3k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let limits = Limits {
        nodes: Some(1),
        ..Limits::default()
    };
    let (outcome, _) = run(&root, limits, Settings::default());
    assert_eq!(outcome.best.unwrap().to_uci(false), "a1a8");
}

/// With several lines, one that the last iteration did not come to is told with the depth of the one before.
#[test]
fn a_line_is_told_with_the_depth_that_found_it() {
    let settings = Settings {
        multi_pv: 4,
        ..Settings::default()
    };
    let mut mixed = 0;
    for nodes in (2_000..4_000).step_by(100) {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let (_, reports) = run(&game(Position::START_FEN), limits, settings.clone());
        let last = &reports[reports.len() - 4..];
        mixed += usize::from(last.iter().any(|report| report.depth != last[0].depth));
        for report in last {
            let of_its_depth =
                |other: &&Report| other.depth == report.depth && other.line[0] == report.line[0];
            let first = reports.iter().find(of_its_depth).unwrap();
            assert!(
                report.depth == last[0].depth || first.score == report.score,
                "{nodes}"
            );
        }
    }
    assert!(mixed > 0, "every search ended with an iteration");
}
