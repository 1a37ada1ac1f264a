//! Playouts: random moves from a start position, then some plies of the engine's own choice, each position labelled.
//!
//! Games of good players do not show what a lost queen costs; random moves do.

use crate::board::{GameResult, Move, Position};
use crate::data::record::label::Label;
use crate::data::record::{Origin, Record};
use crate::support::mix::mix;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How each start position is played out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutSettings {
    /// The share of start positions that are changed by random moves, 0 to 1.
    pub random_share: f64,
    /// The least number of random moves.
    pub least_random: u32,
    /// The greatest number of random moves.
    pub most_random: u32,
    /// Positions to label in a row, each after the engine's move in the one before.
    pub plies: u32,
    /// Whether positions in check are skipped, where a playout is a single position.
    pub skip_check: bool,
    /// Whether positions that have a label are labelled again.
    pub again: bool,
    /// A start whose first score lies beyond ± this many centipawns is drawn again.
    pub most_start: Option<u16>,
    /// The playout ends, and is won, once two scores in a row are at least this many centipawns for one side.
    pub resign: Option<u16>,
    /// The seed of the random generator that draws the moves.
    pub seed: u64,
}

impl Default for PlayoutSettings {
    /// Each position is labelled as it is.
    fn default() -> PlayoutSettings {
        PlayoutSettings {
            random_share: 0.0,
            least_random: 1,
            most_random: 5,
            plies: 1,
            skip_check: false,
            again: false,
            most_start: None,
            resign: None,
            seed: 0,
        }
    }
}

/// How often a start is drawn before its playout is given up.
const MOST_DRAWS: u64 = 10;

/// A start position and what has become of it so far.
pub struct Playout {
    /// What the playout is drawn from.
    start: Record,
    settings: PlayoutSettings,
    number: u64,
    /// How often it was drawn again.
    draw: u64,
    position: Position,
    /// The record of the position, without its label.
    record: Record,
    /// Positions that are still to be labelled, this one included.
    left: u32,
    /// Whether the playout has left its game, so that the game's result no longer applies.
    own: bool,
    /// The keys of the positions before this one.
    history: Vec<u64>,
    records: Vec<Record>,
}

impl Playout {
    /// A playout from a record; its `number` among all playouts seeds the random moves.
    pub fn new(start: &Record, settings: &PlayoutSettings, number: u64) -> Playout {
        let mut playout = Playout {
            start: *start,
            settings: *settings,
            number,
            draw: 0,
            position: Position::default(),
            record: *start,
            left: 0,
            own: false,
            history: Vec::new(),
            records: Vec::new(),
        };
        playout.begin();
        playout
    }

    /// Draws the start.
    fn begin(&mut self) {
        let (start, settings) = (self.start, self.settings);
        let Ok(position) = start.position() else {
            return;
        };
        self.position = position;
        self.own = settings.plies > 1;
        self.history.clear();
        let mut rng = ChaCha8Rng::seed_from_u64(mix(settings.seed ^ mix(self.number)));
        rng.set_stream(self.draw);
        if rng.random::<f64>() < settings.random_share {
            self.own = true;
            let most = settings.most_random.max(settings.least_random);
            self.play_randomly(rng.random_range(settings.least_random..=most), &mut rng);
        } else if settings.plies == 1 && start.score().is_some() && !settings.again {
            self.records.push(start);
            return;
        }
        self.left = settings.plies;
        if self.is_over() || settings.skip_check && settings.plies == 1 && self.position.in_check() {
            self.left = 0;
        }
        self.begin_record(start.origin());
    }

    /// The position that the engine is to judge; `None` when the playout is complete.
    pub fn question(&self) -> Option<&Position> {
        (self.left > 0).then_some(&self.position)
    }

