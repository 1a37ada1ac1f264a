//! Games in PGN as a tree of moves.

use crate::mutation::Mutations;
use crate::target::fuzz;
use enroc::board::FenError;
use enroc::board::pgn::{self, Detail, PgnFault, PgnGame, Reader, WrittenGame, drawings};
use std::collections::BTreeSet;

pub const GAMES: &[&str] = &[
    "[Event \"a \\\"b\\\" \\\\\"]\n[Result \"1-0\"]\n\n1. e4! {[%eval 0.35] [%csl Gd4][%cal Ge2e4]} e5 (1... c5 2. Nf3 \
     (2. c3 $14 d5 ; to the end\n) 2... d6) 2. Qh5?! Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0\n\n",
    "[FEN \"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1\"]\n[SetUp \"1\"]\n\n1... gxh1=Q {+0.31/12 0.5s} 2. bxa8=N {-M5/30} \
     *\n",
    "[Variant \"Chess960\"]\n[FEN \"bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1\"]\n\n1. g3 g6 2. Qg2 Qg7 3. \
     O-O 0-0 1/2-1/2\n",
    "1.d4 {a\ncomment} d5 2.c4 e6 3.Nc3 Nf6 4.Bg5 Be7 5.e3 O-O 6.Nf3 Nbd7 7.Rc1 c6 8.Bd3 dxc4 9.Bxc4 Nd5 10.Bxe7 Qxe7 \
     11.O-O Nxc3 12.Rxc3 e5 13.dxe5 Nxe5 14.Nxe5 Qxe5 15.f4 Qe4 16.Bb3 Bf5 0-1\n% escaped\n[Event \"?\"]\n*",
];

pub const WORDS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    ";",
    "%",
    "[",
    "]",
    "\"",
    "\\",
    "$1",
    "$255",
    "$256",
    "1.",
    "1...",
    "--",
    "e4",
    "Nf3",
    "O-O",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "!?",
    "\n",
    "\n\n",
    "\n[Event \"",
    "[FEN \"",
    "[Variant \"Chess960\"]\n",
    "[%eval #-3]",
    "[%eval 0.1,9]",
    "[%csl ",
    "[%cal Ra1h8]",
    "+0.1/9",
    "e.p.",
    "\u{feff}",
    "é",
    "…",
    "Z0",
    "e2e4",
    "e8(Q)",
    "Nf3+-",
    "Qh4#0-1",
    "<br>",
    "\r",
    "\r\r",
    "]\n[Site \"x\\\"] ",
    "\0",
    "\r\n",
];

/// Every move is legal where it stands. What is written of a game is read without a fault, with the same moves and result,
/// and a second time nothing changes.
#[test]
fn pgn() {
    fuzz("pgn", 5_000, Mutations::of_texts(GAMES, WORDS), |input| {
        let text = input.text();
        check_pieces(&text);
        let games = pgn::read(&text);
        games.iter().for_each(|(game, _)| check_game(game));
        games
            .iter()
            .any(|(game, faults)| !game.nodes.is_empty() && faults.is_empty())
    });
}

/// A text that comes in pieces gives the same games, and their main lines are the same without the rest.
fn check_pieces(text: &str) {
    let read = |detail: Detail, piece: usize| {
        let (mut reader, mut games) = (Reader::new(detail), Vec::new());
        let pieces = text.as_bytes().chunks(piece);
        pieces.for_each(|piece| reader.feed(piece, &mut games));
        reader.finish(&[], &mut games);
        games
    };
    let whole = read(Detail::All, usize::MAX);
    assert_eq!(whole, read(Detail::All, 1 + text.len() % 13));
    let moves = |game: &WrittenGame| {
        let (mut moves, mut comments) = (Vec::new(), Vec::new());
        let cut = game.start().ok().map(|start| {
            game.play(&start.position, |ply| {
                moves.push(ply.m);
                comments.extend(ply.comments.iter().map(|comment| comment.to_string()));
            })
        });
        (moves, comments, cut)
    };
    for (all, line) in whole.iter().zip(read(Detail::MainLine, 7)) {
        assert_eq!(moves(all), moves(&line));
        let (tree, _) = all.tree(usize::MAX);
        let first = |node: Option<usize>| tree.children(node).next();
        let main = std::iter::successors(first(None), |&node| first(Some(node)));
        let main: Vec<_> = main.filter_map(|node| tree.nodes[node].m).collect();
        assert_eq!(main, moves(all).0);
    }
}

fn check_game(game: &PgnGame) {
    for (place, node) in game.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent < place));
        let before = game.position(node.parent);
        match node.m {
            Some(m) => {
                assert!(before.legal_moves().contains(&m));
                assert_eq!(before.after(m), node.position);
            }
            None => assert!(!before.in_check()),
        }
        if let Some(comment) = &node.comment {
            let (drawn, words) = drawings::take(comment);
            // circles are written first
            let put = drawings::put(&drawn, &words);
            let (drawn, words) = drawings::take(&put);
            assert_eq!(drawings::put(&drawn, &words), put);
        }
    }
    let again = written_and_read(game);
    let moves = |game: &PgnGame| {
        (0..game.nodes.len())
            .map(|node| game.uci(node))
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(again.nodes.len(), game.nodes.len());
    assert_eq!(moves(&again), moves(game));
    assert_eq!(again.result, game.result);
    // comments that stood behind one another are one comment now
    assert_eq!(pgn::write(&written_and_read(&again)), pgn::write(&again));
}

fn written_and_read(game: &PgnGame) -> PgnGame {
    let written = pgn::write(game);
    let mut read = pgn::read(&written);
    assert_eq!(read.len(), 1, "{written:?}");
    let (again, mut faults) = read.remove(0);
    // said of every reading: the position is kept as it is
    faults.retain(|problem| !matches!(problem.fault, PgnFault::FenPart(FenError::Promoted(_))));
    assert!(faults.is_empty(), "{faults:?} in {written:?}");
    again
}
