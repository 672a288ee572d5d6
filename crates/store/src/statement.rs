//! SQL that is put together from fixed pieces. Pieces are `'static`, so that nothing from outside
//! can become part of the text: values are bound.

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, Arguments, AssertSqlSafe, Encode, Type};

use crate::dialect::Dialect;

/// SQL and the values that are bound to it, in order.
pub(crate) struct Statement {
    dialect: Dialect,
    sql: String,
    arguments: AnyArguments,
}

impl Statement {
    pub fn new(dialect: Dialect, sql: &'static str) -> Self {
        Self { dialect, sql: sql.to_owned(), arguments: AnyArguments::default() }
    }

    pub fn push(&mut self, sql: &'static str) -> &mut Self {
        self.sql.push_str(sql);
        self
    }

    pub fn bind<'t, T>(&mut self, value: T) -> &mut Self
    where
        T: Encode<'t, Any> + Type<Any>,
    {
        self.arguments.add(value).expect("numbers, texts and bytes can be bound to any database");
        self.dialect.placeholder(self.arguments.len(), &mut self.sql);
        self
    }

    /// One row of values after the other, each in parentheses.
    pub fn rows<T>(&mut self, rows: &[T], mut bind_row: impl FnMut(&mut Self, &T)) -> &mut Self {
        for (i, row) in rows.iter().enumerate() {
            self.push(if i == 0 { "(" } else { ", (" });
            bind_row(self, row);
            self.push(")");
        }
        self
    }

    /// Binds the next value of a row.
    pub fn and<'t, T>(&mut self, value: T) -> &mut Self
    where
        T: Encode<'t, Any> + Type<Any>,
    {
        self.push(", ").bind(value)
    }

    /// A statement of many rows. It is kept prepared only if it is one of full length: others hardly
    /// come again, and each takes a megabyte.
    pub fn bulk(self, full: bool) -> Query<'static, Any, AnyArguments> {
        self.query().persistent(full)
    }

    pub fn query(self) -> Query<'static, Any, AnyArguments> {
        sqlx::query_with(AssertSqlSafe(self.sql), self.arguments)
    }
}
