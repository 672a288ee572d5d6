//! The static evaluation.
//!
//! The search uses an [`Evaluator`], [`explain`] shows the terms, and the tuner uses
//! [`Coefficients`]. All of them run the same code, [`evaluate_with`], which reports each count to
//! a [`Tally`]. All its numbers are in `weights.rs`, under the names in `layout.rs`.

mod cache;
mod coefficients;
mod ending;
mod evaluate;
mod evaluator;
#[cfg(feature = "embedded-net")]
mod explain;
mod king;
mod kpk;
pub mod layout;
mod passed;
mod pawns;
mod pieces;
#[cfg(test)]
mod reference;
mod rows;
mod side;
mod sight;
mod tally;
mod tapered;
mod threats;
mod weights;

pub use cache::PawnCache;
pub use coefficients::{Coefficients, Count};
pub use evaluate::{evaluate_with, fade};
pub(crate) use evaluator::is_lone_king;
pub use evaluator::{Evaluator, Knowledge};
#[cfg(feature = "embedded-net")]
pub use explain::{Explanation, explain};
pub use king::{DANGER_SHARE, DANGER_SQUARE, MOST_DANGER};
pub use layout::{COUNT, Group, TERMS, Term, Weights};
pub use rows::{Row, rows};
pub use tally::{Balance, FULL_PHASE, FULL_SCALE, HOPELESS, LIMIT, Tally};
pub use tapered::Tapered;
pub use weights::WEIGHTS;
