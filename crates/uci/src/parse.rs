//! Reads a line of UCI: total, in linear time, and forgiving where the protocol says so.

use std::str::FromStr;
use std::time::Duration;

use chess::{Color, FenError, Position, UciMove};

use crate::{Command, Go, Moves};

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCommandError {
    /// There are no words.
    #[error("the line is empty")]
    Blank,
    /// No word of the line is a command.
    #[error("unknown command `{0}`")]
    Unknown(String),
    /// A word must be followed by another.
    #[error("`{name}` needs {wanted}, but the line ends there")]
    Missing {
        /// The word.
        name: &'static str,
        /// What should follow.
        wanted: &'static str,
    },
    /// A word is followed by the wrong one.
    #[error("`{name}` needs {wanted}, got `{value}`")]
    Bad {
        /// The word.
        name: &'static str,
        /// What should follow.
        wanted: &'static str,
        /// What follows.
        value: String,
    },
    /// The FEN of a `position` is no legal position.
    #[error("the FEN `{fen}` is wrong: {reason}")]
    Fen {
        /// The FEN as it was written.
        fen: String,
        /// What is wrong with it.
        reason: FenError,
    },
    /// A move of a `position` can't be read.
    #[error("move {number}, `{text}`, is not a move such as e2e4 or e7e8q")]
    Move {
        /// Which move it is, from 1.
        number: usize,
        /// How it was written.
        text: String,
    },
}

type Parsed<T> = Result<T, ParseCommandError>;

/// Nobody plays longer than this many milliseconds (about 30 years), and sums of such times
/// can't overflow.
const LONGEST: u64 = 1_000_000_000_000;
const NUMBER: &str = "a number";
/// Deeper trees have more leaves than 64 bits can count.
const DEEPEST_PERFT: u64 = 64;

impl FromStr for Command {
    type Err = ParseCommandError;

    /// Words before the command are skipped, as UCI demands. The words that are not UCI (`d`,
    /// `eval`, `bench`) must be the first: they are too likely to occur in noise.
    fn from_str(line: &str) -> Parsed<Self> {
        let mut words = Words { rest: line };
        let first = words.clone().next().ok_or(ParseCommandError::Blank)?;
        let mut rest = words.clone();
        rest.next();
        match first {
            "d" => return Ok(Self::Diagram),
            "eval" => return Ok(Self::Eval),
            "bench" => return bench(rest),
            _ => {}
        }
        while let Some(word) = words.next() {
            return match word {
                "uci" => Ok(Self::Uci),
                "debug" => debug(words),
                "isready" => Ok(Self::IsReady),
                "setoption" => set_option(words),
                "register" => Ok(Self::Register),
                "ucinewgame" => Ok(Self::NewGame),
                "position" => position(words),
                "go" => go(words),
                "stop" => Ok(Self::Stop),
                "ponderhit" => Ok(Self::PonderHit),
                "quit" => Ok(Self::Quit),
                _ => continue,
            };
        }
        Err(ParseCommandError::Unknown(excerpt(line)))
    }
}

fn bench(mut words: Words) -> Parsed<Command> {
    match words.clone().next() {
        None => Ok(Command::Bench(None)),
        Some(_) => number(&mut words, "bench").map(|depth| Command::Bench(Some(depth))),
    }
}

fn debug(mut words: Words) -> Parsed<Command> {
    let wanted = "on or off";
    match words.next() {
        Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        Some(value) => Err(ParseCommandError::Bad { name: "debug", wanted, value: excerpt(value) }),
        None => Err(ParseCommandError::Missing { name: "debug", wanted }),
    }
}

/// `name` and `value` end where the other begins or the line ends; what is between is one text,
/// in which a value keeps its inner blanks: it may be a path.
fn set_option(mut words: Words) -> Parsed<Command> {
    let missing = |name, wanted| ParseCommandError::Missing { name, wanted };
    if !words.any(|word| word == "name") {
        return Err(missing("setoption", "`name` and the name of an option"));
    }
    let mut name = String::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest.trim().to_owned());
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    if name.is_empty() {
        return Err(missing("name", "the name of an option"));
    }
    Ok(Command::SetOption { name, value })
}

