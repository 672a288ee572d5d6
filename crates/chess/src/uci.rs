//! Moves as UCI text: `e2e4`, `e7e8q`, castling by target square or by rook.

use std::fmt;
use std::str::FromStr;

use crate::{
    Bitboard, CastlingSide, Color, File, Move, MoveKind, Position, Role, SanError, Square,
};

/// A move in UCI notation. Whether it is legal, and what it does, depends on the position.
///
/// ```
/// use chess::{CastlingMode, Position, UciMove};
///
/// let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse()?;
/// let castle = "e1g1".parse::<UciMove>()?.to_move(&position).expect("castling is legal");
/// assert_eq!(castle.to_uci(&position, CastlingMode::Standard).to_string(), "e1g1");
/// assert_eq!(castle.to_uci(&position, CastlingMode::Chess960).to_string(), "e1h1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct UciMove {
    /// The origin square.
    pub from: Square,
    /// The target square.
    pub to: Square,
    /// The promotion role.
    pub promotion: Option<Role>,
}

/// How castling is written: by the king's target or as king takes rook.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingMode {
    /// `e1g1`: the king's start and target.
    #[default]
    Standard,
    /// `e1h1`: the king's start and the rook's square.
    Chess960,
}

/// The text is not a move such as `e2e4`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a move such as e2e4 or e7e8q")]
pub struct ParseUciMoveError;

impl FromStr for UciMove {
    type Err = ParseUciMoveError;

    fn from_str(text: &str) -> Result<Self, ParseUciMoveError> {
        let parse = |range: std::ops::Range<usize>| {
            text.get(range).and_then(|square| square.parse().ok()).ok_or(ParseUciMoveError)
        };
        let (from, to) = (parse(0..2)?, parse(2..4)?);
        let mut rest = text[4..].chars();
        let promotion = match rest.next() {
            None => None,
            Some(letter) => {
                let role = Role::from_letter(letter).ok_or(ParseUciMoveError)?;
                Some(Role::PROMOTIONS.into_iter().find(|&r| r == role).ok_or(ParseUciMoveError)?)
            }
        };
        if rest.next().is_some() {
            Err(ParseUciMoveError)
        } else {
            Ok(Self { from, to, promotion })
        }
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl UciMove {
    /// The legal move this means in a position, if there is one. Castling may be written either
    /// way.
    pub fn to_move(self, position: &Position) -> Option<Move> {
        let piece = position.piece_on(self.from)?;
        let kind = match (piece.role(), self.promotion) {
            (Role::Pawn, Some(role)) => MoveKind::promotion_to(role)?,
            (Role::Pawn, None) if position.en_passant() == Some(self.to) => MoveKind::EnPassant,
            (Role::Pawn, None) if self.from.index().abs_diff(self.to.index()) == 16 => {
                MoveKind::DoublePush
            }
            (_, Some(_)) => return None,
            (_, None) => MoveKind::Normal,
        };
        let plain = Move::new(self.from, self.to, kind);
        if position.is_legal(plain) {
            return Some(plain);
        }
        self.castling(position).filter(|&m| position.is_legal(m))
    }

    fn castling(self, position: &Position) -> Option<Move> {
        let us = position.turn();
        if self.promotion.is_some() || position.king(us) != self.from {
            return None;
        }
        let rooks = position.castling_rooks() & Bitboard::rank(us.back_rank());
        let rook = if rooks.has(self.to) {
            self.to
        } else {
            let side = CastlingSide::of(self.from, self.to);
            (side.king_target(us) == self.to).then(|| position.castling_rook(us, side))??
        };
        Some(Move::new(self.from, rook, MoveKind::Castle))
    }
}

impl Position {
    /// The legal move for a typed text, in UCI or algebraic notation.
    pub fn parse_move(&self, text: &str) -> Result<Move, SanError> {
        let uci = text.parse::<UciMove>().ok().and_then(|m| m.to_move(self));
        uci.map_or_else(|| self.parse_san(text), Ok)
    }

    /// How castling must be written here to be unambiguous: the standard way as long as the kings
    /// that may castle are on the e-file and their rooks in the corners. Rights get lost, so for a
    /// game ask its start position.
    pub fn castling_mode(&self) -> CastlingMode {
        let corners = Bitboard::file(File::A) | Bitboard::file(File::H);
        let usual = Color::ALL.into_iter().all(|color| {
            let rooks = self.castling_rooks() & Bitboard::rank(color.back_rank());
            rooks.is_empty() || (rooks - corners).is_empty() && self.king(color).file() == File::E
        });
        if usual { CastlingMode::Standard } else { CastlingMode::Chess960 }
    }
}

impl Move {
    /// The move in UCI notation, for the position in which it is played.
    pub fn to_uci(self, position: &Position, mode: CastlingMode) -> UciMove {
        let (from, mut to) = (self.from(), self.to());
        if self.kind() == MoveKind::Castle && mode == CastlingMode::Standard {
            to = CastlingSide::of(from, to).king_target(position.turn());
        }
        UciMove { from, to, promotion: self.promotion() }
    }
}
