//! Records from games: PGN is scanned on one thread, the games are replayed on several.

use super::losses::Losses;
use super::pgn::GameFile;
use crate::board::pgn::annotations::{self, Value};
use crate::board::pgn::engine_scores::engine_score;
use crate::board::pgn::{Detail, Fault, Loss, PgnFault, Start, WrittenGame};
use crate::board::{FenError, Position};
use crate::data::DataError;
use crate::data::record::label::Label;
use crate::data::record::{Origin, Record};
use crate::support::mix::mix;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;

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

/// What became of one game.
struct Replayed {
    records: Vec<Record>,
    /// Its start, its plies and what is wrong with it; or why it is left out.
    played: Result<(Position, usize, Vec<Fault>), Fault>,
}

/// Streams the positions of one PGN file, each game a group. A game that cannot be read to its end is read as far as that;
/// what is lost is counted by kind.
pub struct GameReader {
    file: GameFile,
    settings: GameSettings,
    games: Vec<WrittenGame>,
    /// Games handed on so far.
    number: u64,
    losses: Losses,
}

impl GameReader {
    /// Opens a file.
    ///
    /// # Errors
    /// [`DataError::Read`] if that fails.
    pub fn open(path: &Path, settings: GameSettings) -> Result<GameReader, DataError> {
        Ok(GameReader {
            file: GameFile::open(path, Detail::MainLine)?,
            settings,
            games: Vec::new(),
            number: 0,
            losses: Losses::default(),
        })
    }

    /// What was lost so far.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// Appends the records of the next games; `false` at the end of the file.
    ///
    /// # Errors
    /// [`DataError::Read`] when the file cannot be read on.
    pub fn read(&mut self, records: &mut Vec<Record>) -> Result<bool, DataError> {
        self.file.read(&mut self.games, GAMES_AT_ONCE)?;
        if self.games.is_empty() {
            return Ok(false);
        }
        let (settings, first) = (self.settings, self.number);
        let replayed: Vec<Replayed> = self
            .games
            .par_iter()
            .enumerate()
            .map(|(place, game)| replay(game, &settings, first + place as u64))
            .collect();
        self.number += self.games.len() as u64;
        for (game, replayed) in self.games.iter().zip(replayed) {
            self.losses.add(game, &replayed.played);
            records.extend(replayed.records);
        }
        self.games.clear();
        Ok(true)
    }
}

/// Where a game starts. A record holds positions that games can bring about, so what composers set up beyond that is left
/// out.
///
/// # Errors
/// Those of [`WrittenGame::start`], and for more pieces than promotions explain.
fn start(game: &WrittenGame) -> Result<Start, Fault> {
    let start = game.start()?;
    let composed = start.ignored.iter().find_map(|fault| match &fault.fault {
        PgnFault::FenPart(error @ FenError::Promoted(_)) => Some(Fault {
            fault: PgnFault::Fen(error.clone()),
            spot: fault.spot,
        }),
        _ => None,
    });
    composed.map_or(Ok(start), Err)
}

/// A comment's score as a label; `None` for a mate that is on the board.
fn label(score: Value) -> Option<Label> {
    match score {
        Value::Centipawns(score) => Some(Label::centipawns(score)),
        Value::Mate(moves) => Label::mate(moves),
    }
}

/// One game; its `number` draws the sample.
fn replay(game: &WrittenGame, settings: &GameSettings, number: u64) -> Replayed {
    let mut records: Vec<Record> = Vec::new();
    let played = start(game).map(|start| {
        let result = game.result();
        let mut plies = 0;
        // whether the last record is the position before the next move
        let mut is_recorded = false;
        let cut = game.play(&start.position, |ply| {
            let comments = ply.comments.iter().rev();
            let score = comments.clone().find_map(|comment| engine_score(comment));
            let score = score.and_then(|score| label(score.for_white(ply.before.side_to_move())));
            if let (true, Some(last), Some(score)) = (is_recorded, records.last_mut(), score) {
                *last = last.with_label(last.label().unwrap_or(score)).with_best(ply.m);
            }
            is_recorded = false;
            plies += 1;
            if plies < settings.skip_plies || !ply.after.has_moves() {
                return;
            }
            let record = Record::new(ply.after)
                .with_result(result)
                .with_origin(Origin::Game);
            let score = comments
                .clone()
                .find_map(|comment| annotations::evaluation(comment));
            let label = score.and_then(label);
            records.push(label.map_or(record, |label| record.with_label(label)));
            is_recorded = true;
        });
        let passed = game
            .faults
            .iter()
            .filter(|fault| fault.fault.loss() == Loss::Part);
        let faults = start.ignored.into_iter().chain(passed.cloned()).chain(cut);
        let faults = faults.collect();
        (start.position, plies, faults)
    });
    Replayed {
        records: sampled(records, settings, number),
        played,
    }
}

