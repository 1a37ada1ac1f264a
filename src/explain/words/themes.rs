//! Themes as predicates of a move or a line.

use super::voice::{Voice, at};
use crate::board::{Bitboard, Color, Move, PieceType, Position, Square};
use crate::explain::check::aims::{opens_to_king, propped_up, refuge};
use crate::explain::check::exchange::{balance, best, sees, worth_on};
use crate::explain::check::ideas::{hit_by_a_pawn, kept_from, visit};
use crate::explain::check::offers::pressed_pawn;
use crate::explain::check::outside_passer;
use crate::explain::check::pressure::{driven_from, guarded_prey};
use crate::explain::check::rooks::{faced_pawn, is_pushed_by_rook};
use crate::explain::check::{is_outpost, is_passed};
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
    let visit = other
        .filter(|_| theme == Theme::KeepsOut && line.len() == 1)
        .and_then(|target| visit(line.start(), color, target));
    let kept = other
        .filter(|_| theme == Theme::KeepsFrom)
        .and_then(|target| kept_from(line.start(), end, color, target));
    let raid = visit.as_ref().and_then(|visit| visit.raid);
    let (raider, raided) = raid.unwrap_or((square, square));
    let prey = visit.as_ref().map(|visit| visit.prey);
    let prey = prey.or(kept.and_then(|(_, prey)| prey));
    let hit = other
        .filter(|_| theme == Theme::Restrains)
        .and_then(|target| hit_by_a_pawn(end, color, target));
    let prey = prey.or(hit);
    let prey = prey.or_else(|| (theme == Theme::MakesWay).then(|| attacked_from(end, square))?);
    let third = match (theme, other) {
        (Theme::PressesGuard, Some(guard)) => guarded_prey(end, color, square, guard),
        (Theme::DrivesGuard, Some(guard)) => driven_from(end, color, square, guard),
        (Theme::Undermines, Some(guard)) => propped_up(end, square, guard),
        (Theme::OffersForAttacker, Some(attacker)) => pressed_pawn(end, color, attacker),
        (Theme::PreparesFork, Some(prey)) => Some(across(square, prey)),
        (Theme::DoublesRooks, Some(other)) => faced_pawn(end, color, [square, other]),
        (Theme::KeepsFrom, _) => kept.map(|(man, _)| man),
        (Theme::TakesPost, _) => pressed_pawn(line.start(), color, square),
        (Theme::KeepsOut, _) => visit.as_ref().map(|visit| visit.visitor),
        _ => None,
    };
    let left = match theme {
        Theme::DrivesBack => refuge(end, there).unwrap_or(there),
        _ => there,
    };
    let target = match other {
        Some(pawn) if endings::distance(square, pawn) == 1 => "attacked",
        Some(_) => "pawn",
        None => "centre",
    };
    let outside = outside_passer(end, color);
    let arguments = [
        (
            "outside",
            outside.map_or_else(String::new, |pawn| pawn.to_string()).into(),
        ),
        ("piece", voice.on(end, square)),
        ("other", voice.on(end, there)),
        ("bare", bare.unwrap_or_else(|| voice.on(end, square))),
        ("third", voice.on(end, third.unwrap_or(square))),
        ("taken", voice.on(line.start(), square)),
        ("gone", voice.on(line.start(), there)),
        ("prey", voice.on(end, prey.unwrap_or(square))),
        ("raider", voice.on(end, raider)),
        ("raided", voice.on(end, raided)),
        at(square),
        ("place", there.to_string().into()),
        ("refuge", left.to_string().into()),
        ("player", voice.player(color)),
        ("rival", voice.player(!color)),
        ("target", target.into()),
        ("ahead", ahead(end, color).into()),
    ];
    let message = match theme {
        Theme::BlocksPawn if square.file() == 2 => "blocks-c-pawn".to_owned(),
        Theme::TakesPost if !is_outpost(line.start(), !color, square) => "takes-attacker".to_owned(),
        Theme::HeadsForCorner if end.of_kind(PieceType::Bishop).is_empty() => {
            "heads-for-pawn-corner".to_owned()
        }
        Theme::Pins if other.is_some_and(|pinned| castling_loses(end, pinned)) => {
            "pins-before-castling".to_owned()
        }
        Theme::Restrains if hit.is_some() => "restrains-attack".to_owned(),
        Theme::KeepsFrom if prey.is_some() => "keeps-pawn-from".to_owned(),
        Theme::KeepsFrom if third.is_some() => "keeps-piece-from".to_owned(),
        Theme::KeepsOut if visit.is_some() => match visit {
            Some(visit) if visit.raid.is_some() => "keeps-out-both",
            Some(visit) if visit.pins => "keeps-out-pin",
            _ => "keeps-out-attack",
        }
        .to_owned(),
        Theme::MakesWay if prey.is_some() => "makes-way-attack".to_owned(),
        Theme::Lever if opens_to_king(end, color, there) => "lever-at-king".to_owned(),
        Theme::ProtectedPasser if was_passed(line, color, square) => "protected-passer-moves".to_owned(),
        Theme::PasserAdvances if is_pushed_by_rook(end, color, square) => {
            "passer-advances-by-rook".to_owned()
        }
        Theme::PawnEnding if endings::is_drawn(end) => "pawn-ending-drawn".to_owned(),
        Theme::PawnEnding if outside.is_some() => "pawn-ending-outside".to_owned(),
        Theme::OffersTrade if line.at(0).is_some_and(|m| m.landing() != square) => {
            "offers-trade-uncovered".to_owned()
        }
        Theme::OffersTrade if contests_file(line, square, there) => "offers-trade-on-file".to_owned(),
        Theme::DoublesRooks if third.is_some() => "doubles-rooks-against".to_owned(),
        Theme::DoublesRooks if is_open(end, square.file()) => "doubles-rooks-open".to_owned(),
        _ => theme.name().replace('_', "-"),
    };
    voice.say(&message, arguments)
}

