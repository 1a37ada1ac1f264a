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

struct View<'a, 'b> {
    line: &'a Line,
    end: &'a Position,
    color: Color,
    found: &'b mut Vec<Change>,
}

impl View<'_, '_> {
    fn own(&self, kind: PieceType) -> Bitboard {
        self.end.pieces(self.color, kind)
    }

    fn theirs(&self, kind: PieceType) -> Bitboard {
        self.end.pieces(!self.color, kind)
    }

    fn add(&mut self, theme: Theme, square: Square, other: Option<Square>) {
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
        for pawn in self.theirs(Pawn) {
            for theme in [
                Theme::SquareOfPawn,
                Theme::RookPawnCorner,
                Theme::ActiveKing,
                Theme::KeySquaresLost,
                Theme::KingShutIn,
                Theme::ShortSide,
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

    /// What the first move of the line is for, where it is a player's only one.
    fn ideas(&mut self) {
        let first = self.line.moves()[0];
        if self.line.len() > 1 || self.line.mover(0) != self.color {
            return;
        }
        let (from, square) = (first.from(), first.landing());
        for prey in attacks_from(self.end, square) & self.end.of_color(!self.color) {
            self.add(Theme::HuntsBishop, square, Some(prey));
        }
        for piece in self.own(Bishop) | self.own(Rook) | self.own(Queen) | Bitboard::of(square) {
            for prey in attacks_from(self.end, piece) & self.end.of_color(!self.color) {
                self.add(Theme::OffersTrade, piece, Some(prey));
            }
            for pawn in self.theirs(Pawn) {
                self.add(Theme::OffersAgainstIsolated, piece, Some(pawn));
            }
        }
        for pawn in self.own(Pawn) & Bitboard::file(from.file()) {
            for rank in pawn.rank().saturating_sub(2)..=(pawn.rank() + 2).min(7) {
                self.add(Theme::ClearsPawn, pawn, Some(Square::at(from.file(), rank)));
            }
        }
        self.add(Theme::PreparesFianchetto, square, Some(from));
        for pawn in self.own(Pawn) {
            self.add(Theme::GuardedPost, square, Some(pawn));
        }
        self.add(Theme::TriplesHeavy, square, None);
        for prey in attacks_from(self.end, square) & self.end.of_color(!self.color) {
            self.add(Theme::AimsToDamage, square, Some(prey));
        }
        for pawn in self.theirs(Pawn) {
            self.add(Theme::FixesPawn, square, Some(pawn));
            self.add(Theme::FixesPawns, square, Some(pawn));
        }
        for ward in attacks_from(self.end, square) & self.end.of_color(self.color) {
            self.add(Theme::KeepsGuard, square, Some(ward));
        }
        let third = if self.color == Color::White { 2 } else { 5 };
        self.add(Theme::OutBeforePawn, square, Some(Square::at(4, third)));
        for piece in self.end.of_color(self.color) {
            self.add(Theme::LeavesPiece, square, Some(piece));
        }
        for bishop in self.own(Bishop) {
            self.add(Theme::LetsOutBishop, square, Some(bishop));
            self.add(Theme::DiagonalToKing, square, Some(bishop));
        }
        for piece in self.own(Bishop) | self.own(Queen) {
            self.add(Theme::WayBack, piece, Some(from));
        }
        for rook in self.own(Rook) & Bitboard::file(from.file()) {
            self.add(Theme::ClearsFile, square, Some(rook));
        }
        for slider in self.theirs(Bishop) | self.theirs(Rook) | self.theirs(Queen) {
            self.add(Theme::LeavesLine, square, Some(slider));
        }
        for target in attacks_from(self.end, square) & !self.end.occupied() {
            self.add(Theme::TakesSquare, square, Some(target));
            self.add(Theme::BarsKing, square, Some(target));
        }
        for target in !self.end.occupied() {
            self.add(Theme::AvoidsPin, square, Some(target));
            self.add(Theme::KeepsFrom, square, Some(target));
        }
        self.add(Theme::RookLift, square, Some(self.end.king(!self.color)));
        for prey in self.theirs(Bishop) {
            self.add(Theme::OffersForGoodBishop, square, Some(prey));
            self.add(Theme::OffersForPair, square, Some(prey));
            self.add(Theme::OffersForKingGuard, square, Some(prey));
        }
        for beside in attacks::of(King, square, Bitboard::EMPTY) & self.theirs_to_push() {
            self.add(Theme::HoldsUp, square, Some(beside));
        }
        for piece in self.end.of_color(!self.color) & !self.theirs(Pawn) {
            self.add(Theme::PreparesKick, square, Some(piece));
            self.add(Theme::PreparesFork, square, Some(piece));
            self.add(Theme::OffersForBlockader, square, Some(piece));
        }
        for bishop in self.own(Bishop) {
            for target in attacks_from(self.end, bishop) & !self.end.occupied() {
                self.add(Theme::PreparesTrade, bishop, Some(target));
            }
        }
        for knight in self.own(Knight) {
            for guard in self.own(Bishop) | self.own(Queen) | Bitboard::of(square) {
                self.add(Theme::AvoidsDoubling, guard, Some(knight));
            }
        }
        for target in attacks_from(self.end, square) {
            for theme in [
                Theme::GainsOutpost,
                Theme::Supports,
                Theme::PreparesPost,
                Theme::HeadsForSquare,
                Theme::HoldsBack,
            ] {
                self.add(theme, square, Some(target));
            }
        }
        for pawn in self.own(Pawn) {
            for rank in pawn.rank().saturating_sub(2)..=(pawn.rank() + 2).min(7) {
                self.add(
                    Theme::PreparesAdvance,
                    square,
                    Some(Square::at(pawn.file(), rank)),
                );
            }
        }
        for rook in self.own(Rook) | self.own(Queen) {
            for target in attacks::pawn(self.color, square) {
                self.add(Theme::EntrySquare, rook, Some(target));
            }
        }
        for pawn in self.theirs(Pawn) {
            self.add(Theme::ShutsInBishop, square, Some(pawn));
            self.add(Theme::AddsPressure, square, Some(pawn));
            self.add(Theme::TargetsWeakPawn, square, Some(pawn));
            self.add(Theme::HeadsForPawn, square, Some(pawn));
            self.add(Theme::PinsPawn, square, Some(pawn));
            self.add(Theme::HoldsTwo, square, Some(pawn));
        }
        for target in central() {
            self.add(Theme::OffersForGuard, square, Some(target));
            self.add(Theme::HitsGuard, square, Some(target));
            self.add(Theme::Clamps, square, Some(target));
        }
        self.aims(square);
        for theme in [Theme::KeepsFile, Theme::ConnectsRooks, Theme::CentralKing] {
            self.add(theme, square, None);
        }
        for theme in [
            Theme::BoxesKing,
            Theme::OpensAgainstKing,
            Theme::StormsClosedCentre,
        ] {
            self.add(theme, square, Some(self.end.king(!self.color)));
        }
        for heavy in self.theirs(Rook) | self.theirs(Queen) {
            self.add(Theme::ClosesFile, square, Some(heavy));
        }
        self.add(Theme::AwaitsOpposition, square, None);
        self.add(Theme::OffersPiece, square, None);
        for corner in corners() {
            self.add(Theme::SafeCorner, square, Some(corner));
        }
    }

    /// What the piece on a square aims at next.
    fn aims(&mut self, square: Square) {
        let theirs = self.end.of_color(!self.color);
        for prey in theirs {
            for theme in [
                Theme::Undermines,
                Theme::PreparesLever,
                Theme::HiddenAttack,
                Theme::ShutsOff,
                Theme::AvoidsPawnEnding,
                Theme::Kicks,
                Theme::DrivesBack,
                Theme::BarsPawn,
                Theme::CutsOffGuard,
            ] {
                self.add(theme, square, Some(prey));
            }
        }
        for man in self.end.of_color(self.color) {
            self.add(Theme::Shields, square, Some(man));
        }
        self.add(Theme::ClosesLines, square, Some(self.end.king(self.color)));
        self.add(Theme::BishopOut, square, None);
        for rook in self.own(Rook) {
            self.add(Theme::ClearsCastling, rook, None);
        }
        for pinned in attacks_from(self.end, square) & (self.theirs(Knight) | self.theirs(Bishop)) {
            for target in !self.end.occupied() {
                self.add(Theme::AttackOnPinned, target, Some(pinned));
            }
        }
    }

    /// Where pawns of the other side on their second rank go by two squares.
    fn theirs_to_push(&self) -> Bitboard {
        let fourth = if self.color == Color::White { 4 } else { 3 };
        Bitboard::rank(fourth) & !self.end.occupied()
    }

    /// What the first move of the line gives up, and where its piece goes in a few moves.
    fn plans(&mut self) {
        let moves = self.line.moves();
        let (first, last) = (moves[0], moves[moves.len() - 1]);
        self.add(Theme::TwoForRook, last.landing(), None);
        if self.line.mover(0) == self.color {
            if moves.len() > 1 {
                self.add(Theme::Reroutes, last.landing(), None);
                self.add(Theme::ClearsSquare, first.from(), None);
            }
            for pawn in self.theirs(Pawn) & Bitboard::file(first.from().file()) {
                self.add(Theme::HalfOpensFile, first.landing(), Some(pawn));
            }
            // a knight needs the square most
            for minor in self.own(Knight).into_iter().chain(self.own(Bishop)) {
                for target in attacks_from(self.end, minor) & !self.end.occupied() {
                    self.add(Theme::FreesSquare, target, Some(minor));
                }
            }
            return;
        }
        self.add(Theme::KnightStrays, first.landing(), None);
        for bishop in self.own(Bishop) {
            self.add(Theme::PutsOnBishopColour, first.landing(), Some(bishop));
        }
        for pawn in attacks::pawn(!self.color, first.from()) & self.own(Pawn) {
            self.add(Theme::ReleasesTension, first.landing(), Some(pawn));
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
        self.add(
            Theme::LastPawn,
            self.line.moves()[self.line.len() - 1].landing(),
            None,
        );
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

fn central() -> impl Iterator<Item = Square> {
    [(3, 3), (4, 3), (3, 4), (4, 4)]
        .into_iter()
        .map(|(file, rank)| Square::at(file, rank))
}

fn corners() -> impl Iterator<Item = Square> {
    [(0, 0), (0, 7), (7, 0), (7, 7)]
        .into_iter()
        .map(|(file, rank)| Square::at(file, rank))
}
