//! The open rooms.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use store::{GameId, NewGame};
use tokio::sync::{OnceCell, mpsc, oneshot};

use super::actor::{Command, Room};
use super::table::Table;
use crate::app::App;
use crate::problem::{Failure, Kind, Result};

/// Maximum number of queued commands per room; further senders wait.
const MOST_WAITING: usize = 64;

/// A handle to a room.
pub(crate) type Door = mpsc::Sender<Command>;

/// The open rooms by game.
#[derive(Default)]
pub(crate) struct Rooms(Mutex<HashMap<GameId, Arc<OnceCell<Door>>>>);

impl Rooms {
    /// The handle of a game's room, opening the room if necessary.
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

    /// The handle of a room, if it is open.
    pub fn open_door(&self, id: &GameId) -> Option<Door> {
        let door = self.lock().get(id)?.get()?.clone();
        (!door.is_closed()).then_some(door)
    }

    /// Sends a request to a room, retrying if the room is just closing. Returns the answer and the
    /// handle used.
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

    /// Opens the rooms of games with a running clock.
    pub async fn wake(&self, app: &Arc<App>) -> Result<()> {
        let mut woken = 0;
        for stored in app.store.live_games().await? {
            match stored.and_then(|stored| Table::new(&stored)) {
                Ok(Table { live, head }) if live.deadline().is_some() => {
                    self.door(app, &head.id).await?;
                    woken += 1;
                }
                Ok(_) => {}
                Err(error) => tracing::error!(%error, "failed to load a live game"),
            }
        }
        tracing::info!(woken, "resumed live games");
        Ok(())
    }

    /// Removes closed rooms.
    pub fn tidy(&self) {
        self.lock().retain(|_, cell| match cell.get() {
            Some(door) => !door.is_closed(),
            // Being opened right now, or abandoned while opening.
            None => Arc::strong_count(cell) > 1,
        });
    }

    fn forget(&self, id: &GameId, cell: &Arc<OnceCell<Door>>) {
        let mut rooms = self.lock();
        // Another task may have reopened it meanwhile.
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

/// Starts a rematch with sides swapped; the players keep their seat secrets.
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
