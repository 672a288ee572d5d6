//! Reviews over HTTP: the server's own, uploaded ones, the queue, and who may do what.

mod served;

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use served::{Place, Served, Visitor};

const PGN: &str = "[White \"Anna\"]\n[Black \"Misha\"]\n[Result \"1-0\"]\n[TimeControl \"180+2\"]\n\n\
    1. e4 { [%clk 0:03:00] } e5 { [%clk 0:02:59] } 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 \
    6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 \
    13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n";

async fn import(visitor: &Visitor, pgn: &str) -> Value {
    let client = reqwest::Client::new();
    let request = client.post(format!("{}/api/games/import", visitor.url));
    let request = request.header("cookie", visitor.cookie());
    let me = visitor.get("/api/me").await;
    let request = request.header("x-csrf-token", me["csrf"].as_str().unwrap_or_default());
    let request = request.header("content-type", "application/vnd.chess-pgn");
    let response = request.body(pgn.to_owned()).send().await.expect("the server answers");
    assert_eq!(response.status(), StatusCode::OK);
    response.json().await.expect("JSON")
}

/// Imports a game; returns the path of its review.
async fn imported(visitor: &Visitor) -> String {
    let report = import(visitor, PGN).await;
    format!("/api/games/{}/review", report["game"].as_str().expect("an id"))
}

async fn ask(visitor: &Visitor, path: &str, body: Value) -> Value {
    visitor.ask(Method::POST, path, Some(&body), StatusCode::ACCEPTED).await
}

