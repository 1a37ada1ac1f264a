//! Which of the reasons for a move its summary gives.

use super::change::Change;
use super::check::exchange;
use super::claim::Motif;
use super::course::READ;
use super::explanation::{Reason, Role, Said};
use super::importance::importance;
use super::relevance::is_structure;
use super::repeats::is_count;
use super::theme::Theme;
use crate::board::Move;

/// The least importance of a change that the summary gives beside another reason.
const MUCH: i32 = 400;

/// A structure that is told after more plies than that is what exchanges leave.
const AFTER_EXCHANGES: usize = 3;

/// The least importance of a change that the summary gives beside the better move, where the explained one fails by a tactic.
pub const TELLING: i32 = 430;

/// The least importance of a change that comes before what the better move attacks.
pub const DECISIVE: i32 = 500;

/// The least importance of a change that the summary gives beside a smaller reason.
const BESIDES: i32 = 336;

/// A threat of mate within so many plies comes first.
const QUICK: usize = 5;

/// The places of the reasons that the summary gives, of reasons that are ordered by their weight.
pub fn headline(reasons: &[Reason]) -> Vec<usize> {
    let main = main(reasons);
    let named = main.filter(|&main| main > 0 && is_named_mate(&reasons[0]));
    let manoeuvre = || reasons.iter().position(is_manoeuvre);
    let second = |main: usize| second(reasons, main).or_else(|| manoeuvre().filter(|&place| place != main));
    let second = main.and_then(|main| named.map(|_| 0).or_else(|| second(main)));
    let third = main.and_then(|main| third(reasons, main, second));
    main.into_iter().chain(second).chain(third).collect()
}

/// What is told of a move that wins something and threatens mate at once: how, too; of one that lures something: what for; of an
/// offer: the tactic by which taking it fails; and of a move that fails: what it has changed.
fn third(reasons: &[Reason], main: usize, second: Option<usize>) -> Option<usize> {
    let is_told = |place: usize| place == main || Some(place) == second;
    let fails =
        |place: usize| second.is_some_and(|offer| is_why_taking_fails(&reasons[place], &reasons[offer]));
    if let Some(why) = (0..reasons.len()).find(|&place| !is_told(place) && fails(place)) {
        return Some(why);
    }
    if !speaks_for(&reasons[main]) {
        let enables = |place: &usize| !is_told(*place) && is_what_it_enables(&reasons[*place]);
        return (0..reasons.len()).find(enables);
    }
    let second = second?;
    // what is lured away or to a square is lured for what follows
    let is_point = |place: &usize| !is_told(*place) && is_point_of(&reasons[*place], &reasons[second]);
    if let Some(point) = (0..reasons.len()).find(is_point) {
        return Some(point);
    }
    let has = |is: fn(&Reason) -> bool| [main, second].into_iter().any(|place| is(&reasons[place]));
    let is_new = |place: &usize| !is_told(*place) && is_key_tactic(&reasons[*place]);
    let wins_by_a_threat = has(Reason::is_outcome) && has(is_threat_of_mate) && !has(is_key_tactic);
    (0..reasons.len()).find(is_new).filter(|_| wins_by_a_threat)
}

/// Whether a reason is how the move has made its refutation possible.
fn is_what_it_enables(reason: &Reason) -> bool {
    reason.has_theme(Theme::TakesOwnFlight)
        || reason.has_theme(Theme::BlocksOwnGuard)
        || reason.has_theme(Theme::GivesUpGuard)
        || matches!(
            reason.motif(),
            Some(Motif::OpensLine { .. } | Motif::LeavesGuard { .. })
        )
}

/// Whether a reason is a tactic of the first move itself that says how it works.
fn is_key_tactic(reason: &Reason) -> bool {
    is_tactic(reason) && reason.subject() == 0
}

/// Whether a reason is a tactic by which the answer refutes the move.
fn is_tactic_of_the_answer(reason: &Reason) -> bool {
    is_tactic(reason) && reason.subject() == 1 && !speaks_for(reason)
}

