//! Draws the squares and the pieces.

use chess::{CastlingMode, Color, File, Piece, Rank, Role, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::layout::Layout;
use super::sprites::sprite;
use crate::app::App;
use crate::theme::{Mark, Palette};

/// Draws the board with its coordinates.
pub(super) fn board(app: &App, layout: &Layout, palette: Palette, buffer: &mut Buffer) {
    let marks = Marks::of(app);
    for square in Square::all() {
        let place = layout.square(square, app.flipped);
        let piece = app.study.position().piece_on(square);
        let painter = Painter { app, palette, place, mark: marks.of_square(square), square };
        painter.paint(piece, marks.targets.contains(&square), buffer);
    }
    for index in 0..8 {
        let (file, rank) = (File::ALL[index], Rank::ALL[index]);
        let at = layout.square(Square::new(file, Rank::First), app.flipped);
        let letter = file.letter().to_string();
        buffer.set_string(at.x + (at.width - 1) / 2, layout.files.y, letter, palette.dim());
        let at = layout.square(Square::new(File::A, rank), app.flipped);
        let digit = rank.digit().to_string();
        buffer.set_string(layout.ranks.x, at.y + (at.height - 1) / 2, digit, palette.dim());
    }
}

/// What is special about the squares.
struct Marks {
    last: Vec<Square>,
    selected: Option<Square>,
    targets: Vec<Square>,
    hint: Vec<Square>,
    premove: Vec<Square>,
    check: Option<Square>,
    captures: Vec<Square>,
}

impl Marks {
    fn of(app: &App) -> Self {
        let position = app.study.position();
        let ends = |m: chess::Move, before: &chess::Position| {
            vec![m.from(), m.to_uci(before, CastlingMode::Standard).to]
        };
        let before = app.study.line().positions().rev().nth(1);
        let last = app.study.last_move().zip(before).map(|(m, before)| ends(m, before));
        let may_move = !app.is_playing() || app.table.is_our_turn() && app.study.is_at_end();
        let selected = app.selected;
        let legal = position.legal_moves();
        let reached = |from: Square| {
            let from_here = legal.iter().filter(move |m| m.from() == from);
            from_here.map(|m| m.to_uci(position, CastlingMode::Standard).to).collect::<Vec<_>>()
        };
        let targets = selected.filter(|_| may_move).map(reached).unwrap_or_default();
        let captures =
            targets.iter().copied().filter(|&square| position.piece_on(square).is_some()).collect();
        let king = position.king(position.turn());
        Self {
            last: last.unwrap_or_default(),
            selected,
            captures,
            targets,
            hint: app.hint.map(|m| ends(m, position)).unwrap_or_default(),
            premove: app.premove.map(|(from, to)| vec![from, to]).unwrap_or_default(),
            check: position.is_check().then_some(king),
        }
    }

    fn of_square(&self, square: Square) -> Mark {
        if self.selected == Some(square) {
            Mark::Selected
        } else if self.captures.contains(&square) {
            Mark::Capture
        } else if self.hint.contains(&square) {
            Mark::Hint
        } else if self.premove.contains(&square) {
            Mark::Premove
        } else if self.check == Some(square) {
            Mark::Check
        } else if self.last.contains(&square) {
            Mark::Last
        } else {
            Mark::None
        }
    }
}

/// Paints one square.
struct Painter<'a> {
    app: &'a App,
    palette: Palette,
    place: Rect,
    mark: Mark,
    square: Square,
}

