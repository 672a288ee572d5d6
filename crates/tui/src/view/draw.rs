//! Draws everything.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::layout::{LEAST, Layout};
use super::{bar, board, panel, players, popups, prompt};
use crate::app::App;
use crate::scoresheet::Row;
use crate::theme::Palette;

/// The list of moves, kept from one frame to the next: it changes less often than the screen.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The tree's revision and the width that the rows were made for.
    made_for: Option<(u64, u16, bool)>,
    rows: Vec<Row>,
}

impl Sheet {
    /// The rows for a width.
    pub(super) fn rows(&mut self, app: &App, width: u16) -> &[Row] {
        let reviewed = panel::is_reviewed(app);
        let wanted = Some((app.study.revision(), width, reviewed));
        if self.made_for != wanted {
            self.rows = panel::rows(app, width);
            self.made_for = wanted;
        }
        &self.rows
    }

    /// Forgets the rows of another game.
    pub fn forget(&mut self) {
        self.made_for = None;
    }
}

/// Draws the board and all around it.
pub fn draw(app: &App, sheet: &mut Sheet, frame: &mut Frame<'_>) {
    let area = frame.area();
    let palette = Palette::new(app.look.theme, app.look.depth);
    let Some(layout) = Layout::new((area.width, area.height), app.has_remarks()) else {
        too_small(area, frame);
        return;
    };
    let buffer = frame.buffer_mut();
    board::board(app, &layout, palette, buffer);
    bar::bar(app, &layout, palette, buffer);
    players::players(app, &layout, palette, buffer);
    panel::panel(app, &layout, palette, sheet, buffer);
    let caret = prompt::prompt(app, &layout, palette, buffer);
    if app.popup.is_some() {
        popups::popup(app, palette, buffer);
    } else {
        frame.set_cursor_position(caret);
    }
}

fn too_small(area: Rect, frame: &mut Frame<'_>) {
    let text = format!(
        "Too small: {}x{}. Riga needs {}x{}, better 80x24.",
        area.width, area.height, LEAST.0, LEAST.1
    );
    frame.render_widget(Paragraph::new(Line::raw(text)).wrap(Wrap { trim: true }), area);
}
