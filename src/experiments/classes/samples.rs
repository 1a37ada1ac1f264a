//! Drawing rows from data of any kind: all of it is read once, and the rows with the smallest random numbers are kept.

use super::rows::{MoveRow, PositionRow, Rows};
use super::{ClassesError, Settings};
use crate::data::feed::split::{Part, Split, Splitter};
use crate::data::formats::games::GameSettings;
use crate::data::formats::source::SourceReader;
use crate::data::{Origin, Record};
use crate::support::mix::mix;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One group in ten is for the test: games or what grew from one start, so that no relative of a test row is trained on.
const SPLIT: Split = Split {
    seed: 0,
    validation: 0.0,
    test: 0.1,
};

/// Rows to train on and rows to measure on.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// To train on.
    pub training: Rows,
    /// To measure on.
    pub test: Rows,
}

/// What was drawn.
#[derive(Clone, Debug)]
pub struct Samples {
    /// Positions, if they are wanted.
    pub positions: Option<Sample>,
    /// Moves, if they are wanted.
    pub moves: Option<Sample>,
    /// Tells these rows from others.
    pub fingerprint: String,
    /// What could not be read, a line for each source.
    pub skipped: Vec<String>,
}

/// Draws the rows that the settings ask for.
///
/// # Errors
/// [`ClassesError::Data`] if a source cannot be read, [`ClassesError::TooFew`] if it holds too little.
pub fn draw(data: &[PathBuf], settings: &Settings) -> Result<Samples, ClassesError> {
    let mut drawn = Drawn::new(settings);
    let mut skipped = Vec::new();
    for path in data {
        let mut source = SourceReader::open(path, GameSettings::default())?;
        let mut splitter = Splitter::new(SPLIT);
        let mut before: Option<Record> = None;
        let mut records = Vec::new();
        while source.read(&mut records)? {
            for record in records.drain(..) {
                let part = splitter.part(&record);
                let previous = before.replace(record).filter(|_| !record.starts_group());
                drawn.see(previous, record, part);
            }
        }
        let lines = source.skipped().into_iter();
        skipped.extend(lines.map(|words| format!("{}: {words}", path.display())));
    }
    drawn.finish(settings, skipped)
}

/// The rows with the smallest random numbers so far.
struct Drawn {
    seed: u64,
    games: bool,
    /// Training, test.
    positions: [Least<PositionRow>; 2],
    moves: [Least<MoveRow>; 2],
}

impl Drawn {
    fn new(settings: &Settings) -> Drawn {
        let room = |wanted: bool| {
            if wanted {
                [settings.positions, settings.test]
            } else {
                [0, 0]
            }
        };
        let of_moves = |of_moves| settings.tasks.iter().any(|task| task.of_moves() == of_moves);
        Drawn {
            seed: mix(settings.seed),
            games: settings.games,
            positions: room(of_moves(false)).map(Least::new),
            moves: room(of_moves(true)).map(Least::new),
        }
    }

    fn see(&mut self, previous: Option<Record>, record: Record, part: Part) {
        let place = usize::from(part == Part::Test);
        let draw = mix(record.hash() ^ self.seed);
        if !self.games || record.origin() == Origin::Game {
            self.positions[place].offer(draw, || PositionRow::new(&record));
        }
        if let Some(previous) = previous {
            let draw = mix(draw ^ previous.hash());
            self.moves[place].offer(draw, || MoveRow::new(&previous, &record));
        }
    }

    fn finish(self, settings: &Settings, skipped: Vec<String>) -> Result<Samples, ClassesError> {
        let wanted = [settings.positions, settings.test];
        let mut fingerprint = mix(settings.seed);
        let mut complete = |what: &'static str, found: [usize; 2], draws: Vec<u64>| {
            for draw in draws {
                fingerprint = mix(fingerprint ^ draw);
            }
            match found == wanted {
                true => Ok(()),
                false => Err(ClassesError::TooFew { what, found, wanted }),
            }
        };
        let of = |of_moves| settings.tasks.iter().any(|task| task.of_moves() == of_moves);
        let (mut positions, mut moves) = (None, None);
        if of(false) {
            let [training, test] = &self.positions;
            let what = if settings.games {
                "positions of games"
            } else {
                "positions"
            };
            complete(
                what,
                [training.len(), test.len()],
                [training.draws(), test.draws()].concat(),
            )?;
            let [training, test] = self.positions.map(|rows| Rows::Positions(rows.into_rows()));
            positions = Some(Sample { training, test });
        }
        if of(true) {
            let [training, test] = &self.moves;
            complete(
                "moves",
                [training.len(), test.len()],
                [training.draws(), test.draws()].concat(),
            )?;
            let [training, test] = self.moves.map(|rows| Rows::Moves(rows.into_rows()));
            moves = Some(Sample { training, test });
        }
        Ok(Samples {
            positions,
            moves,
            fingerprint: format!("{fingerprint:016x}"),
            skipped,
        })
    }
}

