//! Games in viriformat, beside the crate that defines the format; and what becomes of damaged ones.

use enroc::board::{GameResult, Move, Position};
use enroc::data::count::Counts;
use enroc::data::formats::export_report::{ExportReport, LeftOut};
use enroc::data::formats::viriformat::{BrokenGame, ViriformatReader, write_games};
use enroc::data::{Label, Origin, Record};
use proptest::prelude::*;
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{self, MoveFlags};
use viriformat::chess::piece::PieceType;
use viriformat::chess::types::Square;
use viriformat::dataformat;

const STARTS: [&str; 6] = [
    Position::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 9",
    // en passant at once
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    // promotions
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Chess960, outer and inner rooks
    "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
    "1rkr1r2/ppppppp1/8/8/8/8/PPPPPPP1/1RKR1R2 w BDbd - 0 1",
];

/// A game that was played by our rules.
#[derive(Clone, Debug)]
struct Game {
    positions: Vec<Position>,
    moves: Vec<Move>,
    scores: Vec<i16>,
    result: GameResult,
}

impl Game {
    fn play(start: usize, plies: &[(u16, i16)], result: GameResult) -> Game {
        let mut position = Position::from_fen(STARTS[start]).unwrap();
        let mut game = Game {
            positions: Vec::new(),
            moves: Vec::new(),
            scores: Vec::new(),
            result,
        };
        for &(choice, score) in plies {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmove_clock() >= 100 {
                break;
            }
            let played = moves[choice as usize % moves.len()];
            game.positions.push(position);
            game.moves.push(played);
            game.scores.push(score);
            position.play(played);
        }
        game
    }

    /// As the crate writes it.
    fn by_crate(&self) -> Vec<u8> {
        let mut board = Board::new();
        board.set_from_fen(&self.positions[0].to_fen(true), true).unwrap();
        let mut game = dataformat::Game::new(&board);
        for (&played, &score) in self.moves.iter().zip(&self.scores) {
            game.add_move(crate_move(played), score);
        }
        game.set_outcome(match self.result {
            GameResult::WhiteWins => GameOutcome::WhiteWin(WinType::Mate),
            GameResult::BlackWins => GameOutcome::BlackWin(WinType::Mate),
            _ => GameOutcome::Draw(DrawType::Repetition),
        });
        let mut bytes = Vec::new();
        game.serialise_into(&mut bytes).unwrap();
        if self.result == GameResult::Unknown {
            bytes[31] = 1;
        }
        bytes
    }

    /// What is to be read of it.
    fn records(&self) -> Vec<Record> {
        let record = |ply: usize| {
            Record::new(&self.positions[ply])
                .with_label(label(self.scores[ply]))
                .with_best(self.moves[ply])
                .with_result(self.result)
                .with_origin(Origin::Play)
                .with_group_start(ply == 0)
        };
        (0..self.moves.len()).map(record).collect()
    }
}

fn label(score: i16) -> Label {
    match score {
        31_000..=31_999 => Label::Mate(32_000 - score),
        -31_999..=-31_000 => Label::Mate(-32_000 - score),
        _ => Label::centipawns(score.into()),
    }
}

fn crate_move(played: Move) -> chessmove::Move {
    let square = |square: enroc::board::Square| Square::new(square.index() as u8).unwrap();
    let (from, to) = (square(played.from()), square(played.to()));
    if let Some(piece) = played.promoted() {
        let kind = PieceType::new(piece.kind() as u8).unwrap();
        chessmove::Move::new_with_promo(from, to, kind)
    } else if played.is_en_passant() {
        chessmove::Move::new_with_flags(from, to, MoveFlags::EnPassant)
    } else if played.is_castling() {
        chessmove::Move::new_with_flags(from, to, MoveFlags::Castle)
    } else {
        chessmove::Move::new(from, to)
    }
}

fn read(bytes: &[u8]) -> (Vec<Record>, Counts<5>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    std::fs::write(&path, bytes).unwrap();
    let mut reader = ViriformatReader::open(&path).unwrap();
    let mut records = Vec::new();
    while reader.read(&mut records).unwrap() {}
    (records, reader.broken().clone())
}

