//! Connections: accepted, counted, and closed when they are slow or in the way.
//!
//! [`serve`] accepts connections and hands their requests to the router. The [`Register`] knows all
//! open ones and makes room for new ones. A [`Connection`] is one of them: an HTTP connection or,
//! after an upgrade, a WebSocket.

mod accept;
mod body;
mod descriptors;
mod register;
mod stream;

pub(crate) use accept::serve;
pub(crate) use register::{Connection, Register};
