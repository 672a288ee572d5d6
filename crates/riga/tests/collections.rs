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
    let served =
        Served::start(&Place::sqlite(), &["--library", folder.path().to_str().expect("UTF-8")]);
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

    // What is added while the server runs is seen.
    add(folder.path(), "masters", GAMES);
    assert_eq!(visitor.get("/api/library").await, json!([{ "name": "masters", "games": 6 }]));
}

#[tokio::test]
async fn bad_questions_about_collections_are_answered_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    add(folder.path(), "masters", GAMES);
    let served =
        Served::start(&Place::sqlite(), &["--library", folder.path().to_str().expect("UTF-8")]);
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
    let without = Served::start(&Place::sqlite(), &["--library", "/nonexistent"]);
    assert_eq!(without.visitor().get("/api/library").await, json!([]));
}
