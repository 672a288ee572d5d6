//! Search and evaluation behind one door.
//!
//! Whoever wants a move or an opinion takes an [`Analyst`] and gives it a line of moves, a set of
//! [`Limits`] and a [`Stop`]; [`Report`]s come while it thinks and a [`Verdict`] at the end.
//! [`Engine`] is our own analyst. It prints nothing and reads no input.

mod analyst;
pub mod bench;
pub mod book;
mod dice;
mod engine;
pub mod eval;
mod handicap;
mod level;
mod limits;
mod memory;
mod net;
mod options;
mod report;
mod score;
mod search;
mod stop;
pub mod tablebase;
mod time;
pub mod wdl;

pub use analyst::{Analyst, AnalystError};
pub use dice::Dice;
pub use engine::Engine;
pub use level::Level;
pub use limits::{Clocks, Limits, Thinking};
pub use net::embedded_net;
pub use options::{Evaluation, Options};
pub use report::{Bound, Report, Verdict};
pub use score::{MatePlies, Score, Wdl};
pub use search::{Param, ParamError, Params};
pub use stop::Stop;
