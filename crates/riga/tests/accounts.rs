//! Accounts: passwords, names and sessions, also when clients go away in the middle.

mod served;

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use served::{Place, Served, Visitor};
use tokio::time::{sleep, timeout};

/// A public server behind a proxy, so that each visitor can have an address of their own.
fn public() -> (Place, Served) {
    let place = Place::sqlite();
    let args = ["--public", "--origin", "https://chess.test", "--behind-proxy"];
    let served = Served::start(&place, &args);
    (place, served)
}

fn visitor(served: &Served, number: usize) -> Visitor {
    served.visitor().coming_from(&format!("10.0.{}.{}:4711", number / 250, number % 250))
}

fn credentials(name: &str, password: &str) -> Value {
    json!({ "name": name, "password": password })
}

async fn sign_in(visitor: &Visitor, name: &str, password: &str) -> StatusCode {
    let body = credentials(name, password);
    visitor.send(Method::POST, "/api/session", Some(&body)).await.status()
}

#[tokio::test]
async fn signing_out_closes_every_socket() {
    let (_place, served) = public();
    // Nobody else may watch, so that a socket opened after signing out is refused.
    let game = json!({
        "opponent": { "type": "engine", "level": 1 }, "side": "white", "visibility": "private"
    });
    for round in 0..12 {
        let misha = visitor(&served, round).with_account(&format!("Player {}", round + 20)).await;
        let (id, _, _) = misha.begin(&game).await;
        let out = async {
            sleep(Duration::from_micros(300 * round as u64)).await;
            misha.ask(Method::DELETE, "/api/session", None, StatusCode::NO_CONTENT).await;
        };
        let (joined, ()) = tokio::join!(misha.try_join(&id), out);
        let Ok(mut socket) = joined else { continue };
        let closed =
            timeout(Duration::from_secs(5), async { while socket.next().await.is_ok() {} });
        assert!(closed.await.is_ok(), "round {round}: the socket survives");
    }
}

/// How long a server under load may take for what a client has begun.
const SETTLED: Duration = Duration::from_millis(1500);

#[tokio::test]
async fn a_sign_up_whose_client_has_gone_is_whole_or_nothing() {
    let (_place, served) = public();
    let names: Vec<String> = (20..28).map(|number| format!("Gone {number}")).collect();
    for (round, name) in names.iter().enumerate() {
        let body = credentials(name, "correct horse battery");
        let after = Duration::from_millis(1 + 5 * round as u64);
        visitor(&served, round).send_and_leave("POST", "/api/account", &body, after).await;
    }
    sleep(SETTLED).await;
    for (round, name) in names.iter().enumerate() {
        let back = visitor(&served, 100 + round);
        if sign_in(&back, name, "correct horse battery").await != StatusCode::OK {
            back.with_account(name).await;
        }
    }
}

#[tokio::test]
async fn a_new_password_whose_client_has_gone_ends_other_sessions_or_nothing() {
    let (_place, served) = public();
    let mut others = Vec::new();
    for round in 0..8 {
        let name = format!("Gone {}", round + 20);
        let here = visitor(&served, round).with_account(&name).await;
        others.push((visitor(&served, 100 + round).signed_in(&name).await, name));
        let body = json!({ "old": "correct horse battery", "new": "another horse battery" });
        let after = Duration::from_millis(1 + 10 * round as u64);
        here.send_and_leave("PUT", "/api/account/password", &body, after).await;
    }
    sleep(SETTLED).await;
    for (round, (other, name)) in others.iter().enumerate() {
        let lives = other.get("/api/me").await["user"] != Value::Null;
        let password = if lives { "correct horse battery" } else { "another horse battery" };
        let status = sign_in(&visitor(&served, 200 + round), name, password).await;
        assert_eq!(status, StatusCode::OK, "{name}: the other session lives: {lives}");
    }
}

