//! The end of a game in three columns: status, result and reason.

use chess::Outcome;
use game::GameResult;
use game::live::End;

use crate::error::{Result, StoreError};

/// The columns `status`, `result` and `outcome`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct EndColumns {
    pub status: &'static str,
    pub result: &'static str,
    pub outcome: Option<&'static str>,
}

impl From<Option<End>> for EndColumns {
    fn from(end: Option<End>) -> Self {
        Self {
            status: if end.is_none() { "live" } else { "finished" },
            result: result(end).as_str(),
            outcome: end.and_then(End::outcome).map(Outcome::reason),
        }
    }
}

/// The result of a game, `*` if it isn't over.
pub(crate) fn result(end: Option<End>) -> GameResult {
    end.map_or(GameResult::Unknown, End::result)
}

/// The end stored in the columns; none if the game is live.
pub(crate) fn read_end(status: &str, result: &str, outcome: Option<&str>) -> Result<Option<End>> {
    let result: GameResult = result.parse()?;
    if status == "live" {
        return Ok(None);
    }
    let Some(reason) = outcome else { return Ok(Some(End::Closed(result))) };
    let impossible = || StoreError::damaged(format!("a game can't end {result} by `{reason}`"));
    if result == GameResult::Unknown {
        return Err(impossible());
    }
    let outcome = Outcome::from_parts(result.winner(), reason).map_err(|_| impossible())?;
    Ok(Some(End::Over(outcome)))
}

#[cfg(test)]
mod tests {
    use chess::{Color, DrawReason, WinReason};

    use super::*;

    #[test]
    fn every_end_survives_being_written() {
        let wins = WinReason::ALL.map(|reason| Outcome::Win(Color::Black, reason));
        let outcomes = wins.into_iter().chain(DrawReason::ALL.map(Outcome::Draw)).map(End::Over);
        for end in outcomes.chain(GameResult::ALL.map(End::Closed)).map(Some).chain([None]) {
            let EndColumns { status, result, outcome } = end.into();
            assert_eq!(read_end(status, result, outcome).expect("just written"), end);
        }
        assert!(read_end("finished", "1-0", Some("stalemate")).is_err());
        assert!(read_end("finished", "*", Some("stalemate")).is_err());
        assert!(read_end("finished", "2-0", None).is_err());
    }
}
