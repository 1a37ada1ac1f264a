//! Explanations of moves, with a judge that counts material a few plies deep, and the changes of positions.

use enroc::board::{Move, Position};
use enroc::explain::contributions::Effort;
use enroc::explain::explanation::{Grade, MateNews, OnlyMove, Role, Said};
use enroc::explain::judge::{Finding, Judge, Question};
use enroc::explain::{
    Change, Explanation, Line, Motif, Options, Played, Subject, check, detect, explain, grade,
};
use enroc::nets::score::{DRAW, Score, mated_in};
use proptest::prelude::*;

/// Searches every move to a fixed depth, then captures alone; material is all that it knows.
struct Counter {
    plies: u32,
}

impl Counter {
    fn search(
        &self,
        position: &Position,
        plies: i32,
        ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> (Score, Vec<Move>) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return (if position.in_check() { mated_in(ply) } else { DRAW }, Vec::new());
        }
        let (mut best, mut line) = (-40_000, Vec::new());
        if plies <= 0 && !position.in_check() {
            best = material(position);
            alpha = alpha.max(best);
        }
        for m in moves {
            if alpha >= beta || plies <= 0 && !position.in_check() && !m.is_capture() {
                continue;
            }
            let (score, rest) = self.search(&position.after(m), plies - 1, ply + 1, -beta, -alpha);
            if -score > best {
                best = -score;
                line = [vec![m], rest].concat();
            }
            alpha = alpha.max(best);
        }
        (best, line)
    }
}

/// For the side to move, in centipawns.
fn material(position: &Position) -> Score {
    check::exchange::balance(position, position.side_to_move())
}

impl Judge for Counter {
    fn search(&mut self, question: &Question) -> Finding {
        let legal = question.position.legal_moves().into_iter();
        let allowed = legal.filter(|m| question.moves.is_empty() || question.moves.contains(m));
        let best = allowed
            .map(|m| {
                let (score, rest) = Counter::search(
                    self,
                    &question.position.after(m),
                    self.plies as i32 - 1,
                    1,
                    -40_000,
                    40_000,
                );
                (-score, [vec![m], rest].concat())
            })
            .max_by_key(|(score, _)| *score);
        let (score, line) = best.unwrap_or((DRAW, Vec::new()));
        Finding {
            score,
            line,
            nodes: 1,
        }
    }

    fn evaluate(&mut self, positions: &[Position]) -> Vec<Score> {
        positions.iter().map(material).collect()
    }

    fn effort(&self) -> Effort {
        Effort::FAST
    }
}

/// Adds up what it is asked for.
struct Counted {
    judge: Counter,
    nodes: u64,
}

impl Judge for Counted {
    fn search(&mut self, question: &Question) -> Finding {
        self.nodes += question.nodes;
        Judge::search(&mut self.judge, question)
    }

    fn evaluate(&mut self, positions: &[Position]) -> Vec<Score> {
        self.judge.evaluate(positions)
    }

    fn effort(&self) -> Effort {
        self.judge.effort()
    }
}

fn explained_after(fen: &str, previous: Option<&str>, text: &str) -> Explanation {
    let mut position = Position::from_fen(fen).expect(fen);
    let previous = previous.map(|text| {
        let m = position.parse_san(text).expect(text);
        let played = Played { position, m };
        position.play(m);
        played
    });
    let subject = Subject {
        previous,
        ..Subject::alone(&position, position.parse_san(text).expect(text))
    };
    explain(&subject, &mut Counter { plies: 4 }, &Options::default())
}

fn explained(fen: &str, text: &str) -> Explanation {
    explained_after(fen, None, text)
}

/// The kinds of claims among the reasons, with their roles.
fn motifs(explanation: &Explanation) -> Vec<(Role, &'static str)> {
    let reasons = explanation.reasons.iter();
    reasons
        .filter_map(|reason| match &reason.said {
            Said::Claim(claim) => Some((reason.role, claim.motif.name())),
            Said::Change(_) => None,
        })
        .collect()
}

