//! Themes as predicates of a move or a line.

use super::voice::{Voice, at};
use crate::board::{Bitboard, Color, PieceType, Square};
use crate::explain::check::aims::{propped_up, refuge};
use crate::explain::check::offers::pressed_pawn;
use crate::explain::check::outside_passer;
use crate::explain::check::pressure::{guarded_prey, is_post};
use crate::explain::check::rooks::faced_pawn;
use crate::explain::endings;
use crate::explain::line::Line;
use crate::explain::theme::Theme;

/// The square on the other side of a pawn's file from `prey`.
fn across(pawn: Square, prey: Square) -> Square {
    Square::at(2 * pawn.file() - prey.file(), prey.rank())
}

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
    let bare = end.piece_on(square).map(|piece| voice.the(piece.kind()));
    let start = line.start();
    let pressed = pressed_pawn(start, color, square).filter(|_| theme == Theme::TakesPost);
    let third = other
        .and_then(|guard| match theme {
            Theme::PressesGuard => guarded_prey(end, color, square, guard),
            Theme::Undermines => propped_up(end, square, guard),
            Theme::OffersForAttacker => pressed_pawn(end, color, guard),
            Theme::PreparesFork => Some(across(square, guard)),
            _ => None,
        })
        .or(pressed)
        .map_or(voice.on(end, square), |prey| voice.on(end, prey));
    let left = match theme {
        Theme::DrivesBack => refuge(end, there).unwrap_or(there),
        _ => there,
    };
    let target = match other {
        Some(pawn) if endings::distance(square, pawn) == 1 => "attacked",
        Some(_) => "pawn",
        None => "centre",
    };
    let front = other.and_then(|other| faced_pawn(end, color, [square, other]));
    let outside = outside_passer(end, color);
    let arguments = [
        (
            "outside",
            outside.map_or_else(String::new, |pawn| pawn.to_string()).into(),
        ),
        ("piece", voice.on(end, square)),
        ("other", voice.on(end, there)),
        ("bare", bare.unwrap_or_else(|| voice.on(end, square))),
        ("third", third),
        ("taken", voice.on(start, square)),
        ("front", voice.on(end, front.unwrap_or(square))),
        at(square),
        ("place", there.to_string().into()),
        ("refuge", left.to_string().into()),
        ("player", voice.player(color)),
        ("rival", voice.player(!color)),
        ("target", target.into()),
    ];
    let message = match theme {
        Theme::BlocksPawn if square.file() == 2 => "blocks-c-pawn".to_owned(),
        Theme::TakesPost if !is_post(start, !color, square) => "takes-attacker".to_owned(),
        Theme::HeadsForCorner if end.of_kind(PieceType::Bishop).is_empty() => {
            "heads-for-pawn-corner".to_owned()
        }
        Theme::PawnEnding if endings::is_drawn(end) => "pawn-ending-drawn".to_owned(),
        Theme::PawnEnding if outside.is_some() => "pawn-ending-outside".to_owned(),
        Theme::OffersTrade if line.at(0).is_some_and(|m| m.landing() != square) => {
            "offers-trade-uncovered".to_owned()
        }
        Theme::DoublesRooks if front.is_some() => "doubles-rooks-against".to_owned(),
        Theme::DoublesRooks if (end.of_kind(PieceType::Pawn) & Bitboard::file(square.file())).is_empty() => {
            "doubles-rooks-open".to_owned()
        }
        _ => theme.name().replace('_', "-"),
    };
    voice.say(&message, arguments)
}
