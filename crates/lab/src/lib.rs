//! Matches, data generation and tuning.

pub mod datagen;

pub mod adjudication;
pub mod elo;
pub mod epd;
pub mod openings;
mod own_engine;
pub mod sprt;
pub mod suite;
pub mod tournament;
pub mod tune;
