//! The database hangs, dies and moves away during many games. Every acknowledged move is there
//! afterwards, exactly once; nobody has lost on time; and no request waits longer than a few
//! seconds.
//!
//! `RIGA_SOAK_OUTAGE_GAMES` makes it larger: `make soak`.

mod served;

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use served::postgres::Server;
use served::{Dice, Place, Served, Socket, Visitor};
use tokio::sync::watch;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{sleep, timeout};

/// Nothing may take longer. The limit of the store is two seconds; a request may need it twice.
const LONGEST: Duration = Duration::from_secs(8);

/// A flag falls five seconds after the other side's move, however long the game.
const CLOCK: &str = "3d2";

/// Longer than that.
const OUTAGE: Duration = Duration::from_secs(7);

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A game played by one client for both sides.
struct Scripted {
    id: String,
    seat: String,
    dice: Dice,
    acknowledged: Vec<String>,
    /// A move that was sent and not acknowledged. The same one is sent again.
    sent: Option<String>,
    refusals: usize,
}

impl Scripted {
    /// Plays until told to stop.
    async fn play(mut self, url: String, stop: watch::Receiver<bool>) -> Self {
        while !*stop.borrow() {
            let joined = timeout(LONGEST, Socket::join(&url, &self.id, Some(&self.seat))).await;
            match joined.expect("an answer in time") {
                Ok(socket) => self.play_on(socket, &stop).await,
                Err(_) => sleep(Duration::from_millis(200)).await,
            }
        }
        self
    }

    /// Plays until told to stop, or until the position is unknown.
    async fn play_on(&mut self, mut socket: Socket, stop: &watch::Receiver<bool>) {
        let mut game = socket.state["game"].clone();
        self.check(&game);
        while !*stop.borrow() {
            let moves = game["position"]["moves"].as_array().expect("a list");
            if self.sent.is_none() {
                assert!(!moves.is_empty(), "game {} is over: {}", self.id, game["outcome"]);
                let chosen = moves[self.dice.roll(moves.len())]["uci"].as_str();
                self.sent = chosen.map(str::to_owned);
            }
            let ply = self.acknowledged.len();
            let message = json!({ "type": "play", "ply": ply, "move": self.sent });
            let said = timeout(LONGEST, socket.say(message)).await;
            let Ok((told, answer)) = said.expect("an answer in time") else { return };
            let over = told.iter().find(|message| message["type"] == "ended");
            assert!(over.is_none(), "game {}: {over:?}", self.id);
            if answer["type"] == "done" {
                self.acknowledged.extend(self.sent.take());
                let Some(played) = told.iter().rfind(|message| message["type"] == "played") else {
                    return;
                };
                game = played.clone();
                if !played["outcome"].is_null() {
                    // A short game by the rules.
                    return self.rest(stop).await;
                }
            } else {
                assert_eq!(answer["reason"], "broken", "game {}: {answer}", self.id);
                self.refusals += 1;
                sleep(Duration::from_millis(200)).await;
            }
            sleep(Duration::from_millis(50 + self.dice.roll(100) as u64)).await;
        }
    }

    async fn rest(&self, stop: &watch::Receiver<bool>) {
        let _ = stop.clone().wait_for(|stop| *stop).await;
    }

    /// Checks the game on the server.
    fn check(&mut self, game: &Value) {
        let moves = game["moves"].as_array().expect("a list").iter();
        let moves: Vec<&str> = moves.filter_map(|m| m["uci"].as_str()).collect();
        let known = self.acknowledged.len();
        assert!(moves.len() >= known, "game {}: {known} acknowledged, {}", self.id, moves.len());
        assert_eq!(moves[..known], self.acknowledged, "game {}", self.id);
        let extra = &moves[known..];
        assert!(extra.len() <= 1, "game {}: {extra:?} was never sent", self.id);
        if let Some(&extra) = extra.first() {
            assert_eq!(Some(extra), self.sent.as_deref(), "game {}", self.id);
            self.acknowledged.extend(self.sent.take());
        }
        let ending = game["outcome"]["ending"].as_str().unwrap_or_default();
        assert!(!ending.contains("time"), "game {} was lost on time: {game}", self.id);
    }
}

