//! Claims as predicates: what a move does.

use super::voice::{Argument, Voice, at, name};
use crate::board::{Color, Move, PieceType, Position, Square, attacks};
use crate::explain::check::exchange;
use crate::explain::claim::{Claim, Counts, MatePattern, Motif, Underpromotion};
use crate::explain::line::Line;
use std::iter::once;

/// What the move does, to follow its name.
pub fn predicate(voice: &Voice, line: &Line, claim: &Claim) -> String {
    let scene = Scene {
        voice,
        before: line.before(claim.ply),
        after: line.after(claim.ply),
    };
    match claim.motif {
        Motif::Material { .. } => material(voice, line, &claim.motif),
        Motif::TakesFree { .. }
        | Motif::LeavesEnPrise { .. }
        | Motif::OpensLine { .. }
        | Motif::LeavesGuard { .. }
        | Motif::Sacrifice { .. }
        | Motif::Trapped { .. }
        | Motif::Fork { .. }
        | Motif::DoubleAttack { .. }
        | Motif::DoubleCheck { .. }
        | Motif::DiscoveredCheck { .. }
        | Motif::DiscoveredAttack { .. }
        | Motif::ThreatensMate { .. }
        | Motif::ThreatensCapture { .. }
        | Motif::IgnoresMate { .. }
        | Motif::IgnoresCapture { .. } => scene.attack(&claim.motif),
        Motif::CannotTake { square } => {
            let moves = ("line", voice.moves(line, claim.ply + 1..line.len()).into());
            let is_moved = line.moves()[claim.ply].landing() == square;
            let m = line.moves()[claim.ply];
            let before = line.before(claim.ply);
            let is_trade = before.piece_on(square).is_some()
                && exchange::takings(before, m) >= exchange::worth(m.piece().kind());
            let key = match (is_moved, is_moved && is_trade) {
                (_, true) => "cannot-take-back",
                (true, _) => "offers-itself",
                (false, _) => "cannot-take",
            };
            let by = taker(voice, line, claim.ply);
            voice.say(
                key,
                [scene.now("piece", square), scene.then("taken", square), by, moves],
            )
        }
        Motif::TakingCosts { square, mistake } => {
            let moves = ("line", voice.moves(line, claim.ply + 1..line.len()).into());
            let is_moved = line.moves()[claim.ply].landing() == square;
            let key = match (mistake, is_moved) {
                (false, _) => "offers-itself-in-vain",
                (true, true) => "offers-itself-dearly",
                (true, false) => "taking-costs",
            };
            let by = taker(voice, line, claim.ply);
            voice.say(key, [scene.now("piece", square), by, moves])
        }
        Motif::Intermezzo { recapture } if claim.ply == 0 => voice.say("check-first", [at(recapture)]),
        Motif::TakingIsWorse { square, .. } => {
            let moves = ("line", voice.moves(line, 0..line.len()).into());
            voice.say("taking-is-worse", [scene.then("piece", square), moves])
        }
        Motif::NowFails { .. } => {
            let answer = ("move", voice.one_move(line, claim.ply + 1).into());
            let moves = ("line", voice.moves(line, claim.ply + 1..line.len()).into());
            voice.say("now-fails", [answer, moves])
        }
        Motif::PinPreventsEscape { .. }
        | Motif::PinPreventsAttack { .. }
        | Motif::Skewer { .. }
        | Motif::XRay { .. }
        | Motif::Overloaded { .. }
        | Motif::RemovedDefender { .. }
        | Motif::Deflection { .. }
        | Motif::Attraction { .. }
        | Motif::Interference { .. }
        | Motif::Intermezzo { .. } => scene.geometry(&claim.motif),
        Motif::Mate { .. }
        | Motif::NamedMate { .. }
        | Motif::Perpetual { .. }
        | Motif::Zugzwang { .. }
        | Motif::BackRankMate { .. }
        | Motif::StalemateTrick { .. }
        | Motif::LosesCastling { .. }
        | Motif::Promotion { .. }
        | Motif::Underpromotion { .. }
        | Motif::UnstoppablePawn { .. } => scene.kings_and_pawns(&claim.motif),
    }
}

