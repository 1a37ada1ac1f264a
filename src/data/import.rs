//! Turning any source into a folder of shards.

use super::feed::filter::Filter;
use super::formats::source::GroupSource;
use super::store::writer::ShardWriter;
use super::{DataError, Record};

/// After so many groups the clock is looked at, and the progress shown.
const LOOK: u64 = 64;

/// What an import has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Groups read, those of an earlier run that was cut off among them.
    pub groups: u64,
    /// Records read.
    pub read: u64,
    /// Of these, records with a label.
    pub labelled: u64,
    /// Records kept.
    pub kept: u64,
    /// Records that stay without their labels, because their positions decide the parts of their groups.
    pub bare: u64,
}

/// Appends the groups of a source, from the first that the writer has not dealt with. Those before it are read again,
/// so that the filter remembers them. `progress` is called now and then with what was done so far.
///
/// # Errors
/// As the source and the writer.
pub fn import(
    source: &mut dyn GroupSource,
    filter: &mut Filter,
    writer: &mut ShardWriter,
    progress: &mut dyn FnMut(&ImportReport),
) -> Result<ImportReport, DataError> {
    let imported = import_groups(source, filter, writer, progress);
    if imported.is_err() {
        // the first of two errors is the one to report
        let _ = writer.flush();
    }
    imported
}

fn import_groups(
    source: &mut dyn GroupSource,
    filter: &mut Filter,
    writer: &mut ShardWriter,
    progress: &mut dyn FnMut(&ImportReport),
) -> Result<ImportReport, DataError> {
    let done = writer.groups();
    let mut report = ImportReport::default();
    let (mut group, mut hints) = (Vec::new(), Vec::new());
    while source.next_group(&mut group)? {
        hints.clear();
        hints.extend_from_slice(source.hints());
        report.groups += 1;
        report.read += group.len() as u64;
        report.labelled += group.iter().filter(|record| record.label().is_some()).count() as u64;
        let bare = filter.keep_group(&mut group, &mut hints) as u64;
        report.bare += bare;
        report.kept += group.len() as u64 - bare;
        if report.groups > done {
            writer.append_with_hints(&group, &hints)?;
        }
        if report.groups.is_multiple_of(LOOK) {
            writer.flush_if_old()?;
            progress(&report);
        }
    }
    progress(&report);
    Ok(report)
}

/// Start positions for self-play: openings over and over, each a group of its own.
pub struct Starts {
    openings: Vec<Record>,
    games: u64,
    next: u64,
    skipped: Vec<String>,
}

impl Starts {
    /// Takes the openings in their order, from the first again after the last, `games` times in all. `skipped` says
    /// what was skipped in their files.
    ///
    /// # Errors
    /// [`DataError::Empty`] without openings.
    pub fn new(openings: Vec<Record>, games: u64, skipped: Vec<String>) -> Result<Starts, DataError> {
        if openings.is_empty() {
            return Err(DataError::Empty("the list of openings".to_string()));
        }
        Ok(Starts {
            openings,
            games,
            next: 0,
            skipped,
        })
    }
}

impl GroupSource for Starts {
    fn next_group(&mut self, group: &mut Vec<Record>) -> Result<bool, DataError> {
        group.clear();
        if self.next >= self.games {
            return Ok(false);
        }
        let place = self.next % self.openings.len() as u64;
        group.push(self.openings[place as usize]);
        self.next += 1;
        Ok(true)
    }

