//! Tests of the connection to a server.

use game::live::{LiveGame, Moment, Terms};

use super::super::mirror::tests::view;
use super::*;

#[test]
fn a_socket_is_as_secure_as_its_server() {
    assert_eq!(socket_url("http://localhost:8000", "x"), "ws://localhost:8000/api/games/x/socket");
    assert_eq!(socket_url("https://a.org", "x"), "wss://a.org/api/games/x/socket");
}

#[test]
fn the_way_to_a_game_can_be_typed() {
    assert_eq!(
        command_for("http://localhost:8000", "abc", Some("s3cret")),
        "riga play --server http://localhost:8000 --game abc --seat s3cret"
    );
    assert_eq!(
        command_for("https://a.org", "abc", None),
        "riga play --server https://a.org --game abc"
    );
}

fn link() -> (Link, mpsc::Receiver<News>) {
    let (tell, news) = mpsc::channel();
    let base = "https://a.org".to_owned();
    let (url, seat) = (socket_url(&base, "abc"), Some("s3cret".to_owned()));
    let sign = Sign::default();
    (Link { url, base, seat, tell, sign, pause: LONGEST_PAUSE }, news)
}

#[test]
fn a_server_that_is_not_there_is_an_error_at_the_start() {
    let target = Target {
        base: "http://127.0.0.1:1".to_owned(),
        game: "abc".to_owned(),
        entrance: Entrance::Watch,
    };
    let error = connect(target, None, Sign::default()).expect_err("nobody listens");
    assert!(error.to_string().starts_with("http://127.0.0.1:1: "), "{error}");
}

#[test]
fn a_server_that_starts_again_is_waited_for() {
    let told = |status: u16, body: &str| {
        let status = StatusCode::from_u16(status).expect("a status");
        Broken::answer(status, problem(status, body.as_bytes()))
    };
    for status in [429, 500, 502, 503] {
        assert!(matches!(told(status, "<html>"), Broken::Lost(_)), "{status}");
    }
    let refused = told(404, "{ \"detail\": \"no such game\" }");
    assert!(matches!(refused, Broken::Refused(text) if text == "no such game"));
    let (mut link, _news) = link();
    let mut problem = |status: u16| {
        let document = wire::Problem {
            kind: "/problems/busy".to_owned(),
            title: "The server is busy".to_owned(),
            status,
            detail: "later".to_owned(),
            fields: Vec::new(),
        };
        let text = serde_json::to_string(&document).expect("JSON");
        link.hear(&mut None, &text).expect_err("not the game")
    };
    assert!(matches!(problem(503), Broken::Lost(text) if text == "later"));
    assert!(matches!(problem(403), Broken::Refused(text) if text == "later"));
}

#[test]
fn the_command_for_a_rematch_is_complete() {
    let (mut link, news) = link();
    let text = serde_json::to_string(&ServerMessage::Rematch { game: "xyz".to_owned() });
    assert!(link.hear(&mut None, &text.expect("JSON")).is_ok());
    assert!(matches!(news.recv(), Ok(News::Notice(text)) if text.contains("xyz")));
    let told = link.sign.take().expect("a command");
    let command = "riga play --server https://a.org --game xyz --seat s3cret";
    assert!(told.ends_with(command), "{told}");
}

#[test]
fn after_a_good_connection_the_first_pause_is_short_again() {
    let (mut link, _news) = link();
    let live = LiveGame::new(Terms::default());
    let game = view(&live, Moment(0));
    let (sides, present) = (Vec::new(), Vec::new());
    let state = ServerMessage::State { game, sides, present, spectators: 1 };
    let text = serde_json::to_string(&state).expect("JSON");
    assert!(link.hear(&mut None, &text).is_ok());
    assert_eq!(link.pause, SHORTEST_PAUSE);
}

#[test]
fn every_command_comes_back_from_its_message() {
    for command in [
        Command::play(3, "e2e4"),
        Command::premove(4, "e7e5"),
        Command::CancelPremove,
        Command::Draw,
        Command::TakeBack,
        Command::Decline,
        Command::ClaimDraw,
        Command::ClaimTime,
        Command::Resign,
        Command::Abort,
        Command::Rematch,
    ] {
        let message = message(command.clone(), 7).expect("a message");
        assert_eq!(message.into_command(), Some(command));
    }
}
