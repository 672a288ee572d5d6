//! Training data as a stream of fixed-size records for a trainer, in random order.
//!
//! [`stream`] decodes blocks on several threads and shuffles them in windows; a [`Record`] is a
//! position in 32 bytes, and a [`Recipe`] selects the positions.

mod catalogue;
mod feed;
mod recipe;
mod record;

pub use feed::{Plan, StreamError, Streamed, stream};
pub use recipe::{Part, Recipe};
pub use record::Record;