fn position(mut words: Words) -> Parsed<Command> {
    let wanted = "`startpos` or `fen`";
    let start = loop {
        match words.next() {
            Some("startpos") => {
                // What stands between `startpos` and `moves` means nothing.
                words.by_ref().find(|&word| word == "moves");
                break Position::default();
            }
            Some("fen") => {
                let fen: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
                let fen = fen.join(" ");
                break fen
                    .parse()
                    .map_err(|reason| ParseCommandError::Fen { fen: excerpt(&fen), reason })?;
            }
            Some(_) => {}
            None => return Err(ParseCommandError::Missing { name: "position", wanted }),
        }
    };
    let read = |(i, text): (usize, &str)| {
        text.parse().map_err(|_| ParseCommandError::Move { number: i + 1, text: excerpt(text) })
    };
    let moves = words.enumerate().map(read).collect::<Parsed<Vec<UciMove>>>()?;
    Ok(Command::Position(Moves { start, moves }))
}

fn go(mut words: Words) -> Parsed<Command> {
    const WHITE: usize = Color::White.index();
    const BLACK: usize = Color::Black.index();
    let mut go = Go::default();
    while let Some(word) = words.next() {
        let words = &mut words;
        match word {
            "searchmoves" => {
                while let Some(m) = words.clone().next().and_then(|word| word.parse().ok()) {
                    words.next();
                    go.search_moves.push(m);
                }
            }
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => go.remaining[WHITE] = Some(time(words, "wtime")?),
            "btime" => go.remaining[BLACK] = Some(time(words, "btime")?),
            "winc" => go.increment[WHITE] = Some(time(words, "winc")?),
            "binc" => go.increment[BLACK] = Some(time(words, "binc")?),
            "movetime" => go.move_time = Some(time(words, "movetime")?),
            "movestogo" => go.moves_to_go = Some(number(words, "movestogo")?),
            "depth" => go.depth = Some(number(words, "depth")?),
            "nodes" => go.nodes = Some(number(words, "nodes")?),
            "mate" => go.mate = Some(number(words, "mate")?),
            "perft" => {
                let depth = number::<u64>(words, "perft")?;
                if depth > DEEPEST_PERFT {
                    let value = depth.to_string();
                    let wanted = "a number from 0 to 64";
                    return Err(ParseCommandError::Bad { name: "perft", wanted, value });
                }
                return Ok(Command::Perft(depth as u32));
            }
            _ => {}
        }
    }
    Ok(Command::Go(Box::new(go)))
}

fn number<T: TryFrom<u64>>(words: &mut Words, name: &'static str) -> Parsed<T> {
    let word = words.next().ok_or(ParseCommandError::Missing { name, wanted: NUMBER })?;
    word.parse::<u64>()
        .ok()
        .and_then(|number| number.try_into().ok())
        .ok_or_else(|| ParseCommandError::Bad { name, wanted: NUMBER, value: excerpt(word) })
}

/// A time in milliseconds. Clocks of GUIs run below zero; then there is no time left.
fn time(words: &mut Words, name: &'static str) -> Parsed<Duration> {
    let wanted = "a number of milliseconds";
    let word = words.next().ok_or(ParseCommandError::Missing { name, wanted })?;
    let digits = word.strip_prefix('-').unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseCommandError::Bad { name, wanted, value: excerpt(word) });
    }
    let milliseconds = if digits == word { word.parse().unwrap_or(LONGEST) } else { 0 };
    Ok(Duration::from_millis(milliseconds.min(LONGEST)))
}

/// The beginning of a text, fit to be shown on one line of a terminal.
pub(crate) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 60;
    let mut shown: String = text
        .trim()
        .chars()
        .take(LENGTH)
        .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })
        .collect();
    if text.trim().chars().nth(LENGTH).is_some() {
        shown.push_str("...");
    }
    shown
}

/// The words of a line, and what is left of it.
#[derive(Clone)]
struct Words<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests;