async fn health(visitor: &Visitor) -> StatusCode {
    let asked = visitor.send(Method::GET, "/health", None);
    timeout(LONGEST, asked).await.expect("an answer in time").status()
}

/// The server's games, and those who play them.
struct Crowd {
    served: Served,
    playing: Vec<JoinHandle<Scripted>>,
    stop: watch::Sender<bool>,
}

impl Crowd {
    async fn gather(place: &Place) -> Self {
        let served = Served::start(place, &[]);
        let (stop, stopped) = watch::channel(false);
        let visitor = served.visitor();
        let mut playing = Vec::new();
        for i in 0..number("RIGA_SOAK_OUTAGE_GAMES", 6) {
            let game = json!({ "opponent": { "type": "here", "name": "B" }, "time": CLOCK });
            let (id, seat, _) = visitor.begin(&game).await;
            let dice = Dice(i as u64 + 1);
            let scripted =
                Scripted { id, seat, dice, acknowledged: Vec::new(), sent: None, refusals: 0 };
            playing.push(tokio::spawn(scripted.play(served.url.clone(), stopped.clone())));
        }
        sleep(Duration::from_secs(2)).await;
        Self { served, playing, stop }
    }

    /// The server is in trouble for a while, says so, and recovers.
    async fn endure(&self, lasts: Duration) {
        let start = Instant::now();
        let visitor = self.served.visitor();
        let mut told = false;
        while start.elapsed() < lasts {
            told |= health(&visitor).await == StatusCode::SERVICE_UNAVAILABLE;
            let games = visitor.send(Method::GET, "/api/games", None);
            timeout(LONGEST, games).await.expect("an answer in time");
            sleep(Duration::from_millis(200)).await;
        }
        assert!(told, "it was healthy all the time");
    }

    async fn recover(&self) {
        let start = Instant::now();
        let visitor = self.served.visitor();
        while health(&visitor).await != StatusCode::OK {
            assert!(start.elapsed() < Duration::from_secs(20), "it does not recover");
            sleep(Duration::from_millis(100)).await;
        }
        sleep(Duration::from_secs(2)).await;
    }

