//! The server from its users' side: a real binary, real sockets.

mod served;

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use served::{Place, Served, Socket};
use tokio::io::AsyncWriteExt;

fn start() -> (Place, Served) {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    (place, served)
}

fn friendly() -> Value {
    json!({ "opponent": { "type": "friend" }, "side": "white" })
}

fn here() -> Value {
    json!({ "opponent": { "type": "here", "name": "Anna" }, "side": "white" })
}

#[tokio::test]
async fn the_board_of_the_sources_is_set_up_moved_searched_and_reset() {
    let (_place, served) = start();
    let visitor = served.visitor();
    let board = visitor.get("/api/board").await;
    assert_eq!(board["position"]["moves"].as_array().map(Vec::len), Some(20));
    let board = visitor.post("/api/board/move", &json!({ "move": "e4" })).await;
    assert_eq!((&board["played"], &board["position"]["turn"]), (&json!(["e2e4"]), &json!("black")));
    let illegal = json!({ "move": "e4" });
    let problem = visitor
        .ask(Method::POST, "/api/board/move", Some(&illegal), StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(problem["type"], "/problems/illegal-move");
    let mate = json!({ "fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1" });
    visitor.post("/api/board/position", &mate).await;
    let found = visitor.post("/api/board/search", &json!({ "limits": { "depth": 5 } })).await;
    assert_eq!((&found["san"], &found["score"]), (&json!("Rd8#"), &json!({ "mate": 1 })));
    assert_eq!(visitor.get("/api/board").await["played"], json!([]));
    let bad = json!({ "fen": "6k1/5ppp/8/8/8/8/5PPP/3R4 w - - 0 1" });
    let problem = visitor
        .ask(Method::POST, "/api/board/position", Some(&bad), StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(problem["type"], "/problems/invalid-position");
    let board = visitor.ask(Method::POST, "/api/board/reset", None, StatusCode::OK).await;
    assert_eq!(board["position"]["moves"].as_array().map(Vec::len), Some(20));
}

#[tokio::test]
async fn two_people_play_by_link_to_mate() {
    let (_place, served) = start();
    let white = served.visitor().with_profile("Misha").await;
    let black = served.visitor();
    let (id, seat, friend) = white.begin(&friendly()).await;
    let friend = friend.expect("a secret for the friend");
    let mut a = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    assert_eq!(
        (&a.state["sides"], &a.state["game"]["status"]),
        (&json!(["white"]), &json!("waiting"))
    );
    assert_eq!(a.state["game"]["open"], "black");
    let early = json!({ "type": "play", "ply": 0, "move": "f3" });
    assert_eq!(a.refused(early).await, "not_begun");
    let take = json!({ "seat": seat, "name": "Anna" });
    let path = format!("/api/games/{id}/seat");
    black.ask(Method::POST, &path, Some(&take), StatusCode::FORBIDDEN).await;
    let own = "a secret of more than thirty characters";
    let take = json!({ "seat": friend, "own": own, "name": "Anna" });
    let taken = black.post(&path, &take).await;
    let game = &taken["game"];
    assert_eq!((&game["black"]["name"], &game["status"]), (&json!("Anna"), &json!("live")));
    assert_eq!(game["open"], Value::Null);
    // A client that missed the response asks again; with only the link, the seat is taken.
    assert_eq!(black.post(&path, &take).await["seat"], own);
    let link = json!({ "seat": friend });
    black.ask(Method::POST, &path, Some(&link), StatusCode::CONFLICT).await;
    let link = Socket::join(&served.url, &id, Some(&friend)).await.expect("anybody may watch");
    assert_eq!(link.state["sides"], json!([]));
    let friend = own;
    assert_eq!(a.wait_for("seated").await["black"]["name"], "Anna");
    let mut b = Socket::join(&served.url, &id, Some(friend)).await.expect("joined");
    let mut watcher = Socket::join(&served.url, &id, None).await.expect("joined");
    assert_eq!(watcher.state["sides"], json!([]));
    let meddling = json!({ "type": "play", "ply": 0, "move": "f3" });
    assert_eq!(watcher.refused(meddling).await, "not_a_player");

    a.play(0, "f3").await;
    let again = json!({ "type": "play", "ply": 0, "move": "f2f3" });
    assert_eq!(a.say(again).await.expect("an answer").1["type"], "done");
    let other = json!({ "type": "play", "ply": 0, "move": "e4" });
    assert_eq!(a.refused(other).await, "wrong_ply");
    let twice = json!({ "type": "play", "ply": 1, "move": "e4" });
    assert_eq!(a.refused(twice).await, "not_your_turn");
    assert_eq!(b.wait_for("played").await["played"]["san"], "f3");
    let illegal = json!({ "type": "play", "ply": 1, "move": "e3" });
    assert_eq!(b.refused(illegal).await, "illegal_move");
    b.play(1, "e5").await;
    a.play(2, "g4").await;
    let told = b.play(3, "Qh4#").await;
    let played = told.iter().find(|message| message["type"] == "played" && message["ply"] == 3);
    assert_eq!(played.expect("it is told")["outcome"]["text"], "Black wins by checkmate");
    assert_eq!(a.refused(json!({ "type": "resign" })).await, "over");
    let over = white.get(&format!("/api/games/{id}")).await;
    assert_eq!((&over["result"], &over["status"]), (&json!("0-1"), &json!("finished")));
    let pgn = white.send(Method::GET, &format!("/api/games/{id}/pgn"), None).await;
    let pgn = pgn.text().await.expect("a text");
    assert!(pgn.contains("[White \"Misha\"]") && pgn.contains("2. g4 Qh4# 0-1"), "{pgn}");

    // A rematch needs both players and swaps colors; the secrets stay the same.
    assert_eq!(a.say(json!({ "type": "rematch" })).await.expect("an answer").1["type"], "done");
    assert_eq!(b.wait_for("rematch_offered").await["by"], "white");
    assert_eq!(b.say(json!({ "type": "decline" })).await.expect("an answer").1["type"], "done");
    a.wait_for("rematch_declined").await;
    assert_eq!(a.say(json!({ "type": "rematch" })).await.expect("an answer").1["type"], "done");
    let (told, _) = b.say(json!({ "type": "rematch" })).await.expect("an answer");
    let next = told.iter().find(|message| message["type"] == "rematch").expect("agreed");
    let next = next["game"].as_str().expect("an id");
    assert_eq!(a.wait_for("rematch").await["game"], next);
    let a = Socket::join(&served.url, next, Some(&seat)).await.expect("joined");
    assert_eq!(a.state["sides"], json!(["black"]));
    let statistics = white.get(&format!("/api/users/{}/statistics", white.id().await)).await;
    assert_eq!(statistics["total"], json!({ "won": 0, "drawn": 0, "lost": 1 }));
}

const RATED: &str =
    r#"{ "opponent": { "type": "engine", "level": 1 }, "side": "white", "rated": true }"#;

#[tokio::test]
async fn a_game_is_aborted_until_both_sides_have_moved() {
    let (_place, served) = start();
    let visitor = served.visitor().with_profile("Misha").await;
    let level = serde_json::from_str(RATED).expect("JSON");
    let (id, seat, _) = visitor.begin(&level).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    assert_eq!(socket.state["game"]["actions"]["white"], json!(["draw", "resign", "abort"]));
    let (told, answer) = socket.say(json!({ "type": "abort" })).await.expect("an answer");
    assert_eq!(answer["type"], "done");
    let end = &told.iter().find(|message| message["type"] == "state").expect("it is told")["game"];
    assert_eq!((&end["status"], &end["result"]), (&json!("finished"), &json!("*")));
    assert_eq!((&end["outcome"], &end["rated"]), (&Value::Null, &json!(false)));
    let statistics = visitor.get(&format!("/api/users/{}/statistics", visitor.id().await)).await;
    assert_eq!(statistics["total"], json!({ "won": 0, "drawn": 0, "lost": 0 }));

    let (id, seat, _) = visitor.begin(&level).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    socket.play(0, "e4").await;
    assert_eq!(socket.wait_for("played").await["ply"], 1);
    assert_eq!(socket.refused(json!({ "type": "abort" })).await, "too_late");
}

#[tokio::test]
async fn a_rated_game_shows_the_ratings_and_how_they_change() {
    let (_place, served) = start();
    let visitor = served.visitor().with_profile("Misha").await;
    let level = serde_json::from_str(RATED).expect("JSON");
    let (id, seat, _) = visitor.begin(&level).await;
    let path = format!("/api/games/{id}/ratings");
    let ratings = visitor.get(&path).await;
    assert_eq!(ratings["white"], json!({ "before": 1500, "after": null }));
    assert!(ratings["black"]["before"].is_number(), "{ratings}");
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    socket.play(0, "e4").await;
    assert_eq!(socket.wait_for("played").await["ply"], 1);
    socket.say(json!({ "type": "resign" })).await.expect("an answer");
    let mut after = None;
    while after.is_none() {
        tokio::time::sleep(Duration::from_millis(20)).await;
        after = visitor.get(&path).await["white"]["after"].as_i64();
    }
    assert!(after < Some(1500), "{after:?}");
    let casual = json!({ "opponent": { "type": "engine", "level": 1 } });
    let (id, ..) = visitor.begin(&casual).await;
    let none = json!({ "white": null, "black": null });
    assert_eq!(visitor.get(&format!("/api/games/{id}/ratings")).await, none);
}

#[tokio::test]
async fn the_engine_answers_and_moves_are_taken_back() {
    let (_place, served) = start();
    let visitor = served.visitor().with_profile("Misha").await;
    let level =
        json!({ "opponent": { "type": "engine", "level": 1 }, "side": "white", "rated": true });
    let (id, seat, _) = visitor.begin(&level).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    assert_eq!(socket.state["game"]["rated"], true);
    socket.play(0, "e4").await;
    let answer = socket.wait_for("played").await;
    assert_eq!(answer["ply"], 1);
    let premove = json!({ "type": "premove", "ply": 3, "move": "d4" });
    assert_eq!(socket.refused(premove).await, "not_your_turn");
    let back = json!({ "type": "offer", "what": "take_back" });
    let (told, done) = socket.say(back.clone()).await.expect("an answer");
    assert_eq!(done["type"], "done");
    let took_back = told.iter().find(|message| message["type"] == "took_back").expect("told");
    assert_eq!(took_back["plies"], 0);
    let standing = json!({ "offer": null, "rated": false,
        "actions": { "white": ["draw", "resign", "abort"], "black": ["draw", "resign", "abort"] } });
    assert_eq!(took_back["standing"], standing);
    assert_eq!(socket.refused(back).await, "nothing");
    // The engine is White in another game, and moves first.
    let level = json!({ "opponent": { "type": "engine", "level": 3 }, "side": "black" });
    let (id, seat, _) = visitor.begin(&level).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    if socket.state["game"]["moves"] == json!([]) {
        socket.wait_for("played").await;
    }
    let (_, done) = socket.say(json!({ "type": "resign" })).await.expect("an answer");
    assert_eq!(done["type"], "done");
    assert_eq!(visitor.get(&format!("/api/games/{id}")).await["outcome"]["ending"], "resignation");
}

#[tokio::test]
async fn undo_while_the_engine_thinks_cancels_its_move() {
    let (_place, served) = start();
    let visitor = served.visitor();
    let level = json!({ "opponent": { "type": "engine", "level": 10 }, "side": "white",
        "fen": "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8" });
    let (id, seat, _) = visitor.begin(&level).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    socket.play(0, "O-O").await;
    let back = json!({ "type": "offer", "what": "take_back" });
    let (told, done) = socket.say(back).await.expect("an answer");
    assert_eq!(done["type"], "done");
    let took_back = told.iter().find(|message| message["type"] == "took_back").expect("told");
    assert_eq!(took_back["plies"], 0);
    // The engine's answer to a move that was taken back never arrives.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let game = visitor.get(&format!("/api/games/{id}")).await;
    assert_eq!(game["moves"], json!([]));
    socket.play(0, "Qc2").await;
    assert_eq!(socket.wait_for("played").await["ply"], 1);
}

#[tokio::test]
async fn offers_are_made_declined_and_accepted() {
    let (_place, served) = start();
    let visitor = served.visitor();
    let (id, seat, friend) = visitor.begin(&friendly()).await;
    let friend = friend.expect("a secret");
    let friend = visitor.sit(&id, &friend).await;
    let mut a = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    let mut b = Socket::join(&served.url, &id, Some(&friend)).await.expect("joined");
    a.play(0, "e4").await;
    let back = json!({ "type": "offer", "what": "take_back" });
    let draw = json!({ "type": "offer", "what": "draw" });
    assert_eq!(b.refused(json!({ "type": "decline" })).await, "nothing");
    a.say(back.clone()).await.expect("an answer");
    let offered = b.wait_for("offered").await;
    assert_eq!(
        (&offered["what"], &offered["standing"]["offer"]["by"]),
        (&json!("take_back"), &json!("white"))
    );
    let actions = json!(["take_back", "decline", "resign", "abort"]);
    assert_eq!(offered["standing"]["actions"]["black"], actions);
    b.say(json!({ "type": "decline" })).await.expect("an answer");
    assert_eq!(a.wait_for("offered").await["what"], Value::Null);
    a.say(back.clone()).await.expect("an answer");
    b.say(back).await.expect("an answer");
    assert_eq!(a.wait_for("took_back").await["plies"], 0);
    a.play(0, "d4").await;
    b.say(draw.clone()).await.expect("an answer");
    // A move by the other side declines it.
    b.play(1, "d5").await;
    assert_eq!(visitor.get(&format!("/api/games/{id}")).await["offer"]["by"], "black");
    a.play(2, "c4").await;
    assert_eq!(visitor.get(&format!("/api/games/{id}")).await["offer"], Value::Null);
    a.say(draw.clone()).await.expect("an answer");
    b.say(draw).await.expect("an answer");
    assert_eq!(a.wait_for("ended").await["outcome"]["ending"], "agreement");
}

#[tokio::test]
async fn premoves_are_played_at_once_or_forgotten() {
    let (_place, served) = start();
    let visitor = served.visitor();
    let timed = json!({ "opponent": { "type": "friend" }, "side": "white", "time": "60" });
    let (id, seat, friend) = visitor.begin(&timed).await;
    let friend = friend.expect("a secret");
    let friend = visitor.sit(&id, &friend).await;
    let mut a = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    let mut b = Socket::join(&served.url, &id, Some(&friend)).await.expect("joined");
    let premove = |ply: u32, text: &str| json!({ "type": "premove", "ply": ply, "move": text });
    b.say(premove(1, "e7e5")).await.expect("an answer");
    a.play(0, "e4").await;
    let answer = a.wait_for("played").await;
    assert_eq!(
        (&answer["played"]["san"], &answer["clock"]["black"]),
        (&json!("e5"), &json!(60_000))
    );
    assert_eq!(b.wait_for("premoved").await["played"], true);
    b.say(premove(3, "e5e4")).await.expect("an answer");
    a.play(2, "Nf3").await;
    assert_eq!(b.wait_for("premoved").await["played"], false);
    b.play(3, "Nc6").await;
}

#[tokio::test]
async fn a_flag_falls_and_the_clock_is_the_servers() {
    let (_place, served) = start();
    let visitor = served.visitor();
    let mut timed = here();
    timed["time"] = json!("0.6");
    let (id, seat, _) = visitor.begin(&timed).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    assert_eq!(socket.state["game"]["clock"]["running"], Value::Null);
    socket.play(0, "e4").await;
    assert_eq!(socket.refused(json!({ "type": "flag" })).await, "nothing");
    let ended = socket.wait_for("ended").await;
    assert_eq!(ended["outcome"]["text"], "White wins by time");
    assert_eq!(ended["clock"]["black"], 0);
    let late = json!({ "type": "play", "ply": 1, "move": "e5" });
    assert_eq!(socket.refused(late).await, "over");
    assert_eq!(visitor.get(&format!("/api/games/{id}")).await["clock"]["black"], 0);
}

#[tokio::test]
async fn the_clocks_of_a_game_that_is_over_stay_as_they_were() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let mut timed = here();
    timed["time"] = json!("300");
    let (id, seat, _) = served.visitor().begin(&timed).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    socket.play(0, "e4").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    socket.say(json!({ "type": "resign" })).await.expect("an answer");
    let clock = async |served: &Served| {
        let game = served.visitor().get(&format!("/api/games/{id}")).await;
        game["clock"]["black"].as_u64().expect("a clock")
    };
    let left = clock(&served).await;
    assert!((295_000..=299_700).contains(&left), "{left}");
    assert!(served.stop());
    let served = Served::start(&place, &[]);
    assert_eq!(clock(&served).await, left);
}

#[tokio::test]
async fn a_game_goes_on_after_the_server_was_stopped() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let mut timed = here();
    timed["time"] = json!("300+3");
    let (id, seat, _) = served.visitor().begin(&timed).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    socket.play(0, "e4").await;
    assert!(served.stop());
    socket.wait_for("closing").await;
    let served = Served::start(&place, &[]);
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    assert_eq!(socket.state["game"]["moves"][0]["san"], "e4");
    let left = socket.state["game"]["clock"]["black"].as_u64().expect("a clock");
    assert!((298_000..=300_000).contains(&left), "{left}");
    socket.play(1, "e5").await;
}