/// The rows with the smallest random numbers (draws) of all that were offered, each number once.
struct Least<R> {
    room: usize,
    rows: BTreeMap<u64, R>,
}

impl<R> Least<R> {
    fn new(room: usize) -> Least<R> {
        Least {
            room,
            rows: BTreeMap::new(),
        }
    }

    /// `make` is only called where its row would be kept.
    fn offer(&mut self, draw: u64, make: impl FnOnce() -> Option<R>) {
        let full = self.rows.len() >= self.room;
        let beyond = self.rows.last_key_value().is_none_or(|(&last, _)| draw > last);
        if full && beyond || self.rows.contains_key(&draw) {
            return;
        }
        if let Some(row) = make() {
            self.rows.insert(draw, row);
            if self.rows.len() > self.room {
                self.rows.pop_last();
            }
        }
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn draws(&self) -> Vec<u64> {
        self.rows.keys().copied().collect()
    }

    fn into_rows(self) -> Vec<R> {
        self.rows.into_values().collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::coding::Task;
    use super::*;
    use crate::board::Position;
    use std::fmt::Write;
    use std::path::Path;
    use std::slice::from_ref;

    /// Random games in which the score is twice the material in centipawns of White, in rows as `enroc data` reads them.
    pub fn write_games(path: &Path, games: u64) {
        let mut text = String::new();
        for game in 0..games {
            let mut position = Position::default();
            for ply in 0..60u64 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[(mix(game << 8 | ply) % moves.len() as u64) as usize];
                let worth = [100, 300, 300, 500, 900, 0];
                let side = |color| -> i32 {
                    let kinds = crate::board::PieceType::ALL.into_iter().zip(worth);
                    kinds
                        .map(|(kind, worth)| position.pieces(color, kind).count() as i32 * worth)
                        .sum()
                };
                let score = 2 * (side(crate::board::Color::White) - side(crate::board::Color::Black));
                // games that begin alike would all land in one part
                if ply >= 4 {
                    let (fen, played) = (position.to_fen(false), m.to_uci(false));
                    let origin = if ply == 4 { 0 } else { 1 + ply % 9 };
                    writeln!(text, "{fen},{score},{played},r{origin}").unwrap();
                }
                position.play(m);
            }
        }
        std::fs::write(path, text).unwrap();
    }

    fn settings() -> Settings {
        Settings {
            positions: 300,
            test: 60,
            ..Settings::default()
        }
    }

    #[test]
    fn rows_are_drawn_once_and_the_same_every_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        write_games(&path, 40);
        let samples = draw(from_ref(&path), &settings()).unwrap();
        let (positions, moves) = (samples.positions.unwrap(), samples.moves.unwrap());
        for sample in [&positions, &moves] {
            assert_eq!((sample.training.len(), sample.test.len()), (300, 60));
        }
        // read twice, the same rows are not drawn twice
        let twice = draw(&[path.clone(), path.clone()], &settings()).unwrap();
        assert_eq!(twice.positions.unwrap(), positions);
        assert_eq!(twice.fingerprint, samples.fingerprint);
        let other = Settings {
            seed: 1,
            ..settings()
        };
        assert_ne!(draw(&[path], &other).unwrap().fingerprint, samples.fingerprint);
    }

    #[test]
    fn too_little_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        write_games(&path, 3);
        let error = draw(from_ref(&path), &settings()).unwrap_err().to_string();
        assert!(error.contains("positions") && error.contains("300"), "{error}");
        let games = Settings {
            games: true,
            tasks: vec![Task::Evaluation(1)],
            ..settings()
        };
        let error = draw(from_ref(&path), &games).unwrap_err().to_string();
        assert!(error.contains("positions of games"), "{error}");
        // enough rows, but of self-play
        write_games(&path, 40);
        let error = draw(from_ref(&path), &games).unwrap_err().to_string();
        assert!(error.contains("0 to train on"), "{error}");
        let list = folder.path().join("list.fen");
        std::fs::write(&list, "8/8/8/4k3/8/4K3/7P/8 w - - 0 1\n").unwrap();
        let moves = Settings {
            tasks: vec![Task::FreeFile],
            ..settings()
        };
        let error = draw(&[list], &moves).unwrap_err().to_string();
        assert!(
            error.contains("moves") && error.contains("0 to train on"),
            "{error}"
        );
        let error = draw(&[folder.path().join("none.csv")], &settings())
            .unwrap_err()
            .to_string();
        assert!(error.contains("none.csv"), "{error}");
    }
}
