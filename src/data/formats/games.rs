//! Records from games: PGN is scanned on one thread, the games are replayed on several.

use super::pgn::{RawGame, Scanner};
use super::text;
use crate::board::{Color, GameResult, Move, Position};
use crate::data::DataError;
use crate::data::count::Counts;
use crate::data::record::label::Label;
use crate::data::record::{Origin, Record};
use crate::support::mix::mix;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

/// Bytes of a line that are taken at once.
const PIECE_BYTES: u64 = 1 << 16;

/// Games that are replayed at once.
const GAMES_AT_ONCE: usize = 256;

/// Which positions of a game become records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSettings {
    /// Positions before this ply are left out: openings are known, and alike in every part of a split.
    pub skip_plies: usize,
    /// At most this many positions of a game, drawn at random; all of them where `None`.
    pub per_game: Option<usize>,
    /// The seed of the random generator that draws them.
    pub seed: u64,
}

impl Default for GameSettings {
    /// All positions from the ninth move on.
    fn default() -> GameSettings {
        GameSettings {
            skip_plies: 16,
            per_game: None,
            seed: 0,
        }
    }
}

/// What is wrong with a game that is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenPgn {
    /// Its text is damaged.
    Text,
    /// Its `FEN` tag is no legal position.
    Position,
    /// It is not a game of chess or Chess960.
    Variant,
    /// A move is not legal or cannot be read.
    Move,
}

impl BrokenPgn {
    /// Every kind and its name, in the order of the counts.
    pub const NAMES: [&'static str; 4] = [
        "damaged text",
        "impossible start position",
        "other variant",
        "illegal or unreadable move",
    ];
}

/// Streams the positions of one PGN file, each game a group; broken games are skipped and counted.
pub struct GameReader {
    path: PathBuf,
    input: Box<dyn BufRead + Send>,
    scanner: Scanner,
    settings: GameSettings,
    games: Vec<RawGame>,
    /// Games handed on so far.
    number: u64,
    ended: bool,
    broken: Counts<4>,
}

impl GameReader {
    /// Opens a file.
    ///
    /// # Errors
    /// [`DataError::Read`] if that fails.
    pub fn open(path: &Path, settings: GameSettings) -> Result<GameReader, DataError> {
        Ok(GameReader {
            path: path.to_path_buf(),
            input: text::open(path)?,
            scanner: Scanner::default(),
            settings,
            games: Vec::new(),
            number: 0,
            ended: false,
            broken: Counts::new(BrokenPgn::NAMES),
        })
    }

    /// The games skipped so far, by kind.
    pub fn broken(&self) -> &Counts<4> {
        &self.broken
    }

    /// Appends the records of the next games; `false` at the end of the file.
    ///
    /// # Errors
    /// [`DataError::Read`] when the file cannot be read on.
    pub fn read(&mut self, records: &mut Vec<Record>) -> Result<bool, DataError> {
        self.scan().map_err(|error| DataError::read(&self.path, error))?;
        if self.games.is_empty() {
            return Ok(false);
        }
        let (settings, first) = (self.settings, self.number);
        let replayed: Vec<_> = self
            .games
            .par_iter()
            .enumerate()
            .map(|(place, game)| replay(game, &settings, first + place as u64))
            .collect();
        self.number += self.games.len() as u64;
        self.games.clear();
        for game in replayed {
            match game {
                Ok(positions) => records.extend(positions),
                Err(kind) => self.broken.add(kind as usize),
            }
        }
        Ok(true)
    }

    /// Scans text until enough games are there.
    fn scan(&mut self) -> std::io::Result<()> {
        let mut piece = Vec::new();
        while self.games.len() < GAMES_AT_ONCE && !self.ended {
            piece.clear();
            let read = (&mut self.input)
                .take(PIECE_BYTES)
                .read_until(b'\n', &mut piece)?;
            if read == 0 {
                self.ended = true;
                self.scanner.finish(&mut self.games);
            } else {
                self.scanner.feed(&piece, &mut self.games);
            }
        }
        Ok(())
    }
}

/// The records of one game; the `number` of the game draws the sample.
fn replay(game: &RawGame, settings: &GameSettings, number: u64) -> Result<Vec<Record>, BrokenPgn> {
    if game.damaged {
        return Err(BrokenPgn::Text);
    }
    if !is_chess(game.variant.as_deref()) {
        return Err(BrokenPgn::Variant);
    }
    let mut position = match &game.fen {
        Some(fen) => Position::from_fen(fen).map_err(|_| BrokenPgn::Position)?,
        None => Position::default(),
    };
    let result = game.result.unwrap_or(GameResult::Unknown);
    let mut records: Vec<Record> = Vec::new();
    let comments = game.evaluations.iter().zip(&game.engine_scores);
    // whether the last record is the position before the next move
    let mut is_recorded = false;
    for (ply, (text, (evaluation, engine_score))) in game.moves().zip(comments).enumerate() {
        let m = position.parse_san(text).map_err(|_| BrokenPgn::Move)?;
        if let (true, Some(last), Some(score)) = (is_recorded, records.last_mut(), engine_score) {
            *last = judged(*last, &position, *score, m);
        }
        is_recorded = false;
        position.make(m);
        if ply + 1 < settings.skip_plies || !position.has_moves() {
            continue;
        }
        let record = Record::new(&position)
            .with_result(result)
            .with_origin(Origin::Game);
        records.push(evaluation.map_or(record, |label| record.with_label(label)));
        is_recorded = true;
    }
    if let Some(wanted) = settings.per_game.filter(|&wanted| wanted < records.len()) {
        let mut rng = ChaCha8Rng::seed_from_u64(mix(settings.seed ^ mix(number)));
        let mut places = index::sample(&mut rng, records.len(), wanted).into_vec();
        places.sort_unstable();
        records = places.into_iter().map(|place| records[place]).collect();
    }
    if let Some(first) = records.first_mut() {
        *first = first.with_group_start(true);
    }
    Ok(records)
}

