//! Converts positions for the probing library.

use chess::{Color, Position, Role};
use shakmaty::{Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Setup, Square};

/// Converts a position without castling rights; bitboard by bitboard, since the search does this
/// for every probe. `None` if the library considers the position impossible.
pub(super) fn to_shakmaty(position: &Position) -> Option<Chess> {
    let role = |role| Bitboard(position.role(role).0);
    let board = Board::try_from_bitboards(
        ByRole {
            pawn: role(Role::Pawn),
            knight: role(Role::Knight),
            bishop: role(Role::Bishop),
            rook: role(Role::Rook),
            queen: role(Role::Queen),
            king: role(Role::King),
        },
        ByColor {
            white: Bitboard(position.color(Color::White).0),
            black: Bitboard(position.color(Color::Black).0),
        },
    )
    .ok()?;
    let setup = Setup {
        board,
        turn: match position.turn() {
            Color::White => shakmaty::Color::White,
            Color::Black => shakmaty::Color::Black,
        },
        ep_square: position.en_passant().map(|square| Square::new(square.index() as u32)),
        halfmoves: u32::from(position.halfmoves()),
        ..Setup::empty()
    };
    // Checks that can't occur in a game don't matter to the tables.
    match setup.position(CastlingMode::Chess960) {
        Ok(chess) => Some(chess),
        Err(impossible) => impossible.ignore_impossible_check().ok(),
    }
}