    /// Takes the engine's answer, the label for White and a legal move, and makes the move; without one the playout ends.
    /// Says whether the label is kept: a start that is not balanced enough is drawn again instead.
    pub fn answer(&mut self, label: Label, best: Option<Move>) -> bool {
        let beyond = |most: u16| label.encode().unsigned_abs() > most;
        if self.records.is_empty() && self.settings.most_start.is_some_and(beyond) {
            self.draw_again();
            return false;
        }
        let record = self.record.with_label(label);
        self.records
            .push(best.map_or(record, |best| record.with_best(best)));
        self.left -= 1;
        if let Some(result) = self.resigned() {
            self.end(result);
            self.left = 0;
        } else if let Some(best) = best.filter(|_| self.left > 0) {
            self.play(best);
            if self.is_over() {
                self.left = 0;
            }
            self.begin_record(Origin::Play);
        } else {
            self.left = 0;
        }
        true
    }

    /// The start without its label, if the playout was to label it as it is and has no records.
    pub fn passed(&self) -> Option<Record> {
        let nothing = self.records.is_empty() && !self.own;
        nothing.then(|| self.start.without_label())
    }

    /// The labelled positions, in their order.
    pub fn into_records(self) -> Vec<Record> {
        self.records
    }

    /// Draws another start, unless every draw would be the same or there were too many: then the playout ends without
    /// records.
    fn draw_again(&mut self) {
        self.left = 0;
        self.draw += 1;
        let random = self.settings.random_share > 0.0 && self.settings.most_random > 0;
        if random && self.draw < MOST_DRAWS {
            self.begin();
        }
    }

    /// The result of the game if a player resigns now; `None` if neither does.
    fn resigned(&self) -> Option<GameResult> {
        let bound = i32::from(self.settings.resign?);
        let [.., before, last] = &self.records[..] else {
            return None;
        };
        let scores = [before, last].map(|record| i32::from(record.score().unwrap_or(0)));
        if scores.iter().all(|&score| score >= bound) {
            Some(GameResult::WhiteWins)
        } else if scores.iter().all(|&score| score <= -bound) {
            Some(GameResult::BlackWins)
        } else {
            None
        }
    }

    fn play(&mut self, m: Move) {
        self.history.push(self.position.key());
        self.position.make(m);
    }

    fn play_randomly(&mut self, moves: u32, rng: &mut ChaCha8Rng) {
        for _ in 0..moves {
            let choice = self.position.legal_moves();
            if choice.is_empty() {
                return;
            }
            self.play(choice[rng.random_range(0..choice.len())]);
        }
    }

    /// Whether the game is over; if so its result goes to all positions of the playout.
    fn is_over(&mut self) -> bool {
        let Some(ending) = self.position.ending(&self.history) else {
            return false;
        };
        self.end(ending.result(self.position.side_to_move()));
        true
    }

    /// Gives all positions of the playout the result of its game.
    fn end(&mut self, result: GameResult) {
        for record in &mut self.records {
            *record = record.with_result(result);
        }
    }

