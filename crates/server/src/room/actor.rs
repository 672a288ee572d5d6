//! The task that owns a live game. Every change goes to the store first; when it is on disk, all
//! connections are told.

mod ending;
mod moves;
mod offers;
mod seats;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use store::{GameId, Player, Secret, StoreError, Timestamp, Version};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until};
use wire::{ClientMessage, GameView, Refusal, ServerMessage};

use super::connections::{Connections, Seat};
use super::refusal::Refused;
use super::table::Table;
use super::thinking::{Opinion, Thinking, Thought};
use crate::access::Who;
use crate::app::App;
use crate::problem::Failure;

/// How long a room stays open when nobody is there.
const REST: Duration = Duration::from_mins(1);

/// What a room is asked for.
#[derive(Debug)]
pub(crate) enum Command {
    /// Somebody comes, and is told the state.
    Join { who: Who, out: mpsc::Sender<Utf8Bytes>, joined: oneshot::Sender<Result<Seat, Failure>> },
    /// Somebody goes.
    Leave(Seat),
    /// A connection says something.
    Say(Seat, ClientMessage),
    /// Somebody takes the open seat.
    Sit { claim: Claim, seated: oneshot::Sender<Result<GameView, Failure>> },
    /// What is stored has changed elsewhere.
    Reload,
}

/// Somebody who wants the open seat.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub who: Who,
    pub player: Player,
    /// The secret of the link.
    pub link: Secret,
    /// The secret of the seat from now on: who sent the link doesn't know it.
    pub own: Secret,
}

/// A move that is to be played as soon as it can be.
#[derive(Clone, Debug)]
struct Premove {
    from: Seat,
    ply: usize,
    text: String,
}

/// A live game with all who play and watch.
pub(crate) struct Room {
    app: Arc<App>,
    table: Table,
    connections: Connections,
    premoves: [Option<Premove>; 2],
    rematch_wanted: [bool; 2],
    thinking: Option<Thinking>,
    opinion: Opinion,
    /// Whether this game is counted among those with a running clock.
    clock_counted: bool,
    /// Whether the game has been removed.
    gone: bool,
}

impl Room {
    pub fn new(app: Arc<App>, table: Table) -> Self {
        Self {
            app,
            table,
            connections: Connections::default(),
            premoves: [None, None],
            rematch_wanted: [false; 2],
            thinking: None,
            opinion: Opinion::default(),
            clock_counted: false,
            gone: false,
        }
    }