/// The piece that takes what a move of a line offers, where others could, too: of those nothing is said.
fn taker(voice: &Voice, line: &Line, ply: usize) -> Argument {
    let taking = line.at(ply + 1).filter(|taking| {
        let takes = |m: &Move| m.is_capture() && m.to() == taking.to() && m.from() != taking.from();
        line.after(ply).legal_moves().iter().any(takes)
    });
    let by = taking.map(|taking| voice.the(taking.piece().kind()));
    ("by", by.unwrap_or_else(|| "none".into()))
}

/// The boards around a move.
struct Scene<'a> {
    voice: &'a Voice,
    before: &'a Position,
    after: &'a Position,
}

impl Scene<'_> {
    /// A variable with a piece of the board before the move.
    fn then(&self, key: &'static str, square: Square) -> Argument {
        (key, self.voice.on(self.before, square))
    }

    /// What the move leaves to be taken, and why it can be: it stood in the way of an attacker, or guarded the piece.
    fn hangs(&self, square: Square) -> String {
        let piece = || self.now("piece", square);
        let us = self.before.side_to_move();
        let left = (self.before.of_color(us) & !self.after.of_color(us))
            .into_iter()
            .next();
        let Some(from) = left.filter(|_| self.before.piece_on(square) == self.after.piece_on(square)) else {
            return self.voice.say("leaves-en-prise", [piece()]);
        };
        let attackers = self.after.attackers_to(square, self.after.occupied()) & self.after.of_color(!us);
        let in_the_way = |&attacker: &Square| attacks::between(attacker, square).has(from);
        if let Some(attacker) = attackers.into_iter().find(in_the_way) {
            let attacker = self.now("attacker", attacker);
            return self.voice.say("opens-line-to", [piece(), attacker]);
        }
        let guarded = self.before.attackers_to(square, self.before.occupied()).has(from);
        let key = if guarded {
            "leaves-unguarded"
        } else {
            "leaves-en-prise"
        };
        self.voice.say(key, [piece()])
    }

    /// A variable with a piece of the board after the move.
    fn now(&self, key: &'static str, square: Square) -> Argument {
        (key, self.voice.on(self.after, square))
    }

    fn attack(&self, motif: &Motif) -> String {
        let voice = self.voice;
        match *motif {
            Motif::TakesFree { square, .. } => voice.say("takes-free", [self.then("piece", square)]),
            Motif::LeavesEnPrise { square, .. } => self.hangs(square),
            Motif::OpensLine { slider, target } => {
                let slider = self.now("slider", slider);
                match self.after.piece_on(target) {
                    Some(_) => voice.say("opens-line-at", [slider, self.now("piece", target)]),
                    None => voice.say("opens-line", [slider, at(target)]),
                }
            }
            Motif::LeavesGuard { target } => match self.after.piece_on(target) {
                Some(_) => voice.say("leaves-guard-of", [self.now("piece", target)]),
                None => voice.say("leaves-guard", [at(target)]),
            },
            Motif::Sacrifice {
                square,
                piece,
                centipawns,
            } => {
                let taken = self.before.piece_on(square).map(|piece| piece.kind());
                let minor = matches!(taken, Some(PieceType::Knight | PieceType::Bishop));
                let key = match piece {
                    PieceType::Rook if minor || centipawns <= exchange::the_exchange() => {
                        "sacrifice-exchange"
                    }
                    _ => "sacrifice",
                };
                voice.say(key, [("piece", voice.counted(piece, 1).into())])
            }
            Motif::Trapped { square, .. } => voice.say("trapped", [self.now("piece", square)]),
            Motif::Fork { ref targets, .. } => {
                let targets = self.worth_naming(targets);
                voice.say("fork", [("targets", voice.all_on(self.after, &targets).into())])
            }
            Motif::DoubleAttack {
                ref attackers,
                ref targets,
            } => voice.say(
                "double-attack",
                [
                    self.now("first", attackers[0]),
                    self.now("first-target", targets[0]),
                    self.now("second", attackers[1]),
                    self.now("second-target", targets[1]),
                ],
            ),
            Motif::DoubleCheck { ref checkers, .. } => voice.say(
                "double-check",
                [self.now("first", checkers[0]), self.now("second", checkers[1])],
            ),
            Motif::DiscoveredCheck { slider, .. } => {
                voice.say("discovered-check", [self.now("slider", slider)])
            }
            Motif::DiscoveredAttack { slider, target } => voice.say(
                "discovered-attack",
                [self.now("slider", slider), self.now("target", target)],
            ),
            Motif::ThreatensMate { from, to } => {
                voice.say("threatens-mate", [self.now("piece", from), at(to)])
            }
            Motif::ThreatensCapture { target, .. } => {
                voice.say("threatens-capture", [self.now("target", target)])
            }
            Motif::IgnoresMate { from, to } => voice.say("ignores-mate", [self.now("piece", from), at(to)]),
            Motif::IgnoresCapture { target } => voice.say("ignores-capture", [self.now("target", target)]),
            _ => String::new(),
        }
    }

    /// The targets of a fork, the king and the dearest first; without pawns where two others are left.
    fn worth_naming(&self, targets: &[Square]) -> Vec<Square> {
        let worth = |square: &Square| match self.after.piece_on(*square).map(|piece| piece.kind()) {
            Some(PieceType::King) => i32::MAX,
            Some(kind) => exchange::worth(kind),
            None => 0,
        };
        let mut named = targets.to_vec();
        named.sort_by_key(|square| std::cmp::Reverse(worth(square)));
        let pawn = exchange::worth(PieceType::Pawn);
        let pieces = named.iter().filter(|square| worth(square) > pawn).count();
        if pieces >= 2 {
            named.truncate(pieces);
        }
        named
    }

    /// Pins and the like, and what becomes of defenders.
    fn geometry(&self, motif: &Motif) -> String {
        let voice = self.voice;
        match *motif {
            Motif::PinPreventsEscape {
                pinner,
                pinned,
                behind,
            } => voice.say(
                "pin-prevents-escape",
                [
                    self.now("pinner", pinner),
                    self.now("pinned", pinned),
                    self.now("behind", behind),
                ],
            ),
            Motif::PinPreventsAttack {
                pinner,
                pinned,
                behind,
                prey,
            } => voice.say(
                "pin-prevents-attack",
                [
                    self.now("pinner", pinner),
                    self.now("pinned", pinned),
                    self.now("behind", behind),
                    self.now("prey", prey),
                ],
            ),
            Motif::Skewer { front, behind, .. } => {
                voice.say("skewer", [self.now("front", front), self.now("behind", behind)])
            }
            Motif::XRay { slider, through, .. } => voice.say(
                "x-ray",
                [self.then("slider", slider), self.then("through", through)],
            ),
            Motif::Overloaded {
                defender,
                first,
                second,
            } => voice.say(
                "overloaded",
                [
                    self.then("defender", defender),
                    self.then("first", first),
                    self.then("second", second),
                ],
            ),
            Motif::RemovedDefender { defender, target } => voice.say(
                "removed-defender",
                [self.then("defender", defender), self.then("target", target)],
            ),
            Motif::Deflection { defender, target } => voice.say(
                "deflection",
                [self.then("defender", defender), self.then("target", target)],
            ),
            Motif::Attraction { from, square } => {
                voice.say("attraction", [self.now("piece", from), at(square)])
            }
            Motif::Interference { slider, target, .. } => voice.say(
                "interference",
                [self.then("slider", slider), self.then("target", target)],
            ),
            Motif::Intermezzo { recapture } => voice.say("intermezzo", [at(recapture)]),
            _ => String::new(),
        }
    }

    fn kings_and_pawns(&self, motif: &Motif) -> String {
        let voice = self.voice;
        let a = |piece: PieceType| ("piece", voice.counted(piece, 1).into());
        match *motif {
            Motif::Mate { .. } => voice.say("mate", []),
            Motif::NamedMate { pattern, .. } => {
                let name = match pattern {
                    MatePattern::Smothered => "smothered",
                    MatePattern::Anastasia => "anastasia",
                    MatePattern::Arabian => "arabian",
                    MatePattern::Boden => "boden",
                    MatePattern::Epaulette => "epaulette",
                    MatePattern::Opera => "opera",
                };
                voice.say("named-mate", [("name", name.into())])
            }
            Motif::Zugzwang { proved, .. } => {
                let player = voice.player(self.after.side_to_move());
                let proof = if proved { "proved" } else { "seen" };
                voice.say("zugzwang", [("player", player), ("proof", proof.into())])
            }
            Motif::BackRankMate { king, .. } => voice.say("back-rank-mate", [self.now("king", king)]),
            Motif::StalemateTrick { square } => {
                let piece = self.after.piece_on(square).map_or(PieceType::Pawn, |p| p.kind());
                voice.say("stalemate-trick", [("piece", voice.the(piece))])
            }
            Motif::Perpetual { .. } => voice.say("perpetual", []),
            Motif::LosesCastling {
                king_side,
                queen_side,
            } => {
                let wing = match (king_side, queen_side) {
                    (true, false) => "king",
                    (false, true) => "queen",
                    _ => "both",
                };
                voice.say("loses-castling", [("wing", wing.into())])
            }
            Motif::Promotion { square, piece } => voice.say("promotion", [a(piece), at(square)]),
            Motif::Underpromotion { piece, reason, .. } => {
                let reason = match reason {
                    Underpromotion::Mates => "mates",
                    Underpromotion::Checks => "checks",
                    Underpromotion::AvoidsStalemate => "avoids-stalemate",
                    Underpromotion::AvoidsTrick => "avoids-trick",
                };
                voice.say("underpromotion", [a(piece), ("reason", reason.into())])
            }
            Motif::UnstoppablePawn { pawn } => voice.say("unstoppable-pawn", [self.now("pawn", pawn)]),
            _ => String::new(),
        }
    }
}

