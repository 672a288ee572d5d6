//! A game on a server, over its WebSocket.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use futures_util::{SinkExt, StreamExt};
use game::live::{Command, OfferKind};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::CONTENT_TYPE;
use hyper::{Request, StatusCode};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tui::{Connection, News};
use wire::{ClientMessage, ServerMessage, TakeSeat, TakenSeat};

use super::mirror::Mirror;
use crate::arguments::misuse;
use crate::http::{client, problem, server_url};

/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often the server hears of us: it closes silent connections.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// The first pause between attempts to connect; each is twice as long as the last.
const SHORTEST_PAUSE: Duration = Duration::from_millis(500);

/// The longest pause between attempts to connect.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// The longest answer in bytes.
const LONGEST: usize = 4 << 20;

/// Where a game on a server is.
#[derive(Args)]
pub struct Address {
    /// Play or watch a game on a server; needs --game
    #[arg(long, value_name = "URL", requires = "game")]
    server: Option<String>,
    /// The game's id, as in its link
    #[arg(long, value_name = "ID", requires = "server")]
    game: Option<String>,
    /// The secret of your seat; without one you watch
    #[arg(long, value_name = "SECRET", requires = "server")]
    seat: Option<String>,
    /// The secret of an invitation, which follows the # in its link
    #[arg(long, value_name = "SECRET", requires = "server", conflicts_with = "seat")]
    invitation: Option<String>,
}

impl Address {
    /// Starts the connection, if there is an address. It comes with what to print when it is left.
    pub fn connect(
        &self,
        plain: bool,
        name: Option<String>,
    ) -> Result<Option<(Connection, WayOut)>> {
        let (Some(server), Some(game)) = (&self.server, &self.game) else { return Ok(None) };
        if plain {
            return misuse("a game on a server needs a terminal; --plain can't show it");
        }
        let base = server_url(server)?;
        if game.is_empty() || !game.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return misuse(format!("--game {game} is not a game id: letters and digits"));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let seat = match &self.invitation {
            Some(secret) => Some(runtime.block_on(take_seat(&base, game, secret, name))?),
            None => self.seat.clone(),
        };
        let back = self.invitation.is_some().then(|| {
            format!("To go back to this game:\n  {}", command_for(&base, game, seat.as_deref()))
        });
        let way_out = Arc::new(Mutex::new(back));
        let (commands, orders) = mpsc::channel();
        let (tell, news) = mpsc::channel();
        let link = Link {
            url: socket_url(&base, game),
            base,
            seat,
            tell,
            way_out: Arc::clone(&way_out),
            pause: SHORTEST_PAUSE,
        };
        // The board's commands come from a thread; the socket is a task.
        let (pass, queue) = tokio::sync::mpsc::unbounded_channel();
        std::thread::Builder::new().name("commands".to_owned()).spawn(move || {
            for command in orders {
                if pass.send(command).is_err() {
                    return;
                }
            }
        })?;
        std::thread::Builder::new()
            .name("socket".to_owned())
            .spawn(move || runtime.block_on(link.keep(queue)))?;
        Ok(Some((Connection { commands, news }, WayOut(way_out))))
    }
}

/// The command that goes back to a seat, or on to a rematch, with a heading. It is printed when the
/// board is left, however that happens: nobody else knows the seat's secret.
pub struct WayOut(Arc<Mutex<Option<String>>>);

impl Drop for WayOut {
    fn drop(&mut self) {
        let text = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(text) = text {
            // The terminal may be gone.
            let _ = writeln!(io::stdout(), "{text}");
        }
    }
}

