//! What the engine learns from and what it has learnt: training data in a compact file format,
//! and the neural network that is made from it.
//!
//! [`Net`] is a network and its file format; [`Accumulators`] evaluate positions with one, move by
//! move, with the [`Kernel`] that suits the processor. `docs/nnue.md` describes shape and format.

mod accumulators;
mod cache;
mod crc;
pub mod data;
mod delta;
mod features;
mod file;
mod kernels;
mod net;
pub mod shape;
#[cfg(test)]
mod testing;

pub use accumulators::Accumulators;
pub use file::NetError;
pub use kernels::Kernel;
pub use net::{Net, Output, Row};