    /// Serves the room until nobody needs it, or the server stops.
    pub async fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        self.app.metrics.rooms.inc();
        let app = Arc::clone(&self.app);
        let stopped = app.stopped();
        tokio::pin!(stopped);
        while !self.gone {
            self.ask_engine();
            self.count_clock(self.table.flag_at().is_some());
            let flag = self.table.flag_at().map(|at| self.app.wall.instant(at));
            let (rests, attempt) = (self.rests(), self.opinion.next_attempt());
            tokio::select! {
                biased;
                () = &mut stopped => break,
                command = commands.recv() => match command {
                    Some(command) => self.handle(command).await,
                    None => break,
                },
                thought = next_thought(self.thinking.as_mut()) => self.hear(thought).await,
                () = at(flag) => self.flag_fell().await,
                () = at(attempt) => self.opinion.attempt(),
                () = sleep(REST), if rests => break,
            }
        }
        self.connections.tell_all(&ServerMessage::Closing);
        self.count_clock(false);
        self.app.metrics.rooms.dec();
    }

    /// Counts this game among those with a running clock, or no longer.
    fn count_clock(&mut self, runs: bool) {
        match (self.clock_counted, runs) {
            (false, true) => drop(self.app.clocks.fetch_add(1, Ordering::Relaxed)),
            (true, false) => drop(self.app.clocks.fetch_sub(1, Ordering::Relaxed)),
            _ => {}
        }
        self.clock_counted = runs;
    }

    /// Whether the room can be left alone: a clock that runs must be watched.
    fn rests(&self) -> bool {
        self.connections.is_empty() && self.table.flag_at().is_none() && self.thinking.is_none()
    }

    fn now(&self) -> Timestamp {
        self.app.wall.now()
    }

    fn id(&self) -> &GameId {
        &self.table.stored.id
    }

    fn version(&self) -> Version {
        self.table.stored.version
    }

    async fn handle(&mut self, command: Command) {
        match command {
            Command::Join { who, out, joined } => {
                let _ = joined.send(self.join(who, out));
            }
            Command::Leave(seat) => self.leave(seat),
            Command::Say(seat, message) => self.listen(seat, message).await,
            Command::Sit { claim, seated } => {
                let _ = seated.send(self.sit(claim).await);
            }
            Command::Reload => self.reload().await,
        }
    }

    async fn listen(&mut self, seat: Seat, message: ClientMessage) {
        let Some(id) = message.id() else { return };
        let start = Instant::now();
        let is_move = matches!(message, ClientMessage::Play { .. });
        let answer = match self.obey(seat, message).await {
            Ok(()) => ServerMessage::Done { id, version: self.table.version() },
            Err(Refused { reason, detail }) => {
                ServerMessage::Refused { id: Some(id), reason, detail }
            }
        };
        if is_move {
            self.app.metrics.move_seconds.observe(start.elapsed().as_secs_f64());
        }
        self.connections.tell(seat, &answer);
        self.play_premove().await;
    }

    async fn obey(&mut self, seat: Seat, message: ClientMessage) -> Result<(), Refused> {
        if let ClientMessage::Ping { id } = message {
            let clock = self.table.clock(self.now());
            self.connections.tell(seat, &ServerMessage::Pong { id, clock });
            return Ok(());
        }
        let sides = self.connections.sides(seat).to_vec();
        let Some(&side) = sides.first() else { return Err(Refused::new(Refusal::NotAPlayer)) };
        // Who plays both sides speaks for the one whose turn it is.
        let side = if sides.len() == 2 { self.table.turn() } else { side };
        let shared = sides.len() == 2;
        match message {
            ClientMessage::Play { ply, text, .. } => self.play(&sides, ply as usize, &text).await,
            ClientMessage::Premove { ply, text, .. } => {
                self.premove(seat, &sides, ply as usize, text)
            }
            ClientMessage::Offer { what: wire::Offer::Draw, .. } => {
                self.offer_draw(side, shared).await
            }
            ClientMessage::Offer { what: wire::Offer::TakeBack, .. } => {
                self.offer_take_back(side, shared).await
            }
            ClientMessage::Decline { .. } => self.decline().await,
            ClientMessage::ClaimDraw { .. } => self.claim_draw(side).await,
            ClientMessage::Resign { .. } => self.resign(side).await,
            ClientMessage::Flag { .. } => self.claim_flag().await,
            ClientMessage::Rematch { .. } => self.want_rematch(side, shared).await,
            ClientMessage::Join { .. } | ClientMessage::Ping { .. } => Ok(()),
        }
    }

    /// The version after a write. If it failed, nobody knows what is there: look.
    async fn kept(&mut self, kept: Result<Version, StoreError>) -> Result<Version, Refused> {
        match kept {
            Ok(version) => Ok(version),
            Err(error) => {
                tracing::error!(game = %self.id(), %error, "a change could not be kept");
                self.reload().await;
                Err(Refused::new(Refusal::Broken))
            }
        }
    }

    /// Reads the game once more and tells everybody.
    async fn reload(&mut self) {
        let read = self.app.store.game(self.id()).await.and_then(Table::new);
        match read {
            Ok(table) => {
                self.table = table;
                self.thinking = None;
                self.admit_again();
                for seat in self.connections.seats() {
                    self.tell_state(seat);
                }
            }
            Err(StoreError::NotFound(_)) => self.gone = true,
            Err(error) => tracing::error!(game = %self.id(), %error, "a game can't be read"),
        }
    }
}

async fn next_thought(thinking: Option<&mut Thinking>) -> Thought {
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
