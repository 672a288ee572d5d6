//! The GUI's side of UCI: drives a foreign engine.
//!
//! [`Client`] starts a program, talks to it and is an [`Analyst`](engine::Analyst) like our own
//! engine. The program's output is parsed into [`Answer`]s in one place; lines that make no sense
//! are skipped. Everything we wait for has a timeout ([`Patience`]). A crash or a hang is an error,
//! and [`Client::restart`] recovers from it.

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
