//! What the mouse does.

use chess::Square;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position as Spot;

use super::deeds::moves_between;
use super::dialog::Popup;
use super::model::App;
use crate::study::Walk;
use crate::view::{Layout, buttons, popup_area};

impl App {
    pub(super) fn point(&mut self, mouse: MouseEvent) {
        let Some(layout) = Layout::of(self) else { return };
        let spot = Spot::new(mouse.column, mouse.row);
        if self.popup.is_some() {
            self.point_in_popup(mouse.kind, spot);
            return;
        }
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.cursor = None;
                if let Some(square) = layout.square_at(spot, self.flipped) {
                    self.click_square(square);
                } else if let Some(deed) = buttons(self, &layout).find(spot) {
                    self.carry_out(deed);
                } else if layout.moves.contains(spot) {
                    self.click_move(&layout, spot);
                }
            }
            MouseEventKind::Up(MouseButton::Left) => {
                let square = layout.square_at(spot, self.flipped);
                // The end of a drag; after a click the mouse is still on the same square.
                if let (Some(from), Some(to)) = (self.selected, square)
                    && from != to
                {
                    self.drop_piece(from, to);
                }
            }
            MouseEventKind::Down(MouseButton::Right) => self.selected = None,
            MouseEventKind::ScrollUp => self.walk(Walk::Back(1)),
            MouseEventKind::ScrollDown => self.walk(Walk::Next(1)),
            _ => {}
        }
    }

    /// Selects a piece, or moves the selected one.
    pub(super) fn click_square(&mut self, square: Square) {
        let own = self.is_own(square);
        match self.selected {
            Some(from) if from == square => self.selected = None,
            Some(from) if !moves_between(self.study.position(), from, square).is_empty() => {
                self.enter_squares(from, square);
            }
            _ if own => self.selected = Some(square),
            Some(from) => {
                self.selected = None;
                self.enter_squares(from, square);
            }
            None => {}
        }
    }

    fn drop_piece(&mut self, from: Square, to: Square) {
        if self.is_own(to) && moves_between(self.study.position(), from, to).is_empty() {
            return;
        }
        self.selected = None;
        self.enter_squares(from, to);
    }

    /// Whether a square has a piece that may be moved, now or by a premove.
    fn is_own(&self, square: Square) -> bool {
        let position = self.study.position();
        let Some(piece) = position.piece_on(square) else { return false };
        if self.is_playing() {
            let plays = self.table.sides.plays(piece.color());
            let shared = self.table.sides == game::live::Sides::Both;
            plays && (!shared || piece.color() == position.turn())
        } else {
            piece.color() == position.turn()
        }
    }

    fn click_move(&mut self, layout: &Layout, spot: Spot) {
        if let Some(node) = crate::view::move_at(self, layout, spot) {
            self.study.go(node);
            self.selected = None;
            self.hint = None;
        }
    }

    fn point_in_popup(&mut self, kind: MouseEventKind, spot: Spot) {
        let inside = popup_area(self);
        let row = spot.y.saturating_sub(inside.y) as usize;
        let clicked = kind == MouseEventKind::Down(MouseButton::Left);
        let Some(popup) = &mut self.popup else { return };
        match popup {
            Popup::Text { scroll, .. } => match kind {
                MouseEventKind::ScrollDown => *scroll += 1,
                MouseEventKind::ScrollUp => *scroll = scroll.saturating_sub(1),
                _ if clicked => self.popup = None,
                _ => {}
            },
            Popup::New(form) if clicked && inside.contains(spot) => {
                if row < super::Form::FIELDS {
                    form.move_to(row);
                    let left = spot.x < inside.x + inside.width / 2;
                    form.turn(!left);
                } else if row == super::Form::FIELDS + 1 {
                    let form = form.clone();
                    self.start(&form);
                }
            }
            Popup::Promotion(moves) if clicked => {
                let chosen = inside.contains(spot).then(|| moves.get(row).copied()).flatten();
                self.popup = None;
                match chosen {
                    Some(m) => self.enter_move(m),
                    None => self.selected = None,
                }
            }
            Popup::Confirm { deed, .. } if clicked => {
                let deed = *deed;
                let yes = inside.contains(spot) && spot.x < inside.x + inside.width / 2;
                self.popup = None;
                if yes && row >= 2 {
                    self.carry_out_now(deed);
                }
            }
            _ => {}
        }
    }
}