/// Waits until a review is done.
async fn done(visitor: &Visitor, path: &str) -> Value {
    let start = Instant::now();
    loop {
        let review = visitor.get(path).await;
        match review["state"].as_str() {
            Some("done") => return review,
            Some("waiting" | "running") => assert!(start.elapsed() < Duration::from_mins(3)),
            _ => panic!("{review}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The report that `riga review` gives for a game.
fn by_command(pgn: &str, nodes: u64) -> Value {
    let mut riga = Command::new(env!("CARGO_BIN_EXE_riga"))
        .args(["review", "-", "--quiet", "--json", "-", "--nodes", &nodes.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("riga starts");
    riga.stdin.take().expect("piped").write_all(pgn.as_bytes()).expect("it reads");
    let output = riga.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let entry: Value = serde_json::from_slice(&output.stdout).expect("a line of JSON");
    entry["report"].clone()
}

#[tokio::test]
async fn the_server_reviews_as_the_command_does() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let anna = served.visitor().with_profile("Anna").await;
    let path = imported(&anna).await;
    assert_eq!(anna.get(&path).await["state"], "none");
    let asked = Instant::now();
    ask(&anna, &path, json!({ "nodes": 20_000 })).await;
    let first = loop {
        let review = anna.get(&path).await;
        let moves = review["so_far"].as_array().expect("a list");
        if let Some(last) = moves.first() {
            // The last move of the game is judged first.
            assert_eq!((&last["ply"], &last["label"]), (&json!(32), &json!("best")), "{last}");
            assert!(review["progress"].as_f64().is_some_and(|share| share > 0.0));
            break asked.elapsed();
        }
        assert_ne!(review["state"], "done", "it took no time");
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    let review = done(&anna, &path).await;
    assert_eq!(review["progress"], 1.0);
    assert!(review["created"].is_i64() && review["error"].is_null());
    let pgn = anna.send(Method::GET, &path.replace("review", "pgn"), None).await;
    let report = by_command(&pgn.text().await.expect("a text"), 20_000);
    assert_eq!(review["report"], report);
    // Asking again changes nothing; other nodes are another review.
    assert_eq!(ask(&anna, &path, json!({ "nodes": 20_000 })).await, review);
    let more = ask(&anna, &path, json!({ "nodes": 10_000 })).await;
    assert_ne!(more["state"], "done");
    assert_eq!(more["report"], report, "the old report stays meanwhile");
    assert_eq!(done(&anna, &path).await["report"]["nodes"], 10_000);
    println!("first label after {first:?}");
}

#[tokio::test]
async fn reviews_wait_in_a_queue_that_its_owner_sees() {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--reviewers", "0"]);
    let anna = served.visitor().with_profile("Anna").await;
    let misha = served.visitor().with_profile("Misha").await;
    let rounds = (0..5).map(|round| format!("[Round \"{round}\"]\n{PGN}\n"));
    let pgn = rounds.collect::<Vec<_>>().concat();
    assert_eq!(import(&anna, &pgn).await["imported"], 5);
    let queued = anna.ask(Method::POST, "/api/reviews", None, StatusCode::ACCEPTED).await;
    assert_eq!(queued, json!({ "queued": 5, "known": 0, "more": false }));
    let again = anna.ask(Method::POST, "/api/reviews", None, StatusCode::ACCEPTED).await;
    assert_eq!(again, json!({ "queued": 0, "known": 5, "more": false }));
    let none = "/api/reviews?player=Capablanca";
    let none = anna.ask(Method::POST, none, None, StatusCode::ACCEPTED).await;
    assert_eq!(none["queued"], 0);
    let queue = anna.get("/api/reviews").await;
    assert_eq!((&queue["waiting"], &queue["running"]), (&json!(5), &json!(0)));
    let last = &queue["jobs"][4];
    assert_eq!((&last["white"], &last["state"]), (&json!("Anna"), &json!("waiting")));
    let path = format!("/api/games/{}/review", last["game"].as_str().expect("an id"));
    assert_eq!(anna.get(&path).await["ahead"], 4);
    // What somebody clicks on comes first.
    assert_eq!(ask(&anna, &path, json!({})).await["ahead"], 0);
    let nobody = misha.get("/api/reviews").await;
    assert_eq!((&nobody["waiting"], &nobody["jobs"]), (&json!(0), &json!([])));
    misha.ask(Method::DELETE, "/api/reviews", None, StatusCode::NO_CONTENT).await;
    assert_eq!(anna.get("/api/reviews").await["waiting"], 5);
    anna.ask(Method::DELETE, "/api/reviews", None, StatusCode::NO_CONTENT).await;
    assert_eq!(anna.get("/api/reviews").await["waiting"], 0);
    assert_eq!(anna.get(&path).await["state"], "none");
}

#[tokio::test]
async fn a_review_survives_the_server() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let anna = served.visitor().with_profile("Anna").await;
    let path = imported(&anna).await;
    ask(&anna, &path, json!({ "nodes": 30_000 })).await;
    while anna.get(&path).await["state"] == "waiting" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    served.kill();
    let served = Served::start(&place, &[]);
    let anna = served.visitor();
    done(&anna, &path).await;
    ask(&anna, &path, json!({ "nodes": 40_000 })).await;
    while anna.get(&path).await["state"] == "waiting" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let start = Instant::now();
    assert!(served.stop());
    assert!(start.elapsed() < Duration::from_secs(5), "a review doesn't hold up the server");
    let served = Served::start(&place, &[]);
    assert_eq!(done(&served.visitor(), &path).await["report"]["nodes"], 40_000);
}

#[tokio::test]
async fn a_review_of_the_browser_is_checked_and_stored() {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--reviewers", "0"]);
    let anna = served.visitor().with_profile("Anna").await;
    let path = imported(&anna).await;
    let report = by_command(PGN, 500);
    let put =
        async |report: &Value, status| anna.ask(Method::PUT, &path, Some(report), status).await;
    let mut lie = report.clone();
    lie["moves"][3]["best"][0] = json!({ "uci": "a1a8", "san": "Rxa8" });
    let problem = put(&lie, StatusCode::BAD_REQUEST).await;
    assert!(problem["detail"].as_str().is_some_and(|text| text.contains("illegal")), "{problem}");
    let mut lie = report.clone();
    lie["moves"].as_array_mut().expect("a list").pop();
    put(&lie, StatusCode::BAD_REQUEST).await;
    let mut large = report.clone();
    large["engine"] = "x".repeat(5 << 20).into();
    put(&large, StatusCode::PAYLOAD_TOO_LARGE).await;
    put(&json!({}), StatusCode::BAD_REQUEST).await;
    assert_eq!(anna.get(&path).await["state"], "none");
    put(&report, StatusCode::NO_CONTENT).await;
    let review = anna.get(&path).await;
    assert_eq!((&review["state"], &review["report"]), (&json!("done"), &report));
    put(&report, StatusCode::NO_CONTENT).await;
}

#[tokio::test]
async fn the_servers_review_is_kept_and_an_upload_is_told_so() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let anna = served.visitor().with_profile("Anna").await;
    let path = imported(&anna).await;
    ask(&anna, &path, json!({ "nodes": 10_000 })).await;
    let own = done(&anna, &path).await;
    let report = by_command(PGN, 500);
    let problem = anna.ask(Method::PUT, &path, Some(&report), StatusCode::CONFLICT).await;
    assert_eq!(problem["type"], "/problems/reviewed");
    assert_eq!(problem["title"], "Already reviewed");
    let detail = problem["detail"].as_str().expect("a text");
    assert!(detail.contains("10000 nodes"), "{detail}");
    assert_eq!(anna.get(&path).await["report"], own["report"]);
}

#[tokio::test]
async fn all_that_have_a_review_or_a_job_are_known_even_when_the_queue_is_full() {
    let place = Place::sqlite();
    let options = ["--public", "--origin", ORIGIN, "--reviewers", "0"];
    let served = Served::start(&place, &options);
    let anna = served.visitor().with_account("Anna").await;
    let short = "[White \"Anna\"]\n[Black \"Misha\"]\n\n1. e4 e5 1-0\n\n";
    let numbered = |round: u32| format!("[Date \"2020.01.01\"]\n[Round \"{round}\"]\n{short}");
    let pgn = (0..203).map(numbered).collect::<String>();
    assert_eq!(import(&anna, &pgn).await["imported"], 203);
    let all = async || anna.ask(Method::POST, "/api/reviews", None, StatusCode::ACCEPTED).await;
    assert_eq!(all().await, json!({ "queued": 200, "known": 0, "more": true }));
    assert_eq!(all().await, json!({ "queued": 0, "known": 200, "more": true }));
    // The browser has reviewed one that didn't fit, with more nodes than the server would.
    let games = anna.get("/api/games?most=200&oldest=true").await;
    let path = format!("/api/games/{}/review", games["games"][0]["id"].as_str().expect("an id"));
    let enough = by_command("1. e4 e5 1-0", 120_000);
    anna.ask(Method::PUT, &path, Some(&enough), StatusCode::NO_CONTENT).await;
    assert_eq!(all().await, json!({ "queued": 0, "known": 201, "more": true }));
}

#[tokio::test]
async fn a_review_of_the_browser_with_fewer_nodes_is_not_enough() {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--reviewers", "0"]);
    let anna = served.visitor().with_profile("Anna").await;
    let path = imported(&anna).await;
    anna.ask(Method::PUT, &path, Some(&by_command(PGN, 500)), StatusCode::NO_CONTENT).await;
    let queued = anna.ask(Method::POST, "/api/reviews", None, StatusCode::ACCEPTED).await;
    assert_eq!(queued, json!({ "queued": 1, "known": 0, "more": false }));
}

#[tokio::test]
async fn requests_that_make_no_sense_are_refused() {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--reviewers", "0"]);
    let anna = served.visitor().with_profile("Anna").await;
    let path = imported(&anna).await;
    for nodes in [0, 9_999, 1_000_001] {
        let body = json!({ "nodes": nodes });
        let problem = anna.ask(Method::POST, &path, Some(&body), StatusCode::BAD_REQUEST).await;
        assert_eq!(problem["fields"][0]["name"], "nodes");
    }
    let here = json!({ "opponent": { "type": "here", "name": "Eve" } });
    let (id, ..) = anna.begin(&here).await;
    let live = format!("/api/games/{id}/review");
    let problem = anna.ask(Method::POST, &live, Some(&json!({})), StatusCode::CONFLICT).await;
    assert_eq!(problem["type"], "/problems/in-progress");
    assert_eq!(problem["title"], "The game is still in progress");
    let game = format!("/api/games/{id}");
    let problem = anna.ask(Method::DELETE, &game, None, StatusCode::CONFLICT).await;
    assert_eq!(problem["type"], "/problems/in-progress");
    // A list of the fields' values is no object.
    for (method, path, list) in [
        (Method::POST, &*path, json!([])),
        (Method::POST, &*path, json!([20_000])),
        (Method::POST, "/api/users", json!(["Eve"])),
        (Method::PATCH, &*game, json!([])),
        (Method::POST, "/api/positions", json!([])),
        (Method::POST, &*path, json!(null)),
    ] {
        let problem = anna.ask(method, path, Some(&list), StatusCode::BAD_REQUEST).await;
        let detail = problem["detail"].as_str().expect("a text");
        assert!(detail.contains("expected an object"), "{path} {list}: {detail}");
    }
    anna.ask(Method::POST, &path, None, StatusCode::ACCEPTED).await;
    let missing = "/api/games/abcdefghijklmn/review";
    anna.ask(Method::GET, missing, None, StatusCode::NOT_FOUND).await;
    // A server without a worker token has no desk.
    let claim = anna.send(Method::POST, "/api/desk/claim", Some(&json!({}))).await;
    assert_ne!(claim.status(), StatusCode::OK);
}

const ORIGIN: &str = "http://chess.test";

#[tokio::test]
async fn who_may_see_a_game_may_see_its_review_and_only_players_upload_one() {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--public", "--origin", ORIGIN, "--reviewers", "0"]);
    let anna = served.visitor().with_account("Anna").await;
    let eve = served.visitor().with_account("Eve").await;
    let stranger = served.visitor();
    let game = json!({ "opponent": { "type": "here", "name": "Bob" }, "side": "white",
        "visibility": "private" });
    let (id, ..) = anna.begin(&game).await;
    let mut socket = anna.join(&id).await;
    socket.play(0, "e4").await;
    socket.play(1, "e5").await;
    socket.say(json!({ "type": "resign" })).await.expect("an answer");
    let path = format!("/api/games/{id}/review");
    let report = by_command("1. e4 e5 0-1", 100);
    for other in [&eve, &stranger] {
        other.ask(Method::GET, &path, None, StatusCode::NOT_FOUND).await;
        other.ask(Method::PUT, &path, Some(&report), StatusCode::NOT_FOUND).await;
    }
    eve.ask(Method::POST, &path, Some(&json!({})), StatusCode::NOT_FOUND).await;
    stranger.ask(Method::POST, &path, Some(&json!({})), StatusCode::UNAUTHORIZED).await;
    for method in [Method::GET, Method::POST, Method::DELETE] {
        stranger.ask(method, "/api/reviews", None, StatusCode::UNAUTHORIZED).await;
    }
    let forged = anna.clone().without_csrf();
    forged.ask(Method::POST, &path, Some(&json!({})), StatusCode::FORBIDDEN).await;
    forged.ask(Method::DELETE, "/api/reviews", None, StatusCode::FORBIDDEN).await;
    anna.ask(Method::PUT, &path, Some(&report), StatusCode::NO_CONTENT).await;
    let open = json!({ "visibility": "public" });
    let game = format!("/api/games/{id}");
    anna.ask(Method::PATCH, &game, Some(&open), StatusCode::OK).await;
    for other in [&eve, &stranger] {
        assert_eq!(other.get(&path).await["report"]["moves"][0]["played"]["san"], "e4");
        other.ask(Method::PUT, &path, Some(&report), StatusCode::FORBIDDEN).await;
    }
    ask(&eve, &path, json!({})).await;
    assert_eq!(eve.get("/api/reviews").await["waiting"], 1);
    assert_eq!(anna.get("/api/reviews").await["waiting"], 0);
}

#[tokio::test]
async fn a_game_of_two_people_is_reviewed_by_the_server_only() {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--public", "--origin", ORIGIN, "--reviewers", "0"]);
    let anna = served.visitor().with_account("Anna").await;
    let eve = served.visitor().with_account("Eve").await;
    let report = by_command("1. e4 e5 1-0", 100);
    for other in [Some(&eve), None] {
        let game = json!({ "opponent": { "type": "friend" }, "side": "white" });
        let (id, _, friend) = anna.begin(&game).await;
        let link = friend.expect("a secret");
        let guest = served.visitor();
        let mut black = match other {
            Some(eve) => {
                eve.sit(&id, &link).await;
                eve.join(&id).await
            }
            None => guest.join_as(&id, &guest.sit(&id, &link).await).await,
        };
        anna.join(&id).await.play(0, "e4").await;
        black.play(1, "e5").await;
        black.say(json!({ "type": "resign" })).await.expect("an answer");
        let path = format!("/api/games/{id}/review");
        anna.ask(Method::PUT, &path, Some(&report), StatusCode::FORBIDDEN).await;
        assert_eq!(ask(&anna, &path, json!({})).await["state"], "waiting");
    }
}
