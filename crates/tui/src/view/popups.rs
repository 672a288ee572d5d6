//! Draws what lies above the board.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::widgets::{Block, Clear, Widget};
use unicode_width::UnicodeWidthStr;

use super::wrap::{cut, wrap};
use crate::app::{App, Form, Popup};
use crate::theme::Palette;

/// The widest text.
const WIDEST: u16 = 74;

/// The inside of the popup.
pub(crate) fn popup_area(app: &App) -> Rect {
    let (columns, rows) = app.size;
    let Some(popup) = &app.popup else { return Rect::default() };
    let (wide, tall) = match popup {
        Popup::Text { text, .. } => {
            let widest = text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
            let wide = (widest as u16).clamp(24, WIDEST.min(columns.saturating_sub(4)));
            (wide, wrap(text, usize::from(wide)).len() as u16 + 2)
        }
        Popup::New(_) => (54, Form::FIELDS as u16 + 4),
        Popup::Promotion(moves) => (20, moves.len() as u16),
        Popup::Confirm { question, .. } => ((question.width() as u16).max(20), 3),
    };
    let wide = wide.min(columns.saturating_sub(4));
    let tall = tall.min(rows.saturating_sub(2));
    Rect::new((columns - wide) / 2, (rows - tall) / 2, wide, tall)
}

/// Draws the popup.
pub(super) fn popup(app: &App, palette: Palette, buffer: &mut Buffer) {
    let Some(popup) = &app.popup else { return };
    let inside = popup_area(app).intersection(buffer.area);
    let frame = Rect::new(
        inside.x.saturating_sub(2),
        inside.y.saturating_sub(1),
        inside.width + 4,
        inside.height + 2,
    )
    .intersection(buffer.area);
    let title = match popup {
        Popup::Text { title, .. } => title,
        Popup::New(_) => "New game",
        Popup::Promotion(_) => "Promote to",
        Popup::Confirm { .. } => "Riga",
    };
    Clear.render(frame, buffer);
    let lines = if app.look.ascii { ASCII } else { border::ROUNDED };
    Block::bordered()
        .border_set(lines)
        .border_style(palette.dim())
        .title_style(palette.accent())
        .title(format!(" {title} "))
        .render(frame, buffer);
    match popup {
        Popup::Text { text, scroll, .. } => read(text, *scroll, inside, palette, buffer),
        Popup::New(form) => form_fields(form, app, inside, palette, buffer),
        Popup::Promotion(moves) => {
            for (m, y) in moves.iter().zip(inside.y..inside.bottom()) {
                let role = m.promotion().map_or("", chess::Role::name);
                let letter = m.promotion().map_or(' ', chess::Role::letter).to_ascii_uppercase();
                line(&format!("{letter}  {role}"), inside, y, Style::new(), buffer);
            }
        }
        Popup::Confirm { question, .. } => {
            line(question, inside, inside.y, Style::new(), buffer);
            let keys = "Y yes      N no";
            line(keys, inside, inside.y + 2, palette.accent(), buffer);
        }
    }
}

/// Borders for terminals without line drawing.
const ASCII: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

fn line(text: &str, inside: Rect, y: u16, style: Style, buffer: &mut Buffer) {
    if y < inside.bottom() {
        buffer.set_string(inside.x, y, cut(text, usize::from(inside.width)), style);
    }
}

fn read(text: &str, scroll: usize, inside: Rect, palette: Palette, buffer: &mut Buffer) {
    let lines = wrap(text, usize::from(inside.width));
    let room = usize::from(inside.height.saturating_sub(2));
    let first = scroll.min(lines.len().saturating_sub(room));
    for (text, y) in lines[first..].iter().take(room).zip(inside.y..) {
        line(text, inside, y, Style::new(), buffer);
    }
    let keys = if lines.len() > room {
        "Up, Down: scroll   any other key: close"
    } else {
        "Any key: close"
    };
    line(keys, inside, inside.bottom().saturating_sub(1), palette.dim(), buffer);
}

fn form_fields(form: &Form, app: &App, inside: Rect, palette: Palette, buffer: &mut Buffer) {
    for (index, (name, value)) in form.fields().iter().enumerate() {
        let y = inside.y + index as u16;
        let chosen = form.field == index;
        let style = if chosen { Palette::current() } else { Style::new() };
        let [left, right] = match (chosen, app.look.ascii) {
            (false, _) => [" ", " "],
            (true, true) => ["<", ">"],
            (true, false) => ["◂", "▸"],
        };
        line(&format!("{name:<10} "), inside, y, palette.dim(), buffer);
        let place = Rect { x: inside.x + 11, width: inside.width.saturating_sub(11), ..inside };
        line(&format!("{left} {value} {right}"), place, y, style, buffer);
    }
    let y = inside.y + Form::FIELDS as u16 + 1;
    line("Enter: play", inside, y, palette.accent(), buffer);
    let keys = "Arrows: choose   1-9, 0: level   Esc: leave";
    line(keys, inside, y + 2, palette.dim(), buffer);
}
