//! What a pass would allow: the threat that stood before a move, the one that it makes, and what becomes of whoever takes
//! what it offers. Each is a line of its own, whose claims have their checkers.

use super::change::Change;
use super::check::exchange;
use super::claim::{Claim, Motif};
use super::course::{Course, READ, SMALL};
use super::endings;
use super::explanation::{Assessment, Reason, Role, Said};
use super::judge::{Finding, Judge, Question};
use super::line::{Line, ends};
use super::offer::{Offer, SEEN, SMALL_BAIT, stalemate};
use super::reasons::{achieves, claimed};
use super::theme::Theme;
use crate::board::{Move, Piece, PieceType, Position, Square};
use std::cell::OnceCell;

/// A threat is worth a sentence if not answering it costs this much.
const COSTS: f64 = 0.15;

/// To move costs so much more than to pass, in a zugzwang that is told.
const ZUGZWANG: f64 = 0.25;

/// The same where there are more pieces than few, so that a search is less to be relied on.
const ZUGZWANG_OF_MANY: f64 = 0.35;

/// A threat that is met gains within so many plies; in pawn endings it may take longer.
const PREVENTED: usize = 7;

/// Where it would decide the game …
pub const DECIDES: f64 = 0.6;

/// … it gains within so many.
const FAR: usize = 9;

/// A mate within so many plies is a threat where the game is won anyway, and so is a gain by checks and captures alone.
const IN_SIGHT: usize = 13;

/// A threat that is made gains within so many plies.
const THREATENED: usize = 5;

/// What a threat brings beyond its first capture, for it to be another one.
const MORE: i32 = 50;

/// A move whose surroundings are looked at, and what it is worth to its player.
pub struct Moment<'a> {
    /// Where it is played, with the nodes of a verdict.
    pub question: Question<'a>,
    /// The move.
    pub m: Move,
    /// What the move is worth.
    pub worth: Assessment,
    /// The answer that is expected.
    pub answer: Option<Move>,
    /// What a pass after the move shows, once it has been asked for.
    pub next: OnceCell<Option<Passed>>,
}

