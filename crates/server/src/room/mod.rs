//! Live games: each is a room with a task of its own.
//!
//! [`Rooms`] finds or opens the room of a game. A [`Table`] is the live game and who plays it; the actor
//! owns it, writes every event to the store before anybody hears of it, and talks to the
//! connections. A socket is one connection. No rule of the game is here: they are in [`game::live`].

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
