//! What is kept of a review besides its report: figures, mistakes and puzzles of the users who
//! played, in rows that can be searched.
//!
//! The store reads only these parts of a report. A report that doesn't have them leaves no rows.

use std::collections::BTreeMap;

use chess::{Color, Line, UciMove};
use serde::Deserialize;

use crate::database::query;
use crate::error::Result;
use crate::player::folded;
use crate::stored_game::game_columns;
use crate::transaction::TimedConnection;
use crate::{GameId, StoredGame, Timestamp, UserId};

/// The parts of a report that are kept.
#[derive(Deserialize)]
struct Digest {
    moves: Vec<Judged>,
    white: Side,
    black: Side,
    #[serde(default)]
    puzzles: Vec<Found>,
}

#[derive(Deserialize)]
struct Judged {
    label: String,
    played: MoveText,
    best_points: f64,
    played_points: f64,
    accuracy: f64,
    phase: String,
    clock: Option<Clock>,
    claims: Vec<Claim>,
}

#[derive(Deserialize)]
struct MoveText {
    uci: String,
    #[serde(default)]
    san: String,
}

#[derive(Copy, Clone, Deserialize)]
struct Clock {
    spent: Option<u64>,
    left: Option<u64>,
}

#[derive(Deserialize)]
struct Claim {
    motif: String,
    whose: String,
}

#[derive(Deserialize)]
struct Side {
    accuracy: Option<f64>,
}

#[derive(Deserialize)]
struct Found {
    ply: usize,
    kind: String,
    solution: Vec<MoveText>,
    lost: f64,
    themes: Vec<String>,
    phase: String,
}

impl Judged {
    fn lost(&self) -> f64 {
        (self.best_points - self.played_points).max(0.0)
    }

    fn is_marked(&self) -> bool {
        matches!(&*self.label, "inaccuracy" | "mistake" | "miss" | "blunder")
    }

    /// The parts of the game it belongs to, and its place in them.
    fn parts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let clock = self.clock.unwrap_or(Clock { spent: None, left: None });
        let before = clock.left.map(|left| left + clock.spent.unwrap_or(0));
        let left = before.map(|before| ("left", bracket(before, &TIME_LEFT)));
        let spent = clock.spent.map(|spent| ("spent", bracket(spent, &TIME_SPENT)));
        [Some(("phase", &*self.phase)), left, spent].into_iter().flatten()
    }
}

/// Upper limits of the time left, in milliseconds, and their names in [`Insights`](crate::Insights).
pub const TIME_LEFT: [(u64, &str); 5] = [
    (10_000, "under_10s"),
    (30_000, "under_30s"),
    (60_000, "under_1m"),
    (300_000, "under_5m"),
    (u64::MAX, "more"),
];

/// Upper limits of the time spent on a move, and their names.
pub const TIME_SPENT: [(u64, &str); 5] = [
    (2_000, "under_2s"),
    (5_000, "under_5s"),
    (15_000, "under_15s"),
    (60_000, "under_1m"),
    (u64::MAX, "more"),
];