impl Moment<'_> {
    /// What the opponent would have done if the move had been passed; none where the player is in check.
    pub fn before(&self, judge: &mut dyn Judge) -> Option<Passed> {
        Passed::search(&self.question.position.passed()?, &self.question, judge)
    }

    /// That a pawn which may be taken where it has gone makes way for a piece.
    pub fn makes_way(&self, judge: &mut dyn Judge) -> Option<Reason> {
        let m = self.m;
        if m.piece().kind() != PieceType::Pawn || m.is_capture() {
            return None;
        }
        let after = self.question.position.after(m);
        let takes = after.legal_moves().into_iter();
        let taking = takes
            .into_iter()
            .filter(|taking| taking.is_capture() && taking.to() == m.landing())
            .min_by_key(|taking| exchange::worth(taking.piece().kind()))?;
        let found = judge.search(&Question {
            position: &after.after(taking),
            history: &[],
            moves: &[],
            nodes: self.question.share(),
        });
        let moves = [&[m, taking][..], &found.line].concat();
        let line = super::verdict::line_of(self.question.position, &moves);
        [3, 5]
            .into_iter()
            .filter(|&plies| plies <= line.len())
            .find_map(|plies| {
                let line = line.prefix(plies);
                // queens have other ways
                let is_queen = |piece: Piece| piece.kind() == PieceType::Queen;
                if line.end().piece_on(m.from()).is_some_and(is_queen) {
                    return None;
                }
                let change = Change::Theme {
                    theme: Theme::MakesWay,
                    color: line.mover(0),
                    square: m.from(),
                    other: None,
                };
                super::check::confirms_change(&line, &change).then_some(Reason {
                    role: Role::Achieves,
                    said: Said::Change(change),
                    line,
                    way_out: None,
                    made_by: None,
                })
            })
    }

    /// What the opponent would have done if the move had been passed, where that costs much more than the move.
    pub fn threat_before(&self, passed: &Passed, judge: &mut dyn Judge) -> Option<Reason> {
        let threat = self.threat(passed, judge)?;
        let cost = self.worth.expected + threat.worth.expected;
        let plies = if cost >= DECIDES { FAR } else { PREVENTED };
        let runs = endings::has_few_pieces(&passed.position) && threat.promotes() && threat.is_seen(READ);
        let threat = threat.told_within(plies);
        let is_seen = threat.is_seen(plies) || runs || endings::is_pawn_ending(&passed.position);
        let threat = threat.reason(Role::Prevents)?;
        // who can still play the move after the threat has not met it by the move
        let is_late = threat.line.at(1).is_some_and(|m| ends(m) == ends(self.m));
        (is_seen && cost >= COSTS && !is_late && !self.still_threatens(&threat)).then_some(threat)
    }

    /// Whether the first move of a threat is the answer that is expected all the same, or wins as much after the move as
    /// before it.
    fn still_threatens(&self, threat: &Reason) -> bool {
        let after = self.question.position.after(self.m);
        let Some(first) = threat.line.at(0) else {
            return false;
        };
        if !first.is_capture() {
            let checks_no_more = threat.line.after(0).in_check() && !after.after(first).in_check();
            // a pawn that goes on may be caught now
            let promotes = threat.motif().is_some_and(promotes);
            return self.answer == Some(first) && !checks_no_more && !promotes;
        }
        let wins = |position: &Position| exchange::wins_by(position, first.from(), first.to());
        let before = wins(threat.line.start());
        // a capture that is worth more than what it takes is a threat of its own
        let is_more = match threat.motif() {
            Some(Motif::Material { centipawns, .. }) => *centipawns > before + MORE,
            _ => false,
        };
        before > 0 && wins(&after) >= before && !(is_more && self.answer != Some(first))
    }

    /// What the player would do next if the opponent passed; none where the move gives check.
    pub fn after_pass(&self, judge: &mut dyn Judge) -> Option<&Passed> {
        let search = || {
            let after = self.question.position.after(self.m);
            Passed::search(&after.passed()?, &self.question, judge)
        };
        self.next.get_or_init(search).as_ref()
    }

    fn offer(&self) -> Offer<'_> {
        Offer {
            question: self.question,
            m: self.m,
            answer: self.answer,
            worth: Some(self.worth.expected),
            seen: SEEN,
        }
    }

    /// What the player would gain if the opponent passed.
    pub fn threat(&self, passed: &Passed, judge: &mut dyn Judge) -> Option<Threat> {
        Threat::of(passed, &self.question, judge)
    }

    /// What becomes of an opponent who answers like this, if the player gains something by it.
    pub fn gains_after(&self, answer: Move, judge: &mut dyn Judge) -> Option<Line> {
        self.offer().outcome(vec![self.m, answer], judge)
    }

    /// A threat that the move makes, where it brings much more than the move has.
    pub fn told_threat(&self, threat: Threat) -> Option<Reason> {
        let threat = threat.told_within(THREATENED);
        let gain = threat.worth.expected - self.worth.expected;
        let is_seen = threat.is_seen(THREATENED)
            || threat.is_by_checks() && threat.is_seen(PREVENTED)
            || threat.is_by_force() && threat.is_seen(IN_SIGHT);
        // a mate in sight is the threat also of who wins anyway
        let is_more = gain >= COSTS || threat.mates_within(IN_SIGHT);
        let is_trade = threat
            .course
            .line
            .at(0)
            .is_some_and(|first| self.is_mutual(first));
        threat
            .reason(Role::Threatens)
            .filter(|_| is_seen && is_more && !is_trade)
    }

    /// Whether a rook or queen takes one that could take it as well.
    fn is_mutual(&self, taking: Move) -> bool {
        let after = self.question.position.after(self.m);
        let kind = taking.piece().kind();
        let same = after
            .piece_on(taking.to())
            .is_some_and(|taken| taken.kind() == kind);
        let is_back = |m: &Move| (m.from(), m.to()) == (taking.to(), taking.from());
        matches!(kind, PieceType::Rook | PieceType::Queen)
            && taking.is_capture()
            && same
            && after.legal_moves().iter().any(is_back)
    }

    /// The threat that the move makes, where it is told.
    pub fn threatens(&self, judge: &mut dyn Judge) -> Option<Reason> {
        let threat = self.threat(self.after_pass(judge)?, judge)?;
        self.told_threat(threat)
    }

    /// The threat to uncover an attack on the queen, or to offer the piece that then moves, which the opponent could not take
    /// either, where that brings much more than the move has.
    pub fn threatened_offer(&self, passed: &Passed, judge: &mut dyn Judge) -> Option<Reason> {
        let stands_badly = self.worth.expected < -Assessment::SLIGHTLY_BETTER;
        if stands_badly || passed.worth() - self.worth.expected < COSTS {
            return None;
        }
        let m = passed.wanted()?;
        if let Some(uncovered) = uncovers(&passed.position, &passed.answer) {
            return Some(uncovered);
        }
        let offer = Offer {
            question: Question {
                position: &passed.position,
                history: &[],
                ..self.question
            },
            m,
            answer: passed.answer.line.get(1).copied(),
            worth: None,
            seen: SEEN,
        };
        // who takes as much as may be taken offers nothing
        let takes = exchange::takings(&passed.position, m);
        let is_offer = takes < exchange::worth(m.piece().kind());
        let bait = offer
            .bait()
            .filter(|(_, taking)| is_offer && taking.to() == m.landing())?;
        let (_, reason) = offer.taken_by(bait, judge)?;
        Some(Reason {
            role: Role::Threatens,
            ..reason
        })
    }

    /// That the opponent would be better off without a move, where that makes so much of a difference that the
    /// short search of it can be believed.
    pub fn zugzwang(&self, passed: &Passed) -> Option<Reason> {
        let line = super::verdict::line_of(self.question.position, &[self.m]);
        let end = line.end();
        let cost = self.worth.expected - passed.worth();
        let least = if endings::has_few_pieces(end) {
            ZUGZWANG
        } else {
            ZUGZWANG_OF_MANY
        };
        // where a rule says draw, the score of the other search says nothing
        if cost < least || endings::is_drawn(end) {
            return None;
        }
        let king = end.king(end.side_to_move());
        achieves(Motif::Zugzwang { king, proved: false }, line)
    }

    /// What becomes of an opponent who takes what the move leaves to be taken, where that is not the expected answer.
    /// With it comes what the capture seems to win.
    pub fn poisoned(&self, judge: &mut dyn Judge) -> Option<(i32, Reason)> {
        let offer = self.offer();
        let (kind, square) = (self.m.piece().kind(), self.m.landing());
        let bait = offer.bait();
        // what seems to hang is the greater offer, but not beside a queen
        if (bait.is_none() || kind == PieceType::Queen)
            && let Some(line) = offer.mated_for_trading()
        {
            let reason = achieves(Motif::CannotTake { square }, line)?;
            return Some((exchange::worth(kind), reason));
        }
        let bait = bait?;
        // a rook or a queen that stays where it is attacked is always worth a word
        if bait.0 < SMALL_BAIT
            && (self.is_guarded(bait.1.to()) || self.m.is_capture())
            && self.failed_before(bait.1, judge)
        {
            return None;
        }
        offer.taken_by(bait, judge)
    }

    /// What becomes of an opponent who takes back later in a line, where that is natural and not expected.
    pub fn taking_back_fails_in(&self, line: &Line, judge: &mut dyn Judge) -> Option<Reason> {
        self.offer().taking_back_fails_in(line, judge)
    }

    /// Whether the player guards a square after the move: what nothing guards seems to hang, also if it did so before.
    fn is_guarded(&self, square: Square) -> bool {
        let position = self.question.position;
        position
            .after(self.m)
            .attacked_by(position.side_to_move())
            .has(square)
    }

    /// Whether the opponent could have made the capture before the move as well, and would have had no more of it than of
    /// the move.
    fn failed_before(&self, taking: Move, judge: &mut dyn Judge) -> bool {
        let Some((passed, same)) = same_before(self.question.position, taking) else {
            return false;
        };
        let Some(&same) = same.first() else {
            return false;
        };
        let worth = Passed::only(&passed, same, &self.question, judge).worth();
        worth + self.worth.expected < COSTS
    }

    /// That taking what the player offers in a line is stalemate.
    pub fn stalemate_in(&self, line: &Line) -> Option<Reason> {
        (0..line.len()).step_by(2).find_map(|ply| {
            let offered = line.moves()[ply].landing();
            let moves = line.after(ply).legal_moves();
            let taking = moves.into_iter().find(|m| m.is_capture() && m.to() == offered)?;
            stalemate(
                self.question.position,
                &[&line.moves()[..=ply], &[taking]].concat(),
            )
        })
    }
}

