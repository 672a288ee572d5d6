//! Who may see and change what: a test for each resource.

mod served;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use served::{Place, Served, Socket, Visitor};

const ORIGIN: &str = "http://chess.test";

fn public() -> (Place, Served) {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--public", "--origin", ORIGIN]);
    (place, served)
}

fn private_game() -> Value {
    json!({ "opponent": { "type": "here", "name": "Anna" }, "side": "white", "visibility": "private" })
}

async fn two_people(served: &Served) -> (Visitor, Visitor) {
    let misha = served.visitor().with_account("Misha").await;
    let eve = served.visitor().with_account("Eve").await;
    (misha, eve)
}

#[tokio::test]
async fn a_private_game_is_seen_by_its_players_only() {
    let (_place, served) = public();
    let (misha, eve) = two_people(&served).await;
    let (id, seat, _) = misha.begin(&private_game()).await;
    for path in [format!("/api/games/{id}"), format!("/api/games/{id}/pgn")] {
        misha.get(&path).await;
        for stranger in [&eve, &served.visitor()] {
            stranger.ask(Method::GET, &path, None, StatusCode::NOT_FOUND).await;
        }
    }
    assert!(Socket::join(&served.url, &id, None).await.is_err());
    assert!(Socket::join(&served.url, &id, Some("guessed")).await.is_err());
    Socket::join(&served.url, &id, Some(&seat)).await.expect("the secret opens it");
    let path = format!("/api/games/{id}");
    eve.ask(Method::DELETE, &path, None, StatusCode::NOT_FOUND).await;
    let open = json!({ "visibility": "public" });
    eve.ask(Method::PATCH, &path, Some(&open), StatusCode::NOT_FOUND).await;
    misha.ask(Method::PATCH, &path, Some(&open), StatusCode::OK).await;
    eve.get(&path).await;
    eve.ask(Method::PATCH, &path, Some(&open), StatusCode::FORBIDDEN).await;
    eve.ask(Method::DELETE, &path, None, StatusCode::FORBIDDEN).await;
    assert!(
        Socket::join(&served.url, &id, None).await.expect("all may watch").state["sides"]
            == json!([])
    );
}

/// A rated game that Black has resigned at the fourth move; returns its path.
async fn rated_loss(winner: &Visitor, loser: &Visitor) -> String {
    let rated = json!({
        "opponent": { "type": "friend" }, "side": "white", "rated": true, "visibility": "private"
    });
    let (id, _, friend) = winner.begin(&rated).await;
    loser.sit(&id, &friend.expect("a secret")).await;
    let (mut white, mut black) = (winner.join(&id).await, loser.join(&id).await);
    white.play(0, "e4").await;
    black.play(1, "e5").await;
    white.play(2, "Nf3").await;
    let (_, resigned) = black.say(json!({ "type": "resign" })).await.expect("an answer");
    assert_eq!(resigned["type"], "done", "{resigned}");
    format!("/api/games/{id}")
}

#[tokio::test]
async fn everyone_deletes_a_game_for_themselves_and_its_rating_stays() {
    let (_place, served) = public();
    let (misha, eve) = two_people(&served).await;
    let count = async |visitor: &Visitor| {
        visitor.get("/api/games").await["games"].as_array().expect("a list").len()
    };
    let rated = async |visitor: &Visitor| {
        let path = format!("/api/users/{}/ratings", visitor.id().await);
        visitor.get(&path).await.as_array().expect("a list").len()
    };
    for round in 1..=5 {
        let path = Box::pin(rated_loss(&misha, &eve)).await;
        eve.ask(Method::DELETE, &path, None, StatusCode::NO_CONTENT).await;
        eve.ask(Method::GET, &path, None, StatusCode::NOT_FOUND).await;
        eve.ask(Method::DELETE, &path, None, StatusCode::NOT_FOUND).await;
        misha.get(&path).await;
        assert_eq!((count(&misha).await, count(&eve).await), (1, 0));
        assert_eq!((rated(&misha).await, rated(&eve).await), (round, round));
        misha.ask(Method::DELETE, &path, None, StatusCode::NO_CONTENT).await;
        misha.ask(Method::GET, &path, None, StatusCode::NOT_FOUND).await;
        assert_eq!((count(&misha).await, rated(&misha).await), (0, round));
    }
}

