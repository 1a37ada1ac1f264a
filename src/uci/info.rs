//! The results of a search as UCI's `info` and `bestmove` lines.

use crate::board::{Move, Position};
use crate::engine::level::Level;
use crate::engine::searcher::{Identity, Rounding};
use crate::nets::choice::NetChoice;
use crate::nets::kind::Method;
use crate::nets::score::Score;
use crate::nets::score::mate_moves;
use crate::nets::wdl::Chances;
use crate::search::{Bound, Outcome, Progress, Report};
use crate::support::foreign::one_line;
#[cfg(feature = "syzygy")]
use crate::tablebases::Inventory;
use std::fmt::Write;

/// How lines are written for this client.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Castling is written as king takes rook.
    pub chess960: bool,
    /// Scores are followed by win, draw and loss probabilities.
    pub wdl: bool,
    /// The material of the position that is searched, on which they depend.
    pub material: u32,
}

/// The `info` line of a report.
pub fn info(report: &Report, style: Style) -> String {
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}",
        report.depth,
        report.selective_depth,
        report.multi_pv,
        score(report.score)
    );
    line.push_str(match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if style.wdl {
        let chances = match report.is_drawn {
            true => Chances::DRAWN,
            false => Chances::of(report.score, style.material),
        };
        let _ = write!(line, " wdl {chances}");
    }
    let Report {
        nodes,
        tablebase_hits,
        hash_full,
        time,
        ..
    } = *report;
    let counters = counters(&Progress {
        nodes,
        tablebase_hits,
        hash_full,
        time,
    });
    let _ = write!(line, " {counters} pv");
    for m in &report.line {
        let _ = write!(line, " {}", m.to_uci(style.chess960));
    }
    line
}

/// The `info` line of a search that goes on.
pub fn progress(progress: &Progress) -> String {
    format!("info {}", counters(progress))
}

fn counters(progress: &Progress) -> String {
    // avoids a division by zero
    let micros = progress.time.as_micros().max(1);
    format!(
        "nodes {} nps {} hashfull {} tbhits {} time {}",
        progress.nodes,
        u128::from(progress.nodes) * 1_000_000 / micros,
        progress.hash_full,
        progress.tablebase_hits,
        progress.time.as_millis()
    )
}

/// The line that names the net and how it is computed.
pub fn identity(identity: &Identity) -> String {
    let Identity {
        net,
        name,
        method,
        rounding,
    } = identity;
    let net = match net {
        NetChoice::BuiltIn(built_in) => format!("{built_in} (built in, {name})"),
        NetChoice::File(path) => format!("{} ({name})", path.display()),
    };
    let method = match method {
        Method::Incremental(set) => format!("incremental, in integers with {set}"),
        Method::Blocks => "blocks of boards, in floats".to_string(),
        Method::MatrixUnit => "one board at a time, in bfloat16 on the matrix unit".to_string(),
        Method::Candle => "candle on the CPU".to_string(),
        Method::Gpu => "candle on the GPU".to_string(),
        Method::Rules => "hand-written rules".to_string(),
    };
    let coarse = match rounding.filter(|rounding| rounding.is_coarse()) {
        Some(Rounding { mean, most }) => format!(
            "\ninfo string this net is too coarse in integers: its scores are {mean} cp off on average, {most} at most; \
             set Backend to candle for what it can do"
        ),
        None => String::new(),
    };
    format!(
        "info string net {}, computed by: {method}{coarse}",
        one_line(&net)
    )
}

/// The line that says how strong the engine plays.
pub fn level(level: Option<Level>) -> String {
    match level {
        None => "info string strength: full".to_string(),
        Some(level) => format!(
            "info string strength: about {} Elo, {:.1} plies of look-ahead; go infinite is of full strength",
            level.elo(),
            level.plies()
        ),
    }
}

