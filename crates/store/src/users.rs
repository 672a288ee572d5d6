//! Users.

use async_trait::async_trait;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyPool, Executor, Row};

use crate::database::{Database, query};
use crate::error::{Result, StoreError, text};
use crate::names::{skeleton, user_name};
use crate::player::folded;
use crate::statement::row;
use crate::transaction::TimedConnection;
use crate::{Timestamp, leaving};

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
    /// Creates a user without a password. The name must be a [`user_name`](crate::user_name), and
    /// no other user may have one that looks the same.
    async fn create_user(&self, name: &str) -> Result<User>;

    /// A user.
    async fn user(&self, id: UserId) -> Result<User>;

    /// Finds a user by name, case-insensitive.
    async fn user_by_name(&self, name: &str) -> Result<User>;

    /// Whether a user has this name or one that looks the same.
    async fn is_taken(&self, name: &str) -> Result<bool>;

    /// All users, by name.
    async fn users(&self) -> Result<Vec<User>>;

    /// Renames a user, in all games too.
    async fn rename_user(&self, id: UserId, name: &str) -> Result<()>;

    /// Deletes a user with sessions and ratings. The user's games stay, with the name only, except
    /// those that everyone else has deleted.
    async fn delete_user(&self, id: UserId) -> Result<()>;

    /// Sets the user's settings.
    async fn set_settings(&self, id: UserId, json: &str) -> Result<()>;
}

#[async_trait]
impl Users for Database {
    async fn create_user(&self, wanted: &str) -> Result<User> {
        insert(&self.writer, wanted, None).await
    }

    async fn user(&self, id: UserId) -> Result<User> {
        one(query(BY_ID).bind(id.0).fetch_optional(&self.readers).await?)
    }

    async fn user_by_name(&self, name: &str) -> Result<User> {
        let name = folded_name(text("name", name)?);
        one(query(BY_NAME).bind(name).fetch_optional(&self.readers).await?)
    }

    async fn is_taken(&self, name: &str) -> Result<bool> {
        let name = text("name", name)?;
        let select = query("SELECT 1 FROM users WHERE folded = $1 OR skeleton = $2 LIMIT 1");
        let select = select.bind(folded_name(name)).bind(skeleton(name));
        Ok(select.fetch_optional(&self.readers).await?.is_some())
    }

    async fn users(&self) -> Result<Vec<User>> {
        query(ALL).fetch_all(&self.readers).await?.iter().map(read).collect()
    }

    async fn rename_user(&self, id: UserId, wanted: &str) -> Result<()> {
        let wanted = user_name(wanted)?;
        let mut transaction = self.begin().await?;
        let renamed = query("UPDATE users SET name = $1, folded = $2, skeleton = $3 WHERE id = $4")
            .bind(wanted.clone())
            .bind(folded(&wanted))
            .bind(skeleton(&wanted))
            .bind(id.0)
            .execute(&mut *transaction)
            .await
            .map_err(|error| StoreError::or_taken(error, StoreError::Taken(wanted.clone())))?;
        found(renamed.rows_affected())?;
        for update in [
            "UPDATE games SET white_name = $1, white_folded = $2 WHERE white_user = $3",
            "UPDATE games SET black_name = $1, black_folded = $2 WHERE black_user = $3",
        ] {
            let update = query(update).bind(wanted.clone()).bind(folded(&wanted)).bind(id.0);
            update.execute(&mut *transaction).await?;
        }
        Ok(transaction.commit().await?)
    }

    async fn delete_user(&self, id: UserId) -> Result<()> {
        let mut transaction = self.begin().await?;
        leaving::leave_all(self, &mut transaction, id).await?;
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
}

/// Inserts a user.
pub(crate) async fn insert(
    executor: impl Executor<'_, Database = Any>,
    wanted: &str,
    hash: Option<&str>,
) -> Result<User> {
    let wanted = user_name(wanted)?;
    let hash = hash.map(|hash| text("password hash", hash)).transpose()?.map(str::to_owned);
    let row = query(
        "INSERT INTO users (name, folded, skeleton, password_hash, created, settings) \
         VALUES ($1, $2, $3, $4, $5, '{}') RETURNING id, name, created, settings, \
         CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password",
    )
    .bind(wanted.clone())
    .bind(folded(&wanted))
    .bind(skeleton(&wanted))
    .bind(hash)
    .bind(Timestamp::now().0)
    .fetch_one(executor)
    .await
    .map_err(|error| StoreError::or_taken(error, StoreError::Taken(wanted)))?;
    read(&row)
}

/// Gives users of earlier versions their skeletons. The first of several whose names look the same
/// gets it; a later one keeps the name and has none.
pub(crate) async fn give_skeletons(pool: &AnyPool) -> Result<()> {
    let rows = query("SELECT id, name FROM users WHERE skeleton IS NULL ORDER BY id");
    for row in rows.fetch_all(pool).await? {
        let (id, name): (i64, String) = (row.try_get("id")?, row.try_get("name")?);
        let update = query(
            "UPDATE users SET skeleton = $1 WHERE id = $2 \
             AND NOT EXISTS (SELECT 1 FROM users WHERE skeleton = $3)",
        );
        let skeleton = skeleton(&name);
        update.bind(skeleton.clone()).bind(id).bind(skeleton).execute(pool).await?;
    }
    Ok(())
}

/// A name as it is looked up: normalised if it can be a user's, without regard to case.
fn folded_name(name: &str) -> String {
    folded(&user_name(name).unwrap_or_else(|_| name.to_owned()))
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
async fn forget_contents(connection: &mut TimedConnection, id: UserId) -> Result<()> {
    let update = query("UPDATE games SET content = NULL WHERE owner = $1").bind(id.0);
    update.execute(connection).await?;
    Ok(())
}