/// The kinds that are counted, in the order of [`Counts`], the dearest last.
const KINDS: [PieceType; 5] = [
    PieceType::Pawn,
    PieceType::Knight,
    PieceType::Bishop,
    PieceType::Rook,
    PieceType::Queen,
];

/// "wins a rook for a knight", said of the first move of the line by whoever plays it. The loser loses what the winner
/// wins, and allows what the winner promotes to.
fn material(voice: &Voice, line: &Line, motif: &Motif) -> String {
    let Motif::Material {
        winner,
        won,
        lost,
        promoted,
        ..
    } = motif
    else {
        return String::new();
    };
    let net = Net::of(*won, *lost, *promoted);
    let gains = *winner == line.mover(0);
    let said = if net.is_exchange() {
        voice.say(if gains { "wins-exchange" } else { "loses-exchange" }, [])
    } else {
        exchanged(voice, &net, gains)
    };
    let taken = line
        .at(0)
        .filter(|m| line.len() == 1 && m.is_capture())
        .map(Move::to);
    if let Some(square) = taken.filter(|_| gains && is_level(line.end(), *winner)) {
        return voice.say("takes-level", [("piece", voice.on(line.start(), square))]);
    }
    // what only makes up for a deficit levels the material, whether the moves before are known or not
    if is_level(line.end(), *winner) {
        return voice.say(if gains { "levels" } else { "is-level" }, [("said", said.into())]);
    }
    said
}

