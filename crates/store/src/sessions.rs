//! Sign-in sessions.

use std::time::Duration;

use async_trait::async_trait;
use sqlx::{Any, Executor, Row};

use crate::database::{Database, query};
use crate::error::{Result, StoreError};
use crate::{Secret, Timestamp, UserId};

/// A sign-in session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The user.
    pub user: UserId,
    /// When it was created.
    pub created: Timestamp,
    /// When it expires.
    pub expires: Timestamp,
    /// The token that state-changing requests must include, so that other sites can't forge them.
    pub csrf: Secret,
}

/// Sign-in sessions.
#[async_trait]
pub trait Sessions {
    /// Creates a session for a user.
    async fn create_session(&self, user: UserId, lifetime: Duration) -> Result<(Secret, Session)>;

    /// The session of a token, if it exists and hasn't expired.
    async fn session(&self, token: &Secret) -> Result<Option<Session>>;

    /// Ends a session. Does nothing if it doesn't exist.
    async fn delete_session(&self, token: &Secret) -> Result<()>;

    /// Deletes expired sessions, and returns their number.
    async fn purge_sessions(&self) -> Result<u64>;
}

#[async_trait]
impl Sessions for Database {
    async fn create_session(&self, user: UserId, lifetime: Duration) -> Result<(Secret, Session)> {
        insert(&self.writer, user, lifetime).await
    }

    async fn session(&self, token: &Secret) -> Result<Option<Session>> {
        let select = query(
            "SELECT user_id, created, expires, csrf FROM sessions \
             WHERE token_hash = $1 AND expires > $2",
        );
        let select = select.bind(token.hash().0).bind(Timestamp::now().0);
        let Some(row) = select.fetch_optional(&self.readers).await? else { return Ok(None) };
        Ok(Some(Session {
            user: UserId(row.try_get("user_id")?),
            created: Timestamp(row.try_get("created")?),
            expires: Timestamp(row.try_get("expires")?),
            csrf: row.try_get::<String, _>("csrf")?.into(),
        }))
    }

    async fn delete_session(&self, token: &Secret) -> Result<()> {
        let delete = query("DELETE FROM sessions WHERE token_hash = $1").bind(token.hash().0);
        delete.execute(&self.writer).await?;
        Ok(())
    }

    async fn purge_sessions(&self) -> Result<u64> {
        let delete = query("DELETE FROM sessions WHERE expires <= $1").bind(Timestamp::now().0);
        Ok(delete.execute(&self.writer).await?.rows_affected())
    }
}

/// Inserts a session for a user.
pub(crate) async fn insert(
    executor: impl Executor<'_, Database = Any>,
    user: UserId,
    lifetime: Duration,
) -> Result<(Secret, Session)> {
    let token = Secret::random();
    let created = Timestamp::now();
    let session =
        Session { user, created, expires: created.after(lifetime), csrf: Secret::random() };
    query(
        "INSERT INTO sessions (token_hash, user_id, created, expires, csrf) \
         VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(token.hash().0)
    .bind(user.0)
    .bind(session.created.0)
    .bind(session.expires.0)
    .bind(session.csrf.as_str().to_owned())
    .execute(executor)
    .await
    .map_err(|error| StoreError::or_missing(error, "user"))?;
    Ok((token, session))
}
