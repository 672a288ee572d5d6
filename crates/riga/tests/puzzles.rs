//! Puzzles and statistics from reviews, over HTTP.

mod served;

use std::sync::Arc;

use chess::{Color, Outcome, Position, WinReason};
use engine::{Engine, Options};
use game::live::End;
use reqwest::{Method, StatusCode};
use review::{Effort, Plan, review};
use serde_json::{Value, json};
use served::{Place, Served, Visitor};
use store::{GameId, NewGame, NewReview, Player, Store, UserId};

/// White misses a mate.
const MOVES: &str = "e4 e5 Bc4 Nc6 Qh5 Nf6 Qf3 Nd4";

fn finished(white: Player, black: Player) -> NewGame {
    let mut game = NewGame::live(Position::default(), white, black);
    for text in MOVES.split(' ') {
        let m = game.line.position().parse_san(text).expect("legal");
        game.line.play(m).expect("legal");
    }
    game.end = Some(End::Over(Outcome::Win(Color::Black, WinReason::Resignation)));
    game
}

/// Stores a game of a user, with its review.
async fn reviewed(store: &dyn Store, user: &Visitor, name: &str) -> GameId {
    let white = Player::User { id: UserId(user.id().await), name: name.to_owned() };
    let black = Player::Guest { name: "Guest".to_owned() };
    let id = store.create_game(finished(white, black)).await.expect("kept");
    let game = store.game(&id).await.expect("kept").to_game().expect("it can be replayed");
    let report = tokio::task::spawn_blocking(move || {
        let plan = Plan { effort: Effort::Nodes(4_000), ..Plan::default() };
        let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
        review(&game, &mut engine, &plan, "Riga").expect("it can be reviewed")
    });
    let report = serde_json::to_value(report.await.expect("reviewed")).expect("plain data");
    let new = NewReview { fingerprint: "test".to_owned(), report };
    store.put_review(&id, &new).await.expect("kept");
    id
}

async fn start(public: bool) -> (Place, Served, Arc<dyn Store>) {
    let place = Place::sqlite();
    let options: &[&str] =
        if public { &["--public", "--origin", "http://chess.test"] } else { &[] };
    let served = Served::start(&place, options);
    let store = store::open(&place.database).await.expect("it opens");
    (place, served, store)
}

#[tokio::test]
async fn a_puzzle_is_solved_and_comes_back_later() {
    let (_place, served, store) = start(false).await;
    let misha = served.visitor().with_profile("Misha").await;
    assert_eq!(misha.get("/api/puzzles").await, json!({ "puzzles": [], "next": null }));
    let game = reviewed(&*store, &misha, "Misha").await;
    let page = misha.get("/api/puzzles?due=true").await;
    let puzzle = &page["puzzles"][0];
    assert_eq!((&puzzle["game"], &puzzle["ply"]), (&json!(game.to_string()), &json!(6)));
    assert_eq!(puzzle["solution"], json!(["h5f7"]));
    assert_eq!((&puzzle["kind"], &puzzle["played"]), (&json!("chance"), &json!("Qf3")));
    assert_eq!((&puzzle["side"], &puzzle["before"]), (&json!("white"), &json!("g8f6")));
    assert_eq!(puzzle["themes"], json!(["mate"]));
    let count = misha.get("/api/puzzles/count").await;
    assert_eq!((&count["due"], &count["all"]), (&json!(1), &json!(1)));
    let tries = format!("/api/puzzles/{}/tries", puzzle["id"]);
    let wrong = misha.post(&tries, &json!({ "moves": ["h5e5"], "hints": 0 })).await;
    assert_eq!(wrong["solved"], false);
    let right = json!({ "moves": ["h5f7"], "hints": 0, "time": 2000 });
    let solved = misha.post(&format!("{tries}?language=de"), &right).await;
    assert_eq!(solved["solved"], true);
    assert!(solved["why"].as_str().is_some_and(|why| why.contains("Dxf7#")), "{solved}");
    assert!(solved["due"].as_i64() > wrong["due"].as_i64(), "{wrong} {solved}");
    assert_eq!(misha.get("/api/puzzles/count").await["due"], 0);
    assert_eq!(misha.get("/api/puzzles?due=true").await["puzzles"], json!([]));
    let known = &misha.get("/api/puzzles?theme=mate").await["puzzles"][0];
    assert_eq!((&known["tries"], &known["solved"]), (&json!(2), &json!(1)));
    assert_eq!(misha.get("/api/puzzles?theme=fork").await["puzzles"], json!([]));
    assert_eq!(misha.get("/api/puzzles?page=1").await["puzzles"], json!([]));
    let pgn = misha.send(Method::GET, "/api/puzzles/export", None).await;
    let pgn = pgn.text().await.expect("a text");
    assert!(pgn.contains("[FEN \"") && pgn.contains("4. Qxf7#"), "{pgn}");
    let path = format!("/api/puzzles/{}", puzzle["id"]);
    misha.ask(Method::DELETE, &path, None, StatusCode::NO_CONTENT).await;
    assert_eq!(misha.get("/api/puzzles/count").await["all"], 0);
}