/// Nothing is said that its checker does not confirm.
fn assert_proved(explanation: &Explanation) {
    let better = explanation.better.iter().flat_map(|better| &better.reasons);
    for reason in explanation.reasons.iter().chain(better) {
        let is_true = match &reason.said {
            Said::Claim(claim) => check::confirms(&reason.line, claim),
            Said::Change(change) => check::confirms_change(&reason.line, change),
        };
        assert!(is_true, "{reason:?}");
    }
}

#[test]
fn a_hanging_queen_is_a_blunder_that_loses_it() {
    let found = explained("3r2k1/r4pp1/7p/8/8/8/3Q1PPP/3R2K1 w - - 0 1", "Qd7");
    assert_eq!(found.verdict.grade, Grade::Blunder);
    assert_eq!(motifs(&found)[0], (Role::Allows, "material"));
    let better = found.better.as_ref().expect("a better move");
    assert!(better.assessment.expected > found.verdict.after.expected);
    assert_proved(&found);
}

#[test]
fn a_back_rank_mate_that_is_allowed_is_proved() {
    let found = explained("6k1/5pp1/7p/8/8/8/r4PPP/1R4K1 w - - 0 1", "Rb7");
    let allowed = MateNews::Allowed {
        moves: 2,
        proved: true,
    };
    assert_eq!(found.verdict.mates, [allowed]);
    assert!(motifs(&found).contains(&(Role::Allows, "back_rank_mate")));
    assert_proved(&found);
}

#[test]
fn a_mate_is_its_own_reason() {
    let found = explained("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8#");
    assert_eq!((found.verdict.grade, found.verdict.drop), (Grade::Best, 0.0));
    let mates = MateNews::Mates {
        moves: 1,
        proved: true,
    };
    assert_eq!(found.verdict.mates, [mates]);
    assert_eq!(motifs(&found), [(Role::Achieves, "back_rank_mate")]);
    assert!(found.better.is_none());
    assert_proved(&found);
}

#[test]
fn a_fork_wins_and_missing_it_is_told_by_the_better_move() {
    let fen = "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1";
    let fork = explained(fen, "Nc7+");
    assert_eq!(fork.verdict.grade, Grade::Best);
    let names: Vec<&str> = motifs(&fork).into_iter().map(|found| found.1).collect();
    assert!(
        names.contains(&"material") && names.contains(&"fork"),
        "{names:?}"
    );
    let missed = explained(fen, "Kd1");
    assert!(missed.verdict.grade >= Grade::Mistake);
    let better = missed.better.as_ref().expect("a better move");
    let is_fork =
        |said: &Said| matches!(said, Said::Claim(claim) if matches!(claim.motif, Motif::Fork { .. }));
    assert!(
        better.reasons.iter().any(|reason| is_fork(&reason.said)),
        "{better:?}"
    );
    assert_proved(&missed);
}

#[test]
fn taking_back_wins_nothing() {
    let fen = "3r2k1/5ppp/8/8/8/8/3R1PPP/3R2K1 b - - 0 1";
    let found = explained_after(fen, Some("Rxd2"), "Rxd2");
    assert!(found.facts.recaptures);
    let names: Vec<&str> = motifs(&found).into_iter().map(|found| found.1).collect();
    assert!(
        !names.contains(&"material") && !names.contains(&"takes_free"),
        "{names:?}"
    );
    let unknown = explained("6k1/5ppp/8/8/8/8/3r1PPP/3R2K1 w - - 0 2", "Rxd2");
    assert!(motifs(&unknown).contains(&(Role::Achieves, "material")));
}

