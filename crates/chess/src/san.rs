//! Moves in standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q#`.

use std::fmt;
use std::str::FromStr;

use crate::attacks::{officer_attacks, pawn_attacks};
use crate::play::passed_square;
use crate::{Bitboard, CastlingSide, File, Move, MoveKind, Position, Rank, Role, Square, UciMove};

/// A move in algebraic notation, not yet resolved in a position.
///
/// Parsing tolerates common variants: missing or superfluous `x`, `+`, `#` and `=`, `0-0` and
/// `o-o`, `e.p.`, `!?`, long forms such as `Ng1-f3` and `e7e8q`, and lower-case piece letters,
/// except that `b` is the b-file.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum San {
    /// `O-O` or `O-O-O`.
    Castle(CastlingSide),
    /// Any other move.
    Normal {
        /// The moving piece.
        role: Role,
        /// The origin file, if written.
        file: Option<File>,
        /// The origin rank, if written.
        rank: Option<Rank>,
        /// The target square.
        to: Square,
        /// The promotion role.
        promotion: Option<Role>,
    },
}

/// Why a text is not a legal move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// It doesn't look like a move.
    #[error("not a move")]
    Unreadable,
    /// No piece can make this move here.
    #[error("not a legal move here")]
    Illegal,
    /// Several pieces can make this move.
    #[error("more than one piece can do that")]
    Ambiguous,
    /// A pawn reaches the last rank, but the promotion role is missing.
    #[error("a pawn on the last rank must become a queen, rook, bishop or knight")]
    NoPromotion,
}

impl FromStr for San {
    type Err = SanError;

    fn from_str(text: &str) -> Result<Self, SanError> {
        Self::from_ascii(text.as_bytes())
    }
}

impl San {
    /// Parses a move from bytes.
    #[inline]
    pub fn from_ascii(text: &[u8]) -> Result<Self, SanError> {
        let text = strip_suffixes(text);
        match text {
            [b'O' | b'0' | b'o', ..] => return castling(text),
            [] => return Err(SanError::Unreadable),
            _ => {}
        }
        let (role, rest) = leading_role(text);
        let (rest, promotion) = trailing_promotion(rest);
        let (to, rest) = trailing_square(rest).ok_or(SanError::Unreadable)?;
        let (file, rank) = origin(rest)?;
        Ok(Self::Normal { role: role.unwrap_or(Role::Pawn), file, rank, to, promotion })
    }
}

/// Strips `+`, `#`, `!`, `?`, `e.p.` and the like.
#[inline]
fn strip_suffixes(mut text: &[u8]) -> &[u8] {
    loop {
        text = match text {
            [rest @ .., b'+' | b'#' | b'!' | b'?' | b' ']
            | [rest @ .., b'e', b'.', b'p', b'.']
            | [rest @ .., b'e', b'p'] => rest,
            _ => return text,
        }
    }
}

fn castling(text: &[u8]) -> Result<San, SanError> {
    match text {
        b"O-O" | b"0-0" | b"o-o" | b"OO" | b"00" | b"oo" => Ok(San::Castle(CastlingSide::King)),
        b"O-O-O" | b"0-0-0" | b"o-o-o" | b"OOO" | b"000" | b"ooo" => {
            Ok(San::Castle(CastlingSide::Queen))
        }
        _ => Err(SanError::Unreadable),
    }
}

#[inline]
fn leading_role(text: &[u8]) -> (Option<Role>, &[u8]) {
    let Some((&letter, rest)) = text.split_first() else { return (None, text) };
    let role = match letter {
        b'N' | b'n' => Role::Knight,
        b'B' => Role::Bishop,
        b'R' | b'r' => Role::Rook,
        b'Q' | b'q' => Role::Queen,
        b'K' | b'k' => Role::King,
        b'P' | b'p' => Role::Pawn,
        _ => return (None, text),
    };
    (Some(role), rest)
}

/// `=Q`, `Q`, `(Q)`, `/Q` or `q` after a square on a last rank.
#[inline]
fn trailing_promotion(text: &[u8]) -> (&[u8], Option<Role>) {
    let bare = match text {
        [rest @ .., b')'] => rest,
        _ => text,
    };
    let [rest @ .., letter] = bare else { return (text, None) };
    let role = match letter {
        b'N' | b'n' => Role::Knight,
        b'B' | b'b' => Role::Bishop,
        b'R' | b'r' => Role::Rook,
        b'Q' | b'q' => Role::Queen,
        _ => return (text, None),
    };
    match rest {
        [rest @ .., b'=' | b'(' | b'/'] => (rest, Some(role)),
        _ => (rest, Some(role)),
    }
}

