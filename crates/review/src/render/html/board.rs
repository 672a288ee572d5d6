//! A position as a small picture.

use std::fmt::Write;

use chess::{Color, Position, Role, Square, UciMove};

use super::text::Text;

/// The side of a square; the squares and the style sheet have the same measure.
const SIDE: f64 = 45.0;

/// The squares, drawn once per page.
pub(super) const SQUARES: &str = "<svg class=\"defs\" aria-hidden=\"true\"><defs>\
    <pattern id=\"squares\" width=\"90\" height=\"90\" patternUnits=\"userSpaceOnUse\">\
    <rect width=\"90\" height=\"90\" class=\"light\"/>\
    <path d=\"M45 0h45v45h-90v45h45z\" class=\"dark\"/></pattern></defs></svg>";

/// An arrow for a move.
pub(super) struct Arrow<'a> {
    /// The move in UCI notation; nothing is drawn if it is none.
    pub uci: &'a str,
    /// The color.
    pub color: &'a str,
}

/// The board with this side at the bottom. The title is for screen readers.
pub(super) fn board(
    position: &Position,
    below: Color,
    arrows: &[Arrow<'_>],
    title: &str,
) -> String {
    let mut out = format!(
        "<svg class=\"board\" viewBox=\"0 0 360 360\" role=\"img\" aria-label=\"{}\">\
         <rect width=\"360\" height=\"360\" fill=\"url(#squares)\"/>",
        Text(title)
    );
    for square in Square::all() {
        if let Some(piece) = position.piece_on(square) {
            let (x, y) = center(square, below);
            let (side, glyph) = (piece.color().letter(), glyph(piece.role()));
            let _ =
                write!(out, "<text class=\"{side}\" x=\"{x}\" y=\"{y}\">{glyph}\u{fe0e}</text>");
        }
    }
    for arrow in arrows {
        if let Ok(m) = arrow.uci.parse::<UciMove>() {
            out.push_str(&path(center(m.from, below), center(m.to, below), arrow.color));
        }
    }
    out.push_str("</svg>");
    out
}

/// The center of a square, from the top left corner.
fn center(square: Square, below: Color) -> (f64, f64) {
    let (file, rank) = (square.file().index() as f64, square.rank().index() as f64);
    let (column, row) = match below {
        Color::White => (file + 0.5, 7.5 - rank),
        Color::Black => (7.5 - file, rank + 0.5),
    };
    (column * SIDE, row * SIDE)
}

/// The filled glyph: outlined ones look thin on both kinds of squares.
const fn glyph(role: Role) -> char {
    match role {
        Role::Pawn => '♟',
        Role::Knight => '♞',
        Role::Bishop => '♝',
        Role::Rook => '♜',
        Role::Queen => '♛',
        Role::King => '♚',
    }
}

fn path((x, y): (f64, f64), (to_x, to_y): (f64, f64), color: &str) -> String {
    const HEAD: f64 = 16.0;
    let (across, down) = (to_x - x, to_y - y);
    let (length, angle) = (across.hypot(down), down.atan2(across).to_degrees());
    let (shaft, tip) = (length - HEAD, length - 2.0);
    format!(
        "<path class=\"arrow\" fill=\"{color}\" transform=\"translate({x} {y}) rotate({angle:.1})\" \
         d=\"M0-3.5H{shaft:.1}V-11L{tip:.1} 0 {shaft:.1} 11V3.5H0z\"/>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_on_their_squares() {
        let position: Position = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().expect("legal");
        let white = board(&position, Color::White, &[], "");
        assert!(white.contains("<text class=\"w\" x=\"22.5\" y=\"337.5\">♜"), "{white}");
        assert!(white.contains("<text class=\"b\" x=\"202.5\" y=\"22.5\">♚"), "{white}");
        let black = board(&position, Color::Black, &[], "");
        assert!(black.contains("<text class=\"w\" x=\"337.5\" y=\"22.5\">♜"), "{black}");
    }

    #[test]
    fn arrows_follow_moves_and_ignore_nonsense() {
        let arrow = |uci| [Arrow { uci, color: "red" }];
        let up = board(&Position::default(), Color::White, &arrow("e2e4"), "");
        assert!(up.contains("translate(202.5 292.5) rotate(-90.0)"), "{up}");
        let none = board(&Position::default(), Color::White, &arrow("castles"), "");
        assert!(!none.contains("arrow"), "{none}");
    }
}
