//! Clients that disconnect, repeat, reorder and send garbage at random. No move is lost or
//! duplicated, no game gets stuck, and memory stays flat.
//!
//! `RIGA_SOAK_SECONDS` makes it longer: `make soak`.

mod served;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use served::{Dice, Place, Served, Socket};

/// One of two players of a game, and what was acknowledged.
struct Client {
    url: String,
    game: String,
    seat: String,
    dice: Dice,
    /// Plies and moves that the server has acknowledged to this client and that were not taken
    /// back.
    acknowledged: Vec<(usize, String)>,
}

/// Ids from 9000 on belong to messages whose answers are not awaited.
const GARBAGE: [&str; 8] = [
    "",
    "null",
    "{\"type\":\"play\"}",
    "{\"type\":\"play\",\"id\":9001,\"ply\":4000000000,\"move\":\"e2e4\"}",
    "{\"type\":\"play\",\"id\":-1,\"ply\":0,\"move\":\"e2e4\"}",
    "{\"type\":\"offer\",\"id\":9002,\"what\":\"a piece\"}",
    "{\"type\":\"rematch\",\"id\":9003}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
];

impl Client {
    async fn run(mut self, until: Instant) -> Self {
        while Instant::now() < until {
            // A connection may break at any point; the next one gets the whole state.
            let _ = self.connection(until).await;
        }
        self
    }

    async fn connection(&mut self, until: Instant) -> Result<(), String> {
        let mut socket = Socket::join(&self.url, &self.game, Some(&self.seat)).await?;
        let mut game = socket.state["game"].clone();
        let mine = socket.state["sides"][0].clone();
        for _ in 0..self.dice.roll(30) {
            if Instant::now() >= until || game["status"] != "live" {
                break;
            }
            let ply = game["moves"].as_array().map_or(0, Vec::len);
            let moves = game["position"]["moves"].as_array().cloned().unwrap_or_default();
            match self.dice.roll(10) {
                0 => socket.send_text(GARBAGE[self.dice.roll(GARBAGE.len())]).await?,
                1 => return Ok(()),
                // A stale or premature move.
                2 => {
                    let ply = (ply + self.dice.roll(5)).saturating_sub(2);
                    let stale = json!({ "type": "play", "id": 9009, "ply": ply, "move": "e2e4" });
                    socket.send(&stale).await?;
                }
                3 => socket.send(&json!({ "type": "offer", "id": 9008, "what": "draw" })).await?,
                4 => socket.send(&json!({ "type": "decline", "id": 9008 })).await?,
                _ if game["position"]["turn"] == mine && !moves.is_empty() => {
                    let m = moves[self.dice.roll(moves.len())]["uci"]
                        .as_str()
                        .expect("a move")
                        .to_owned();
                    let message = json!({ "type": "play", "ply": ply, "move": m });
                    // Send it again before and after.
                    for _ in 0..self.dice.roll(3) {
                        let mut again = message.clone();
                        again["id"] = json!(9007);
                        socket.send(&again).await?;
                    }
                    let (told, answer) = socket.say(message).await?;
                    for message in &told {
                        apply(&mut game, message);
                    }
                    if answer["type"] == "done" {
                        self.acknowledged.push((ply, m));
                    }
                }
                _ => tokio::time::sleep(Duration::from_millis(self.dice.roll(20) as u64)).await,
            }
            look(&mut socket, &mut game).await?;
        }
        if self.dice.roll(2) == 0 {
            socket.close().await;
        }
        Ok(())
    }
}

/// Reads the messages that have arrived, without waiting.
async fn look(socket: &mut Socket, game: &mut Value) -> Result<(), String> {
    while let Ok(message) = tokio::time::timeout(Duration::from_millis(2), socket.next()).await {
        apply(game, &message?);
    }
    Ok(())
}

/// Keeps a game up to date.
fn apply(game: &mut Value, message: &Value) {
    match message["type"].as_str() {
        Some("played") => {
            let moves = game["moves"].as_array_mut().expect("a list");
            let ply = message["ply"].as_u64().expect("a number") as usize;
            assert_eq!(moves.len(), ply, "a message is missing");
            moves.push(message["played"].clone());
            game["position"] = message["position"].clone();
            if message["outcome"] != Value::Null {
                game["status"] = json!("finished");
            }
        }
        Some("ended") => game["status"] = json!("finished"),
        Some("state") => *game = message["game"].clone(),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unruly_clients_break_nothing() {
    let seconds = std::env::var("RIGA_SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let seconds: u64 = seconds.unwrap_or(6);
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let visitor = served.visitor();
    let mut rounds = 0;
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut memory = None;
    while Instant::now() < end {
        let until = (Instant::now() + Duration::from_secs(3)).min(end);
        let mut clients = Vec::new();
        for game in 0..10_u64 {
            let new = json!({ "opponent": { "type": "friend" }, "side": "white" });
            let (id, seat, friend) = visitor.begin(&new).await;
            let friend = friend.expect("a secret");
            let friend = visitor.sit(&id, &friend).await;
            for (side, seat) in [seat, friend].into_iter().enumerate() {
                let dice = Dice(rounds * 1000 + game * 2 + side as u64);
                let (url, game) = (served.url.clone(), id.clone());
                let client = Client { url, game, seat, dice, acknowledged: Vec::new() };
                clients.push(tokio::spawn(client.run(until)));
            }
        }
        for client in clients {
            let client = client.await.expect("a client ends well");
            let game = visitor.get(&format!("/api/games/{}", client.game)).await;
            let moves = game["moves"].as_array().expect("a list");
            for (ply, m) in &client.acknowledged {
                assert_eq!(moves[*ply]["uci"], *m, "game {} ply {ply}", client.game);
            }
            // No game is stuck: it can still be ended.
            let mut socket =
                Socket::join(&served.url, &client.game, Some(&client.seat)).await.expect("joined");
            if socket.state["game"]["status"] == "live" {
                let (_, answer) = socket.say(json!({ "type": "resign" })).await.expect("an answer");
                assert_eq!(answer["type"], "done", "{answer}");
            }
        }
        rounds += 1;
        // The first rounds fill caches.
        if rounds == 2 {
            memory = Some(served.memory());
        }
    }
    if let Some(before) = memory {
        let after = served.memory();
        println!("{rounds} rounds, memory {before} kB, then {after} kB");
        assert!(after < before + 40_000, "memory grew from {before} to {after} kB");
    }
    assert!(served.stop());
}
