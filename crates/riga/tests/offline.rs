//! Games that were played without the server and are uploaded later.

mod served;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use served::{Place, Served, Visitor};

const ID: &str = "abcDEF12345678";

fn path(id: &str) -> String {
    format!("/api/games/{id}")
}

/// A fool's mate against level 3.
fn mate() -> Value {
    json!({
        "game": { "opponent": { "type": "engine", "level": 3 }, "side": "black", "time": "60+1",
            "rules": "standard" },
        "created": 1_700_000_000_000_i64,
        "moves": ["f2f3", "e7e5", "g2g4", "d8h4"],
        "clocks": [60_500, 61_000, 60_000, 59_000],
        "outcome": { "winner": "black", "ending": "checkmate", "text": "" },
    })
}

async fn upload(visitor: &Visitor, id: &str, game: &Value, status: StatusCode) -> Value {
    visitor.ask(Method::PUT, &path(id), Some(game), status).await
}

#[tokio::test]
async fn an_offline_game_is_stored_exactly_once() {
    for place in
        [Place::sqlite(), tokio::task::spawn_blocking(Place::postgres).await.expect("a database")]
    {
        let served = Served::start(&place, &[]);
        let misha = served.visitor().with_profile("Misha").await;
        let stored = upload(&misha, ID, &mate(), StatusCode::CREATED).await;
        assert_eq!(stored["black"]["name"], "Misha");
        assert_eq!(stored["white"]["level"], 3);
        assert_eq!(stored["outcome"]["ending"], "checkmate");
        assert_eq!(upload(&misha, ID, &mate(), StatusCode::OK).await, stored);
        let games = misha.get("/api/games").await;
        assert_eq!(games["games"].as_array().expect("a list").len(), 1, "{games}");
        assert_eq!(games["games"][0]["played"], 1_700_000_000_000_i64);
        let pgn = misha.send(Method::GET, &format!("{}/pgn", path(ID)), None).await;
        let pgn = pgn.text().await.expect("a text");
        assert!(pgn.contains("Qh4# { [%clk 0:00:59] } 0-1"), "{pgn}");
    }
}

#[tokio::test]
async fn many_uploads_at_once_store_one_game() {
    let (place, tries) = (Place::sqlite(), 20);
    let served = Served::start(&place, &[]);
    let uploads = (0..tries).map(|_| {
        let visitor = served.visitor();
        tokio::spawn(
            async move { visitor.send(Method::PUT, &path(ID), Some(&mate())).await.status() },
        )
    });
    let mut statuses = Vec::new();
    for upload in uploads.collect::<Vec<_>>() {
        statuses.push(upload.await.expect("an answer"));
    }
    statuses.sort_unstable();
    assert!(statuses[..tries - 1].iter().all(|&status| status == StatusCode::OK), "{statuses:?}");
    assert_eq!(statuses[tries - 1], StatusCode::CREATED);
    let games = served.visitor().get("/api/games").await;
    assert_eq!(games["games"].as_array().expect("a list").len(), 1, "{games}");
}

#[tokio::test]
async fn a_guest_keeps_the_seat_and_nobody_takes_the_id() {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--public", "--origin", "http://chess.test"]);
    let (guest, seat) = (served.visitor(), "s".repeat(64));
    let address = format!("{}{}", guest.url, path(ID));
    let mut private = mate();
    private["game"]["visibility"] = json!("private");
    upload(&guest, ID, &private, StatusCode::BAD_REQUEST).await;
    let put = || Client::new().put(&address).header("x-seat", &seat).json(&private).send();
    assert_eq!(put().await.expect("an answer").status(), StatusCode::CREATED);
    assert_eq!(put().await.expect("an answer").status(), StatusCode::OK);
    let show = Client::new().get(&address).header("x-seat", &seat).send().await;
    assert_eq!(show.expect("an answer").status(), StatusCode::OK);
    guest.ask(Method::GET, &path(ID), None, StatusCode::NOT_FOUND).await;
    let eve = served.visitor().with_account("Eve").await;
    upload(&eve, ID, &mate(), StatusCode::CONFLICT).await;
}

/// A rated game can't be played offline: the server doesn't know who played it.
#[tokio::test]
async fn it_does_not_count() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let misha = served.visitor().with_profile("Misha").await;
    let mut rated = mate();
    rated["game"]["rated"] = json!(true);
    let stored = upload(&misha, ID, &rated, StatusCode::CREATED).await;
    assert_eq!(stored["rated"], false);
    let ratings = misha.get(&format!("/api/users/{}/ratings", misha.id().await)).await;
    assert_eq!(ratings, json!([]), "{ratings}");
}

#[tokio::test]
async fn what_cannot_have_been_played_is_refused() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let visitor = served.visitor();
    let change = |field: &str, value: Value| {
        let mut game = mate();
        *game.pointer_mut(field).expect("a field") = value;
        game
    };
    for wrong in [
        change("/moves", json!(["f2f3", "e7e5", "g2g4", "d8d4"])),
        change("/moves", json!(["f2f3", "e7e5", "g2g4"])),
        change("/clocks", json!([1, 2])),
        change("/clocks", json!([90_000, 61_000, 60_000, 59_000])),
        change("/outcome", json!(null)),
        change("/outcome/winner", json!("white")),
        change("/outcome/ending", json!("stalemate")),
        change("/game/side", json!(null)),
        change("/game/opponent", json!({ "type": "friend" })),
        change("/moves", json!(vec!["e2e4"; 1001])),
        change("/game/time", json!(null)),
        change("/game/rules", json!("chess960")),
    ] {
        let answer = visitor.send(Method::PUT, &path(ID), Some(&wrong)).await;
        assert!(answer.status().is_client_error(), "{wrong}: {}", answer.status());
    }
    // White is to move.
    let ended = |game: Value, plies: usize, outcome: Value| {
        let moves = &["f2f3", "e7e5", "g2g4", "b8c6"][..plies];
        let clocks = &[60_500, 61_000, 60_000, 59_000][..plies];
        json!({ "game": game, "created": 0, "moves": moves, "clocks": clocks, "outcome": outcome })
    };
    let timed =
        json!({ "opponent": { "type": "engine", "level": 3 }, "side": "black", "time": "60+1" });
    let by = |winner: Option<&str>, ending: &str| json!({ "winner": winner, "ending": ending, "text": "" });
    for (plies, outcome) in [
        (4, by(Some("white"), "time")),
        (0, by(Some("black"), "time")),
        (4, by(Some("black"), "forfeit")),
        (4, by(Some("black"), "resignation")),
        (0, by(None, "agreement")),
        (4, Value::Null),
    ] {
        let wrong = ended(timed.clone(), plies, outcome);
        let answer = visitor.send(Method::PUT, &path(ID), Some(&wrong)).await;
        assert!(answer.status().is_client_error(), "{wrong}: {}", answer.status());
    }
    for (number, (plies, outcome)) in [
        (4, by(Some("black"), "time")),
        (4, by(Some("white"), "resignation")),
        (4, by(None, "agreement")),
        (1, Value::Null),
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("abcDEF1234567{number}");
        upload(&visitor, &id, &ended(timed.clone(), plies, outcome), StatusCode::CREATED).await;
    }
    upload(&visitor, "short", &mate(), StatusCode::NOT_FOUND).await;
    upload(&visitor, ID, &mate(), StatusCode::CREATED).await;
}