/// Whether a reason is a tactic that says how something works.
fn is_tactic(reason: &Reason) -> bool {
    matches!(
        reason.motif(),
        Some(
            Motif::CannotTake { .. }
                | Motif::TakingCosts { .. }
                | Motif::Fork { .. }
                | Motif::DoubleAttack { .. }
                | Motif::DiscoveredAttack { .. }
                | Motif::Skewer { .. }
                | Motif::PinPreventsEscape { .. }
                | Motif::Overloaded { .. }
                | Motif::RemovedDefender { .. }
                | Motif::Deflection { .. }
                | Motif::Attraction { .. }
                | Motif::Interference { .. }
                | Motif::Trapped { .. }
                | Motif::Sacrifice { .. }
        )
    )
}

/// The first reason or, where that is a mate some moves ahead, the first that comes before it; where mate is threatened by a
/// sacrifice, the sacrifice; where something is lost in the end of a long line, the tactic with which that begins.
fn main(reasons: &[Reason]) -> Option<usize> {
    let first = reasons.first()?;
    if first.is_outcome() && !speaks_for(first) && first.line.len() > READ {
        let shows = |reason: &Reason| is_tactic_of_the_answer(reason) || is_threat_of_mate(reason);
        return reasons.iter().position(shows).or(Some(0));
    }
    // why the answer works comes before why it cannot be taken
    if is_offer_of_the_answer(first) {
        return reasons.iter().position(is_interference).or(Some(0));
    }
    // a threat is one of two that the move makes at once
    if first.role == Role::Threatens && !first.is_mate() {
        let both = |reason: &Reason| is_two_threats(reason) && speaks_for(reason) && reason.subject() == 0;
        return reasons.iter().position(both).or(Some(0));
    }
    let earlier = |reason: &Reason| (!reason.is_mate() || reason.role.is_threat()) && reason.subject() < 2;
    let place = if first.is_mate() && first.role.is_threat() {
        reasons.iter().position(Reason::is_sacrifice)
    } else if first.is_mate() && first.subject() > 1 {
        reasons.iter().position(earlier)
    } else {
        None
    };
    place.or(Some(0))
}

/// Whether a reason is a mate that has a name: with what begins it, this is what a combination is known by.
fn is_named_mate(reason: &Reason) -> bool {
    let is_named = matches!(
        reason.motif(),
        Some(Motif::NamedMate { .. } | Motif::BackRankMate { .. })
    );
    is_named && !reason.role.is_threat()
}

/// Whether a reason is that the first move or the answer threatens mate at once.
fn is_threat_of_mate(reason: &Reason) -> bool {
    let at_once = matches!(reason.motif(), Some(Motif::ThreatensMate { .. })) && reason.subject() < 2;
    at_once || reason.role == Role::Threatens && reason.is_mate() && reason.line.len() <= QUICK
}

/// What is added to a reason: to an outcome or a sacrifice what is near; to a tactic or a threat what the move changes on the
/// board, and the other way round.
fn second(reasons: &[Reason], main: usize) -> Option<usize> {
    let main = &reasons[main];
    if main.is_outcome() || main.is_sacrifice() {
        return beside_an_outcome(reasons, main);
    }
    let first = |is: &dyn Fn(&Reason) -> bool| reasons.iter().position(is);
    if main.has_theme(Theme::PawnEnding) {
        return first(&is_unstoppable_pawn);
    }
    // what brings material in the end comes with it
    let is_read =
        |reason: &Reason| speaks_for(reason) || reason.role != Role::Avoids && reason.line.len() <= READ;
    let outcome = first(&|reason| reason.is_outcome() && is_read(reason));
    if is_manoeuvre(main) || is_threat_of_mate(main) && outcome.is_some() {
        return outcome;
    }
    if matches!(main.motif(), Some(Motif::PinPreventsAttack { .. })) {
        return first(&is_threat_of_mate).or(outcome);
    }
    if main.role == Role::Threatens
        && main.is_mate()
        && let Some(told) = beside_a_threat_of_mate(reasons)
    {
        return Some(told);
    }
    if let Some(completed) = first(&|reason| completes_it(reason, main)) {
        return Some(completed);
    }
    if is_shut_in(main) && speaks_for(main) {
        return outcome.or_else(|| first(&Reason::is_sacrifice));
    }
    if is_declined(main) {
        return first(&speaks_for);
    }
    if let Some(point) = first(&|reason| is_point_of(reason, main)) {
        return Some(point);
    }
    if is_interference(main) {
        return first(&is_offer_of_the_answer);
    }
    if !speaks_for(main) || main.is_mate() && !main.role.is_threat() {
        return None;
    }
    // beside what a move changes, what it gives for that is what a reader asks first
    let changes = matches!(main.said, Said::Change(_));
    first(&|reason| changes && reason.is_sacrifice() && speaks_for(reason))
        .or_else(|| first(&is_declined))
        .or_else(|| first(&|reason| is_other_retreat(reason, main)))
        .or_else(|| first(&|reason| is_point_beside_an_offer(reason, main)))
        .or_else(|| first(&|reason| is_why_taking_fails(reason, main)))
        .or_else(|| first(&|reason| clears_the_way(reason, main)))
        .or_else(|| first(&|reason| unpins_it(reason, main)))
        .or_else(|| first(&|reason| completes(reason, main)))
        .or_else(|| first(&|reason| does_besides(reason, main)))
}

