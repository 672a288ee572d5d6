//! Encodes a start position that is not one of the 960.

use chess::{Bitboard, Color, File, Piece, Position, Rank, Setup, Square};

use super::BadGame;

/// No en passant file.
const NO_FILE: u8 = 8;
/// Black to move.
const BLACK: u8 = 0x80;

/// Writes the board, the rights and the counters.
pub fn pack(position: &Position, out: &mut Vec<u8>) {
    let setup = Setup::from(position);
    out.extend(position.occupied().0.to_le_bytes());
    let mut pieces = setup.board.iter().flatten().map(|piece| piece.index() as u8);
    while let Some(low) = pieces.next() {
        out.push(low | pieces.next().unwrap_or(0) << 4);
    }
    let file = setup.en_passant.map_or(NO_FILE, |square| square.file().index() as u8);
    out.push(file | if setup.turn == Color::Black { BLACK } else { 0 });
    // Only rooks on the two back ranks can castle.
    let castling = setup.castling.0.to_le_bytes();
    out.extend([castling[0], castling[7]]);
    out.extend(setup.halfmoves.to_le_bytes());
    out.extend(setup.fullmoves.to_le_bytes());
}

/// Reads what [`pack`] wrote, byte by byte.
pub fn unpack(mut byte: impl FnMut() -> u8) -> Result<Position, BadGame> {
    let mut setup = Setup::EMPTY;
    let occupied = Bitboard(u64::from_le_bytes(std::array::from_fn(|_| byte())));
    let mut pair = 0;
    for (i, square) in occupied.into_iter().enumerate() {
        pair = if i % 2 == 0 { byte() } else { pair >> 4 };
        let piece = Piece::ALL.get(usize::from(pair & 15)).ok_or(BadGame::Start)?;
        setup.board[square.index()] = Some(*piece);
    }
    let [state, first_rank, last_rank] = std::array::from_fn(|_| byte());
    setup.turn = if state & BLACK == 0 { Color::White } else { Color::Black };
    setup.en_passant = match state & !BLACK {
        NO_FILE => None,
        file => {
            let file = *File::ALL.get(usize::from(file)).ok_or(BadGame::Start)?;
            Some(Square::new(file, Rank::Sixth.relative_to(setup.turn)))
        }
    };
    setup.castling = Bitboard(u64::from_le_bytes([first_rank, 0, 0, 0, 0, 0, 0, last_rank]));
    setup.halfmoves = u16::from_le_bytes(std::array::from_fn(|_| byte()));
    setup.fullmoves = u16::from_le_bytes(std::array::from_fn(|_| byte()));
    Position::try_from(&setup).map_err(|_| BadGame::Start)
}
