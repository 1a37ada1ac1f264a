//! Confirms themes, square by square, by the definitions in [`crate::explain::theme`].

use super::exchange::{best, kind_on, seen_from, sees, worth_on};
use super::squares::{
    any, height, is_before, is_beyond_guard, is_central, is_held_from_pawns, is_king_on_a_wing, is_passed,
    king, men, origin, pawns_attack,
};
use crate::board::{Color, Move, PieceType, Position, Square};
use crate::explain::endings;
use crate::explain::line::Line;
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// Whether a theme is true of the first and the last position of a line.
pub(super) fn confirms(
    line: &Line,
    theme: Theme,
    color: Color,
    square: Square,
    other: Option<Square>,
) -> bool {
    if line.is_empty() {
        return false;
    }
    let scene = Scene {
        line,
        start: line.start(),
        end: line.end(),
        color,
        square,
        other: other.unwrap_or(square),
        was: origin(line, square),
    };
    match theme {
        Theme::Opposition
        | Theme::KeySquare
        | Theme::SquareOfPawn
        | Theme::RookPawnCorner
        | Theme::ActiveKing => scene.king_ending(theme),
        Theme::Shouldering => scene.shoulders(),
        Theme::TwoAims => scene.has_two_aims(),
        Theme::Decoys => scene.decoys(),
        Theme::KingBeforePawn => scene.king_before_pawn(),
        Theme::ChecksFromSide => scene.checks_from_side(),
        Theme::TakesCastling => scene.takes_castling(),
        Theme::HeadsForKeySquare | Theme::KeySquaresLost => scene.key_squares(theme),
        Theme::HeadsForCorner
        | Theme::KingShutIn
        | Theme::KingMarch
        | Theme::CentralKing
        | Theme::ShortSide
        | Theme::LongSide
        | Theme::DrivesKingOn
        | Theme::KingHelps
        | Theme::LetsKingIn => scene.king_plan(theme),
        Theme::Vancura => scene.vancura(),
        Theme::MinorityAttack => scene.minority_attack(),
        Theme::Majority | Theme::OffersBadBishop | Theme::BuriedBishop | Theme::BackwardPawn => {
            scene.pawn_play(theme)
        }
        Theme::WrongBishop => {
            let stands = |position: &Position| endings::wrong_bishop(position, !color).is_some();
            let holds = |position: &Position| endings::reaches_corner(position, !color);
            let is_new = holds(scene.end) && !holds(scene.start) || stands(scene.end) && !stands(scene.start);
            endings::wrong_corner(scene.end, !color) == Some(square) && is_new
        }
        Theme::Philidor | Theme::ChecksFromBehind | Theme::Lucena => scene.rook_ending(theme),
        Theme::ShutInRook => scene.shut_in_rook(),
        Theme::ConnectsRooks | Theme::BoxesKing => scene.coordination(theme),
        Theme::RookBehindPasser
        | Theme::StaysBehindPasser
        | Theme::CutOff
        | Theme::SeventhRank
        | Theme::DoublesRooks => scene.heavy(theme),
        Theme::Blockade | Theme::JoinsAttack | Theme::Pins => scene.piece(theme),
        Theme::OutsidePasser
        | Theme::PasserAdvances
        | Theme::ConnectedPassers
        | Theme::ProtectedPasser
        | Theme::Lever
        | Theme::CentrePawn
        | Theme::KeepsOut
        | Theme::PawnStorm => scene.pawn(theme),
        Theme::KingHunt => {
            let deep = |position: &Position| height(!color, king(position, !color));
            let has_queen = |position: &Position| !men(position, color, Queen).is_empty();
            let attackers = |position: &Position| {
                let count = |kind| men(position, color, kind).len();
                has_queen(position) || count(Rook) + count(Bishop) + count(Knight) >= 3
            };
            let driven = (0..line.len()).filter(|&ply| {
                let m = line.moves()[ply];
                line.mover(ply) != color
                    && m.piece().kind() == King
                    && line.before(ply).in_check()
                    && height(!color, m.landing()) >= 3
            });
            // without queens one step is no hunt
            let least = if has_queen(scene.start) { 1 } else { 2 };
            driven.count() >= least
                && deep(scene.start) <= 2
                && deep(scene.end) >= 3
                && king(scene.end, !color) == square
                && attackers(scene.start)
                && attackers(scene.end)
        }
        Theme::Triangulation => {
            let same = |square: Square| scene.start.piece_on(square) == scene.end.piece_on(square);
            endings::is_pawn_ending(scene.end)
                && Square::all().all(same)
                && scene.stands(King)
                && scene.start.side_to_move() == color
                && scene.end.side_to_move() != color
        }
        Theme::Breakthrough
        | Theme::PawnEnding
        | Theme::Simplifies
        | Theme::TradesQueens
        | Theme::TradesRooks
        | Theme::TradesBadBishop
        | Theme::BadBishop => scene.trade(theme),
        Theme::PawnsOnBishopColour => scene.pawns_on_bishop_colour(),
        Theme::Windmill => scene.windmill(),
        Theme::AvoidsPin => scene.avoids_pin(),
        Theme::MakesBishopMove => scene.makes_bishop_move(),
        Theme::GivesUpFile => scene.gives_up_file(),
        Theme::OutBeforePawn => scene.out_before_pawn(),
        Theme::GuardedPost
        | Theme::Clamps
        | Theme::FixesPawn
        | Theme::FixesPawns
        | Theme::PreparesPost
        | Theme::TriplesHeavy
        | Theme::AimsToDamage => scene.structure(theme),
        Theme::PutsOnBishopColour => scene.puts_on_bishop_colour(),
        Theme::GivesGoodBishop | Theme::GivesKingBishop | Theme::MendsPawn | Theme::GivesUpWedge => {
            scene.concession(theme)
        }
        Theme::TradeOpensFile => scene.trade_opens_file(),
        Theme::PreparesBattery => scene.prepares_battery(),
        Theme::AvoidsTrade => scene.avoids_trade(),
        Theme::QueenInCentre => scene.queen_in_centre(),
        Theme::KeepsGuard => scene.keeps_guard(),
        Theme::Castles => scene.castles(),
        Theme::BlocksPawn
        | Theme::EarlyQueen
        | Theme::MovesAgain
        | Theme::HitsQueen
        | Theme::CentreWithTempo
        | Theme::GivesUpCentre => scene.opening(theme),
        Theme::GainsTime => scene.gains_time(),
        Theme::DrivesBack => scene.drives_back(),
        Theme::Provokes => scene.provokes(),
        Theme::ClearsSquare => scene.clears_square(),
        Theme::PressesGuard
        | Theme::DrivesGuard
        | Theme::PreparesPush
        | Theme::OpensFileToKing
        | Theme::Dominates
        | Theme::Restrains
        | Theme::StopsPawn
        | Theme::TradesGuard
        | Theme::TakesKingGuard
        | Theme::TakesPost
        | Theme::TakesOwnFlight
        | Theme::TiesDown => scene.pressure(theme),
        Theme::OffersTrade
        | Theme::HuntsBishop
        | Theme::OffersForGoodBishop
        | Theme::OffersForPair
        | Theme::OffersForKingGuard
        | Theme::OffersForGuard
        | Theme::OffersForAttacker
        | Theme::OffersForOutpost
        | Theme::AimsAtPasser
        | Theme::OffersForBlockader
        | Theme::PreparesTrade
        | Theme::OffersAgainstIsolated => scene.offer(theme),
        Theme::ClearsPawn
        | Theme::PreparesFianchetto
        | Theme::LetsOutBishop
        | Theme::ClearsFile
        | Theme::DiagonalToKing
        | Theme::LeavesLine
        | Theme::TakesSquare
        | Theme::KeepsFrom
        | Theme::RookLift
        | Theme::KeepsFile => scene.idea(theme),
        Theme::AttackOnPinned
        | Theme::TargetsWeakPawn
        | Theme::PinsPawn
        | Theme::OpensAgainstKing
        | Theme::StormsClosedCentre
        | Theme::GoesForHook
        | Theme::CutsOffGuard
        | Theme::ClosesFile
        | Theme::Undermines
        | Theme::HiddenAttack
        | Theme::ShutsOff
        | Theme::ClearsCastling
        | Theme::HitsGuard
        | Theme::BishopOut
        | Theme::AvoidsPawnEnding
        | Theme::Shields
        | Theme::ClosesLines
        | Theme::BarsPawn
        | Theme::BarsKing
        | Theme::Kicks => scene.aim(theme),
        Theme::HoldsUp
        | Theme::HoldsTwo
        | Theme::PreparesKick
        | Theme::PreparesLever
        | Theme::PreparesFork
        | Theme::AvoidsDoubling
        | Theme::AwaitsOpposition
        | Theme::OffersPiece
        | Theme::SafeCorner => scene.purpose(theme),
        Theme::PreparesAdvance
        | Theme::GainsOutpost
        | Theme::AddsPressure
        | Theme::Supports
        | Theme::HeadsForSquare
        | Theme::Regroups
        | Theme::HeadsForPawn
        | Theme::EntrySquare
        | Theme::HoldsBack
        | Theme::HoldsPasser
        | Theme::Holds
        | Theme::WayBack
        | Theme::ShutsInBishop => scene.influence(theme),
        Theme::TiesBishop
        | Theme::FreesBishop
        | Theme::BehindStorm
        | Theme::BlocksStorm
        | Theme::GuardsBreak
        | Theme::CentralCounter
        | Theme::ClosesToBishops
        | Theme::OpposesBishop => scene.prospect(theme),
        Theme::FreesSquare => scene.frees_square(),
        Theme::LeavesPiece => scene.leaves_piece(),
        Theme::OpensWay => scene.opens_way(),
        Theme::TakesGuard => scene.takes_guard(),
        Theme::EscapesFork => scene.escapes_fork(),
        Theme::GoesBack => scene.goes_back(),
        Theme::BlocksOwnGuard => scene.blocks_own_guard(),
        Theme::EasesCramp => scene.eases_cramp(),
        Theme::TradesAgainstIsolated => scene.trades_against_isolated(),
        Theme::LeavesTooLittle => scene.leaves_too_little(),
        Theme::LeavesBadBishop => scene.leaves_bad_bishop(),
        Theme::StalemateGuards => scene.only_stalemate_guards(),
        Theme::EvadesKnight => scene.evades_knight(),
        Theme::LeavesSquare => scene.leaves_square(),
        Theme::GivesUpGuard => scene.gives_up_guard(),
        Theme::GathersOnFile => scene.gathers_on_file(),
        Theme::UnblocksPawn => scene.unblocks_pawn(),
        Theme::TradesForEntry => scene.trades_for_entry(),
        Theme::OffersPawnEnding => scene.offers_pawn_ending(),
        Theme::MakesWay => scene.makes_way(),
        Theme::LastPawn => scene.takes_last_pawn(),
        Theme::TwoForRook => scene.two_for_rook(),
        Theme::HalfOpensFile => scene.half_opens_file(),
        Theme::KnightStrays => scene.knight_strays(),
        Theme::ReleasesTension => scene.releases_tension(),
        Theme::Reroutes => scene.reroutes(),
        Theme::Develops | Theme::Fianchetto | Theme::Centralises => scene.minor(theme),
        Theme::BreaksPin => {
            let pinned_by = |position: &Position, at: Square| {
                men(position, !color, Bishop)
                    .into_iter()
                    .chain(men(position, !color, Rook))
                    .chain(men(position, !color, Queen))
                    .any(|slider| pins(position, !color, slider, at))
            };
            scene.was.is_some_and(|was| pinned_by(scene.start, was)) && !pinned_by(scene.end, square)
        }
        Theme::Luft => scene.luft(),
    }
}