/// Whether a reason is the tactic of a move that leaves a queen or another piece to be taken.
fn is_point_beside_an_offer(reason: &Reason, main: &Reason) -> bool {
    main.is_offer()
        && leaves_another(main)
        && is_key_tactic(reason)
        && !reason.is_offer()
        && speaks_for(reason)
}

/// Whether a reason is neither what the line wins in the end nor what it gives.
fn adds(reason: &Reason) -> bool {
    !reason.is_outcome() && !reason.is_sacrifice()
}

/// What is added to an outcome or a sacrifice: the first other reason, if it is about the move, the answer or the next move.
fn beside_an_outcome(reasons: &[Reason], main: &Reason) -> Option<usize> {
    // the player's next move may be what brings the outcome about
    let is_near = |reason: &Reason| reason.subject() < 3 + usize::from(!speaks_for(reason));
    let near =
        |reason: &Reason| adds(reason) && (is_near(reason) || is_double(reason) && comes_by_force(reason));
    let by_kind = [
        is_manoeuvre,
        is_mate_for_taking,
        is_threat_of_mate,
        is_check_first,
    ];
    let known = by_kind.into_iter().find_map(|is| reasons.iter().position(is));
    let mate = || Some(0).filter(|_| reasons[0].is_mate() && !reasons[0].role.is_threat());
    let near = reasons.iter().position(near);
    // who mates gets a queen only on the way
    let near = near.and_then(|near| mate().filter(|_| is_promotion(&reasons[near])).or(Some(near)));
    // what promotes has been said
    let told = |reason: &Reason| adds(reason) && !is_promotion(reason) && is_key_tactic(reason);
    let near = near.and_then(|near| match is_promotion(&reasons[near]) && main.is_outcome() {
        true => reasons.iter().position(told).or(Some(near)),
        false => Some(near),
    });
    let declined = reasons.iter().position(is_declined);
    let declined = declined.filter(|_| !near.is_some_and(|near| is_key_tactic(&reasons[near])));
    let offer = || reasons.iter().position(is_offer_of_the_moved_piece);
    let retaking = || reasons.iter().position(is_why_the_moved_piece_falls);
    known.or(declined).or_else(offer).or_else(retaking).or(near)
}

/// What is added to a threat of mate: what the capture that threatens it leaves to be taken, or what the move does besides.
fn beside_a_threat_of_mate(reasons: &[Reason]) -> Option<usize> {
    let leaves = |reason: &Reason| reason.has_theme(Theme::LeavesPiece) && reason.is_about_queen();
    if let Some(queen) = reasons.iter().position(leaves) {
        return Some(queen);
    }
    let is_another = |reason: &Reason| is_key_tactic(reason) && adds(reason) && !leaves_another(reason);
    let offer = reasons.iter().position(is_offer_of_a_capture);
    offer.or_else(|| reasons.iter().position(is_another))
}

