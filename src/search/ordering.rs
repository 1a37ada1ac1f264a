//! The order in which moves are tried: the table's move, captures that win material, the killer, quiet moves by
//! history, captures that lose material. Moves are generated kind by kind and picked one at a time, for the first often
//! suffices.

use super::checks::Checks;
use super::history::{Context, Histories, victim};
use super::params::*;
use super::tt::find_move;
use crate::board::{MAX_MOVES, Move, MoveList, PieceType, Position, Wanted};
use arrayvec::ArrayVec;

/// Worth of a captured piece in the order, in pawns, by kind.
const VICTIM: [i32; 6] = [1, 3, 3, 5, 9, 0];
/// Subtracted from the score of a promotion to a lesser piece, which is almost never the best move: more than any capture
/// is worth, so that it stands below them all.
const LESSER_PROMOTION: i32 = 1 << 20;

/// A move with what the order knows about it.
#[derive(Clone, Copy, Debug)]
pub struct Picked {
    pub m: Move,
    /// Whether static exchange evaluation says that it keeps the material even (quiet moves are not asked).
    pub is_good: bool,
}

/// Which moves of a node to try, and what is known of their order before any of them is generated.
#[derive(Clone, Copy, Debug)]
pub struct MoveOrder {
    /// All moves, or captures and promotions alone.
    pub wanted: Wanted,
    /// The table's move in its short form, 0 for none.
    pub table_move: u16,
    /// A quiet move that failed high in a sibling.
    pub killer: Option<Move>,
    /// Captures below this exchange value are bad, in centipawns.
    pub threshold: i32,
    /// Whether captures that stand high in the order may lose some material and be good.
    pub lenient: bool,
}

impl MoveOrder {
    /// The order of moves of which nothing is known.
    pub fn of(wanted: Wanted) -> MoveOrder {
        MoveOrder {
            wanted,
            table_move: 0,
            killer: None,
            threshold: 0,
            lenient: false,
        }
    }
}

/// What a [`Picker`] does next.
#[derive(Clone, Copy, Debug)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    Killer,
    GenerateQuiets,
    Quiets,
    BadCaptures,
}

/// Hands out the moves of one node in order.
pub struct Picker {
    order: MoveOrder,
    context: Context,
    checks: Checks,
    stage: Stage,
    /// The table's move, once it was found to be legal.
    first: Option<Move>,
    /// Of the quiet moves only those that give check are wanted.
    only_checks: bool,
    /// The captures that turned out bad, in their order, then the moves of the present stage.
    moves: MoveList,
    /// The sort key of each, see [`key`].
    keys: ArrayVec<i32, MAX_MOVES>,
    /// How many captures turned out bad.
    bad: usize,
    /// Where the moves are that have not had their turn.
    next: usize,
}

impl Picker {
    /// Hands out the moves of a node with this context; it must be asked about one position alone.
    #[inline]
    pub fn new(order: MoveOrder, context: Context) -> Picker {
        Picker {
            order,
            context,
            checks: Checks::default(),
            stage: Stage::TableMove,
            first: None,
            only_checks: false,
            moves: MoveList::new(),
            keys: ArrayVec::new(),
            bad: 0,
            next: 0,
        }
    }

    /// The table's move in its short form, 0 for none.
    #[inline]
    pub fn table_move(&self) -> u16 {
        self.order.table_move
    }

    /// The history of a move of the node, as a quiet move or as a capture.
    #[inline]
    pub fn history(&self, position: &Position, m: Move, histories: &Histories) -> i32 {
        histories.of(position, m, &self.context)
    }

    /// Whether the moved piece itself will attack the enemy king.
    #[inline]
    pub fn gives_check(&self, position: &Position, m: Move) -> bool {
        self.checks.has(position, m)
    }

