//! What can go wrong with an engine that somebody else wrote.

use std::io;
use std::time::Duration;

use engine::AnalystError;

/// Why a foreign engine did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The program can't be started.
    #[error("can't start `{command}`: {source}")]
    Start {
        /// The command line.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// An answer didn't come in time.
    #[error("{engine} sent no `{awaited}` within {} ms", .after.as_millis())]
    Silent {
        /// Who.
        engine: String,
        /// What was waited for.
        awaited: &'static str,
        /// How long.
        after: Duration,
    },
    /// The program has ended by itself.
    #[error("{engine} has ended unexpectedly ({status}){}", quoted(.last_words))]
    Crashed {
        /// Who.
        engine: String,
        /// How the system says it ended.
        status: String,
        /// The last lines it wrote to its error output.
        last_words: Vec<String>,
    },
    /// It is not running, since it crashed or hung before.
    #[error("{engine} is not running; it must be restarted")]
    NotRunning {
        /// Who.
        engine: String,
    },
    /// It played a move that is not legal.
    #[error("{engine} answered the illegal move `{text}` in {fen}")]
    IllegalMove {
        /// Who.
        engine: String,
        /// The move as it was written.
        text: String,
        /// Where.
        fen: String,
    },
    /// It has no such option.
    #[error("{engine} has no option `{name}`; it has: {known}")]
    UnknownOption {
        /// Who.
        engine: String,
        /// The option that was asked for.
        name: String,
        /// The options there are.
        known: String,
    },
    /// The option doesn't take this value.
    #[error("{engine}: option `{name}` can't be `{value}`, only {allowed}")]
    BadValue {
        /// Who.
        engine: String,
        /// The option.
        name: String,
        /// The value that was asked for.
        value: String,
        /// What it takes.
        allowed: String,
    },
    /// It knows only the standard castling.
    #[error("{engine} can't play Chess960: it has no option UCI_Chess960")]
    NoChess960 {
        /// Who.
        engine: String,
    },
    /// It always plays as well as it can.
    #[error("{engine} can't play more weakly: it has no options UCI_LimitStrength and UCI_Elo")]
    NoStrength {
        /// Who.
        engine: String,
    },
    /// It was asked to think about a finished game.
    #[error("the game is over: there is no legal move")]
    NoLegalMove,
    /// It was asked to think on the opponent's time.
    #[error("a foreign engine can't be asked to ponder")]
    Ponder,
}

fn quoted(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { format!("; it wrote: {}", lines.join(" | ")) }
}

impl From<ClientError> for AnalystError {
    fn from(error: ClientError) -> Self {
        let text = error.to_string();
        match error {
            ClientError::NoLegalMove => Self::NoLegalMove,
            ClientError::Crashed { .. } | ClientError::NotRunning { .. } => Self::Crashed(text),
            ClientError::Silent { .. } => Self::Silent(text),
            ClientError::IllegalMove { .. } => Self::IllegalMove(text),
            ClientError::Start { .. }
            | ClientError::UnknownOption { .. }
            | ClientError::BadValue { .. }
            | ClientError::NoChess960 { .. }
            | ClientError::NoStrength { .. }
            | ClientError::Ponder => Self::Unable(text),
        }
    }
}
