//! Game results, in all common notations.

use chess::{Color, Outcome};

use crate::pgn::signs::{is_dash, next_char, plain};

/// A result in PGN notation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: in progress, or unknown.
    #[default]
    Unknown,
}

chess::names! {
    GameResult, schema "GameResult" "A game result, as in PGN." {
        WhiteWins = "1-0",
        BlackWins = "0-1",
        Draw = "1/2-1/2",
        Unknown = "*",
    }
}

impl GameResult {
    /// The winner, if any.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Draw | Self::Unknown => None,
        }
    }

    /// Parses a result: in PGN notation, or with another dash (`1–0`), a colon, spaces, or `½`.
    pub fn from_text(text: &[u8]) -> Option<Self> {
        match Self::at_start(text) {
            Some((result, len)) if len == text.len() => Some(result),
            _ => None,
        }
    }

    /// Parses a result at the start of a text, and returns its length.
    pub(crate) fn at_start(text: &[u8]) -> Option<(Self, usize)> {
        if text.first() == Some(&b'*') {
            return Some((Self::Unknown, 1));
        }
        let (white, rest) = points(text)?;
        let (result, rest) = match black_points(rest) {
            Some((black, rest)) => {
                let result = match (white, black) {
                    (Points::Win, Points::Loss) => Self::WhiteWins,
                    (Points::Loss, Points::Win) => Self::BlackWins,
                    (Points::Half, Points::Half) => Self::Draw,
                    _ => return None,
                };
                (result, rest)
            }
            // `1/2` alone is a draw.
            None if white == Points::Half => (Self::Draw, rest),
            None => return None,
        };
        let goes_on = |c: char| c.is_alphanumeric() || c == '/' || is_dash(c);
        match next_char(rest) {
            Some((c, _)) if goes_on(c) => None,
            _ => Some((result, text.len() - rest.len())),
        }
    }

    /// The result of a forfeited game: `+--` and the like.
    pub(crate) fn of_forfeit(text: &[u8]) -> Option<Self> {
        match plain(text).as_bytes() {
            b"+--" | b"+---" | b"+:-" => Some(Self::WhiteWins),
            b"--+" | b"---+" | b"-:+" => Some(Self::BlackWins),
            b"-:-" | b"-/-" => Some(Self::Unknown),
            _ => None,
        }
    }

    /// The result of a forfeit where it can't be an evaluation: after a move, `+/-` means that
    /// White is better.
    pub(crate) fn of_lone_forfeit(text: &[u8]) -> Option<Self> {
        match plain(text).as_bytes() {
            b"+/-" | b"+-" => Some(Self::WhiteWins),
            b"-/+" | b"-+" => Some(Self::BlackWins),
            _ => Self::of_forfeit(text),
        }
    }
}

/// The points of one side.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Points {
    Win,
    Half,
    Loss,
}

/// Parses the points at the start of a text, and returns the rest.
fn points(text: &[u8]) -> Option<(Points, &[u8])> {
    match text {
        [b'1', b'/', b'2', rest @ ..] => Some((Points::Half, rest)),
        [b'1', rest @ ..] => Some((Points::Win, rest)),
        [b'0', rest @ ..] => Some((Points::Loss, rest)),
        _ => match next_char(text) {
            Some(('½', len)) => Some((Points::Half, &text[len..])),
            _ => None,
        },
    }
}

/// Parses the points after a dash or colon, and returns the rest.
fn black_points(text: &[u8]) -> Option<(Points, &[u8])> {
    let text = skip_spaces(text);
    let (c, len) = next_char(text)?;
    if c == ':' || is_dash(c) { points(skip_spaces(&text[len..])) } else { None }
}

fn skip_spaces(text: &[u8]) -> &[u8] {
    let spaces = text.iter().take_while(|&&c| c == b' ').count();
    &text[spaces..]
}

/// The result of a finished game with this winner.
impl From<Option<Color>> for GameResult {
    fn from(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::WhiteWins,
            Some(Color::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        outcome.winner().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_written_in_many_ways() {
        for (texts, result) in [
            (&["1-0", "1–0", "1—0", "1−0", "1‑0", "1:0", "1 - 0"][..], GameResult::WhiteWins),
            (&["0-1", "0–1", "0:1", "0 – 1"], GameResult::BlackWins),
            (&["1/2-1/2", "1/2–1/2", "½-½", "½–½", "½:½", "1/2", "½"], GameResult::Draw),
            (&["*"], GameResult::Unknown),
        ] {
            for text in texts {
                assert_eq!(GameResult::from_text(text.as_bytes()), Some(result), "{text}");
            }
        }
        assert_eq!(GameResult::from_text(b"\xBD-\xBD"), Some(GameResult::Draw), "Latin-1");
        assert_eq!(GameResult::from_text(b"1\x960"), Some(GameResult::WhiteWins), "Windows");
    }

    #[test]
    fn castling_and_numbers_are_no_results() {
        for text in ["0-0", "0–0–0", "1-1", "1", "0", "1-", "1-0-0", "1-00", "11-0", "", "-", "½0"]
        {
            assert_eq!(GameResult::from_text(text.as_bytes()), None, "{text}");
        }
    }
}
