//! Explanations of positions of many kinds by the engine itself: what they say is borne out by their own lines and scores.

use enroc::board::{Ending, Position};
use enroc::engine::Engine;
use enroc::engine::options::EngineOptions;
use enroc::explain::check::exchange::balance;
use enroc::explain::explanation::{Assessment, Explanation, Grade, OnlyMove, Reason, Role, Said, Value};
use enroc::explain::words::{Language, Notation, Writer};
use enroc::explain::{Claim, Line, Motif, Options, Subject, explain};
use enroc::search::Control;

/// Openings, tactics, endings, mates, stalemates, zugzwang, promotions, en passant, castling in Chess960: positions with
/// moves to explain.
const POSITIONS: &str = include_str!("explain/positions.tsv");

fn explained(engine: &mut Engine, fen: &str, text: &str) -> Explanation {
    explained_by(5_000, engine, fen, text)
}

fn explained_by(nodes: u64, engine: &mut Engine, fen: &str, text: &str) -> Explanation {
    let position = Position::from_fen(fen).expect(fen);
    let subject = Subject::alone(&position, position.parse_san(text).expect(text));
    let options = Options {
        nodes,
        net_view: false,
    };
    explain(&subject, &mut engine.judge(&Control::default()), &options)
}

fn engine() -> Engine {
    Engine::new(EngineOptions::default()).expect("an engine")
}

fn english(explanation: &Explanation) -> Vec<String> {
    let text = Writer::new(Language::English, Notation::default()).explanation(explanation);
    [text.summary, text.details].concat()
}

fn claim(reason: &Reason) -> Option<&Claim> {
    match &reason.said {
        Said::Claim(claim) => Some(claim),
        Said::Change(_) => None,
    }
}

/// What is taken and won back is no loss, and what the other side overlooks is no merit.
fn is_borne_out(reason: &Reason) {
    let Some(claim) = claim(reason) else { return };
    let (start, end) = (reason.line.start(), reason.line.end());
    let us = start.side_to_move();
    let favoured = if reason.role == Role::Achieves { us } else { !us };
    match claim.motif {
        Motif::LeavesEnPrise { .. } | Motif::IgnoresCapture { .. } => {
            assert_eq!(claim.ply, 0, "{reason:?}");
            assert!(balance(end, favoured) > balance(start, favoured), "{reason:?}");
        }
        Motif::TakesFree { .. } => assert!(balance(end, favoured) > balance(start, favoured), "{reason:?}"),
        Motif::IgnoresMate { .. } => assert_eq!(claim.ply, 0, "{reason:?}"),
        Motif::Mate { .. } | Motif::BackRankMate { .. } => assert!(claim.ply < 12, "{reason:?}"),
        _ => {}
    }
}

/// A gain of material agrees with the score of the move that brings it.
fn agrees(reason: &Reason, expected: f64) {
    // what is avoided, prevented or only threatened is not in the score
    let happens = reason.role != Role::Avoids && !reason.role.is_threat();
    let Some(Motif::Material { winner, .. }) = claim(reason).map(|claim| &claim.motif).filter(|_| happens)
    else {
        return;
    };
    let is_ours = *winner == reason.line.start().side_to_move();
    if balance(reason.line.end(), *winner) > 0 {
        assert!(
            (if is_ours { expected } else { -expected }) >= Assessment::SLIGHTLY_BETTER,
            "{reason:?} at {expected}"
        );
    }
}