    /// Ends the games and checks them, before and after a restart.
    async fn end(self, place: &Place) {
        self.stop.send_replace(true);
        let mut scripted = Vec::new();
        for game in self.playing {
            scripted.push(game.await.expect("a game is as it was"));
        }
        let mut served = self.served;
        for restarted in [false, true] {
            if restarted {
                served.kill();
                served = Served::start(place, &[]);
            }
            let visitor = served.visitor();
            for game in &mut scripted {
                let now = visitor.get(&format!("/api/games/{}", game.id)).await;
                game.check(&now);
            }
        }
        let moves: usize = scripted.iter().map(|game| game.acknowledged.len()).sum();
        let refusals: usize = scripted.iter().map(|game| game.refusals).sum();
        println!("{} games, {moves} moves acknowledged, {refusals} refused", scripted.len());
        assert!(moves > 5 * scripted.len(), "hardly anything was played: {moves}");
        assert!(refusals > 0, "nobody has noticed the outages");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_loses_while_postgresql_hangs() {
    let server = spawn_blocking(Server::start).await.expect("a server");
    let place = Place::on(&server);
    let crowd = Crowd::gather(&place).await;
    server.pause();
    crowd.endure(OUTAGE).await;
    server.resume();
    crowd.recover().await;
    // Too short to be an outage, but long enough for a move to wait.
    server.pause();
    sleep(Duration::from_millis(1200)).await;
    server.resume();
    crowd.recover().await;
    crowd.end(&place).await;
}

/// PostgreSQL ends, and is started again.
async fn nobody_loses_after(end: fn(&Server)) {
    let server = Arc::new(spawn_blocking(Server::start).await.expect("a server"));
    let place = Place::on(&server);
    let crowd = Crowd::gather(&place).await;
    let ended = Arc::clone(&server);
    spawn_blocking(move || end(&ended)).await.expect("it ends");
    crowd.endure(OUTAGE).await;
    let again = Arc::clone(&server);
    spawn_blocking(move || again.restart()).await.expect("it starts");
    crowd.recover().await;
    crowd.end(&place).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_loses_by_a_crash_of_postgresql() {
    nobody_loses_after(Server::kill).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_loses_by_a_restart_of_postgresql() {
    nobody_loses_after(Server::stop).await;
}

/// The database hangs just before a flag falls: the player has as much longer.
async fn flagged_during(pause: Duration) {
    let postgres = spawn_blocking(Server::start).await.expect("a server");
    let place = Place::on(&postgres);
    let served = Served::start(&place, &[]);
    let game = json!({ "opponent": { "type": "here", "name": "B" }, "time": CLOCK });
    let (id, seat, _) = served.visitor().begin(&game).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    socket.play(0, "e4").await;
    socket.play(1, "e5").await;
    let start = Instant::now();
    sleep(Duration::from_millis(4600)).await;
    postgres.pause();
    sleep(pause).await;
    postgres.resume();
    // A socket is silent for ten seconds at most.
    let ended = socket.wait_for("ended").await;
    let had = start.elapsed();
    assert_eq!(ended["outcome"]["ending"], "time", "{ended}");
    assert!(had >= Duration::from_millis(4950) + pause, "{had:?} with a pause of {pause:?}");
    assert!(served.stop());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_hangs_costs_nobody_time() {
    let pauses = [Duration::from_millis(1200), Duration::from_secs(4)];
    futures_util::future::join_all(pauses.map(flagged_during)).await;
}

#[tokio::test]
async fn a_full_disk_is_said_and_forgotten() {
    let place = Place::sqlite();
    let served = Served::with_file_size(2048, &place, &[]);
    let visitor = served.visitor();
    let game = json!({ "opponent": { "type": "here", "name": "B" }, "time": "600" });
    let (id, seat, _) = visitor.begin(&game).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    socket.play(0, "e4").await;
    let unavailable = [StatusCode::SERVICE_UNAVAILABLE, StatusCode::INSUFFICIENT_STORAGE];
    let refused = loop {
        let answer = visitor.send(Method::POST, "/api/games", Some(&game)).await;
        if answer.status() != StatusCode::CREATED {
            break answer.status();
        }
    };
    assert!(unavailable.contains(&refused), "{refused}");
    let shown = health(&visitor).await;
    assert!(unavailable.contains(&shown), "{shown}");
    // There may be room for a move; if not, it can be sent again.
    let play = json!({ "type": "play", "ply": 1, "move": "e5" });
    let (_, answer) = socket.say(play.clone()).await.expect("an answer");
    assert!(answer["type"] == "done" || answer["reason"] == "broken", "{answer}");
    served.let_files_grow();
    let start = Instant::now();
    while health(&visitor).await != StatusCode::OK {
        assert!(start.elapsed() < Duration::from_secs(15), "it does not recover");
        sleep(Duration::from_millis(200)).await;
    }
    // The game goes on as soon as the room has heard of it.
    while socket.say(play.clone()).await.expect("an answer").1["type"] != "done" {
        assert!(start.elapsed() < Duration::from_secs(15), "the game does not go on");
        sleep(Duration::from_millis(200)).await;
    }
    assert_eq!(visitor.get(&format!("/api/games/{id}")).await["moves"][1]["san"], "e5");
    assert!(served.stop());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_loses_by_a_file_that_is_moved_away() {
    let place = Place::sqlite();
    let crowd = Crowd::gather(&place).await;
    let aside = format!("{}.aside", place.database);
    std::fs::rename(&place.database, &aside).expect("moved");
    assert_eq!(health(&crowd.served.visitor()).await, StatusCode::SERVICE_UNAVAILABLE);
    crowd.endure(OUTAGE).await;
    std::fs::rename(&aside, &place.database).expect("moved back");
    crowd.recover().await;
    crowd.end(&place).await;
}
