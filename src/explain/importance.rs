//! How much a change tells of why a move is good or bad, beside other changes and beside claims.

use super::change::{Change, FileState};
use super::theme::Theme;
use crate::board::Color;

/// How much a change matters beside others, on the scale of [`super::rank::weight`].
pub fn importance(change: &Change) -> i32 {
    match *change {
        Change::PassedPawn { color, pawn } => {
            let is_at_home = match color {
                Color::White => pawn.rank() < 3,
                Color::Black => pawn.rank() > 4,
            };
            if is_at_home { 310 } else { 500 }
        }
        Change::Outpost { .. } => 510,
        Change::Shelter { before, after, .. } => 370 + 10 * before.abs_diff(after) as i32,
        Change::TakesFile {
            state: FileState::Open,
            ..
        } => 430,
        Change::TakesFile { .. } => 405,
        Change::LosesBishopPair { .. } => 415,
        Change::IsolatedPawn { .. } => 425,
        Change::DoubledPawns { .. } => 440,
        Change::WeakSquare { .. } => 390,
        Change::Mobility { before, after, .. } => 210 + 5 * before.abs_diff(after) as i32,
        Change::Space { before, after, .. } => 240 + 5 * before.abs_diff(after) as i32,
        Change::Theme { theme, .. } => theme_importance(theme),
    }
}

fn theme_importance(theme: Theme) -> i32 {
    match theme {
        Theme::Breakthrough => 12_000,
        Theme::Vancura | Theme::HeadsForCorner | Theme::KingShutIn => 695,
        Theme::TwoAims => 669,
        Theme::Shouldering | Theme::KingBeforePawn => 665,
        // the threat that it parries is the promotion
        Theme::ChecksFromSide => 790,
        Theme::TradesQueens | Theme::TradesRooks => 500,
        Theme::TakesCastling => 410,
        Theme::BlocksPawn => 380,
        Theme::EarlyQueen => 385,
        Theme::MovesAgain => 335,
        Theme::HitsQueen => 415,
        Theme::MinorityAttack => 421,
        Theme::Dominates => 540,
        Theme::Restrains => 315,
        Theme::MakesWay => 505,
        Theme::StopsPawn => 502,
        Theme::TradesGuard => 418,
        Theme::OffersTrade => 409,
        Theme::HuntsBishop => 412,
        Theme::ClearsPawn => 342,
        Theme::PreparesFianchetto => 341,
        Theme::LetsOutBishop => 339,
        Theme::LeavesLine => 343,
        Theme::TakesSquare => 318,
        Theme::KeepsFrom => 414,
        Theme::RookLift => 413,
        Theme::ReleasesTension => 424,
        Theme::Reroutes => 344,
        Theme::HoldsUp => 338,
        Theme::PreparesAdvance => 426,
        Theme::StaysBehindPasser => 516,
        Theme::Decoys => 668,
        Theme::AwaitsOpposition => 656,
        Theme::OffersPiece => 470,
        Theme::GainsOutpost => 423,
        Theme::AddsPressure => 407,
        Theme::Supports => 336,
        Theme::ShutsInBishop => 427,
        Theme::OffersForGoodBishop => 411,
        Theme::FreesSquare => 508,
        Theme::PreparesKick => 337,
        Theme::AvoidsDoubling => 348,
        Theme::SafeCorner | Theme::KnightStrays => 690,
        Theme::OpensFileToKing => 455,
        Theme::PressesGuard => 433,
        Theme::PreparesPush => 346,
        Theme::CentreWithTempo => 425,
        Theme::GivesUpCentre => 445,
        Theme::HeadsForKeySquare | Theme::KeySquaresLost => 662,
        Theme::BuriedBishop => 500,
        Theme::OffersBadBishop => 460,
        Theme::BackwardPawn => 428,
        Theme::Majority => 418,
        Theme::KingMarch => 349,
        Theme::WrongBishop | Theme::Lucena | Theme::Triangulation => 700,
        Theme::KingHunt => 595,
        Theme::Philidor => 690,
        Theme::RookPawnCorner => 670,
        Theme::SquareOfPawn => 660,
        Theme::Opposition => 655,
        Theme::KeySquare => 650,
        Theme::ChecksFromBehind => 600,
        Theme::PawnEnding => 560,
        Theme::OutsidePasser => 657,
        Theme::ConnectedPassers => 530,
        Theme::RookBehindPasser => 520,
        Theme::CutOff => 515,
        Theme::SeventhRank => 518,
        Theme::TradesBadBishop => 490,
        Theme::BadBishop | Theme::ProtectedPasser => 480,
        Theme::Blockade => 470,
        Theme::Simplifies => 501,
        Theme::BreaksPin => 440,
        Theme::Pins => 435,
        Theme::Lever | Theme::DoublesRooks => 420,
        Theme::Castles => 400,
        Theme::Fianchetto => 432,
        Theme::PawnStorm => 375,
        Theme::ActiveKing => 350,
        Theme::Centralises => 345,
        Theme::CentrePawn => 340,
        Theme::Develops => 330,
        Theme::KeepsOut => 325,
        Theme::Luft => 320,
        Theme::JoinsAttack => 310,
        Theme::PasserAdvances => 300,
    }
}
