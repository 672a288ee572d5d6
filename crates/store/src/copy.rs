//! Copies all rows from one database to another, whatever their kinds.

use futures_util::TryStreamExt;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{AnyConnection, Arguments, AssertSqlSafe, Executor, Row};

use crate::database::query;
use crate::dialect::Dialect;
use crate::error::{Result, StoreError};
use crate::transaction::TimedConnection;

/// A table of the schema.
pub(crate) struct Table {
    pub name: String,
    columns: Vec<(String, Kind)>,
    /// The column that is numbered by the database.
    numbered: Option<String>,
}

/// The type of a column.
#[derive(Copy, Clone)]
enum Kind {
    Integer,
    Real,
    Text,
    Blob,
}

impl Table {
    /// The tables of a SQLite database, each after those it refers to.
    pub async fn all(sqlite: &mut AnyConnection) -> Result<Vec<Self>> {
        const TABLES: &str = "SELECT name, sql LIKE '%AUTOINCREMENT%' FROM sqlite_schema WHERE type = 'table' \
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '_sqlx_migrations' \
            ORDER BY rowid";
        let mut tables = Vec::new();
        for row in query(TABLES).fetch_all(&mut *sqlite).await? {
            let name: String = row.try_get(0)?;
            let is_numbered = row.try_get::<i64, _>(1)? != 0;
            let describe = query("SELECT name, type, pk FROM pragma_table_info($1) ORDER BY cid");
            let (mut columns, mut numbered) = (Vec::new(), None);
            for row in describe.bind(name.clone()).fetch_all(&mut *sqlite).await? {
                let column = plain(row.try_get(0)?)?;
                if is_numbered && row.try_get::<i64, _>(2)? != 0 {
                    numbered = Some(column.clone());
                }
                columns.push((column, kind(row.try_get(1)?)?));
            }
            tables.push(Self { name: plain(name)?, columns, numbered });
        }
        Ok(tables)
    }

    /// Copies the rows of this table, and the last number that was given: those of deleted users and
    /// games are not given again.
    pub async fn copy(
        &self,
        (from, source): (&mut AnyConnection, Dialect),
        (to, target): (&mut TimedConnection, Dialect),
    ) -> Result<u64> {
        let copied = self.copy_rows(&mut *from, &mut *to, target).await?;
        if let Some(column) = &self.numbered {
            let last = source.last_number(from, &self.name, column).await?;
            target.set_last_number(to, &self.name, column, last).await?;
        }
        Ok(copied)
    }

    async fn copy_rows(
        &self,
        from: &mut AnyConnection,
        to: &mut TimedConnection,
        dialect: Dialect,
    ) -> Result<u64> {
        let columns: Vec<&str> = self.columns.iter().map(|(name, _)| &**name).collect();
        let columns = columns.join(", ");
        let select = format!("SELECT {columns} FROM {}", self.name);
        let most = Dialect::MOST_VALUES / self.columns.len();
        let mut rows = sqlx::query(AssertSqlSafe(select)).fetch(from);
        let (mut batch, mut count) = (Vec::with_capacity(most), 0);
        loop {
            let row = rows.try_next().await?;
            let at_end = row.is_none();
            batch.extend(row);
            if batch.len() == most || at_end && !batch.is_empty() {
                let mut insert = format!("INSERT INTO {} ({columns})", self.name);
                insert.push_str(dialect.with_numbers());
                self.insert(insert, &batch, to, dialect, batch.len() == most).await?;
                count += batch.len() as u64;
                batch.clear();
            }
            if at_end {
                return Ok(count);
            }
        }
    }

