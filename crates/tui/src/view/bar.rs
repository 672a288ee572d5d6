//! Draws the evaluation as a bar.

use chess::Color;
use ratatui::buffer::Buffer;
use ratatui::style::{Color as Ink, Style};

use super::layout::Layout;
use super::panel::score_shown;
use crate::app::App;
use crate::theme::Palette;

/// Draws the bar: the share of White's expected score, from White's side of the board.
pub(super) fn bar(app: &App, layout: &Layout, palette: Palette, buffer: &mut Buffer) {
    let Some((score, position)) = score_shown(app) else { return };
    let wdl = score.wdl(&position);
    let share = f64::from(2 * wdl.win + wdl.draw) / 2000.0;
    let area = layout.bar;
    let halves = (share * f64::from(area.height) * 2.0).round() as u16;
    let ascii = app.look.ascii || !palette.has_colors();
    let [white, black] = Color::ALL.map(|color| {
        palette.color(if color == Color::White { (238, 238, 232) } else { (60, 58, 54) })
    });
    let (white, black) = (white.unwrap_or(Ink::White), black.unwrap_or(Ink::DarkGray));
    for row in 0..area.height {
        // Counted from White's side.
        let from_white = if app.flipped { row } else { area.height - 1 - row };
        let filled = halves.saturating_sub(2 * from_white).min(2);
        let cell = &mut buffer[(area.x, area.y + row)];
        if ascii {
            cell.set_symbol(if filled >= 1 { "#" } else { "." });
            continue;
        }
        let (near, far) = match filled {
            0 => (black, black),
            1 => (white, black),
            _ => (white, white),
        };
        let (upper, lower) = if app.flipped { (near, far) } else { (far, near) };
        cell.set_symbol("▀").set_style(Style::new().fg(upper).bg(lower));
    }
}
