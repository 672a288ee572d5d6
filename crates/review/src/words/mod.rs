//! Reviews in words: what a move allowed or missed, and what a game was like.
//!
//! Only [claims](crate::Claim) are put into words; nothing else is said about a move but which one
//! would have been better.

mod english;
mod explain;
mod german;
mod language;
mod numbering;
mod spoken;
mod summary;

pub(crate) use explain::reasons;
pub use explain::{explain, sentence};
pub use language::{Language, label};
pub(crate) use numbering::Numbering;
pub use spoken::san;
pub use summary::summary;
