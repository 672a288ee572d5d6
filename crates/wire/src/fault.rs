//! Errors in chess input, as codes that can be translated.

use chess::{Color, FenError, IllegalSetup, ParseFenError, SanError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A machine-readable error, for clients that translate it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fault {
    /// The error code.
    #[schema(example = "no_king")]
    pub code: String,
    /// The arguments of the message, in the order of the code: texts, squares, numbers, `white` or
    /// `black`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
}

impl Fault {
    /// A fault with its code and arguments.
    pub fn new<const N: usize>(code: &str, arguments: [String; N]) -> Self {
        Self { code: code.to_owned(), arguments: arguments.into() }
    }
}

impl From<&FenError> for Fault {
    fn from(error: &FenError) -> Self {
        match error {
            FenError::Unreadable(error) => error.into(),
            FenError::Illegal(error) => error.into(),
        }
    }
}

impl From<&ParseFenError> for Fault {
    fn from(error: &ParseFenError) -> Self {
        use ParseFenError as E;
        match error {
            E::Empty => Self::new("empty", []),
            E::TooManyFields(rest) => Self::new("too_many_fields", [rest.clone()]),
            E::RankCount(count) => Self::new("rank_count", [count.to_string()]),
            E::RankLength { rank, squares } => {
                Self::new("rank_length", [rank.digit().to_string(), squares.to_string()])
            }
            E::Piece { rank, letter } => {
                Self::new("piece", [letter.to_string(), rank.digit().to_string()])
            }
            E::TwoNumbers(rank) => Self::new("two_numbers", [rank.digit().to_string()]),
            E::Turn(text) => Self::new("turn", [text.clone()]),
            E::Castling(text) => Self::new("castling", [text.clone()]),
            E::CastlingTwice(text) => Self::new("castling_twice", [text.clone()]),
            E::CastlingRook(letter) => Self::new("castling_rook", [letter.to_string()]),
            E::EnPassant(text) => Self::new("en_passant", [text.clone()]),
            E::Halfmoves(text) => Self::new("halfmoves", [text.clone()]),
            E::Fullmoves(text) => Self::new("fullmoves", [text.clone()]),
        }
    }
}

impl From<&IllegalSetup> for Fault {
    fn from(error: &IllegalSetup) -> Self {
        use IllegalSetup as E;
        match *error {
            E::NoKing(color) => Self::new("no_king", [side(color)]),
            E::ManyKings(color) => Self::new("many_kings", [side(color)]),
            E::PawnOnBackRank(square) => Self::new("pawn_on_back_rank", [square.to_string()]),
            E::OpponentInCheck { turn } => {
                Self::new("opponent_in_check", [side(turn), side(!turn)])
            }
            E::CastlingKingMoved(color) => Self::new("castling_king_moved", [side(color)]),
            E::NoCastlingRook(square) => Self::new("no_castling_rook", [square.to_string()]),
            E::TwoCastlingRooks(color) => Self::new("two_castling_rooks", [side(color)]),
            E::EnPassantRank(square, rank) => {
                Self::new("en_passant_rank", [square.to_string(), rank.digit().to_string()])
            }
            E::NoEnPassantPawn(square) => Self::new("no_en_passant_pawn", [square.to_string()]),
        }
    }
}

impl From<&SanError> for Fault {
    fn from(error: &SanError) -> Self {
        match error {
            SanError::Unreadable => Self::new("not_a_move", []),
            SanError::Illegal => Self::new("illegal", []),
            SanError::Ambiguous => Self::new("ambiguous", []),
            SanError::NoPromotion => Self::new("no_promotion", []),
        }
    }
}

fn side(color: Color) -> String {
    match color {
        Color::White => "white".to_owned(),
        Color::Black => "black".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::*;

    #[test]
    fn a_fault_has_a_code_and_what_the_sentence_needs() {
        for (fen, code, arguments) in [
            ("", "empty", &[][..]),
            ("8/8/8/8/8/8/8/K7 w - -", "no_king", &["black"]),
            ("4k3/8/8/8/8/8/8/4K2R w X - 0 1", "castling", &["X"]),
            ("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "opponent_in_check", &["black", "white"]),
            ("4k3/8/8/8/8/8/8/4K3 w - d3 0 1", "en_passant_rank", &["d3", "6"]),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmoves", &["x"]),
        ] {
            let error = fen.parse::<Position>().expect_err(fen);
            let fault = Fault::from(&error);
            assert_eq!(fault.code, code, "{error}");
            assert_eq!(fault.arguments, arguments, "{error}");
        }
    }
}