/// Whether a reason is a change on the board beside a tactic, or the other way round, that says much.
fn completes(reason: &Reason, main: &Reason) -> bool {
    let is_change = |reason: &Reason| matches!(reason.said, Said::Change(_));
    adds(reason)
        && speaks_for(reason)
        && is_change(reason) != is_change(main)
        && tells_much(reason)
        && !reason.has_theme(Theme::KeepsFrom)
        && !(main.role == Role::Threatens && is_weak_pawn(reason))
}

/// Whether a reason is something that a quiet move does besides.
fn does_besides(reason: &Reason, main: &Reason) -> bool {
    let is_vague = reason.has_theme(Theme::KeepsFrom) && main.role != Role::Prevents;
    adds(reason) && speaks_for(reason) && reason.said != main.said && !is_vague && tells_more(reason, main)
}

/// Whether the second of two reasons for a move is worth a sentence beside one that decides nothing by itself: the point of an
/// offer, what is attacked besides meeting a threat, another change on the board.
fn tells_more(reason: &Reason, main: &Reason) -> bool {
    let meets = main.role == Role::Prevents;
    let decides = match &main.said {
        Said::Change(change) => importance(change) >= DECISIVE,
        Said::Claim(_) => !meets && !main.is_offer(),
    };
    let least = match &main.said {
        Said::Change(change) if importance(change) >= TELLING => MUCH,
        _ => BESIDES,
    };
    let counts = match &reason.said {
        Said::Change(change) => reason.line.len() == 1 && importance(change) >= least && !is_count(reason),
        Said::Claim(_) => meets && reason.role != Role::Prevents && reason.subject() == 0,
    };
    !decides && counts
}

/// Whether a reason is that what the answer offers cannot be taken.
fn is_offer_of_the_answer(reason: &Reason) -> bool {
    reason.is_offer() && reason.subject() == 1 && !speaks_for(reason)
}

/// Whether a reason is that the move gives a check before it takes back.
fn is_check_first(reason: &Reason) -> bool {
    matches!(reason.motif(), Some(Motif::Intermezzo { .. })) && reason.subject() == 0 && speaks_for(reason)
}

/// Whether a reason is that the answer, which takes the piece that has moved, cannot be taken.
fn is_why_the_moved_piece_falls(reason: &Reason) -> bool {
    let taken = reason.line.at(1).map(Move::landing);
    is_offer_of_the_answer(reason) && reason.line.is_taken(0) && reason.offered() == taken
}

/// Whether a reason against the move is that the answer comes between two men.
fn is_interference(reason: &Reason) -> bool {
    matches!(reason.motif(), Some(Motif::Interference { .. })) && reason.subject() == 1 && !speaks_for(reason)
}

/// Whether a reason is the fork or skewer that follows when a piece has been lured away or to a square.
fn is_point_of(reason: &Reason, lure: &Reason) -> bool {
    let (Said::Claim(point), Said::Claim(lure)) = (&reason.said, &lure.said) else {
        return false;
    };
    let is_lure = matches!(
        lure.motif,
        Motif::Deflection { .. } | Motif::Attraction { .. } | Motif::Overloaded { .. }
    );
    let is_point = matches!(point.motif, Motif::Fork { .. } | Motif::Skewer { .. });
    is_lure && is_point && point.ply == lure.ply + 2
}

/// Whether a reason is the tactic in the line of a capture that fails.
fn is_why_taking_fails(reason: &Reason, offer: &Reason) -> bool {
    let tells = matches!(
        reason.motif(),
        Some(Motif::Fork { .. } | Motif::Skewer { .. } | Motif::Trapped { .. })
    );
    tells
        && offer.is_offer()
        && reason.line.moves() == offer.line.moves()
        && reason.subject() > offer.subject()
}

/// Whether a reason is that two pieces, or one, threaten two men.
fn is_two_threats(reason: &Reason) -> bool {
    matches!(
        reason.motif(),
        Some(Motif::Fork { .. } | Motif::DoubleAttack { .. })
    )
}

/// Whether a reason is that something attacks two men at once.
fn is_double(reason: &Reason) -> bool {
    matches!(
        reason.motif(),
        Some(Motif::Fork { .. } | Motif::DoubleAttack { .. } | Motif::Skewer { .. })
    )
}

