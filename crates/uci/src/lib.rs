//! The UCI protocol, both directions.
//!
//! [`Session`] is the engine's side: it reads a GUI's lines as [`Command`]s, runs them on a
//! [`Searcher`] and writes the answers. [`Client`] is the GUI's side: it drives a foreign engine.

mod client;
mod command;
mod go;
mod lines;
mod options;
mod output;
mod parse;
mod perft;
mod search;
mod searcher;
mod session;
mod settings;

pub use client::{
    Answer, Client, ClientError, DeclaredKind, DeclaredOption, EngineCommand, Info,
    ParseCommandLineError, ParsedScore, Patience,
};
pub use command::{Command, IllegalMoveError, Moves};
pub use go::Go;
pub use options::{Button, OPTIONS, OptionError, UciOption};
pub use parse::ParseCommandError;
pub use searcher::{Parameter, Searcher};
pub use session::Session;
pub use settings::Settings;
