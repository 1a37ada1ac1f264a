//! Finds where a theme of what a single move is for may hold, by bitboards and generously.

use super::attacks_from;
use super::themes::{View, corners};
use crate::board::{Bitboard, Color, Move, PieceType, Square, attacks};
use crate::explain::theme::Theme;
use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};

impl View<'_, '_> {
    /// What the first move of the line is for, where it is a player's only one.
    pub(super) fn ideas(&mut self) {
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
        // a pawn holds a post best
        let guards = self.end.attackers_to(square, self.end.occupied()) & self.end.of_color(self.color);
        let pawns = self.end.of_kind(Pawn);
        for guard in (guards & pawns).into_iter().chain(guards & !pawns) {
            self.add(Theme::GuardedPost, square, Some(guard));
        }
        self.add(Theme::TriplesHeavy, square, None);
        for knight in self.theirs(Knight) {
            self.add(Theme::EvadesKnight, square, Some(knight));
        }
        for man in self.end.of_color(!self.color) {
            self.add(Theme::AvoidsTrade, square, Some(man));
            self.add(Theme::AimsAtPasser, square, Some(man));
        }
        for rook in self.own(Rook) {
            self.add(Theme::TradeOpensFile, square, Some(rook));
        }
        for pawn in attacks::of(King, self.end.king(!self.color), Bitboard::EMPTY) & self.theirs(Pawn) {
            self.add(Theme::PreparesBattery, square, Some(pawn));
        }
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
        self.prospects(square);
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
                Theme::Regroups,
                Theme::HoldsBack,
            ] {
                self.add(theme, square, Some(target));
            }
        }
        for ward in attacks_from(self.end, square) & self.end.of_color(self.color) {
            self.add(Theme::HoldsPasser, square, Some(ward));
            self.add(Theme::Holds, square, Some(ward));
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

    /// What the piece on a square leaves those around it to do.
    fn prospects(&mut self, square: Square) {
        for pawn in attacks_from(self.end, square) & self.theirs(Pawn) {
            self.add(Theme::TiesBishop, square, Some(pawn));
        }
        for bishop in self.own(Bishop) {
            self.add(Theme::FreesBishop, square, Some(bishop));
        }
        for pawn in self.own(Pawn) & Bitboard::file(square.file()) {
            self.add(Theme::BehindStorm, square, Some(pawn));
        }
        for pawn in self.theirs(Pawn) & Bitboard::file(square.file()) {
            self.add(Theme::BlocksStorm, square, Some(pawn));
            self.add(Theme::ClosesToBishops, square, Some(pawn));
        }
        for bishop in self.theirs(Bishop) {
            self.add(Theme::OpposesBishop, square, Some(bishop));
        }
        for prey in attacks_from(self.end, square) & (self.theirs(Knight) | self.theirs(Bishop)) {
            self.add(Theme::OffersForAttacker, square, Some(prey));
            self.add(Theme::OffersForOutpost, square, Some(prey));
        }
        for target in attacks_from(self.end, square) {
            self.add(Theme::GuardsBreak, square, Some(target));
            self.add(Theme::CentralCounter, square, Some(target));
        }
    }

    /// What the piece on a square aims at next.
    fn aims(&mut self, square: Square) {
        let theirs = self.end.of_color(!self.color);
        for prey in theirs {
            for theme in [
                Theme::Undermines,
                Theme::GoesForHook,
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

    /// What the other side may give up by a capture that is taken back.
    pub(super) fn concessions(&mut self, taking: Move, back: Move) {
        for bishop in self.theirs(Bishop) {
            self.add(Theme::GivesGoodBishop, back.landing(), Some(bishop));
        }
        for pawn in self.theirs(Pawn) & Bitboard::file(taking.from().file()) {
            self.add(Theme::GivesKingBishop, back.landing(), Some(pawn));
        }
        for pawn in self.own(Pawn) {
            self.add(Theme::MendsPawn, back.landing(), Some(pawn));
        }
        self.add(Theme::GivesUpWedge, back.landing(), Some(taking.from()));
    }

    /// Where pawns of the other side on their second rank go by two squares.
    fn theirs_to_push(&self) -> Bitboard {
        let fourth = if self.color == Color::White { 4 } else { 3 };
        Bitboard::rank(fourth) & !self.end.occupied()
    }

    /// What the first move of the line gives up, and where its piece goes in a few moves.
    pub(super) fn plans(&mut self) {
        let moves = self.line.moves();
        let (first, last) = (moves[0], moves[moves.len() - 1]);
        self.add(Theme::TwoForRook, last.landing(), None);
        let file = Bitboard::file(last.landing().file());
        for heavy in (self.own(Rook) | self.own(Queen)) & file {
            if heavy != last.landing() {
                self.add(Theme::GathersOnFile, last.landing(), Some(heavy));
            }
        }
        for prey in attacks_from(self.end, last.landing()) & self.end.of_color(!self.color) {
            self.add(Theme::OffersPawnEnding, last.landing(), Some(prey));
            self.add(Theme::UnblocksPawn, last.landing(), Some(prey));
        }
        if self.line.mover(0) == self.color {
            if moves.len() > 1 {
                self.add(Theme::Reroutes, last.landing(), None);
                self.add(Theme::ClearsSquare, first.from(), None);
                self.add(Theme::OpensWay, last.landing(), Some(first.from()));
                self.add(Theme::TakesGuard, first.landing(), Some(last.landing()));
                let minors = |kind| self.line.start().pieces(!self.color, kind);
                for guard in minors(Knight) | minors(Bishop) {
                    self.add(Theme::TradesForEntry, last.landing(), Some(guard));
                }
            }
            if moves.len() == 3 {
                for bishop in self.own(Bishop) {
                    self.add(Theme::DiagonalToKing, last.landing(), Some(bishop));
                }
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
}

fn central() -> impl Iterator<Item = Square> {
    [(3, 3), (4, 3), (3, 4), (4, 4)]
        .into_iter()
        .map(|(file, rank)| Square::at(file, rank))
}