/// The command that opens a game, at a seat if there is one.
fn command_for(base: &str, game: &str, seat: Option<&str>) -> String {
    let [base, game] = [base, game].map(quoted);
    let seat = seat.map(|seat| format!(" --seat {}", quoted(seat))).unwrap_or_default();
    format!("riga play --server {base} --game {game}{seat}")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:".contains(c);
    let word = game::printable_line(word);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Takes the seat that an invitation offers; returns its new secret.
async fn take_seat(base: &str, game: &str, secret: &str, name: Option<String>) -> Result<String> {
    let client = client()?;
    let seat = TakeSeat { seat: secret.to_owned(), own: None, name };
    let request = Request::post(format!("{base}/api/games/{game}/seat"))
        .header(CONTENT_TYPE, "application/json")
        .body(Full::new(Bytes::from(serde_json::to_vec(&seat)?)))?;
    let exchange = async {
        let response = client.request(request).await.with_context(|| base.to_owned())?;
        let status = response.status();
        let body = Limited::new(response.into_body(), LONGEST).collect().await;
        let body = body.map_err(|error| anyhow::anyhow!("{error}"))?.to_bytes();
        if status.is_success() {
            let taken: TakenSeat = serde_json::from_slice(&body)?;
            return Ok(taken.seat);
        }
        bail!("the seat can't be taken: {}", problem(status, &body))
    };
    timeout(PATIENCE, exchange).await.context("the server doesn't answer")?
}

fn socket_url(base: &str, game: &str) -> String {
    // http becomes ws, and https wss.
    format!("ws{}/api/games/{game}/socket", base.trim_start_matches("http"))
}

/// A connection that is made again when it is lost.
struct Link {
    url: String,
    /// The server's URL, without a slash at the end.
    base: String,
    seat: Option<String>,
    tell: mpsc::Sender<News>,
    /// What to print when the board is left.
    way_out: Arc<Mutex<Option<String>>>,
    /// How long to wait before the next attempt to connect.
    pause: Duration,
}

type Orders = tokio::sync::mpsc::UnboundedReceiver<Command>;

/// Why a connection ended.
enum Broken {
    /// It may come back.
    Lost(String),
    /// The server won't have us.
    Refused(String),
    /// The board is closed.
    Left,
}

impl Broken {
    /// What an answer means that is not the game: a problem document, or the page of a proxy, which
    /// has nobody to ask while the server starts again.
    fn answer(status: StatusCode, text: String) -> Self {
        if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
            Self::Lost(text)
        } else {
            Self::Refused(text)
        }
    }
}

