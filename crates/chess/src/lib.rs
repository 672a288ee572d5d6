//! The rules of chess and Chess960.
//!
//! A [`Setup`] is any arrangement of pieces; a [`Position`] is always legal. Text forms
//! ([`UciMove`], [`San`]) resolve to a [`Move`] in a position. A [`Line`] is a start position and
//! the moves played from it, and knows repetitions; an [`Outcome`] is how a game ended.
//!
//! No I/O, no threads, and a position never allocates.

mod attacks;
mod bitboard;
mod color;
mod cycle;
mod diagram;
mod fen;
mod legality;
mod line;
mod movegen;
mod moves;
mod names;
mod numbering;
mod outcome;
mod perft;
mod piece;
mod play;
mod polyglot;
mod position;
mod san;
mod setup;
mod sliders;
mod square;
mod uci;
mod zobrist;

pub use attacks::{
    between, bishop_rays, king_attacks, knight_attacks, officer_attacks, pawn_attacks, rook_rays,
};
pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use fen::{FenError, ParseFenError};
pub use line::{IllegalMove, Line};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use names::UnknownName;
pub use numbering::MoveNumber;
pub use outcome::{DrawReason, Outcome, WinReason};
pub use perft::{divide, perft};
pub use piece::{Piece, Role};
pub use position::{CastlingSide, Keys, Position};
pub use san::{San, SanError, SanPlus};
pub use setup::{IllegalSetup, STANDARD, Setup};
pub use sliders::{bishop_attacks, queen_attacks, rook_attacks};
pub use square::{File, ParseSquareError, Rank, Square};
pub use uci::{CastlingMode, ParseUciMoveError, UciMove};