#[tokio::test]
async fn only_the_owner_decides_who_watches() {
    let (_place, served) = public();
    let (misha, eve) = two_people(&served).await;
    let path = Box::pin(rated_loss(&misha, &eve)).await;
    let open = json!({ "visibility": "public" });
    eve.ask(Method::PATCH, &path, Some(&open), StatusCode::FORBIDDEN).await;
    assert_eq!(misha.get(&path).await["visibility"], "private");
    misha.ask(Method::PATCH, &path, Some(&open), StatusCode::OK).await;
    // When the owner deletes it, only the opponent can still see it.
    misha.ask(Method::DELETE, &path, None, StatusCode::NO_CONTENT).await;
    served.visitor().ask(Method::GET, &path, None, StatusCode::NOT_FOUND).await;
    assert_eq!(eve.get(&path).await["visibility"], "private");
    eve.ask(Method::PATCH, &path, Some(&open), StatusCode::FORBIDDEN).await;
}

#[tokio::test]
async fn without_a_profile_only_games_without_one_are_deleted() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let nobody = served.visitor();
    let (alone, own, _) = nobody.begin(&private_game()).await;
    let invitation = json!({ "opponent": { "type": "friend" }, "side": "white" });
    let (shared, seat, friend) = nobody.begin(&invitation).await;
    let anna = served.visitor().with_profile("Anna").await;
    anna.sit(&shared, &friend.expect("a secret")).await;
    for (id, seat) in [(&alone, &own), (&shared, &seat)] {
        let mut socket = Socket::join(&served.url, id, Some(seat)).await.expect("joined");
        socket.say(json!({ "type": "resign" })).await.expect("an answer");
    }
    let path = format!("/api/games/{alone}");
    nobody.ask(Method::DELETE, &path, None, StatusCode::NO_CONTENT).await;
    nobody.ask(Method::GET, &path, None, StatusCode::NOT_FOUND).await;
    let path = format!("/api/games/{shared}");
    nobody.ask(Method::DELETE, &path, None, StatusCode::FORBIDDEN).await;
    anna.ask(Method::DELETE, &path, None, StatusCode::NO_CONTENT).await;
}

#[tokio::test]
async fn who_may_no_longer_watch_hears_nothing_more() {
    let (_place, served) = public();
    let (misha, eve) = two_people(&served).await;
    let mut open = private_game();
    open["visibility"] = json!("link");
    let (id, seat, _) = misha.begin(&open).await;
    let mut player = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    let mut stranger = Socket::join(&served.url, &id, None).await.expect("all may watch");
    let path = format!("/api/games/{id}");
    misha
        .ask(Method::PATCH, &path, Some(&json!({ "visibility": "private" })), StatusCode::OK)
        .await;
    player.play(0, "e4").await;
    while let Ok(message) = stranger.next().await {
        assert!(message["type"] == "present", "{message}");
    }
    // Nor does a stranger learn that the game exists.
    let guess = json!({ "seat": "guessed" });
    let seat = format!("{path}/seat");
    eve.ask(Method::POST, &seat, Some(&guess), StatusCode::NOT_FOUND).await;
}

#[tokio::test]
async fn who_sends_a_link_can_not_play_for_who_takes_it() {
    let (_place, served) = public();
    let (mallory, victim) = two_people(&served).await;
    let rated = json!({ "opponent": { "type": "friend" }, "side": "white", "rated": true });
    let (id, _, friend) = mallory.begin(&rated).await;
    let friend = friend.expect("a secret");
    let mut before = Socket::join(&served.url, &id, Some(&friend)).await.expect("joined");
    assert_eq!(before.state["sides"], json!(["black"]));
    victim.sit(&id, &friend).await;
    assert_eq!(before.refused(json!({ "type": "resign" })).await, "not_a_player");
    let mut after = Socket::join(&served.url, &id, Some(&friend)).await.expect("joined");
    assert_eq!(after.refused(json!({ "type": "resign" })).await, "not_a_player");
}