pub(super) struct Scene<'a> {
    pub(super) line: &'a Line,
    pub(super) start: &'a Position,
    pub(super) end: &'a Position,
    pub(super) color: Color,
    pub(super) square: Square,
    /// The other square, or the same one where there is none.
    pub(super) other: Square,
    /// Where the piece on `square` stood at the beginning.
    pub(super) was: Option<Square>,
}

impl Scene<'_> {
    pub(super) fn stands(&self, kind: PieceType) -> bool {
        kind_on(self.end, self.square, self.color) == Some(kind)
    }

    /// Whether the piece has gone elsewhere.
    pub(super) fn moved(&self) -> bool {
        self.was.is_some_and(|was| was != self.square)
    }

    /// Where the piece on `other` stood at the beginning.
    pub(super) fn other_was(&self) -> Option<Square> {
        origin(self.line, self.other)
    }

    /// Whether something holds of both pieces at the end, and did not at the beginning.
    pub(super) fn is_new(&self, holds: impl Fn(&Position, Square, Square) -> bool) -> bool {
        let before = self.was.zip(self.other_was());
        holds(self.end, self.square, self.other)
            && !before.is_some_and(|(square, other)| holds(self.start, square, other))
    }

    fn piece(&self, theme: Theme) -> bool {
        let color = self.color;
        match theme {
            Theme::Blockade => {
                let stops = |position: &Position, square: Square, pawn: Square| {
                    let piece = kind_on(position, square, color);
                    let is_minor = matches!(piece, Some(Knight | Bishop));
                    let is_attacked_by =
                        |kind| any(position, !color, kind, |minor| sees(position, minor, square));
                    let is_hit = [Knight, Bishop].into_iter().any(is_attacked_by);
                    let is_weak = is_beyond_guard(position, !color, pawn);
                    let is_held = matches!(pawn.file(), 3 | 4)
                        && (is_minor || !is_hit)
                        && is_held_from_pawns(position, !color, square);
                    kind_on(position, pawn, !color) == Some(Pawn)
                        && piece.is_some_and(|kind| kind != Pawn)
                        && is_before(!color, pawn, square)
                        && (height(!color, pawn) > 2 || !is_hit)
                        && (is_passed(position, !color, pawn) || is_minor && is_weak || is_held)
                };
                self.is_new(stops)
            }
            Theme::JoinsAttack => {
                let aims = |position: &Position, square: Square| {
                    let target = king(position, !color);
                    let seen = seen_from(position, square);
                    seen.iter().filter(|&&seen| steps(seen, target) <= 1).count()
                };
                let kind = kind_on(self.end, self.square, color);
                kind.is_some_and(|kind| !matches!(kind, Pawn | King))
                    && self.other == king(self.end, !color)
                    && aims(self.end, self.square) >= 2
                    && self
                        .was
                        .is_some_and(|was| aims(self.start, was) < aims(self.end, self.square))
            }
            _ => self.is_new(|position, square, other| pins(position, color, square, other)),
        }
    }

    fn pawn(&self, theme: Theme) -> bool {
        let color = self.color;
        if !self.stands(Pawn) {
            return false;
        }
        let passed = |position: &Position, square: Square| {
            kind_on(position, square, color) == Some(Pawn) && is_passed(position, color, square)
        };
        match theme {
            Theme::OutsidePasser => {
                let outside = |position: &Position, square: Square, _: Square| {
                    passed(position, square)
                        && !any(position, !color, Pawn, |pawn| {
                            pawn.file().abs_diff(square.file()) <= 2
                        })
                        && any(position, color, Pawn, |pawn| {
                            pawn.file().abs_diff(square.file()) >= 3
                        })
                        && (endings::is_pawn_ending(position) || height(color, square) <= 5)
                };
                let has_rivals = !men(self.end, !color, Pawn).is_empty();
                let holds = outside(self.end, self.square, self.square);
                let is_safe = self.end.side_to_move() == color || best(self.end, self.square) == 0;
                is_ending(self.end)
                    && has_rivals
                    && is_safe
                    && (holds && self.moved() || self.is_new(outside))
            }
            Theme::PasserAdvances => passed(self.end, self.square) && self.moved(),
            Theme::ConnectedPassers => self.is_new(|position, square, other| {
                let [files, ranks] = apart(square, other);
                passed(position, square) && passed(position, other) && files == 1 && ranks <= 1
            }),
            Theme::ProtectedPasser => self.is_new(|position, square, _| {
                passed(position, square) && pawns_attack(position, color, square)
            }),
            Theme::Lever => {
                let attacks = |position: &Position, square: Square, other: Square| {
                    kind_on(position, square, color) == Some(Pawn)
                        && kind_on(position, other, !color) == Some(Pawn)
                        && seen_from(position, square).contains(&other)
                };
                self.moved() && self.is_new(attacks)
            }
            Theme::CentrePawn => {
                let central = is_central(self.square);
                let beside = self.square.file() == 2 && height(color, self.square) == 4;
                is_opening(self.start) && self.moved() && (central || beside)
            }
            Theme::KeepsOut => {
                let visitors = |kind| men(self.start, !color, kind);
                let came = |from: &Square| seen_from(self.start, *from).contains(&self.other);
                self.moved()
                    && height(color, self.other) <= 4
                    && seen_from(self.end, self.square).contains(&self.other)
                    && !pawns_attack(self.start, color, self.other)
                    && self.start.piece_on(self.other).is_none()
                    && visitors(Knight).iter().chain(&visitors(Bishop)).any(came)
            }
            _ => {
                let target = king(self.end, !color);
                let own = king(self.end, color);
                self.moved()
                    && self.other == target
                    && self.square.file().abs_diff(target.file()) <= 1
                    && (own.file() < 4) != (target.file() < 4)
                    && own.file().abs_diff(target.file()) >= 2
                    && is_king_on_a_wing(self.end, !color)
                    && height(color, self.square) >= 4
            }
        }
    }

    fn luft(&self) -> bool {
        let color = self.color;
        let room = |position: &Position| {
            let king = king(position, color);
            let ahead = Square::all()
                .filter(|&square| height(color, square) == 2 && king.file().abs_diff(square.file()) <= 1);
            let free = ahead
                .filter(|&square| position.piece_on(square).is_none())
                .collect::<Vec<Square>>();
            let is_safe = |square: &Square| {
                let theirs = Square::all().filter(|&other| {
                    position
                        .piece_on(other)
                        .is_some_and(|piece| piece.color() != color)
                });
                theirs
                    .into_iter()
                    .all(|other| !seen_from(position, other).contains(square))
            };
            (free.len(), free.iter().any(is_safe))
        };
        let is_flank_pawns =
            |m: &Move| m.piece() == Pawn.of(color) && matches!(m.from().file(), 0 | 1 | 6 | 7);
        self.stands(King)
            && self.was == Some(self.square)
            && height(color, self.square) == 1
            && self.line.moves().iter().any(is_flank_pawns)
            && room(self.start).0 == 0
            && room(self.end).1
    }
}

