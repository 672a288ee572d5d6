//! FEN in and out: standard, X-FEN and Shredder-FEN.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::{Bitboard, Color, File, IllegalSetup, Piece, Position, Rank, Role, Setup, Square};

/// Why a text is not a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseFenError {
    /// There is no text.
    #[error("the FEN is empty")]
    Empty,
    /// There is text after the sixth field.
    #[error("a FEN has six fields, but there is more: `{0}`")]
    TooManyFields(String),
    /// The board doesn't have eight ranks.
    #[error("a board has 8 ranks, but this one has {0}")]
    RankCount(usize),
    /// A rank doesn't have eight squares.
    #[error("a rank has 8 squares, but rank {} has {squares}", .rank.digit())]
    RankLength {
        /// Which rank.
        rank: Rank,
        /// The number of squares.
        squares: usize,
    },
    /// A letter on the board is not a piece.
    #[error("`{letter}` on rank {} is neither a piece nor a number of empty squares", .rank.digit())]
    Piece {
        /// Which rank.
        rank: Rank,
        /// The letter.
        letter: char,
    },
    /// Two numbers of empty squares follow each other.
    #[error("rank {} has two numbers in a row", .0.digit())]
    TwoNumbers(Rank),
    /// The side to move is neither w nor b.
    #[error("the side to move is `{0}` instead of w or b")]
    Turn(String),
    /// The castling rights are invalid.
    #[error("the castling rights `{0}` are neither - nor some of KQkq or file letters")]
    Castling(String),
    /// A castling right is named twice.
    #[error("the castling rights `{0}` name a rook twice")]
    CastlingTwice(String),
    /// There is no rook for a castling right.
    #[error("the castling right {0} has no king on its back rank with a rook on that side")]
    CastlingRook(char),
    /// The en passant field is invalid.
    #[error("the en passant field is `{0}` instead of - or a square")]
    EnPassant(String),
    /// The halfmove clock is not a number, or too large.
    #[error("the halfmove clock is `{0}` instead of a number from 0 to 65535")]
    Halfmoves(String),
    /// The move number is not a number, or too large.
    #[error("the move number is `{0}` instead of a number from 0 to 65535")]
    Fullmoves(String),
}

/// Why a FEN is not a legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// It can't be parsed.
    #[error(transparent)]
    Unreadable(#[from] ParseFenError),
    /// It can be parsed, but the rules of chess don't allow it.
    #[error(transparent)]
    Illegal(#[from] IllegalSetup),
}

impl FromStr for Position {
    type Err = FenError;

    /// Parses a FEN. See [`Setup::from_str`] for what is tolerated. A missing king is reported rather
    /// than the castling rights that it makes impossible.
    fn from_str(text: &str) -> Result<Self, FenError> {
        let setup = text.parse::<Setup>();
        if let (Err(ParseFenError::CastlingRook(_)), Some(board)) =
            (&setup, text.split_whitespace().next())
        {
            Setup { board: parse_board(board)?, ..Setup::EMPTY }.check_kings()?;
        }
        Ok(Self::try_from(&setup?)?)
    }
}

impl FromStr for Setup {
    type Err = ParseFenError;

    /// Parses a FEN. Any white space separates fields, fields may be missing from the end, and
    /// castling rights may be `KQkq` (X-FEN) or file letters (Shredder-FEN).
    fn from_str(text: &str) -> Result<Self, ParseFenError> {
        let mut fields = text.split_whitespace();
        let mut setup = Self::EMPTY;
        setup.board = parse_board(fields.next().ok_or(ParseFenError::Empty)?)?;
        if let Some(turn) = fields.next() {
            setup.turn = match turn {
                "w" | "W" => Color::White,
                "b" | "B" => Color::Black,
                _ => return Err(ParseFenError::Turn(excerpt(turn))),
            };
        }
        setup.castling = parse_castling(fields.next().unwrap_or("-"), &setup)?;
        setup.en_passant = match fields.next().unwrap_or("-") {
            "-" => None,
            text => Some(text.parse().map_err(|_| ParseFenError::EnPassant(excerpt(text)))?),
        };
        setup.halfmoves =
            parse_counter(fields.next().unwrap_or("0")).map_err(ParseFenError::Halfmoves)?;
        setup.fullmoves =
            parse_counter(fields.next().unwrap_or("1")).map_err(ParseFenError::Fullmoves)?.max(1);
        match fields.next() {
            Some(more) => Err(ParseFenError::TooManyFields(excerpt(more))),
            None => Ok(setup),
        }
    }
}

/// The start of a text, to keep error messages short.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn parse_board(text: &str) -> Result<[Option<Piece>; 64], ParseFenError> {
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(ParseFenError::RankCount(ranks));
    }
    let mut board = [None; 64];
    for (row, rank) in text.split('/').zip(Rank::ALL.into_iter().rev()) {
        let mut squares = 0;
        let mut after_number = false;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(9).filter(|&empty| empty > 0) {
                if after_number {
                    return Err(ParseFenError::TwoNumbers(rank));
                }
                squares += empty as usize;
                after_number = true;
            } else {
                let piece = Piece::from_letter(letter);
                let piece = piece.ok_or(ParseFenError::Piece { rank, letter })?;
                if let Some(&file) = File::ALL.get(squares) {
                    board[Square::new(file, rank).index()] = Some(piece);
                }
                squares += 1;
                after_number = false;
            }
        }
        if squares != 8 {
            return Err(ParseFenError::RankLength { rank, squares });
        }
    }
    Ok(board)
}

