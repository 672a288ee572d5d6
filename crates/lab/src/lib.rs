//! Matches, data generation and tuning.

pub mod datagen;

pub mod adjudication;
pub mod elo;
pub mod epd;
pub mod net;
mod net_file;
pub mod openings;
mod own_engine;
mod replace;
pub mod rescore;
pub mod sprt;
pub mod spsa;
pub mod stream;
pub mod suite;
pub mod tournament;
pub mod tune;
pub mod wdl;

pub use net_file::NetFileError;
pub use replace::replace;
