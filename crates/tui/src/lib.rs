//! The board in the terminal.
//!
//! [`App`] is the board as a state machine: [`Incoming`] events go in, [`Effect`]s come out, and
//! [`draw`] paints it. [`run`] is the shell around it: terminal, threads and files. [`plain`] plays a
//! game line by line, for pipes and screen readers. The rules of a game in progress are
//! `game::live`'s; nothing here decides what is allowed.

mod app;
mod help;
mod order;
mod pairing;
pub mod plain;
mod scoresheet;
mod shell;
mod study;
mod table;
mod theme;
mod traffic;
mod view;

pub use app::{App, Entry, Form, Look, Notice, Popup, Preferences};
pub use order::{Deed, Order};
pub use pairing::{Opponent, Pairing};
pub use shell::{Connection, Ended, MakeAnalyst, Makers, RunError, Shell, load, run};
pub use study::{Study, Walk};
pub use table::Table;
pub use theme::{Depth, Theme, has_unicode};
pub use traffic::{Effect, Incoming, Keeper, Kept, News, Seen};
pub use view::{Sheet, draw};
