//! A position with its result and score.

use chess::{FenError, Position};
use nnue::data::Sample;

/// A position, the result of its game, and its search score.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The position.
    pub position: Position,
    /// 1 if White won, 0.5 for a draw, 0 if Black won.
    pub result: f32,
    /// Centipawns for White, if it was searched.
    pub score: Option<i32>,
}

impl From<Sample> for Judged {
    fn from(sample: Sample) -> Self {
        Self {
            result: sample.result_for_white() as f32,
            score: Some(i32::from(sample.score_for_white().value())),
            position: sample.position,
        }
    }
}

/// Why a line is not `FEN;result` or `FEN;result;score`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParseJudgedError {
    /// The position can't be read.
    #[error("invalid position")]
    Position(#[from] FenError),
    /// There is no result.
    #[error("the result after the position is missing; the format is `FEN;result;score`")]
    NoResult,
    /// The result is invalid.
    #[error("`{0}` is not a result: 1-0, 1/2-1/2, 0-1, or 1, 0.5, 0")]
    Result(String),
    /// The score is not a number.
    #[error("`{0}` is not a score in centipawns for White")]
    Score(String),
    /// There is text after the score.
    #[error("unexpected `{0}` after the score")]
    Extra(String),
}

/// Parses `FEN;result;score`, result and score for White; the score is optional.
pub fn parse_line(line: &str) -> Result<Judged, ParseJudgedError> {
    let mut fields = line.split(';').map(str::trim);
    let position: Position = fields.next().unwrap_or_default().parse()?;
    let result = match fields.next().ok_or(ParseJudgedError::NoResult)? {
        "1-0" | "1" | "1.0" => 1.0,
        "1/2-1/2" | "0.5" => 0.5,
        "0-1" | "0" | "0.0" => 0.0,
        other => return Err(ParseJudgedError::Result(other.to_owned())),
    };
    let score = match fields.next() {
        None | Some("") => None,
        Some(text) => Some(text.parse().map_err(|_| ParseJudgedError::Score(text.to_owned()))?),
    };
    match fields.next() {
        Some(extra) => Err(ParseJudgedError::Extra(extra.to_owned())),
        None => Ok(Judged { position, result, score }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_line_has_position_result_and_score() {
        let judged = parse_line(&format!("{START};1/2-1/2;-17")).expect("a good line");
        assert_eq!((judged.result, judged.score), (0.5, Some(-17)));
        assert_eq!(judged.position, Position::default());
        assert_eq!(parse_line(&format!("{START}; 1-0")).expect("a good line").score, None);
    }

    #[test]
    fn bad_lines_say_what_is_wrong() {
        use ParseJudgedError as E;
        assert!(matches!(parse_line("xyz;1-0;3"), Err(E::Position(_))));
        assert_eq!(parse_line(START), Err(E::NoResult));
        assert_eq!(parse_line(&format!("{START};2-0")), Err(E::Result("2-0".into())));
        assert_eq!(parse_line(&format!("{START};1-0;high")), Err(E::Score("high".into())));
        assert_eq!(parse_line(&format!("{START};1-0;1;2")), Err(E::Extra("2".into())));
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC*", tail in "[0-9;./ -]{0,20}") {
            let _ = parse_line(&text);
            let _ = parse_line(&format!("{START}{tail}"));
        }
    }
}
