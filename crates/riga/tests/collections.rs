//! Collections of games as the server shows them.

mod served;

use std::path::Path;
use std::process::Command;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use served::{Place, Served};

const GAMES: &str = r#"[Event "Candidates"]
[White "Tal, Mikhail"]
[Black "Smyslov, Vassily"]
[WhiteElo "2650"]
[BlackElo "2690"]
[Date "1959.10.??"]
[Result "1-0"]

1. e4 c6 2. d4 d5 1-0

[Event "Club"]
[White "Smyslov, Vassily"]
[Black "Tal, Mikhail"]
[Date "1964.01.02"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 { sharp } 1/2-1/2

[Event "Club"]
[White "Anon"]
[Black "Tal, Mikhail"]
[Result "0-1"]

1. d4 Nf6 0-1
"#;

fn add(folder: &Path, name: &str, pgn: &str) {
    let file = folder.join("games.pgn");
    std::fs::write(&file, pgn).expect("a file");
    let mut riga = Command::new(env!("CARGO_BIN_EXE_riga"));
    let added = riga.args(["library", "add"]).arg(folder.join(name)).arg(&file).output();
    assert!(added.expect("riga runs").status.success());
}

#[tokio::test]
async fn collections_are_explored_listed_and_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    add(folder.path(), "masters", GAMES);
    let place = Place::sqlite();
    let served = Served::start(&place, &["--library", folder.path().to_str().expect("UTF-8")]);
    let visitor = served.visitor();
    assert_eq!(visitor.get("/api/library").await, json!([{ "name": "masters", "games": 3 }]));

    let moves = visitor.get("/api/library/masters/explorer").await;
    assert_eq!(moves["total"]["games"], 3);
    let first = &moves["moves"][0];
    assert_eq!(
        (&first["san"], &first["games"], &first["rating"]),
        (&json!("e4"), &json!(2), &json!(2670))
    );
    assert_eq!(moves["moves"][1]["last"], Value::Null, "d4 was played on an unknown day");
    let drawn = visitor
        .get("/api/library/masters/explorer?result=1/2-1/2&player=Tal,%20Mikhail&side=black");
    assert_eq!(
        drawn.await["total"],
        json!({ "games": 1, "white": 0, "drawn": 1, "black": 0, "rating": null })
    );

    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".replace(' ', "%20");
    let games = visitor.get(&format!("/api/library/masters/games?fen={fen}")).await;
    let listed = games["games"].as_array().expect("a list");
    assert_eq!(listed.len(), 2);
    assert_eq!((&listed[0]["date"], &listed[0]["played"]), (&json!("1964.01.02"), &json!("e5")));
    let id = listed[0]["id"].as_str().expect("an id");
    let pgn = visitor.send(Method::GET, &format!("/api/library/masters/games/{id}"), None).await;
    let pgn = pgn.text().await.expect("a text");
    assert!(pgn.contains("Nf3 { sharp }") && pgn.contains("[Event \"Club\"]"), "{pgn}");

    assert_eq!(visitor.get("/api/library/masters/players?start=ta").await, json!(["Tal, Mikhail"]));
    let tal = visitor.get("/api/library/masters/players/Tal,%20Mikhail").await;
    assert_eq!((&tal["white"]["games"], &tal["black"]["games"]), (&json!(1), &json!(2)));
    assert_eq!(tal["openings"].as_array().map(Vec::len), Some(3));

    let tree = visitor.get("/api/library/masters/players/Tal,%20Mikhail/repertoire?side=black");
    assert_eq!(tree.await, json!([]), "no move was played twice");

    // What is added while the server runs is seen.
    add(folder.path(), "masters", GAMES);
    assert_eq!(visitor.get("/api/library").await, json!([{ "name": "masters", "games": 6 }]));
    let tree = visitor.get("/api/library/masters/players/Tal,%20Mikhail/repertoire?side=black");
    let tree = tree.await;
    assert_eq!((&tree[0]["san"], &tree[1]["san"]), (&json!("d4"), &json!("e4")));
    let e5 = &tree[1]["next"][0];
    assert_eq!((&e5["san"], &e5["score"]["drawn"]), (&json!("e5"), &json!(2)));
    assert_eq!(e5["next"][0]["san"], "Nf3");
}

#[tokio::test]
async fn games_are_found_by_material() {
    let folder = tempfile::tempdir().expect("a folder");
    let rooks = "[White \"a\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/r6P/R3K3 w - - 0 1\"]\n\n\
        1. Rb1 Rxh2 2. Kf1 0-1\n";
    add(folder.path(), "masters", &format!("{GAMES}\n{rooks}"));
    let place = Place::sqlite();
    let served = Served::start(&place, &["--library", folder.path().to_str().expect("UTF-8")]);
    let visitor = served.visitor();
    let found = visitor.get("/api/library/masters/games?material=KRvKRP").await;
    let games = found["games"].as_array().expect("a list");
    assert_eq!(games.len(), 1);
    assert_eq!((&games[0]["white"], &games[0]["ply"]), (&json!("a"), &json!(0)));
    let found = visitor.get("/api/library/masters/games?material=KRvKR&order=strongest").await;
    assert_eq!(found["games"][0]["ply"], 2);
    let found = visitor.get("/api/library/masters/games?material=KRvKR&player=Anon").await;
    assert_eq!(found["games"], json!([]));
}