#[tokio::test]
async fn babble_is_refused_in_words_and_the_connection_stays() {
    let (_place, served) = start();
    let (id, seat, _) = served.visitor().begin(&here()).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    for text in ["", "{", "[]", "{\"type\":\"play\"}", "{\"type\":\"dance\",\"id\":7}", "\u{0}"] {
        socket.send_text(text).await.expect("it is sent");
        let refused = socket.wait_for("refused").await;
        assert_eq!(refused["reason"], "unreadable", "{text}");
    }
    socket.play(0, "e4").await;
    // A message that is too long ends the connection, not the game.
    let endless =
        format!("{{\"type\":\"play\",\"id\":1,\"ply\":1,\"move\":\"{}\"}}", "e".repeat(9000));
    socket.send_text(&endless).await.expect("it is sent");
    while socket.next().await.is_ok() {}
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    socket.play(1, "e5").await;
    // A client that never joins, or joins a game that doesn't exist, is told so.
    let nothing = Socket::join(&served.url, "AAAAAAAAAAAAAA", None).await;
    assert!(nothing.is_err_and(|why| why.contains("not-found")));
}

#[tokio::test]
async fn an_import_is_read_as_it_arrives_one_at_a_time() {
    let (_place, served) = start();
    let host = served.url.strip_prefix("http://").expect("an address");
    let mut upload = tokio::net::TcpStream::connect(host).await.expect("it listens");
    let part = "[White \"Tal\"]\n\n1. e4 e5 1-0\n\n[White \"Cut\"]\n\n1. d4 d5 2. c4";
    let request = format!(
        "POST /api/games/import HTTP/1.1\r\nhost: {host}\r\ncontent-length: 1000\r\n\r\n{part}"
    );
    upload.write_all(request.as_bytes()).await.expect("it listens");
    let import = |pgn: String| {
        let request = reqwest::Client::new().post(format!("{}/api/games/import", served.url));
        async move { request.body(pgn).send().await.expect("an answer").status() }
    };
    let games = async || {
        let found = served.visitor().get("/api/games").await;
        found["games"].as_array().expect("a list").len()
    };
    // An import that comes before the upload would be the one that counts.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let mut status = import("x".to_owned()).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    // What was whole when the client went away is kept, and the next import may begin.
    drop(upload);
    for _ in 0..100 {
        status = import("1. c4 *".to_owned()).await;
        if status == StatusCode::OK {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!((status, games().await), (StatusCode::OK, 2));
}

#[tokio::test]
async fn an_export_that_is_imported_again_doubles_nothing() {
    let (_place, served) = start();
    let visitor = served.visitor().with_profile("Misha").await;
    let (id, seat, _) = visitor
        .begin(&json!({ "opponent": { "type": "engine", "level": 1 }, "side": "white", "time": "60+1" }))
        .await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    socket.play(0, "e4").await;
    socket.wait_for("played").await;
    socket.say(json!({ "type": "resign" })).await.expect("an answer");
    let export = served.visitor().send(Method::GET, "/api/games/export", None).await;
    let pgn = export.text().await.expect("a text");
    assert!(pgn.contains(&format!("[GameId \"{id}\"]")), "{pgn}");
    let request = reqwest::Client::new().post(format!("{}/api/games/import", served.url)).body(pgn);
    let report: Value = request.send().await.expect("an answer").json().await.expect("a report");
    assert_eq!((&report["imported"], &report["known"]), (&json!(0), &json!(1)));
}

#[tokio::test]
async fn a_single_imported_game_tells_its_id() {
    let (_place, served) = start();
    let import = || async {
        let pgn = "[White \"Tal\"]\n\n1. e4 c6 *\n";
        let request = reqwest::Client::new().post(format!("{}/api/games/import", served.url));
        let answer = request.body(pgn).send().await.expect("an answer");
        answer.json::<Value>().await.expect("a report")
    };
    let report = import().await;
    let id = report["game"].as_str().expect("an id");
    assert_eq!(served.visitor().get(&format!("/api/games/{id}")).await["white"]["name"], "Tal");
    let again = import().await;
    assert_eq!((&again["known"], &again["game"]), (&json!(1), &Value::Null));
}

#[tokio::test]
async fn games_are_imported_found_and_exported() {
    let (_place, served) = start();
    let visitor = served.visitor().with_profile("Misha").await;
    let pgn = "[White \"Tal, Mikhail\"]\n[Black \"Botvinnik\"]\n[Date \"1960.03.15\"]\n[Result \"1-0\"]\n\n\
        1. e4 c6 2. d4 d5 1-0\n\n[White \"A\"]\n\n1. e4 e9 *\n\n[White \"B\"]\n[Variant \"Atomic\"]\n\n1. d4 *\n\n[White \"B\"]\n\n1. d4 1/2-1/2\n";
    let client = reqwest::Client::new();
    let cookieless = client.post(format!("{}/api/games/import", served.url)).body(pgn).send().await;
    let report: Value = cookieless.expect("an answer").json().await.expect("a report");
    assert_eq!(
        report,
        json!({
            "imported": 3, "known": 0, "remarked": 1, "lost": 1, "game": null,
            "remarks": ["game 2, line 10: 1... e9: not a move"],
            "problems": ["game 3, line 13: the variant Atomic is not supported"],
        })
    );
    let report = visitor.send(Method::POST, "/api/games/import", Some(&json!("x"))).await;
    assert!(report.status().is_success());
    let all = served.visitor().get("/api/games").await;
    assert_eq!(all["games"].as_array().map(Vec::len), Some(3));
    let found =
        served.visitor().get("/api/games?player=tal&from=1960.01.01&until=1961.01.01").await;
    assert_eq!(found["games"][0]["white"]["name"], "Tal, Mikhail");
    assert_eq!(found["games"][0]["opening"]["eco"], "B12");
    // Games without an owner belong to everybody on this machine.
    let id = found["games"][0]["id"].as_str().expect("an id");
    for somebody in [&visitor, &served.visitor()] {
        assert_eq!(somebody.get(&format!("/api/games/{id}")).await["result"], "1-0");
    }
    let fen = "rnbqkbnr/pp1ppppp/2p5/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2".replace(' ', "%20");
    let by_position = served.visitor().get(&format!("/api/games?position={fen}")).await;
    assert_eq!(by_position["games"].as_array().map(Vec::len), Some(1));
    let next = served.visitor().get(&format!("/api/explorer?fen={fen}")).await;
    assert_eq!(
        next["moves"],
        json!([{
            "uci": "d2d4", "san": "d4", "white": 1, "drawn": 0, "black": 0,
            "games": 1, "rating": null, "last": next["moves"][0]["last"],
        }])
    );
    let export = served.visitor().send(Method::GET, "/api/games/export?oldest=true", None).await;
    let export = export.text().await.expect("a text");
    assert!(
        export.contains("1. e4 c6 2. d4 d5 1-0") && export.contains("1. d4 1/2-1/2"),
        "{export}"
    );
}

#[tokio::test]
async fn an_analysis_is_streamed_and_ends_when_nobody_listens() {
    let (_place, served) = start();
    let visitor = served.visitor();
    let request =
        json!({ "position": { "moves": ["e4", "e5"] }, "limits": { "depth": 8 }, "lines": 2 });
    let response = visitor.send(Method::POST, "/api/analysis", Some(&request)).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let text = response.text().await.expect("a text");
    let last = text.lines().filter_map(|line| line.strip_prefix("data:")).next_back();
    let last: Value = serde_json::from_str(last.expect("an event").trim()).expect("JSON");
    assert_eq!(last["done"], true);
    assert_eq!(last["lines"].as_array().map(Vec::len), Some(2));
    assert_eq!(last["lines"][0]["depth"], 8);
    // Endless analyses: each takes a thread until its listener disconnects.
    for _ in 0..20 {
        let endless = json!({ "position": {} });
        drop(visitor.send(Method::POST, "/api/analysis", Some(&endless)).await);
    }
    let quick = json!({ "position": {}, "limits": { "depth": 1 } });
    let quick = visitor.send(Method::POST, "/api/analysis", Some(&quick)).await;
    assert!(quick.text().await.expect("a text").contains("\"done\":true"));
}

#[tokio::test]
async fn what_is_known_of_a_position_is_told() {
    let (_place, served) = start();
    let visitor = served.visitor();
    let levels = visitor.get("/api/levels").await;
    assert_eq!(levels.as_array().map(Vec::len), Some(10));
    let openings = visitor.get("/api/openings?name=najdorf").await;
    assert!(openings.as_array().is_some_and(|found| !found.is_empty()));
    let book = visitor.get("/api/book").await;
    assert!(book.as_array().is_some_and(|moves| moves.len() > 2));
    let fen = "8/8/8/4k3/8/8/4P3/4K3%20w%20-%20-%200%201";
    let path = format!("/api/tablebase?fen={fen}");
    assert_eq!(visitor.get(&path).await, Value::Null);
    assert_eq!(visitor.get(&format!("/api/opening?fen={fen}")).await, Value::Null);
    assert_eq!(visitor.get("/health").await["status"], "ok");
    let metrics = visitor.send(Method::GET, "/metrics", None).await.text().await.expect("a text");
    assert!(metrics.contains("riga_http_requests_total{status=\"200\"}"), "{metrics}");
    let document = visitor.get("/api/openapi.json").await;
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
    visitor.ask(Method::GET, "/nowhere", None, StatusCode::NOT_FOUND).await;
    visitor.ask(Method::DELETE, "/api/levels", None, StatusCode::METHOD_NOT_ALLOWED).await;
}

#[tokio::test]
async fn a_game_from_a_chosen_position_is_never_rated() {
    let (_place, served) = start();
    let visitor = served.visitor().with_profile("Misha").await;
    let won = json!({ "opponent": { "type": "engine", "level": 10 }, "side": "white", "rated": true,
        "fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1" });
    assert_eq!(visitor.create("/api/games", &won).await["game"]["rated"], false);
}

#[tokio::test]
async fn one_offer_does_not_hide_another() {
    let (_place, served) = start();
    let visitor = served.visitor();
    let (id, seat, friend) = visitor.begin(&friendly()).await;
    let friend = visitor.sit(&id, &friend.expect("a secret")).await;
    let mut a = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    let mut b = Socket::join(&served.url, &id, Some(&friend)).await.expect("joined");
    a.play(0, "e4").await;
    b.play(1, "e5").await;
    a.say(json!({ "type": "offer", "what": "draw" })).await.expect("an answer");
    assert_eq!(b.refused(json!({ "type": "offer", "what": "take_back" })).await, "answer_first");
    assert_eq!(visitor.get(&format!("/api/games/{id}")).await["offer"]["what"], "draw");
}

#[tokio::test]
async fn a_removed_game_closes_its_room() {
    let (_place, served) = start();
    let visitor = served.visitor().with_profile("Misha").await;
    let (id, seat, _) = visitor.begin(&here()).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    let path = format!("/api/games/{id}");
    visitor.ask(Method::DELETE, &path, None, StatusCode::CONFLICT).await;
    socket.say(json!({ "type": "resign" })).await.expect("an answer");
    visitor.ask(Method::DELETE, &path, None, StatusCode::NO_CONTENT).await;
    socket.wait_for("closing").await;
    assert!(Socket::join(&served.url, &id, Some(&seat)).await.is_err());
}