/// The games of these records, group by group.
fn write(records: &[Record]) -> (Vec<u8>, ExportReport) {
    let (mut bytes, mut report) = (Vec::new(), ExportReport::default());
    for group in records.chunk_by(|_, next| !next.starts_group()) {
        write_games(group.iter(), &mut bytes, &mut report);
    }
    (bytes, report)
}

fn random_game() -> impl Strategy<Value = Game> {
    let plies = prop::collection::vec(any::<(u16, i16)>(), 1..150);
    (0..STARTS.len(), plies, 0..4usize)
        .prop_map(|(start, plies, result)| Game::play(start, &plies, GameResult::ALL[result]))
}

fn concat(games: &[Game]) -> Vec<u8> {
    games.iter().flat_map(Game::by_crate).collect()
}

/// Of every record that it is whole, and of its groups that each is the beginning of a game played by the rules.
fn check_games(records: &[Record]) {
    for pair in records.windows(2) {
        let before = pair[0].check().unwrap();
        if !pair[1].starts_group() {
            let after = before.after(pair[0].best().unwrap());
            assert_eq!(Record::new(&after).fen(), pair[1].fen());
        }
    }
    assert!(records.last().is_none_or(|record| record.check().is_ok()));
    assert!(records.first().is_none_or(|record| record.starts_group()));
}

proptest! {
    #[test]
    fn what_the_crate_writes_is_read(games in prop::collection::vec(random_game(), 0..4)) {
        let (records, broken) = read(&concat(&games));
        prop_assert_eq!(broken.total(), 0);
        let expected: Vec<Record> = games.iter().flat_map(Game::records).collect();
        prop_assert_eq!(&records, &expected);
        check_games(&records);
    }

    #[test]
    fn games_are_written_as_the_crate_writes_them(games in prop::collection::vec(random_game(), 0..4)) {
        let records: Vec<Record> = games.iter().flat_map(Game::records).collect();
        let (bytes, report) = write(&records);
        let mut expected = Vec::new();
        let mut unknown = 0;
        for game in &games {
            if game.result == GameResult::Unknown {
                unknown += game.moves.len() as u64;
                continue;
            }
            // every score as its label says it; the start has that of the first ply
            let scores = game.scores.iter().map(|&score| label(score).encode()).collect();
            let mut bytes = Game { scores, ..game.clone() }.by_crate();
            bytes.copy_within(34..36, 28);
            expected.extend(bytes);
        }
        prop_assert_eq!(bytes, expected);
        prop_assert_eq!(report.written, records.len() as u64 - unknown);
        prop_assert_eq!(report.left_out.of(LeftOut::Result as usize), unknown);
        prop_assert_eq!(report.left_out.total(), unknown);
    }

    #[test]
    fn what_is_left_of_a_game_is_written_as_several(game in random_game(), gone in any::<[u64; 3]>()) {
        let game = Game { result: GameResult::Draw, ..game };
        let there = |ply: &usize| gone[ply % 3] >> (ply / 3 % 64) & 1 == 0;
        let all = game.records();
        let kept: Vec<Record> = (0..all.len())
            .filter(there)
            .map(|ply| all[ply].with_group_start(ply == 0 || !there(&(ply - 1))))
            .collect();
        let group = kept.iter().enumerate().map(|(place, record)| record.with_group_start(place == 0));
        let (bytes, report) = write(&group.collect::<Vec<_>>());
        let (back, broken) = read(&bytes);
        prop_assert_eq!((report.left_out.total(), broken.total()), (0, 0));
        prop_assert_eq!(report.games as usize, kept.iter().filter(|record| record.starts_group()).count());
        prop_assert_eq!(back, kept);
    }

    #[test]
    fn a_game_that_ends_in_the_middle_leaves_those_before_it(
        games in prop::collection::vec(random_game(), 1..4), cut in any::<prop::sample::Index>()
    ) {
        let bytes = concat(&games);
        let (records, broken) = read(&bytes[..cut.index(bytes.len())]);
        let mut end = 0;
        let whole: Vec<&Game> = games
            .iter()
            .take_while(|game| {
                end += game.by_crate().len();
                end <= cut.index(bytes.len())
            })
            .collect();
        let expected: Vec<Record> = whole.iter().flat_map(|game| game.records()).collect();
        prop_assert_eq!(records, expected);
        let before: usize = whole.iter().map(|game| game.by_crate().len()).sum();
        let cut_off = (cut.index(bytes.len()) > before) as u64;
        prop_assert_eq!((broken.of(BrokenGame::CutOff as usize), broken.total()), (cut_off, cut_off));
    }

    #[test]
    fn changed_bytes_never_make_a_record_that_is_not_whole(
        games in prop::collection::vec(random_game(), 1..4),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = concat(&games);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        check_games(&read(&bytes).0);
    }
}

