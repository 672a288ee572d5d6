//! The other side of UCI: we drive somebody else's engine.
//!
//! [`Client`] starts a program, speaks with it and is an [`Analyst`](engine::Analyst) like our own
//! engine. What the program writes becomes an [`Answer`] in one place; a line that makes no sense
//! is passed over. Everything that is waited for has a time-out ([`Patience`]), and an engine that
//! crashes or hangs is an error that can be got over by [`Client::restart`].

mod adapt;
mod answer;
mod command;
mod declared;
mod driver;
mod error;
mod process;
mod request;

pub use answer::{Answer, Info, ParsedScore};
pub use command::{EngineCommand, ParseCommandLineError};
pub use declared::{DeclaredKind, DeclaredOption};
pub use driver::{Client, Patience};
pub use error::ClientError;
