//! A position: always legal, 208 bytes, copied instead of unmaking moves.

use crate::attacks::{between, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_rays};
use crate::sliders::{bishop_attacks, rook_attacks};
use crate::{Bitboard, Color, File, Piece, Rank, Role, Square, zobrist};

/// A legal position of standard chess or Chess960.
///
/// Each side has one king, the side that has just moved is not in check, no pawn is on a back rank,
/// castling rights match kings and rooks, and an en passant file is set only if a pawn can really
/// capture there. A [`Setup`](crate::Setup) that breaks a rule can't become a position.
///
/// Cloning is cheap: to try a move, clone the position and play on the clone.
///
/// ```
/// use chess::Position;
///
/// let mut position = Position::default();
/// assert_eq!(position.legal_moves().len(), 20);
/// let e4 = position.parse_san("e4")?;
/// position.play_unchecked(e4);
/// assert_eq!(position.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// # Ok::<(), chess::SanError>(())
/// ```
#[derive(PartialEq, Eq)]
pub struct Position {
    pub(crate) roles: [Bitboard; 6],
    pub(crate) colors: [Bitboard; 2],
    pub(crate) board: [Option<Piece>; 64],
    pub(crate) keys: Keys,
    /// The rooks that may still castle.
    pub(crate) castling: Bitboard,
    /// Pieces that give check to the side to move.
    pub(crate) checkers: Bitboard,
    /// Rays from the king of the side to move to an attacking rook or queen, including that piece,
    /// with one piece in between. If that is ours, it is pinned.
    pub(crate) straight_pins: Bitboard,
    /// The same for bishops and queens.
    pub(crate) diagonal_pins: Bitboard,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
    pub(crate) turn: Color,
    pub(crate) en_passant: Option<File>,
}

const _: () = assert!(size_of::<Position>() <= 208);

/// Field by field: a copy of all 208 bytes at once would be a call into the C library, which made
/// perft a sixth slower. For the same reason a position is not `Copy`.
impl Clone for Position {
    #[inline]
    fn clone(&self) -> Self {
        Self {
            roles: self.roles,
            colors: self.colors,
            board: self.board,
            keys: self.keys,
            castling: self.castling,
            checkers: self.checkers,
            straight_pins: self.straight_pins,
            diagonal_pins: self.diagonal_pins,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            turn: self.turn,
            en_passant: self.en_passant,
        }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.roles = other.roles;
        self.colors = other.colors;
        self.board = other.board;
        self.keys = other.keys;
        self.castling = other.castling;
        self.checkers = other.checkers;
        self.straight_pins = other.straight_pins;
        self.diagonal_pins = other.diagonal_pins;
        self.halfmoves = other.halfmoves;
        self.fullmoves = other.fullmoves;
        self.turn = other.turn;
        self.en_passant = other.en_passant;
    }
}

/// The parts of a Zobrist key, each updated incrementally.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Knights, bishops, rooks, queens and king of each color.
    pub pieces: [u64; 2],
    /// Pawns of both colors.
    pub pawns: u64,
    /// Knights and bishops of both colors. They are in `pieces`, too, so this is not part of the
    /// full key.
    pub minors: u64,
    /// Side to move, castling rights and en passant.
    pub rights: u64,
}

impl Keys {
    /// Adds or removes a piece: the same operation (XOR).
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        self.change(piece, zobrist::piece(piece, square));
    }

    /// Moves a piece.
    #[inline]
    pub(crate) fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.change(piece, zobrist::piece(piece, from) ^ zobrist::piece(piece, to));
    }

    #[inline]
    fn change(&mut self, piece: Piece, number: u64) {
        match piece.role() {
            Role::Pawn => self.pawns ^= number,
            role => {
                self.pieces[piece.color().index()] ^= number;
                if matches!(role, Role::Knight | Role::Bishop) {
                    self.minors ^= number;
                }
            }
        }
    }
}