#[tokio::test]
async fn the_explorer_adds_own_games_and_all_collections() {
    let folder = tempfile::tempdir().expect("a folder");
    add(folder.path(), "masters", GAMES);
    add(folder.path(), "others", GAMES);
    let place = Place::sqlite();
    let served = Served::start(&place, &["--library", folder.path().to_str().expect("UTF-8")]);
    let visitor = served.visitor();
    let own = "[White \"me\"]\n[WhiteElo \"1000\"]\n[Date \"2020.02.03\"]\n[Result \"1-0\"]\n\n\
        1. e4 h5 1-0\n";
    let import = reqwest::Client::new().post(format!("{}/api/games/import", served.url));
    let import = import.body(own).send().await.expect("an answer");
    assert!(import.status().is_success(), "{import:?}");
    let first = |moves: &Value| moves["moves"][0].clone();
    let alone = first(&visitor.get("/api/explorer").await);
    assert_eq!((&alone["games"], &alone["rating"]), (&json!(1), &json!(1000)));
    let moves = visitor.get("/api/explorer?collections=true").await;
    let e4 = first(&moves);
    // Twice two games of each collection and one of the store; twice 2650 and 2690, once 1000.
    assert_eq!((&e4["san"], &e4["games"]), (&json!("e4"), &json!(5)));
    assert_eq!((&e4["white"], &e4["drawn"], &e4["black"]), (&json!(3), &json!(2), &json!(0)));
    assert_eq!(e4["rating"], (2 * (2650 + 2690) + 1000 + 2) / 5);
    assert_eq!(e4["last"], alone["last"], "the own game is the newest");
    assert_eq!((&moves["moves"][1]["san"], &moves["moves"][1]["games"]), (&json!("d4"), &json!(2)));
}

#[tokio::test]
async fn bad_questions_about_collections_are_answered_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    add(folder.path(), "masters", GAMES);
    let place = Place::sqlite();
    let served = Served::start(&place, &["--library", folder.path().to_str().expect("UTF-8")]);
    let visitor = served.visitor();
    for (path, status) in [
        ("/api/library/none/explorer", StatusCode::NOT_FOUND),
        ("/api/library/..%2Fmasters/explorer", StatusCode::NOT_FOUND),
        ("/api/library/masters/games/1", StatusCode::NOT_FOUND),
        ("/api/library/masters/games/9-9", StatusCode::NOT_FOUND),
        ("/api/library/masters/players/Nobody", StatusCode::NOT_FOUND),
        ("/api/library/masters/explorer?from=yesterday", StatusCode::BAD_REQUEST),
        ("/api/library/masters/explorer?result=2-0", StatusCode::BAD_REQUEST),
        ("/api/library/masters/explorer?fen=x", StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/library/masters/games?page=99999", StatusCode::BAD_REQUEST),
        ("/api/library/masters/games?material=rook", StatusCode::BAD_REQUEST),
        ("/api/library/masters/explorer?material=KRvK", StatusCode::BAD_REQUEST),
        ("/api/library/masters/players/Anon/repertoire", StatusCode::BAD_REQUEST),
        ("/api/library/masters/players/Nobody/repertoire?side=white", StatusCode::NOT_FOUND),
        ("/api/library/masters/explorer?colour=red", StatusCode::BAD_REQUEST),
    ] {
        let answer = visitor.send(Method::GET, path, None).await;
        assert_eq!(answer.status(), status, "{path}");
        let problem: Value = answer.json().await.expect("a problem document");
        assert!(
            problem["detail"].as_str().is_some_and(|text| !text.is_empty()),
            "{path}: {problem}"
        );
    }
    let elsewhere = Place::sqlite();
    let without = Served::start(&elsewhere, &["--library", "/nonexistent"]);
    assert_eq!(without.visitor().get("/api/library").await, json!([]));
}

#[tokio::test]
async fn a_public_server_shows_collections_to_users_only() {
    let folder = tempfile::tempdir().expect("a folder");
    add(folder.path(), "masters", GAMES);
    let library = folder.path().to_str().expect("UTF-8");
    let args = ["--public", "--origin", "https://chess.test", "--library", library];
    let place = Place::sqlite();
    let served = Served::start(&place, &args);
    for path in [
        "/api/library",
        "/api/library/masters/explorer",
        "/api/library/masters/games",
        "/api/library/masters/games/1-0",
        "/api/library/masters/players?start=T",
        "/api/library/masters/players/Anon",
        "/api/library/masters/players/Anon/repertoire?side=white",
        "/api/library/none/games",
    ] {
        let answer = served.visitor().send(Method::GET, path, None).await;
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{path}");
    }
    let misha = served.visitor().with_account("Misha").await;
    assert_eq!(misha.get("/api/library").await, json!([{ "name": "masters", "games": 3 }]));
}