#[tokio::test]
async fn guesses_are_counted_for_the_account_whatever_their_address() {
    let (_place, served) = public();
    let misha = visitor(&served, 0).with_account("Misha").await;
    let mut answers = Vec::new();
    for guess in 0..25 {
        let stranger = visitor(&served, 1 + guess);
        answers.push(sign_in(&stranger, ["misha", "MISHA"][guess % 2], "guess").await);
    }
    assert_eq!(answers[..20], [StatusCode::UNAUTHORIZED; 20]);
    assert_eq!(answers[20..], [StatusCode::TOO_MANY_REQUESTS; 5]);
    // Who is signed in already doesn't notice, and other accounts aren't affected.
    misha.get("/api/games").await;
    visitor(&served, 50).with_account("Anna").await;
    let other = visitor(&served, 51);
    assert_eq!(sign_in(&other, "anna", "correct horse battery").await, StatusCode::OK);
}

#[tokio::test]
async fn renaming_counts_as_an_attempt() {
    let (_place, served) = public();
    let misha = visitor(&served, 0).with_account("Misha").await;
    let path = format!("/api/users/{}", misha.id().await);
    let mut last = StatusCode::OK;
    for number in 0..10 {
        let body = json!({ "name": format!("Misha {}", number + 20) });
        last = misha.send(Method::PATCH, &path, Some(&body)).await.status();
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    let settings = json!({ "settings": { "board": "brown" } });
    misha.ask(Method::PATCH, &path, Some(&settings), StatusCode::OK).await;
}

#[tokio::test]
async fn no_two_names_look_the_same() {
    let (_place, served) = public();
    visitor(&served, 0).with_account("Mali").await;
    for (number, (name, status)) in [
        ("MaIi", StatusCode::CONFLICT),
        ("Ma1i", StatusCode::CONFLICT),
        ("Ma\u{200b}li", StatusCode::BAD_REQUEST),
        ("\u{202e}ilaM", StatusCode::BAD_REQUEST),
        ("M\u{430}li", StatusCode::BAD_REQUEST),
        ("GUEST", StatusCode::CONFLICT),
        ("Riga", StatusCode::CONFLICT),
        ("Malo", StatusCode::CREATED),
    ]
    .into_iter()
    .enumerate()
    {
        let body = credentials(name, "correct horse battery");
        visitor(&served, 1 + number).ask(Method::POST, "/api/account", Some(&body), status).await;
    }
    // Guests can't take an account's name, either.
    let guest = visitor(&served, 20);
    let game = |name: &str| json!({ "opponent": { "type": "engine", "level": 1 }, "name": name });
    for (name, status) in [
        ("mali", StatusCode::CONFLICT),
        ("MaIi", StatusCode::CONFLICT),
        ("Mi\u{200b}sha", StatusCode::BAD_REQUEST),
        ("Misha", StatusCode::CREATED),
    ] {
        guest.ask(Method::POST, "/api/games", Some(&game(name)), status).await;
    }
    let here = json!({ "opponent": { "type": "here", "name": "Mali" } });
    guest.ask(Method::POST, "/api/games", Some(&here), StatusCode::CONFLICT).await;
}

#[tokio::test]
async fn weak_passwords_are_refused() {
    let (_place, served) = public();
    for (number, password) in
        ["12345678", "Password123!", "iloveyou", "          ", "Misha Tal"].into_iter().enumerate()
    {
        let body = credentials("Misha Tal", password);
        let path = "/api/account";
        let visitor = visitor(&served, number);
        visitor.ask(Method::POST, path, Some(&body), StatusCode::BAD_REQUEST).await;
    }
}

#[tokio::test]
async fn deleting_an_account_takes_the_password() {
    let (_place, served) = public();
    let misha = visitor(&served, 0).with_account("Misha").await;
    let elsewhere = visitor(&served, 1).signed_in("Misha").await;
    let shared = json!({ "opponent": { "type": "friend" }, "side": "white", "visibility": "link" });
    let (theirs, _, friend) = misha.begin(&shared).await;
    let eve = visitor(&served, 4).with_account("Eve").await;
    eve.sit(&theirs, &friend.expect("a secret")).await;
    let alone = json!({
        "opponent": { "type": "engine", "level": 1 }, "side": "white", "visibility": "public"
    });
    let (own, _, _) = misha.begin(&alone).await;
    let path = "/api/account/delete";
    let wrong = json!({ "password": "wrong horse battery" });
    misha.ask(Method::POST, path, Some(&wrong), StatusCode::UNAUTHORIZED).await;
    let right = json!({ "password": "correct horse battery" });
    visitor(&served, 2).ask(Method::POST, path, Some(&right), StatusCode::UNAUTHORIZED).await;
    misha.ask(Method::POST, path, Some(&right), StatusCode::NO_CONTENT).await;
    assert_eq!(elsewhere.get("/api/me").await["user"], Value::Null);
    // What nobody else has is gone, too.
    eve.ask(Method::GET, &format!("/api/games/{own}"), None, StatusCode::NOT_FOUND).await;
    assert_eq!(eve.get(&format!("/api/games/{theirs}")).await["white"]["name"], "Misha");
    let back = visitor(&served, 3);
    let status = sign_in(&back, "Misha", "correct horse battery").await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_public_server_asks_for_https_and_keeps_its_metrics() {
    let place = Place::sqlite();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("token");
    std::fs::write(&file, "0123456789abcdef\n").expect("written");
    let file = file.to_str().expect("UTF-8");
    let args = ["--public", "--origin", "https://chess.test", "--metrics-token", file];
    let served = Served::start(&place, &args);
    let answer = served.visitor().send(Method::GET, "/", None).await;
    assert_eq!(answer.headers()["strict-transport-security"], "max-age=31536000");
    served.visitor().send(Method::GET, "/metrics", None).await.error_for_status().expect("local");
    let proxied = visitor(&served, 0);
    proxied.ask(Method::GET, "/metrics", None, StatusCode::FORBIDDEN).await;
    let url = format!("{}/metrics", served.url);
    for (token, status) in
        [("0123456789abcdef", StatusCode::OK), ("0123456789abcdee", StatusCode::FORBIDDEN)]
    {
        let request = reqwest::Client::new().get(&url).header("x-forwarded-for", "1.2.3.4");
        let answer = request.bearer_auth(token).send().await.expect("an answer");
        assert_eq!(answer.status(), status);
    }
}

#[tokio::test]
async fn responses_say_what_they_are() {
    let (_place, served) = public();
    let misha = visitor(&served, 0);
    let body = credentials("Misha", "correct horse battery");
    let signed_up = misha.send(Method::POST, "/api/account", Some(&body)).await;
    let cookie = signed_up.headers()["set-cookie"].to_str().expect("text").to_owned();
    assert!(cookie.starts_with("__Host-riga="), "{cookie}");
    for part in ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    for (path, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/api/me", "application/json"),
        ("/api/games/export", "application/vnd.chess-pgn; charset=utf-8"),
        ("/api/nothing", "application/problem+json"),
    ] {
        let answer = misha.send(Method::GET, path, None).await;
        let headers = answer.headers();
        assert_eq!(headers["content-type"], kind, "{path}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        assert!(!headers.contains_key("access-control-allow-origin"), "{path}");
    }
}

#[tokio::test]
async fn signing_in_again_ends_the_session_before() {
    let (_place, served) = public();
    let misha = visitor(&served, 0).with_account("Misha").await;
    let before = misha.cookie();
    let misha = misha.signed_in("Misha").await;
    assert_ne!(misha.cookie(), before);
    let request = reqwest::Client::new().get(format!("{}/api/me", served.url));
    let answer = request.header("cookie", before).send().await.expect("an answer");
    let me: Value = answer.json().await.expect("JSON");
    assert_eq!(me["user"], Value::Null);
    assert_eq!(misha.get("/api/me").await["user"]["name"], "Misha");
}

#[test]
fn plain_http_in_public_is_warned_about() {
    for (origin, warned) in [("http://chess.test", true), ("https://chess.test", false)] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_riga"))
            .args(["serve", "--public", "--origin", origin, "--port", "0"])
            .args(["--database", "/proc/nothing/riga.db"])
            .env("RUST_LOG", "warn")
            .env_remove("RIGA_CONFIG")
            .output()
            .expect("riga runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said.contains("without https"), warned, "{said}");
    }
}