#[test]
fn records_without_a_place_in_a_game_are_counted_by_kind() {
    let plies: Vec<(u16, i16)> = (0..12).map(|n| (n * 7919, n as i16)).collect();
    let whole = Game::play(0, &plies, GameResult::WhiteWins).records();
    let mut records = whole.clone();
    records[2] = records[2].without_label().with_best(whole[2].best().unwrap());
    let label = whole[4].label().unwrap();
    records[4] = records[4].without_label().with_label(label);
    records[6] = records[6].with_result(GameResult::Unknown);
    // the move of a position later is not one of this player's
    records[8] = records[8].with_best(whole[9].best().unwrap());
    // a king that has gone
    let mut bytes = records[10].to_bytes();
    bytes[0] &= !(1 << 4);
    records[10] = Record::from_bytes(&bytes);
    let (bytes, report) = write(&records);
    let counts = [0, 1, 2, 3, 4].map(|kind| report.left_out.of(kind));
    assert_eq!((counts, report.written, report.games), ([1; 5], 7, 6));
    let (back, broken) = read(&bytes);
    assert_eq!((back.len(), broken.total()), (7, 0));
    check_games(&back);
}

#[test]
fn broken_games_are_counted_by_kind_and_the_others_read() {
    let plies: Vec<(u16, i16)> = (0..40).map(|n| (n * 7919, n as i16)).collect();
    let good = Game::play(0, &plies, GameResult::Draw);
    let with = |place: usize, byte: u8| {
        let mut bytes = good.by_crate();
        bytes[place] = byte;
        bytes
    };
    let endless = [good.by_crate()[..32].to_vec(), vec![1; 4 * 20_000], vec![0; 4]].concat();
    let empty = [good.by_crate()[..32].to_vec(), vec![0; 4]].concat();
    let cases = [
        // a king is missing; a code that no piece has; a square that no pawn has passed
        (with(0, 0xef), Some(BrokenGame::Start)),
        (with(8, 0x77), Some(BrokenGame::Start)),
        (with(24, 40), Some(BrokenGame::Start)),
        // rooks that may castle, on other ranks than their own
        (with(12, 0x66), Some(BrokenGame::Start)),
        (with(30, 3), Some(BrokenGame::Result)),
        // a1a1, a kind that the move is not of
        (with(32, 0), Some(BrokenGame::Move)),
        (with(33, good.by_crate()[33] | 0x80), Some(BrokenGame::Move)),
        (endless, Some(BrokenGame::TooLong)),
        (empty, None),
        // what no move of this kind needs, and a move number that was never written
        (with(33, good.by_crate()[33] | 0x30), None),
        (with(26, 0), None),
    ];
    let mut expected = [0; 5];
    let mut whole = 1;
    let mut bytes = Vec::new();
    for (game, kind) in &cases {
        bytes.extend_from_slice(game);
        match kind {
            Some(kind) => expected[*kind as usize] += 1,
            None => whole += (game.len() > 36) as usize,
        }
    }
    bytes.extend(good.by_crate());
    bytes.extend_from_slice(&good.by_crate()[..50]);
    expected[BrokenGame::CutOff as usize] += 1;
    let (records, broken) = read(&bytes);
    assert_eq!([0, 1, 2, 3, 4].map(|kind| broken.of(kind)), expected);
    assert_eq!(records.len(), whole * good.moves.len());
    check_games(&records);
}