    fn skipped(&self) -> &[String] {
        &self.skipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Label;
    use crate::data::feed::loader::{Loaded, Selection, load};
    use crate::data::formats::games::GameSettings;
    use crate::data::formats::source::Groups;
    use crate::data::store::writer::Opened;
    use crate::data::{FilterSettings, Hint, NO_HINT, Part, Split};
    use std::collections::HashMap;
    use std::path::Path;

    /// Groups of four rows, a rook on many squares; of every second group the first best move captures.
    fn rows() -> String {
        let mut text = String::new();
        for n in 0..800 {
            let (group, place) = (n / 4, n % 4);
            let (file, rank) = (1 + group % 6, group / 6 % 4);
            let mut ranks = ["k7", "8", "8", "8", "8", "8", "8", "K7"].map(str::to_string);
            ranks[1] = format!("{}p{}", 1 + group / 24 % 6, 6 - group / 24 % 6);
            ranks[2 + rank] = format!("{file}R{}", 7 - file);
            ranks[6] = ["nP6", "n1P5", "n2P4", "n3P3"][place].to_string();
            let board = ranks.join("/");
            let noisy = place == 0 && group % 2 == 0;
            let best = if noisy { "a1a2" } else { "a1b1" };
            text += &format!("{board} w - - 0 1,{n},{best},r{place}\n");
        }
        text
    }

    fn import_rows(folder: &Path, filter: FilterSettings) -> ImportReport {
        let Opened::Ready(mut writer) = ShardWriter::open(&folder.join("out"), &1, 100).unwrap() else {
            panic!("complete already");
        };
        let mut source = Groups::new(vec![folder.join("rows.csv")], GameSettings::default());
        let report = import(&mut source, &mut Filter::new(filter), &mut writer, &mut |_| {}).unwrap();
        writer.finish(Vec::new()).unwrap();
        report
    }

    /// The part of every labelled record, by its score.
    fn parts(loaded: &Loaded) -> HashMap<i16, Part> {
        let of = |part| loaded.part(part).iter().map(move |record| (record.score(), part));
        let all = Part::ALL.into_iter().flat_map(of);
        all.map(|(score, part)| (score.unwrap(), part)).collect()
    }

    #[test]
    fn a_filtered_import_leaves_every_group_in_its_part() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("rows.csv"), rows()).unwrap();
        let filter = FilterSettings {
            noisy: true,
            ..FilterSettings::default()
        };
        let report = import_rows(folder.path(), filter);
        assert_eq!((report.read, report.kept, report.bare), (800, 700, 100));
        let selection = Selection {
            split: Split {
                seed: 1,
                validation: 0.3,
                test: 0.3,
            },
            ..Selection::default()
        };
        let whole = parts(&load(&[folder.path().join("rows.csv")], &selection).unwrap());
        let filtered = parts(&load(&[folder.path().join("out")], &selection).unwrap());
        assert_eq!((whole.len(), filtered.len()), (800, 700));
        assert!(filtered.iter().all(|(score, part)| whole[score] == *part));
    }

    #[test]
    fn hints_go_where_their_records_go() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("rows.csv"), rows()).unwrap();
        let open =
            |name: &str| match ShardWriter::open_with_hints(&folder.path().join(name), &1, 100).unwrap() {
                Opened::Ready(writer) => writer,
                Opened::Complete(_) => panic!("complete already"),
            };
        let groups = |name: &str| Groups::new(vec![folder.path().join(name)], GameSettings::default());
        let (mut writer, mut source, mut group) = (open("hinted"), groups("rows.csv"), Vec::new());
        while source.next_group(&mut group).unwrap() {
            let hints: Vec<Hint> = group.iter().map(|record| [record.score().unwrap(); 16]).collect();
            writer.append_with_hints(&group, &hints).unwrap();
        }
        writer.finish(Vec::new()).unwrap();
        let filter = FilterSettings {
            noisy: true,
            ..FilterSettings::default()
        };
        let mut writer = open("copy");
        let (mut source, mut filter) = (groups("hinted"), Filter::new(filter));
        import(&mut source, &mut filter, &mut writer, &mut |_| {}).unwrap();
        writer.finish(Vec::new()).unwrap();
        let (mut source, mut seen) = (groups("copy"), 0);
        while source.next_group(&mut group).unwrap() {
            for (record, hint) in group.iter().zip(source.hints()) {
                assert_eq!(*hint, record.score().map_or(NO_HINT, |score| [score; 16]));
                seen += 1;
            }
        }
        assert_eq!(seen, 800);
    }

    #[test]
    fn openings_are_used_over_and_over() {
        let opening = |n| Record::new(&Position::default()).with_label(Label::centipawns(n));
        let mut starts = Starts::new(vec![opening(1), opening(2)], 5, Vec::new()).unwrap();
        let (mut group, mut used) = (Vec::new(), Vec::new());
        while starts.next_group(&mut group).unwrap() {
            used.extend(group.iter().map(|record| record.score().unwrap()));
        }
        assert_eq!(used, [1, 2, 1, 2, 1]);
    }
}
