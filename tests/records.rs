//! The 32-byte record gives back what it was made from, and refuses what was never a record.

use enroc::board::{CastlingRights, Color, GameResult, Move, Position};
use enroc::data::record::{RECORD_BYTES, RecordError};
use enroc::data::{Label, Origin, Record};
use proptest::prelude::*;

const STARTS: [&str; 6] = [
    Position::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // pawns that pass each other, and promotions
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Chess960, outer and inner rooks
    "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
    "1rkr1r2/ppppppp1/8/8/8/8/PPPPPPP1/1RKR1R2 w BDbd - 0 1",
];

/// The position after legal moves drawn by `choices`, and a legal move in it.
fn play(start: usize, choices: &[u16]) -> (Position, Option<Move>) {
    let mut position = Position::from_fen(STARTS[start]).unwrap();
    let mut next = None;
    for &choice in choices {
        if let Some(m) = next.take() {
            position.make(m);
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        next = Some(moves[choice as usize % moves.len()]);
    }
    (Position::from_fen(&position.to_fen(true)).unwrap(), next)
}

fn random_record() -> impl Strategy<Value = (Position, Option<Move>, Record)> {
    let label = prop_oneof![
        Just(None),
        (-30_000i32..=30_000).prop_map(|cp| Some(Label::centipawns(cp))),
        (-50i32..=50).prop_map(Label::mate),
    ];
    let choices = prop::collection::vec(any::<u16>(), 1..120);
    (
        0..STARTS.len(),
        choices,
        label,
        0..4usize,
        0..4usize,
        any::<bool>(),
    )
        .prop_map(|(start, choices, label, result, origin, group)| {
            let (position, best) = play(start, &choices);
            let mut record = Record::new(&position)
                .with_result(GameResult::ALL[result])
                .with_origin(Origin::ALL[origin])
                .with_group_start(group);
            if let Some(label) = label {
                record = record.with_label(label);
            }
            if let Some(best) = best {
                record = record.with_best(best);
            }
            (position, best, record)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn everything_survives_packing((position, best, record) in random_record()) {
        let bytes = record.to_bytes();
        prop_assert_eq!(bytes.len(), RECORD_BYTES);
        let back = Record::from_bytes(&bytes);
        prop_assert_eq!(back, record);
        prop_assert_eq!(back.check().unwrap(), position);
        prop_assert_eq!(back.best(), best);
        prop_assert_eq!(back.castling(), position.castling());
        prop_assert_eq!(back.en_passant(), position.en_passant());
        prop_assert_eq!(back.side_to_move(), position.side_to_move());
        prop_assert_eq!(back.in_check(), position.in_check());
        let pieces: Vec<_> = back.pieces().collect();
        let expected: Vec<_> = position
            .occupied()
            .into_iter()
            .map(|square| (position.piece_on(square).unwrap(), square))
            .collect();
        prop_assert_eq!(pieces, expected);
    }

    #[test]
    fn exchanging_the_colours_twice_changes_nothing((position, _, record) in random_record()) {
        let flipped = record.flipped();
        let other = flipped.check().unwrap();
        prop_assert_eq!(flipped.flipped(), record);
        prop_assert_eq!(other.count_moves(), position.count_moves());
        prop_assert_eq!(flipped.label(), record.label().map(Label::negated));
        prop_assert_ne!(flipped.hash(), record.hash());
        let rights = position.castling().bits();
        prop_assert_eq!(other.castling(), CastlingRights::from_bits(rights << 2 | rights >> 2));
    }

    #[test]
    fn mirror_images_are_positions_where_nobody_may_castle((position, best, record) in random_record()) {
        let mirrored = record.mirrored();
        prop_assert_eq!(mirrored.is_none(), position.castling() != CastlingRights::NONE);
        if let Some(mirrored) = mirrored {
            let other = mirrored.check().unwrap();
            prop_assert_eq!(mirrored.mirrored(), Some(record));
            prop_assert_eq!(other.count_moves(), position.count_moves());
            prop_assert_eq!(mirrored.label(), record.label());
            let files = |best: Option<Move>| best.map(|m| (m.from().file(), m.to().file()));
            let wanted = files(best).map(|(from, to)| (7 - from, 7 - to));
            prop_assert_eq!(files(mirrored.best()), wanted);
        }
    }

    #[test]
    fn any_32_bytes_are_checked_without_a_panic(bytes in prop::array::uniform32(any::<u8>())) {
        let record = Record::from_bytes(&bytes);
        prop_assert_eq!(record.to_bytes(), bytes);
        // random squares never hold exactly one king each where check would accept them
        prop_assert!(record.check().is_err());
        let _ = (record.best(), record.hash(), record.flipped(), record.fen());
    }

    #[test]
    fn a_damaged_record_is_noticed_or_still_legal((_, _, record) in random_record(), bit in 0..256usize) {
        let mut bytes = record.to_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let damaged = Record::from_bytes(&bytes);
        if let Ok(position) = damaged.check() {
            prop_assert_eq!(Record::new(&position).hash(), damaged.hash());
        }
    }
}

#[test]
fn the_hash_tells_positions_apart_and_is_part_of_the_format() {
    let hash = |fen: &str| Record::new(&Position::from_fen(fen).unwrap()).hash();
    let base = hash(STARTS[1]);
    assert_ne!(base, hash(&STARTS[1].replace(" w ", " b ")));
    assert_ne!(base, hash(&STARTS[1].replace("KQkq", "KQk")));
    assert_eq!(base, hash(&STARTS[1].replace("0 1", "7 9")));
    let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_ne!(hash(passing), hash(&passing.replace("d6", "-")));
    assert_eq!(hash(Position::START_FEN), 9_674_237_168_114_899_114);
}

#[test]
fn faults_are_named() {
    let position = Position::default();
    let bytes = Record::new(&position).to_bytes();
    let with = |at: usize, value: u8| {
        let mut bytes = bytes;
        bytes[at] = value;
        Record::from_bytes(&bytes).check().unwrap_err()
    };
    assert_eq!(with(2, 1), RecordError::TooMany(33));
    assert_eq!(with(25, 0x77), RecordError::Score(0x7700));
    assert_eq!(with(31, 1 << 7), RecordError::SpareBits);
    // Black to move cannot be in check here
    assert_eq!(with(31, 0b11), RecordError::Marks);
    assert!(matches!(with(26, 1), RecordError::Move(_)));
    assert!(matches!(with(8, 0x55), RecordError::Position(_)));
    assert_eq!(Record::from_bytes(&bytes).side_to_move(), Color::White);
}
