//! The search: iterative deepening over a principal variation search with a shared hash table.
//!
//! Start at `alphabeta.rs`, which is a table of contents. `node.rs` holds the state of a node;
//! `prune.rs`, `reduce.rs` and `extend.rs` hold the ideas as pure functions, `params.rs` their
//! numbers.

mod alphabeta;
mod checks;
mod correction;
mod extend;
mod history;
mod ideas;
mod learn;
mod lookup;
mod node;
mod params;
mod picker;
mod pool;
mod prune;
mod quiescence;
mod reduce;
mod root;
mod see;
mod shortcuts;
mod skip;
mod static_eval;
mod thread;
mod tt;
mod value;
mod worker;

pub use ideas::Idea;
pub use params::{Param, ParamError, Params};
pub(crate) use pool::{Equipment, Outcome, Task, search};
pub(crate) use root::RootMove;
pub use see::exchange;
pub(crate) use thread::Thread;
pub(crate) use tt::Table;
