//! Looking at the legal moves for a level.

use super::Level;
use super::choice::{View, choose};
use super::endings;
use crate::board::{Move, Position};
use crate::engine::searcher::Searcher;
use crate::nets::score::{DRAW, Score, mate_in};
use crate::search::tablebase::TablebaseSettings;
use crate::search::{Bound, Control, Game, Limits, Outcome, Report, Settings};
use rand::Rng;
use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// All legal moves are searched to this many plies; only the best of them are searched deeper.
const ALL_MOVES: u32 = 4;
/// How many moves are searched deeper.
const CANDIDATES: usize = 6;

/// What a player is asked.
#[derive(Clone, Copy)]
pub struct LevelRequest<'a> {
    /// The game up to the position.
    pub game: &'a Game,
    /// Limits that hold besides those of the level.
    pub limits: &'a Limits,
    /// How to search, and how many lines to tell; `tablebases` are ignored.
    pub settings: &'a Settings,
    /// Ends the search.
    pub control: &'a Control,
}

/// Chooses a move as a player of this level would. As from a search, a report with the move that is played always comes
/// before the outcome; with several lines it is the first, and the best of the other moves follow.
pub fn play(
    searcher: &mut dyn Searcher,
    question: LevelRequest,
    level: Level,
    random: &mut impl Rng,
    report: &mut dyn FnMut(&Report),
) -> Outcome {
    let start = Instant::now();
    let LevelRequest {
        game,
        limits,
        control,
        ..
    } = question;
    let settings = &Settings {
        multi_pv: usize::MAX,
        // a weaker player knows no tables
        tablebases: TablebaseSettings::default(),
        ..question.settings.clone()
    };
    if endings::is_known(&game.position, level.elo()) {
        let limits = Limits {
            nodes: Some(
                limits
                    .nodes
                    .map_or(endings::NODES, |nodes| nodes.min(endings::NODES)),
            ),
            ..limits.clone()
        };
        let settings = Settings {
            multi_pv: question.settings.multi_pv,
            ..settings.clone()
        };
        return searcher.search(game, &limits, &settings, control, report);
    }
    let most = level.most_plies(random).max(1);
    let most = limits.depth.map_or(most, |depth| depth.min(most));
    let mut look = Look {
        searcher,
        game,
        settings,
        control,
    };
    let first = Limits {
        depth: Some(most.min(ALL_MOVES)),
        ..limits.clone()
    };
    let (mut outcome, mut reports) = look.ahead(&first);
    if outcome.best.is_none() {
        return outcome;
    }
    let mut views = look.views(&reports);
    let has_nodes = limits.nodes.is_none_or(|nodes| outcome.nodes < nodes);
    if most > ALL_MOVES && has_nodes && !control.stop.load(Relaxed) {
        views.sort_by_key(|view| Reverse(view.last()));
        views.truncate(CANDIDATES);
        let before = outcome.nodes;
        let second = Limits {
            depth: Some(most),
            search_moves: views.iter().map(|view| view.m).collect(),
            ..what_is_left(limits, start.elapsed(), before)
        };
        let (deeper, deeper_reports) = look.ahead(&second);
        outcome = Outcome {
            nodes: before + deeper.nodes,
            evaluations: outcome.evaluations + deeper.evaluations,
            ..deeper
        };
        look.follow(&mut views, &deeper_reports);
        reports.extend(deeper_reports);
    }
    let chosen = &views[choose(&views, level, random)];
    let lines = last_reports(&reports, chosen.m);
    let time = start.elapsed();
    for (place, line) in lines.iter().take(question.settings.multi_pv.max(1)).enumerate() {
        report(&Report {
            multi_pv: place + 1,
            nodes: outcome.nodes,
            time,
            ..(*line).clone()
        });
    }
    Outcome {
        best: Some(chosen.m),
        ponder: lines[0].line.get(1).copied(),
        score: lines[0].score,
        ..outcome
    }
}

/// The last report of each move, that of the chosen one first and the others by their scores.
fn last_reports(reports: &[Report], chosen: Move) -> Vec<&Report> {
    let mut lines: Vec<&Report> = Vec::new();
    for report in reports.iter().rev() {
        if lines.iter().all(|line| line.line[0] != report.line[0]) {
            lines.push(report);
        }
    }
    lines.sort_by_key(|line| (line.line[0] != chosen, Reverse(line.score)));
    lines
}

/// The limits that remain after this much time and so many nodes.
fn what_is_left(limits: &Limits, time: Duration, nodes: u64) -> Limits {
    let left = |limit: Duration| limit.saturating_sub(time);
    Limits {
        clock: limits.clock.map(|clock| clock.map(left)),
        move_time: limits.move_time.map(left),
        nodes: limits.nodes.map(|limit| limit.saturating_sub(nodes).max(1)),
        ..limits.clone()
    }
}

/// The game to look ahead in, and what searches it.
struct Look<'a> {
    searcher: &'a mut dyn Searcher,
    game: &'a Game,
    settings: &'a Settings,
    control: &'a Control,
}

