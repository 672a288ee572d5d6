//! Draws the board. Nothing here changes it.

mod bar;
mod board;
mod draw;
mod layout;
mod panel;
mod players;
mod popups;
mod prompt;
mod sprites;
mod wrap;

pub use draw::{Sheet, draw};
pub(crate) use layout::Layout;
pub(crate) use panel::move_at;
pub(crate) use popups::popup_area;
pub(crate) use prompt::buttons;