#[tokio::test]
async fn a_socket_ends_with_the_session_that_opened_it() {
    let (_place, served) = public();
    let misha = served.visitor().with_account("Misha").await;
    let (id, _, _) = misha.begin(&private_game()).await;
    let mut socket = misha.join(&id).await;
    assert_eq!(socket.state["sides"], json!(["white", "black"]));
    socket.play(0, "e4").await;
    misha.ask(Method::DELETE, "/api/session", None, StatusCode::NO_CONTENT).await;
    while socket.next().await.is_ok() {}
}

#[tokio::test]
async fn lists_exports_and_positions_show_ones_own_games() {
    let (_place, served) = public();
    let (misha, eve) = two_people(&served).await;
    let (id, seat, _) = misha.begin(&private_game()).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    socket.play(0, "e4").await;
    socket.say(json!({ "type": "resign" })).await.expect("an answer");
    let count = |list: &Value| list["games"].as_array().expect("a list").len();
    assert_eq!(count(&misha.get("/api/games").await), 1);
    assert_eq!(count(&eve.get("/api/games").await), 0);
    assert_eq!(count(&eve.get("/api/games?player=misha").await), 0);
    assert_eq!(count(&eve.get("/api/games?public=true").await), 0);
    assert_eq!(count(&misha.get("/api/games?public=true").await), 0);
    for path in ["/api/games", "/api/games/export", "/api/explorer", "/api/board"] {
        served.visitor().ask(Method::GET, path, None, StatusCode::UNAUTHORIZED).await;
    }
    let export = |visitor: Visitor| async move {
        visitor.send(Method::GET, "/api/games/export", None).await.text().await.expect("a text")
    };
    assert!(export(misha.clone()).await.contains("1. e4"));
    assert_eq!(export(eve.clone()).await, "");
    assert_eq!(misha.get("/api/explorer").await["moves"][0]["san"], "e4");
    assert_eq!(eve.get("/api/explorer").await["moves"], json!([]));
}

#[tokio::test]
async fn a_person_is_known_to_themselves_only() {
    let (_place, served) = public();
    let (misha, eve) = two_people(&served).await;
    let id = misha.id().await;
    for path in ["", "/statistics", "/ratings"].map(|part| format!("/api/users/{id}{part}")) {
        misha.get(&path).await;
        eve.ask(Method::GET, &path, None, StatusCode::FORBIDDEN).await;
        served.visitor().ask(Method::GET, &path, None, StatusCode::UNAUTHORIZED).await;
    }
    let path = format!("/api/users/{id}");
    let rename = json!({ "name": "Mallory", "settings": { "theme": "x" } });
    eve.ask(Method::PATCH, &path, Some(&rename), StatusCode::FORBIDDEN).await;
    for visitor in [&eve, &misha] {
        visitor.ask(Method::DELETE, &path, None, StatusCode::FORBIDDEN).await;
    }
    eve.ask(Method::GET, "/api/users", None, StatusCode::FORBIDDEN).await;
    let profile = json!({ "name": "Nobody" });
    eve.ask(Method::POST, "/api/users", Some(&profile), StatusCode::FORBIDDEN).await;
    assert_eq!(misha.get("/api/me").await["user"]["name"], "Misha");
}

