//! Claims about moves: the table of motifs, and the checkers over random and real games.

use enroc::board::{Move, Position, Square};
use enroc::explain::{Claim, Line, Motif, check, claims, detect};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A line, a move of it, and whether a motif holds for it.
struct Row {
    motif: &'static str,
    holds: bool,
    /// The move that a claim is about; none for a change, which is about the whole line.
    ply: Option<usize>,
    line: Line,
    text: &'static str,
}

fn rows() -> Vec<Row> {
    let read = |text: &'static str| {
        let fields: Vec<&str> = text.split('\t').collect();
        let start = Position::from_fen(fields[3]).expect(text);
        Row {
            motif: fields[0],
            holds: fields[1] == "yes",
            ply: (fields[2] != "-").then(|| fields[2].parse().expect(text)),
            line: Line::parse(start, fields[4]).expect(text),
            text,
        }
    };
    include_str!("explain/motifs.tsv")
        .lines()
        .skip(1)
        .map(read)
        .collect()
}

/// What is said of a move only where its explanation has looked for it: plans that a search finds to fail, and captures
/// that are not found in a line alone.
fn searched(line: &Line, ply: usize) -> Vec<Claim> {
    let motifs = |answer: Move| {
        let (from, to, square) = (answer.from(), answer.landing(), answer.to());
        [
            Motif::NowFails { from, to },
            Motif::CannotTake { square },
            Motif::TakingCosts {
                square,
                mistake: true,
            },
        ]
    };
    let taken = |m: Move| Some((m.to(), line.before(ply).piece_on(m.to())?.kind()));
    let taking = line.at(ply).and_then(taken);
    let taking = taking.map(|(square, piece)| Motif::TakingIsWorse { square, piece });
    let motifs = line.at(ply + 1).map(motifs).into_iter().flatten().chain(taking);
    let claims = motifs.map(|motif| Claim { ply, motif });
    claims.filter(|claim| check::confirms(line, claim)).collect()
}

#[test]
fn what_rests_on_a_search_is_not_claimed_of_a_line() {
    for row in rows() {
        let mut claims = claims(&row.line).into_iter();
        assert!(
            claims.all(|claim| !matches!(
                claim.motif.name(),
                "now_fails" | "taking_costs" | "taking_is_worse"
            )),
            "{}",
            row.text
        );
    }
}

#[test]
fn the_table_of_motifs_holds() {
    for row in rows() {
        let found = match row.ply {
            Some(ply) => claims(&row.line)
                .iter()
                .chain(&searched(&row.line, ply))
                .any(|claim| claim.ply == ply && claim.motif.name() == row.motif),
            None => [detect::changes(&row.line), detect::themes(&row.line)]
                .concat()
                .iter()
                .any(|change| change.name() == row.motif && check::confirms_change(&row.line, change)),
        };
        assert_eq!(found, row.holds, "{}", row.text);
    }
}

#[test]
fn the_table_has_five_of_each_kind() {
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for row in rows() {
        *counts.entry((row.motif, row.holds)).or_default() += 1;
    }
    let kinds: BTreeSet<&str> = counts.keys().map(|&(motif, _)| motif).collect();
    assert_eq!(kinds.len(), 250, "{kinds:?}");
    for motif in kinds {
        for holds in [true, false] {
            assert!(counts.get(&(motif, holds)) >= Some(&5), "{motif}, {holds}");
        }
    }
}

/// What is confirmed in a place must not be confirmed of another square: the squares count, not only the name.
#[test]
fn claims_with_a_wrong_square_are_refused() {
    let line = Line::parse(
        Position::from_fen("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1").unwrap(),
        "Nc7+",
    )
    .unwrap();
    let square = |text: &str| text.parse::<Square>().unwrap();
    let fork = |by, targets: [&str; 2]| Claim {
        ply: 0,
        motif: Motif::Fork {
            by: square(by),
            targets: targets.map(square).to_vec(),
        },
    };
    assert!(check::confirms(&line, &fork("c7", ["a8", "e8"])));
    assert!(!check::confirms(&line, &fork("b5", ["a8", "e8"])));
    assert!(!check::confirms(&line, &fork("c7", ["a8", "d8"])));
    assert!(!check::confirms(&line, &fork("c7", ["a8", "a8"])));
    let late = Claim {
        ply: 1,
        ..fork("c7", ["a8", "e8"])
    };
    assert!(!check::confirms(&line, &late));
}

/// What was safe until the move is left to be taken by it; nothing was overlooked.
#[test]
fn a_piece_that_the_move_itself_gives_up_was_not_overlooked() {
    let start = Position::from_fen("3r2k1/8/8/8/3N4/8/8/3Q2K1 w - - 0 1").unwrap();
    let claim = Claim {
        ply: 0,
        motif: Motif::IgnoresCapture {
            target: "d4".parse().unwrap(),
        },
    };
    let confirms = |start, moves| check::confirms(&Line::parse(start, moves).unwrap(), &claim);
    assert!(!confirms(start, "Qe2 Rxd4"));
    // nothing guards the knight before the move either
    let loose = Position::from_fen("3r2k1/8/8/8/3N4/8/4Q3/6K1 w - - 0 1").unwrap();
    assert!(confirms(loose, "Qe1 Rxd4"));
}

/// A queen that nothing can drive away is good for the one whose queen it is.
#[test]
fn a_queen_in_the_centre_speaks_for_its_own_player() {
    for row in rows()
        .into_iter()
        .filter(|row| row.motif == "queen_in_centre" && row.holds)
    {
        for change in detect::themes(&row.line) {
            if change.name() == row.motif && check::confirms_change(&row.line, &change) {
                let queen = row.line.moves()[1].landing();
                let owner = row.line.end().piece_on(queen).unwrap().color();
                assert_eq!(change.favours(), owner, "{}", row.text);
            }
        }
    }
}