impl Look<'_> {
    /// A search with the reports of all its lines.
    fn ahead(&mut self, limits: &Limits) -> (Outcome, Vec<Report>) {
        let mut reports = Vec::new();
        let outcome = self
            .searcher
            .search(self.game, limits, self.settings, self.control, &mut |report| {
                reports.push(report.clone());
            });
        (outcome, reports)
    }

    /// The moves of the first search, with their scores by the plies of the look-ahead.
    fn views(&mut self, reports: &[Report]) -> Vec<View> {
        let mut moves: Vec<Move> = Vec::new();
        for report in reports {
            if !moves.contains(&report.line[0]) {
                moves.push(report.line[0]);
            }
        }
        let after: Vec<Position> = moves.iter().map(|&m| self.game.position.after(m)).collect();
        let scores = self.searcher.evaluate(&after);
        let mut views: Vec<View> = moves
            .iter()
            .zip(after.iter().zip(scores))
            .map(|(&m, (after, score))| View {
                m,
                scores: vec![at_once(after, score)],
            })
            .collect();
        self.follow(&mut views, reports);
        views
    }

    /// Adds the scores of the reports.
    fn follow(&self, views: &mut [View], reports: &[Report]) {
        for report in reports.iter().filter(|report| report.bound == Bound::Exact) {
            let view = views.iter_mut().find(|view| view.m == report.line[0]);
            // a search that was stopped reports its last line again
            if let Some(view) = view.filter(|view| view.scores.len() <= report.depth as usize) {
                view.scores.push(report.score);
            }
        }
    }
}

