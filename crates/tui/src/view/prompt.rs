//! Draws what is typed, what the player is told, and the buttons.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Spot, Rect};
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::layout::Layout;
use super::wrap::cut;
use crate::app::{App, FUNCTION_KEYS, complete};
use crate::order::Deed;
use crate::theme::Palette;
use game::printable_line;

/// Draws the rows below the board; returns where the caret is.
pub(super) fn prompt(app: &App, layout: &Layout, palette: Palette, buffer: &mut Buffer) -> Spot {
    let caret = typed(app, layout.prompt, palette, buffer);
    let notice = layout.notice;
    let style = if app.notice.bad { palette.bad() } else { Style::new() };
    let text = printable_line(&app.notice.text);
    buffer.set_string(notice.x + 2, notice.y, cut(&text, usize::from(notice.width) - 2), style);
    for button in &buttons(app, layout).0 {
        let (key, name) = (&button.key, button.name);
        buffer.set_string(button.area.x, button.area.y, key, palette.dim());
        let x = button.area.x + key.len() as u16;
        buffer.set_string(x, button.area.y, name, palette.accent());
    }
    caret
}

fn typed(app: &App, area: Rect, palette: Palette, buffer: &mut Buffer) -> Spot {
    let width = usize::from(area.width).saturating_sub(4);
    buffer.set_string(area.x, area.y, "> ", palette.accent());
    // A long line is shown from where the caret is in sight.
    let before: String = app.entry.text().chars().take(app.entry.caret()).collect();
    let hidden = before.chars().count() - tail(&before, width).chars().count();
    let shown: String = app.entry.text().chars().skip(hidden).collect();
    let shown = cut(&shown, width);
    buffer.set_string(area.x + 2, area.y, &shown, Style::new());
    let x = area.x + 2 + tail(&before, width).width() as u16;
    let after = area.x + 2 + shown.width() as u16 + 2;
    let room = usize::from(area.right().saturating_sub(after));
    let others = complete(app.entry.text(), app.study.position());
    let others = others.iter().filter(|one| *one != app.entry.text()).take(12);
    let text = others.cloned().collect::<Vec<_>>().join(" ");
    buffer.set_stringn(after, area.y, cut(&text, room), room, palette.dim());
    Spot::new(x.min(area.right().saturating_sub(1)), area.y)
}

/// The end of a text that fits in a width.
fn tail(text: &str, width: usize) -> &str {
    let mut from = 0;
    while text[from..].width() > width {
        from += text[from..].chars().next().map_or(1, char::len_utf8);
    }
    &text[from..]
}

/// The buttons of the last row.
pub(crate) struct Buttons(Vec<Button>);

struct Button {
    key: String,
    name: &'static str,
    deed: Deed,
    area: Rect,
}

impl Buttons {
    /// What the button at a place does.
    pub fn find(&self, spot: Spot) -> Option<Deed> {
        self.0.iter().find(|button| button.area.contains(spot)).map(|button| button.deed)
    }
}

/// What a narrow row leaves out during a game, the least needed first.
const LEFT_OUT: [Deed; 5] = [Deed::Analyse, Deed::Flip, Deed::New, Deed::Hint, Deed::TakeBack];

/// What it leaves out after a game.
const LEFT_OUT_AFTERWARDS: [Deed; 5] =
    [Deed::TakeBack, Deed::Hint, Deed::Analyse, Deed::Flip, Deed::New];

/// The buttons, as many as fit.
pub(crate) fn buttons(app: &App, layout: &Layout) -> Buttons {
    let area = layout.buttons;
    let mut all: Vec<Button> = Vec::new();
    for (number, deed) in FUNCTION_KEYS {
        let deed = app.deed_now(deed);
        let known = all.iter().any(|button| button.deed == deed);
        if known || deed == Deed::Review && app.is_playing() {
            continue;
        }
        let (key, name) = (format!("F{number} "), button_name(deed));
        let wide = (key.len() + name.len()) as u16;
        all.push(Button { key, name, deed, area: Rect::new(area.x, area.y, wide, 1) });
    }
    for spared in if app.is_playing() { LEFT_OUT } else { LEFT_OUT_AFTERWARDS } {
        // With a column between any two.
        if all.iter().map(|button| button.area.width + 1).sum::<u16>() <= area.width + 1 {
            break;
        }
        all.retain(|button| button.deed != spared);
    }
    let mut x = area.x;
    for button in &mut all {
        button.area.x = x;
        x += button.area.width + 1;
    }
    Buttons(all)
}

const fn button_name(deed: Deed) -> &'static str {
    match deed {
        Deed::New => "New",
        Deed::Hint => "Hint",
        Deed::TakeBack => "Undo",
        Deed::Flip => "Flip",
        Deed::Analyse => "Lines",
        Deed::Draw => "Draw",
        Deed::Rematch => "Rematch",
        Deed::Resign => "Resign",
        Deed::Review => "Review",
        Deed::Quit => "Quit",
        _ => "Help",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_line_is_shown() {
        assert_eq!(tail("abcdef", 3), "def");
        assert_eq!(tail("abc", 3), "abc");
        assert_eq!(tail("äö漢字", 3), "字");
        assert_eq!(tail("", 0), "");
    }
}
