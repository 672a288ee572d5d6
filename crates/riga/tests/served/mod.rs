//! A real server on a free port, stopped at the end of the test.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use reqwest::cookie::{CookieStore, Jar};
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

#[path = "../../../store/tests/contract/postgres.rs"]
pub mod postgres;

/// Where a server stores its games.
pub struct Place {
    pub database: String,
    _folder: Option<TempDir>,
}

impl Place {
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("riga.db").to_str().expect("UTF-8").to_owned();
        Self { database, _folder: Some(folder) }
    }

    pub fn postgres() -> Self {
        Self { database: postgres::fresh_database(), _folder: None }
    }

    /// On a PostgreSQL server of its own.
    pub fn on(server: &postgres::Server) -> Self {
        Self { database: server.fresh_database(), _folder: None }
    }
}

/// A running server, killed on drop.
pub struct Served {
    child: Child,
    pub url: String,
}

impl Served {
    pub fn start(place: &Place, args: &[&str]) -> Self {
        Self::spawn(Command::new(env!("CARGO_BIN_EXE_riga")), place, args)
    }

    /// A server that can't have more open files than this.
    pub fn with_files(files: usize, place: &Place, args: &[&str]) -> Self {
        let mut shell = Command::new("sh");
        let script = format!("ulimit -n {files}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_riga")]);
        Self::spawn(shell, place, args)
    }

    /// A server whose files can't grow beyond this many blocks of half a kilobyte, or of a whole one.
    pub fn with_file_size(blocks: usize, place: &Place, args: &[&str]) -> Self {
        let mut shell = Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -S -f {blocks}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_riga")]);
        Self::spawn(shell, place, args)
    }

    /// Lets the files of [`with_file_size`](Self::with_file_size) grow.
    pub fn let_files_grow(&self) {
        let id = self.id().to_string();
        let freed = Command::new("prlimit").args(["--pid", &id, "--fsize=unlimited:"]).status();
        assert!(freed.expect("prlimit runs").success());
    }

    fn spawn(mut command: Command, place: &Place, args: &[&str]) -> Self {
        let mut child = command
            .args(["serve", "--port", "0", "--database", &place.database])
            .args(args)
            .env("RUST_LOG", "warn")
            .env_remove("RIGA_CONFIG")
            .stdout(Stdio::piped())
            .spawn()
            .expect("riga starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("it is piped");
        BufReader::new(out).read_line(&mut line).expect("it says where it listens");
        let url = line.trim().strip_prefix("Riga listens on ").expect("an address").to_owned();
        Self { child, url }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it at once, like a crash.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it has ended");
    }

    /// Asks it to stop, and waits for it.
    pub fn stop(mut self) -> bool {
        let id = self.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status().expect("kill runs");
        assert!(asked.success());
        self.child.wait().expect("it has ended").success()
    }

    /// Memory in use, in kilobytes.
    pub fn memory(&self) -> u64 {
        self.status("VmRSS:")
    }

    /// The most memory that was ever in use, in kilobytes.
    pub fn peak_memory(&self) -> u64 {
        self.status("VmHWM:")
    }

    fn status(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()));
        let status = status.expect("Linux tells it");
        let line = status.lines().find(|line| line.starts_with(name)).expect("it is there");
        line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).expect("a number")
    }

    pub fn visitor(&self) -> Visitor {
        Visitor::new(&self.url)
    }

    /// A plain connection.
    pub async fn connect(&self) -> TcpStream {
        let address = self.url.strip_prefix("http://").expect("an address");
        TcpStream::connect(address).await.expect("the server listens")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client with its own cookies.
#[derive(Clone)]
pub struct Visitor {
    client: Client,
    cookies: Arc<Jar>,
    pub url: String,
    csrf: Option<String>,
    /// The address that a proxy would report.
    address: Option<String>,
}

impl Visitor {
    pub fn new(url: &str) -> Self {
        let cookies = Arc::new(Jar::default());
        let client = Client::builder().cookie_provider(Arc::clone(&cookies));
        let client = client.timeout(Duration::from_mins(1)).build().expect("a client");
        Self { client, cookies, url: url.to_owned(), csrf: None, address: None }
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Response {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        if let Some(csrf) = &self.csrf {
            request = request.header("x-csrf-token", csrf);
        }
        if let Some(address) = &self.address {
            request = request.header("x-forwarded-for", address);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        request.send().await.expect("the server answers")
    }

    /// Sends a request, expects this status and returns the JSON of the response.
    pub async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        status: StatusCode,
    ) -> Value {
        let shown = format!("{method} {path}");
        let response = self.send(method, path, body).await;
        let found = response.status();
        let text = response.text().await.expect("a body");
        assert_eq!(found, status, "{shown}: {text}");
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    pub async fn get(&self, path: &str) -> Value {
        self.ask(Method::GET, path, None, StatusCode::OK).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Value {
        self.ask(Method::POST, path, Some(body), StatusCode::OK).await
    }

    pub async fn create(&self, path: &str, body: &Value) -> Value {
        self.ask(Method::POST, path, Some(body), StatusCode::CREATED).await
    }

    /// Creates a profile and selects it.
    pub async fn with_profile(mut self, name: &str) -> Self {
        self.create("/api/users", &json!({ "name": name })).await;
        let me = self.post("/api/session", &json!({ "name": name })).await;
        self.csrf = me["csrf"].as_str().map(str::to_owned);
        self
    }

    /// Creates an account and signs in.
    pub async fn with_account(mut self, name: &str) -> Self {
        let account = json!({ "name": name, "password": "correct horse battery" });
        let me = self.create("/api/account", &account).await;
        self.csrf = me["csrf"].as_str().map(str::to_owned);
        self
    }

    /// Comes from another address, on a server behind a proxy.
    pub fn coming_from(mut self, address: &str) -> Self {
        self.address = Some(address.to_owned());
        self
    }

    /// Signs in with the password of [`Self::with_account`].
    pub async fn signed_in(mut self, name: &str) -> Self {
        let body = json!({ "name": name, "password": "correct horse battery" });
        let me = self.post("/api/session", &body).await;
        self.csrf = me["csrf"].as_str().map(str::to_owned);
        self
    }

    /// The cookies as a header; empty if there are none.
    pub fn cookie(&self) -> String {
        let cookies = self.cookies.cookies(&self.url.parse().expect("an address"));
        cookies.map_or_else(String::new, |value| value.to_str().expect("text").to_owned())
    }

    /// Sends a request and goes away after a while, without waiting for the answer.
    pub async fn send_and_leave(&self, method: &str, path: &str, body: &Value, after: Duration) {
        let host = self.url.strip_prefix("http://").expect("an address");
        let mut stream = TcpStream::connect(host).await.expect("it listens");
        let body = body.to_string();
        let mut text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n",
            body.len()
        );
        let cookie = Some(self.cookie()).filter(|cookie| !cookie.is_empty());
        for (name, value) in
            [("cookie", &cookie), ("x-csrf-token", &self.csrf), ("x-forwarded-for", &self.address)]
        {
            if let Some(value) = value {
                text.extend([name, ": ", value, "\r\n"]);
            }
        }
        text.extend(["\r\n", &body]);
        stream.write_all(text.as_bytes()).await.expect("it listens");
        tokio::time::sleep(after).await;
    }

    /// Drops the token that proves that a request comes from our own page.
    pub fn without_csrf(mut self) -> Self {
        self.csrf = None;
        self
    }

    pub async fn id(&self) -> i64 {
        self.get("/api/me").await["user"]["id"].as_i64().expect("signed in")
    }

    /// Creates a game; returns its id, the secret of the seat and the secret of the friend's seat.
    pub async fn begin(&self, body: &Value) -> (String, String, Option<String>) {
        let created = self.create("/api/games", body).await;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let id = text(&created["game"]["id"]).expect("an id");
        (id, text(&created["seat"]).expect("a seat"), text(&created["friend"]))
    }

    /// Opens the socket of a game as the signed-in user.
    pub async fn join(&self, game: &str) -> Socket {
        self.try_join(game).await.expect("joined")
    }

    /// The same, if the server lets them in.
    pub async fn try_join(&self, game: &str) -> Result<Socket, String> {
        let mut request = request(&self.url, game);
        let cookies = self.cookies.cookies(&self.url.parse().expect("an address"));
        request.headers_mut().insert("cookie", cookies.expect("signed in"));
        Socket::open(request, None).await
    }

    /// Opens the socket of a game with the secret of a seat.
    pub async fn join_as(&self, game: &str, seat: &str) -> Socket {
        let mut request = request(&self.url, game);
        if let Some(address) = &self.address {
            let address = address.parse().expect("an address");
            request.headers_mut().insert("x-forwarded-for", address);
        }
        Socket::open(request, Some(seat)).await.expect("joined")
    }

    /// Takes the seat that a link offers; returns the secret of the seat.
    pub async fn sit(&self, game: &str, link: &str) -> String {
        let taken = self.post(&format!("/api/games/{game}/seat"), &json!({ "seat": link })).await;
        taken["seat"].as_str().expect("a secret").to_owned()
    }
}

/// A socket of a game.
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The whole game, as first received.
    pub state: Value,
    next_id: u64,
}

fn request(url: &str, game: &str) -> Request {
    let address = format!("{}/api/games/{game}/socket", url.replace("http", "ws"));
    address.into_client_request().expect("an address")
}

impl Socket {
    /// Opens a socket and joins. Fails if the server is down or refuses.
    pub async fn join(url: &str, game: &str, seat: Option<&str>) -> Result<Self, String> {
        Self::open(request(url, game), seat).await
    }

    async fn open(request: Request, seat: Option<&str>) -> Result<Self, String> {
        let (stream, _) = connect_async_with_config(request, None, true)
            .await
            .map_err(|error| error.to_string())?;
        let mut socket = Self { stream, state: Value::Null, next_id: 0 };
        socket.send(&json!({ "type": "join", "seat": seat })).await?;
        let first = socket.next().await?;
        if first["type"] != "state" {
            return Err(first.to_string());
        }
        socket.state = first;
        Ok(socket)
    }

    pub async fn send(&mut self, message: &Value) -> Result<(), String> {
        self.send_text(&message.to_string()).await
    }

    pub async fn send_text(&mut self, text: &str) -> Result<(), String> {
        let message = Message::Text(text.to_owned().into());
        self.stream.send(message).await.map_err(|error| error.to_string())
    }

    /// The next message, within ten seconds.
    pub async fn next(&mut self) -> Result<Value, String> {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(10), self.stream.next()).await;
            let message = message.map_err(|_| "silence")?.ok_or("closed")?;
            match message.map_err(|error| error.to_string())? {
                Message::Text(text) => {
                    return serde_json::from_str(&text).map_err(|error| error.to_string());
                }
                Message::Close(_) => return Err("closed".to_owned()),
                _ => {}
            }
        }
    }

    /// The next message of a type; others are skipped.
    pub async fn wait_for(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.unwrap_or_else(|why| panic!("no {kind}: {why}"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Sends a message with an id; returns the messages before the answer, and the answer.
    pub async fn say(&mut self, mut message: Value) -> Result<(Vec<Value>, Value), String> {
        self.next_id += 1;
        message["id"] = self.next_id.into();
        self.send(&message).await?;
        let mut before = Vec::new();
        loop {
            let answer = self.next().await?;
            let answers = answer["type"] == "done" || answer["type"] == "refused";
            if answers && answer["id"] == message["id"] {
                return Ok((before, answer));
            }
            before.push(answer);
        }
    }

    /// Plays a move that must be accepted.
    pub async fn play(&mut self, ply: usize, text: &str) -> Vec<Value> {
        let message = json!({ "type": "play", "ply": ply, "move": text });
        let (before, answer) = self.say(message).await.expect("an answer");
        assert_eq!(answer["type"], "done", "{text}: {answer}");
        before
    }

    /// Sends a message that must be refused; returns the reason.
    pub async fn refused(&mut self, message: Value) -> String {
        let (_, answer) = self.say(message).await.expect("an answer");
        assert_eq!(answer["type"], "refused", "{answer}");
        answer["reason"].as_str().expect("a reason").to_owned()
    }

    /// The code with which the server closes the socket.
    pub async fn close_code(&mut self) -> Result<u16, String> {
        loop {
            let message = tokio::time::timeout(Duration::from_secs(10), self.stream.next()).await;
            let message = message.map_err(|_| "silence")?.ok_or("closed")?;
            if let Message::Close(frame) = message.map_err(|error| error.to_string())? {
                return frame.map(|frame| frame.code.into()).ok_or("no code".to_owned());
            }
        }
    }

    pub async fn close(mut self) {
        let _ = self.stream.close(None).await;
    }
}

/// Pseudo-random numbers, the same in each run.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}