/// The records that are kept of a game, the first of them marked as the start of a group.
fn sampled(mut records: Vec<Record>, settings: &GameSettings, number: u64) -> Vec<Record> {
    if let Some(wanted) = settings.per_game.filter(|&wanted| wanted < records.len()) {
        let mut rng = ChaCha8Rng::seed_from_u64(mix(settings.seed ^ mix(number)));
        let mut places = index::sample(&mut rng, records.len(), wanted).into_vec();
        places.sort_unstable();
        records = places.into_iter().map(|place| records[place]).collect();
    }
    if let Some(first) = records.first_mut() {
        *first = first.with_group_start(true);
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::GameResult;

    fn read(text: &str, settings: GameSettings) -> (Vec<Record>, Losses) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, text).unwrap();
        let mut reader = GameReader::open(&path, settings).unwrap();
        let mut records = Vec::new();
        while reader.read(&mut records).unwrap() {}
        (records, reader.losses().clone())
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
        let (records, losses) = read(text, from_ply(2));
        // the mate itself leaves no move to choose
        assert_eq!((records.len(), losses.lines().len()), (2, 0));
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
    fn what_is_lost_is_counted_by_kind_with_its_places() {
        let text = "1. e4 e5 2. Ke3 *\n1. e4 Zz9 *\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\
            [Variant \"Atomic\"]\n\n1. e4 *\n1. d4 {open\n\n[Event \"last\"]\n[White \"A\"]\n\n1. e4 c5 resigns 1-0\n";
        let (records, losses) = read(text, from_ply(1));
        assert_eq!((losses.read, losses.cut(), losses.left_out()), (4, 3, 2));
        assert_eq!(records.len(), 2 + 1 + 1 + 2);
        let lines = losses.lines();
        assert_eq!(
            lines[0],
            "games read: 4; cut short: 3 (1 comment without an end, 1 illegal move, 1 unreadable move); left out: 2 (1 \
             impossible start position, 1 other variant); passed over in them: 1 (1 word between moves)"
        );
        assert_eq!(lines.len(), 7);
        let has = |line: &str| assert!(lines.iter().any(|found| found == line), "{line} in {lines:#?}");
        has("line 1: game 1 (? – ?) is cut short before move 2. Ke3 is not a legal move here");
        has("line 14: game 6 (A – ?): 'resigns' is no move and is passed over");
    }

    #[test]
    fn positions_that_no_game_can_bring_about_are_left_out() {
        let text = "[FEN \"4k3/8/8/8/8/8/PPPPPPPP/3QKNNN w - - 0 1\"]\n\n1. a3 Kd8 *\n1. e4 e5 *\n\
            [FEN \"4k3/8/8/8/8/2n1n1n1/8/3K4 w - - 0 1\"]\n\n1. Ke1 *\n\
            [FEN \"7k/7p/8/8/8/8/8/r2QKN1R w K - 0 1\"]\n\n1. Qxa1+ Kg8 *\n";
        let (records, losses) = read(text, from_ply(0));
        assert_eq!((losses.read, losses.left_out()), (3, 1));
        assert!(
            losses.lines()[0].contains("1 impossible start position"),
            "{:?}",
            losses.lines()
        );
        assert!(!records.is_empty() && records.iter().all(|record| record.check().is_ok()));
    }

    #[test]
    fn chess960_starts_from_its_own_position() {
        let text = "[Variant \"Chess960\"]\n[FEN \"bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1\"]\n\n\
            1. Ng3 Ng6 2. Qh1 Qh8 3. O-O *\n";
        let (records, losses) = read(text, from_ply(1));
        assert_eq!((records.len(), losses.lines().len()), (5, 0));
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

    #[test]
    fn an_evaluation_of_a_position_counts_more_than_what_the_player_thought() {
        let text = "1. e4 {[%eval 0.3]} e5 {+0.80/9 0.1s} 2. d4 *\n";
        let (records, _) = read(text, from_ply(1));
        assert_eq!(records[0].label(), Some(Label::Centipawns(30)));
        assert_eq!(
            records[0].best().map(|m| m.to_uci(false)).as_deref(),
            Some("e7e5")
        );
    }
}
