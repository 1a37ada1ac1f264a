//! Themes as predicates of a move or a line.

use super::voice::{Voice, at};
use crate::board::{Color, Square};
use crate::explain::line::Line;
use crate::explain::theme::Theme;

/// What is said of a theme at the end of a line.
pub fn predicate(
    voice: &Voice,
    line: &Line,
    theme: Theme,
    color: Color,
    square: Square,
    other: Option<Square>,
) -> String {
    let end = line.end();
    let there = other.unwrap_or(square);
    let target = if other.is_some() { "pawn" } else { "centre" };
    let arguments = [
        ("piece", voice.on(end, square)),
        ("other", voice.on(end, there)),
        at(square),
        ("place", there.to_string().into()),
        ("player", voice.player(color)),
        ("rival", voice.player(!color)),
        ("target", target.into()),
    ];
    voice.say(message(theme), arguments)
}

fn message(theme: Theme) -> &'static str {
    match theme {
        Theme::Opposition => "opposition",
        Theme::KeySquare => "key-square",
        Theme::SquareOfPawn => "square-of-pawn",
        Theme::RookPawnCorner => "rook-pawn-corner",
        Theme::WrongBishop => "wrong-bishop",
        Theme::Philidor => "philidor",
        Theme::ChecksFromBehind => "checks-from-behind",
        Theme::Lucena => "lucena",
        Theme::RookBehindPasser => "rook-behind-passer",
        Theme::CutOff => "cut-off",
        Theme::ActiveKing => "active-king",
        Theme::OutsidePasser => "outside-passer",
        Theme::PasserAdvances => "passer-advances",
        Theme::ConnectedPassers => "connected-passers",
        Theme::ProtectedPasser => "protected-passer",
        Theme::Breakthrough => "breakthrough",
        Theme::Triangulation => "triangulation",
        Theme::KingHunt => "king-hunt",
        Theme::PawnEnding => "pawn-ending",
        Theme::Simplifies => "simplifies",
        Theme::Blockade => "blockade",
        Theme::Lever => "lever",
        Theme::Castles => "castles",
        Theme::Develops => "develops",
        Theme::Fianchetto => "fianchetto",
        Theme::CentrePawn => "centre-pawn",
        Theme::Centralises => "centralises",
        Theme::Pins => "pins",
        Theme::BreaksPin => "breaks-pin",
        Theme::KeepsOut => "keeps-out",
        Theme::Luft => "luft",
        Theme::PawnStorm => "pawn-storm",
        Theme::SeventhRank => "seventh-rank",
        Theme::DoublesRooks => "doubles-rooks",
        Theme::JoinsAttack => "joins-attack",
        Theme::TradesBadBishop => "trades-bad-bishop",
        Theme::BadBishop => "bad-bishop",
        Theme::HeadsForKeySquare => "heads-for-key-square",
        Theme::KeySquaresLost => "key-squares-lost",
        Theme::HeadsForCorner => "heads-for-corner",
        Theme::KingShutIn => "king-shut-in",
        Theme::KingBeforePawn => "king-before-pawn",
        Theme::KingMarch => "king-march",
        Theme::Vancura => "vancura",
        Theme::Majority => "majority",
        Theme::OffersBadBishop => "offers-bad-bishop",
        Theme::BuriedBishop => "buried-bishop",
        Theme::BackwardPawn => "backward-pawn",
        Theme::Shouldering => "shouldering",
        Theme::TwoAims => "two-aims",
        Theme::ChecksFromSide => "checks-from-side",
        Theme::TradesQueens => "trades-queens",
        Theme::TradesRooks => "trades-rooks",
        Theme::TakesCastling => "takes-castling",
    }
}