/// What was found in the folders of endgame tablebases, a line for each fault and one for the rest.
#[cfg(feature = "syzygy")]
pub fn tablebases(found: &Inventory) -> String {
    let Inventory {
        wdl,
        dtz,
        most_pieces,
        faults,
    } = found;
    let rest = match wdl + dtz {
        0 => "there are no tables".to_string(),
        _ => format!("{wdl} WDL and {dtz} DTZ tables of up to {most_pieces} pieces"),
    };
    let lines = faults.iter().chain([&rest]);
    let lines: Vec<String> = lines
        .map(|line| format!("info string tablebases: {}", one_line(line)))
        .collect();
    lines.join("\n")
}

/// The `info` line of a position without legal moves.
pub fn info_of_the_end(final_score: Score) -> String {
    format!("info depth 0 score {}", score(final_score))
}

/// The `bestmove` line. The ponder move is included only if it is legal after the best move.
pub fn best_move(position: &Position, outcome: &Outcome, style: Style) -> String {
    let text = |m: Move| m.to_uci(style.chess960);
    let Some(best) = outcome.best else {
        return "bestmove (none)".to_string();
    };
    let is_legal = |answer: &Move| position.after(best).legal_moves().contains(answer);
    match outcome.ponder.filter(is_legal) {
        Some(answer) => format!("bestmove {} ponder {}", text(best), text(answer)),
        None => format!("bestmove {}", text(best)),
    }
}

fn score(score: Score) -> String {
    match mate_moves(score) {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {score}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::score::{DRAW, mate_in, mated_in};
    use std::time::Duration;

    fn report(score: Score, bound: Bound) -> Report {
        let start = Position::default();
        Report {
            depth: 7,
            selective_depth: 12,
            multi_pv: 1,
            score,
            bound,
            is_drawn: false,
            nodes: 3_000,
            tablebase_hits: 5,
            hash_full: 4,
            time: Duration::from_micros(1_500),
            line: vec![start.parse_uci("g1f3").unwrap()],
        }
    }

    #[test]
    fn reports_as_info_lines() {
        assert_eq!(
            info(&report(31, Bound::Exact), Style::default()),
            "info depth 7 seldepth 12 multipv 1 score cp 31 nodes 3000 nps 2000000 hashfull 4 tbhits 5 time 1 pv g1f3"
        );
        let wdl = Style {
            wdl: true,
            ..Style::default()
        };
        let line = info(&report(mate_in(3), Bound::Lower), wdl);
        assert!(
            line.contains(" score mate 2 lowerbound wdl 1000 0 0 nodes "),
            "{line}"
        );
        let line = info(&report(mated_in(4), Bound::Upper), Style::default());
        assert!(line.contains(" score mate -2 upperbound nodes "), "{line}");
    }

    #[test]
    fn a_report_at_time_zero_has_a_speed() {
        let still = Report {
            time: Duration::ZERO,
            ..report(0, Bound::Exact)
        };
        assert!(info(&still, Style::default()).contains(" nps 3000000000 "));
    }

    #[test]
    fn finished_games() {
        assert_eq!(info_of_the_end(mated_in(0)), "info depth 0 score mate 0");
        assert_eq!(info_of_the_end(DRAW), "info depth 0 score cp 0");
    }

    #[test]
    fn best_moves() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let castling = position.parse_uci("e1g1").unwrap();
        let answer = position.after(castling).parse_uci("e8e7").unwrap();
        let mut outcome = Outcome {
            best: Some(castling),
            ponder: Some(answer),
            score: 0,
            nodes: 1,
            evaluations: 1,
            depth: 1,
        };
        let chess960 = Style {
            chess960: true,
            ..Style::default()
        };
        assert_eq!(
            best_move(&position, &outcome, Style::default()),
            "bestmove e1g1 ponder e8e7"
        );
        assert_eq!(
            best_move(&position, &outcome, chess960),
            "bestmove e1h1 ponder e8e7"
        );
        outcome.ponder = Some(castling);
        assert_eq!(best_move(&position, &outcome, Style::default()), "bestmove e1g1");
        outcome.best = None;
        assert_eq!(
            best_move(&position, &outcome, Style::default()),
            "bestmove (none)"
        );
    }
}
