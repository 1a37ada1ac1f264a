//! Records back into games.

use super::moves::{END, pack_ply};
use super::start::pack;
use crate::board::{GameResult, Move, Position};
use crate::data::formats::export_report::{ExportReport, LeftOut};
use crate::data::{Label, Origin, Record};

/// Appends the games that the records of one group make up.
///
/// A game is as many records in a row as possible of which each is the position after the best move of the one before,
/// clocks included, with the same result. A game that was imported whole becomes one game again; where a filter has
/// taken positions out of its middle, or another move than the best was played, another game begins. Records without
/// label, best move or result have no place in a game, and are left out and counted.
pub fn write_games<'a>(
    group: impl Iterator<Item = &'a Record>,
    bytes: &mut Vec<u8>,
    report: &mut ExportReport,
) {
    let mut writer = GameWriter {
        bytes,
        report,
        game: None,
    };
    group.for_each(|record| writer.add(record));
    writer.end();
}

struct GameWriter<'a> {
    bytes: &'a mut Vec<u8>,
    report: &'a mut ExportReport,
    /// Of the game that is being written: the position it has come to, and its result.
    game: Option<(Position, GameResult)>,
}

impl GameWriter<'_> {
    fn add(&mut self, record: &Record) {
        if !self.leads_to(record) {
            self.end();
        }
        match self.ply(record) {
            Ok((position, played, label)) => {
                if self.game.is_none() {
                    self.bytes.extend(pack(record));
                    self.report.games += 1;
                }
                self.bytes.extend(pack_ply(played, label));
                self.report.written += 1;
                self.game = Some((position.after(played), record.result()));
            }
            Err(reason) => {
                self.report.left_out.add(reason as usize);
                self.end();
            }
        }
    }

    fn leads_to(&self, record: &Record) -> bool {
        let bare = record.without_label().with_origin(Origin::List);
        self.game.is_some_and(|(position, result)| {
            let expected = Record::new(&position).with_result(result);
            bare.with_group_start(false) == expected
        })
    }

    /// The position of a record, its best move and its label, if it has all of them.
    fn ply(&self, record: &Record) -> Result<(Position, Move, Label), LeftOut> {
        let label = record.label().ok_or(LeftOut::Unlabelled)?;
        if record.result() == GameResult::Unknown {
            return Err(LeftOut::Result);
        }
        let position = match self.game {
            Some((position, _)) => position,
            None => record.position().map_err(|_| LeftOut::Position)?,
        };
        let played = record.best().ok_or(LeftOut::Unplayed)?;
        if !position.legal_moves().contains(&played) {
            return Err(LeftOut::Move);
        }
        Ok((position, played, label))
    }

    fn end(&mut self) {
        if self.game.take().is_some() {
            self.bytes.extend(END);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game has one result.
    #[test]
    fn positions_with_different_results_are_of_different_games() {
        let start = Position::default();
        let m = start.parse_uci("e2e4").unwrap();
        let next = start.after(m);
        let games = |second: GameResult| {
            let record = |position: &Position, m: Move, result| {
                let record = Record::new(position).with_label(Label::centipawns(20));
                record.with_best(m).with_result(result)
            };
            let group = [
                record(&start, m, GameResult::Draw),
                record(&next, next.parse_uci("e7e5").unwrap(), second),
            ];
            let mut report = ExportReport::default();
            write_games(group.iter(), &mut Vec::new(), &mut report);
            (report.games, report.written)
        };
        assert_eq!(games(GameResult::Draw), (1, 2));
        assert_eq!(games(GameResult::WhiteWins), (2, 2));
    }
}
