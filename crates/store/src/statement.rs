//! SQL statements with their bound values. Each text is a whole statement, or a condition added to
//! one; `?` marks a value. Texts are `'static`, so that no external input can become part of them.

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, Arguments, AssertSqlSafe, Encode, Type};

use crate::dialect::Dialect;

/// SQL with its bound values, in the order of their placeholders.
pub(crate) struct Statement {
    dialect: Dialect,
    sql: String,
    /// Number of placeholders so far.
    marks: usize,
    arguments: AnyArguments,
}

impl Statement {
    pub fn new(dialect: Dialect, sql: &'static str) -> Self {
        let arguments = AnyArguments::default();
        let mut statement = Self { dialect, sql: String::new(), marks: 0, arguments };
        statement.push(sql);
        statement
    }

    /// Appends SQL, in which `?` marks a value to be bound next.
    pub fn push(&mut self, sql: &'static str) -> &mut Self {
        let mut parts = sql.split('?');
        self.sql.push_str(parts.next().unwrap_or_default());
        for part in parts {
            self.mark();
            self.sql.push_str(part);
        }
        self
    }

    /// Binds the value of the next placeholder.
    pub fn bind<'t, T>(&mut self, value: T) -> &mut Self
    where
        T: Encode<'t, Any> + Type<Any>,
    {
        self.arguments.add(value).expect("numbers, texts and bytes can be bound to any database");
        self
    }

    /// Appends `(?, ?, ...)` with these values.
    pub fn list<'t, T>(&mut self, values: impl IntoIterator<Item = T>) -> &mut Self
    where
        T: Encode<'t, Any> + Type<Any>,
    {
        self.sql.push('(');
        for (i, value) in values.into_iter().enumerate() {
            self.sql.push_str(if i == 0 { "" } else { ", " });
            self.mark();
            self.bind(value);
        }
        self.sql.push(')');
        self
    }

    /// Appends the columns of a row, and rows of values for them: `(id, ...) VALUES (?, ...), ...`.
    pub fn values<R: Row>(&mut self, rows: impl IntoIterator<Item = R>) -> &mut Self {
        for (i, column) in R::COLUMNS.iter().enumerate() {
            self.sql.push_str(if i == 0 { " (" } else { ", " });
            self.sql.push_str(column);
        }
        self.sql.push_str(") VALUES ");
        for (i, row) in rows.into_iter().enumerate() {
            for column in 0..R::COLUMNS.len() {
                self.sql.push_str(match (i, column) {
                    (0, 0) => "(",
                    (_, 0) => "), (",
                    _ => ", ",
                });
                self.mark();
            }
            row.bind(self);
        }
        self.sql.push(')');
        self
    }

    fn mark(&mut self) {
        self.marks += 1;
        self.dialect.placeholder(self.marks, &mut self.sql);
    }

    /// A statement of many rows. It is cached as prepared only at full length: other lengths rarely
    /// recur, and each takes a megabyte.
    pub fn bulk(self, full: bool) -> Query<'static, Any, AnyArguments> {
        self.query().persistent(full)
    }

    pub fn query(self) -> Query<'static, Any, AnyArguments> {
        debug_assert_eq!(self.marks, self.arguments.len(), "{}", self.sql);
        sqlx::query_with(AssertSqlSafe(self.sql), self.arguments)
    }
}

/// A table row, with a field for each written column.
pub(crate) trait Row {
    const COLUMNS: &'static [&'static str];

    /// Binds its values in the order of the columns.
    fn bind(self, statement: &mut Statement);
}

/// Declares a row: a struct whose fields are the columns, by name. With `new`, it can be inserted
/// by [`Statement::values`]; with `read`, it can be read from a query result.
macro_rules! row {
    ($(#[$meta:meta])* new $name:ident $(<$life:lifetime>)? {
        $($(#[$doc:meta])* $column:ident: $kind:ty,)+
    }) => {
        $(#[$meta])*
        pub(crate) struct $name $(<$life>)? {
            $($(#[$doc])* pub $column: $kind,)+
        }

        impl $(<$life>)? $crate::statement::Row for $name $(<$life>)? {
            const COLUMNS: &'static [&'static str] = &[$(stringify!($column)),+];

            fn bind(self, statement: &mut $crate::statement::Statement) {
                $(statement.bind(self.$column);)+
            }
        }
    };
    ($(#[$meta:meta])* read $name:ident {
        $($(#[$doc:meta])* $column:ident: $kind:ty,)+
    }) => {
        $(#[$meta])*
        pub(crate) struct $name {
            $($(#[$doc])* pub $column: $kind,)+
        }

        impl $name {
            pub(crate) fn read(row: &sqlx::any::AnyRow) -> sqlx::Result<Self> {
                use sqlx::Row as _;
                Ok(Self { $($column: row.try_get(stringify!($column))?,)+ })
            }
        }
    };
}
pub(crate) use row;

#[cfg(test)]
mod tests {
    use sqlx::{Execute, SqlStr};

    use super::*;

    row! {
        new Pair<'a> {
            first: i64,
            second: &'a str,
        }
    }

    fn sql(statement: Statement) -> String {
        let sql: SqlStr = statement.query().sql();
        sql.as_str().to_owned()
    }

    #[test]
    fn each_database_has_its_marks() {
        let statement = |dialect| {
            let mut statement = Statement::new(dialect, "SELECT 1 WHERE a = ? AND b IN ");
            statement.bind(1).list(["x", "y"]).push(" LIMIT ?").bind(2);
            sql(statement)
        };
        assert_eq!(statement(Dialect::Sqlite), "SELECT 1 WHERE a = ? AND b IN (?, ?) LIMIT ?");
        let numbered = "SELECT 1 WHERE a = $1 AND b IN ($2, $3) LIMIT $4";
        assert_eq!(statement(Dialect::Postgres), numbered);
    }

    #[test]
    fn rows_are_inserted_by_name() {
        let mut insert = Statement::new(Dialect::Sqlite, "INSERT INTO pairs");
        insert.values([Pair { first: 1, second: "x" }, Pair { first: 2, second: "y" }]);
        assert_eq!(sql(insert), "INSERT INTO pairs (first, second) VALUES (?, ?), (?, ?)");
    }
}
