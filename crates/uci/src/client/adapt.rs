//! Configures a foreign engine for a question.
//!
//! What differs between questions is a UCI option, if the engine has it. It is set before the
//! search, and reset to the configured value ([`Client::set_option`]) or the engine's default
//! before a question that doesn't need it.

use chess::CastlingMode;
use engine::{Question, Strength};

use super::{Client, ClientError, DeclaredKind};

/// The name of the option that turns Chess960 on.
const CHESS960: &str = "UCI_Chess960";

impl Client {
    /// Sets the options that a question needs. An engine without a book or `MultiPV` ignores the
    /// request; an unsupported strength or Chess960 is an error.
    pub(super) fn adapt(&mut self, question: &Question) -> Result<(), ClientError> {
        if question.limits.ponder {
            return Err(ClientError::Ponder);
        }
        self.choose_castling(question.line.start().castling_mode())?;
        self.limit_strength(question.strength)?;
        let lines = self.option("MultiPV").map(|option| match option.kind {
            DeclaredKind::Spin { max, .. } => question.lines.min(usize::try_from(max).unwrap_or(1)),
            _ => 1,
        });
        let lines = lines.filter(|&lines| lines > 1).map(|lines| lines.to_string());
        self.ask_for("MultiPV", lines)?;
        self.ask_for("OwnBook", question.book.then(|| "true".to_owned()))?;
        self.ask_for("SyzygyProbeLimit", (!question.tablebases).then(|| "0".to_owned()))
    }

    fn choose_castling(&mut self, mode: CastlingMode) -> Result<(), ClientError> {
        let wanted = mode == CastlingMode::Chess960;
        if wanted && self.option(CHESS960).is_none() {
            return Err(ClientError::NoChess960 { engine: self.name().to_owned() });
        }
        self.ask_for(CHESS960, Some(wanted.to_string()))
    }

    fn limit_strength(&mut self, strength: Strength) -> Result<(), ClientError> {
        const LIMIT: &str = "UCI_LimitStrength";
        const ELO: &str = "UCI_Elo";
        let elo = match strength {
            Strength::Full => None,
            Strength::Elo(_) if self.option(LIMIT).is_none() || self.option(ELO).is_none() => {
                return Err(ClientError::NoStrength { engine: self.name().to_owned() });
            }
            Strength::Elo(elo) => Some(elo.to_string()),
        };
        let limit = elo.is_some().then(|| "true".to_owned());
        self.ask_for(ELO, elo)?;
        self.ask_for(LIMIT, limit)
    }

    /// Sets an option for the next questions, if the engine has it; `None` resets it to its
    /// previous value.
    fn ask_for(&mut self, name: &str, value: Option<String>) -> Result<(), ClientError> {
        let Some(option) = self.option(name) else { return Ok(()) };
        let before = self.configured(&option.name).map(str::to_owned);
        let before = before.or_else(|| option.kind.default_value()).unwrap_or_default();
        let now = self.adapted.get(&option.name).unwrap_or(&before);
        let wanted = value.unwrap_or_else(|| before.clone());
        if *now == wanted {
            return Ok(());
        }
        let name = option.name.clone();
        self.tell_option(&name, &wanted)?;
        if wanted == before {
            self.adapted.remove(&name);
        } else {
            self.adapted.insert(name, wanted);
        }
        Ok(())
    }
}
