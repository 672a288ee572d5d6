//! Clients that flood the server, stall, or pile up connections and games. Everyone else is served
//! as usual, and memory stays bounded.

mod served;

use std::time::{Duration, Instant};

use futures_util::SinkExt;
use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::json;
use served::{Place, Served, Socket};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// A socket for analyses, opened by hand.
async fn raw_socket(served: &Served) -> TcpStream {
    let mut stream = served.connect().await;
    let request = "GET /api/analysis/socket HTTP/1.1\r\nHost: localhost\r\n\
        Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    stream.write_all(request.as_bytes()).await.expect("it is written");
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.expect("an answer"));
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&answer));
    stream
}

/// Waits until the engine's threads have allocated their memory. Returns what is in use then.
async fn settled(served: &Served) -> u64 {
    let mut memory = [0; 10];
    for turn in (0..10).cycle() {
        memory[turn] = served.memory();
        if memory.iter().all(|&once| once == memory[0]) {
            break;
        }
        sleep(Duration::from_millis(200)).await;
    }
    memory[0]
}

#[tokio::test]
async fn a_socket_that_pings_and_never_reads_is_closed() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let mut stream = raw_socket(&served).await;
    let before = settled(&served).await;
    // As long as a ping can be, masked with zeros.
    let mut ping = vec![0x89, 0x80 | 0x7d, 0, 0, 0, 0];
    ping.extend([b'x'; 0x7d]);
    let pings = ping.repeat(500);
    let mut sent = 0;
    let flood = async {
        while stream.write_all(&pings).await.is_ok() {
            sent += pings.len();
        }
    };
    timeout(Duration::from_secs(5), flood).await.expect("the socket is closed");
    let grown = served.memory().saturating_sub(before);
    assert!(grown < 8_000, "memory grew by {grown} kB for {sent} bytes");
    assert!(served.stop());
}

#[tokio::test]
async fn a_socket_is_not_read_faster_than_it_may_send() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let mut stream = raw_socket(&served).await;
    // The beginning of a message, and more and more pieces of it with nothing inside.
    stream.write_all(&[0x01, 0x80, 0, 0, 0, 0]).await.expect("it is written");
    let pieces = [0x00, 0x80, 0, 0, 0, 0].repeat(10_000);
    let mut sent = 0;
    let flood = async {
        while stream.write_all(&pieces).await.is_ok() {
            sent += pieces.len();
        }
    };
    let _ = timeout(Duration::from_secs(5), flood).await;
    // What the server has read, and what fills the buffers of the system.
    assert!(sent < 20_000_000, "{sent} bytes were read");
    assert!(served.stop());
}

#[tokio::test]
async fn a_message_that_is_too_large_closes_with_its_code() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let visitor = served.visitor();
    let (game, seat, _) = visitor.begin(&json!({ "opponent": { "type": "friend" } })).await;
    for size in [9_000, 1_000_000] {
        let mut socket = visitor.join_as(&game, &seat).await;
        // The server may close the socket before all of it is sent.
        let _ = socket.send_text(&"x".repeat(size)).await;
        assert_eq!(socket.close_code().await, Ok(1009), "{size} bytes");
    }
    let first = Socket::join(&served.url, &game, Some(&"x".repeat(9_000))).await;
    assert_eq!(first.err(), Some("closed".to_owned()));
    assert!(served.stop());
}

#[tokio::test]
async fn idle_sockets_need_little_memory() {
    const MOST: u64 = 30;
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let visitor = served.visitor();
    let (game, ..) = visitor.begin(&json!({ "opponent": { "type": "friend" } })).await;
    let mut sockets = Vec::new();
    for _ in 0..50 {
        sockets.push(raw_socket(&served).await);
    }
    let before = settled(&served).await;
    for _ in 0..300 {
        sockets.push(raw_socket(&served).await);
    }
    let each = served.memory().saturating_sub(before) / 300;
    println!("an analysis socket takes {each} kB");
    assert!(each <= MOST, "an analysis socket takes {each} kB");
    drop(sockets);
    let mut sockets = Vec::new();
    for _ in 0..50 {
        sockets.push(Socket::join(&served.url, &game, None).await.expect("joined"));
    }
    let before = settled(&served).await;
    for _ in 0..300 {
        sockets.push(Socket::join(&served.url, &game, None).await.expect("joined"));
    }
    let each = served.memory().saturating_sub(before) / 300;
    println!("a game socket takes {each} kB");
    assert!(each <= MOST, "a game socket takes {each} kB");
    drop(sockets);
    assert!(served.stop());
}