    fn begin_record(&mut self, origin: Origin) {
        let kept = if self.own {
            GameResult::Unknown
        } else {
            self.record.result()
        };
        let origin = match (self.own, self.left) {
            (false, _) => origin,
            (true, _) if self.history.is_empty() => origin,
            (true, 0..=1) if self.records.is_empty() => Origin::Sample,
            _ => Origin::Play,
        };
        self.record = Record::new(&self.position).with_origin(origin).with_result(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDDLE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn record(fen: &str) -> Record {
        Record::new(&Position::from_fen(fen).unwrap())
            .with_origin(Origin::Game)
            .with_result(GameResult::Draw)
    }

    /// Answers every question with the first legal move.
    fn play_out(mut playout: Playout) -> Vec<Record> {
        let mut score = 0;
        while let Some(position) = playout.question() {
            let best = position.legal_moves()[0];
            score += 1;
            playout.answer(Label::centipawns(score), Some(best));
        }
        playout.into_records()
    }

    #[test]
    fn a_position_as_it_is_keeps_origin_and_result() {
        let records = play_out(Playout::new(&record(MIDDLE), &PlayoutSettings::default(), 0));
        let [only] = records[..] else { panic!("one record") };
        assert_eq!(only.check().unwrap().to_fen(false), MIDDLE);
        assert_eq!((only.origin(), only.result()), (Origin::Game, GameResult::Draw));
        assert_eq!(only.score(), Some(1));
    }

    #[test]
    fn a_labelled_position_is_asked_for_again_only_on_demand() {
        let labelled = record(MIDDLE).with_label(Label::Mate(3));
        let settings = PlayoutSettings::default();
        assert_eq!(play_out(Playout::new(&labelled, &settings, 0)), [labelled]);
        let again = PlayoutSettings {
            again: true,
            ..settings
        };
        assert_eq!(play_out(Playout::new(&labelled, &again, 0))[0].score(), Some(1));
    }

    #[test]
    fn random_moves_come_first_and_then_connected_positions() {
        let settings = PlayoutSettings {
            random_share: 1.0,
            least_random: 2,
            most_random: 5,
            plies: 6,
            ..PlayoutSettings::default()
        };
        let mut lengths = [0; 6];
        for number in 0..100 {
            let records = play_out(Playout::new(&record(MIDDLE), &settings, number));
            assert!(records.len() <= 6 && records.iter().all(|record| record.origin() == Origin::Play));
            let first = records[0].position().unwrap();
            let plies = 2 * (first.fullmove_number() as usize - 1) + first.side_to_move() as usize;
            lengths[plies] += 1;
            for pair in records.windows(2) {
                let after = pair[0].check().unwrap().after(pair[0].best().unwrap());
                assert_eq!(pair[1].check().unwrap().to_fen(false), after.to_fen(false));
            }
            assert_eq!(
                records,
                play_out(Playout::new(&record(MIDDLE), &settings, number))
            );
        }
        assert!(
            lengths[..2] == [0, 0] && lengths[2..].iter().all(|&count| count > 5),
            "{lengths:?}"
        );
    }

    #[test]
    fn the_share_of_random_lines_is_kept() {
        let settings = PlayoutSettings {
            random_share: 0.6,
            ..PlayoutSettings::default()
        };
        let playout = |number| play_out(Playout::new(&record(MIDDLE), &settings, number));
        let changed =
            (0..1_000).filter(|&number| playout(number).iter().any(|r| r.origin() == Origin::Sample));
        assert!((540..=660).contains(&changed.count()));
    }

    #[test]
    fn a_game_that_ends_gives_its_result_to_the_line() {
        // ten plies are left of the fifty moves
        let settings = PlayoutSettings {
            plies: 40,
            ..PlayoutSettings::default()
        };
        let records = play_out(Playout::new(
            &record("7k/8/8/8/8/8/8/K6R b - - 90 80"),
            &settings,
            0,
        ));
        assert!(records.len() <= 10);
        assert!(records.iter().all(|record| record.result() == GameResult::Draw));
        let mate = record("R6k/6pp/8/8/8/8/8/K7 b - - 0 1");
        assert!(play_out(Playout::new(&mate, &settings, 0)).is_empty());
    }

    #[test]
    fn checks_are_passed_over_where_nothing_follows() {
        let settings = PlayoutSettings {
            skip_check: true,
            ..PlayoutSettings::default()
        };
        let check = record("4k3/8/8/8/8/8/8/K3R3 b - - 0 1");
        assert!(play_out(Playout::new(&check, &settings, 0)).is_empty());
        assert_eq!(
            play_out(Playout::new(&check, &PlayoutSettings::default(), 0)).len(),
            1
        );
    }

    /// A playout of self-play after random moves, with these bounds.
    fn bounded(most_start: Option<u16>, resign: Option<u16>) -> PlayoutSettings {
        PlayoutSettings {
            random_share: 1.0,
            plies: 6,
            most_start,
            resign,
            ..PlayoutSettings::default()
        }
    }

    /// Answers with these scores, one after the other, and says which were kept.
    fn answer_all(playout: &mut Playout, scores: &[i32]) -> Vec<bool> {
        let answers = scores.iter().map_while(|&score| {
            let best = playout.question()?.legal_moves()[0];
            Some(playout.answer(Label::centipawns(score), Some(best)))
        });
        answers.collect()
    }

    #[test]
    fn a_start_out_of_balance_is_drawn_again() {
        let settings = bounded(Some(300), None);
        let mut playout = Playout::new(&record(MIDDLE), &settings, 7);
        let first = *playout.question().unwrap();
        let kept = answer_all(&mut playout, &[301, -400, 300, 900, -900]);
        assert_eq!(kept, [false, false, true, true, true]);
        let records = playout.into_records();
        let scores: Vec<_> = records.iter().map(|record| record.score().unwrap()).collect();
        assert_eq!(scores, [300, 900, -900]);
        // the first draw is the one that was always made, and another follows
        let unbounded = Playout::new(&record(MIDDLE), &bounded(None, None), 7);
        assert_eq!(unbounded.question().unwrap().to_fen(false), first.to_fen(false));
        assert_ne!(records[0].position().unwrap().to_fen(false), first.to_fen(false));
        assert!(records.iter().all(|record| record.check().is_ok()));
        assert_eq!(records[0].origin(), Origin::Play);
    }

    #[test]
    fn a_start_that_stays_out_of_balance_is_given_up() {
        let mut playout = Playout::new(&record(MIDDLE), &bounded(Some(300), None), 7);
        assert_eq!(answer_all(&mut playout, &[999; 20]), [false; MOST_DRAWS as usize]);
        assert!(playout.into_records().is_empty());
        // without random moves every draw would be the same
        let never = PlayoutSettings {
            random_share: 0.0,
            ..bounded(Some(300), None)
        };
        let none = PlayoutSettings {
            least_random: 0,
            most_random: 0,
            ..bounded(Some(300), None)
        };
        for settings in [never, none] {
            let mut playout = Playout::new(&record(MIDDLE), &settings, 7);
            assert_eq!(answer_all(&mut playout, &[999; 20]), [false]);
        }
    }

    #[test]
    fn a_game_that_is_decided_ends_with_its_result() {
        for (resign, scores, length, result) in [
            (
                Some(1000),
                &[0, 1000, 1200, 5, 5, 5][..],
                3,
                GameResult::WhiteWins,
            ),
            (
                Some(1000),
                &[0, -1000, 0, -1000, -1000, 5],
                5,
                GameResult::BlackWins,
            ),
            // the last position counts too
            (Some(1000), &[0, 0, 0, 0, 1000, 1000], 6, GameResult::WhiteWins),
            (Some(1000), &[0, 1000, -1000, 999, 0, 0], 6, GameResult::Unknown),
            (None, &[2000; 6], 6, GameResult::Unknown),
        ] {
            let mut playout = Playout::new(&record(MIDDLE), &bounded(None, resign), 3);
            assert_eq!(answer_all(&mut playout, scores).len(), length, "{scores:?}");
            let records = playout.into_records();
            assert_eq!(records.len(), length);
            assert!(
                records.iter().all(|record| record.result() == result),
                "{scores:?}"
            );
        }
    }

    #[test]
    fn a_start_that_is_passed_over_loses_the_label_that_was_to_be_replaced() {
        let settings = PlayoutSettings {
            skip_check: true,
            again: true,
            ..PlayoutSettings::default()
        };
        let check = record("4k3/8/8/8/8/8/8/K3R3 b - - 0 1").with_label(Label::Mate(3));
        let passed = Playout::new(&check, &settings, 0).passed().unwrap();
        assert_eq!((passed.hash(), passed.label()), (check.hash(), None));
    }

    #[test]
    fn moves_of_a_draw_that_was_given_up_are_no_part_of_the_game() {
        let settings = PlayoutSettings {
            least_random: 0,
            most_random: 1,
            ..bounded(Some(300), None)
        };
        // one random move first, and then none
        let again = (0..100).find_map(|number| {
            let mut playout = Playout::new(&record(MIDDLE), &settings, number);
            let is_start = |playout: &Playout| playout.question().unwrap().to_fen(false) == MIDDLE;
            let moved = !is_start(&playout);
            answer_all(&mut playout, &[999]);
            (moved && is_start(&playout)).then_some(playout)
        });
        let records = play_out(again.unwrap());
        assert_eq!(records[0].origin(), Origin::Game, "it is the start as it was");
    }
}