/// A record with what the engine that moved there thought: its score, unless the record has a label, and its move.
fn judged(record: Record, position: &Position, score: Label, m: Move) -> Record {
    let for_white = match position.side_to_move() {
        Color::White => score,
        Color::Black => score.negated(),
    };
    let label = record.label().unwrap_or(for_white);
    record.with_label(label).with_best(m)
}

/// Whether a `Variant` tag names a game that is played by the rules of chess or Chess960.
fn is_chess(variant: Option<&str>) -> bool {
    let name = variant.unwrap_or("standard").to_ascii_lowercase();
    [
        "standard",
        "chess",
        "normal",
        "from position",
        "chess960",
        "chess 960",
        "fischerandom",
        "fischer random",
    ]
    .contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, settings: GameSettings) -> (Vec<Record>, Counts<4>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, text).unwrap();
        let mut reader = GameReader::open(&path, settings).unwrap();
        let mut records = Vec::new();
        while reader.read(&mut records).unwrap() {}
        (records, reader.broken().clone())
    }

    fn from_ply(skip_plies: usize) -> GameSettings {
        GameSettings {
            skip_plies,
            ..GameSettings::default()
        }
    }

    #[test]
    fn a_game_becomes_a_group_with_its_result_and_evaluations() {
        let text = "[Result \"0-1\"]\n\n1. f3 { [%eval -0.5] } e5 2. g4 { [%eval #-1] } Qh4# 0-1\n";
        let (records, broken) = read(text, from_ply(2));
        // the mate itself leaves no move to choose
        assert_eq!((records.len(), broken.total()), (2, 0));
        let labels: Vec<_> = records.iter().map(Record::label).collect();
        assert_eq!(labels, [None, Some(Label::Mate(-1))]);
        assert!(records[0].starts_group() && !records[1].starts_group());
        assert!(
            records
                .iter()
                .all(|r| r.result() == GameResult::BlackWins && r.origin() == Origin::Game)
        );
        let fen = records[1].position().unwrap().to_fen(false);
        assert_eq!(
            fen,
            "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
        );
    }

    #[test]
    fn what_engines_thought_labels_the_position_before_their_move() {
        let text = "1. f3 {book} e5 {+0.80/9 0.1s} 2. g4 {-M2/5 0.1s} Qh4# {+M1/3 0.0s, Black mates} 0-1\n";
        let (records, _) = read(text, from_ply(1));
        let found: Vec<_> = records
            .iter()
            .map(|record| (record.label(), record.best().map(|m| m.to_uci(false))))
            .collect();
        let best = |text: &str| Some(text.to_string());
        assert_eq!(
            found,
            [
                (Some(Label::Centipawns(-80)), best("e7e5")),
                (Some(Label::Mate(-1)), best("g2g4")),
                (Some(Label::Mate(-1)), best("d8h4")),
            ]
        );
        assert!(records.iter().all(|record| record.check().is_ok()));
    }

    #[test]
    fn broken_games_are_counted_by_kind_and_skipped() {
        let text = "1. e4 e5 2. Ke3 *\n1. e4 Zz9 *\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\
            [Variant \"Atomic\"]\n\n1. e4 *\n1. d4 {open\n[Event \"last\"]\n\n1. e4 c5 *\n";
        let (records, broken) = read(text, from_ply(1));
        assert_eq!([0, 1, 2, 3].map(|kind| broken.of(kind)), [1, 1, 1, 2]);
        assert_eq!(records.len(), 2);
    }

    #[test]
    fn chess960_starts_from_its_own_position() {
        let text = "[Variant \"Chess960\"]\n[FEN \"bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1\"]\n\n\
            1. Ng3 Ng6 2. Qh1 Qh8 3. O-O *\n";
        let (records, broken) = read(text, from_ply(1));
        assert_eq!((records.len(), broken.total()), (5, 0));
        assert!(records.iter().all(|record| record.check().is_ok()));
    }

    #[test]
    fn a_sample_is_the_same_every_time_and_keeps_its_order() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n".repeat(3);
        let settings = GameSettings {
            per_game: Some(3),
            ..from_ply(1)
        };
        let (records, _) = read(&text, settings);
        assert_eq!(records, read(&text, settings).0);
        let starts: Vec<bool> = records.iter().map(Record::starts_group).collect();
        assert_eq!(starts, [true, false, false].repeat(3));
        let (all, _) = read(&text, from_ply(1));
        let game: Vec<u64> = all[..10].iter().map(Record::hash).collect();
        let places: Vec<_> = records[..3]
            .iter()
            .map(|r| game.iter().position(|&h| h == r.hash()).unwrap())
            .collect();
        assert!(places.is_sorted());
    }
}
