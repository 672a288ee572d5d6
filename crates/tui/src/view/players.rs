//! Draws the players: names, what they have captured, and their clocks.

use std::fmt::Write;
use std::time::Duration;

use chess::{Color, Position, Role};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use super::board::glyph;
use super::layout::Layout;
use super::wrap::cut;
use crate::app::App;
use crate::theme::Palette;
use game::printable_line;

/// Draws both players' rows.
pub(super) fn players(app: &App, layout: &Layout, palette: Palette, buffer: &mut Buffer) {
    let bottom = if app.flipped { Color::Black } else { Color::White };
    row(app, !bottom, layout.top_player, palette, buffer);
    row(app, bottom, layout.bottom_player, palette, buffer);
}

fn row(app: &App, color: Color, area: Rect, palette: Palette, buffer: &mut Buffer) {
    let clock = clock(app, color);
    let room = usize::from(area.width).saturating_sub(clock.as_ref().map_or(0, |c| c.len() + 3));
    let dot = match (app.look.ascii, color) {
        (true, Color::White) => "W",
        (true, Color::Black) => "B",
        (false, Color::White) => "○",
        (false, Color::Black) => "●",
    };
    let to_move = app.study.position().turn() == color;
    let style = Style::new().add_modifier(Modifier::BOLD);
    let extra = extra(app, color);
    let name = cut(&name(app, color), room.saturating_sub(extra.width() + 4));
    let dotted = if to_move { palette.accent() } else { palette.dim() };
    buffer.set_string(area.x, area.y, dot, dotted);
    buffer.set_string(area.x + 2, area.y, &name, style);
    let after = area.x + 3 + name.width() as u16;
    buffer.set_stringn(
        after,
        area.y,
        &extra,
        usize::from(area.right().saturating_sub(after)),
        palette.dim(),
    );
    if let Some(text) = clock {
        let runs = app.table.live.clock_runs() == Some(color) && app.is_playing();
        let style = if runs { Palette::current() } else { Style::new() };
        let text = format!(" {text} ");
        buffer.set_string(area.right() - text.len() as u16, area.y, &text, style);
    }
}

fn name(app: &App, color: Color) -> String {
    let tag = if color == Color::White { "White" } else { "Black" };
    let name = if app.loaded {
        app.study.game.tags.get(tag).unwrap_or("?").to_owned()
    } else {
        app.table.name(color).to_owned()
    };
    // Names come from files and servers.
    printable_line(&name).into_owned()
}

/// Material ahead, and whether the engine is thinking.
fn extra(app: &App, color: Color) -> String {
    let mut text = ahead(app.study.position(), color, app.look.ascii);
    if app.is_thinking() && app.table.live.turn() == color && !app.loaded {
        text.push_str(if text.is_empty() { "thinking" } else { " thinking" });
    }
    text
}

/// The pieces that a side has more of, and by how much it is ahead.
fn ahead(position: &Position, color: Color, ascii: bool) -> String {
    const WORTH: [i32; 5] = [1, 3, 3, 5, 9];
    let mut text = String::new();
    let mut sum = 0;
    for (role, worth) in Role::ALL.into_iter().zip(WORTH) {
        let count = |color: Color| position.pieces(role.of(color)).count() as i32;
        let more = count(color) - count(!color);
        sum += worth * more;
        let symbol = glyph(role.of(Color::Black), true);
        for _ in 0..more {
            if ascii { text.push(role.of(!color).letter()) } else { text.push_str(symbol) }
        }
    }
    if sum > 0 {
        let _ = write!(text, " +{sum}");
    }
    text.trim().to_owned()
}

/// A side's clock: running in a game that is played, otherwise as it was after the move shown.
fn clock(app: &App, color: Color) -> Option<String> {
    if app.is_playing() && app.study.is_at_end() {
        return app.table.live.left(app.now).map(|left| clock_text(left[color.index()]));
    }
    let at_last = !app.loaded && app.study.main_ply() == Some(app.table.live.plies());
    if at_last && app.table.flagged() == Some(color) {
        return Some("0:00".to_owned());
    }
    let tree = &app.study.game.tree;
    let mut nodes = std::iter::successors(Some(app.study.at()), |&node| tree.parent(node));
    let (first, second) = (nodes.next(), nodes.next());
    // The last move was played by the side that is not to move now.
    let node = if app.study.position().turn() == color { second } else { first };
    let left = tree.comment(node?)?.clock?;
    Some(clock_text(left))
}

/// `1:05:09`, `5:09`, and tenths in the last twenty seconds.
fn clock_text(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{rest:02}")
    } else if seconds < 20 {
        format!("{minutes}:{rest:02}.{}", left.subsec_millis() / 100)
    } else {
        format!("{minutes}:{rest:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_show_tenths_when_time_is_short() {
        let text = |millis| clock_text(Duration::from_millis(millis));
        assert_eq!(text(3_909_000), "1:05:09");
        assert_eq!(text(309_999), "5:09");
        assert_eq!(text(19_950), "0:19.9");
        assert_eq!(text(0), "0:00.0");
    }

    #[test]
    fn material_ahead_is_counted() {
        let position: Position =
            "rnbqkb1r/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1".parse().expect("legal");
        assert_eq!(ahead(&position, Color::White, false), "♞ +2");
        assert_eq!(ahead(&position, Color::Black, true), "P");
    }
}
