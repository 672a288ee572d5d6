//! A game as bytes.

use chess::{Color, Position, STANDARD};

use super::{Game, start};

/// The bit of a move that says whether its side is in check, so that a decoder can leave such
/// positions out without knowing how pieces attack. A move itself needs only 15 bits.
pub const CHECK: u16 = 1 << 15;
/// In place of the number of an array: a packed position follows.
pub const PACKED_START: u16 = 1023;

/// Writes a game at the end of `out`.
pub fn encode(game: &Game, out: &mut Vec<u8>) {
    let array = array_number(game.start());
    let result = match game.winner() {
        Some(Color::Black) => 0,
        None => 1,
        Some(Color::White) => 2,
    };
    let head = array.unwrap_or(PACKED_START) | result << 10 | (game.ending() as u16) << 12;
    out.extend(head.to_le_bytes());
    out.extend((game.moves().len() as u16).to_le_bytes());
    out.push(game.opening() as u8);
    if array.is_none() {
        start::pack(game.start(), out);
    }
    let mut position = game.start().clone();
    for &m in game.moves() {
        let check = if position.is_check() { CHECK } else { 0 };
        out.extend((m.to_bits() & !CHECK | check).to_le_bytes());
        position.play_unchecked(m);
    }
    let mut before = 0;
    for score in game.scores() {
        let score = i32::from(score.value());
        write_difference(score - before, out);
        before = score;
    }
}

/// The number of the array that a game starts from. Nearly always the standard one.
fn array_number(start: &Position) -> Option<u16> {
    if *start == Position::default() { Some(STANDARD) } else { start.chess960_number() }
}

/// Small differences of either sign in one byte, others in two or three: seven bits a byte, the
/// low ones first, and the sign in the lowest bit.
fn write_difference(difference: i32, out: &mut Vec<u8>) {
    let mut rest = (difference << 1 ^ difference >> 31) as u32;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}
