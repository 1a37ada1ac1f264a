//! What an engine says: reading its lines, and what they mean.

use super::answer::{Analysis, ScoredMove, UciScore};
use crate::board::{Move, Position};
use std::io::{BufRead, BufReader, Read};
use std::process::ChildStdout;
use std::sync::mpsc::SyncSender;

/// The longest line that is read.
const LONGEST_LINE: u64 = 1 << 16;

/// The most lines at once: no position has more moves.
const MOST_LINES: usize = crate::board::MAX_MOVES;

/// What the listening thread passes on.
pub enum Heard {
    Line(String),
    /// A `bestmove` line, with the last useful `info` line of each of the best lines, the best first.
    Best {
        lines: Vec<String>,
        best: String,
    },
    /// The line of a static evaluation, the network's own where the engine tells more than one.
    Static(String),
}

/// How the line of a network's static evaluation begins, as Stockfish writes it since version 12 …
const NETWORK_EVALUATION: &str = "NNUE evaluation";
/// … and the line that ends its answer.
const FINAL_EVALUATION: &str = "Final evaluation";

/// Reads what the engine says until it ends, keeping only the last useful `info` lines of each search.
pub fn listen(output: ChildStdout, sender: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    let (mut bytes, mut lines, mut network) = (Vec::new(), Lines::default(), None);
    loop {
        bytes.clear();
        match (&mut output).take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(length) if length > 0 && bytes.ends_with(b"\n") => {}
            _ => return,
        }
        let line = String::from_utf8_lossy(&bytes);
        let heard = if line.starts_with("info ") {
            lines.note(&line);
            continue;
        } else if line.starts_with("bestmove") {
            Heard::Best {
                lines: lines.take(),
                best: line.into_owned(),
            }
        } else if line.starts_with(NETWORK_EVALUATION) {
            network = Some(line.into_owned());
            continue;
        } else if line.starts_with(FINAL_EVALUATION) {
            Heard::Static(network.take().unwrap_or_else(|| line.into_owned()))
        } else {
            Heard::Line(line.into_owned())
        };
        if sender.send(heard).is_err() {
            return;
        }
    }
}

/// The last `info` line with a score of each best line. Where there is only one, a bound gives way to an exact score
/// and never replaces one; of several the last always counts, for they are ranked together.
#[derive(Default)]
struct Lines {
    texts: Vec<String>,
    exact: bool,
}

impl Lines {
    fn note(&mut self, info: &str) {
        let place = line_number(info).wrapping_sub(1);
        if !info.contains(" score ") || place >= MOST_LINES {
            return;
        }
        if place >= self.texts.len() {
            self.texts.resize(place + 1, String::new());
        }
        let bound = info.contains("bound");
        if self.texts.len() > 1 || !(bound && self.exact) {
            self.exact = !bound;
            self.texts[place].clear();
            self.texts[place].push_str(info);
        }
    }

    fn take(&mut self) -> Vec<String> {
        self.exact = false;
        std::mem::take(&mut self.texts)
    }
}

/// Which of the best lines an `info` line speaks of, from 1; engines that are asked for one need not say.
fn line_number(info: &str) -> usize {
    let mut words = info.split_whitespace().skip_while(|&word| word != "multipv");
    words.nth(1).map_or(1, |number| number.parse().unwrap_or(0))
}

/// The word after `key`.
fn value<'a>(info: &'a str, key: &str) -> Option<&'a str> {
    info.split_whitespace().skip_while(|&word| word != key).nth(1)
}

fn read_score(info: &str) -> Option<UciScore> {
    let mut words = info
        .split_whitespace()
        .skip_while(|&word| word != "score")
        .skip(1);
    let (unit, value) = (words.next()?, words.next()?.parse().ok()?);
    match unit {
        "cp" => Some(UciScore::Centipawns(value)),
        "mate" => Some(UciScore::Mate(value)),
        _ => None,
    }
}

fn read_best(position: &Position, best: &str) -> Option<Move> {
    position.parse_uci(best.split_whitespace().nth(1)?).ok()
}

/// The answer of an engine that was asked for one line.
pub fn read_answer(position: &Position, info: &str, best: &str) -> Option<ScoredMove> {
    Some(ScoredMove {
        score: read_score(info)?,
        best: read_best(position, best)?,
    })
}

/// The centipawns for White of a static evaluation: `NNUE evaluation  +0.27 (white side)`, in pawns. `None` where the
/// engine gives none, as in check, or says something else.
pub fn read_static(line: &str) -> Option<i32> {
    let (before, _) = line.split_once("(white side)")?;
    let pawns: f64 = before.split_whitespace().next_back()?.parse().ok()?;
    pawns.is_finite().then_some((pawns * 100.0).round() as i32)
}