/// Whether nothing but captures, checks and answers to checks comes before the move that a reason is about: of a reason against
/// the first move, from the answer on.
fn comes_by_force(reason: &Reason) -> bool {
    let first = usize::from(!speaks_for(reason));
    reason.line.is_forced(first, reason.subject())
}

/// Whether a reason is that a pawn is left weak.
fn is_weak_pawn(reason: &Reason) -> bool {
    let is_weak = |change| matches!(change, Change::DoubledPawns { .. } | Change::IsolatedPawn { .. });
    reason.has_theme(Theme::BackwardPawn) || matches!(reason.said, Said::Change(change) if is_weak(change))
}

/// Whether a reason is that a pawn which threatens something makes way for a piece of its own side.
fn clears_the_way(reason: &Reason, main: &Reason) -> bool {
    main.role == Role::Threatens && reason.has_theme(Theme::MakesWay)
}

/// Whether a reason is that the king has left the line on which what threatens something was pinned.
fn unpins_it(reason: &Reason, main: &Reason) -> bool {
    let first = main.line.at(0).filter(|_| main.role == Role::Threatens);
    let (king, slider) = (reason.line.at(0), reason.theme());
    let (Some(first), Some(king), Some((Theme::LeavesLine, Some(slider)))) = (first, king, slider) else {
        return false;
    };
    exchange::is_between(first.from(), king.from(), slider)
}

/// Whether a reason is how pieces go about it for several moves.
fn is_manoeuvre(reason: &Reason) -> bool {
    reason.has_theme(Theme::Windmill)
}

/// Whether a reason is that the piece with which the first move took something cannot be taken.
fn is_offer_of_a_capture(reason: &Reason) -> bool {
    let takes = |m: Move| m.is_capture() && reason.offered() == Some(m.landing());
    speaks_for(reason) && reason.line.at(0).is_some_and(takes)
}

/// Whether a reason is that the piece which has moved cannot be taken, where that seems to win something.
fn is_offer_of_the_moved_piece(reason: &Reason) -> bool {
    speaks_for(reason) && reason.is_offer() && reason.subject() == 0 && !leaves_another(reason)
}

/// Whether a change goes with another: a square that is weak once pawns are doubled or isolated, a pawn that is passed once the
/// piece on an outpost is taken, and a guard that a rook on the seventh rank ties down.
fn completes_it(reason: &Reason, main: &Reason) -> bool {
    let (Said::Change(more), Said::Change(change)) = (&reason.said, &main.said) else {
        return false;
    };
    let is = |change: &Change, wanted| matches!(change, Change::Theme { theme, .. } if *theme == wanted);
    let pawns = matches!(change, Change::DoubledPawns { .. } | Change::IsolatedPawn { .. })
        || is(change, Theme::BackwardPawn);
    let is_post = matches!(change, Change::Outpost { .. });
    reason.role == main.role
        && reason.line.moves().starts_with(main.line.moves())
        && (pawns && matches!(more, Change::WeakSquare { .. })
            || is_post && is(more, Theme::AimsAtPasser)
            || is(change, Theme::SeventhRank) && is(more, Theme::TiesDown))
}

/// Whether a reason is that a piece has no safe square left.
fn is_shut_in(reason: &Reason) -> bool {
    reason.has_theme(Theme::Dominates)
}

/// Whether a reason is that who takes what the answer to a bad move offers is mated.
fn is_mate_for_taking(reason: &Reason) -> bool {
    let end = reason.line.end();
    reason.is_offer() && !speaks_for(reason) && end.in_check() && !end.has_moves()
}

/// Whether a reason is that a pawn becomes a piece.
fn is_promotion(reason: &Reason) -> bool {
    matches!(reason.motif(), Some(Motif::Promotion { .. }))
}

/// Whether a reason is what the move does not take.
fn is_declined(reason: &Reason) -> bool {
    matches!(reason.motif(), Some(Motif::TakingIsWorse { .. }))
}