/// Whether both sides have as much, and who has just won something has no more to win by captures.
fn is_level(end: &Position, winner: Color) -> bool {
    exchange::balance(end, winner) == 0 && (end.side_to_move() != winner || exchange::keeps(end, !winner, 0))
}

/// What is taken, given and promoted to.
fn exchanged(voice: &Voice, net: &Net, gains: bool) -> String {
    let [taken, given, new] = [
        named(voice, &net.won),
        named(voice, &net.lost),
        net.promotions(voice),
    ];
    // what is given is given for the greater part of what is had
    let is_for_the_new = !new.is_empty() && worth_of(&net.lost) > worth_of(&net.won);
    let given = Some(voice.list(&given)).filter(|given| !given.is_empty());
    let [for_taken, for_new] = match is_for_the_new || taken.is_empty() {
        true => [None, given],
        false => [given, None],
    };
    let mut said = Vec::new();
    if !taken.is_empty() {
        let taken = voice.list(&taken);
        said.push(match (gains, for_taken) {
            (true, None) => voice.say("wins", [("won", taken.into())]),
            (true, Some(given)) => voice.say("wins-for", [("won", taken.into()), ("lost", given.into())]),
            (false, None) => voice.say("loses", [("lost", taken.into())]),
            (false, Some(given)) => voice.say("loses-for", [("lost", taken.into()), ("won", given.into())]),
        });
    }
    if !new.is_empty() {
        let new = ("won", voice.list(&new).into());
        said.push(match (gains, for_new) {
            (true, None) => voice.say("gets", [new]),
            (true, Some(given)) => voice.say("gets-for", [new, ("lost", given.into())]),
            (false, None) => voice.say("allows", [new]),
            (false, Some(given)) => voice.say("allows-for", [new, ("lost", given.into())]),
        });
    }
    voice.list(&said)
}

