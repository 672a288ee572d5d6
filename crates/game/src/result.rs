//! The result of a game, in all the ways people write it.

use chess::{Color, Outcome};

use crate::pgn::signs::{is_dash, next_char, plain};

/// A result as PGN writes it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: still played, or not known.
    #[default]
    Unknown,
}

chess::names! {
    GameResult, schema "GameResult" "A result." {
        WhiteWins = "1-0",
        BlackWins = "0-1",
        Draw = "1/2-1/2",
        Unknown = "*",
    }
}

impl GameResult {
    /// Who has won, if anybody.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Draw | Self::Unknown => None,
        }
    }

    /// The result of a text: that of PGN, or one with another dash (`1–0`), a colon, blanks
    /// around it, or `½`.
    pub fn from_text(text: &[u8]) -> Option<Self> {
        match Self::at_start(text) {
            Some((result, len)) if len == text.len() => Some(result),
            _ => None,
        }
    }

    /// The result that a text starts with, and its length.
    pub(crate) fn at_start(text: &[u8]) -> Option<(Self, usize)> {
        if text.first() == Some(&b'*') {
            return Some((Self::Unknown, 1));
        }
        let (white, rest) = score(text)?;
        let (result, rest) = match black_score(rest) {
            Some((black, rest)) => {
                let result = match (white, black) {
                    (Score::Win, Score::Loss) => Self::WhiteWins,
                    (Score::Loss, Score::Win) => Self::BlackWins,
                    (Score::Half, Score::Half) => Self::Draw,
                    _ => return None,
                };
                (result, rest)
            }
            // `1/2` alone is a draw.
            None if white == Score::Half => (Self::Draw, rest),
            None => return None,
        };
        let goes_on = |c: char| c.is_alphanumeric() || c == '/' || is_dash(c);
        match next_char(rest) {
            Some((c, _)) if goes_on(c) => None,
            _ => Some((result, text.len() - rest.len())),
        }
    }

    /// The result of a game that was not played to its end because somebody was not there:
    /// `+--` and the like.
    pub(crate) fn of_forfeit(text: &[u8]) -> Option<Self> {
        match plain(text).as_bytes() {
            b"+--" | b"+---" | b"+:-" => Some(Self::WhiteWins),
            b"--+" | b"---+" | b"-:+" => Some(Self::BlackWins),
            b"-:-" | b"-/-" => Some(Self::Unknown),
            _ => None,
        }
    }

    /// The result of a forfeit in a place where no judgement of a position can stand. After a
    /// move, `+/-` says that White is better.
    pub(crate) fn of_lone_forfeit(text: &[u8]) -> Option<Self> {
        match plain(text).as_bytes() {
            b"+/-" | b"+-" => Some(Self::WhiteWins),
            b"-/+" | b"-+" => Some(Self::BlackWins),
            _ => Self::of_forfeit(text),
        }
    }
}

/// What one side gets.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Score {
    Win,
    Half,
    Loss,
}

/// The score that a text starts with, and what follows it.
fn score(text: &[u8]) -> Option<(Score, &[u8])> {
    match text {
        [b'1', b'/', b'2', rest @ ..] => Some((Score::Half, rest)),
        [b'1', rest @ ..] => Some((Score::Win, rest)),
        [b'0', rest @ ..] => Some((Score::Loss, rest)),
        _ => match next_char(text) {
            Some(('½', len)) => Some((Score::Half, &text[len..])),
            _ => None,
        },
    }
}

/// The score after a dash or colon, and what follows it.
fn black_score(text: &[u8]) -> Option<(Score, &[u8])> {
    let text = skip_spaces(text);
    let (c, len) = next_char(text)?;
    if c == ':' || is_dash(c) { score(skip_spaces(&text[len..])) } else { None }
}

fn skip_spaces(text: &[u8]) -> &[u8] {
    let spaces = text.iter().take_while(|&&c| c == b' ').count();
    &text[spaces..]
}

/// The result of a game that is over, by who has won it.
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
