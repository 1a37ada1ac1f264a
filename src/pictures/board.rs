//! A chess board as SVG, with arrows for moves. The pieces are our own drawings, defined once in a page by
//! [`definitions`].

use crate::board::{Color, Move, PieceType, Position, Square};
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// The side of a square in the drawing.
const SIDE: i32 = 45;

/// The outline of each piece in a square of 45 by 45, pawn to king. Only straight lines and a few curves, so that they
/// stay clear when they are small.
const OUTLINES: [&str; 6] = [
    // pawn
    r##"<path d="M22.5 8a5.6 5.6 0 0 1 3.6 9.9h3.4l-2.2 3.2q.4 7.6 6 12.9H11.700q5.600-5.300 6-12.900l-2.200-3.200h3.400A5.600 5.600 0 0 1 22.500 8z"/><path d="M9.500 34h26v4.500h-26z"/>"##,
    // knight
    r##"<path d="M13 34c0-8.500 7-10 8.500-15.500L15.500 23l-2.200 2.600-4.300-2.800L14.500 13l2.600-6.500 3.600 3.200C30.500 9.500 35.500 18.500 34 34z"/><path d="M10 34h26v4.500H10z"/><circle class="d" cx="18.200" cy="14.500" r="1.100"/>"##,
    // bishop
    r##"<path d="M22.500 10.500c8 6.500 8.500 13.500 4.500 18h-9c-4-4.500-3.500-11.500 4.500-18z"/><circle cx="22.500" cy="8" r="2.500"/><path d="M16.500 28.500h12l2.500 5.500H14z"/><path d="M9.500 34h26v4.500h-26z"/><path class="d" d="M22.500 15.500v8M19 19h7"/>"##,
    // rook
    r##"<path d="M11 8.500h5.200v3.700h3.700V8.500h5.200v3.700h3.700V8.500H34V17l-4 3.500v9.500l2.500 4h-20l2.500-4v-9.500L11 17z"/><path d="M9 34h27v4.500H9z"/><path class="d" d="M15 20.500h15M15 30h15"/>"##,
    // queen
    r##"<path d="M9 13.500l5 12.500 1.800-14.500L20 23.500l2.500-14 2.500 14 4.200-12L31 26l5-12.500L32.500 34h-20z"/><circle cx="9" cy="12" r="2"/><circle cx="15.800" cy="10" r="2"/><circle cx="22.500" cy="8.500" r="2"/><circle cx="29.200" cy="10" r="2"/><circle cx="36" cy="12" r="2"/><path d="M11 34h23v4.500H11z"/><path class="d" d="M13 29.500h19"/>"##,
    // king
    r##"<path d="M22.500 4.500v8M19 7.500h7" fill="none" stroke-width="2.200"/><path d="M22.500 12c4.500 0 5 4.500 2.700 7.500 5.300-4.500 11.800-2 10.800 4.500-.7 4-3.500 5.500-3.500 10h-20c0-4.500-2.800-6-3.500-10-1-6.500 5.500-9 10.800-4.500C17.500 16.500 18 12 22.500 12z"/><path d="M11 34h23v4.500H11z"/><path class="d" d="M13 29.500h19"/>"##,
];

/// The pieces, to stand once in a page before any board.
pub fn definitions() -> Markup {
    let mut text = r#"<svg width="0" height="0" aria-hidden="true" class="defs"><defs>"#.to_string();
    for (color, fill, line, detail) in [
        ('w', "#fff", "#1a1a1a", "#1a1a1a"),
        ('b', "#2b2b2b", "#111", "#eee"),
    ] {
        for (kind, outline) in PieceType::ALL.into_iter().zip(OUTLINES) {
            let outline = outline.replace(
                "class=\"d\"",
                &format!("fill=\"none\" stroke=\"{detail}\" stroke-width=\"1.300\""),
            );
            let _ = write!(
                text,
                r#"<g id="{color}{}" fill="{fill}" stroke="{line}" stroke-width="1.400" stroke-linejoin="round">{outline}</g>"#,
                kind.letter().to_ascii_lowercase()
            );
        }
    }
    text.push_str("</defs></svg>");
    PreEscaped(text)
}

/// An arrow for a move.
#[derive(Clone, Copy, Debug)]
pub struct Arrow {
    pub m: Move,
    /// A colour as CSS writes it.
    pub color: &'static str,
}