#[test]
fn explanations_are_borne_out_by_their_lines_and_scores() {
    let mut engine = engine();
    for line in POSITIONS.lines() {
        let (fen, moves) = line.split_once('\t').expect("a tab");
        for text in moves.split(' ') {
            let found = explained(&mut engine, fen, text);
            let verdict = &found.verdict;
            let better = found.better.iter().flat_map(|better| &better.reasons);
            let all = || found.reasons.iter().chain(better.clone());
            all().for_each(is_borne_out);
            all().for_each(is_a_way_out);
            for reason in &found.reasons {
                agrees(reason, verdict.after.expected);
            }
            if let Some(better) = &found.better {
                better
                    .reasons
                    .iter()
                    .for_each(|reason| agrees(reason, better.assessment.expected));
            }
            if verdict.only == Some(OnlyMove::Good) {
                assert!(
                    verdict.grade == Grade::Best && verdict.after.expected >= -Assessment::BETTER,
                    "{fen} {text}"
                );
            }
            for sentence in english(&found) {
                let idle = sentence.split_once(" (").is_some_and(|(told, before)| {
                    let count = before.split(' ').next().unwrap_or_default();
                    told.split(' ').any(|word| word == count)
                });
                assert!(!idle, "{sentence}");
            }
        }
    }
}

/// A way out leaves the line at a move of the side that loses, and this side has lost less at its end.
fn is_a_way_out(reason: &Reason) {
    let Some(way_out) = &reason.way_out else { return };
    let Some(Motif::Material {
        winner, centipawns, ..
    }) = claim(reason).map(|claim| &claim.motif)
    else {
        panic!("{reason:?}");
    };
    let (line, other, ply) = (&reason.line, &way_out.line, way_out.ply);
    assert_eq!(line.moves()[..ply], other.moves()[..ply], "{reason:?}");
    assert!(
        line.mover(ply) != *winner && line.at(ply) != other.at(ply),
        "{reason:?}"
    );
    let gain = balance(other.end(), *winner) - balance(other.start(), *winner);
    assert!(2 * gain <= *centipawns, "{reason:?}");
}

#[test]
fn a_gambit_is_not_a_loss() {
    // 3...Bg4 in Philidor's defence: after 4.dxe5 Bxf3 the pawn is won back, and White is better all the same
    let fen = "rnbqkbnr/ppp2ppp/3p4/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3";
    let position = Position::from_fen(fen).expect(fen);
    let taken = Line::parse(position, "Bg4 dxe5 Nc6").expect("legal");
    let mut engine = engine();
    let subject = Subject::alone(&position, taken.moves()[0]);
    let options = Options {
        nodes: 100_000,
        net_view: false,
    };
    let found = explain(&subject, &mut engine.judge(&Control::default()), &options);
    found.reasons.iter().for_each(is_a_way_out);
    let is_material = |reason: &&Reason| claim(reason).is_some_and(|claim| claim.motif.name() == "material");
    // what a threat would win is not lost yet
    let is_threat = |reason: &&Reason| reason.role.is_threat();
    // whatever else the search prefers there, it must not say flatly that the pawn is lost
    let flat = found
        .reasons
        .iter()
        .filter(|reason| is_material(reason) && !is_threat(reason))
        .find(|reason| reason.way_out.is_none());
    assert!(flat.is_none(), "{flat:?}");
}

#[test]
fn a_piece_that_is_won_back_is_not_hanging() {
    // 4...Nxe4 5.Nxe4 d5, with a fork
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R b KQkq - 5 4";
    let found = explained(&mut engine(), fen, "Nxe4");
    let claims = found.reasons.iter().filter_map(claim);
    let names: Vec<&str> = claims.map(|claim| claim.motif.name()).collect();
    assert!(
        !names.contains(&"leaves_en_prise") && !names.contains(&"ignores_capture"),
        "{names:?}"
    );
}

#[test]
fn taking_back_is_told_as_what_it_is_even_if_the_move_before_is_not_known() {
    // the Queen's Gambit: White has just taken on d5
    let fen = "rnbqkb1r/ppp2ppp/4pn2/3P4/3P4/2N5/PP2PPPP/R1BQKBNR b KQkq - 0 4";
    let said = english(&explained(&mut engine(), fen, "exd5"));
    assert!(
        said.iter()
            .any(|sentence| sentence.contains("takes the pawn on d5, and material is level")),
        "{said:?}"
    );
}