    async fn insert(
        &self,
        mut sql: String,
        rows: &[AnyRow],
        to: &mut TimedConnection,
        dialect: Dialect,
        full: bool,
    ) -> Result<()> {
        let mut arguments = AnyArguments::default();
        let mut marks = 0;
        for (i, row) in rows.iter().enumerate() {
            sql.push_str(if i == 0 { " VALUES (" } else { ", (" });
            for (column, (_, kind)) in self.columns.iter().enumerate() {
                sql.push_str(if column == 0 { "" } else { ", " });
                // sqlx takes a missing `f64` for a missing `f32`, and PostgreSQL then refuses the next
                // `f64` in its place.
                if matches!(kind, Kind::Real) && row.try_get::<Option<f64>, _>(column)?.is_none() {
                    sql.push_str("NULL");
                    continue;
                }
                marks += 1;
                dialect.placeholder(marks, &mut sql);
                let added = match kind {
                    Kind::Integer => arguments.add(row.try_get::<Option<i64>, _>(column)?),
                    Kind::Real => arguments.add(row.try_get::<Option<f64>, _>(column)?),
                    Kind::Text => arguments.add(row.try_get::<Option<String>, _>(column)?),
                    Kind::Blob => arguments.add(row.try_get::<Option<Vec<u8>>, _>(column)?),
                };
                added.expect("numbers, texts and bytes can be bound to any database");
            }
            sql.push(')');
        }
        to.execute(sqlx::query_with(AssertSqlSafe(sql), arguments).persistent(full)).await?;
        Ok(())
    }

    /// The number of rows.
    pub async fn count(&self, connection: &mut AnyConnection) -> Result<u64> {
        let count = format!("SELECT count(*) FROM {}", self.name);
        let row = connection.fetch_one(sqlx::query(AssertSqlSafe(count))).await?;
        Ok(row.try_get::<i64, _>(0)?.unsigned_abs())
    }

    /// Deletes all rows.
    pub async fn clear(&self, connection: &mut TimedConnection) -> Result<()> {
        let delete = format!("DELETE FROM {}", self.name);
        connection.execute(sqlx::query(AssertSqlSafe(delete))).await?;
        Ok(())
    }
}

impl Dialect {
    /// Lets an insert set the columns that are numbered by the database.
    const fn with_numbers(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " OVERRIDING SYSTEM VALUE",
        }
    }

    /// The last number that was given to a row of a table; 0 if there is none.
    async fn last_number(
        self,
        connection: &mut AnyConnection,
        table: &str,
        column: &str,
    ) -> Result<i64> {
        let table = table.to_owned();
        let last = match self {
            Self::Sqlite => query("SELECT seq FROM sqlite_sequence WHERE name = $1").bind(table),
            Self::Postgres => query(
                "SELECT last_value FROM pg_sequences WHERE last_value IS NOT NULL \
                 AND to_regclass(quote_ident(schemaname) || '.' || quote_ident(sequencename)) \
                 = to_regclass(pg_get_serial_sequence($1, $2))",
            )
            .bind(table)
            .bind(column.to_owned()),
        };
        let row = last.fetch_optional(connection).await?;
        Ok(row.map_or(Ok(0), |row| row.try_get(0))?)
    }

    async fn set_last_number(
        self,
        connection: &mut TimedConnection,
        table: &str,
        column: &str,
        last: i64,
    ) -> Result<()> {
        match self {
            Self::Sqlite => {
                let forget = query("DELETE FROM sqlite_sequence WHERE name = $1");
                forget.bind(table.to_owned()).execute(&mut *connection).await?;
                let set = query("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)");
                set.bind(table.to_owned()).bind(last).execute(connection).await?;
            }
            Self::Postgres => {
                let set =
                    query("SELECT setval(pg_get_serial_sequence($1, $2), greatest($3, 1), $3 > 0)");
                let set = set.bind(table.to_owned()).bind(column.to_owned()).bind(last);
                set.execute(connection).await?;
            }
        }
        Ok(())
    }
}

/// A name that can be part of a statement: the schema of a file may contain anything.
fn plain(name: String) -> Result<String> {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    if is_plain && !name.is_empty() {
        return Ok(name);
    }
    Err(StoreError::damaged(format!("`{}` is no table or column of Riga", name.escape_debug())))
}

fn kind(declared: &str) -> Result<Kind> {
    Ok(match declared {
        "INTEGER" => Kind::Integer,
        "REAL" => Kind::Real,
        "TEXT" => Kind::Text,
        "BLOB" => Kind::Blob,
        _ => {
            let shown = declared.escape_debug();
            return Err(StoreError::damaged(format!("a column has the unknown type `{shown}`")));
        }
    })
}
