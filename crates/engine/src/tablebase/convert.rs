//! Our position in the form that the probing library takes.

use chess::{Color, Position, Role};
use shakmaty::{Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Setup, Square};

/// Converts a position that nobody can castle in; bitboard by bitboard, as the search does this
/// for every probe. `None` if the library holds the position to be impossible.
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
    // Checks that no game can lead to are of no concern to the tables.
    match setup.position(CastlingMode::Chess960) {
        Ok(chess) => Some(chess),
        Err(impossible) => impossible.ignore_impossible_check().ok(),
    }
}