#[test]
fn no_move_of_a_lost_game_is_called_good() {
    let found = explained(&mut engine(), "8/8/4k3/1R6/5K2/8/5p2/r7 w - - 0 1", "Rb1");
    // a rook given away where all is lost is a howler nevertheless
    assert_eq!(found.verdict.grade, Grade::Inaccuracy);
    let said = english(&found);
    assert!(said.iter().all(|sentence| !sentence.contains("good")), "{said:?}");
}

#[test]
fn a_draw_on_the_board_is_named() {
    let found = explained(&mut engine(), "7k/7P/6K1/8/8/8/8/8 w - - 0 1", "Kh6");
    assert_eq!(found.facts.ends, Some(Ending::Stalemate));
    assert!(english(&found).contains(&"The game ends: stalemate, a draw.".to_string()));
}

/// Evans-Reshevsky 1963: the rook is offered on every square of the seventh rank, farther than the search sees.
#[test]
fn checks_that_never_end_are_no_lost_game() {
    let fen = "2Q5/5Rpk/8/1p2p2p/1P2Pn1P/5Pq1/4r3/7K w - - 0 49";
    let mut engine = engine();
    let found = explained(&mut engine, fen, "Qg8+");
    assert_eq!(
        (found.verdict.grade, found.verdict.after.value),
        (Grade::Best, Value::Centipawns(0))
    );
    assert!(!english(&found).iter().any(|sentence| sentence.contains("lost")));
    // and another move misses it
    let found = explained(&mut engine, fen, "Qf5+");
    assert_eq!(found.verdict.before.value, Value::Centipawns(0));
    assert!(found.verdict.grade >= Grade::Mistake);
}