/// A position in which the player passes, and a capture of the opponent there, by the piece or promotion that it may be.
pub fn same_before(position: &Position, taking: Move) -> Option<(Position, Vec<Move>)> {
    let passed = position.passed()?;
    let same = |m: &Move| m.is_capture() && ends(*m) == ends(taking);
    let captures = passed.legal_moves().into_iter().filter(same).collect();
    Some((passed, captures))
}

/// Whether the opponent of the side to move could make the same capture if that side passed, and would win something by it.
pub fn hangs_anyway(position: &Position, taking: Move) -> bool {
    let before = same_before(position, taking);
    before.is_some_and(|(passed, same)| same.iter().any(|&m| exchange::value_of(&passed, m) > 0))
}

/// That the move which is found for the player, who is to move, uncovers an attack on a queen.
fn uncovers(position: &Position, answer: &Finding) -> Option<Reason> {
    let line = super::verdict::line_of(position, answer.line.get(..1)?);
    let is_queen = |target| {
        let man = position.piece_on(target);
        man.is_some_and(|man| man.kind() == PieceType::Queen)
    };
    let is_it = |claim: &Claim| {
        claim.ply == 0 && matches!(claim.motif, Motif::DiscoveredAttack { target, .. } if is_queen(target))
    };
    let claim = super::claims(&line).into_iter().find(is_it)?;
    claimed(Role::Threatens, claim, line)
}

