//! Everything but the search: positions, studies (game trees) and live games.

mod core;
mod live;
mod live_calls;
mod note;
mod questions;
mod saved;
mod shelf;
mod study;
mod study_calls;
mod view;

pub use core::Core;