/// The steps of files and ranks between two squares.
pub(super) fn apart(a: Square, b: Square) -> [u8; 2] {
    [a.file().abs_diff(b.file()), a.rank().abs_diff(b.rank())]
}

/// A king's way from one square to another.
pub(super) fn steps(a: Square, b: Square) -> u8 {
    let [files, ranks] = apart(a, b);
    files.max(ranks)
}

pub(super) fn count(position: &Position) -> usize {
    Square::all()
        .filter(|&square| position.piece_on(square).is_some())
        .count()
}

pub(super) fn any_pawn(position: &Position) -> bool {
    [Color::White, Color::Black]
        .into_iter()
        .any(|color| any(position, color, Pawn, |_| true))
}

pub(super) fn is_ending(position: &Position) -> bool {
    has_few_pieces(position, 1)
}

/// Whether either side has no queen, at most so many rooks, and at most one knight or bishop.
pub(super) fn has_few_pieces(position: &Position, rooks: usize) -> bool {
    let has = |color, kind: PieceType| men(position, color, kind).len();
    [Color::White, Color::Black].into_iter().all(|color| {
        has(color, Queen) == 0 && has(color, Rook) <= rooks && has(color, Knight) + has(color, Bishop) <= 1
    })
}

pub(super) fn is_opening(position: &Position) -> bool {
    count(position) >= 22
}

/// Whether a slider pins a piece of the other side, not a pawn, to its king or to a piece worth more than both.
pub(super) fn pins(position: &Position, color: Color, slider: Square, pinned: Square) -> bool {
    let kind = kind_on(position, slider, color);
    let front = kind_on(position, pinned, !color);
    let is_pin =
        matches!(kind, Some(Bishop | Rook | Queen)) && front.is_some_and(|kind| !matches!(kind, Pawn | King));
    let Some((first, Some(behind))) = super::exchange::first_two(position, slider, pinned).filter(|_| is_pin)
    else {
        return false;
    };
    let back = kind_on(position, behind, !color);
    let worth_more = worth_on(position, behind) > worth_on(position, pinned).max(worth_on(position, slider));
    first == pinned && back.is_some_and(|kind| kind == King || worth_more)
}
