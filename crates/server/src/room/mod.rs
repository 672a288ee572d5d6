//! Live games: each is a room with a task of its own.
//!
//! [`Rooms`] finds or opens the room of a game. A [`Table`] is the live game and its players; the
//! actor owns it, writes every event to the store before broadcasting it, and talks to the
//! connections. A socket is one connection. The rules of the game are not here but in
//! [`game::live`].

mod actor;
mod connections;
mod refusal;
mod rooms;
mod socket;
mod table;
mod thinking;
mod told;

pub(crate) use actor::{Claim, Command};
pub(crate) use rooms::Rooms;
pub(crate) use socket::serve;
pub(crate) use table::{Head, Table};