#[tokio::test]
async fn half_open_connections_keep_nobody_out() {
    let origin = "http://localhost";
    let unfinished = [
        "",
        "GET /health HTTP/1.1\r\nHost: ",
        "POST /api/positions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
            Content-Length: 5000\r\n\r\n{",
    ];
    for args in [&[][..], &["--public", "--origin", origin, "--requests-per-second", "1000"]] {
        let place = Place::sqlite();
        let served = Served::with_files(256, &place, args);
        let mut half_open = Vec::new();
        for number in 0..600 {
            let mut stream = served.connect().await;
            let request = unfinished[number / 200];
            // The server may close the connection at once.
            let _ = stream.write_all(request.as_bytes()).await;
            half_open.push(stream);
            if number % 100 == 99 {
                let visitor = served.visitor();
                let health = timeout(Duration::from_secs(2), visitor.get("/health"));
                assert_eq!(health.await.expect("an answer")["status"], "ok");
            }
        }
        drop(half_open);
        assert!(served.stop());
    }
}

#[tokio::test]
async fn an_unfinished_upload_is_the_only_one() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let head = "POST /api/games/import HTTP/1.1\r\nHost: localhost\r\n\
        Content-Type: application/vnd.chess-pgn\r\nContent-Length: 1000000\r\n\r\n";
    let mut upload = served.connect().await;
    upload.write_all(head.as_bytes()).await.expect("it is written");
    sleep(Duration::from_millis(500)).await;
    let visitor = served.visitor();
    let import = || visitor.send(Method::POST, "/api/games/import", None);
    assert_eq!(import().await.status(), StatusCode::TOO_MANY_REQUESTS);
    drop(upload);
    let again = async {
        while import().await.status() != StatusCode::OK {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(5), again).await.expect("the upload has ended");
    assert!(served.stop());
}

#[tokio::test]
async fn a_large_import_is_not_held_in_memory() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let before = settled(&served).await.max(served.peak_memory());
    // Games that aren't stored: what is stored also fills the caches of the database.
    let game = format!("[Variant \"Atomic\"]\n\n1. d4 {{{}}} *\n\n", "x".repeat(100_000));
    let pgn = game.repeat((31 << 20) / game.len());
    let size = pgn.len() as u64 >> 10;
    let import = reqwest::Client::new().post(format!("{}/api/games/import", served.url));
    let report = import.body(pgn).send().await.expect("an answer");
    assert_eq!(report.status(), StatusCode::OK);
    let grown = served.peak_memory() - before;
    println!("memory grew by {grown} kB for {size} kB");
    assert!(grown < 8_000, "memory grew by {grown} kB for {size} kB");
    assert!(served.stop());
}

/// How long the server keeps a connection on which a piece is sent now and then.
async fn kept(served: &Served, first: &str, piece: &str) -> Duration {
    let mut stream = served.connect().await;
    stream.write_all(first.as_bytes()).await.expect("it is written");
    let start = Instant::now();
    let mut buffer = [0; 4096];
    while start.elapsed() < Duration::from_secs(30) {
        match timeout(Duration::from_millis(500), stream.read(&mut buffer)).await {
            Ok(Ok(0) | Err(_)) => break,
            Err(_) if stream.write_all(piece.as_bytes()).await.is_err() => break,
            Ok(Ok(_)) | Err(_) => {}
        }
    }
    start.elapsed()
}

/// How long a client may send requests without reading the answers.
async fn unread(served: &Served) -> Duration {
    let mut stream = served.connect().await;
    let request = "GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100);
    let start = Instant::now();
    let flood = async { while stream.write_all(request.as_bytes()).await.is_ok() {} };
    let _ = timeout(Duration::from_secs(40), flood).await;
    start.elapsed()
}

#[tokio::test]
async fn slow_connections_are_closed() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let head = "POST /api/positions HTTP/1.1\r\nHost: localhost\r\n\
        Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n";
    let whole = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let (silent, slow_head, slow_body, idle, unread) = tokio::join!(
        kept(&served, "", ""),
        kept(&served, "GET /health HTTP/1.1\r\nX: ", "x"),
        kept(&served, head, " "),
        kept(&served, whole, ""),
        unread(&served),
    );
    let kept = [silent, slow_head, slow_body, idle];
    let expected = Duration::from_secs(9)..Duration::from_secs(14);
    assert!(kept.iter().all(|time| expected.contains(time)), "{kept:?}");
    assert!(unread < Duration::from_secs(30), "{unread:?}");
    assert!(served.stop());
}

/// A position that is in no book, with much to think about.
const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/P1N1PN2/1B3PPP/R2QKB1R w KQ - 1 9";

