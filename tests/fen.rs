//! FEN in its three dialects, and every other text, which must be refused without a panic.

use enroc::board::{Color, FenError, Move, PieceType, Position, Square, Wing};
use enroc::engine::perft::perft;
use proptest::prelude::*;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The back rank with this number in Reinhard Scharnagl's list (518 is standard chess).
fn chess960_back_rank(number: usize) -> String {
    let mut squares = [' '; 8];
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    squares[2 * light + 1] = 'B';
    squares[2 * dark] = 'B';
    let nth_free = |squares: &[char; 8], n: usize| (0..8).filter(|&i| squares[i] == ' ').nth(n).unwrap();
    squares[nth_free(&squares, queen)] = 'Q';
    let pairs = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];
    let (first, second) = pairs[knights];
    let places = [nth_free(&squares, first), nth_free(&squares, second)];
    for place in places {
        squares[place] = 'N';
    }
    for piece in ['R', 'K', 'R'] {
        squares[nth_free(&squares, 0)] = piece;
    }
    squares.iter().collect()
}

#[test]
fn all_chess960_starts_in_all_dialects() {
    assert_eq!(chess960_back_rank(518), "RNBQKBNR");
    assert_eq!(chess960_back_rank(0), "BBQNNRKR");
    for number in 0..960 {
        let rank = chess960_back_rank(number);
        let board = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w", rank.to_lowercase());
        let position = Position::from_fen(&format!("{board} KQkq - 0 1")).unwrap();
        let files = ['h', 'g', 'f', 'e', 'd', 'c', 'b', 'a'].into_iter();
        let rooks: String = files
            .filter(|&file| rank.as_bytes()[(file as u8 - b'a') as usize] == b'R')
            .collect();
        let shredder = format!("{board} {}{rooks} - 0 1", rooks.to_uppercase());
        assert_eq!(Position::from_fen(&shredder).unwrap(), position);
        assert_eq!(position.to_fen(true), shredder);
        assert_eq!(position.to_fen(false), format!("{board} KQkq - 0 1"));
        assert_eq!(
            position.needs_chess960(),
            !(rank.starts_with('R') && rank.ends_with('R') && &rank[4..5] == "K")
        );
        assert_eq!(perft(&position, 2), (position.count_moves() as u64).pow(2));
    }
}

#[test]
fn x_fen_names_the_inner_rook_by_its_file() {
    // White may castle with the g-rook only, though the h-rook stands outside it
    let fen = "4k3/8/8/8/8/8/8/R4KRR w GQ - 0 1";
    let position = Position::from_fen(fen).unwrap();
    assert_eq!(position.castling_rook(Color::White, Wing::King), Square::at(6, 0));
    assert_eq!(position.to_fen(false), fen);
    assert_eq!(position.to_fen(true), "4k3/8/8/8/8/8/8/R4KRR w GA - 0 1");
    let outer = Position::from_fen("4k3/8/8/8/8/8/8/R4KRR w KQ - 0 1").unwrap();
    assert_eq!(outer.castling_rook(Color::White, Wing::King), Square::at(7, 0));
    assert_ne!(outer.key(), position.key());
}

#[test]
fn short_fens_and_clocks() {
    let position = Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - -").unwrap();
    assert_eq!((position.halfmove_clock(), position.fullmove_number()), (0, 1));
    let position = Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 7").unwrap();
    assert_eq!((position.halfmove_clock(), position.fullmove_number()), (7, 1));
    let position = Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 99999 99999999").unwrap();
    assert_eq!(
        (position.halfmove_clock(), position.fullmove_number()),
        (255, 65_535)
    );
    assert_eq!(Position::from_fen(KIWIPETE).unwrap().to_string(), KIWIPETE);
}

#[test]
fn an_en_passant_square_is_kept_only_if_the_capture_is_legal() {
    for (fen, kept) in [
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            false,
        ),
        (
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            true,
        ),
        ("3k4/8/8/K1Pp3r/8/8/8/8 w - d6 0 1", false),
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.en_passant().is_some(), kept, "{fen}");
        assert_eq!(position.key(), position.recomputed_key());
    }
}

