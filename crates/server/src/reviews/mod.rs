//! Reviews of games: the threads that make them when the engine has nothing better to do, and what
//! is known of those under way.

mod check;
mod crew;
mod office;

pub(crate) use check::{Maker, check, keep};
pub(crate) use crew::Crew;
pub(crate) use office::Office;