fn parse_castling(text: &str, setup: &Setup) -> Result<Bitboard, ParseFenError> {
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = match (letter.to_ascii_uppercase(), File::from_letter(letter)) {
            ('K' | 'Q', _) => outermost_rook(setup, color, letter.eq_ignore_ascii_case(&'K'))
                .ok_or(ParseFenError::CastlingRook(letter))?,
            (_, Some(file)) => Square::new(file, color.back_rank()),
            _ => return Err(ParseFenError::Castling(excerpt(text))),
        };
        if rooks.has(rook) {
            return Err(ParseFenError::CastlingTwice(excerpt(text)));
        }
        rooks |= Bitboard::of(rook);
    }
    Ok(rooks)
}

/// The rook nearest to the corner on one side of the king: what K and Q mean in X-FEN.
fn outermost_rook(setup: &Setup, color: Color, king_side: bool) -> Option<Square> {
    let back_rank = Bitboard::rank(color.back_rank());
    let king = (setup.pieces(Role::King.of(color)) & back_rank).first()?;
    let mut rooks = (setup.pieces(Role::Rook.of(color)) & back_rank).into_iter();
    if king_side {
        rooks.filter(|&rook| rook > king).last()
    } else {
        rooks.next().filter(|&rook| rook < king)
    }
}

/// A counter, or the start of the invalid text.
fn parse_counter(text: &str) -> Result<u16, String> {
    // Some programs write `-` for a counter they don't keep.
    if text == "-" {
        return Ok(0);
    }
    let digits = text.bytes().all(|c| c.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| excerpt(text))
}

impl fmt::Display for Position {
    /// Writes the FEN: X-FEN, which is standard FEN wherever that exists.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(self).fmt(f)
    }
}

impl fmt::Display for Setup {
    /// Writes the FEN. Castling rights are K, Q, k and q where the rook is the outermost on
    /// its side, else its file letter (X-FEN).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, |rook, color| {
            [(true, 'K'), (false, 'Q')]
                .into_iter()
                .find(|&(king_side, _)| outermost_rook(self, color, king_side) == Some(rook))
                .map_or_else(|| rook.file().letter().to_ascii_uppercase(), |(_, letter)| letter)
        })
    }
}

impl Position {
    /// The FEN with castling rights as file letters, such as `HAha` (Shredder-FEN).
    pub fn to_shredder_fen(&self) -> String {
        let mut text = String::new();
        Setup::from(self)
            .write_fen(&mut text, |rook, _| rook.file().letter().to_ascii_uppercase())
            .expect("a string takes any text");
        text
    }
}

impl Setup {
    fn write_fen(
        &self,
        out: &mut impl Write,
        castling_letter: impl Fn(Square, Color) -> char,
    ) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            write_rank(out, File::ALL.map(|file| self.board[Square::new(file, rank).index()]))?;
            out.write_char(if rank == Rank::First { ' ' } else { '/' })?;
        }
        write!(out, "{} ", self.turn.letter())?;
        if self.castling.is_empty() {
            out.write_char('-')?;
        }
        for color in Color::ALL {
            let rooks = self.castling & Bitboard::rank(color.back_rank());
            // The king's side first: from the h-file to the a-file.
            for file in File::ALL.into_iter().rev() {
                let rook = Square::new(file, color.back_rank());
                if rooks.has(rook) {
                    let letter = castling_letter(rook, color);
                    out.write_char(match color {
                        Color::White => letter,
                        Color::Black => letter.to_ascii_lowercase(),
                    })?;
                }
            }
        }
        match self.en_passant {
            Some(square) => write!(out, " {square}")?,
            None => out.write_str(" -")?,
        }
        write!(out, " {} {}", self.halfmoves, self.fullmoves)
    }
}

fn write_rank(out: &mut impl Write, row: [Option<Piece>; 8]) -> fmt::Result {
    let mut empty = 0;
    for square in row {
        match square {
            None => empty += 1,
            Some(piece) => {
                if empty > 0 {
                    write!(out, "{empty}")?;
                    empty = 0;
                }
                out.write_char(piece.letter())?;
            }
        }
    }
    if empty > 0 { write!(out, "{empty}") } else { Ok(()) }
}
