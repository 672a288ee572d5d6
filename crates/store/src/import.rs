//! Imports files of games.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::database::{Database, query};
use crate::error::{Result, StoreError};
use crate::insert::{self, Ready};
use crate::new_game::Origin;
use crate::statement::row;
use crate::transaction::TimedConnection;
use crate::{GameId, NewGame, Timestamp, UserId};

/// The transaction size of an import. The positions are spread all over the index, so that each
/// transaction writes most of its pages: with 2,000 games at a time an import of 100,000 takes two
/// and a half times as long as with 10,000. But other writes have to wait meanwhile.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As fast as the database can: nobody is playing, or players can wait for some seconds.
    Fast,
    /// In steps of some milliseconds, with pauses in which moves are written.
    Gentle,
}

/// Games per transaction when in a hurry, and at most.
const MOST: usize = 10_000;

/// Games of the first gentle transaction.
const FIRST: usize = 5;

/// How long a gentle transaction may take.
const STEP: Duration = Duration::from_millis(10);

/// A transaction of an import may take so many times as long as others.
const LONGER: u32 = 10;

/// Number of games after which the database should update its statistics.
const MANY: u64 = 1000;

/// The result of an import.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Games imported.
    pub kept: u64,
    /// Duplicates.
    pub doubled: u64,
    /// Games rejected, such as those of more than [`MOST_PLIES`](crate::MOST_PLIES).
    pub refused: u64,
}

/// Inserts many games.
pub(crate) async fn import(
    database: &Database,
    games: &mut (dyn Iterator<Item = NewGame> + Send),
    pace: Pace,
) -> Result<Imported> {
    let mut done = Imported::default();
    let mut gentle = FIRST;
    loop {
        // A server may have started since.
        let pace = if database.hold.is_in_the_way() { Pace::Gentle } else { pace };
        let size = match pace {
            Pace::Fast => MOST,
            Pace::Gentle => gentle,
        };
        let mut asked = 0;
        let mut batch = Vec::new();
        for game in games.take(size) {
            asked += 1;
            match Ready::new(game, &database.openings) {
                Ok(ready) => batch.push(ready),
                Err(StoreError::Refused { .. }) => done.refused += 1,
                Err(error) => return Err(error),
            }
        }
        if asked == 0 {
            break;
        }
        let took = write(database, batch, &mut done).await?;
        if pace == Pace::Gentle {
            gentle = next_size(size, took);
            // Others get the disk for as long as we had it.
            sleep(took).await;
        }
    }
    if let Some(sql) = database.dialect.after_import()
        && done.kept >= MANY
    {
        let mut transaction = database.begin_for(LONGER * database.patience).await?;
        query(sql).execute(&mut *transaction).await?;
        transaction.commit().await?;
    }
    Ok(done)
}

/// The size of the transaction after one that took this long: one that takes a [`STEP`], but at most
/// twice as large.
fn next_size(size: usize, took: Duration) -> usize {
    let steps = took.as_secs_f64() / STEP.as_secs_f64();
    let fitting = size as f64 / steps.max(0.5);
    (fitting as usize).clamp(1, MOST)
}

/// Writes games in one transaction, and returns how long that took once it had begun.
async fn write(
    database: &Database,
    mut batch: Vec<Ready>,
    done: &mut Imported,
) -> Result<Duration> {
    let all = batch.len() as u64;
    let mut transaction = database.begin_for(LONGER * database.patience).await?;
    let start = Instant::now();
    let known = known(database, &mut transaction, &batch).await?;
    batch.retain(|ready| !known.contains(&ready.id));
    let kept = insert::insert(database, &mut transaction, &batch, Timestamp::now()).await?;
    transaction.commit().await?;
    done.kept += kept;
    done.doubled += all - kept;
    Ok(start.elapsed())
}

row! {
    read OwnRow {
        id: String,
        owner: Option<i64>,
        white_user: Option<i64>,
        black_user: Option<i64>,
        owner_left: i64,
        white_left: i64,
        black_left: i64,
        moves: Vec<u8>,
    }
}

impl OwnRow {
    /// Whether a user has this game; without a user, everyone does.
    fn belongs_to(&self, user: Option<UserId>) -> bool {
        let Some(UserId(user)) = user else { return true };
        [
            (self.owner, self.owner_left),
            (self.white_user, self.white_left),
            (self.black_user, self.black_left),
        ]
        .contains(&(Some(user), 0))
    }
}

/// The games of a batch that were played here and exported, and that their owner still has.
async fn known(
    database: &Database,
    connection: &mut TimedConnection,
    batch: &[Ready],
) -> Result<HashSet<GameId>> {
    let mut exported: HashMap<&str, Vec<&Ready>> = HashMap::new();
    for ready in batch {
        // With comments or variations it is more than the game that was played.
        if let Origin::Imported { tags, annotated: None } = &ready.game.origin
            && let Some(id) = tags.get(GameId::TAG)
        {
            exported.entry(id).or_default().push(ready);
        }
    }
    let mut known = HashSet::new();
    for ids in exported.keys().copied().collect::<Vec<_>>().chunks(500) {
        let mut select = database.statement(
            "SELECT id, owner, white_user, black_user, owner_left, white_left, black_left, moves \
             FROM games WHERE source = 'played' AND id IN ",
        );
        select.list(ids.iter().copied());
        for row in &select.query().fetch_all(&mut *connection).await? {
            let row = OwnRow::read(row)?;
            let same =
                |ready: &&&Ready| ready.moves == row.moves && row.belongs_to(ready.game.owner);
            let copies = exported.get(&*row.id).into_iter().flatten().filter(same);
            known.extend(copies.map(|ready| ready.id.clone()));
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transactions_grow_and_shrink_to_the_time_they_may_take() {
        assert_eq!(next_size(20, STEP), 20);
        assert_eq!(next_size(20, STEP * 4), 5);
        assert_eq!(next_size(1, STEP * 100), 1);
        assert_eq!(next_size(20, Duration::ZERO), 40);
        assert_eq!(next_size(MOST, Duration::ZERO), MOST);
    }
}
