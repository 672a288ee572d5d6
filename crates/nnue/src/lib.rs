//! Training data in a compact file format, and the neural network (NNUE) trained on it.
//!
//! [`Net`] is a network and its file format; [`Accumulators`] evaluate positions with it
//! incrementally, using the best [`Kernel`] for the processor. `docs/nnue.md` describes shape and
//! format.

mod accumulators;
mod cache;
mod crc;
pub mod data;
mod delta;
mod features;
mod file;
mod kernels;
mod layers;
mod net;
pub mod shape;
#[cfg(test)]
mod testing;

pub use accumulators::Accumulators;
pub use file::NetError;
pub use kernels::Kernel;
pub use layers::Weights;
pub use net::{Input, Net, Row};