#[tokio::test]
async fn boards_and_imports_are_apart() {
    let (_place, served) = public();
    let (misha, eve) = two_people(&served).await;
    misha.post("/api/board/move", &json!({ "move": "e4" })).await;
    assert_eq!(eve.get("/api/board").await["played"], json!([]));
    assert_eq!(misha.get("/api/board").await["played"], json!(["e2e4"]));
    let nobody = served.visitor();
    let import = nobody.send(Method::POST, "/api/games/import", None).await;
    assert_eq!(import.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn passwords_are_checked_and_sessions_end() {
    let (_place, served) = public();
    let misha = served.visitor().with_account("Misha").await;
    let try_in = |password: &'static str, status: StatusCode| {
        let visitor = served.visitor();
        async move {
            let body = json!({ "name": "misha", "password": password });
            visitor.ask(Method::POST, "/api/session", Some(&body), status).await
        }
    };
    assert_eq!(
        try_in("wrong", StatusCode::UNAUTHORIZED).await,
        served
            .visitor()
            .ask(
                Method::POST,
                "/api/session",
                Some(&json!({ "name": "nobody", "password": "wrong" })),
                StatusCode::UNAUTHORIZED
            )
            .await
    );
    try_in("correct horse battery", StatusCode::OK).await;
    let weak = json!({ "name": "Weak", "password": "password" });
    served.visitor().ask(Method::POST, "/api/account", Some(&weak), StatusCode::BAD_REQUEST).await;
    let taken = json!({ "name": "MISHA", "password": "correct horse battery" });
    served.visitor().ask(Method::POST, "/api/account", Some(&taken), StatusCode::CONFLICT).await;
    let change = json!({ "old": "wrong", "new": "another horse battery" });
    misha.ask(Method::PUT, "/api/account/password", Some(&change), StatusCode::UNAUTHORIZED).await;
    misha.ask(Method::DELETE, "/api/session", None, StatusCode::NO_CONTENT).await;
    assert_eq!(misha.get("/api/me").await["user"], Value::Null);
    // Guessing is cut off after a while.
    let mut refused = false;
    for _ in 0..12 {
        let body = json!({ "name": "misha", "password": "guess" });
        let answer = served.visitor().send(Method::POST, "/api/session", Some(&body)).await;
        refused |= answer.status() == StatusCode::TOO_MANY_REQUESTS;
    }
    assert!(refused);
}

#[tokio::test]
async fn other_sites_change_nothing() {
    let (_place, served) = public();
    let misha = served.visitor().with_account("Misha").await;
    let client = reqwest::Client::new();
    let url = format!("{}/api/board/reset", served.url);
    for (name, value) in
        [("origin", "http://evil.test"), ("sec-fetch-site", "cross-site"), ("origin", "null")]
    {
        let answer = client.post(&url).header(name, value).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{name}: {value}");
    }
    // A cookie alone is not enough, either.
    let forged = misha.clone().without_csrf();
    let answer = forged.send(Method::POST, "/api/board/reset", None).await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    misha.ask(Method::POST, "/api/board/reset", None, StatusCode::OK).await;
    // A page of another site can't open a socket.
    let socket = client
        .get(format!("{}/api/analysis/socket", served.url))
        .header("connection", "upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
        .header("origin", "http://evil.test");
    assert_eq!(socket.send().await.expect("an answer").status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_local_server_is_for_this_machine() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let client = reqwest::Client::new();
    let rebound = client.get(format!("{}/api/me", served.url)).header("host", "evil.test");
    assert_eq!(rebound.send().await.expect("an answer").status(), StatusCode::FORBIDDEN);
    let other = Place::sqlite();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_riga"))
        .args(["serve", "--address", "0.0.0.0", "--port", "0", "--database", &other.database])
        .output()
        .expect("riga runs");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--public"));
}

#[tokio::test]
async fn limits_hold() {
    let place = Place::sqlite();
    let args =
        ["--public", "--origin", ORIGIN, "--requests-per-second", "2", "--analysis-minutes", "0"];
    let served = Served::start(&place, &args);
    let visitor = served.visitor();
    let long = format!("/api/games?public=true&player={}", "x".repeat(60_000));
    visitor.ask(Method::GET, &long, None, StatusCode::BAD_REQUEST).await;
    let large = json!({ "fen": "x".repeat(100_000) });
    visitor.ask(Method::POST, "/api/positions", Some(&large), StatusCode::PAYLOAD_TOO_LARGE).await;
    let analysis = json!({ "position": {}, "limits": { "depth": 1 } });
    visitor
        .ask(Method::POST, "/api/analysis", Some(&analysis), StatusCode::TOO_MANY_REQUESTS)
        .await;
    let mut refused = None;
    for _ in 0..50 {
        let answer = visitor.send(Method::GET, "/api/levels", None).await;
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
        }
    }
    let refused = refused.expect("twenty at once are allowed, not fifty");
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(refused.headers()["content-type"], "application/problem+json");
}