/// The greatest piece of the other side, no pawn or king, that the piece on a square attacks.
fn attacked_from(position: &Position, square: Square) -> Option<Square> {
    let rivals = position.of_color(!position.piece_on(square)?.color());
    let is_piece = |&target: &Square| {
        let kind = position.piece_on(target).map(|piece| piece.kind());
        !matches!(kind, None | Some(PieceType::Pawn | PieceType::King)) && sees(position, square, target)
    };
    rivals
        .into_iter()
        .filter(is_piece)
        .max_by_key(|&target| worth_on(position, target))
}

/// Whether the side to move may castle, and loses what stands on this square by it.
fn castling_loses(position: &Position, pinned: Square) -> bool {
    let moves = position.legal_moves().into_iter();
    let mut castlings = moves.filter(|m| m.is_castling()).peekable();
    castlings.peek().is_some() && castlings.all(|m| best(&position.after(m), pinned) > 0)
}

/// Whether the pawn that has got to a square with the first move was passed before.
fn was_passed(line: &Line, color: Color, square: Square) -> bool {
    let from = line.at(0).filter(|m| m.landing() == square).map(Move::from);
    from.is_some_and(|from| is_passed(line.start(), color, from))
}

/// What a player is up: no more than a pawn, more than that, or nothing.
fn ahead(position: &Position, color: Color) -> &'static str {
    let more = |kind| {
        let count = |color| position.pieces(color, kind).count() as i32;
        count(color) - count(!color)
    };
    let is_level = |&kind: &PieceType| kind == PieceType::Pawn || more(kind) == 0;
    match balance(position, color) {
        ..100 => "level",
        _ if more(PieceType::Pawn) == 1 && PieceType::ALL.iter().all(is_level) => "pawn",
        _ => "more",
    }
}

/// Whether no pawn stands on a file.
fn is_open(position: &Position, file: u8) -> bool {
    (position.of_kind(PieceType::Pawn) & Bitboard::file(file)).is_empty()
}

/// Whether the rook on `square` has gone to an open file on which the other side's rook stands.
fn contests_file(line: &Line, square: Square, rival: Square) -> bool {
    let is_rook = |m: Move| m.piece().kind() == PieceType::Rook && m.from().file() != square.file();
    line.at(0).is_some_and(is_rook) && square.file() == rival.file() && is_open(line.end(), square.file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rook_that_faces_another_contests_an_open_file_only() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        for (fen, rival, open) in [
            ("3r2k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", "d8", true),
            ("3r2k1/3p1ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", "d8", false),
            ("6k1/5ppp/8/r7/8/8/5PPP/4R1K1 w - - 0 1", "a5", false),
        ] {
            let line = Line::parse(Position::from_fen(fen).unwrap(), "Rd1").unwrap();
            assert_eq!(contests_file(&line, square("d1"), square(rival)), open, "{fen}");
        }
    }

    #[test]
    fn a_fork_by_a_pawn_has_a_prey_on_either_side() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        assert_eq!(across(square("f5"), square("g6")), square("e6"));
        assert_eq!(across(square("b4"), square("a3")), square("c3"));
    }
}