/// What a position is worth for the player who has just moved, without any look-ahead, except that mate and stalemate
/// are always seen.
fn at_once(after: &Position, score: Score) -> Score {
    match (after.has_moves(), after.in_check()) {
        (true, _) => -score,
        (false, true) => mate_in(1),
        (false, false) => DRAW,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::level::ELO;
    use crate::engine::searcher::{SearcherPlan, searcher};
    use crate::nets::built_in;
    use crate::nets::choice::NetChoice;
    use crate::nets::kind::Backend;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn new_searcher() -> Box<dyn Searcher> {
        let plan = SearcherPlan {
            net: NetChoice::BuiltIn(built_in::NAMES[0]),
            backend: Backend::default(),
            threads: 1,
            hash: 1,
        };
        searcher(&plan).unwrap().0
    }

    /// The answer of a level, and the reports before it.
    fn ask(
        searcher: &mut dyn Searcher,
        fen: &str,
        limits: &Limits,
        elo: u32,
        seed: u64,
    ) -> (Outcome, Vec<Report>) {
        ask_lines(searcher, fen, limits, elo, seed, 1)
    }

    fn ask_lines(
        searcher: &mut dyn Searcher,
        fen: &str,
        limits: &Limits,
        elo: u32,
        seed: u64,
        lines: usize,
    ) -> (Outcome, Vec<Report>) {
        let game = Game {
            position: Position::from_fen(fen).unwrap(),
            history: Vec::new(),
        };
        ask_in(searcher, &game, limits, elo, seed, lines)
    }

    fn ask_in(
        searcher: &mut dyn Searcher,
        game: &Game,
        limits: &Limits,
        elo: u32,
        seed: u64,
        lines: usize,
    ) -> (Outcome, Vec<Report>) {
        let settings = Settings {
            multi_pv: lines,
            ..Settings::default()
        };
        let question = LevelRequest {
            game,
            limits,
            settings: &settings,
            control: &Control::default(),
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut reports = Vec::new();
        let outcome = play(
            searcher,
            question,
            Level::of_elo(elo),
            &mut random,
            &mut |report| {
                reports.push(report.clone());
            },
        );
        (outcome, reports)
    }

    const MIDDLE_GAME: &str = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7";

    #[test]
    fn the_last_report_is_of_the_move_that_is_played() {
        let mut searcher = new_searcher();
        for elo in [ELO.0, 1500, ELO.1] {
            for seed in 0..5 {
                let (outcome, reports) = ask(&mut *searcher, MIDDLE_GAME, &Limits::default(), elo, seed);
                let last = reports.last().unwrap();
                assert_eq!((Some(last.line[0]), last.multi_pv), (outcome.best, 1), "{elo}");
                assert_eq!(last.score, outcome.score);
                assert_eq!(outcome.ponder, last.line.get(1).copied());
            }
        }
    }

    #[test]
    fn every_answer_is_told_with_all_that_was_searched() {
        let mut searcher = new_searcher();
        for nodes in [1, 30, 500, 5_000] {
            for lines in [1, 3] {
                let limits = Limits {
                    nodes: Some(nodes),
                    ..Limits::default()
                };
                let (outcome, reports) = ask_lines(&mut *searcher, MIDDLE_GAME, &limits, 1500, nodes, lines);
                let first = &reports[0];
                assert_eq!(Some(first.line[0]), outcome.best, "{nodes}");
                assert!(reports.iter().all(|report| report.nodes == outcome.nodes));
                assert!(outcome.nodes <= nodes, "{} for {nodes}", outcome.nodes);
                let places: Vec<usize> = reports.iter().map(|report| report.multi_pv).collect();
                assert!(places.iter().copied().eq(1..=places.len()), "{places:?}");
                if nodes >= 500 {
                    assert_eq!(places.len(), lines);
                }
                let others = &reports[1..];
                assert!(others.is_sorted_by(|one, next| one.score >= next.score));
            }
        }
    }

    #[test]
    fn elementary_mates_are_given() {
        let mut searcher = new_searcher();
        for (start, elo) in [
            ("8/8/8/4k3/8/8/8/K6Q w - - 0 1", ELO.0),
            ("8/8/8/3k4/8/8/8/K6R w - - 0 1", ELO.0),
            ("8/8/3k4/8/8/8/8/R3K3 w - - 0 1", 2000),
            ("8/8/3k4/8/8/8/8/R3K3 w - - 0 1", ELO.1),
        ] {
            let mut position = Position::from_fen(start).unwrap();
            let mut history = Vec::new();
            while position.ending(&history).is_none() {
                let fen = position.to_fen(false);
                let game = Game {
                    position,
                    history: history.clone(),
                };
                let seed = history.len() as u64;
                let m = ask_in(&mut *searcher, &game, &Limits::default(), elo, seed, 1)
                    .0
                    .best;
                history.push(position.key());
                position.make(m.unwrap_or_else(|| panic!("no move in {fen}")));
            }
            let moves = history.len();
            assert!(
                position.in_check() && !position.has_moves(),
                "{start} at {elo}: {position} after {moves} plies"
            );
        }
    }

    #[test]
    fn weak_players_vary_more() {
        let mut searcher = new_searcher();
        let mut kinds = |elo| {
            let moves = (0..30).map(|seed| {
                let (outcome, _) = ask(&mut *searcher, MIDDLE_GAME, &Limits::default(), elo, seed);
                outcome.best.unwrap().to_uci(false)
            });
            moves.collect::<std::collections::BTreeSet<_>>().len()
        };
        let (weak, strong) = (kinds(ELO.0), kinds(ELO.1));
        assert!(weak > strong && strong < 10, "{weak} {strong}");
    }

    #[test]
    fn everybody_gives_mate_when_it_ends_the_game() {
        let mut searcher = new_searcher();
        for elo in [ELO.0, ELO.1] {
            for seed in 0..10 {
                let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
                let (outcome, _) = ask(&mut *searcher, fen, &Limits::default(), elo, seed);
                assert_eq!(outcome.best.unwrap().to_uci(false), "d1d8", "{elo}");
            }
        }
    }

    #[test]
    fn limits_hold_besides_the_level() {
        let mut searcher = new_searcher();
        let position = Position::from_fen(MIDDLE_GAME).unwrap();
        let limits = Limits {
            search_moves: vec![position.parse_uci("a2a3").unwrap()],
            nodes: Some(500),
            ..Limits::default()
        };
        let (outcome, _) = ask(&mut *searcher, MIDDLE_GAME, &limits, ELO.1, 1);
        assert_eq!(outcome.best.unwrap().to_uci(false), "a2a3");
        assert!(outcome.nodes <= 1_500, "{}", outcome.nodes);
        let mated = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
        assert_eq!(
            ask(&mut *searcher, mated, &Limits::default(), ELO.1, 1).0.best,
            None
        );
        let limits = Limits {
            clock: [Some(Duration::from_secs(10)), None],
            nodes: Some(100),
            ..Limits::default()
        };
        let left = what_is_left(&limits, Duration::from_secs(3), 200);
        assert_eq!(
            (left.clock[0], left.nodes),
            (Some(Duration::from_secs(7)), Some(1))
        );
    }

    #[test]
    fn a_short_look_ahead_is_searched_once() {
        let limits = Limits {
            depth: Some(2),
            ..Limits::default()
        };
        let game = Game {
            position: Position::from_fen(MIDDLE_GAME).unwrap(),
            history: Vec::new(),
        };
        let settings = Settings {
            multi_pv: usize::MAX,
            ..Settings::default()
        };
        let control = Control::default();
        let once = new_searcher().search(&game, &limits, &settings, &control, &mut |_| {});
        let (outcome, _) = ask_in(&mut *new_searcher(), &game, &limits, ELO.1, 1, 1);
        assert_eq!(outcome.nodes, once.nodes);
    }

    #[test]
    fn what_is_good_for_the_opponent_after_a_move_is_bad_for_its_player() {
        let position = |fen: &str| Position::from_fen(fen).unwrap();
        assert_eq!(at_once(&Position::default(), 30), -30);
        assert_eq!(
            at_once(&position("R6k/6pp/8/8/8/8/8/K7 b - - 0 1"), 30),
            mate_in(1)
        );
        assert_eq!(at_once(&position("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), 30), DRAW);
    }
}
