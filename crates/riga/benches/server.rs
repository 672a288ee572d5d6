//! How fast the server answers with five hundred concurrent games: `make bench`.
//!
//! Each game is played by one client for both sides, as a bot would: a move, a pause, a move.
//! Measured is the time from sending a move to the acknowledgement that it is on disk: once
//! undisturbed, and once while another visitor starts analyses all the time and imports 31 MiB of
//! games.

#[path = "../tests/served/mod.rs"]
mod served;

use std::fmt::Write;
use std::time::{Duration, Instant};

use chess::Position;
use reqwest::{Client, Method};
use serde_json::json;
use served::{Dice, Place, Served, Socket};

const GAMES: usize = 500;
const PLAYED: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_secs(2);
/// Size of an import, in bytes.
const IMPORT: usize = 31 << 20;

fn main() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    println!(
        "{GAMES} live games, each with a move every {} s, on one machine with the clients",
        PAUSE.as_secs()
    );
    println!(
        "{:<24}{:>10}{:>12}{:>12}{:>12}{:>12}",
        "store", "moves", "median", "99 %", "most", "stolen"
    );
    let pgn = games(IMPORT);
    for (name, place) in [("SQLite", Place::sqlite()), ("PostgreSQL", Place::postgres())] {
        for (disturbed, pgn) in [("", None), (", disturbed", Some(&pgn))] {
            let (start, before) = (Instant::now(), stolen());
            let mut times = runtime.block_on(measure(&place, pgn));
            let stolen =
                stolen().saturating_sub(before).as_secs_f64() / start.elapsed().as_secs_f64();
            times.sort_unstable();
            let at =
                |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
            println!(
                "{:<24}{:>10}{:>9.1} ms{:>9.1} ms{:>9.1} ms{:>10.1} %",
                format!("{name}{disturbed}"),
                times.len(),
                at(0.5),
                at(0.99),
                at(1.0),
                stolen * 100.0
            );
        }
    }
}

/// Processor time that the host of a virtual machine has given to others so far. While it does,
/// nothing answers, so the slowest answers are to be read with this beside them.
fn stolen() -> Duration {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let hundredths = stat.split_whitespace().nth(8).and_then(|steal| steal.parse().ok());
    Duration::from_millis(hundredths.unwrap_or(0) * 10)
}

/// Random games as PGN, of about this size.
fn games(size: usize) -> String {
    let mut dice = Dice(5);
    let mut text = String::new();
    for number in 0.. {
        if text.len() > size {
            break;
        }
        let mut position = Position::default();
        write!(text, "[White \"A{number}\"]\n[Black \"B\"]\n\n").expect("a string takes any text");
        for ply in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[dice.roll(moves.len())];
            if ply % 2 == 0 {
                write!(text, "{}. ", ply / 2 + 1).expect("a string takes any text");
            }
            write!(text, "{} ", position.san(m)).expect("a string takes any text");
            position = position.after(m);
        }
        text.push_str("*\n\n");
    }
    text
}

/// Starts analyses, four at a time, and imports games until it is aborted.
async fn disturb(url: String, pgn: String) {
    let analyse = async || loop {
        let body = json!({ "position": {}, "limits": { "time": 200 }, "lines": 3 });
        let request =
            Client::new().request(Method::POST, format!("{url}/api/analysis")).json(&body);
        if let Ok(answer) = request.send().await {
            let _ = answer.text().await;
        }
    };
    let import = async || loop {
        let request = Client::new().post(format!("{url}/api/games/import")).body(pgn.clone());
        request.send().await.expect("an answer").error_for_status().expect("imported");
    };
    tokio::join!(analyse(), analyse(), analyse(), analyse(), import());
}

async fn measure(place: &Place, import: Option<&String>) -> Vec<Duration> {
    let served = Served::start(place, &[]);
    let visitor = served.visitor();
    let mut games = Vec::new();
    for _ in 0..GAMES {
        let game = json!({ "opponent": { "type": "here", "name": "B" }, "time": "600+1" });
        let (id, seat, _) = visitor.begin(&game).await;
        games.push((id, seat));
    }
    let begin = Instant::now();
    let disturbing = import.map(|pgn| tokio::spawn(disturb(served.url.clone(), pgn.clone())));
    let playing: Vec<_> = games
        .into_iter()
        .enumerate()
        .map(|(number, (id, seat))| {
            let url = served.url.clone();
            tokio::spawn(async move {
                // The games are spread over time and keep their places: if each paused after the
                // answer, games that were held up together would move together from then on.
                let first = begin + PAUSE.mul_f64(number as f64 / GAMES as f64);
                tokio::time::sleep_until(first.into()).await;
                let mut socket = Socket::join(&url, &id, Some(&seat)).await.expect("joined");
                let mut moves = socket.state["game"]["position"]["moves"].clone();
                let mut times = Vec::new();
                for ply in 0..(PLAYED.as_secs() / PAUSE.as_secs()) as usize {
                    tokio::time::sleep_until((first + PAUSE * ply as u32).into()).await;
                    let list = moves.as_array().expect("a list");
                    let Some(chosen) = list.get((ply * 7 + number) % list.len().max(1)) else {
                        break;
                    };
                    let message = json!({ "type": "play", "ply": ply, "move": chosen["uci"] });
                    let start = Instant::now();
                    let (told, answer) = socket.say(message).await.expect("an answer");
                    times.push(start.elapsed());
                    assert_eq!(answer["type"], "done", "{answer}");
                    let played = told.iter().rfind(|told| told["type"] == "played").expect("told");
                    moves = played["position"]["moves"].clone();
                }
                times
            })
        })
        .collect();
    let mut times = Vec::new();
    for game in playing {
        times.extend(game.await.expect("a game goes on"));
    }
    if let Some(disturbing) = disturbing {
        disturbing.abort();
        println!("{} MiB of memory after importing and analysing", served.memory() >> 10);
    }
    times
}
