//! The task that owns a live game. Every change goes to the store first; when it is on disk, all
//! connections are told.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use chess::{Color, Move, Outcome};
use game::Game;
use store::{GameId, Offer, Player, Secret, StoreError, Timestamp, Version};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until};
use wire::{ClientMessage, GameView, Refusal, ServerMessage, Side, Thoughts};

use super::connections::{Connections, Seat};
use super::refusal::Refused;
use super::rooms::rematch;
use super::table::{Next, Table, offerer};
use super::thinking::{Opinion, Thinking, Thought, plies_to_take_back, task};
use crate::access::{Access, Who};
use crate::app::App;
use crate::pool::Owner;
use crate::problem::{Failure, Kind};
use crate::rating::rate_finished;
use crate::views;

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

    fn join(&mut self, who: Who, out: mpsc::Sender<Utf8Bytes>) -> Result<Seat, Failure> {
        let access = Access::new(&self.table.stored, &who, &self.app.config.mode);
        access.watch()?;
        let seat = self.connections.add(who, access.sides, out);
        self.tell_state(seat);
        self.tell_present();
        Ok(seat)
    }

    fn leave(&mut self, seat: Seat) {
        self.connections.remove(seat);
        for premove in &mut self.premoves {
            premove.take_if(|premove| premove.from == seat);
        }
        self.tell_present();
    }

    fn tell_state(&mut self, seat: Seat) {
        let (present, spectators) = self.connections.present();
        let state = ServerMessage::State {
            game: self.table.view(self.now(), &self.app.openings),
            sides: views::sides(self.connections.sides(seat)),
            present,
            spectators,
        };
        self.connections.tell(seat, &state);
    }

    fn tell_present(&mut self) {
        let (present, spectators) = self.connections.present();
        self.connections.tell_all(&ServerMessage::Present { present, spectators });
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

    /// Plays a move of a connection. One that comes again is done, not played again.
    async fn play(&mut self, sides: &[Color], ply: usize, text: &str) -> Result<(), Refused> {
        if ply < self.table.plies() {
            let again = self.table.read_move(ply, text).ok() == self.table.played(ply);
            let mover = if ply % 2 == self.table.plies() % 2 {
                self.table.turn()
            } else {
                !self.table.turn()
            };
            let theirs = sides.contains(&mover);
            return if again && theirs { Ok(()) } else { Err(Refused::new(Refusal::WrongPly)) };
        }
        self.table.check_live()?;
        if ply > self.table.plies() {
            return Err(Refused::new(Refusal::WrongPly));
        }
        if !sides.contains(&self.table.turn()) {
            return Err(Refused::new(Refusal::NotYourTurn));
        }
        let m = self.table.read_move(ply, text)?;
        self.make(m, false).await
    }

    /// Makes a move of the side to move: on disk, then on every board.
    async fn make(&mut self, m: Move, free: bool) -> Result<(), Refused> {
        let now = self.now();
        let ply = self.table.plies();
        match self.table.after(m, now, free)? {
            Next::Flagged => {
                let turn = self.table.turn();
                self.finish(|game| Some(game.flag(turn))).await?;
                Err(Refused::new(Refusal::Over))
            }
            Next::Played(game, played) => {
                let mut played = played;
                let kept = self.app.store.append(self.id(), self.version(), &played).await;
                let version = self.kept(kept).await?;
                // Nobody's clock runs while a move they can't see waits for the disk.
                let now = self.now();
                played.clock_running_since = played.clock_running_since.map(|_| now);
                self.table.play(*game, &played, version);
                self.app.metrics.moves.inc();
                self.thinking = None;
                let message = ServerMessage::Played {
                    version: self.table.version(),
                    ply: ply as u32,
                    played: self.table.last_move().expect("it was just played"),
                    position: self.table.position(),
                    clock: self.table.clock(now),
                    outcome: self.table.outcome(),
                };
                self.connections.tell_all(&message);
                if played.outcome.is_some() {
                    self.ended();
                }
                Ok(())
            }
        }
    }

    fn premove(
        &mut self,
        seat: Seat,
        sides: &[Color],
        ply: usize,
        text: Option<String>,
    ) -> Result<(), Refused> {
        let turn = self.table.turn();
        let Some(text) = text else {
            for &side in sides {
                self.premoves[side.index()].take_if(|premove| premove.from == seat);
            }
            return Ok(());
        };
        self.table.check_live()?;
        // It is for the turn after the other side's.
        if !sides.contains(&!turn) || sides.contains(&turn) {
            return Err(Refused::new(Refusal::NotYourTurn));
        }
        if ply != self.table.plies() + 1 {
            return Err(Refused::new(Refusal::WrongPly));
        }
        self.premoves[(!turn).index()] = Some(Premove { from: seat, ply, text });
        Ok(())
    }

    /// Plays the premove of the side to move, if there is one. It takes no time.
    async fn play_premove(&mut self) {
        let turn = self.table.turn();
        let waits = self.premoves[turn.index()].as_ref();
        if waits.is_none_or(|premove| premove.ply > self.table.plies()) {
            return;
        }
        let Some(premove) = self.premoves[turn.index()].take() else { return };
        let fits = premove.ply == self.table.plies()
            && self.connections.has(premove.from)
            && self.table.check_live().is_ok();
        let m = if fits { self.table.read_move(premove.ply, &premove.text).ok() } else { None };
        let played = match m {
            Some(m) => self.make(m, true).await.is_ok(),
            None => false,
        };
        self.connections.tell(premove.from, &ServerMessage::Premoved { played });
    }

    async fn offer_draw(&mut self, side: Color, shared: bool) -> Result<(), Refused> {
        self.table.check_live()?;
        let agreed = shared
            || self.table.stored.offer == Some(Offer::Draw(!side))
            || self.table.engine().is_some() && self.opinion.takes_draw(self.table.plies());
        if agreed {
            return self.finish(|game| Some(game.agree_to_draw())).await;
        }
        if self.table.engine().is_some() {
            return Err(Refused::because(Refusal::Nothing, "the engine plays on"));
        }
        self.check_offers(side)?;
        self.set_offer(Some(Offer::Draw(side))).await
    }

    async fn offer_take_back(&mut self, side: Color, shared: bool) -> Result<(), Refused> {
        self.table.check_live()?;
        let asks = self.table.stored.offer == Some(Offer::TakeBack(!side));
        if asks {
            let plies = plies_to_take_back(&self.table, !side);
            return self.take_back(plies).await;
        }
        let plies = plies_to_take_back(&self.table, side);
        if shared {
            return self.take_back((self.table.plies() > 0).then_some(1)).await;
        }
        if self.table.engine().is_some() {
            return self.take_back(plies).await;
        }
        if plies.is_none() {
            return Err(Refused::new(Refusal::Nothing));
        }
        self.check_offers(side)?;
        self.set_offer(Some(Offer::TakeBack(side))).await
    }

    /// Refuses if the other side waits for an answer: its offer must not vanish behind another.
    fn check_offers(&self, side: Color) -> Result<(), Refused> {
        match self.table.stored.offer.filter(|offer| offerer(*offer) != side) {
            Some(_) => {
                Err(Refused::because(Refusal::Nothing, "answer the other side's offer first"))
            }
            None => Ok(()),
        }
    }

    async fn take_back(&mut self, plies: Option<usize>) -> Result<(), Refused> {
        let Some(plies) = plies else { return Err(Refused::new(Refusal::Nothing)) };
        // The engine must not answer a move that is no more.
        self.thinking = None;
        self.opinion.attempt();
        let now = self.now();
        let since = self.table.since_after_take_back(plies, now);
        let count = u16::try_from(plies).expect("one or two");
        let kept = self.app.store.take_back(self.id(), self.version(), count, since).await;
        let version = self.kept(kept).await?;
        self.table.take_back(plies, since, version);
        self.premoves = [None, None];
        let message = ServerMessage::TookBack {
            version: self.table.version(),
            plies: self.table.plies() as u32,
            position: self.table.position(),
            clock: self.table.clock(now),
        };
        self.connections.tell_all(&message);
        Ok(())
    }

    async fn decline(&mut self) -> Result<(), Refused> {
        self.table.check_live()?;
        if self.table.stored.offer.is_none() {
            return Err(Refused::new(Refusal::Nothing));
        }
        self.set_offer(None).await
    }

    async fn set_offer(&mut self, offer: Option<Offer>) -> Result<(), Refused> {
        if self.table.stored.offer == offer {
            return Ok(());
        }
        let kept = self.app.store.offer(self.id(), self.version(), offer).await;
        let version = self.kept(kept).await?;
        self.table.stored.version = version;
        self.table.stored.offer = offer;
        let what = offer.map(|offer| views::offer(offer).what);
        let by = offer.map(|offer| Side::from(offerer(offer)));
        let version = self.table.version();
        self.connections.tell_all(&ServerMessage::Offered { version, by, what });
        Ok(())
    }

    async fn claim_draw(&mut self, side: Color) -> Result<(), Refused> {
        self.table.check_live()?;
        if side != self.table.turn() {
            return Err(Refused::new(Refusal::NotYourTurn));
        }
        self.finish(Game::claim_draw).await
    }

    async fn resign(&mut self, side: Color) -> Result<(), Refused> {
        self.table.check_live()?;
        self.finish(|game| Some(game.resign(side))).await
    }

    async fn claim_flag(&mut self) -> Result<(), Refused> {
        self.table.check_live()?;
        if self.table.flag_at().is_none_or(|at| at > self.now()) {
            return Err(Refused::new(Refusal::Nothing));
        }
        self.flag_fell().await;
        Ok(())
    }

    async fn flag_fell(&mut self) {
        let turn = self.table.turn();
        if self.table.flag_at().is_some_and(|at| at <= self.now())
            && let Err(refused) = self.finish(|game| Some(game.flag(turn))).await
        {
            tracing::error!(game = %self.id(), detail = refused.detail, "a flag fell unseen");
            // The store is in trouble: don't ask it a thousand times a second.
            sleep(Duration::from_secs(1)).await;
        }
    }

    /// Ends the game by something else than a move.
    async fn finish(
        &mut self,
        end: impl FnOnce(&mut Game) -> Option<Outcome>,
    ) -> Result<(), Refused> {
        let Some((game, outcome)) = self.table.end(end) else {
            return Err(Refused::new(Refusal::Nothing));
        };
        let now = self.now();
        let clock = self.table.clock(now);
        let kept = self.app.store.finish(self.id(), self.version(), Some(outcome)).await;
        let version = self.kept(kept).await?;
        self.table.finish(game, outcome, version);
        let message = ServerMessage::Ended {
            version: self.table.version(),
            outcome: outcome.into(),
            clock: clock.map(|clock| wire::ClockView { running: None, ..clock }),
        };
        self.connections.tell_all(&message);
        self.ended();
        Ok(())
    }

    /// What follows the end of a game.
    fn ended(&mut self) {
        self.thinking = None;
        self.premoves = [None, None];
        if self.table.stored.rated == store::Rated::Due {
            let app = Arc::clone(&self.app);
            tokio::spawn(async move { rate_finished(&app).await });
        }
    }

    async fn want_rematch(&mut self, side: Color, shared: bool) -> Result<(), Refused> {
        if self.table.is_live() {
            return Err(Refused::because(Refusal::Nothing, "the game is not over yet"));
        }
        let engine = self.table.engine().is_some();
        let first = !self.rematch_wanted[side.index()];
        self.rematch_wanted[side.index()] = true;
        if !(shared || engine || self.rematch_wanted[(!side).index()]) {
            if first {
                self.connections.tell_all(&ServerMessage::RematchOffered { by: side.into() });
            }
            return Ok(());
        }
        let game = match &self.table.stored.rematch {
            Some(game) => game.clone(),
            None => rematch(&self.app, &self.table.stored)
                .await
                .map_err(|failure| Refused::because(Refusal::Broken, failure.detail))?,
        };
        self.table.stored.rematch = Some(game.clone());
        self.connections.tell_all(&ServerMessage::Rematch { game: game.to_string() });
        Ok(())
    }

    async fn sit(&mut self, claim: Claim) -> Result<GameView, Failure> {
        let color = self.seat_for(&claim)?;
        if let Some(color) = color {
            let Claim { player, own, .. } = claim;
            let own = own.hash();
            let kept =
                self.app.store.sit(self.id(), self.version(), color, &player, Some(&own)).await;
            let version = match kept {
                Ok(version) => version,
                Err(error) => {
                    self.reload().await;
                    return Err(error.into());
                }
            };
            self.table.sit(color, player, own, version);
            let message = ServerMessage::Seated {
                version: self.table.version(),
                white: views::player(&self.table.stored.white),
                black: views::player(&self.table.stored.black),
            };
            self.connections.tell_all(&message);
            // The secret of the link opens nothing any more.
            for seat in self.admit_again() {
                self.tell_state(seat);
            }
        }
        Ok(self.table.view(self.now(), &self.app.openings))
    }

    /// The seat that somebody may take; none if it is theirs already.
    fn seat_for(&self, claim: &Claim) -> Result<Option<Color>, Failure> {
        let stored = &self.table.stored;
        let opened = stored.seats.open.filter(|&color| stored.seats.opens(&claim.link, color));
        if let Some(color) = opened {
            let player = &claim.player;
            let same = player.user().is_some() && self.table.player(!color).user() == player.user();
            if same {
                let detail = "nobody plays against themselves by link";
                return Err(Failure::new(Kind::Forbidden, detail));
            }
            return Ok(Some(color));
        }
        // An answer may have got lost on its way.
        if Color::ALL.into_iter().any(|color| stored.seats.opens(&claim.own, color)) {
            return Ok(None);
        }
        Access::new(stored, &claim.who, &self.app.config.mode).watch()?;
        Err(match stored.seats.open {
            Some(_) => Failure::new(Kind::Forbidden, "the link is not the right one"),
            None => Failure::new(Kind::Taken, "the seat is taken"),
        })
    }

    /// Looks who of those here may still be here, and as what. Gives those who play other sides now.
    fn admit_again(&mut self) -> Vec<Seat> {
        let (stored, mode) = (&self.table.stored, &self.app.config.mode);
        self.connections.admit_again(|who| {
            let access = Access::new(stored, who, mode);
            access.watch().ok().map(|()| access.sides)
        })
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

    /// Lets the engine think when it is its turn.
    fn ask_engine(&mut self) {
        let turn = self.table.turn();
        let Some(level) = self.table.level(turn) else { return };
        if self.thinking.is_some()
            || self.table.check_live().is_err()
            || self.opinion.next_attempt().is_some()
        {
            return;
        }
        let owner = match self.table.player(!turn).user() {
            Some(user) => Owner::User(user),
            None => Owner::Game(self.id().clone()),
        };
        let most = self.app.config.most_on_clock();
        match self.app.pool.search(&owner, task(&self.table, level, self.now(), most)) {
            Ok(search) => self.thinking = Some(Thinking::new(self.table.plies(), search)),
            Err(failure) => {
                tracing::warn!(game = %self.id(), detail = failure.detail, "no search");
                self.opinion.wait();
            }
        }
    }

    /// Hears what the engine thinks, or plays its move.
    async fn hear(&mut self, thought: Thought) {
        let verdict = match thought {
            Thought::Lines(lines) => {
                let position = self.table.line().position();
                let thoughts = Thoughts::new(&lines, position, self.table.rules(), false);
                return self.connections.tell_all(&ServerMessage::Thinking { thoughts });
            }
            Thought::Done(verdict) => verdict,
        };
        let Some(thinking) = self.thinking.take() else { return };
        let Some(verdict) = verdict else {
            tracing::error!(game = %self.id(), "a search has failed");
            return self.opinion.failed();
        };
        if thinking.ply != self.table.plies() {
            return;
        }
        match self.make(verdict.best, false).await {
            Err(refused) if refused.reason != Refusal::Over => self.opinion.failed(),
            _ => self.opinion.succeeded(&verdict),
        }
        self.play_premove().await;
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