#[tokio::test]
async fn many_games_from_one_address_delay_no_other() {
    let place = Place::sqlite();
    let args = ["--public", "--origin", "http://localhost", "--behind-proxy", "--workers", "2"];
    let served = Served::start(&place, &args);
    let engine = json!({ "opponent": { "type": "engine", "level": 10 }, "side": "black",
        "fen": MIDDLEGAME });
    let flooder = served.visitor().coming_from("192.0.2.1");
    let mut flood = Vec::new();
    for _ in 0..30 {
        let (game, seat, _) = flooder.begin(&engine).await;
        flood.push(flooder.join_as(&game, &seat).await);
    }
    let player = served.visitor().coming_from("192.0.2.2");
    let (game, seat, _) = player.begin(&engine).await;
    let start = Instant::now();
    player.join_as(&game, &seat).await.wait_for("played").await;
    let waited = start.elapsed();
    assert!(waited < Duration::from_secs(5), "the engine moved after {waited:?}");
    assert!(served.stop());
}

/// Analyses long games over and over, until the flood is dropped.
async fn flood_with_analyses(served: &Served, address: &str) {
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let moves: Vec<&str> = shuffle.into_iter().cycle().take(900).collect();
    let url = format!("{}/api/analysis/socket", served.url.replace("http", "ws"));
    let mut request = url.into_client_request().expect("an address");
    request.headers_mut().insert("x-forwarded-for", address.parse().expect("an address"));
    let (mut socket, _) = connect_async(request).await.expect("it opens");
    for id in 0.. {
        // A long game is a lot to read, and the start position a lot to think about.
        let moves = if id % 2 == 0 { &moves[..] } else { &[] };
        let analyse = json!({ "type": "analyse", "id": id, "position": { "moves": moves } });
        let sent = socket.send(Message::Text(analyse.to_string().into())).await;
        sent.expect("the socket stays open");
        sleep(Duration::from_millis(60)).await;
    }
}

#[tokio::test]
async fn a_flood_of_analyses_delays_no_moves() {
    let place = Place::sqlite();
    let args = ["--public", "--origin", "http://localhost", "--behind-proxy", "--workers", "2"];
    let served = Served::start(&place, &args);
    let visitor = served.visitor().coming_from("192.0.2.2");
    let (game, seat, friend) =
        visitor.begin(&json!({ "opponent": { "type": "friend" }, "side": "white" })).await;
    let friend = visitor.sit(&game, &friend.expect("a secret")).await;
    let mut sockets = [visitor.join_as(&game, &seat).await, visitor.join_as(&game, &friend).await];
    let flood = join_all((0..20).map(|_| flood_with_analyses(&served, "192.0.2.1")));
    let play = async {
        sleep(Duration::from_secs(1)).await;
        let mut times = Vec::new();
        let moves =
            ["g1f3", "g8f6", "b1c3", "b8c6", "e2e4", "e7e5", "d2d4", "d7d5", "a2a3", "a7a6"];
        for (ply, m) in moves.into_iter().enumerate() {
            sleep(Duration::from_millis(150)).await;
            let start = Instant::now();
            sockets[ply % 2].play(ply, m).await;
            times.push(start.elapsed());
        }
        times
    };
    let mut times = tokio::select! {
        times = play => times,
        _ = flood => unreachable!("it never ends"),
    };
    times.sort();
    println!("moves took {times:?}");
    assert!(times[8] < Duration::from_millis(500), "{times:?}");
    assert!(served.stop());
}

#[tokio::test]
async fn the_engine_waits_until_somebody_is_there() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let visitor = served.visitor();
    let engine = json!({ "opponent": { "type": "engine", "level": 1 }, "side": "black" });
    let (game, seat, _) = visitor.begin(&engine).await;
    sleep(Duration::from_millis(1500)).await;
    let path = format!("/api/games/{game}");
    assert_eq!(visitor.get(&path).await["moves"], json!([]), "nobody has connected");
    let mut socket = visitor.join_as(&game, &seat).await;
    socket.wait_for("played").await;
    assert!(served.stop());
}

#[tokio::test]
async fn leaving_does_not_win_on_time() {
    let place = Place::sqlite();
    let served = Served::start(&place, &[]);
    let visitor = served.visitor();
    let engine = json!({ "opponent": { "type": "engine", "level": 10 }, "side": "white",
        "fen": MIDDLEGAME, "time": "20" });
    let (game, seat, _) = visitor.begin(&engine).await;
    let mut socket = visitor.join_as(&game, &seat).await;
    socket.play(0, "f1d3").await;
    drop(socket);
    let path = format!("/api/games/{game}");
    let moves = async {
        while visitor.get(&path).await["moves"].as_array().map_or(0, Vec::len) < 2 {
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(Duration::from_secs(10), moves).await.expect("the engine moves in time");
    assert!(served.stop());
}