/// What the search finds for the side that is to move because the other one passed.
pub struct Passed {
    /// Where that side is to move.
    pub position: Position,
    answer: Finding,
}

impl Passed {
    /// The move that is found.
    pub fn wanted(&self) -> Option<Move> {
        self.answer.line.first().copied()
    }

    /// Whether that side takes what stands on this square with one of its next two moves.
    pub fn takes(&self, square: Square) -> bool {
        let mut theirs = self.answer.line.iter().step_by(2).take(2);
        theirs.any(|m| m.is_capture() && m.to() == square)
    }

    /// What the move that is found is worth to that side.
    pub fn worth(&self) -> f64 {
        Assessment::of(self.answer.score).expected
    }

    /// The moment of the move that is found, which begins this course.
    pub fn moment(&self, question: &Question, course: &Course) -> Option<Moment<'_>> {
        Some(Moment {
            question: Question {
                position: &self.position,
                history: &[],
                moves: &[],
                nodes: question.nodes,
            },
            m: course.line.at(0)?,
            worth: Assessment::of(self.answer.score),
            answer: course.line.at(1),
            next: OnceCell::new(),
        })
    }

    /// Where the move that is found leads.
    pub fn course(&self, question: &Question, judge: &mut dyn Judge) -> Course {
        let asked = Question {
            position: &self.position,
            history: &[],
            moves: &[],
            nodes: question.share(),
        };
        Course::follow(&asked, &self.answer, judge)
    }

    /// The same if that side has to make this move.
    pub fn only(position: &Position, m: Move, question: &Question, judge: &mut dyn Judge) -> Passed {
        Passed::with(position, &[m], question, judge)
    }

    /// The same of these moves; of all where there are none.
    fn with(position: &Position, moves: &[Move], question: &Question, judge: &mut dyn Judge) -> Passed {
        let answer = judge.search(&Question {
            position,
            history: &[],
            moves,
            nodes: question.share(),
        });
        Passed {
            position: *position,
            answer,
        }
    }

    fn search(position: &Position, question: &Question, judge: &mut dyn Judge) -> Option<Passed> {
        if !position.has_moves() {
            return None;
        }
        let mut passed = Passed::with(position, &[], question, judge);
        if let Some(mate) = super::check::mates::short(position) {
            passed.answer.score = crate::nets::score::mate_in(mate.len());
            passed.answer.line = mate;
        }
        Some(passed)
    }
}

