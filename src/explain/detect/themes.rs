//! Finds where a theme may hold at the end of a line, by bitboards and generously: the checker has the definitions.

use super::attacks_from;
use crate::board::{Bitboard, Color, PieceType, Position, Square, attacks};
use crate::explain::change::Change;
use crate::explain::line::Line;
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

/// Every theme that may be true of a line, for both players.
pub fn themes(line: &Line) -> Vec<Change> {
    let mut found = Vec::new();
    if line.is_empty() {
        return found;
    }
    for color in [line.mover(0), !line.mover(0)] {
        let mut view = View {
            line,
            end: line.end(),
            color,
            found: &mut found,
        };
        view.king();
        view.heavy();
        view.pieces();
        view.pawns();
        view.targets();
        view.whole();
        view.ideas();
        view.plans();
    }
    found
}

/// The last position of a line as one player sees it, with the themes that may be true.
pub(super) struct View<'a, 'b> {
    pub(super) line: &'a Line,
    pub(super) end: &'a Position,
    pub(super) color: Color,
    found: &'b mut Vec<Change>,
}

impl View<'_, '_> {
    pub(super) fn own(&self, kind: PieceType) -> Bitboard {
        self.end.pieces(self.color, kind)
    }

    pub(super) fn theirs(&self, kind: PieceType) -> Bitboard {
        self.end.pieces(!self.color, kind)
    }

    pub(super) fn add(&mut self, theme: Theme, square: Square, other: Option<Square>) {
        self.found.push(Change::Theme {
            theme,
            color: self.color,
            square,
            other,
        });
    }

    fn king(&mut self) {
        let (king, other) = (self.end.king(self.color), self.end.king(!self.color));
        for theme in [Theme::Castles, Theme::Luft] {
            self.add(theme, king, None);
        }
        for theme in [Theme::ActiveKing, Theme::Triangulation, Theme::KingMarch] {
            self.add(theme, king, None);
        }
        self.add(Theme::KingHunt, other, None);
        self.add(Theme::Opposition, king, Some(other));
        self.add(Theme::KingHelps, king, Some(other));
        self.add(Theme::LetsKingIn, king, None);
        for pawn in self.own(Pawn) {
            self.add(Theme::LongSide, other, Some(pawn));
        }
        for pawn in self.theirs(Pawn) {
            for theme in [
                Theme::SquareOfPawn,
                Theme::RookPawnCorner,
                Theme::ActiveKing,
                Theme::KeySquaresLost,
                Theme::KingShutIn,
                Theme::ShortSide,
                Theme::DrivesKingOn,
                Theme::TwoAims,
            ] {
                self.add(theme, king, Some(pawn));
            }
        }
        for rook in self.theirs(Rook) {
            self.add(Theme::ShutInRook, king, Some(rook));
        }
        for pawn in self.own(Pawn) {
            self.add(Theme::KeySquare, king, Some(pawn));
            self.add(Theme::HeadsForKeySquare, king, Some(pawn));
            self.add(Theme::Decoys, king, Some(pawn));
        }
        for pawn in self.end.of_kind(Pawn) {
            self.add(Theme::Shouldering, king, Some(pawn));
        }
        self.add(Theme::TakesCastling, other, None);
        for corner in corners() {
            self.add(Theme::WrongBishop, corner, None);
            self.add(Theme::HeadsForCorner, king, Some(corner));
        }
    }

    fn heavy(&mut self) {
        let king = self.end.king(!self.color);
        for rook in self.own(Rook) {
            self.add(Theme::Lucena, rook, None);
            self.add(Theme::CutOff, rook, Some(king));
            for pawn in self.end.of_kind(Pawn) & Bitboard::file(rook.file()) {
                self.add(Theme::RookBehindPasser, rook, Some(pawn));
                self.add(Theme::StaysBehindPasser, rook, Some(pawn));
            }
            for pawn in self.theirs(Pawn) {
                self.add(Theme::Philidor, rook, Some(pawn));
                self.add(Theme::Vancura, rook, Some(pawn));
                self.add(Theme::ChecksFromBehind, rook, Some(pawn));
                self.add(Theme::ChecksFromSide, rook, Some(pawn));
            }
        }
        for queen in self.own(Queen) {
            for pawn in self.theirs(Pawn) {
                self.add(Theme::KingBeforePawn, queen, Some(pawn));
            }
        }
        for square in self.own(Rook) | self.own(Queen) {
            self.add(Theme::SeventhRank, square, None);
            for other in (self.own(Rook) | self.own(Queen)) & Bitboard::file(square.file()) {
                if other != square {
                    self.add(Theme::DoublesRooks, square, Some(other));
                }
            }
        }
    }