fn worth_of(counts: &Counts) -> i32 {
    let pieces = KINDS.iter().zip(counts);
    pieces
        .map(|(&kind, &count)| exchange::worth(kind) * i32::from(count))
        .sum()
}

/// The material that changed hands, after cancelling what both sides took alike.
struct Net {
    won: Counts,
    lost: Counts,
    promoted: Counts,
}

impl Net {
    fn of(mut won: Counts, mut lost: Counts, mut promoted: Counts) -> Net {
        let strike = |a: &mut u8, b: &mut u8| {
            let alike = (*a).min(*b);
            *a -= alike;
            *b -= alike;
        };
        for kind in 0..KINDS.len() {
            strike(&mut won[kind], &mut lost[kind]);
            strike(&mut promoted[kind], &mut lost[kind]);
        }
        let (knight, bishop) = (1, 2);
        for (ours, theirs) in [(knight, bishop), (bishop, knight)] {
            strike(&mut won[ours], &mut lost[theirs]);
        }
        Net { won, lost, promoted }
    }

    /// A rook for a knight or bishop.
    fn is_exchange(&self) -> bool {
        let [pawns, knights, bishops, rooks, queens] = self.lost;
        let minor = (pawns, knights + bishops, rooks, queens) == (0, 1, 0, 0);
        self.won == [0, 0, 0, 1, 0] && minor && self.promoted == [0; 5]
    }

    /// What the winner's pawns became and are still.
    fn promotions(&self, voice: &Voice) -> Vec<String> {
        let new = |kind: usize| {
            let piece = ("kind", name(KINDS[kind]).into());
            (0..self.promoted[kind]).map(move |_| voice.say("new-piece", once(piece.clone())))
        };
        (0..KINDS.len()).rev().flat_map(new).collect()
    }
}

/// "two rooks", "a pawn".
fn named(voice: &Voice, counts: &Counts) -> Vec<String> {
    let pieces = KINDS.iter().zip(counts).rev();
    pieces
        .filter(|&(_, &count)| count > 0)
        .map(|(&kind, &count)| voice.counted(kind, count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_is_not_level_where_more_is_to_be_taken() {
        // White's pawn could take the bishop on f3
        let level = |fen, winner| is_level(&Position::from_fen(fen).unwrap(), winner);
        assert!(level("4k3/p7/8/8/8/2b5/P7/4KB2 w - - 0 1", Color::White));
        assert!(!level("4k3/p7/8/8/8/5b2/6P1/4KN2 w - - 0 1", Color::White));
        assert!(level("4k3/p7/8/8/8/5b2/6P1/4KN2 b - - 0 1", Color::White));
    }
}
