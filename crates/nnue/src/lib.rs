//! What the engine learns from: training data, in a compact file format.

pub mod data;