/// The answer of an engine that was asked for several lines; a line without a score or a legal move spoils it, and so do
/// two lines with the same move.
pub fn read_analysis(position: &Position, infos: &[String], best: &str) -> Option<Analysis> {
    let best = read_best(position, best)?;
    let single = infos.len() == 1;
    let line = |info: &String| {
        let first = value(info, "pv").and_then(|text| position.parse_uci(text).ok());
        // some engines leave the line out; of a single one the best move is known anyway
        let first = if single { Some(best) } else { first };
        Some((first?, read_score(info)?))
    };
    let lines = infos.iter().map(line).collect::<Option<Vec<_>>>()?;
    let nodes = infos
        .iter()
        .filter_map(|info| value(info, "nodes")?.parse().ok())
        .max();
    let twice = |place: usize| lines[..place].iter().any(|line| line.0 == lines[place].0);
    if lines.is_empty() || (1..lines.len()).any(twice) {
        return None;
    }
    Some(Analysis {
        best,
        lines,
        nodes: nodes.unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_nonsense_is_refused() {
        let position = Position::default();
        let read = |info, best| read_answer(&position, info, best);
        let answer = read(
            "info depth 3 score cp -13 nodes 5 pv e2e4",
            "bestmove e2e4 ponder e7e5\n",
        )
        .unwrap();
        assert_eq!(answer.score, UciScore::Centipawns(-13));
        assert_eq!(answer.best.to_uci(false), "e2e4");
        let mate = read("info score mate -2 depth 1", "bestmove g1f3").unwrap();
        assert_eq!(mate.score, UciScore::Mate(-2));
        assert_eq!(read("info depth 3", "bestmove e2e4"), None);
        assert_eq!(read("info score cp high", "bestmove e2e4"), None);
        assert_eq!(read("info score cp 1", "bestmove e2e5"), None);
        assert_eq!(read("info score cp 1", "bestmove"), None);
        assert_eq!(read("", "bestmove (none)"), None);
    }

    #[test]
    fn static_evaluations_are_read_in_centipawns_for_white() {
        let network = "NNUE evaluation        -0.29 (white side)\n";
        assert_eq!(read_static(network), Some(-29));
        let last = "Final evaluation       +12.07 (white side) [with scaled NNUE, hybrid, ...]\n";
        assert_eq!(read_static(last), Some(1207));
        assert_eq!(read_static("Final evaluation: none (in check)\n"), None);
        assert_eq!(read_static("Final evaluation nan (white side)\n"), None);
    }

    #[test]
    fn of_one_line_the_last_exact_score_counts() {
        let mut lines = Lines::default();
        for info in [
            "info depth 2 score cp 3 lowerbound pv d2d4",
            "info depth 3 score cp 1 pv e2e4",
            "info depth 4 score cp -5 upperbound pv d2d4",
            "info depth 4 currmove e2e4",
        ] {
            lines.note(info);
        }
        assert_eq!(lines.take(), ["info depth 3 score cp 1 pv e2e4"]);
    }

    #[test]
    fn of_several_lines_the_last_ranking_counts() {
        let mut lines = Lines::default();
        for info in [
            "info depth 3 multipv 1 score cp 1 pv e2e4",
            "info depth 3 multipv 2 score cp 0 pv g1f3",
            "info depth 4 multipv 3 seldepth 9",
            "info depth 4 multipv 0 score cp 1",
            "info depth 4 multipv 999999999 score cp 1",
            "info depth 4 multipv 1 score cp 7 lowerbound nodes 90 pv g1f3 g8f6",
            "info depth 3 multipv 2 score cp 0 nodes 91 pv e2e4",
        ] {
            lines.note(info);
        }
        let infos = lines.take();
        assert!(lines.take().is_empty());
        let position = Position::default();
        let analysis = read_analysis(&position, &infos, "bestmove g1f3").unwrap();
        let found: Vec<_> = analysis
            .lines
            .iter()
            .map(|(m, score)| (m.to_uci(false), *score))
            .collect();
        assert_eq!(
            found,
            [
                ("g1f3".to_string(), UciScore::Centipawns(7)),
                ("e2e4".to_string(), UciScore::Centipawns(0))
            ]
        );
        assert_eq!(analysis.nodes, 91);
        assert_eq!(read_analysis(&position, &[], "bestmove g1f3"), None);
        let holes = ["".to_string(), infos[1].clone()];
        assert_eq!(read_analysis(&position, &holes, "bestmove g1f3"), None);
        let twice = [infos[1].clone(), infos[1].clone()];
        assert_eq!(read_analysis(&position, &twice, "bestmove g1f3"), None);
    }
}
