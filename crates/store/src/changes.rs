//! The statements that change a live game. Each is guarded by the expected version, and matches no
//! row if the game is at another version or over.

use std::time::Duration;

use chess::Color;
use game::live::{End, Offer};

use crate::database::Database;
use crate::dialect::Dialect;
use crate::ending::EndColumns;
use crate::error::Result;
use crate::games::Played;
use crate::player::folded;
use crate::statement::Statement;
use crate::writes::Change;
use crate::{GameId, Player, SecretHash, Timestamp, Version};

/// A game and the version that a change expects.
#[derive(Copy, Clone)]
pub(crate) struct Target<'a> {
    pub database: &'a Database,
    pub id: &'a GameId,
    pub version: Version,
}

/// In SQLite, concatenating blobs yields text, hence the cast.
const APPEND_SQLITE: &str = "UPDATE games SET moves = CAST(moves || ? AS BLOB), \
    clocks = CAST(clocks || ? AS BLOB), plies = plies + 1, clock_running_since = ?, offer = ?, \
    status = ?, result = ?, outcome = ?, updated = ?, version = version + 1 \
    WHERE id = ? AND version = ? AND status = 'live' AND length(clocks) = plies * ?";

const APPEND_POSTGRES: &str = "UPDATE games SET moves = moves || ?, clocks = clocks || ?, \
    plies = plies + 1, clock_running_since = ?, offer = ?, status = ?, result = ?, outcome = ?, \
    updated = ?, version = version + 1 \
    WHERE id = ? AND version = ? AND status = 'live' AND length(clocks) = plies * ?";

/// In SQLite, an empty `substr` of a blob is null. A takeback makes the game unrated.
const TAKE_BACK: &str = "UPDATE games \
    SET moves = coalesce(substr(moves, 1, CAST(2 * (plies - ?) AS INTEGER)), ?), \
    clocks = coalesce(substr(clocks, 1, CAST(4 * (plies - ?) AS INTEGER)), ?), plies = plies - ?, \
    clock_running_since = ?, offer = NULL, rated = 'no', updated = ?, version = version + 1 \
    WHERE id = ? AND version = ? AND status = 'live' AND plies >= ? AND ? > 0";

const FINISH: &str = "UPDATE games SET clock_running_since = NULL, offer = NULL, \
    last_thought = ?, status = ?, result = ?, outcome = ?, updated = ?, version = version + 1 \
    WHERE id = ? AND version = ? AND status = 'live'";

const OFFER: &str = "UPDATE games SET offer = ?, updated = ?, version = version + 1 \
    WHERE id = ? AND version = ? AND status = 'live'";

const SIT_WHITE: &str = "UPDATE games SET open_seat = NULL, white_seat = ?, white_user = ?, \
    white_name = ?, white_folded = ?, updated = ?, version = version + 1 \
    WHERE id = ? AND version = ? AND status = 'live' AND open_seat = 'white'";

const SIT_BLACK: &str = "UPDATE games SET open_seat = NULL, black_seat = ?, black_user = ?, \
    black_name = ?, black_folded = ?, updated = ?, version = version + 1 \
    WHERE id = ? AND version = ? AND status = 'live' AND open_seat = 'black'";

impl Target<'_> {
    pub async fn append(self, played: &Played) -> Result<Version> {
        let end = played.outcome.map(End::Over);
        let EndColumns { status, result, outcome } = end.into();
        let clock = played.clock.map_or_else(Vec::new, |left| left.to_le_bytes().to_vec());
        // A game has a clock time for every move or for none.
        let bytes_a_clock = clock.len() as i64;
        let mut update = self.database.statement(match self.database.dialect {
            Dialect::Sqlite => APPEND_SQLITE,
            Dialect::Postgres => APPEND_POSTGRES,
        });
        update
            .bind(played.m.to_bits().to_le_bytes().to_vec())
            .bind(clock)
            .bind(played.clock_running_since.map(|since| since.0))
            .bind(played.offer.map(|offer| offer.to_string()))
            .bind(status)
            .bind(result)
            .bind(outcome)
            .bind(Timestamp::now().0)
            .bind(self.id.as_str())
            .bind(self.version.0)
            .bind(bytes_a_clock);
        self.make(Change { ends: end.is_some(), ..self.change(update, "clock") }).await
    }

    pub async fn take_back(self, plies: i64, running_since: Option<Timestamp>) -> Result<Version> {
        let nothing = Vec::<u8>::new();
        let mut update = self.database.statement(TAKE_BACK);
        update
            .bind(plies)
            .bind(nothing.clone())
            .bind(plies)
            .bind(nothing)
            .bind(plies)
            .bind(running_since.map(|since| since.0))
            .bind(Timestamp::now().0)
            .bind(self.id.as_str())
            .bind(self.version.0)
            .bind(plies)
            .bind(plies);
        self.make(self.change(update, "number of moves to take back")).await
    }

    pub async fn finish(self, end: End, thought: Option<Duration>) -> Result<Version> {
        let EndColumns { status, result, outcome } = Some(end).into();
        let milliseconds =
            thought.map(|thought| i64::try_from(thought.as_millis()).unwrap_or(i64::MAX));
        let mut update = self.database.statement(FINISH);
        update
            .bind(milliseconds)
            .bind(status)
            .bind(result)
            .bind(outcome)
            .bind(Timestamp::now().0)
            .bind(self.id.as_str())
            .bind(self.version.0);
        self.make(Change { ends: true, ..self.change(update, "end") }).await
    }

    pub async fn offer(self, offer: Option<Offer>) -> Result<Version> {
        let mut update = self.database.statement(OFFER);
        update
            .bind(offer.map(|offer| offer.to_string()))
            .bind(Timestamp::now().0)
            .bind(self.id.as_str())
            .bind(self.version.0);
        self.make(self.change(update, "offer")).await
    }

    pub async fn sit(
        self,
        color: Color,
        player: &Player,
        secret: Option<&SecretHash>,
    ) -> Result<Version> {
        let name = player.name().trim().to_owned();
        let mut update = self.database.statement(match color {
            Color::White => SIT_WHITE,
            Color::Black => SIT_BLACK,
        });
        update
            .bind(secret.map(|hash| hash.0.clone()))
            .bind(player.user().map(|user| user.0))
            .bind(&*name)
            .bind(folded(&name))
            .bind(Timestamp::now().0)
            .bind(self.id.as_str())
            .bind(self.version.0);
        self.make(self.change(update, "seat")).await
    }

    /// `what` names the value to refuse if no row matches although the version is right.
    fn change(self, update: Statement, what: &'static str) -> Change {
        Change { id: self.id.clone(), version: self.version, update, ends: false, what }
    }

    async fn make(self, change: Change) -> Result<Version> {
        self.database.writes.make(change).await
    }
}