/// A line that begins after a pass and gains something.
pub struct Threat {
    course: Course,
    worth: Assessment,
}

/// Whether a gain of material has a pawn's promotion in it.
fn promotes(motif: &Motif) -> bool {
    matches!(motif, Motif::Material { promoted, .. } if promoted.iter().any(|&count| count > 0))
}

/// Whether the little that a course gains is a man that the other side has put there without need.
fn is_walked_into(course: &Course) -> bool {
    let moves = course.telling();
    let taking = (0..moves.len())
        .rev()
        .find(|&ply| ply % 2 == 0 && moves.moves()[ply].is_capture());
    let puts = |taken: usize| {
        let target = moves.moves()[taken].to();
        (1..taken).step_by(2).any(|ply| {
            let m = moves.moves()[ply];
            m.landing() == target && !m.is_capture() && !moves.before(ply).in_check()
        })
    };
    course.gain < SMALL && taking.is_some_and(puts)
}

impl Threat {
    fn of(passed: &Passed, question: &Question, judge: &mut dyn Judge) -> Option<Threat> {
        let course = passed.course(question, judge);
        (course.gain > 0 && !is_walked_into(&course)).then_some(Threat {
            course,
            worth: Assessment::of(passed.answer.score),
        })
    }

    /// Whether it is short enough to be called a threat: it mates, or gains within so many plies.
    fn is_seen(&self, plies: usize) -> bool {
        self.course.mates() || self.is_within(plies)
    }

    /// The same threat; where what it gains takes more plies than so many, with the piece that it wins within them.
    fn told_within(mut self, plies: usize) -> Threat {
        if !self.is_seen(plies)
            && let Some(sooner) = self.course.piece_within(plies)
        {
            self.course.outcome = Some(sooner);
        }
        self
    }

    /// Whether it begins with two checks.
    fn is_by_checks(&self) -> bool {
        let line = &self.course.line;
        line.len() > 2 && [0, 2].into_iter().all(|ply| line.after(ply).in_check())
    }

    /// Whether it begins with two checks and goes on with checks and captures.
    fn is_by_force(&self) -> bool {
        let forces = |line: &Line| {
            (0..line.len())
                .step_by(2)
                .all(|ply| line.moves()[ply].is_capture() || line.after(ply).in_check())
        };
        let outcome = self.course.outcome.as_ref();
        self.is_by_checks() && outcome.is_some_and(|(_, line)| forces(line))
    }

    /// Whether a pawn is promoted by it.
    fn promotes(&self) -> bool {
        let outcome = self.course.outcome.as_ref();
        outcome.is_some_and(|(claim, _)| promotes(&claim.motif))
    }

    fn mates_within(&self, plies: usize) -> bool {
        self.course.mates() && self.is_within(plies)
    }

    fn is_within(&self, plies: usize) -> bool {
        let outcome = self.course.outcome.as_ref();
        outcome.is_some_and(|(_, line)| line.len() <= plies)
    }

    fn reason(self, role: Role) -> Option<Reason> {
        let (claim, line) = self.course.outcome?;
        Some(Reason {
            role,
            said: Said::Claim(claim),
            line,
            way_out: None,
            made_by: None,
        })
    }
}
