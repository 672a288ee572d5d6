//! Riga in the browser: the only door to WebAssembly.
//!
//! There are two modules. The `core` has positions, game trees with PGN, live games and the words of
//! reviews, and is loaded with the page; the `engine` searches and reviews, and is loaded in a worker. Each is a list of calls,
//! such as `look` or `play`: a name and a question in JSON go in, an answer in JSON comes out. The
//! TypeScript types of all calls are generated from [`document`]; the views are those of `wire`, so
//! that a page can't tell whether the server or the browser has answered.

mod ask;
#[cfg(feature = "core")]
mod boards;
mod calls;
mod document;
#[cfg(target_family = "wasm")]
mod door;
#[cfg(feature = "engine")]
mod reviewing;
#[cfg(feature = "engine")]
mod search;
mod trouble;

pub use ask::{Ask, AskClocks};
#[cfg(feature = "core")]
pub use boards::Core;
pub use document::document;
#[cfg(feature = "engine")]
pub use reviewing::ReviewStep;
#[cfg(feature = "engine")]
pub use search::{Searcher, World};
pub use trouble::Trouble;