#[test]
fn says_what_is_wrong() {
    for (fen, error) in [
        (
            "",
            "a FEN has four to six fields separated by spaces, this one has 0",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x",
            "a FEN has four to six fields separated by spaces, this one has 7",
        ),
        (
            "4k3/8/8/8/8/8/4K3 w - - 0 1",
            "the board has 7 ranks instead of 8",
        ),
        (
            "4k3/8/8/8/8/8/7/4K3 w - - 0 1",
            "rank 2 describes 7 squares instead of 8",
        ),
        (
            "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
            "rank 1 describes 9 squares instead of 8",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2x w - - 0 1",
            "'x' is not a piece or a number of empty squares",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2é w - - 0 1",
            "'é' is not a piece or a number of empty squares",
        ),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 0 kings instead of 1"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings instead of 1"),
        (
            "4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 b - - 0 1",
            "White has 17 pieces, more than 16",
        ),
        (
            "4k3/8/8/8/8/8/8/3PK3 w - - 0 1",
            "there is a pawn on d1, on the first or last rank",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
            "the side to move is 'x' instead of 'w' or 'b'",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            "castling 'K' does not fit the kings and rooks on the board",
        ),
        (
            "4k3/8/8/8/8/8/4K3/R6R w K - 0 1",
            "castling 'K' does not fit the kings and rooks on the board",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w KK - 0 1",
            "castling 'KK' does not fit the kings and rooks on the board",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            "'e6' is not a square that a pawn has just passed",
        ),
        (
            "4k3/8/8/4p3/8/8/8/4K3 w - e9 0 1",
            "'e9' is not a square that a pawn has just passed",
        ),
        (
            "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1",
            "'e3' is not a square that a pawn has just passed",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "'-1' is not a move count"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 one", "'one' is not a move count"),
        (
            "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
            "the side that is not to move is in check",
        ),
    ] {
        let message = Position::from_fen(fen).map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(message, error, "{fen}");
    }
}

#[test]
fn impossible_material_and_checks_are_refused() {
    assert_eq!(
        Position::from_fen("4k3/8/8/8/8/8/QQQQQQQQ/QQQQK3 b - - 0 1"),
        Err(FenError::Promoted(Color::White))
    );
    assert!(Position::from_fen("1k6/8/8/8/8/8/QQQQQQQQ/1Q2K3 b - - 0 1").is_ok());
    assert_eq!(
        Position::from_fen("4r3/8/8/b7/8/3n4/8/k3K3 w - - 0 1"),
        Err(FenError::Checkers(3))
    );
}

#[test]
fn what_composers_set_up_is_accepted_leniently() {
    for (fen, fault) in [
        (
            "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
            FenError::Promoted(Color::White),
        ),
        ("4r3/8/8/b7/8/3n4/8/k3K3 w - - 0 1", FenError::Checkers(3)),
    ] {
        let (position, faults) = Position::from_lenient_fen(fen).unwrap();
        assert_eq!(faults, [fault]);
        assert_eq!(position.to_fen(false), fen);
        // only the king may answer three checks
        let kings_only = |m: &Move| m.from() == position.king(Color::White);
        assert!(position.checkers().count() < 2 || position.legal_moves().iter().all(kings_only));
    }
    assert_eq!(
        Position::from_lenient_fen("k7/8/8/8/8/8/QQQQQ3/QQQQQK2 w - - 0 1").map(|_| ()),
        Err(FenError::Promoted(Color::White))
    );
}

/// Texts near a FEN: pieces of real ones, joined and bent.
fn almost_fen() -> impl Strategy<Value = String> {
    let fen = prop::sample::select(vec![
        Position::START_FEN,
        KIWIPETE,
        "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
        "5rkr/5pp1/8/8/8/8/5PP1/RR3KRR w GBhf - 0 1",
    ]);
    let edits = prop::collection::vec(
        (any::<prop::sample::Index>(), "[a-hA-HkqKQnNpP0-9/ wb-]|\\PC"),
        0..6,
    );
    (fen, edits).prop_map(|(fen, edits)| {
        let mut letters: Vec<String> = fen.chars().map(String::from).collect();
        for (place, text) in edits {
            let place = place.index(letters.len());
            letters[place] = text;
        }
        letters.concat()
    })
}

/// A text is refused, or it is a position that reads back and whose moves can be made.
fn check_any_text(text: &str) {
    let Ok(position) = Position::from_fen(text) else {
        return;
    };
    for shredder in [false, true] {
        assert_eq!(
            Position::from_fen(&position.to_fen(shredder)),
            Ok(position),
            "{text}"
        );
    }
    assert_eq!(
        position.count_moves() as usize,
        position.legal_moves().len(),
        "{text}"
    );
    for m in position.legal_moves() {
        let child = position.after(m);
        assert_eq!(child.key(), child.recomputed_key(), "{text} {m:?}");
        assert_eq!(child.of_kind(PieceType::King).count(), 2, "{text} {m:?}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,90}") {
        check_any_text(&text);
    }

    #[test]
    fn no_bent_fen_makes_the_reader_panic(text in almost_fen()) {
        check_any_text(&text);
    }
}