/// A line of random moves after random moves from the start, or from a FEN.
fn random_line(start: Position, choices: &[u16], played: usize) -> Line {
    let mut position = start;
    let mut choices = choices.iter();
    let mut next = |position: &Position| {
        let moves = position.legal_moves();
        let choice = *choices.next()? as usize;
        moves.get(choice % moves.len().max(1)).copied()
    };
    for _ in 0..played {
        match next(&position) {
            Some(m) => position = position.after(m),
            None => break,
        }
    }
    let mut line = Line::new(position);
    while let Some(m) = next(line.end()) {
        line.push(m);
    }
    line
}

/// Facts of the board that every confirmed claim rests on, looked at in a third way.
fn is_sane(line: &Line, claim: &Claim) -> bool {
    let (after, mover) = (line.after(claim.ply), line.mover(claim.ply));
    let theirs = |square: &Square| {
        after
            .piece_on(*square)
            .is_some_and(|piece| piece.color() != mover)
    };
    let ours = |square: &Square| {
        after
            .piece_on(*square)
            .is_some_and(|piece| piece.color() == mover)
    };
    match &claim.motif {
        Motif::Fork { by, targets } => ours(by) && targets.len() > 1 && targets.iter().all(theirs),
        Motif::DoubleAttack { attackers, targets } => {
            attackers.iter().all(ours) && targets.iter().all(theirs)
        }
        Motif::DoubleCheck { king, checkers } => {
            after.king(after.side_to_move()) == *king
                && checkers.iter().all(|&square| after.checkers().has(square))
        }
        Motif::DiscoveredCheck { slider, .. } => after.checkers().has(*slider),
        Motif::DiscoveredAttack { slider, target } => ours(slider) && theirs(target),
        Motif::PinPreventsEscape {
            pinner,
            pinned,
            behind,
        }
        | Motif::PinPreventsAttack {
            pinner,
            pinned,
            behind,
            ..
        } => ours(pinner) && theirs(pinned) && theirs(behind),
        Motif::Skewer { by, front, behind } => ours(by) && theirs(front) && theirs(behind),
        Motif::Trapped { square, .. } | Motif::ThreatensCapture { target: square, .. } => theirs(square),
        Motif::LeavesEnPrise { square, .. } => ours(square),
        Motif::Mate { .. } | Motif::BackRankMate { .. } => after.in_check() && !after.has_moves(),
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn random_games_give_only_confirmed_claims(
        choices in prop::collection::vec(any::<u16>(), 6..160),
        length in 3usize..7,
    ) {
        let played = choices.len().saturating_sub(length);
        let line = random_line(Position::default(), &choices, played);
        for claim in claims(&line) {
            prop_assert!(check::confirms(&line, &claim) && is_sane(&line, &claim), "{:?}: {:?}", line.to_uci(), claim);
        }
    }

    /// A colour-flipped board has the same claims on flipped squares: no rule of one colour has slipped in.
    #[test]
    fn the_colours_are_alike(choices in prop::collection::vec(any::<u16>(), 6..120)) {
        let line = random_line(Position::default(), &choices, choices.len() - 5);
        let start = Position::from_fen(&flipped(&line.start().to_fen(false))).unwrap();
        let moves: Vec<String> = line.to_uci().iter().map(|m| flip_ranks(m)).collect();
        let mirrored = Line::parse(start, &moves.join(" ")).unwrap();
        let names = |line: &Line| -> BTreeMap<(usize, &str), usize> {
            let mut names = BTreeMap::new();
            for claim in claims(line) {
                *names.entry((claim.ply, claim.motif.name())).or_default() += 1;
            }
            names
        };
        prop_assert_eq!(names(&line), names(&mirrored), "{} {:?}", line.start().to_fen(false), line.to_uci());
    }
}

/// The FEN of the same position with the colours changed over.
fn flipped(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |c: char| {
        if c.is_ascii_lowercase() {
            c.to_ascii_uppercase()
        } else {
            c.to_ascii_lowercase()
        }
    };
    let rows: Vec<String> = fields[0]
        .rsplit('/')
        .map(|row| row.chars().map(swap).collect())
        .collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let castling: String = fields[2].chars().map(swap).collect();
    format!(
        "{} {side} {castling} {} {} {}",
        rows.join("/"),
        flip_ranks(fields[3]),
        fields[4],
        fields[5]
    )
}

fn flip_ranks(text: &str) -> String {
    let flip = |c: char| match c {
        '1'..='8' => char::from(b'1' + b'8' - c as u8),
        _ => c,
    };
    text.chars().map(flip).collect()
}

#[test]
fn the_perft_positions_give_only_confirmed_claims() {
    let suite = include_str!("../perft/standard.epd");
    let mut checked = 0;
    for row in suite
        .lines()
        .filter(|row| !row.is_empty() && !row.starts_with('#'))
    {
        let fen = row.split(';').next().unwrap().trim();
        let Ok(start) = Position::from_fen(fen) else {
            continue;
        };
        for seed in 0..20u16 {
            let choices: Vec<u16> = (0..5)
                .map(|ply| seed.wrapping_mul(7919).wrapping_add(ply * 31))
                .collect();
            let line = random_line(start, &choices, 0);
            for claim in detect::candidates(&line) {
                let confirmed = check::confirms(&line, &claim);
                assert!(
                    !confirmed || is_sane(&line, &claim),
                    "{fen} {:?}: {claim:?}",
                    line.to_uci()
                );
                checked += usize::from(confirmed);
            }
        }
    }
    assert!(checked > 500, "only {checked} claims");
}
