//! The same evaluation again, slow and readable: square by square, without bitboards or caches.
//!
//! It shares only the weights and their names with the real one. Each side is evaluated on a board
//! rotated so that it plays upwards; tests require that both agree on every position.

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