fn bracket(millis: u64, brackets: &[(u64, &'static str)]) -> &'static str {
    brackets.iter().find(|(limit, _)| millis < *limit).map_or("more", |(_, name)| name)
}

/// Writes the rows of a review, replacing those of an older one. The progress with puzzles stays.
pub(crate) async fn write(
    connection: &mut TimedConnection,
    id: &GameId,
    report: &serde_json::Value,
) -> Result<()> {
    const GAME: &str = concat!("SELECT ", game_columns!(), " FROM games g WHERE g.id = $1");
    let Ok(digest) = Digest::deserialize(report) else { return Ok(()) };
    let row = query(GAME).bind(id.to_string()).fetch_optional(&mut *connection).await?;
    let Some(row) = row else { return Ok(()) };
    let game = StoredGame::from_row(&row)?;
    for table in [
        "DELETE FROM review_sides WHERE game = $1",
        "DELETE FROM review_parts WHERE game = $1",
        "DELETE FROM review_mistakes WHERE game = $1",
    ] {
        query(table).bind(game.number).execute(&mut *connection).await?;
    }
    if game.moves.len() != digest.moves.len() {
        return Ok(());
    }
    let line = played(&game);
    let mut kept = Vec::new();
    for color in Color::ALL {
        let Some(user) = user(connection, &game, color).await? else { continue };
        let side = Player { game: game.number, user, color, first: game.start.turn() };
        side.write_figures(connection, &digest).await?;
        side.write_mistakes(connection, &digest).await?;
        kept.extend(side.write_puzzles(connection, &digest, &line).await?);
    }
    forget_others(connection, game.number, &kept).await
}

/// Deletes what is kept for a user about a game.
pub(crate) async fn forget(
    connection: &mut TimedConnection,
    game: i64,
    user: UserId,
) -> Result<()> {
    for table in [
        "DELETE FROM review_sides WHERE game = $1 AND user_id = $2",
        "DELETE FROM review_parts WHERE game = $1 AND user_id = $2",
        "DELETE FROM review_mistakes WHERE game = $1 AND user_id = $2",
        "DELETE FROM puzzles WHERE game = $1 AND user_id = $2",
    ] {
        query(table).bind(game).bind(user.0).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Deletes the puzzles of a game that its new review doesn't have.
async fn forget_others(
    connection: &mut TimedConnection,
    game: i64,
    kept: &[(UserId, i64)],
) -> Result<()> {
    use sqlx::Row as _;
    let known = query("SELECT id, user_id, ply FROM puzzles WHERE game = $1 AND dropped = 0");
    for row in known.bind(game).fetch_all(&mut *connection).await? {
        let puzzle = (UserId(row.try_get("user_id")?), row.try_get("ply")?);
        if !kept.contains(&puzzle) {
            let id: i64 = row.try_get("id")?;
            let delete = query("DELETE FROM puzzles WHERE id = $1").bind(id);
            delete.execute(&mut *connection).await?;
        }
    }
    Ok(())
}

/// The line of a game; shorter if it can't be replayed.
fn played(game: &StoredGame) -> Line {
    let mut line = Line::new(game.start.clone());
    for &m in &game.moves {
        if line.play(m).is_err() {
            break;
        }
    }
    line
}

/// The user who played a side, if it is known who moved: a user of this server, or the owner of an
/// imported game whose name it has.
async fn user(
    connection: &mut TimedConnection,
    game: &StoredGame,
    color: Color,
) -> Result<Option<UserId>> {
    let seats = &game.seats;
    if seats.white.is_some() && seats.white == seats.black {
        return Ok(None);
    }
    if let Some(user) = game.player(color).user() {
        return Ok((!game.left.player(color)).then_some(user));
    }
    let (Some(owner), game::Source::Imported) = (game.owner, game.source) else { return Ok(None) };
    let named = query("SELECT 1 FROM users WHERE id = $1 AND folded = $2").bind(owner.0);
    let named = named.bind(folded(&game.player(color).name()));
    let is_named = named.fetch_optional(connection).await?.is_some();
    Ok((is_named && !game.left.owner).then_some(owner))
}

/// A user who played a side of a game.
struct Player {
    game: i64,
    user: UserId,
    color: Color,
    /// Who moved first.
    first: Color,
}

impl Player {
    fn moved(&self, ply: usize) -> bool {
        (self.color == self.first) == ply.is_multiple_of(2)
    }

    /// The user's moves, with their plies.
    fn moves<'a>(&'a self, digest: &'a Digest) -> impl Iterator<Item = (usize, &'a Judged)> {
        digest.moves.iter().enumerate().filter(|(ply, _)| self.moved(*ply))
    }

    async fn write_figures(&self, connection: &mut TimedConnection, digest: &Digest) -> Result<()> {
        let side = match self.color {
            Color::White => &digest.white,
            Color::Black => &digest.black,
        };
        let Some(accuracy) = side.accuracy else { return Ok(()) };
        query("INSERT INTO review_sides (game, color, user_id, accuracy) VALUES ($1, $2, $3, $4)")
            .bind(self.game)
            .bind(self.color.as_str())
            .bind(self.user.0)
            .bind(accuracy)
            .execute(&mut *connection)
            .await?;
        let mut sums: BTreeMap<(&str, &str), (i64, f64, f64)> = BTreeMap::new();
        for (_, one) in self.moves(digest) {
            for part in one.parts() {
                let (moves, accuracy, lost) = sums.entry(part).or_default();
                *moves += 1;
                *accuracy += one.accuracy;
                *lost += one.lost();
            }
        }
        for ((part, name), (moves, accuracy, lost)) in sums {
            query(
                "INSERT INTO review_parts (game, color, user_id, part, name, moves, accuracy, lost) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            )
            .bind(self.game)
            .bind(self.color.as_str())
            .bind(self.user.0)
            .bind(part)
            .bind(name.to_owned())
            .bind(moves)
            .bind(accuracy)
            .bind(lost)
            .execute(&mut *connection)
            .await?;
        }
        Ok(())
    }

    async fn write_mistakes(
        &self,
        connection: &mut TimedConnection,
        digest: &Digest,
    ) -> Result<()> {
        for (ply, one) in self.moves(digest).filter(|(_, one)| one.is_marked()) {
            let Some(claim) = one.claims.first() else { continue };
            query(
                "INSERT INTO review_mistakes (game, ply, user_id, motif, whose, played, lost) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(self.game)
            .bind(ply as i64)
            .bind(self.user.0)
            .bind(claim.motif.clone())
            .bind(claim.whose.clone())
            .bind(one.played.san.clone())
            .bind(one.lost())
            .execute(&mut *connection)
            .await?;
        }
        Ok(())
    }

    /// Writes the user's puzzles, and returns which of them there are.
    async fn write_puzzles(
        &self,
        connection: &mut TimedConnection,
        digest: &Digest,
        line: &Line,
    ) -> Result<Vec<(UserId, i64)>> {
        let mut written = Vec::new();
        let puzzles = digest.puzzles.iter().filter(|found| self.moved(found.ply));
        for found in puzzles.filter(|found| found.can_be_played(line)) {
            let position = line.positions().nth(found.ply).expect("it can be played");
            let before = found.ply.checked_sub(1).map(|ply| digest.moves[ply].played.uci.clone());
            let words = found.themes.iter().chain([&found.phase, &found.kind]);
            let themes = words.fold(" ".to_owned(), |all, word| all + word + " ");
            let solution: Vec<&str> = found.solution.iter().map(|m| &*m.uci).collect();
            query(
                "INSERT INTO puzzles (user_id, game, ply, kind, phase, themes, fen, before, \
                 played, solution, lost, dropped, due, tries, solved) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, 0, 0) \
                 ON CONFLICT (game, ply, user_id) DO UPDATE SET kind = excluded.kind, \
                 phase = excluded.phase, themes = excluded.themes, \
                 solution = excluded.solution, lost = excluded.lost",
            )
            .bind(self.user.0)
            .bind(self.game)
            .bind(found.ply as i64)
            .bind(found.kind.clone())
            .bind(found.phase.clone())
            .bind(themes)
            .bind(position.to_string())
            .bind(before)
            .bind(digest.moves[found.ply].played.san.clone())
            .bind(solution.join(" "))
            .bind(found.lost)
            .bind(Timestamp::now().0)
            .execute(&mut *connection)
            .await?;
            written.push((self.user, found.ply as i64));
        }
        Ok(written)
    }
}

impl Found {
    /// Whether its solution is legal in the game.
    fn can_be_played(&self, line: &Line) -> bool {
        let Some(start) = line.positions().nth(self.ply) else { return false };
        let mut solved = Line::new(start.clone());
        let played = self.solution.iter().all(|text| {
            let m = text.uci.parse::<UciMove>().ok().and_then(|m| m.to_move(solved.position()));
            m.is_some_and(|m| solved.play(m).is_ok())
        });
        played && solved.len() % 2 == 1 && self.ply < line.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_brackets() {
        assert_eq!(bracket(0, &TIME_LEFT), "under_10s");
        assert_eq!(bracket(10_000, &TIME_LEFT), "under_30s");
        assert_eq!(bracket(3_600_000, &TIME_LEFT), "more");
        assert_eq!(bracket(1_999, &TIME_SPENT), "under_2s");
    }
}
