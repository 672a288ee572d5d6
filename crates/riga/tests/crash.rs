//! The server is killed at random moments of many games. After a restart everything it had
//! acknowledged is there, exactly once, and the clocks have not run in the meantime.
//!
//! `RIGA_SOAK_GAMES` and `RIGA_SOAK_KILLS` make it longer: `make soak`.

mod served;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use served::{Dice, Place, Served, Socket};
use tokio::sync::watch;

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A moment between two instants.
#[derive(Copy, Clone)]
struct Span(Instant, Instant);

impl Span {
    /// The least and the most time from another moment to this one.
    fn since(self, other: Self) -> [Duration; 2] {
        [self.0.saturating_duration_since(other.1), self.1.saturating_duration_since(other.0)]
    }
}

/// A game played by one client for both sides, and what the server has acknowledged of it.
struct Scripted {
    id: String,
    seat: String,
    dice: Dice,
    acknowledged: Vec<String>,
    /// A move that was sent and not answered.
    sent: Option<String>,
    /// The clocks of both sides when the last move was played, and when that was.
    clock: Option<([u64; 2], Span)>,
    /// The longest time in milliseconds that a move of any game waited for its answer.
    slowest: Arc<AtomicU64>,
    over: bool,
}

impl Scripted {
    /// Plays until the server is gone or the game is over.
    async fn play(&mut self, url: &str, started: Span, died: &watch::Receiver<Option<Span>>) {
        let asked = Instant::now();
        let Ok(mut socket) = Socket::join(url, &self.id, Some(&self.seat)).await else {
            // The clock has run for an unknown time.
            self.clock = None;
            return;
        };
        let joined = Span(asked, Instant::now());
        let state = socket.state["game"].clone();
        self.check(&state, started, joined, *died.borrow());
        let mut position = state["position"].clone();
        while !self.over {
            let moves = position["moves"].as_array().expect("a list");
            if moves.is_empty() {
                self.over = true;
                return;
            }
            let chosen = moves[self.dice.roll(moves.len())]["uci"].as_str().expect("a move");
            self.sent = Some(chosen.to_owned());
            let ply = self.acknowledged.len();
            let message = json!({ "type": "play", "ply": ply, "move": chosen });
            let sent = Instant::now();
            let Ok((told, answer)) = socket.say(message).await else { return };
            assert_eq!(answer["type"], "done", "{answer}");
            let played = told.iter().rfind(|message| message["type"] == "played");
            let played = played.expect("it is told before it is acknowledged");
            self.acknowledged.extend(self.sent.take());
            let waited = sent.elapsed().as_millis() as u64;
            self.slowest.fetch_max(waited, Ordering::Relaxed);
            self.clock = Some((both(&played["clock"]), Span(sent, Instant::now())));
            position = played["position"].clone();
            let pause = 10 + self.dice.roll(60) as u64;
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
    }

    /// Checks the game on the server after a restart.
    fn check(&mut self, game: &Value, started: Span, told: Span, died: Option<Span>) {
        let moves: Vec<&str> = game["moves"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|m| m["uci"].as_str())
            .collect();
        let known = self.acknowledged.len();
        assert!(
            moves.len() >= known,
            "game {}: {known} acknowledged, {} there",
            self.id,
            moves.len()
        );
        assert_eq!(moves[..known], self.acknowledged, "game {}", self.id);
        let extra = &moves[known..];
        // A move in flight may have arrived; nothing else can be there.
        assert!(extra.len() <= 1, "game {}: {extra:?} was never sent", self.id);
        if let Some(&extra) = extra.first() {
            assert_eq!(Some(extra), self.sent.as_deref(), "game {}", self.id);
            self.acknowledged.push(extra.to_owned());
        } else if let (Some((clock, at)), Some(died)) = (self.clock, died)
            && game["status"] == "live"
        {
            let turn = usize::from(game["position"]["turn"] == "black");
            let ([before, before_most], [after, after_most]) =
                (died.since(at), told.since(started));
            let least = (before + after).as_millis() as u64;
            let most = (before_most + after_most).as_millis() as u64;
            let now = both(&game["clock"]);
            let ran = clock[turn] - now[turn];
            // A heartbeat that waits for the disk as long as the moves do comes late by as much.
            let late = self.slowest.load(Ordering::Relaxed);
            assert!(
                least < ran + 1000 + late && ran < most + 1000,
                "game {}: {ran} ms on the clock, {least} to {most} passed, answers took {late}",
                self.id
            );
            assert_eq!(now[1 - turn], clock[1 - turn], "game {}: the other clock", self.id);
        }
        self.sent = None;
        self.over = game["status"] != "live";
    }
}

fn both(clock: &Value) -> [u64; 2] {
    ["white", "black"].map(|side| clock[side].as_u64().expect("a clock"))
}

/// A server, and when its clocks started to run.
fn start(place: &Place) -> (Served, Span) {
    let begun = Instant::now();
    let served = Served::start(place, &[]);
    (served, Span(begun, Instant::now()))
}

async fn survive(place: Place, seed: u64) {
    let games = number("RIGA_SOAK_GAMES", 12);
    let kills = number("RIGA_SOAK_KILLS", 3);
    let mut dice = Dice(seed);
    let (mut served, mut started) = start(&place);
    let visitor = served.visitor();
    let mut scripted = Vec::new();
    let slowest = Arc::new(AtomicU64::new(0));
    for i in 0..games {
        let game = json!({ "opponent": { "type": "here", "name": "B" }, "time": "600+1" });
        let (id, seat, _) = visitor.begin(&game).await;
        let dice = Dice(seed + i as u64);
        scripted.push(Scripted {
            id,
            seat,
            dice,
            acknowledged: Vec::new(),
            sent: None,
            clock: None,
            slowest: Arc::clone(&slowest),
            over: false,
        });
    }
    let moves = Arc::new(AtomicU64::new(0));
    let (died, death) = watch::channel(None);
    for _ in 0..=kills {
        let mut playing = Vec::new();
        for mut game in scripted.drain(..) {
            let (url, death, moves) = (served.url.clone(), death.clone(), Arc::clone(&moves));
            playing.push(tokio::spawn(async move {
                let before = game.acknowledged.len();
                game.play(&url, started, &death).await;
                moves.fetch_add((game.acknowledged.len() - before) as u64, Ordering::Relaxed);
                game
            }));
        }
        tokio::time::sleep(Duration::from_millis(700 + dice.roll(1300) as u64)).await;
        let killed = Instant::now();
        served.kill();
        died.send_replace(Some(Span(killed, Instant::now())));
        for game in playing {
            scripted.push(game.await.expect("a game is as it was"));
        }
        tokio::time::sleep(Duration::from_millis(1500)).await;
        (served, started) = start(&place);
    }
    // Check all of them once more.
    let visitor = served.visitor();
    for game in &mut scripted {
        let asked = Instant::now();
        let now = visitor.get(&format!("/api/games/{}", game.id)).await;
        game.check(&now, started, Span(asked, Instant::now()), *death.borrow());
    }
    let moves = moves.load(Ordering::Relaxed);
    let slowest = slowest.load(Ordering::Relaxed);
    println!(
        "{games} games, {} kills, {moves} moves acknowledged, the slowest after {slowest} ms",
        kills + 1
    );
    assert!(moves as usize > games * kills, "hardly anything was played: {moves}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_on_sqlite() {
    survive(Place::sqlite(), 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_or_doubled_on_postgresql() {
    survive(tokio::task::spawn_blocking(Place::postgres).await.expect("a database"), 2).await;
}