/// What a trainer says of known moves, and what must not be said.
#[test]
fn the_point_of_known_moves_is_told() {
    let mut engine = engine();
    for (fen, m, told) in [
        // taking back runs into a discovered attack
        (
            "r1b1kbnr/pp3ppp/1qn1p3/3pP3/3P4/3B1N2/PP3PPP/RNBQK2R b KQkq - 0 7",
            "Nxd4",
            "taking back fails: 8...Qxd4 9.Bb5+",
        ),
        // Evans-Reshevsky 1963: the stalemate comes after the next move
        (
            "5Q2/1R4pk/5p2/4p2p/4Pn1P/5Pq1/4r3/7K w - - 0 50",
            "Qg8+",
            "taking it is stalemate",
        ),
        // after Bernstein and Smyslov, Groningen 1946: not the pawn is what is wrong, but that the win runs into stalemate
        (
            "8/8/8/5k2/5p2/1p5r/5K2/1R6 b - - 0 1",
            "b2",
            "taking it is stalemate",
        ),
        // D. Byrne-Fischer 1956: the knight may be taken, at no gain
        (
            "r2q1rk1/pp2ppbp/1np2np1/2Q3B1/3PP1b1/2N2N2/PP3PPP/3RKB1R b K - 6 11",
            "Na4",
            "offers the knight on a4; taking it helps no more than declining: 12.Nxa4 Nxe4",
        ),
        // the last rook goes, and a bishop alone is left
        (
            "8/7k/5r2/8/8/2R5/1B6/K7 w - - 2 2",
            "Rh3+",
            "leaves White with too little to force mate",
        ),
        // Bojkov-Dreev 2006: pieces go where a pawn is isolated
        (
            "1r1q1rk1/pb3ppp/1p2p3/4Q3/3P4/P1R2N2/1P3PPP/5RK1 b - - 4 21",
            "Bxf3",
            "to play against the isolated pawn on d4",
        ),
        // the closed Ruy Lopez: no pin of the knight
        (
            "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 w - - 1 9",
            "h3",
            "keeps the bishop on c8 from g4, where it would pin the knight on f3",
        ),
        // the King's Indian: the knight on c5 is not driven away
        (
            "r1bq1rk1/ppp2pbp/3p1np1/2nPp3/2P1P3/2N2N2/PPQ1BPPP/R1B2RK1 b - - 2 9",
            "a5",
            "keeps the pawn on b2 from b4, where it would attack the knight on c5",
        ),
        // Shulman-Malakhov 2010: a piece hung, which says more than that it stands well
        (
            "3r2k1/r4ppp/3P4/p1R1n3/1p6/1P2P2P/4BKP1/R7 b - - 2 25",
            "f6",
            "guards the knight on e5, which was there to be taken",
        ),
        // Kotov-Gligoric 1953: castling fails only as any other move that leaves the bishop
        (
            "rnbq1rk1/pp4bp/3p4/2pP1p1n/2P1P3/2NBB3/PPQ1N1PP/R3K2R b KQ - 0 12",
            "f4",
            "It threatens the bishop on e3",
        ),
        // the answer to a queen that takes on b2 threatens a rook
        (
            "rnb1kb1r/pp2pppp/1q3n2/2pp4/3P1B2/2N1PN2/PPP2PPP/R2QKB1R b KQkq - 2 5",
            "Qxb2",
            "Nb5 threatens Rb1, which wins a rook",
        ),
        // Adams-Maki-Uuro 2004: why the knight is not taken back
        (
            "r4rk1/pp1b1ppp/1q2pn2/2b1B3/2P5/2NB4/PP2QPPP/3R1RK1 b - - 3 15",
            "Bc6",
            "taking back fails: 16...gxf6 17.Bxh7+",
        ),
        // Vachier-Lagrave-Nataf 2004: a sound sacrifice, no loss of a knight
        (
            "r3k2r/1bqp1ppp/ppnbp3/2p5/2P1P3/1PN2N2/PB1P1PPP/R2QR1K1 w kq - 5 11",
            "Nd5",
            "uncovers the attack of the bishop on b2",
        ),
        // the Noah's Ark trap, where a queen put in the way saves nothing
        (
            "r1bqkbnr/2p2ppp/p2p4/1p6/3pP3/1B6/PPP2PPP/RNBQK2R w KQkq - 0 8",
            "Qxd4",
            "c4 traps the bishop on b3",
        ),
        // a king that gives up the opposition
        (
            "8/5k2/5P2/5K2/8/8/8/8 b - - 0 1",
            "Ke8",
            "Ke6 takes the opposition",
        ),
        // the line of the search is shorter than the gain
        (
            "rnbqkb1r/pppp1ppp/5n2/4N3/8/8/PPPPQPPP/RNB1KB1R w KQkq - 2 5",
            "Nc6+",
            "It wins a queen for a knight.",
        ),
        (
            "8/6K1/8/8/8/3Q4/3p4/2k5 w - - 0 1",
            "Qc3+",
            "in front of its own pawn",
        ),
        (
            "R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1",
            "Rh8",
            "skewers the king on f7",
        ),
        // the fork at the end of forced captures, and the tactic with which a loss in the end of a long line begins
        (
            "r1b2rk1/6b1/p2qp1pp/1pRn4/3P1P2/1Q4P1/PP3BBP/4R1K1 w - - 0 23",
            "Rxd5",
            "forks the king on g8 and the rook on a8. White",
        ),
        (
            "8/8/1p6/2p2k2/pPPp1P1p/P4K1n/8/2B5 w - - 0 52",
            "Bd2",
            "is lost. Now cxb4 exploits an overloaded defender",
        ),
        // what the other side would have done: a blockade, a fork of other squares, and a pin by the king's own step
        (
            "r2q1rk1/pb2bppp/1p2pn2/2p5/1nP5/2N1PNP1/PB1PQPBP/R4RK1 w - - 7 12",
            "d4",
            "It forestalls Qd3, which blockades the pawn on d2",
        ),
        (
            "8/3k4/5R2/1pPpB2p/1P1P1P1P/r5n1/4K3/8 w - - 7 45",
            "Kd1",
            "Instead, 45.Kd2 runs into Ne4+, which forks the king on d2 and the rook on f6.",
        ),
        (
            "8/3nqk2/1pQ1p1p1/p2p1p1p/3P3P/1P1P1BP1/P4PK1/8 b - - 1 32",
            "Kf6",
            "Now Bxd5 relies on a pin: the pawn on e6 cannot take the bishop",
        ),
        (
            "r1q1r1k1/pppb1pbp/1n4p1/3Pp3/2n1P3/1PN2NPP/P4PBK/R1BQR3 b - - 0 15",
            "Nd6",
            "It blockades the pawn on d5 with the knight on d6. It meets the threat",
        ),
        // what a queen is given for, and the line that the answer cuts
        (
            "6k1/5r1p/p2N4/nppP2q1/2P5/1P2N3/PQ5P/7K w - - 0 30",
            "Qh8+",
            "Nxf7+ forks the king on h8 and the queen on g5. White",
        ),
        (
            "2bqr1k1/1p3pbp/1n4p1/3P4/4p3/2P2NP1/3Q1PBP/2BR2K1 w - - 0 20",
            "Ng5",
            "Now e3 cuts the line between the queen on d2 and the knight on g5. Now e3 offers",
        ),
        // what an offer of a trade is for
        (
            "3r2k1/p4p1p/1qp2bp1/2p5/2P5/QP2B1P1/P4P1P/2R3K1 b - - 1 25",
            "Bd4",
            "a pawn that takes back will be passed. The position",
        ),
        (
            "2k4r/1b1nbp2/1p2p1q1/pP1pP1p1/P1pP2N1/2Pn1NP1/2QB1P2/RK3R2 w - - 3 32",
            "Ne1",
            "for the knight on d3, which holds an outpost.",
        ),
        // the answer meets what the move has threatened
        (
            "r4rk1/3n2b1/p2p1n1p/qppPp1p1/2P1P3/2NQN1B1/PP3P1P/1R3KR1 b - - 1 24",
            "Nb6",
            "Now b3 meets the threat of Nxc4",
        ),
        // taking the bishop costs the queen, which has nowhere to go
        (
            "rnbqk1nr/ppp1ppbp/3p2p1/8/2BPP3/5N2/PPP2PPP/RNBQK2R b KQkq - 1 4",
            "Nd7",
            "Ne6 traps the queen on d8",
        ),
        (
            "2bqnrk1/5p1p/5PpQ/3pP1P1/2pP1R2/2P3N1/6BP/1q4K1 w - - 0 28",
            "Nf1",
            "Better was Bf1, which threatens Rh4",
        ),
        // the natural capture in a line, the tactic of a move that leaves the queen, and a check that is a fork
        (
            "3r2k1/r5p1/p3p3/Pp6/3q4/6QP/6PK/R4R2 w - - 0 41",
            "Rad1",
            "and taking back fails: 42...Rxd1 43.Qb8+",
        ),
        (
            "r2q2k1/6bp/p1N1b1p1/3r4/2Q5/8/PP3PPP/R1B1R1K1 b - - 1 21",
            "Re5",
            "It uncovers the attack of the bishop on e6 on the queen on c4. The position",
        ),
        (
            "2r3k1/5p1p/5p2/3Np3/prnRP3/5P2/2R3PP/2K5 b - - 1 28",
            "Rb1+",
            "Na3+ forks the king on b1 and the rook on c2. Black",
        ),
        // what a pawn stops comes before what other pieces do later, and a storm need not wait for castling
        (
            "2r1r1k1/pp2q1pp/2n1p1p1/P2pP3/3P3P/5N2/1P1Q1PP1/R1R3K1 b - - 0 22",
            "a6",
            "a6 is the best move. It stops the advance of the pawn on a5.",
        ),
        (
            "2kr1b1r/pp1qpp2/2n1b2p/2Pp2p1/3P4/P1N2N2/1P2BPPP/R2QK2R w KQ - 0 13",
            "b4",
            "It advances the pawn on b4 against the king on c8.",
        ),
        (
            "3r2k1/1p3p1p/p1r1n1pb/4P3/2B1R1P1/1PN4P/P1K2P2/7R w - - 0 28",
            "Rd1",
            "It contests the open d-file",
        ),
        // a man that was pinned uncovers the queen all the same
        (
            "r1bqkb1r/pppn1ppp/5n2/3p2B1/3P4/2N5/PP2PPPP/R2QKBNR w KQkq - 0 6",
            "Nxd5",
            "leaves the queen on d8 to be taken, but that fails",
        ),
        // a named opening, and a move on the way to one that is a blunder all the same
        (
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
            "f6",
            "King's Pawn Game: Damiano Defense (C40).",
        ),
        (
            "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2",
            "g4",
            "g4 is a blunder.",
        ),
        // the Damiano defence: the pawn on e5 is guarded for show
        (
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
            "f6",
            "offers the knight on e5; taking it fails: 3...fxe5 4.Qh5+",
        ),
        // the Caro-Kann, advance variation: the queens may go
        (
            "rn2kbnr/pp3ppp/2p1p3/q2pP3/3P4/2PQ4/PP2NPPP/RNB1K2R b KQkq - 0 7",
            "Qa6",
            "offers to trade the queen on a6 for the queen on d3",
        ),
        // the Italian: a pin and a raid on f2
        (
            "r1bq1rk1/bpp2ppp/p1np1n2/4p3/P1B1P3/2PP1N2/1P3PPP/RNBQR1K1 w - - 3 9",
            "h3",
            "and the knight on f6, which would attack the pawn on f2",
        ),
        // a knight against pawns on the colour of a bishop
        (
            "2b5/8/p2k1p2/1p1p1npp/3P3P/P2B1PP1/1PN2K2/8 w - - 0 44",
            "Bxf5",
            "leaves Black with a bad bishop against a knight",
        ),
        // a pawn that gives check on the seventh rank
        (
            "5k2/8/3KP3/8/8/8/8/8 w - - 0 1",
            "e7+",
            "Ke8 leaves only stalemate or the loss of the pawn on e7",
        ),
        // Carlsen-Groenn 2005: the pawn that is struck at is pinned
        (
            "rnb1k2r/p4qp1/1ppbp2p/8/2BPQP1B/4P3/P5PP/1R3RK1 w kq - 0 18",
            "f5",
            "the pawn on e6 cannot take the pawn on f5",
        ),
        // Wang Hao-Vachier-Lagrave 2003: a fork at the end of exchanges and a lure
        (
            "2k2q2/1p1r2pp/p1p1bp2/2b1pN2/P3P3/1PB2Q2/2P2PPP/4R1K1 w - - 10 22",
            "Rd1",
            "Qc5+ forks the king on f2 and the bishop on c3",
        ),
        // David-Jobava 2020: more is lost than a pawn
        (
            "8/5pk1/1p2pbp1/p5p1/P1B1Q3/1Pq2P1P/6PK/8 w - - 6 37",
            "h4",
            "gxh4 weakens the shelter of the king on h2",
        ),
        // the Bayonet attack: what the answer hinders
        (
            "r1bq1rk1/ppp1npbp/3p1np1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 1 9",
            "b4",
            "prepares the advance of the pawn to c5",
        ),
        // Caruana-Rhein 2006: a mistake in a lost position
        (
            "8/4k3/4p3/P1N4p/1P1b2p1/8/2b1B1PP/5K2 b - - 1 39",
            "Bxc5",
            "Black has a lost position either way",
        ),
        // De Labourdonnais-McDonnell 1834: the pawn that would take the queen is pinned, although it gives check
        (
            "5r1k/ppp3p1/1b1p4/n2P3n/7q/5P1b/PBBQNP2/R4RK1 w - - 3 20",
            "Qh6+",
            "the pawn on g7 cannot take the queen on h6, for the bishop on b2 pins it",
        ),
        // Pert-Kasparov 1997: the pawn was passed before
        (
            "8/2N2pkp/pp4p1/2p5/4PB2/2P3P1/r4PKP/8 b - - 1 24",
            "a5",
            "brings the passed pawn to a5, where another pawn guards it",
        ),
        // Salik-Caruana 2020: the other piece may take
        (
            "r1bqr1k1/ppp2pb1/2np1npp/3Pp3/2P1P3/P1N1BN2/1P2BPPP/R2Q1RK1 b - - 0 11",
            "Nd4",
            "taking it with the bishop would be a mistake: 12.Bxd4",
        ),
        // the Queen's Gambit Accepted: the bishop on c4 is not driven away
        (
            "rnbqkb1r/1p3ppp/p3pn2/2p5/2BP4/4PN2/PP3PPP/RNBQ1RK1 w kq - 0 7",
            "a4",
            "b5, where it would attack the bishop on c4",
        ),
        // a pawn taken that cannot be taken back
        (
            "r3k1r1/pppqbp1p/2np1n2/4p1Nb/2B1P3/2NPB2P/PPPQ1PP1/R4RK1 w q - 1 11",
            "g4",
            "offers the knight on g4; taking it fails: 12.hxg4 Qxg4+",
        ),
        // two threats at once before one of them (Johnston-Mackenzie 1871)
        (
            "2rq1rk1/3b1npp/1p3b2/2pB1p2/1P2pP2/P3P2P/2RPN1PN/3Q1RK1 b - - 0 22",
            "Ba4",
            "a mistake. It makes two threats at once",
        ),
        // what guards a pawn that was to be taken (Kindermann-Adams 1994, Vachier-Lagrave-Nguyen 2010)
        (
            "r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 4 6",
            "Re1",
            "best move. It guards the pawn on e4",
        ),
        (
            "5r2/pp2n1pk/7p/N1Prp3/3pR3/8/PP3PPP/R5K1 w - - 1 26",
            "b4",
            "good move. It guards the pawn on c5",
        ),
        // where a knight is going (Dubov-Carlsen 2022, Atanasov-Akobian 2021)
        (
            "2r2rk1/pb1p1pp1/nq2pb1p/1p6/3P4/P3PNP1/1P1NQPBP/R1R3K1 b - - 4 14",
            "Nc7",
            "good move. The line 14...Nc7 15.b4 Nd5 brings the knight round",
        ),
        (
            "2r5/1prnqpk1/p3p1p1/P2pP3/1P3P1p/2PB3P/2R3PK/2R1Q3 b - - 3 27",
            "Nb8",
            "to go on to c6",
        ),
        // a refutation that a pinned pawn cannot take (Aronian-Jobava 2015)
        (
            "r4r2/5pk1/1p1p2pp/pPpPn3/1n2R2q/6RP/1P3PP1/1BBQ2K1 b - - 1 23",
            "Qd8",
            "the pawn on g6 cannot take the queen on h5",
        ),
        // why the other retreat fails (Fraser-McDonnell 1831)
        (
            "r1bqk2r/ppp2ppp/2np1n2/2b5/2BPP3/5N2/PP3PPP/RNBQ1RK1 b kq - 0 7",
            "Bb6",
            "wins a bishop. Instead, Bb4 loses",
        ),
        // the king comes off the line of a pin (Caruana-Shimanov 2015)
        (
            "1nr1r1k1/1p2q1p1/pB2pR1p/P2pP3/6Q1/2P5/1P4PP/4R1K1 b - - 2 27",
            "Kh8",
            "29.exf6. It takes the king off the line of the queen on g4",
        ),
        // a queen left to be taken (Polugaevsky-Nezhmetdinov 1958)
        (
            "r5k1/ppp2r1p/3p3b/3Pn3/1n2PPp1/1P2K1P1/PBB1N2q/R2Q3R b - - 2 24",
            "Rxf4",
            "Qf2#. It leaves the queen on h2 to be taken",
        ),
        // the knight was guarded by the king (Bharath-Caruana 2022)
        (
            "8/R7/8/1p4P1/p4PK1/k1r4N/8/8 w - - 5 70",
            "Kh5",
            "takes its guard away from the knight on h3",
        ),
        // entry squares of the other king (Carlsen-Wei Yi 2016), and a rook won before a king that is driven out (Navara-Jobava 2021)
        (
            "8/3knB2/p5p1/1p3p1p/1P3P1P/P2K1P2/8/8 b - - 8 47",
            "Kd6",
            "best move. It keeps the other king from c5",
        ),
        (
            "5k1r/5p2/p3b2p/2pp2bP/q4BN1/2P3Q1/6P1/5RK1 w - - 0 30",
            "Bxg5",
            "a mistake. It wins a rook",
        ),
        // the answer that refutes the move fails after the better one (Vachier-Lagrave-Carlsen 2022)
        (
            "3r2k1/1p3p2/5bp1/1P1p3p/1q1Nn3/4P1P1/Q3NPP1/2R3K1 w - - 2 28",
            "f3",
            "Better was Rb1, which works against Bg5",
        ),
        // mate at once in a lost game (Adams-Van den Doel 2021)
        (
            "6k1/8/p4p2/P1bP4/2P1Pp2/3K1P2/1r4r1/1B3R1R w - - 15 45",
            "Rd1",
            "Rd1 hastens the end.",
        ),
    ] {
        let said = english(&explained_by(Options::default().nodes, &mut engine, fen, m)).join(" ");
        assert!(said.contains(told), "{m}: {said}");
    }
    // the answer is for the mate that the move has threatened, and the attack is over
    let fen = "2bqnrk1/5p1p/5PpQ/3pP1P1/2pP1R2/2P3N1/6BP/1q4K1 w - - 0 28";
    let said = english(&explained_by(300_000, &mut engine, fen, "Nf1")).join(" ");
    assert!(
        said.contains("Now Qe1 meets the threat of Rh4, which forces mate"),
        "{said}"
    );
    // the answer to the played move fails after the better one
    let fen = "5k2/pp1b1pp1/2p2q1r/8/2BP3p/4Q2P/PP3PP1/4R1K1 b - - 0 21";
    let explained = explained_by(Options::default().nodes, &mut engine, fen, "b5");
    let better = explained.better.expect("a better move").reasons;
    let fails = |reason: &Reason| matches!(reason.motif(), Some(Motif::NowFails { .. }));
    assert!(better.iter().any(fails), "{better:?}");
    // a pawn that nobody would stop to take, and a knight that is won only by many moves, are no merits
    for (fen, m, told) in [
        (
            "6k1/pppq1pp1/5b2/4p2Q/4r2P/2P1B1P1/PPP2P2/2K4R b - - 0 20",
            "Qd5",
            "leaves the pawn on a7",
        ),
        (
            "8/p2Q2pk/q3p1np/3pP3/p2P4/3P3P/5PPN/6K1 b - - 5 30",
            "Nf8",
            "wins a knight",
        ),
    ] {
        let said = english(&explained_by(Options::default().nodes, &mut engine, fen, m)).join(" ");
        assert!(!said.contains(told), "{m}: {said}");
    }
    // Fischer-Petrosian 1971: the rook takes, so that it does not matter what taking with the knight runs into
    let fen = "r4k2/r2b1ppp/p4n2/2NpR3/1P6/3B1P2/P5PP/R5K1 w - - 3 22";
    let said = english(&explained_by(Options::default().nodes, &mut engine, fen, "Nxd7+")).join(" ");
    assert!(!said.contains("fails: 22...Nxd7"), "{said}");
}