    fn pieces(&mut self) {
        let king = self.end.king(!self.color);
        let pieces = self.end.of_color(self.color) & !self.end.of_kind(Pawn);
        for square in pieces {
            self.add(Theme::BreaksPin, square, None);
            for pawn in self.theirs(Pawn) & Bitboard::file(square.file()) {
                if pawn.rank().abs_diff(square.rank()) == 1 {
                    self.add(Theme::Blockade, square, Some(pawn));
                }
            }
            if attacks_from(self.end, square) & attacks::of(King, king, Bitboard::EMPTY) != Bitboard::EMPTY {
                self.add(Theme::JoinsAttack, square, Some(king));
            }
        }
        for square in self.own(Bishop) | self.own(Rook) | self.own(Queen) {
            for prey in attacks_from(self.end, square) & self.end.of_color(!self.color) {
                self.add(Theme::Pins, square, Some(prey));
            }
        }
        for bishop in self.own(Bishop) {
            let minors = self.theirs(Knight) | self.theirs(Bishop);
            for prey in attacks_from(self.end, bishop) & minors {
                self.add(Theme::OffersBadBishop, bishop, Some(prey));
            }
        }
        for square in self.theirs(Knight) | self.theirs(Bishop) | self.theirs(Queen) {
            self.add(Theme::EarlyQueen, square, None);
            self.add(Theme::MovesAgain, square, None);
            for pawn in self.theirs(Pawn) & Bitboard::file(square.file()) {
                self.add(Theme::BlocksPawn, square, Some(pawn));
            }
        }
        for square in self.own(Knight) | self.own(Bishop) {
            for queen in attacks_from(self.end, square) & self.theirs(Queen) {
                self.add(Theme::HitsQueen, square, Some(queen));
            }
            for theme in [Theme::Develops, Theme::Fianchetto, Theme::Centralises] {
                self.add(theme, square, None);
            }
        }
        let others = self.theirs(Knight) | self.theirs(Bishop) | self.theirs(Rook) | self.theirs(Queen);
        for square in others {
            self.add(Theme::Dominates, square, None);
        }
        for square in others | Bitboard::of(self.end.king(!self.color)) {
            for pawn in attacks_from(self.end, square) & self.theirs(Pawn) {
                self.add(Theme::TiesDown, square, Some(pawn));
            }
        }
        for square in self.end.of_color(self.color) {
            for guard in attacks_from(self.end, square) & (self.theirs(Knight) | self.theirs(Bishop)) {
                self.add(Theme::PressesGuard, square, Some(guard));
            }
        }
        let moved = self.line.moves()[0].landing();
        for guard in attacks_from(self.end, moved) & others {
            self.add(Theme::DrivesGuard, moved, Some(guard));
        }
        let first = self.line.moves()[0];
        for target in attacks_from(self.end, first.landing()) {
            self.add(Theme::Restrains, first.landing(), Some(target));
        }
        self.add(Theme::MakesWay, first.from(), None);
        for pawn in self.theirs(Pawn) & Bitboard::file(first.landing().file()) {
            self.add(Theme::StopsPawn, first.landing(), Some(pawn));
        }
        if let Some(answer) = self.line.at(1) {
            self.add(Theme::TradesGuard, answer.landing(), None);
            self.add(Theme::TakesKingGuard, answer.landing(), None);
            self.add(Theme::MakesBishopMove, answer.landing(), None);
            self.add(Theme::GivesUpFile, answer.landing(), None);
            self.concessions(first, answer);
            self.add(Theme::TakesPost, answer.landing(), None);
            self.add(Theme::TakesOwnFlight, first.landing(), None);
            self.add(Theme::QueenInCentre, answer.landing(), None);
            self.add(Theme::GainsTime, answer.landing(), Some(first.landing()));
            for left in attacks::pawn(!self.color, answer.from()) {
                self.add(Theme::Provokes, answer.landing(), Some(left));
            }
        }
        for square in self.own(Rook) | self.own(Queen) {
            self.add(Theme::OpensFileToKing, square, Some(king));
        }
        for bishop in self.theirs(Bishop) {
            self.add(Theme::BadBishop, bishop, None);
            self.add(Theme::BuriedBishop, bishop, None);
            self.add(Theme::PawnsOnBishopColour, bishop, None);
        }
        for slider in self.own(Bishop) | self.own(Rook) | self.own(Queen) {
            self.add(Theme::Windmill, slider, None);
        }
    }

