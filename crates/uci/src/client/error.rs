//! Errors of a foreign engine.

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
        /// The system's error.
        source: io::Error,
    },
    /// An answer timed out.
    #[error("{engine} sent no `{awaited}` within {} ms", .after.as_millis())]
    Silent {
        /// The engine.
        engine: String,
        /// The expected answer.
        awaited: &'static str,
        /// The timeout.
        after: Duration,
    },
    /// The program has exited on its own.
    #[error("{engine} exited unexpectedly ({status}){}", quoted(.last_words))]
    Crashed {
        /// The engine.
        engine: String,
        /// Its exit status.
        status: String,
        /// The last lines of its standard error.
        last_words: Vec<String>,
    },
    /// It is not running, because it crashed or hung before.
    #[error("{engine} is not running; it must be restarted")]
    NotRunning {
        /// The engine.
        engine: String,
    },
    /// It played an illegal move.
    #[error("{engine} answered the illegal move `{text}` in {fen}")]
    IllegalMove {
        /// The engine.
        engine: String,
        /// The move, as written.
        text: String,
        /// The position.
        fen: String,
    },
    /// It has no such option.
    #[error("{engine} has no option `{name}`; it has: {known}")]
    UnknownOption {
        /// The engine.
        engine: String,
        /// The requested option.
        name: String,
        /// The options it has.
        known: String,
    },
    /// The option doesn't accept this value.
    #[error("{engine}: option `{name}` can't be `{value}`: allowed is {allowed}")]
    BadValue {
        /// The engine.
        engine: String,
        /// The option.
        name: String,
        /// The requested value.
        value: String,
        /// The allowed values.
        allowed: String,
    },
    /// It only supports standard castling.
    #[error("{engine} can't play Chess960: it has no option UCI_Chess960")]
    NoChess960 {
        /// The engine.
        engine: String,
    },
    /// It can't limit its strength.
    #[error("{engine} can't limit its strength: it has no options UCI_LimitStrength and UCI_Elo")]
    NoStrength {
        /// The engine.
        engine: String,
    },
    /// The game is over.
    #[error("the game is over: there is no legal move")]
    NoLegalMove,
    /// Pondering is not supported.
    #[error("pondering is not supported with foreign engines")]
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
