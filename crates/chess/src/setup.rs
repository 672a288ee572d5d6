//! An arbitrary arrangement of pieces, and the validation that turns it into a position.

use crate::{Bitboard, Color, File, Piece, Position, Rank, Role, Square, attacks, zobrist};

/// A board with side to move, rights and counters, legal or not: from a FEN or a board editor.
///
/// ```
/// use chess::{IllegalSetup, Piece, Position, Setup, Square};
///
/// let mut setup = Setup::EMPTY;
/// setup.board[Square::E1.index()] = Some(Piece::WhiteKing);
/// assert!(matches!(Position::try_from(&setup), Err(IllegalSetup::NoKing(_))));
/// setup.board[Square::E8.index()] = Some(Piece::BlackKing);
/// assert!(Position::try_from(&setup).is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each square, a1 first.
    pub board: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The rooks that may still castle.
    pub castling: Bitboard,
    /// The square that a pawn has just passed with a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
    /// The move number, from 1.
    pub fullmoves: u16,
}

/// Why a setup is not a legal position.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalSetup {
    /// A side has no king.
    #[error("{} has no king", .0.name())]
    NoKing(Color),
    /// A side has several kings.
    #[error("{} has more than one king", .0.name())]
    ManyKings(Color),
    /// A pawn is on the first or last rank.
    #[error("there is a pawn on {0}, but pawns can't stand on the first or last rank")]
    PawnOnBackRank(Square),
    /// The king of the side that has just moved could be captured.
    #[error("it is {}'s turn, but {}'s king is already in check", .turn.name(), (!*.turn).name())]
    OpponentInCheck {
        /// The side to move.
        turn: Color,
    },
    /// A side may castle although its king has left the back rank.
    #[error("{} may castle, but its king is not on its back rank", .0.name())]
    CastlingKingMoved(Color),
    /// A side may castle with a rook that isn't there.
    #[error("there is no rook on {0} to castle with")]
    NoCastlingRook(Square),
    /// A side may castle with two rooks on the same side of its king.
    #[error("{} may castle with two rooks on the same side of its king", .0.name())]
    TwoCastlingRooks(Color),
    /// The en passant square is on a rank that no pawn of the opponent has just passed.
    #[error("the en passant square {} is not on rank {}", .0, .1.digit())]
    EnPassantRank(Square, Rank),
    /// There is no pawn that could have passed the en passant square.
    #[error("the en passant square is {0}, but no pawn has just passed it")]
    NoEnPassantPawn(Square),
}

impl Setup {
    /// An empty board, White to move.
    pub const EMPTY: Self = Self {
        board: [None; 64],
        turn: Color::White,
        castling: Bitboard::EMPTY,
        en_passant: None,
        halfmoves: 0,
        fullmoves: 1,
    };

    /// The squares of all copies of `piece`.
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        Square::all().filter(|square| self.board[square.index()] == Some(piece)).collect()
    }

    /// The rooks that could still castle in standard chess: they and their king are on their
    /// squares.
    pub fn possible_castling(&self) -> Bitboard {
        let stands = |square: Square, role: Role, color: Color| {
            self.board[square.index()] == Some(role.of(color))
        };
        let rooks = |color: Color| {
            let [king, west, east] =
                [File::E, File::A, File::H].map(|file| Square::new(file, color.back_rank()));
            let able = move |rook: &Square| {
                stands(king, Role::King, color) && stands(*rook, Role::Rook, color)
            };
            [west, east].into_iter().filter(able)
        };
        Color::ALL.into_iter().flat_map(rooks).collect()
    }

    /// The squares where the side to move could capture en passant, if a pawn had just passed them.
    pub fn possible_en_passant(&self) -> Bitboard {
        let own = self.pieces(Role::Pawn.of(self.turn));
        let rank = Rank::Sixth.relative_to(self.turn);
        File::ALL
            .into_iter()
            .map(|file| Square::new(file, rank))
            .filter(|&square| {
                let passed = Self { en_passant: Some(square), ..self.clone() };
                let beside = attacks::pawn_attacks(!self.turn, square) & own;
                beside.any() && passed.check_en_passant().is_ok()
            })
            .collect()
    }

    pub(crate) fn check_kings(&self) -> Result<(), IllegalSetup> {
        for color in Color::ALL {
            match self.pieces(Role::King.of(color)).count() {
                0 => return Err(IllegalSetup::NoKing(color)),
                1 => {}
                _ => return Err(IllegalSetup::ManyKings(color)),
            }
        }
        Ok(())
    }

    fn check_pawns(&self) -> Result<(), IllegalSetup> {
        let back_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
        let pawns = self.pieces(Piece::WhitePawn) | self.pieces(Piece::BlackPawn);
        match (pawns & back_ranks).first() {
            Some(square) => Err(IllegalSetup::PawnOnBackRank(square)),
            None => Ok(()),
        }
    }

    fn check_castling(&self) -> Result<(), IllegalSetup> {
        for color in Color::ALL {
            let back_rank = Bitboard::rank(color.back_rank());
            let rooks = self.castling & back_rank;
            if rooks.is_empty() {
                continue;
            }
            let king = self.pieces(Role::King.of(color));
            if !(king & back_rank).any() {
                return Err(IllegalSetup::CastlingKingMoved(color));
            }
            if let Some(square) = (rooks - self.pieces(Role::Rook.of(color))).first() {
                return Err(IllegalSetup::NoCastlingRook(square));
            }
            let west = rooks & Bitboard(king.0.wrapping_sub(1));
            if west.many() || (rooks - west).many() {
                return Err(IllegalSetup::TwoCastlingRooks(color));
            }
        }
        let middle = Bitboard(0x00FF_FFFF_FFFF_FF00);
        match (self.castling & middle).first() {
            Some(square) => Err(IllegalSetup::NoCastlingRook(square)),
            None => Ok(()),
        }
    }

    fn check_en_passant(&self) -> Result<(), IllegalSetup> {
        let Some(square) = self.en_passant else { return Ok(()) };
        let rank = Rank::Sixth.relative_to(self.turn);
        if square.rank() != rank {
            return Err(IllegalSetup::EnPassantRank(square, rank));
        }
        let on = |rank: Rank| {
            self.board[Square::new(square.file(), rank.relative_to(self.turn)).index()]
        };
        let pawn = Some(Role::Pawn.of(!self.turn));
        if on(Rank::Fifth) == pawn && on(Rank::Sixth).is_none() && on(Rank::Seventh).is_none() {
            Ok(())
        } else {
            Err(IllegalSetup::NoEnPassantPawn(square))
        }
    }
}