/// Whether a reason is what another retreat loses of the piece that was attacked.
fn is_other_retreat(reason: &Reason, attack: &Reason) -> bool {
    let ends = reason.line.at(0).zip(attack.line.at(0));
    attack.role == Role::Prevents
        && reason.role == Role::Avoids
        && ends.is_some_and(|(retreat, taking)| retreat.from() == taking.to())
}

/// Whether a reason is a pawn that nothing can stop.
fn is_unstoppable_pawn(reason: &Reason) -> bool {
    matches!(reason.motif(), Some(Motif::UnstoppablePawn { .. }))
}

/// Whether a reason speaks for the move.
pub fn speaks_for(reason: &Reason) -> bool {
    !matches!(
        reason.role,
        Role::Allows | Role::Avoids | Role::AllowsThreat | Role::Answers | Role::AnswersThreat
    )
}

/// Whether a reason is about the first move itself, and worth a place in the summary beside another.
fn tells_much(reason: &Reason) -> bool {
    match &reason.said {
        Said::Change(change) => {
            // what exchanges that the move forces leave behind is about it, too
            let is_left = is_structure(change) && reason.line.len() > AFTER_EXCHANGES;
            (reason.line.len() == 1 || is_left) && importance(change) >= MUCH
        }
        Said::Claim(claim) => reason.subject() == 0 && !matches!(claim.motif, Motif::NowFails { .. }),
    }
}

/// Whether a reason is that another piece than the one that has moved cannot be taken.
fn leaves_another(reason: &Reason) -> bool {
    let moved = reason.line.at(0).map(Move::landing);
    reason.is_offer() && reason.offered() != moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, PieceType, Position, Square};
    use crate::explain::claim::Claim;
    use crate::explain::line::Line;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    fn reason(role: Role, said: Said, moves: &str) -> Reason {
        Reason {
            role,
            said,
            line: Line::parse(Position::default(), moves).unwrap(),
            way_out: None,
            made_by: None,
        }
    }

    fn claimed(role: Role, ply: usize, motif: Motif) -> Reason {
        reason(role, Said::Claim(Claim { ply, motif }), "e4 e5 Nf3")
    }

    fn won_knight() -> Motif {
        Motif::Material {
            winner: Color::White,
            centipawns: 300,
            won: [0, 1, 0, 0, 0],
            lost: [0; 5],
            promoted: [0; 5],
        }
    }

    #[test]
    fn a_sacrifice_comes_before_the_mate_that_it_threatens_but_before_no_other_threat() {
        let mate = Motif::Mate { king: square("e8") };
        for (threat, first) in [(mate, 1), (won_knight(), 0)] {
            let sacrifice = Motif::Sacrifice {
                square: square("e4"),
                piece: PieceType::Pawn,
                centipawns: 100,
            };
            let reasons = [
                claimed(Role::Threatens, 2, threat),
                claimed(Role::Achieves, 0, sacrifice),
            ];
            assert_eq!(headline(&reasons)[0], first);
        }
    }

    #[test]
    fn beside_what_a_move_wins_comes_that_its_piece_cannot_be_taken() {
        for (offered, told) in [("e4", vec![0, 2]), ("d4", vec![0, 1])] {
            let removed = Motif::RemovedDefender {
                defender: square("e4"),
                target: square("d5"),
            };
            let offer = Motif::CannotTake {
                square: square(offered),
            };
            let reasons = [won_knight(), removed, offer].map(|motif| claimed(Role::Achieves, 0, motif));
            assert_eq!(headline(&reasons), told);
        }
    }

    #[test]
    fn beside_a_change_the_summary_tells_what_the_move_attacks_and_no_later_tactic() {
        for (ply, told) in [(0, vec![0, 1]), (2, vec![0])] {
            let luft = Change::Theme {
                theme: Theme::Luft,
                color: Color::White,
                square: square("g1"),
                other: None,
            };
            let fork = Motif::Fork {
                by: square("e4"),
                targets: ["d5", "f5"].map(square).to_vec(),
            };
            let reasons = [
                reason(Role::Achieves, Said::Change(luft), "e4"),
                claimed(Role::Achieves, ply, fork),
            ];
            assert_eq!(headline(&reasons), told);
        }
    }
}
