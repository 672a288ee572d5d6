//! Schema migrations.

use std::cmp::Ordering;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AnyPool, Row, SqlSafeStr};

use crate::database::query;
use crate::dialect::Dialect;
use crate::error::{Result, StoreError};
use crate::{figures, users};

/// A released migration never changes: databases record its checksum.
const STEPS: [Step; 9] = [
    Step {
        name: "beginning",
        sqlite: include_str!("../migrations/sqlite/0001_beginning.sql"),
        postgres: include_str!("../migrations/postgres/0001_beginning.sql"),
    },
    Step {
        name: "last thought",
        sqlite: include_str!("../migrations/sqlite/0002_last_thought.sql"),
        postgres: include_str!("../migrations/postgres/0002_last_thought.sql"),
    },
    Step {
        name: "names",
        sqlite: include_str!("../migrations/sqlite/0003_names.sql"),
        postgres: include_str!("../migrations/postgres/0003_names.sql"),
    },
    Step {
        name: "left",
        sqlite: include_str!("../migrations/sqlite/0004_left.sql"),
        postgres: include_str!("../migrations/postgres/0004_left.sql"),
    },
    Step {
        name: "skeletons",
        sqlite: include_str!("../migrations/sqlite/0005_skeletons.sql"),
        postgres: include_str!("../migrations/postgres/0005_skeletons.sql"),
    },
    Step {
        name: "job askers",
        sqlite: include_str!("../migrations/sqlite/0006_job_askers.sql"),
        postgres: include_str!("../migrations/postgres/0006_job_askers.sql"),
    },
    Step {
        name: "puzzles",
        sqlite: include_str!("../migrations/sqlite/0007_puzzles.sql"),
        postgres: include_str!("../migrations/postgres/0007_puzzles.sql"),
    },
    Step {
        name: "accuracies",
        sqlite: include_str!("../migrations/sqlite/0008_accuracies.sql"),
        postgres: include_str!("../migrations/postgres/0008_accuracies.sql"),
    },
    Step {
        name: "review keys",
        sqlite: include_str!("../migrations/sqlite/0009_review_keys.sql"),
        postgres: include_str!("../migrations/postgres/0009_review_keys.sql"),
    },
];

struct Step {
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

/// Applies pending migrations.
pub(crate) async fn run(dialect: Dialect, pool: &AnyPool) -> Result<()> {
    let steps = STEPS.iter().zip(1..).map(|(step, version)| {
        let sql = match dialect {
            Dialect::Sqlite => step.sqlite,
            Dialect::Postgres => step.postgres,
        };
        let kind = MigrationType::Simple;
        Migration::new(version, step.name.into(), kind, sql.into_sql_str(), false)
    });
    let migrator = Migrator::with_migrations(steps.collect());
    let done = migrator.run(pool).await.map_err(|error| match error {
        MigrateError::VersionMissing(found) => {
            StoreError::Newer { found, known: STEPS.len() as i64 }
        }
        MigrateError::VersionMismatch(step) => {
            StoreError::damaged(format!("migration {step} differs from the one in this version"))
        }
        other => StoreError::Migration(other),
    });
    done?;
    users::give_skeletons(pool).await?;
    figures::write_missing(pool).await
}

/// Fails if the schema is that of another version.
pub(crate) async fn check(connection: &mut AnyConnection) -> Result<()> {
    let row = query("SELECT max(version) FROM _sqlx_migrations").fetch_one(connection).await?;
    let (found, known): (i64, i64) = (row.try_get(0)?, STEPS.len() as i64);
    match found.cmp(&known) {
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(StoreError::Newer { found, known }),
        Ordering::Less => Err(StoreError::Refused {
            what: "database",
            why: "was written by an earlier version of Riga; back it up with that version, or \
                  start this one once to upgrade it",
        }),
    }
}
