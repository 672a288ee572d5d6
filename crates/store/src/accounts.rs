//! Accounts: users with a password. What belongs together is one transaction, so that a failure or a
//! client that goes away leaves no half.

use std::time::Duration;

use async_trait::async_trait;
use sqlx::Row;

use crate::database::{Database, query};
use crate::error::{Result, StoreError, text};
use crate::transaction::TimedConnection;
use crate::{Secret, Session, User, UserId, sessions, users};

/// Accounts. Password hashes are opaque to the store.
#[async_trait]
pub trait Accounts {
    /// Creates a user with a password, and a session.
    async fn create_account(
        &self,
        name: &str,
        hash: &str,
        lifetime: Duration,
    ) -> Result<(User, Secret, Session)>;

    /// The password hash, if there is one.
    async fn password_hash(&self, id: UserId) -> Result<Option<String>>;

    /// Creates a session for a user whose password was verified against a hash; none if that isn't
    /// the user's hash any more.
    async fn sign_in(
        &self,
        id: UserId,
        verified: &str,
        lifetime: Duration,
    ) -> Result<Option<(Secret, Session)>>;

    /// Changes the password of a user, ends all sessions and creates a new one; does nothing if the
    /// verified hash isn't the user's any more.
    async fn change_password(
        &self,
        id: UserId,
        verified: &str,
        hash: &str,
        lifetime: Duration,
    ) -> Result<Option<(Secret, Session)>>;
}

#[async_trait]
impl Accounts for Database {
    async fn create_account(
        &self,
        name: &str,
        hash: &str,
        lifetime: Duration,
    ) -> Result<(User, Secret, Session)> {
        let mut transaction = self.begin().await?;
        let user = users::insert(&mut *transaction, name, Some(hash)).await?;
        let (token, session) = sessions::insert(&mut *transaction, user.id, lifetime).await?;
        transaction.commit().await?;
        Ok((user, token, session))
    }

    async fn password_hash(&self, id: UserId) -> Result<Option<String>> {
        let select = query("SELECT password_hash FROM users WHERE id = $1").bind(id.0);
        let row = select.fetch_optional(&self.readers).await?;
        Ok(row.ok_or(StoreError::NotFound("user"))?.try_get(0)?)
    }

    async fn sign_in(
        &self,
        id: UserId,
        verified: &str,
        lifetime: Duration,
    ) -> Result<Option<(Secret, Session)>> {
        let mut transaction = self.begin().await?;
        if !still_has(self, &mut transaction, id, verified).await? {
            return Ok(None);
        }
        let session = sessions::insert(&mut *transaction, id, lifetime).await?;
        transaction.commit().await?;
        Ok(Some(session))
    }

    async fn change_password(
        &self,
        id: UserId,
        verified: &str,
        hash: &str,
        lifetime: Duration,
    ) -> Result<Option<(Secret, Session)>> {
        let hash = text("password hash", hash)?.to_owned();
        let mut transaction = self.begin().await?;
        if !still_has(self, &mut transaction, id, verified).await? {
            return Ok(None);
        }
        let update = query("UPDATE users SET password_hash = $1 WHERE id = $2");
        update.bind(hash).bind(id.0).execute(&mut *transaction).await?;
        let delete = query("DELETE FROM sessions WHERE user_id = $1").bind(id.0);
        delete.execute(&mut *transaction).await?;
        let session = sessions::insert(&mut *transaction, id, lifetime).await?;
        transaction.commit().await?;
        Ok(Some(session))
    }
}

/// Whether a user has this password hash, which then stays the same until the transaction ends.
async fn still_has(
    database: &Database,
    connection: &mut TimedConnection,
    id: UserId,
    hash: &str,
) -> Result<bool> {
    let mut select = database.statement("SELECT password_hash FROM users WHERE id = ?");
    select.bind(id.0).push(database.dialect.for_update());
    let row = select.query().fetch_optional(connection).await?;
    let found: Option<String> = row.map(|row| row.try_get(0)).transpose()?.flatten();
    Ok(found.as_deref() == Some(hash))
}
