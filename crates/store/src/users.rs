//! Users.

use async_trait::async_trait;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::Timestamp;
use crate::database::{Database, query};
use crate::error::{Result, StoreError, name, text};
use crate::player::folded;
use crate::statement::row;

/// Maximum length of a name in characters.
const LONGEST_NAME: usize = 40;

/// A user id.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UserId(pub i64);

/// A user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The user id.
    pub id: UserId,
    /// The name, unique regardless of case.
    pub name: String,
    /// When the user was created.
    pub created: Timestamp,
    /// The user's settings, as JSON.
    pub settings: String,
    /// Whether the user has a password.
    pub has_password: bool,
}

/// Users.
#[async_trait]
pub trait Users {
    /// Creates a user. The name has at most 40 characters and must be unique regardless of case.
    async fn create_user(&self, name: &str) -> Result<User>;

    /// A user.
    async fn user(&self, id: UserId) -> Result<User>;

    /// Finds a user by name, case-insensitive.
    async fn user_by_name(&self, name: &str) -> Result<User>;

    /// All users, by name.
    async fn users(&self) -> Result<Vec<User>>;

    /// Renames a user, in all games too.
    async fn rename_user(&self, id: UserId, name: &str) -> Result<()>;

    /// Deletes a user with sessions and ratings. The user's games stay, with the name only.
    async fn delete_user(&self, id: UserId) -> Result<()>;

    /// Sets the user's settings.
    async fn set_settings(&self, id: UserId, json: &str) -> Result<()>;

    /// Sets or removes the password hash, which is opaque to the store.
    async fn set_password_hash(&self, id: UserId, hash: Option<&str>) -> Result<()>;

    /// The password hash, if there is one.
    async fn password_hash(&self, id: UserId) -> Result<Option<String>>;
}

#[async_trait]
impl Users for Database {
    async fn create_user(&self, wanted: &str) -> Result<User> {
        let wanted = name("name", wanted, LONGEST_NAME)?;
        let row = query(
            "INSERT INTO users (name, folded, created, settings) VALUES ($1, $2, $3, '{}') \
             RETURNING id, name, created, settings, 0 AS has_password",
        )
        .bind(wanted.to_owned())
        .bind(folded(wanted))
        .bind(Timestamp::now().0)
        .fetch_one(&self.writer)
        .await
        .map_err(|error| StoreError::or_taken(error, StoreError::Taken(wanted.to_owned())))?;
        read(&row)
    }

    async fn user(&self, id: UserId) -> Result<User> {
        one(query(BY_ID).bind(id.0).fetch_optional(&self.readers).await?)
    }

    async fn user_by_name(&self, name: &str) -> Result<User> {
        let name = folded(text("name", name)?);
        one(query(BY_NAME).bind(name).fetch_optional(&self.readers).await?)
    }

    async fn users(&self) -> Result<Vec<User>> {
        query(ALL).fetch_all(&self.readers).await?.iter().map(read).collect()
    }

    async fn rename_user(&self, id: UserId, wanted: &str) -> Result<()> {
        let wanted = name("name", wanted, LONGEST_NAME)?;
        let mut transaction = self.begin().await?;
        let renamed = query("UPDATE users SET name = $1, folded = $2 WHERE id = $3")
            .bind(wanted.to_owned())
            .bind(folded(wanted))
            .bind(id.0)
            .execute(&mut *transaction)
            .await
            .map_err(|error| StoreError::or_taken(error, StoreError::Taken(wanted.to_owned())))?;
        found(renamed.rows_affected())?;
        for update in [
            "UPDATE games SET white_name = $1, white_folded = $2 WHERE white_user = $3",
            "UPDATE games SET black_name = $1, black_folded = $2 WHERE black_user = $3",
        ] {
            let update = query(update).bind(wanted.to_owned()).bind(folded(wanted)).bind(id.0);
            update.execute(&mut *transaction).await?;
        }
        Ok(transaction.commit().await?)
    }

    async fn delete_user(&self, id: UserId) -> Result<()> {
        let mut transaction = self.begin().await?;
        forget_contents(&mut transaction, id).await?;
        let delete = query("DELETE FROM users WHERE id = $1").bind(id.0);
        found(delete.execute(&mut *transaction).await?.rows_affected())?;
        Ok(transaction.commit().await?)
    }

    async fn set_settings(&self, id: UserId, json: &str) -> Result<()> {
        let json = text("settings", json)?.to_owned();
        let update = query("UPDATE users SET settings = $1 WHERE id = $2").bind(json).bind(id.0);
        found(update.execute(&self.writer).await?.rows_affected())
    }

    async fn set_password_hash(&self, id: UserId, hash: Option<&str>) -> Result<()> {
        let hash = hash.map(|hash| text("password hash", hash)).transpose()?.map(str::to_owned);
        let update = query("UPDATE users SET password_hash = $1 WHERE id = $2");
        found(update.bind(hash).bind(id.0).execute(&self.writer).await?.rows_affected())
    }

    async fn password_hash(&self, id: UserId) -> Result<Option<String>> {
        let select = query("SELECT password_hash FROM users WHERE id = $1").bind(id.0);
        let row = select.fetch_optional(&self.readers).await?;
        Ok(row.ok_or(StoreError::NotFound("user"))?.try_get(0)?)
    }
}

const BY_ID: &str = "SELECT id, name, created, settings, \
    CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password FROM users WHERE id = $1";

const BY_NAME: &str = "SELECT id, name, created, settings, \
    CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password FROM users WHERE folded = $1";

const ALL: &str = "SELECT id, name, created, settings, \
    CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password FROM users ORDER BY folded";

row! {
    read UserRow {
        id: i64,
        name: String,
        created: i64,
        settings: String,
        has_password: i32,
    }
}

fn one(row: Option<AnyRow>) -> Result<User> {
    read(&row.ok_or(StoreError::NotFound("user"))?)
}

fn read(row: &AnyRow) -> Result<User> {
    let row = UserRow::read(row)?;
    Ok(User {
        id: UserId(row.id),
        name: row.name,
        created: Timestamp(row.created),
        settings: row.settings,
        has_password: row.has_password != 0,
    })
}

fn found(rows: u64) -> Result<()> {
    if rows == 0 { Err(StoreError::NotFound("user")) } else { Ok(()) }
}

/// Two users may have imported the same game. When both are deleted, there are two copies without
/// an owner, which is only allowed without a content hash.
async fn forget_contents(connection: &mut AnyConnection, id: UserId) -> Result<()> {
    let update = query("UPDATE games SET content = NULL WHERE owner = $1").bind(id.0);
    update.execute(connection).await?;
    Ok(())
}