impl TryFrom<&Setup> for Position {
    type Error = IllegalSetup;

    fn try_from(setup: &Setup) -> Result<Self, IllegalSetup> {
        setup.check_kings()?;
        setup.check_pawns()?;
        setup.check_castling()?;
        setup.check_en_passant()?;

        let mut position = Self::EMPTY;
        for square in Square::all() {
            if let Some(piece) = setup.board[square.index()] {
                position.put(piece, square);
            }
        }
        let turn = setup.turn;
        let their_king = position.king(!turn);
        if (position.attackers(their_king, position.occupied()) & position.color(turn)).any() {
            return Err(IllegalSetup::OpponentInCheck { turn });
        }

        position.turn = turn;
        if turn == Color::Black {
            position.keys.rights ^= zobrist::BLACK_TO_MOVE;
        }
        position.castling = setup.castling;
        for rook in setup.castling {
            position.keys.rights ^= zobrist::castling(rook);
        }
        position.halfmoves = setup.halfmoves;
        position.fullmoves = setup.fullmoves.max(1);
        position.look_for_checks_and_pins(turn);
        if let Some(square) = setup.en_passant {
            position.offer_en_passant(square, turn);
        }
        Ok(position)
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        Self {
            board: position.board,
            turn: position.turn,
            castling: position.castling,
            en_passant: position.en_passant(),
            halfmoves: position.halfmoves,
            fullmoves: position.fullmoves,
        }
    }
}

impl Default for Setup {
    /// The start position of standard chess.
    fn default() -> Self {
        Self::chess960(STANDARD).expect("518 is below 960")
    }
}

impl Default for Position {
    /// The start position of standard chess.
    fn default() -> Self {
        Self::try_from(&Setup::default()).expect("the start position is legal")
    }
}

/// The Chess960 number of the standard start position.
pub const STANDARD: u16 = 518;

impl Setup {
    /// The Chess960 start position with this number, 0 to 959, in Scharnagl's numbering; 518 is
    /// standard chess.
    pub fn chess960(number: u16) -> Option<Self> {
        let row = chess960_row(number)?;
        let mut setup = Self::EMPTY;
        for (file, role) in File::ALL.into_iter().zip(row) {
            for color in Color::ALL {
                let back = Square::new(file, color.back_rank());
                let front = Square::new(file, Rank::Second.relative_to(color));
                setup.board[back.index()] = Some(role.of(color));
                setup.board[front.index()] = Some(Role::Pawn.of(color));
                if role == Role::Rook {
                    setup.castling |= Bitboard::of(back);
                }
            }
        }
        Some(setup)
    }
}

impl Position {
    /// The Chess960 start position with this number, 0 to 959; 518 is standard chess.
    pub fn chess960(number: u16) -> Option<Self> {
        let setup = Setup::chess960(number)?;
        Some(Self::try_from(&setup).expect("all 960 start positions are legal"))
    }

    /// The number of a Chess960 start position, if this is one.
    pub fn chess960_number(&self) -> Option<u16> {
        // Most positions aren't one: don't build 960 of them to find out.
        if (self.halfmoves, self.fullmoves, self.castling.count()) != (0, 1, 4) {
            return None;
        }
        (0..960).find(|&number| Self::chess960(number).is_some_and(|start| start == *self))
    }
}

/// The back rank by number: bishops, queen and knights are placed by successive remainders on the
/// remaining squares; rook, king and rook take the rest.
fn chess960_row(number: u16) -> Option<[Role; 8]> {
    // Which two of five free squares the knights take.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    if number >= 960 {
        return None;
    }
    let number = usize::from(number);
    let mut row = [None; 8];
    row[number % 4 * 2 + 1] = Some(Role::Bishop); // light squares: b, d, f, h
    row[number / 4 % 4 * 2] = Some(Role::Bishop);
    let (first, second) = KNIGHTS[number / 96];
    let free = |row: &[Option<Role>; 8], nth: usize| {
        (0..8).filter(|&file| row[file].is_none()).nth(nth).unwrap_or(0)
    };
    row[free(&row, number / 16 % 6)] = Some(Role::Queen);
    // The second knight first, so that the first one's index is still valid.
    row[free(&row, second)] = Some(Role::Knight);
    row[free(&row, first)] = Some(Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        row[free(&row, 0)] = Some(role);
    }
    Some(row.map(|role| role.unwrap_or(Role::Pawn)))
}
