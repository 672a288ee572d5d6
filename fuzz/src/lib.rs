//! What must hold for any bytes: one function per parser. Each panics when its property fails.
//!
//! `fuzz/run.sh` searches for such bytes with libFuzzer; `tests/corpus.rs` replays what is kept
//! in `corpus/`.

mod games;
mod moves;
mod positions;

pub use games::pgn;
pub use moves::{san, uci_move};
pub use positions::fen;
