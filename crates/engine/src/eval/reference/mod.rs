//! The same evaluation again, slow and readable: square by square, without bitboards or caches.
//!
//! It shares nothing with the real one but the weights and their names. Each side is judged on
//! a board turned so that it plays upwards; tests demand that both agree on every position.

mod ending;
mod judge;
mod king;
mod kpk;
mod pawns;
mod pieces;
mod tests;
mod threats;
mod view;

use judge::evaluate;
