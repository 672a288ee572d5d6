//! The commands a GUI sends, parsed.

use std::fmt;

use chess::{Line, Position, UciMove};

use crate::Go;

/// A UCI command from a GUI. The text form is `FromStr` and `Display`.
///
/// ```
/// use uci::Command;
///
/// assert_eq!("joho isready".parse(), Ok(Command::IsReady));
/// let go: Command = "go wtime 60000 btime -3 winc 1000".parse()?;
/// assert_eq!(go.to_string(), "go wtime 60000 btime 0 winc 1000");
/// # Ok::<(), uci::ParseCommandError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: identify yourself and list the options.
    Uci,
    /// `debug on` and `debug off`.
    Debug(bool),
    /// `isready`: answer when everything before is done.
    IsReady,
    /// `setoption`.
    SetOption {
        /// The option's name, as written.
        name: String,
        /// The text after the word `value`, if any.
        value: Option<String>,
    },
    /// `register`: accepted and ignored.
    Register,
    /// `ucinewgame`: the next position is from another game.
    NewGame,
    /// `position`.
    Position(Moves),
    /// `go`.
    Go(Box<Go>),
    /// `go perft`: count leaf nodes at this depth.
    Perft(u32),
    /// `stop`.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`: show the position.
    Diagram,
    /// `eval`: explain the static evaluation of the position.
    Eval,
    /// `bench`: search a fixed set of positions and count the nodes, optionally to a given depth.
    Bench(Option<u32>),
}

/// A start position and the moves played from it, according to the GUI.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// The position before the first move.
    pub start: Position,
    /// The moves, as written.
    pub moves: Vec<UciMove>,
}

/// An illegal move in a `position` command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}, {text}, is not legal in {position}")]
pub struct IllegalMoveError {
    /// The move's number, from 1.
    pub number: usize,
    /// The move, as written.
    pub text: UciMove,
    /// The position in which it is illegal.
    pub position: Box<Position>,
}

impl Moves {
    /// Plays the moves.
    pub fn to_line(&self) -> Result<Line, IllegalMoveError> {
        let mut line = Line::new(self.start.clone());
        for (i, &text) in self.moves.iter().enumerate() {
            let played = text.to_move(line.position()).is_some_and(|m| line.play(m).is_ok());
            if !played {
                let position = Box::new(line.position().clone());
                return Err(IllegalMoveError { number: i + 1, text, position });
            }
        }
        Ok(line)
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start == Position::default() {
            f.write_str("startpos")?;
        } else {
            write!(f, "fen {}", self.start)?;
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Self::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Self::Register => f.write_str("register later"),
            Self::NewGame => f.write_str("ucinewgame"),
            Self::Position(moves) => write!(f, "position {moves}"),
            Self::Go(go) => write!(f, "go{go}"),
            Self::Perft(depth) => write!(f, "go perft {depth}"),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Diagram => f.write_str("d"),
            Self::Eval => f.write_str("eval"),
            Self::Bench(None) => f.write_str("bench"),
            Self::Bench(Some(depth)) => write!(f, "bench {depth}"),
        }
    }
}