#[test]
fn a_piece_given_for_a_drawn_ending_holds_the_game() {
    // the pawn that is left has the wrong bishop
    let found = explained("8/6k1/5n2/8/6PP/3B1K2/8/8 b - - 0 1", "Nxg4");
    assert_eq!(found.verdict.grade, Grade::Best);
    assert!(found.verdict.after.expected > -0.5, "{:?}", found.verdict);
    // with the right bishop the same move loses
    let lost = explained("8/6k1/5n2/8/6PP/4BK2/8/8 b - - 0 1", "Nxg4");
    assert!(lost.verdict.after.expected < found.verdict.after.expected - 0.3);
}

#[test]
fn saving_what_is_attacked_is_shown_to_fail() {
    // the knight takes a pawn with it; the only safe square lets the pawn fork it and the rook
    let found = explained("k1b5/1r6/1n6/8/P1P1P3/1P6/8/4K3 w - - 0 1", "c5");
    let fork = found.reasons.iter().find_map(|reason| match &reason.said {
        Said::Claim(claim) if matches!(claim.motif, Motif::Fork { .. }) => Some((claim.ply, &reason.line)),
        _ => None,
    });
    let (ply, line) = fork.expect("c6 after the knight has moved");
    let answer = line.at(1).map(|m| m.to_uci(false));
    assert_eq!(
        (ply, answer.as_deref()),
        (2, Some("b6d7")),
        "{:?}",
        motifs(&found)
    );
    assert_proved(&found);
}

#[test]
fn the_summary_has_a_tactic_and_what_the_move_changes() {
    let found = explained("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8#");
    assert_eq!(found.summary, [0]);
    let fen = "rnb1k2r/pppn1ppp/4p3/3pP1q1/3P4/2N5/PPP2PP1/R2QKBNR w KQkq - 0 8";
    let found = explained(fen, "Nh3");
    let said: Vec<&Said> = found
        .summary
        .iter()
        .map(|&place| &found.reasons[place].said)
        .collect();
    assert!(
        said.len() <= 2 && said.iter().any(|said| matches!(said, Said::Change(_))),
        "{said:?}"
    );
}

#[test]
fn the_only_move_is_named() {
    let legal = explained("7k/8/8/8/8/8/6q1/7K w - - 0 1", "Kxg2");
    assert_eq!(legal.verdict.only, Some(OnlyMove::Legal));
    let good = explained("3q2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rxd8#");
    assert_eq!(good.verdict.only, Some(OnlyMove::Good));
}

#[test]
fn explanations_are_values_in_json() {
    let found = explained("3r2k1/r4pp1/7p/8/8/8/3Q1PPP/3R2K1 w - - 0 1", "Qd7");
    let json = serde_json::to_value(&found).expect("JSON");
    assert_eq!(json["move"], "d2d7");
    assert_eq!(json["san"], "Qd7");
    assert_eq!(json["verdict"]["grade"], "blunder");
    let reason = &json["reasons"][0];
    assert_eq!(
        (&reason["role"], &reason["motif"]),
        (&"allows".into(), &"material".into())
    );
    assert_eq!(reason["fen"], json["fen"]);
    assert_eq!(reason["line"][0], "d2d7");
    assert!(json["better"]["line"].is_array());
    assert_eq!(json["facts"]["place"], "middle");
}

#[test]
fn a_grade_takes_two_searches_and_an_explanation_no_more_than_it_says() {
    for (fen, text) in [
        ("3q2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rxd8#"),
        ("3q2k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd7"),
        ("3r2k1/r4pp1/7p/8/8/8/3Q1PPP/3R2K1 w - - 0 1", "Qd7"),
        ("6k1/5ppp/8/3r4/8/4B3/5PPP/3R2K1 w - - 0 1", "Rxd5"),
    ] {
        let position = Position::from_fen(fen).expect(fen);
        let subject = Subject::alone(&position, position.parse_san(text).expect(text));
        let mut judge = Counted {
            judge: Counter { plies: 4 },
            nodes: 0,
        };
        grade(&subject, &mut judge, 1_000);
        assert!(judge.nodes <= 2_000, "{text}: {}", judge.nodes);
        judge.nodes = 0;
        let options = Options {
            nodes: 1_000,
            net_view: false,
        };
        explain(&subject, &mut judge, &options);
        assert!(judge.nodes <= 10_000, "{text}: {}", judge.nodes);
    }
}