#[inline]
fn trailing_square(text: &[u8]) -> Option<(Square, &[u8])> {
    let [rest @ .., file, rank] = text else { return None };
    Some((Square::new(file_of(*file)?, rank_of(*rank)?), rest))
}

#[inline]
fn file_of(letter: u8) -> Option<File> {
    File::ALL.get(usize::from(letter.wrapping_sub(b'a'))).copied()
}

#[inline]
fn rank_of(digit: u8) -> Option<Rank> {
    Rank::ALL.get(usize::from(digit.wrapping_sub(b'1'))).copied()
}

/// The text before the target: a file, a rank, both, and `x`, `-` or `:`.
#[inline]
fn origin(text: &[u8]) -> Result<(Option<File>, Option<Rank>), SanError> {
    let text = match text {
        [rest @ .., b'x' | b'X' | b'-' | b':'] => rest,
        _ => text,
    };
    match *text {
        [] => Ok((None, None)),
        [one] => match (file_of(one), rank_of(one)) {
            (None, None) => Err(SanError::Unreadable),
            found => Ok(found),
        },
        [file, rank] => match (file_of(file), rank_of(rank)) {
            (Some(file), Some(rank)) => Ok((Some(file), Some(rank))),
            _ => Err(SanError::Unreadable),
        },
        _ => Err(SanError::Unreadable),
    }
}

impl San {
    /// The legal move this means in a position.
    #[inline]
    pub fn to_move(self, position: &Position) -> Result<Move, SanError> {
        match self {
            Self::Castle(side) => {
                let us = position.turn();
                let rook = position.castling_rook(us, side).ok_or(SanError::Illegal)?;
                let m = Move::new(position.king(us), rook, MoveKind::Castle);
                if position.is_legal(m) { Ok(m) } else { Err(SanError::Illegal) }
            }
            Self::Normal { role: Role::Pawn, file, rank, to, promotion } => {
                if let (Some(file), Some(rank)) = (file, rank) {
                    let from = Square::new(file, rank);
                    if position.piece_on(from) != Some(Role::Pawn.of(position.turn())) {
                        // `g1f3`: a piece without its letter, as in UCI.
                        let uci = UciMove { from, to, promotion };
                        return uci.to_move(position).ok_or(SanError::Illegal);
                    }
                }
                pawn_move(position, file, rank, to, promotion)
            }
            Self::Normal { promotion: Some(_), .. } => Err(SanError::Illegal),
            Self::Normal { role, file, rank, to, promotion: None } => {
                officer_move(position, role, file, rank, to)
            }
        }
    }
}

#[inline]
fn mask(file: Option<File>, rank: Option<Rank>) -> Bitboard {
    file.map_or(Bitboard::FULL, Bitboard::file) & rank.map_or(Bitboard::FULL, Bitboard::rank)
}

/// Looks back from the target for pieces that could have come from there: no move list is needed.
#[inline]
fn officer_move(
    position: &Position,
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
) -> Result<Move, SanError> {
    let us = position.turn();
    if position.color(us).has(to) {
        return Err(SanError::Illegal);
    }
    let mut candidates =
        position.pieces(role.of(us)) & officer_attacks(role, to, position.occupied());
    candidates &= mask(file, rank);
    if role == Role::King {
        let m = candidates.first().map(|from| Move::new(from, to, MoveKind::Normal));
        return m.filter(|&m| position.is_legal(m)).ok_or(SanError::Illegal);
    }
    let king = position.king(us);
    let mut found = candidates.into_iter().filter(|&from| position.keeps_king_safe(from, to, king));
    match (found.next(), found.next()) {
        (Some(from), None) => Ok(Move::new(from, to, MoveKind::Normal)),
        (None, _) => Err(SanError::Illegal),
        (Some(_), Some(_)) => Err(SanError::Ambiguous),
    }
}

