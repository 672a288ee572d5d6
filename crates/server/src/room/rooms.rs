//! All rooms that are open.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use store::{GameId, NewGame};
use tokio::sync::{OnceCell, mpsc, oneshot};

use super::actor::{Command, Room};
use super::table::Table;
use crate::app::App;
use crate::problem::{Failure, Kind, Result};

/// How many commands may wait for a room; whoever sends more waits too.
const MOST_WAITING: usize = 64;

/// The way into a room.
pub(crate) type Door = mpsc::Sender<Command>;

/// All rooms that are open, by their game.
#[derive(Default)]
pub(crate) struct Rooms(Mutex<HashMap<GameId, Arc<OnceCell<Door>>>>);

impl Rooms {
    /// The door to a game's room, which is opened if it is not.
    pub async fn door(&self, app: &Arc<App>, id: &GameId) -> Result<Door> {
        loop {
            let cell = Arc::clone(self.lock().entry(id.clone()).or_default());
            let door = cell.get_or_try_init(|| async {
                let table = Table::new(&app.store.game(id).await?)?;
                Ok(open(app, table))
            });
            match door.await {
                Ok(door) if !door.is_closed() => return Ok(door.clone()),
                Ok(_) => self.forget(id, &cell),
                Err(failure) => {
                    self.forget(id, &cell);
                    return Err(failure);
                }
            }
        }
    }

    /// The door to a room, if it is open.
    pub fn open_door(&self, id: &GameId) -> Option<Door> {
        let door = self.lock().get(id)?.get()?.clone();
        (!door.is_closed()).then_some(door)
    }

    /// Asks a room something, and again if it has closed at this moment. Gives the answer and the
    /// door that was taken.
    pub async fn ask<T>(
        &self,
        app: &Arc<App>,
        id: &GameId,
        command: impl Fn(oneshot::Sender<T>) -> Command,
    ) -> Result<(Door, T)> {
        for _ in 0..3 {
            let door = self.door(app, id).await?;
            let (answer, answered) = oneshot::channel();
            if door.send(command(answer)).await.is_ok()
                && let Ok(answer) = answered.await
            {
                return Ok((door, answer));
            }
        }
        Err(Failure::new(Kind::Busy, "the room is closing"))
    }

    /// Opens the rooms of games in which a clock runs or the engine is to move.
    pub async fn wake(&self, app: &Arc<App>) -> Result<()> {
        let mut woken = 0;
        for stored in app.store.live_games().await? {
            match stored.and_then(|stored| Table::new(&stored)) {
                Ok(Table { live, head }) if live.deadline().is_some() || live.is_engines_turn() => {
                    self.door(app, &head.id).await?;
                    woken += 1;
                }
                Ok(_) => {}
                Err(error) => tracing::error!(%error, "a live game can't be read"),
            }
        }
        tracing::info!(woken, "live games taken up again");
        Ok(())
    }

    /// Forgets rooms that have closed.
    pub fn tidy(&self) {
        self.lock().retain(|_, cell| match cell.get() {
            Some(door) => !door.is_closed(),
            // Somebody is just opening it, or has gone while doing so.
            None => Arc::strong_count(cell) > 1,
        });
    }

    fn forget(&self, id: &GameId, cell: &Arc<OnceCell<Door>>) {
        let mut rooms = self.lock();
        // Somebody else may have opened another one meanwhile.
        if rooms.get(id).is_some_and(|known| Arc::ptr_eq(known, cell)) {
            rooms.remove(id);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<GameId, Arc<OnceCell<Door>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open(app: &Arc<App>, table: Table) -> Door {
    let (door, commands) = mpsc::channel(MOST_WAITING);
    tokio::spawn(Room::new(Arc::clone(app), table).run(commands));
    door
}

/// Begins another game of the same players with sides changed; the secrets of their seats stay
/// theirs.
pub(crate) async fn rematch(app: &App, Table { head: over, live }: &Table) -> Result<GameId> {
    let next = live.rematch();
    let start = next.line().start().clone();
    let mut game = NewGame::live(start, over.black.clone(), over.white.clone());
    game.variant = over.variant;
    game.owner = over.owner;
    game.time_control.clone_from(&over.time_control);
    game.visibility = over.visibility;
    game.seats = over.seats.swapped();
    game.rated = next.is_rated();
    Ok(app.store.create_rematch(&over.id, game).await?)
}