/// A line of random moves after random moves from the start.
fn random_line(choices: &[u16], length: usize) -> Line {
    let played = choices.len().saturating_sub(length);
    let mut line = Line::new(Position::default());
    for (place, &choice) in choices.iter().enumerate() {
        if place == played {
            line = Line::new(*line.end());
        }
        let moves = line.end().legal_moves();
        let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else {
            break;
        };
        line.push(m);
    }
    line
}

/// Numbers of a change that no other one may replace.
fn damaged(change: &Change) -> Option<Change> {
    Some(match *change {
        Change::Mobility {
            color,
            square,
            piece,
            before,
            after,
        } => Change::Mobility {
            color,
            square,
            piece,
            before,
            after: after + 1,
        },
        Change::Shelter {
            color,
            king,
            before,
            after,
        } => Change::Shelter {
            color: !color,
            king,
            before,
            after,
        },
        Change::Space { color, before, after } => Change::Space {
            color,
            before: before + 1,
            after,
        },
        Change::LosesBishopPair { color, other_has_it } => Change::LosesBishopPair {
            color,
            other_has_it: !other_has_it,
        },
        Change::PassedPawn { color, pawn } => Change::PassedPawn { color: !color, pawn },
        Change::IsolatedPawn { color, pawn } => Change::IsolatedPawn { color: !color, pawn },
        Change::DoubledPawns { color, pawn } => Change::DoubledPawns { color: !color, pawn },
        Change::Outpost { color, square, piece } => Change::Outpost {
            color: !color,
            square,
            piece,
        },
        Change::TakesFile { .. } | Change::WeakSquare { .. } | Change::Theme { .. } => return None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// What the bitboards find, the square by square check confirms, all of it; with another number or colour, nothing.
    #[test]
    fn changes_are_confirmed_and_only_they(
        choices in prop::collection::vec(any::<u16>(), 4..140),
        length in 1usize..7,
    ) {
        let line = random_line(&choices, length);
        for change in detect::changes(&line) {
            prop_assert!(check::confirms_change(&line, &change), "{:?} {:?}: {:?}", line.start().to_fen(false), line.to_uci(), change);
            if let Some(damaged) = damaged(&change) {
                prop_assert!(!check::confirms_change(&line, &damaged), "{:?}", damaged);
            }
        }
    }
}

/// Lines with what they change, by hand.
#[test]
fn changes_that_a_player_would_name() {
    for (fen, moves, expected) in [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", "passed_pawn"),
        (
            "4k3/8/2p5/3p4/2P1P3/8/8/4K3 w - - 0 1",
            "cxd5 cxd5",
            "isolated_pawn",
        ),
        (
            "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
            "Bxc6 dxc6",
            "loses_bishop_pair",
        ),
        (
            "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
            "Bxc6 dxc6",
            "doubled_pawns",
        ),
        ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "Nc2", "mobility"),
        ("4k3/pp3ppp/8/8/2P5/4N3/8/4K3 w - - 0 1", "Nd5", "outpost"),
        ("4k3/ppp2ppp/8/8/8/8/PPP2PPP/R3K3 w - - 0 1", "Rd1", "takes_file"),
        ("3qk3/ppp2ppp/8/8/8/8/PPP2PPP/3Q2K1 w - - 0 1", "g4", "shelter"),
        ("4k3/8/8/8/3n4/8/3PP3/4K3 w - - 0 1", "e4", "weak_square"),
        ("4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", "e4", "space"),
    ] {
        let line = Line::parse(Position::from_fen(fen).expect(fen), moves).expect(moves);
        let found: Vec<&str> = detect::changes(&line)
            .iter()
            .filter(|change| check::confirms_change(&line, change))
            .map(Change::name)
            .collect();
        assert!(found.contains(&expected), "{fen} {moves}: {found:?}");
    }
}

/// Answers as it is told, and evaluates by material.
struct Scripted<F>(F);

impl<F: Fn(&Question) -> Finding> Judge for Scripted<F> {
    fn search(&mut self, question: &Question) -> Finding {
        (self.0)(question)
    }

    fn evaluate(&mut self, positions: &[Position]) -> Vec<Score> {
        positions.iter().map(material).collect()
    }

    fn effort(&self) -> Effort {
        Effort::FAST
    }
}

fn answer(score: Score, line: Vec<Move>) -> Finding {
    Finding {
        score,
        line,
        nodes: 1,
    }
}

/// The moves that a search may choose from.
fn choices(question: &Question) -> Vec<Move> {
    let legal = question.position.legal_moves().into_iter();
    legal
        .filter(|m| question.moves.is_empty() || question.moves.contains(m))
        .collect()
}

/// Likes one move wherever it may choose, and finds every other one a little worse.
fn partial_to(m: Move) -> impl Judge {
    Scripted(move |question: &Question| {
        let choices = choices(question);
        match choices.contains(&m) {
            true => answer(0, vec![m]),
            false => answer(-50, choices.into_iter().take(1).collect()),
        }
    })
}

/// A proof that a move is mated is no reason to call the others as bad.
#[test]
fn a_move_that_the_search_likes_and_a_proof_mates_is_not_the_best() {
    // Réti and Tartakower, Vienna 1910
    let fen = "rnb1kb1r/pp3ppp/2p2n2/4q3/4N3/3Q4/PPPB1PPP/2KR1BNR b kq - 1 8";
    let position = Position::from_fen(fen).expect(fen);
    let m = position.parse_san("Nxe4").expect("a legal move");
    let graded = grade(&Subject::alone(&position, m), &mut partial_to(m), 1_000);
    assert_eq!(graded.verdict.grade, Grade::Blunder);
    assert!(graded.better().is_some_and(|better| better != m));
    assert!(
        matches!(graded.verdict.mates[..], [MateNews::Allowed { moves: 3, .. }]),
        "{:?}",
        graded.verdict.mates
    );
}

/// Calls one move a mistake to which the answer is known, and finds every other one level.
fn critic_of(mistake: Vec<Move>) -> impl Judge {
    Scripted(move |question: &Question| {
        let other = choices(question).into_iter().find(|m| *m != mistake[0]);
        match other {
            Some(m) => answer(0, vec![m]),
            None => answer(-150, mistake.clone()),
        }
    })
}

/// A bishop that is given for two pawns is not left hanging, and the pair of bishops is not what is wrong with that.
#[test]
fn a_piece_that_is_given_for_too_little_is_an_unsound_sacrifice() {
    let fen = "r2qr1k1/ppp2pp1/2nb1n1p/5b2/2BP2P1/P1N1BN1P/1P3P2/R2Q1RK1 b - - 0 12";
    let position = Position::from_fen(fen).expect(fen);
    let mut mistake = Vec::new();
    let mut now = position;
    for san in ["Bxg4", "hxg4", "Nxg4", "Qd3", "Qd7"] {
        let m = now.parse_san(san).expect("a legal move");
        mistake.push(m);
        now = now.after(m);
    }
    let subject = Subject::alone(&position, mistake[0]);
    let explanation = explain(&subject, &mut critic_of(mistake), &Options::default());
    assert_eq!(explanation.verdict.grade, Grade::Mistake);
    let told: Vec<bool> = explanation
        .reasons
        .iter()
        .map(|reason| reason.is_unsound())
        .collect();
    let said: Vec<&Said> = explanation.reasons.iter().map(|reason| &reason.said).collect();
    assert_eq!(told, [false, true], "{said:?}");
}