#[inline]
fn pawn_move(
    position: &Position,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, SanError> {
    let us = position.turn();
    let pawns = position.pieces(Role::Pawn.of(us));
    let last = to.rank() == Rank::Eighth.relative_to(us);
    let kind = match promotion {
        Some(_) if !last => return Err(SanError::Illegal),
        Some(role) => MoveKind::promotion_to(role).ok_or(SanError::Illegal)?,
        None if last => {
            // Only a pawn that can get there needs a promotion role.
            let queen = pawn_move(position, file, rank, to, Some(Role::Queen));
            return Err(queen.err().unwrap_or(SanError::NoPromotion));
        }
        None => MoveKind::Normal,
    };
    let advance = position.piece_on(to).is_none() && position.en_passant() != Some(to);
    if advance && file.is_none_or(|file| file == to.file()) {
        // An advance: one step back, or two.
        let one = passed_square(us, to);
        let two = passed_square(us, one);
        let m = if pawns.has(one) {
            Move::new(one, to, kind)
        } else {
            Move::new(two, to, MoveKind::DoublePush)
        };
        let written = rank.is_none_or(|rank| rank == m.from().rank());
        return if written && position.is_legal(m) { Ok(m) } else { Err(SanError::Illegal) };
    }
    let kind = if position.en_passant() == Some(to) { MoveKind::EnPassant } else { kind };
    let mut found = (pawns & pawn_attacks(!us, to) & mask(file, rank))
        .into_iter()
        .map(|from| Move::new(from, to, kind))
        .filter(|&m| position.is_legal(m));
    match (found.next(), found.next()) {
        (Some(m), None) => Ok(m),
        (None, _) => Err(SanError::Illegal),
        (Some(_), Some(_)) => Err(SanError::Ambiguous),
    }
}

impl San {
    /// A legal move of a position in the shortest unambiguous form.
    pub fn of(m: Move, position: &Position) -> Self {
        let (from, to) = (m.from(), m.to());
        if m.kind() == MoveKind::Castle {
            return Self::Castle(CastlingSide::of(from, to));
        }
        let role = position.piece_on(from).map_or(Role::Pawn, crate::Piece::role);
        let promotion = m.promotion();
        if role == Role::Pawn {
            let file = (from.file() != to.file()).then(|| from.file());
            return Self::Normal { role, file, rank: None, to, promotion };
        }
        let us = position.turn();
        let king = position.king(us);
        let rivals = if role == Role::King {
            Bitboard::EMPTY
        } else {
            (position.pieces(role.of(us)) & officer_attacks(role, to, position.occupied()))
                .into_iter()
                .filter(|&rival| rival != from && position.keeps_king_safe(rival, to, king))
                .collect()
        };
        let same_file = (rivals & Bitboard::file(from.file())).any();
        let same_rank = (rivals & Bitboard::rank(from.rank())).any();
        Self::Normal {
            role,
            file: (rivals.any() && (!same_file || same_rank)).then(|| from.file()),
            rank: same_file.then(|| from.rank()),
            to,
            promotion,
        }
    }

    /// Writes the move; whether it is a capture (`x`) depends on the position.
    fn write(self, f: &mut impl fmt::Write, capture: bool) -> fmt::Result {
        match self {
            Self::Castle(side) => f.write_str(side.san()),
            Self::Normal { role, file, rank, to, promotion } => {
                if role != Role::Pawn {
                    f.write_char(role.letter())?;
                }
                if let Some(file) = file {
                    f.write_char(file.letter())?;
                }
                if let Some(rank) = rank {
                    f.write_char(rank.digit())?;
                }
                if capture {
                    f.write_char('x')?;
                }
                write!(f, "{to}")?;
                match promotion {
                    Some(role) => write!(f, "={}", role.letter()),
                    None => Ok(()),
                }
            }
        }
    }
}

/// A move as written in a game: short form with `x`, `+` and `#`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SanPlus {
    san: San,
    capture: bool,
    suffix: Suffix,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Suffix {
    None,
    Check,
    Mate,
}

impl fmt::Display for SanPlus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.san.write(f, self.capture)?;
        f.write_str(match self.suffix {
            Suffix::None => "",
            Suffix::Check => "+",
            Suffix::Mate => "#",
        })
    }
}

impl Position {
    /// Parses a move in algebraic or UCI notation and resolves it to a legal move.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        text.parse::<San>()?.to_move(self)
    }

    /// A legal move in algebraic notation.
    ///
    /// ```
    /// use chess::Position;
    ///
    /// let position: Position = "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1".parse()?;
    /// let mate = position.parse_san("a1a8")?;
    /// assert_eq!(position.san(mate).to_string(), "Ra8#");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, m: Move) -> SanPlus {
        let after = self.after(m);
        let suffix = match (after.is_check(), after.has_legal_move()) {
            (false, _) => Suffix::None,
            (true, true) => Suffix::Check,
            (true, false) => Suffix::Mate,
        };
        SanPlus { san: San::of(m, self), capture: self.is_capture(m), suffix }
    }

    /// Whether a legal move is a capture.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        match m.kind() {
            MoveKind::EnPassant => true,
            MoveKind::Castle => false,
            _ => self.piece_on(m.to()).is_some(),
        }
    }
}