impl Position {
    /// An empty board, for `Setup` to fill.
    pub(crate) const EMPTY: Self = Self {
        roles: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
        board: [None; 64],
        keys: Keys { pieces: [0; 2], pawns: 0, minors: 0, rights: 0 },
        castling: Bitboard::EMPTY,
        checkers: Bitboard::EMPTY,
        straight_pins: Bitboard::EMPTY,
        diagonal_pins: Bitboard::EMPTY,
        halfmoves: 0,
        fullmoves: 1,
        turn: Color::White,
        en_passant: None,
    };

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The piece on a square.
    #[inline]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The pieces of a role, of both colors.
    #[inline]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// The pieces of a color.
    #[inline]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of all copies of `piece`.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        self.role(piece.role()) & self.color(piece.color())
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The square of a color's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        (self.role(Role::King) & self.color(color)).first().expect("each side has a king")
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        (self.straight_pins | self.diagonal_pins) & self.color(self.turn)
    }

    /// The rooks that may still castle.
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The rook with which a color may still castle towards a side, if there is one.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color);
        (self.castling & Bitboard::rank(color.back_rank()))
            .into_iter()
            .find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// The square behind a pawn that has just made a double step and can be captured en
    /// passant by a legal move.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant.map(|file| Square::new(file, Rank::Sixth.relative_to(self.turn)))
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The move number, from 1, incremented after Black's move.
    #[inline]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The Zobrist key: equal for positions that repeat each other, whatever the counters.
    #[inline]
    pub const fn key(&self) -> u64 {
        let Keys { pieces, pawns, rights, .. } = self.keys;
        pieces[0] ^ pieces[1] ^ pawns ^ rights
    }

    /// The key in parts, for tables keyed by pawns or one side's pieces.
    #[inline]
    pub const fn keys(&self) -> Keys {
        self.keys
    }

    /// The key computed from the board alone. Tests compare it with the incremental one.
    pub fn key_from_scratch(&self) -> u64 {
        let mut key = match self.turn {
            Color::White => 0,
            Color::Black => zobrist::BLACK_TO_MOVE,
        };
        for square in self.occupied() {
            key ^= self.piece_on(square).map_or(0, |piece| zobrist::piece(piece, square));
        }
        for rook in self.castling {
            key ^= zobrist::castling(rook);
        }
        key ^ self.en_passant.map_or(0, zobrist::en_passant)
    }

    /// The pieces of both colors that attack a square, given the occupied squares.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.role(Role::Queen);
        let pawns = pawn_attacks(Color::Black, square) & self.color(Color::White)
            | pawn_attacks(Color::White, square) & self.color(Color::Black);
        pawns & self.role(Role::Pawn)
            | knight_attacks(square) & self.role(Role::Knight)
            | king_attacks(square) & self.role(Role::King)
            | rook_attacks(square, occupied) & (self.role(Role::Rook) | queens)
            | bishop_attacks(square, occupied) & (self.role(Role::Bishop) | queens)
    }

    /// Computes checks and pins of the side to move, after the board has changed.
    #[inline]
    pub(crate) fn look_for_checks_and_pins(&mut self, us: Color) {
        let king = self.king(us);
        let enemies = self.color(!us);
        let occupied = self.occupied();
        let queens = self.role(Role::Queen);

        let mut checkers = pawn_attacks(us, king) & self.role(Role::Pawn)
            | knight_attacks(king) & self.role(Role::Knight);
        checkers &= enemies;

        let mut watch = |snipers: Bitboard| {
            let mut pins = Bitboard::EMPTY;
            for sniper in snipers & enemies {
                let line = between(king, sniper);
                let blockers = line & occupied;
                if blockers.is_empty() {
                    checkers |= Bitboard::of(sniper);
                } else if !blockers.many() {
                    pins |= line | Bitboard::of(sniper);
                }
            }
            pins
        };
        self.straight_pins = watch(rook_rays(king) & (self.role(Role::Rook) | queens));
        self.diagonal_pins = watch(bishop_rays(king) & (self.role(Role::Bishop) | queens));
        self.checkers = checkers;
    }

    #[inline]
    pub(crate) fn put(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
        self.board[square.index()] = Some(piece);
    }

    #[inline]
    pub(crate) fn take(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
        self.board[square.index()] = None;
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.roles[piece.role().index()] ^= Bitboard::of(square);
        self.colors[piece.color().index()] ^= Bitboard::of(square);
        self.keys.toggle(piece, square);
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Position({self})")
    }
}

/// The side to which a king castles.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// To the g-file: O-O.
    King,
    /// To the c-file: O-O-O.
    Queen,
}

impl CastlingSide {
    /// Both sides, the king's side first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side of a rook relative to its king.
    #[inline]
    pub fn of(king: Square, rook: Square) -> Self {
        if rook > king { Self::King } else { Self::Queen }
    }

    /// The king's target square.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, color.back_rank())
    }

    /// The rook's target square.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, color.back_rank())
    }

    /// `O-O` or `O-O-O`.
    pub const fn san(self) -> &'static str {
        match self {
            Self::King => "O-O",
            Self::Queen => "O-O-O",
        }
    }
}