impl Link {
    async fn keep(mut self, mut orders: Orders) {
        loop {
            match self.converse(&mut orders).await {
                Broken::Left => return,
                Broken::Refused(text) => {
                    let _ = self.tell.send(News::Trouble(text));
                    return;
                }
                Broken::Lost(text) => {
                    let seconds = self.pause.as_secs().max(1);
                    let text = format!("no connection: {text}. Trying again in {seconds} s");
                    if self.tell.send(News::Trouble(text)).is_err() {
                        return;
                    }
                }
            }
            sleep(self.pause).await;
            self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Talks to the server until the connection ends.
    async fn converse(&mut self, orders: &mut Orders) -> Broken {
        let connecting = timeout(PATIENCE, tokio_tungstenite::connect_async(&self.url)).await;
        let mut socket = match connecting {
            Ok(Ok((socket, _))) => socket,
            Ok(Err(tokio_tungstenite::tungstenite::Error::Http(response))) => {
                let body = response.body().as_deref().unwrap_or_default();
                return Broken::answer(response.status(), problem(response.status(), body));
            }
            Ok(Err(error)) => return Broken::Lost(error.to_string()),
            Err(_) => return Broken::Lost("the server doesn't answer".to_owned()),
        };
        let join = ClientMessage::Join { seat: self.seat.clone(), unhurried: false };
        if let Err(broken) = send(&mut socket, &join).await {
            return broken;
        }
        let mut mirror: Option<Mirror> = None;
        let mut id = 0;
        loop {
            tokio::select! {
                command = orders.recv() => {
                    let Some(command) = command else { return Broken::Left };
                    id += 1;
                    let Some(message) = message(command, id) else { continue };
                    if let Err(broken) = send(&mut socket, &message).await {
                        return broken;
                    }
                }
                () = sleep(HEARTBEAT) => {
                    id += 1;
                    if let Err(broken) = send(&mut socket, &ClientMessage::Ping { id }).await {
                        return broken;
                    }
                }
                received = socket.next() => {
                    let text = match received {
                        Some(Ok(Message::Text(text))) => text,
                        Some(Ok(Message::Close(_))) | None => {
                            return Broken::Lost("the server has closed it".to_owned());
                        }
                        Some(Ok(_)) => continue,
                        Some(Err(error)) => return Broken::Lost(error.to_string()),
                    };
                    if let Err(broken) = self.hear(&mut mirror, &text) {
                        return broken;
                    }
                }
            }
        }
    }

    /// Hears a message of the server.
    fn hear(&mut self, mirror: &mut Option<Mirror>, text: &str) -> Result<(), Broken> {
        let Ok(message) = serde_json::from_str::<ServerMessage>(text) else {
            // Instead of the game there may be a problem document.
            let Ok(problem) = serde_json::from_str::<wire::Problem>(text) else {
                return Err(Broken::Refused("unknown message from the server".to_owned()));
            };
            let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::BAD_REQUEST);
            return Err(Broken::answer(status, problem.detail));
        };
        let lost = |error: anyhow::Error| Broken::Lost(format!("{error:#}"));
        let news = match message {
            ServerMessage::State { game, sides, .. } => {
                let new = mirror.insert(Mirror::new(&game, &sides).map_err(lost)?);
                let seen = new.seen().map_err(lost)?;
                self.pause = SHORTEST_PAUSE;
                News::Seen(Box::new(seen))
            }
            ServerMessage::Refused { detail, .. } => News::Trouble(detail),
            ServerMessage::RematchOffered { .. } => {
                News::Notice("your opponent wants a rematch: type rematch".to_owned())
            }
            ServerMessage::RematchDeclined => News::Notice("no rematch".to_owned()),
            ServerMessage::Rematch { game } => {
                // The seat's secret stays the same. The command is longer than the line of a notice.
                let command = command_for(&self.base, &game, self.seat.as_deref());
                *self.way_out.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(format!("To play the rematch:\n  {command}"));
                News::Notice(format!("the rematch is game {game}: quit to see the command for it"))
            }
            ServerMessage::Premoved { played: false } => {
                News::Trouble("the premove is not legal".to_owned())
            }
            ServerMessage::Closing => return Err(Broken::Lost("the server stops".to_owned())),
            change => {
                let Some(mirror) = mirror else { return Ok(()) };
                if !mirror.hear(&change).map_err(lost)? {
                    return Ok(());
                }
                News::Seen(Box::new(mirror.seen().map_err(lost)?))
            }
        };
        self.tell.send(news).map_err(|_| Broken::Left)
    }
}

async fn send<S>(socket: &mut S, message: &ClientMessage) -> Result<(), Broken>
where
    S: SinkExt<Message, Error = tokio_tungstenite::tungstenite::Error> + Unpin,
{
    let text = serde_json::to_string(message).expect("messages can be written as JSON");
    let sent = socket.send(Message::text(text)).await;
    sent.map_err(|error| Broken::Lost(error.to_string()))
}

/// The message for a command.
fn message(command: Command, id: u32) -> Option<ClientMessage> {
    let ply = |ply: usize| u32::try_from(ply).ok();
    Some(match command {
        Command::Play { ply: at, entered } => {
            ClientMessage::Play { id, ply: ply(at)?, text: entered.to_string() }
        }
        Command::Premove { ply: at, entered } => {
            ClientMessage::Premove { id, ply: ply(at)?, text: Some(entered.to_string()) }
        }
        Command::CancelPremove => ClientMessage::Premove { id, ply: 0, text: None },
        Command::Draw => ClientMessage::Offer { id, what: OfferKind::Draw },
        Command::TakeBack => ClientMessage::Offer { id, what: OfferKind::TakeBack },
        Command::Decline => ClientMessage::Decline { id },
        Command::ClaimDraw => ClientMessage::ClaimDraw { id },
        Command::ClaimTime => ClientMessage::Flag { id },
        Command::Resign => ClientMessage::Resign { id },
        Command::Abort => ClientMessage::Abort { id },
        Command::Rematch => ClientMessage::Rematch { id },
    })
}

#[cfg(test)]
mod tests {
    use game::live::{LiveGame, Moment, Terms};

    use super::super::mirror::tests::view;
    use super::*;

    #[test]
    fn a_socket_is_as_secure_as_its_server() {
        assert_eq!(
            socket_url("http://localhost:8000", "x"),
            "ws://localhost:8000/api/games/x/socket"
        );
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
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
    }

    fn link() -> (Link, mpsc::Receiver<News>) {
        let (tell, news) = mpsc::channel();
        let base = "https://a.org".to_owned();
        let (url, seat) = (socket_url(&base, "abc"), Some("s3cret".to_owned()));
        let way_out = Arc::default();
        (Link { url, base, seat, tell, way_out, pause: LONGEST_PAUSE }, news)
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
        let told = link.way_out.lock().expect("no panic while locked").take().expect("a command");
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
}