    fn pawns(&mut self) {
        let king = self.end.king(!self.color);
        for pawn in self.own(Pawn) {
            for theme in [
                Theme::OutsidePasser,
                Theme::PasserAdvances,
                Theme::ProtectedPasser,
                Theme::CentrePawn,
            ] {
                self.add(theme, pawn, None);
            }
            let attacked = attacks::pawn(self.color, pawn);
            for prey in attacked & self.end.of_color(!self.color) {
                self.add(Theme::CentreWithTempo, pawn, Some(prey));
            }
            for target in attacked & self.theirs(Pawn) {
                self.add(Theme::Lever, pawn, Some(target));
            }
            for square in attacked {
                self.add(Theme::PreparesPush, pawn, Some(square));
                self.add(Theme::KeepsOut, pawn, Some(square));
            }
            self.add(Theme::PawnStorm, pawn, Some(king));
            self.add(Theme::Majority, pawn, None);
            for target in self.theirs(Pawn) {
                self.add(Theme::MinorityAttack, pawn, Some(target));
            }
            for other in self.own(Pawn) {
                if other.file() == pawn.file() + 1 {
                    self.add(Theme::ConnectedPassers, pawn, Some(other));
                }
            }
        }
    }

    /// Pawns of the other side that have become weak.
    fn targets(&mut self) {
        for pawn in self.theirs(Pawn) {
            self.add(Theme::BackwardPawn, pawn, None);
            for other in self.theirs(Pawn) {
                self.add(Theme::GivesUpCentre, pawn, Some(other));
            }
        }
    }

    /// What is about the line as a whole.
    fn whole(&mut self) {
        let first = self.line.moves()[0].landing();
        for theme in [
            Theme::PawnEnding,
            Theme::Simplifies,
            Theme::TradesBadBishop,
            Theme::TradesQueens,
            Theme::TradesRooks,
        ] {
            self.add(theme, first, None);
        }
        let last = self.line.moves()[self.line.len() - 1].landing();
        self.add(Theme::LastPawn, last, None);
        self.add(Theme::GoesBack, self.line.moves()[0].from(), None);
        self.add(Theme::EasesCramp, first, None);
        self.add(Theme::LeavesTooLittle, last, None);
        for pawn in self.theirs(Pawn) {
            self.add(Theme::TradesAgainstIsolated, first, Some(pawn));
            self.add(Theme::StalemateGuards, last, Some(pawn));
        }
        for bishop in self.theirs(Bishop) {
            self.add(Theme::LeavesBadBishop, first, Some(bishop));
        }
        self.add(Theme::LeavesSquare, last, None);
        for ward in self.end.of_color(!self.color) {
            self.add(Theme::GivesUpGuard, last, Some(ward));
        }
        self.add(Theme::BlocksOwnGuard, first, Some(last));
        if self.line.len() <= 2 && self.end.in_check() {
            for forker in self.end.of_color(!self.color) {
                self.add(Theme::EscapesFork, last, Some(forker));
            }
        }
        let promotions: Vec<Square> = self
            .line
            .moves()
            .iter()
            .filter(|m| m.promoted().is_some())
            .map(|m| m.landing())
            .collect();
        let own_first = (0..2).find(|&ply| self.line.mover(ply) == self.color);
        let Some(offer) = own_first.and_then(|ply| self.line.at(ply)) else {
            return;
        };
        for square in promotions {
            self.add(Theme::Breakthrough, square, Some(offer.landing()));
        }
    }
}

pub(super) fn corners() -> impl Iterator<Item = Square> {
    [(0, 0), (0, 7), (7, 0), (7, 7)]
        .into_iter()
        .map(|(file, rank)| Square::at(file, rank))
}
