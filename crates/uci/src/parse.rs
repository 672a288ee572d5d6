//! Parses a UCI command: any input, in linear time, and lenient where the protocol says so.

use std::str::FromStr;
use std::time::Duration;

use chess::{Color, FenError, Position, UciMove};

use crate::{Command, Go, Moves};

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCommandError {
    /// The line is empty.
    #[error("the line is empty")]
    Blank,
    /// The line contains no command.
    #[error("unknown command `{0}`")]
    Unknown(String),
    /// An argument is missing.
    #[error("`{name}` needs {wanted}, but the line ends there")]
    Missing {
        /// The keyword.
        name: &'static str,
        /// The expected argument.
        wanted: &'static str,
    },
    /// An argument is invalid.
    #[error("`{name}` needs {wanted}, got `{value}`")]
    Bad {
        /// The keyword.
        name: &'static str,
        /// The expected argument.
        wanted: &'static str,
        /// The actual word.
        value: String,
    },
    /// The FEN of a `position` is invalid.
    #[error("invalid FEN `{fen}`: {reason}")]
    Fen {
        /// The FEN, as written.
        fen: String,
        /// The reason.
        reason: FenError,
    },
    /// A move of a `position` can't be parsed.
    #[error("move {number}, `{text}`, is not a move such as e2e4 or e7e8q")]
    Move {
        /// The move's number, from 1.
        number: usize,
        /// The move, as written.
        text: String,
    },
}

type Parsed<T> = Result<T, ParseCommandError>;

/// The longest time in milliseconds (about 30 years); sums of such times can't overflow.
const LONGEST: u64 = 1_000_000_000_000;
/// Deeper trees have more leaves than fit into 64 bits.
const DEEPEST_PERFT: u32 = 64;

impl FromStr for Command {
    type Err = ParseCommandError;

    /// Words before the command are skipped, as UCI requires. Commands that are not UCI (`d`,
    /// `eval`, `bench`) must come first: they are too likely to occur in noise.
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
                "go" => Ok(go(words)),
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
        Some(_) => number(&mut words, "bench").map(|depth| Command::Bench(Some(small(depth)))),
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

/// `name` and `value` extend to the other keyword or the end of the line. A value keeps its inner
/// spaces, because it may be a path.
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
                // Ignore anything between `startpos` and `moves`.
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

/// Never fails, because each `go` must be answered: parameters that can't be parsed are noted and
/// ignored.
fn go(mut words: Words) -> Command {
    const WHITE: usize = Color::White.index();
    const BLACK: usize = Color::Black.index();
    let mut go = Box::<Go>::default();
    let mut faults = Faults::default();
    let mut moves_follow = false;
    while let Some(word) = words.next() {
        let words = &mut words;
        let is_move = std::mem::take(&mut moves_follow);
        match word {
            "searchmoves" => moves_follow = true,
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => faults.note(time(words, "wtime"), &mut go.remaining[WHITE]),
            "btime" => faults.note(time(words, "btime"), &mut go.remaining[BLACK]),
            "winc" => faults.note(time(words, "winc"), &mut go.increment[WHITE]),
            "binc" => faults.note(time(words, "binc"), &mut go.increment[BLACK]),
            "movetime" => faults.note(time(words, "movetime"), &mut go.move_time),
            "movestogo" => faults.note(number(words, "movestogo").map(small), &mut go.moves_to_go),
            "depth" => faults.note(number(words, "depth").map(small), &mut go.depth),
            "nodes" => faults.note(number(words, "nodes"), &mut go.nodes),
            "mate" => faults.note(number(words, "mate").map(small), &mut go.mate),
            "perft" => {
                let mut depth = None;
                faults.note(perft_depth(words), &mut depth);
                if let Some(depth) = depth {
                    return Command::Perft(depth);
                }
            }
            _ if is_move => {
                moves_follow = true;
                let mut m = None;
                faults.note(search_move(word), &mut m);
                go.search_moves.extend(m);
            }
            _ => {}
        }
    }
    go.faults = faults.0;
    Command::Go(go)
}

/// Errors in the parameters of a command.
#[derive(Default)]
struct Faults(Vec<ParseCommandError>);

impl Faults {
    /// More would not be read.
    const MOST: usize = 10;

    /// Stores the parsed value in `place`, or notes the error and leaves `place` as it is.
    fn note<T>(&mut self, read: Parsed<T>, place: &mut Option<T>) {
        match read {
            Ok(value) => *place = Some(value),
            Err(fault) if self.0.len() < Self::MOST => self.0.push(fault),
            Err(_) => {}
        }
    }
}

fn search_move(word: &str) -> Parsed<UciMove> {
    let (name, wanted) = ("searchmoves", "moves such as e2e4 or e7e8q");
    word.parse().map_err(|_| ParseCommandError::Bad { name, wanted, value: excerpt(word) })
}

/// The argument of `name`. If it is invalid it stays in the line: it may be the next keyword.
fn operand<T>(
    words: &mut Words,
    name: &'static str,
    wanted: &'static str,
    read: impl Fn(&str) -> Option<T>,
) -> Parsed<T> {
    let word = words.clone().next().ok_or(ParseCommandError::Missing { name, wanted })?;
    let bad = || ParseCommandError::Bad { name, wanted, value: excerpt(word) };
    let value = read(word).ok_or_else(bad)?;
    words.next();
    Ok(value)
}

fn number(words: &mut Words, name: &'static str) -> Parsed<u64> {
    operand(words, name, "a number", |word| is_number(word).then(|| saturated(word)))
}

fn perft_depth(words: &mut Words) -> Parsed<u32> {
    operand(words, "perft", "a number from 0 to 64", |word| {
        word.parse().ok().filter(|&depth| depth <= DEEPEST_PERFT)
    })
}

/// A time in milliseconds. GUIs may send negative clocks; they count as zero.
fn time(words: &mut Words, name: &'static str) -> Parsed<Duration> {
    operand(words, name, "a number of milliseconds", |word| {
        let digits = word.strip_prefix('-').unwrap_or(word);
        let milliseconds = if digits == word { saturated(word).min(LONGEST) } else { 0 };
        is_number(digits).then(|| Duration::from_millis(milliseconds))
    })
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('+').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The value of a string of digits, saturating.
fn saturated(digits: &str) -> u64 {
    digits.parse().unwrap_or(u64::MAX)
}

fn small(number: u64) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// The start of a text, safe to print on one line of a terminal.
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

/// The words of a line, and the rest of it.
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
