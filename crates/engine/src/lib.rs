//! Search and evaluation behind one interface.
//!
//! To get a move or an evaluation, ask an [`Analyst`] a [`Question`] and keep a [`Stop`] to end it
//! early; [`Report`]s arrive during the search and a [`Verdict`] at the end. [`Engine`] is our own
//! analyst. It prints nothing and reads no input.

mod analyst;
mod answer;
pub mod bench;
pub mod book;
mod clock;
mod dice;
mod engine;
pub mod eval;
mod handicap;
mod host;
mod limits;
mod memory;
mod mind;
#[cfg(feature = "embedded-net")]
mod net;
mod options;
mod question;
mod report;
mod score;
mod search;
mod stop;
mod strength;
pub mod tablebase;
mod threads;
mod time;
pub mod wdl;

pub use analyst::{Analyst, AnalystError};
pub use clock::Clock;
pub use dice::Dice;
pub use engine::Engine;
pub use host::Host;
pub use limits::{Clocks, Limits, Thinking};
#[cfg(feature = "embedded-net")]
pub use net::{embedded_net, embedded_net_checksum};
pub use options::{Evaluation, OpeningBook, Options};
pub use question::Question;
pub use report::{Bound, Report, Verdict};
pub use score::{MatePlies, Score, Wdl};
pub use search::{Idea, Param, ParamError, Params, exchange};
pub use stop::{Gate, Stop};
pub use strength::{Elo, Strength};
pub use threads::search_thread;
