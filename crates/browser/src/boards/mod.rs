//! Everything but the search: positions, studies (game trees), live games, and reviews in
//! words.

mod core;
mod live;
mod live_calls;
mod note;
mod questions;
mod review_calls;
mod saved;
mod shelf;
mod study;
mod study_calls;
mod view;

pub use core::Core;
