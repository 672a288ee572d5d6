//! What must hold for any input: one function per parser. Each panics when its property fails.
//!
//! `fuzz/run.sh` searches for failing inputs with libFuzzer; `tests/corpus.rs` replays those in
//! `corpus/`.

mod answers;
mod books;
mod commands;
mod data;
mod games;
mod libraries;
mod messages;
mod moves;
mod nets;
mod positions;

pub use answers::uci_answer;
pub use books::book;
pub use commands::uci_command;
pub use data::data;
pub use games::pgn;
pub use libraries::library;
pub use messages::message;
pub use moves::{san, uci_move};
pub use nets::net;
pub use positions::fen;