/// The board with White below. Arrows that were given first lie on top; of several for one move each is narrower than
/// the one below it, so that all are seen.
pub fn board(position: &Position, arrows: &[Arrow], description: &str) -> Markup {
    let size = 8 * SIDE;
    let mut text = format!(
        r#"<svg class="board" viewBox="0 0 {size} {size}" role="img" aria-label="{}">"#,
        html! { (description) }.into_string()
    );
    for square in Square::all() {
        let (x, y) = corner(square);
        let dark = (square.file() + square.rank()) % 2 == 0;
        let fill = if dark { "#b5c3a8" } else { "#eef0e4" };
        let _ = write!(
            text,
            r#"<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{fill}"/>"#
        );
    }
    coordinates(&mut text);
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            let (x, y) = corner(square);
            let color = if piece.color() == Color::White { 'w' } else { 'b' };
            let letter = piece.kind().letter().to_ascii_lowercase();
            let _ = write!(text, r##"<use href="#{color}{letter}" x="{x}" y="{y}"/>"##);
        }
    }
    for (place, arrow) in arrows.iter().enumerate().rev() {
        let below = arrows[place + 1..]
            .iter()
            .filter(|other| other.m == arrow.m)
            .count();
        draw_arrow(&mut text, *arrow, 0.5f64.powi(below as i32));
    }
    text.push_str("</svg>");
    PreEscaped(text)
}

fn corner(square: Square) -> (i32, i32) {
    (
        SIDE * i32::from(square.file()),
        SIDE * (7 - i32::from(square.rank())),
    )
}

fn coordinates(text: &mut String) {
    for n in 0..8 {
        let (rank, file) = (8 - n, (b'a' + n as u8) as char);
        let style = r##"font-size="9" font-family="sans-serif" fill="#5b6650""##;
        let _ = write!(text, r#"<text x="2" y="{}" {style}>{rank}</text>"#, SIDE * n + 10);
        let (x, y) = (SIDE * (n + 1) - 7, 8 * SIDE - 3);
        let _ = write!(text, r#"<text x="{x}" y="{y}" {style}>{file}</text>"#);
    }
}

/// From the middle of one square to the middle of another, castling to where the king lands.
fn draw_arrow(text: &mut String, arrow: Arrow, width: f64) {
    let middle = |square: Square| {
        let (x, y) = corner(square);
        (f64::from(x + SIDE / 2), f64::from(y + SIDE / 2))
    };
    let ((x1, y1), (x2, y2)) = (middle(arrow.m.from()), middle(arrow.m.landing()));
    let length = (x2 - x1).hypot(y2 - y1).max(1.0);
    let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
    // the head is 15 long and at most 16 wide, the shaft ends where it begins
    let (bx, by) = (x2 - 15.0 * dx, y2 - 15.0 * dy);
    let color = arrow.color;
    let (shaft, head) = (5.5 * width, 8.0 * width);
    let _ = write!(
        text,
        r#"<g stroke="{color}" fill="{color}" opacity="0.800"><path d="M{x1:.1} {y1:.1}L{bx:.1} {by:.1}" stroke-width="{shaft:.3}" stroke-linecap="round"/><path stroke="none" d="M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}z"/></g>"#,
        bx - head * dy,
        by + head * dx,
        bx + head * dy,
        by - head * dx
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_shows_every_piece_and_arrow() {
        let position = Position::default();
        let m = position.parse_uci("g1f3").unwrap();
        let arrow = Arrow { m, color: "#123456" };
        let svg = board(&position, &[arrow], "a \"board\" & <more>").into_string();
        assert_eq!(svg.matches("<use ").count(), 32);
        assert_eq!(svg.matches("<rect ").count(), 64);
        assert_eq!(svg.matches("#123456").count(), 2);
        assert!(svg.contains("a &quot;board&quot; &amp; &lt;more&gt;"));
        // the white king of e1 stands in the lowest row
        assert!(svg.contains(r##"<use href="#wk" x="180" y="315"/>"##));
        // two for one move: the upper one is narrower
        let upper = Arrow { m, color: "#654321" };
        let both = board(&position, &[upper, arrow], "").into_string();
        let place = |color: &str| both.find(color).unwrap();
        assert!(place("#123456") < place("#654321"));
        assert!(both.contains("stroke-width=\"5.500\"") && both.contains("stroke-width=\"2.750\""));
        let definitions = definitions().into_string();
        for color in ['w', 'b'] {
            assert!(
                "pnbrqk"
                    .chars()
                    .all(|kind| definitions.contains(&format!("id=\"{color}{kind}\"")))
            );
        }
    }
}