    /// The next move, the best of those that are left.
    pub fn next(&mut self, position: &Position, histories: &Histories) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateCaptures;
                    self.first = self.legal_table_move(position);
                    if let Some(m) = self.first {
                        return Some(Picked { m, is_good: true });
                    }
                }
                Stage::GenerateCaptures => {
                    self.stage = Stage::GoodCaptures;
                    self.generate_captures(position, histories);
                }
                Stage::GoodCaptures => {
                    if let Some(m) = self.next_good_capture(position) {
                        return Some(Picked { m, is_good: true });
                    }
                    self.end_good_captures();
                }
                Stage::Killer => {
                    self.stage = Stage::GenerateQuiets;
                    if let Some(m) = self.legal_killer(position) {
                        return Some(Picked { m, is_good: true });
                    }
                }
                Stage::GenerateQuiets => {
                    self.stage = Stage::Quiets;
                    self.generate_quiets(position, histories);
                }
                Stage::Quiets => {
                    if let Some((m, _)) = self.take_best() {
                        return Some(Picked { m, is_good: true });
                    }
                    self.stage = Stage::BadCaptures;
                    self.next = 0;
                }
                Stage::BadCaptures => {
                    let m = *self.moves[..self.bad].get(self.next)?;
                    self.next += 1;
                    return Some(Picked { m, is_good: false });
                }
            }
        }
    }

    /// Leaves out the quiet moves that have not had their turn, but for those that give check.
    pub fn retain_checks(&mut self, position: &Position) {
        self.only_checks = true;
        if !matches!(self.stage, Stage::Quiets) {
            return;
        }
        let mut kept = self.next;
        for index in self.next..self.moves.len() {
            let m = self.moves[index];
            if self.checks.has(position, m) {
                self.moves[kept] = m;
                self.keys[kept] = key(score_of(self.keys[index]), kept);
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.keys.truncate(kept);
    }

    fn legal_table_move(&self, position: &Position) -> Option<Move> {
        if self.order.table_move == 0 {
            return None;
        }
        let m = find_move(position, self.order.table_move)?;
        (self.order.wanted == Wanted::All || !m.is_quiet()).then_some(m)
    }

    fn legal_killer(&self, position: &Position) -> Option<Move> {
        let killer = self.order.killer.filter(|_| self.order.killer != self.first)?;
        (position.find_move(killer.from(), killer.to(), None) == Some(killer)).then_some(killer)
    }

    fn generate_captures(&mut self, position: &Position, histories: &Histories) {
        position.add_moves(Wanted::Noisy, &mut self.moves);
        for place in 0..self.moves.len() {
            let m = self.moves[place];
            if Some(m) != self.first {
                let score = histories.capture(position, m) + gain(position, m);
                self.keep(m, score - reluctance(m));
            }
        }
        self.moves.truncate(self.keys.len());
    }

    /// The best capture that is left and keeps enough material; those before it that do not are put aside. Exchanges are
    /// worked out only for captures whose turn has come.
    fn next_good_capture(&mut self, position: &Position) -> Option<Move> {
        while let Some((m, score)) = self.take_best() {
            if score > -LESSER_PROMOTION / 2 && position.see_at_least(m, self.least_exchange(score)) {
                return Some(m);
            }
            // at most the place that the capture has just left
            self.moves[self.bad] = m;
            self.bad += 1;
        }
        None
    }

    fn end_good_captures(&mut self) {
        self.moves.truncate(self.bad);
        self.keys.truncate(self.bad);
        (self.stage, self.next) = match self.order.wanted == Wanted::All {
            true => (Stage::Killer, self.bad),
            false => (Stage::BadCaptures, 0),
        };
    }

    fn generate_quiets(&mut self, position: &Position, histories: &Histories) {
        position.add_moves(Wanted::Quiet, &mut self.moves);
        for place in self.bad..self.moves.len() {
            let m = self.moves[place];
            let had_its_turn = Some(m) == self.first || Some(m) == self.order.killer;
            if had_its_turn || self.only_checks && !self.checks.has(position, m) {
                continue;
            }
            let score = histories.quiet(m, &self.context) + self.urgency(position, m, histories);
            self.keep(m, score - reluctance(m));
        }
        self.moves.truncate(self.keys.len());
    }

    /// What speaks for trying a quiet move early besides its history.
    #[inline]
    fn urgency(&self, position: &Position, m: Move, histories: &Histories) -> i32 {
        let is_safe_check = self.checks.has(position, m) && position.see_at_least(m, -check_loss());
        histories.low_ply(m, &self.context)
            + escape_bonus() * self.context.escapes(m)
            + when(is_safe_check, check_bonus())
    }

    /// Keeps a generated move behind those that are kept already, until its turn comes.
    #[inline]
    fn keep(&mut self, m: Move, score: i32) {
        let place = self.keys.len();
        self.moves[place] = m;
        self.keys.push(key(score, place));
    }

    /// The exchange value that a capture with this score must reach to be good, in centipawns.
    #[inline]
    fn least_exchange(&self, score: i32) -> i32 {
        self.order.threshold - when(self.order.lenient, score / capture_see_divisor())
    }

    /// The move with the highest key of those that are left, and its score.
    #[inline]
    fn take_best(&mut self) -> Option<(Move, i32)> {
        let rest = self.keys.get(self.next..).filter(|rest| !rest.is_empty())?;
        let best = rest.iter().fold(i32::MIN, |best, &key| best.max(key));
        let place = place_of(best);
        let m = self.moves[place];
        self.moves[place] = self.moves[self.next];
        self.keys[place] = key(score_of(self.keys[self.next]), place);
        self.next += 1;
        Some((m, score_of(best)))
    }
}

/// Bits of a sort key that hold a place in the list.
const PLACE_BITS: u32 = MAX_MOVES.ilog2();

/// A move's score above its place in the list: so the greatest key tells where the move is, and the search for it needs no
/// branches. Of equal scores the first in the list has the greatest key.
#[inline]
fn key(score: i32, place: usize) -> i32 {
    debug_assert!(score.abs() < 1 << (31 - PLACE_BITS), "a score of {score}");
    score << PLACE_BITS | (MAX_MOVES - 1 - place) as i32
}

#[inline]
fn score_of(key: i32) -> i32 {
    key >> PLACE_BITS
}

#[inline]
fn place_of(key: i32) -> usize {
    MAX_MOVES - 1 - (key as usize & (MAX_MOVES - 1))
}

/// Puts the king's steps, which are generated first, behind moves for which as much speaks.
#[inline]
fn reluctance(m: Move) -> i32 {
    (m.piece().kind() == PieceType::King && !m.is_castling()) as i32
}

/// What a capture or promotion gains at first sight, in the scale of histories.
fn gain(position: &Position, m: Move) -> i32 {
    let taken = when(m.is_capture(), VICTIM[victim(position, m).index()]);
    match m.promoted().map(|piece| piece.kind()) {
        None => taken * capture_pawn(),
        Some(PieceType::Queen) => (taken + VICTIM[PieceType::Queen.index()]) * capture_pawn(),
        Some(_) => taken * capture_pawn() - LESSER_PROMOTION,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::magics::splitmix;
    use crate::search::history::PieceTo;
    use crate::search::tt::short;
    use std::collections::HashSet;

    fn order(fen: &str, table_move: &str, killer: &str) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let moves = position.legal_moves();
        let find = |text: &str| moves.iter().copied().find(|m| m.to_uci(false) == text);
        let histories = Histories::default();
        let order = MoveOrder {
            table_move: find(table_move).map_or(0, short),
            killer: find(killer),
            ..MoveOrder::of(Wanted::All)
        };
        let mut picker = Picker::new(order, Context::default());
        std::iter::from_fn(|| picker.next(&position, &histories))
            .map(|picked| picked.m.to_uci(false))
            .collect()
    }

    #[test]
    fn every_move_once_and_the_best_kinds_first() {
        // Rxd5 and exd5 win a piece, Qxd5 wins less than it costs only if d5 is guarded: here by the pawn c6
        let fen = "4k3/8/2p5/3n4/4P3/8/3Q4/3RK3 w - - 0 1";
        let order = order(fen, "d2h6", "e1f1");
        let count = Position::from_fen(fen).unwrap().legal_moves().len();
        assert_eq!(order.len(), count);
        assert_eq!(order[0], "d2h6");
        assert_eq!(order[1], "e4d5");
        assert_eq!(order[2], "e1f1");
        assert_eq!(order[count - 1], "d2d5");
        let distinct: std::collections::HashSet<_> = order.iter().collect();
        assert_eq!(distinct.len(), count);
    }

    /// Where a move belongs: the number of its group, then how little speaks for it there.
    fn rank(
        position: &Position,
        m: Move,
        histories: &Histories,
        context: &Context,
        order: &MoveOrder,
    ) -> (i32, i32) {
        let checks = Checks::default();
        let lesser = m.promoted().is_some_and(|piece| piece.kind() != PieceType::Queen);
        let noisy = histories.capture(position, m) + gain(position, m) - reluctance(m);
        let allowed = when(order.lenient, noisy / capture_see_divisor());
        let loses = lesser || !position.see_at_least(m, order.threshold - allowed);
        let is_safe_check = checks.has(position, m) && position.see_at_least(m, -check_loss());
        let urgency = escape_bonus() * context.escapes(m) + when(is_safe_check, check_bonus());
        match m {
            m if short(m) == order.table_move => (0, 0),
            m if !m.is_quiet() && !loses => (1, -noisy),
            m if Some(m) == order.killer => (2, 0),
            m if m.is_quiet() => (3, -(histories.quiet(m, context) + urgency - reluctance(m))),
            _ => (4, -noisy),
        }
    }

    #[test]
    fn every_move_comes_in_its_turn() {
        let mut random = 7;
        let mut pick = |n: usize| splitmix(&mut random) as usize % n;
        let (mut positions, mut moves_seen) = (0, 0);
        for game in 0..40 {
            let mut position = Position::default();
            let mut histories = Histories::default();
            for ply in 0..100 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let context = Context::new(&position, 9, [PieceTo::NONE; 4]);
                for &m in &moves {
                    let bonus = pick(8_001) as i32 - 4_000;
                    match m.is_quiet() {
                        true => histories.update_quiet(m, &context, bonus),
                        false => histories.update_capture(&position, m, bonus),
                    }
                }
                let order = MoveOrder {
                    table_move: if pick(3) == 0 {
                        0
                    } else {
                        short(moves[pick(moves.len())])
                    },
                    killer: Some(moves[pick(moves.len())]).filter(|m| m.is_quiet()),
                    threshold: pick(401) as i32 - 200,
                    lenient: pick(2) == 0,
                    ..MoveOrder::of(Wanted::All)
                };
                let mut picker = Picker::new(order, context);
                let picked: Vec<Move> = std::iter::from_fn(|| picker.next(&position, &histories))
                    .map(|picked| picked.m)
                    .collect();
                let rank = |m: &Move| rank(&position, *m, &histories, &context, &order);
                assert!(
                    picked.is_sorted_by_key(rank),
                    "game {game}, ply {ply}: {position}"
                );
                let distinct: HashSet<Move> = picked.iter().copied().collect();
                assert_eq!(
                    distinct,
                    moves.iter().copied().collect(),
                    "game {game}, ply {ply}"
                );
                assert_eq!(distinct.len(), picked.len(), "game {game}, ply {ply}");
                (positions, moves_seen) = (positions + 1, moves_seen + moves.len());
                position = position.after(moves[pick(moves.len())]);
            }
        }
        assert!(
            positions > 2_000 && moves_seen > 40_000,
            "{positions} {moves_seen}"
        );
    }

    #[test]
    fn of_the_quiet_moves_only_checks_are_kept() {
        let position = Position::from_fen("4k3/8/2p5/3n4/4P3/8/Q7/3RK3 w - - 0 1").unwrap();
        let histories = Histories::default();
        let mut picker = Picker::new(MoveOrder::of(Wanted::All), Context::default());
        let first = picker.next(&position, &histories).unwrap();
        assert_eq!(first.m.to_uci(false), "e4d5");
        picker.retain_checks(&position);
        let rest: Vec<String> = std::iter::from_fn(|| picker.next(&position, &histories))
            .map(|picked| picked.m.to_uci(false))
            .collect();
        assert_eq!(rest[0], "a2a8");
        assert_eq!(rest.len(), 3, "the captures that lose material stay: {rest:?}");
    }

    #[test]
    fn of_the_quiet_moves_that_are_left_only_checks_are_kept() {
        let position = Position::from_fen("4k3/8/2p5/3n4/4P3/8/Q7/3RK3 w - - 0 1").unwrap();
        let (histories, checks) = (Histories::default(), Checks::default());
        let mut picker = Picker::new(MoveOrder::of(Wanted::All), Context::default());
        let pick = |picker: &mut Picker| picker.next(&position, &histories).map(|picked| picked.m);
        let first =
            std::iter::from_fn(|| pick(&mut picker)).find(|m| m.is_quiet() && !checks.has(&position, *m));
        assert!(first.is_some());
        picker.retain_checks(&position);
        let rest: Vec<Move> = std::iter::from_fn(|| pick(&mut picker)).collect();
        assert!(
            rest.iter().all(|&m| !m.is_quiet() || checks.has(&position, m)),
            "{rest:?}"
        );
        assert_eq!(
            rest.iter().filter(|m| !m.is_quiet()).count(),
            2,
            "the captures that lose material stay"
        );
    }

    #[test]
    fn underpromotions_come_last() {
        let order = order("8/P7/8/8/8/8/k6K/8 w - - 0 1", "", "");
        assert_eq!(order[0], "a7a8q");
        assert!(order[order.len() - 3..].iter().all(|m| m.starts_with("a7a8")));
    }
}
