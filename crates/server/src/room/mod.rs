//! Live games: each is a room with a task of its own.
//!
//! [`Rooms`] finds or opens the room of a game. A [`Table`] is the game with its clocks; the actor
//! owns it, writes every change to the store before anybody hears of it, and talks to the
//! connections. A socket is one connection.

mod actor;
mod connections;
mod refusal;
mod rooms;
mod socket;
mod table;
mod thinking;

pub(crate) use actor::{Claim, Command};
pub(crate) use rooms::Rooms;
pub(crate) use socket::serve;
pub(crate) use table::Table;
