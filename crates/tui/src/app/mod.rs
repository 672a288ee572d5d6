//! The board as a state machine: what has happened goes in, what to do comes out. It is drawn by
//! [`view`](crate::view), and the same events always give the same picture.

mod answers;
mod deeds;
mod dialog;
mod entry;
mod keys;
mod model;
mod pointer;
mod state;
#[cfg(test)]
mod tests;

pub use dialog::{Form, Popup};
pub use entry::Entry;
pub(crate) use entry::complete;
pub(crate) use keys::FUNCTION_KEYS;
pub use model::App;
pub use state::{Look, Notice, Preferences, Reviewing};