impl Painter<'_> {
    fn paint(&self, piece: Option<Piece>, target: bool, buffer: &mut Buffer) {
        let ground = self.palette.square(self.square.is_light(), self.mark);
        let style = ground.map_or_else(Style::new, |color| Style::new().bg(color));
        let fill = match (ground.is_some() || self.square.is_light(), self.app.look.ascii) {
            (true, _) => " ",
            (false, true) => ":",
            (false, false) => "░",
        };
        for spot in self.place.positions() {
            buffer[spot].reset();
            buffer[spot].set_symbol(fill).set_style(style);
        }
        match piece {
            Some(piece) if self.has_room_for_sprite() => self.sprite(piece, buffer),
            Some(piece) => self.glyph(piece, style, buffer),
            None if target => self.put(if self.app.look.ascii { "*" } else { "•" }, style, buffer),
            None => {}
        }
        self.frame(piece.is_some(), style, buffer);
    }

    fn has_room_for_sprite(&self) -> bool {
        self.place.height >= 4 && self.palette.has_colors() && !self.app.look.ascii
    }

    /// Writes a character in the middle, with space around it.
    fn put(&self, text: &str, style: Style, buffer: &mut Buffer) {
        let (x, y) = self.middle();
        if !self.palette.has_colors() {
            for column in
                x.saturating_sub(1).max(self.place.x)..=(x + 1).min(self.place.right() - 1)
            {
                buffer[(column, y)].set_symbol(" ");
            }
        }
        buffer[(x, y)].set_symbol(text).set_style(style);
    }

    fn middle(&self) -> (u16, u16) {
        (self.place.x + (self.place.width - 1) / 2, self.place.y + (self.place.height - 1) / 2)
    }

    fn glyph(&self, piece: Piece, style: Style, buffer: &mut Buffer) {
        let mut style = style.add_modifier(Modifier::BOLD);
        if let Some(color) = self.palette.piece(piece.color()) {
            style = style.fg(color);
        }
        if self.app.look.ascii {
            self.put(piece.letter().encode_utf8(&mut [0; 4]), style, buffer);
        } else {
            self.put(glyph(piece, self.palette.has_colors()), style, buffer);
        }
    }

    /// Paints a piece of half blocks: two pixels in each cell.
    fn sprite(&self, piece: Piece, buffer: &mut Buffer) {
        let Some(ground) = self.palette.square(self.square.is_light(), self.mark) else { return };
        let Some(ink) = self.palette.piece(piece.color()) else { return };
        let picture = sprite(piece.role(), self.place.width);
        let color = |x, y| if picture.is_set(x, y) { ink } else { ground };
        for spot in self.place.positions() {
            let (x, y) = (spot.x - self.place.x, 2 * (spot.y - self.place.y));
            let (upper, lower) = (color(x, y), color(x, y + 1));
            let cell = &mut buffer[spot];
            if upper == lower {
                cell.set_symbol(" ").set_bg(upper);
            } else {
                cell.set_symbol("▀").set_fg(upper).set_bg(lower);
            }
        }
    }

    /// Brackets around the square that the keyboard points at, and without colors around all that
    /// is special.
    fn frame(&self, occupied: bool, style: Style, buffer: &mut Buffer) {
        let cursor = self.app.cursor == Some(self.square);
        let brackets = match self.mark {
            _ if cursor => ["(", ")"],
            _ if self.palette.has_colors() => return,
            Mark::None => return,
            Mark::Last => ["<", ">"],
            Mark::Selected => ["[", "]"],
            Mark::Capture => ["x", "x"],
            Mark::Hint => ["{", "}"],
            Mark::Premove => ["~", "~"],
            Mark::Check => ["!", "!"],
        };
        let (x, y) = self.middle();
        let style = style.add_modifier(Modifier::BOLD);
        if self.place.width < 4 {
            // There is no room on both sides of a piece.
            let at = if occupied { x + 1 } else { x };
            buffer[(at.min(self.place.right() - 1), y)].set_symbol(brackets[1]).set_style(style);
            return;
        }
        if !occupied && !self.palette.has_colors() {
            buffer[(x, y)].set_symbol(" ");
        }
        buffer[(x - 1, y)].set_symbol(brackets[0]).set_style(style);
        buffer[(x + 1, y)].set_symbol(brackets[1]).set_style(style);
    }
}

/// The character of a piece: filled if its color is told by paint.
pub(super) const fn glyph(piece: Piece, painted: bool) -> &'static str {
    match (piece.role(), painted || matches!(piece.color(), Color::Black)) {
        (Role::Pawn, true) => "♟",
        (Role::Knight, true) => "♞",
        (Role::Bishop, true) => "♝",
        (Role::Rook, true) => "♜",
        (Role::Queen, true) => "♛",
        (Role::King, true) => "♚",
        (Role::Pawn, false) => "♙",
        (Role::Knight, false) => "♘",
        (Role::Bishop, false) => "♗",
        (Role::Rook, false) => "♖",
        (Role::Queen, false) => "♕",
        (Role::King, false) => "♔",
    }
}
