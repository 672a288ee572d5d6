//! The task that owns a live game. Every event goes to the store first; once it is on disk, it is
//! applied to the game and broadcast. The rules are those of [`game::live`].

mod commands;
mod engine;
mod outage;
mod seats;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use game::live::Moment;
use store::{GameId, Player, Secret, StoreError, Version};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until};
use wire::{ClientMessage, ClockView, GameView, ServerMessage};

use self::outage::Down;
use super::connections::{ConnectionId, Connections};
use super::refusal::Refused;
use super::table::Table;
use super::thinking::{Attempts, SearchEvent, Thinking};
use crate::access::Who;
use crate::app::App;
use crate::pool::Owner;
use crate::problem::Failure;

/// How long an empty room stays open.
const REST: Duration = Duration::from_mins(1);

/// A request to a room.
#[derive(Debug)]
pub(crate) enum Command {
    /// A connection joins and receives the state.
    Join {
        who: Who,
        owner: Owner,
        /// Whether a weak engine shall take as long for its moves as a person would.
        unhurried: bool,
        out: mpsc::Sender<Utf8Bytes>,
        joined: oneshot::Sender<Result<ConnectionId, Failure>>,
    },
    /// A connection leaves.
    Leave(ConnectionId),
    /// A message from a connection.
    Say(ConnectionId, ClientMessage),
    /// A visitor takes the open seat.
    Sit { claim: Claim, seated: oneshot::Sender<Result<GameView, Failure>> },
    /// The stored game was changed elsewhere.
    Reload,
}

/// A visitor's claim to the open seat.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub who: Who,
    pub player: Player,
    /// The secret of the invitation link.
    pub link: Secret,
    /// The secret of the seat from now on, unknown to the sender of the link.
    pub own: Secret,
}

/// A live game with its players and spectators.
pub(crate) struct Room {
    app: Arc<App>,
    table: Table,
    connections: Connections,
    /// The connection that set each side's premove. Closing it cancels the premove.
    premoved_by: [Option<ConnectionId>; 2],
    thinking: Option<Thinking>,
    attempts: Attempts,
    /// When to retry flags and premoves that could not be written.
    settle_again: Option<Instant>,
    /// What the store's outage means for this game, if there is one.
    down: Option<Down>,
    /// Whether this game is counted in `App::clocks`.
    clock_counted: bool,
    /// Whether the game has been deleted.
    gone: bool,
}

impl Room {
    pub fn new(app: Arc<App>, table: Table) -> Self {
        Self {
            app,
            table,
            connections: Connections::default(),
            premoved_by: [None, None],
            thinking: None,
            attempts: Attempts::default(),
            settle_again: None,
            down: None,
            clock_counted: false,
            gone: false,
        }
    }

    /// Runs the room until it is idle or the server stops.
    pub async fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        self.app.metrics.rooms.inc();
        let app = Arc::clone(&self.app);
        let stopped = app.stopped();
        tokio::pin!(stopped);
        let mut outage = app.outage.subscribe();
        // There may be one already.
        outage.mark_changed();
        while !self.gone {
            self.ask_engine();
            let deadline = self.table.live.deadline();
            self.count_clock(deadline.is_some());
            let flag = deadline.map(|at| self.app.wall.instant(at.into()));
            let flag = flag.map(|flag| self.settle_again.map_or(flag, |again| flag.max(again)));
            let (rests, attempt) = (self.rests(), self.attempts.next());
            let recovery = self.down.and_then(|down| down.try_at);
            tokio::select! {
                biased;
                () = &mut stopped => break,
                Ok(()) = outage.changed() => self.hear_outage().await,
                () = at(recovery) => self.recover().await,
                command = commands.recv() => match command {
                    Some(command) => self.handle(command).await,
                    None => break,
                },
                event = next_event(self.thinking.as_mut()) => self.hear(event).await,
                () = at(flag) => self.settle().await,
                () = at(attempt) => self.attempts.now(),
                () = sleep(REST), if rests => break,
            }
        }
        self.connections.tell_all(&ServerMessage::Closing);
        self.count_clock(false);
        self.app.metrics.rooms.dec();
    }

    /// Updates the count of games with a running clock.
    fn count_clock(&mut self, runs: bool) {
        match (self.clock_counted, runs) {
            (false, true) => drop(self.app.clocks.fetch_add(1, Ordering::Relaxed)),
            (true, false) => drop(self.app.clocks.fetch_sub(1, Ordering::Relaxed)),
            _ => {}
        }
        self.clock_counted = runs;
    }

    /// Whether the room may close; a running clock keeps it open.
    fn rests(&self) -> bool {
        let clock_runs = self.table.live.deadline().is_some();
        let idle = self.connections.is_empty() && self.thinking.is_none();
        idle && !clock_runs && self.down.is_none()
    }

    fn now(&self) -> Moment {
        self.app.wall.now().into()
    }

    fn id(&self) -> &GameId {
        &self.table.head.id
    }

    fn version(&self) -> Version {
        self.table.head.version
    }

    async fn handle(&mut self, command: Command) {
        match command {
            Command::Join { who, owner, unhurried, out, joined } => {
                let _ = joined.send(self.join(who, owner, unhurried, out));
            }
            Command::Leave(from) => self.leave(from),
            Command::Say(from, message) => self.listen(from, message).await,
            Command::Sit { claim, seated } => {
                let _ = seated.send(self.sit(claim).await);
            }
            Command::Reload => self.reload().await,
        }
    }

    async fn listen(&mut self, from: ConnectionId, message: ClientMessage) {
        let Some(id) = message.id() else { return };
        if matches!(message, ClientMessage::Ping { .. }) {
            let clock = ClockView::new(&self.table.live, self.now());
            self.connections.tell(from, &ServerMessage::Pong { id, clock });
        }
        let start = Instant::now();
        let is_move = matches!(message, ClientMessage::Play { .. });
        let answer = match self.obey(from, message).await {
            Ok(()) => ServerMessage::Done { id, version: self.table.version() },
            Err(Refused { reason, detail }) => {
                ServerMessage::Refused { id: Some(id), reason, detail }
            }
        };
        if is_move {
            self.app.metrics.move_seconds.observe(start.elapsed().as_secs_f64());
        }
        self.connections.tell(from, &answer);
        self.settle().await;
    }

    /// Reloads the game and sends it to all connections. If the store fails, tries again later.
    async fn reload(&mut self) {
        if let Err(error) = self.try_reload().await {
            self.fail(&error, self.now());
        }
    }

    async fn try_reload(&mut self) -> Result<(), StoreError> {
        let read = self.app.store.game(self.id()).await.and_then(|stored| Table::new(&stored));
        match read {
            Ok(table) => {
                let before = std::mem::replace(&mut self.table, table);
                self.table.live.keep_unsaved(before.live);
                self.thinking = None;
                self.admit_again();
                self.tell_state_to_all();
            }
            Err(StoreError::NotFound(_)) => self.gone = true,
            Err(error) => {
                tracing::error!(game = %self.id(), %error, "failed to load a game");
                if error.is_outage() {
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

async fn next_event(thinking: Option<&mut Thinking>) -> SearchEvent {
    match thinking {
        Some(thinking) => thinking.next().await,
        None => std::future::pending().await,
    }
}

async fn at(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => std::future::pending().await,
    }
}
