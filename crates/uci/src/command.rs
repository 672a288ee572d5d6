//! What a GUI tells an engine, one value for each line.

use std::fmt;

use chess::{Line, Position, UciMove};

use crate::Go;

/// A line of UCI from a GUI, understood. The text form is `FromStr` and `Display`.
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
    /// `uci`: say who you are and what can be set.
    Uci,
    /// `debug on` and `debug off`.
    Debug(bool),
    /// `isready`: answer when everything before is done.
    IsReady,
    /// `setoption`.
    SetOption {
        /// The name of the option, as it was written.
        name: String,
        /// What follows the word `value`, if it is there.
        value: Option<String>,
    },
    /// `register`, which a free engine accepts and ignores.
    Register,
    /// `ucinewgame`: what comes next is another game.
    NewGame,
    /// `position`.
    Position(Moves),
    /// `go`.
    Go(Box<Go>),
    /// `go perft`: count move sequences of so many plies.
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
    /// `bench`: search known positions and count the nodes, to a depth if it is given.
    Bench(Option<u32>),
}

/// A start position and the moves that a GUI says were played from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// Where the moves start.
    pub start: Position,
    /// The moves as they were written.
    pub moves: Vec<UciMove>,
}

/// A move in a `position` command can't be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}, {text}, is not legal in {position}")]
pub struct IllegalMoveError {
    /// Which move it is, from 1.
    pub number: usize,
    /// How it was written.
    pub text: UciMove,
    /// Where it should have been played.
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