#[tokio::test]
async fn nobody_sees_the_puzzles_of_others() {
    let (_place, served, store) = start(true).await;
    let misha = served.visitor().with_account("Misha").await;
    let eve = served.visitor().with_account("Eve").await;
    reviewed(&*store, &misha, "Misha").await;
    let id = misha.get("/api/puzzles").await["puzzles"][0]["id"].clone();
    let lists =
        ["/api/puzzles", "/api/puzzles/count", "/api/puzzles/export", "/api/statistics/reviews"];
    for path in lists {
        served.visitor().ask(Method::GET, path, None, StatusCode::UNAUTHORIZED).await;
    }
    assert_eq!(eve.get("/api/puzzles").await["puzzles"], json!([]));
    assert_eq!(eve.get("/api/puzzles/count").await["all"], 0);
    assert_eq!(eve.get("/api/statistics/reviews").await["games"], 0);
    let export = eve.send(Method::GET, "/api/puzzles/export", None).await;
    assert_eq!(export.text().await.expect("a text"), "");
    let tries = format!("/api/puzzles/{id}/tries");
    let solution = json!({ "moves": ["h5f7"] });
    eve.ask(Method::POST, &tries, Some(&solution), StatusCode::NOT_FOUND).await;
    eve.ask(Method::DELETE, &format!("/api/puzzles/{id}"), None, StatusCode::NOT_FOUND).await;
    assert_eq!(misha.get("/api/puzzles").await["puzzles"][0]["tries"], 0);
}

#[tokio::test]
async fn nonsense_is_refused() {
    let (_place, served, store) = start(false).await;
    let misha = served.visitor().with_profile("Misha").await;
    reviewed(&*store, &misha, "Misha").await;
    let id = misha.get("/api/puzzles").await["puzzles"][0]["id"].clone();
    for query in ["theme=%25", "theme=nonsense", "page=-1", "page=1001", "due=maybe", "x=1"] {
        let path = format!("/api/puzzles?{query}");
        let problem = misha.ask(Method::GET, &path, None, StatusCode::BAD_REQUEST).await;
        assert_eq!(problem["type"], "/problems/invalid-request", "{query}");
    }
    let tries = format!("/api/puzzles/{id}/tries");
    let ask = async |body: Value, status: StatusCode| {
        misha.ask(Method::POST, &tries, Some(&body), status).await
    };
    let illegal = ask(json!({ "moves": ["e2e5"] }), StatusCode::UNPROCESSABLE_ENTITY).await;
    assert_eq!(illegal["fields"][0]["fault"]["code"], "illegal");
    ask(json!({ "moves": vec!["h5f7"; 21] }), StatusCode::BAD_REQUEST).await;
    ask(json!({ "moves": [], "hints": 1000 }), StatusCode::BAD_REQUEST).await;
    ask(json!({ "moves": [], "hints": 11 }), StatusCode::BAD_REQUEST).await;
    ask(json!({ "moves": "h5f7" }), StatusCode::BAD_REQUEST).await;
    let german = format!("{tries}?language=klingon");
    let body = json!({ "moves": [] });
    misha.ask(Method::POST, &german, Some(&body), StatusCode::BAD_REQUEST).await;
    let gone = "/api/puzzles/4711/tries";
    misha.ask(Method::POST, gone, Some(&body), StatusCode::NOT_FOUND).await;
    assert_eq!(misha.get("/api/puzzles").await["puzzles"][0]["tries"], 0);
}

#[tokio::test]
async fn reviews_become_statistics() {
    let (_place, served, store) = start(false).await;
    let misha = served.visitor().with_profile("Misha").await;
    let empty = misha.get("/api/statistics/reviews").await;
    assert_eq!((&empty["games"], &empty["accuracy"]), (&json!(0), &Value::Null));
    let games =
        [reviewed(&*store, &misha, "Misha").await, reviewed(&*store, &misha, "Misha").await];
    let found = misha.get("/api/statistics/reviews").await;
    assert_eq!(found["games"], 2);
    assert_eq!(found["newest"].as_array().map(Vec::len), Some(2));
    assert_eq!(found["sides"][0]["of"], "white");
    assert_eq!(found["phases"][0]["of"], "opening");
    assert_eq!(found["phases"][0]["count"], 8);
    let worst = &found["mistakes"][0];
    assert_eq!((&worst["motif"], &worst["whose"]), (&json!("mate"), &json!("missed")));
    assert_eq!((&worst["count"], &worst["examples"][0]["ply"]), (&json!(2), &json!(6)));
    let work = &found["work_on"][0];
    assert_eq!(
        (&work["motif"], &work["puzzles"], &work["due"]),
        (&json!("mate"), &json!(2), &json!(2))
    );
    // A deleted game doesn't count any more.
    let path = format!("/api/games/{}", games[0]);
    misha.ask(Method::DELETE, &path, None, StatusCode::NO_CONTENT).await;
    assert_eq!(misha.get("/api/statistics/reviews").await["games"], 1);
    assert_eq!(misha.get("/api/puzzles/count").await["all"], 1);
}
