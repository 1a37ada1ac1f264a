//! Histograms of a set of positions.

use crate::board::Color;
use crate::board::GameResult;
use crate::data::record::label::Label;
use crate::data::record::{Hint, NO_HINT, Origin, Record};
use std::fmt;

/// The upper ends of the bins of scores, in centipawns for White; the last bin is open.
const SCORE_BINS: [i16; 12] = [-1000, -500, -300, -200, -100, -50, 50, 100, 200, 300, 500, 1000];

/// The greatest number of pieces in each bin.
const PIECE_BINS: [u32; 7] = [5, 8, 12, 16, 20, 26, 32];

/// The length of the longest bar, in characters.
const BAR: u64 = 40;

/// Counts over any number of records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    records: u64,
    groups: u64,
    black_to_move: u64,
    in_check: u64,
    with_move: u64,
    noisy: u64,
    unlabelled: u64,
    hints: u64,
    scores: [u64; SCORE_BINS.len() + 1],
    /// Black mates, White mates.
    mates: [u64; 2],
    pieces: [u64; PIECE_BINS.len()],
    results: [u64; GameResult::ALL.len()],
    origins: [u64; Origin::ALL.len()],
}

impl Stats {
    /// Counts one record.
    pub fn add(&mut self, record: &Record) {
        self.records += 1;
        self.groups += record.starts_group() as u64;
        self.black_to_move += (record.side_to_move() == Color::Black) as u64;
        self.in_check += record.in_check() as u64;
        if let Some(best) = record.best() {
            self.with_move += 1;
            self.noisy += !best.is_quiet() as u64;
        }
        match record.label() {
            None => self.unlabelled += 1,
            Some(Label::Mate(moves)) => self.mates[(moves > 0) as usize] += 1,
            Some(Label::Centipawns(score)) => {
                let bin = SCORE_BINS.iter().position(|&end| score < end);
                self.scores[bin.unwrap_or(SCORE_BINS.len())] += 1;
            }
        }
        let bin = PIECE_BINS.iter().position(|&most| record.piece_count() <= most);
        self.pieces[bin.unwrap_or(PIECE_BINS.len() - 1)] += 1;
        self.results[record.result() as usize] += 1;
        self.origins[record.origin() as usize] += 1;
    }

    /// Counts what records that are counted have beside them; there may be none.
    pub fn add_hints(&mut self, hints: &[Hint]) {
        self.hints += hints.iter().filter(|hint| **hint != NO_HINT).count() as u64;
    }

    fn score_rows(&self) -> Vec<(String, u64)> {
        let mut rows = vec![("Black mates".to_string(), self.mates[0])];
        for (bin, &count) in self.scores.iter().enumerate() {
            let name = match (bin.checked_sub(1).map(|low| SCORE_BINS[low]), SCORE_BINS.get(bin)) {
                (None, Some(end)) => format!("below {end}"),
                (Some(low), Some(end)) => format!("{low} to {}", end - 1),
                (low, None) => format!("{} and above", low.unwrap_or_default()),
            };
            rows.push((name, count));
        }
        rows.push(("White mates".to_string(), self.mates[1]));
        rows
    }

    fn piece_rows(&self) -> Vec<(String, u64)> {
        let least = |bin: usize| if bin == 0 { 2 } else { PIECE_BINS[bin - 1] + 1 };
        let name = |bin| format!("{} to {}", least(bin), PIECE_BINS[bin]);
        (0..PIECE_BINS.len())
            .map(|bin| (name(bin), self.pieces[bin]))
            .collect()
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let records = self.records.max(1) as f64;
        let mut line = |name: &str, count: u64| {
            let share = 100.0 * count as f64 / records;
            writeln!(f, "{name:<32}{count:>12} {share:>6.1} %")
        };
        line("positions", self.records)?;
        line("groups", self.groups)?;
        line("Black to move", self.black_to_move)?;
        line("in check", self.in_check)?;
        line("with a best move", self.with_move)?;
        line("… that captures or promotes", self.noisy)?;
        line("without a label", self.unlabelled)?;
        line("with a hint", self.hints)?;
        histogram(f, "score for White, centipawns", &self.score_rows())?;
        histogram(f, "pieces on the board", &self.piece_rows())?;
        let named = |names: &[&str], counts: &[u64]| -> Vec<(String, u64)> {
            let rows = names.iter().zip(counts);
            rows.map(|(name, &count)| (name.to_string(), count)).collect()
        };
        let results = ["unknown", "White wins", "draw", "Black wins"];
        histogram(f, "result", &named(&results, &self.results))?;
        let origins = ["list", "game", "self-play", "single position of a game"];
        histogram(f, "origin", &named(&origins, &self.origins))
    }
}

fn histogram(f: &mut fmt::Formatter, title: &str, rows: &[(String, u64)]) -> fmt::Result {
    let most = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1);
    writeln!(f, "\n{title}")?;
    for (name, count) in rows {
        let bar = "#".repeat((count * BAR / most) as usize);
        writeln!(f, "{}", format!("  {name:<28}{count:>12} {bar}").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn every_record_falls_into_one_bin_of_each_histogram() {
        let mut stats = Stats::default();
        let record = Record::new(&Position::default());
        let labels = [-1001, -1000, -51, -50, 49, 50, 999, 1000].map(Label::centipawns);
        for label in labels.into_iter().chain([Label::Mate(-3), Label::Mate(1)]) {
            stats.add(&record.with_label(label).with_group_start(label == Label::Mate(1)));
        }
        stats.add(&record);
        stats.add_hints(&[NO_HINT, [0; 16], NO_HINT]);
        assert_eq!(stats.hints, 1);
        assert_eq!(stats.scores, [1, 1, 0, 0, 0, 1, 2, 1, 0, 0, 0, 1, 1]);
        assert_eq!((stats.mates, stats.unlabelled, stats.groups), ([1, 1], 1, 1));
        assert_eq!(stats.pieces.iter().sum::<u64>(), 11);
        let text = stats.to_string();
        assert!(text.contains("-50 to 49"), "{text}");
        assert!(text.contains("1000 and above"), "{text}");
    }

    #[test]
    fn results_are_counted() {
        let mut stats = Stats::default();
        let record = Record::new(&Position::default());
        for result in [GameResult::WhiteWins, GameResult::Draw, GameResult::Draw] {
            stats.add(&record.with_result(result));
        }
        let text = stats.to_string();
        let count = |name: &str| {
            let line = text.lines().find(|line| line.trim_start().starts_with(name));
            line.and_then(|line| line[name.len() + 2..].split_whitespace().next())
        };
        let counts = ["unknown", "White wins", "draw", "Black wins"].map(count);
        assert_eq!(counts, [Some("0"), Some("1"), Some("2"), Some("0")], "{text}");
    }

    #[test]
    fn mates_and_pieces_are_counted_where_they_belong() {
        let mut stats = Stats::default();
        let record = |fen: &str| Record::new(&Position::from_fen(fen).unwrap());
        let start = record(Position::START_FEN);
        for moves in [3, 1, -2] {
            stats.add(&start.with_label(Label::Mate(moves)));
        }
        stats.add(&record("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1"));
        stats.add(&record("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1"));
        let text = stats.to_string();
        for row in [
            ("White mates", 2),
            ("Black mates", 1),
            ("2 to 5", 1),
            ("6 to 8", 1),
            ("27 to 32", 3),
        ] {
            let line = format!("  {:<28}{:>12} #", row.0, row.1);
            assert!(text.contains(&line), "{row:?}: {text}");
        }
    }
}
