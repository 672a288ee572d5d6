//! What a list of games shows of a review, in columns of its own: reports are long.

use serde::Deserialize;
use serde::de::IgnoredAny;
use sqlx::{AnyPool, Row};

use crate::database::query;
use crate::error::Result;

/// The figures of a report.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Figures {
    /// White's accuracy, if White has moved.
    pub white: Option<f64>,
    /// Black's accuracy, if Black has moved.
    pub black: Option<f64>,
    /// The number of moves.
    pub moves: i64,
}

impl Figures {
    /// Reads a report as it is stored. What is no report has no figures. Databases disagree about
    /// which JSON they read, so it is read here.
    pub fn read(report: &str) -> Self {
        #[derive(Default, Deserialize)]
        struct Side {
            accuracy: Option<f64>,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Parts {
            white: Side,
            black: Side,
            moves: Vec<IgnoredAny>,
        }
        let Parts { white, black, moves } = serde_json::from_str(report).unwrap_or_default();
        Self { white: white.accuracy, black: black.accuracy, moves: moves.len() as i64 }
    }

    /// An accuracy as text, which the database turns into a number: sqlx takes a missing `f64` for a
    /// missing `f32`, and PostgreSQL then refuses the next `f64` of the same statement.
    pub fn text(accuracy: Option<f64>) -> Option<String> {
        accuracy.map(|accuracy| accuracy.to_string())
    }
}

/// Writes the figures of reviews of earlier versions.
pub(crate) async fn write_missing(pool: &AnyPool) -> Result<()> {
    loop {
        let some =
            query("SELECT game, fingerprint, report FROM reviews WHERE moves IS NULL LIMIT 50");
        let rows = some.fetch_all(pool).await?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            let figures = Figures::read(row.try_get("report")?);
            query(
                "UPDATE reviews SET white = CAST($1 AS DOUBLE PRECISION), \
                 black = CAST($2 AS DOUBLE PRECISION), moves = $3 \
                 WHERE game = $4 AND fingerprint = $5 AND moves IS NULL",
            )
            .bind(Figures::text(figures.white))
            .bind(Figures::text(figures.black))
            .bind(figures.moves)
            .bind(row.try_get::<i64, _>("game")?)
            .bind(row.try_get::<String, _>("fingerprint")?)
            .execute(pool)
            .await?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_report_has_no_figures() {
        let report =
            r#"{"white":{"accuracy":92.5,"labels":[1]},"black":{"accuracy":null},"moves":[{},{}]}"#;
        let figures = Figures { white: Some(92.5), black: None, moves: 2 };
        assert_eq!(Figures::read(report), figures);
        for other in ["{}", "\"text\"", "{", "", "[]"] {
            assert_eq!(Figures::read(other), Figures::default(), "{other:?}");
        }
    }
}
