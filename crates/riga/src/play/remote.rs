//! A game on a server, over its WebSocket.

use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use game::live::{Command, OfferKind};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::CONTENT_TYPE;
use hyper::{Request, StatusCode};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tui::{Connection, News};
use wire::{ClientMessage, ServerMessage, TakeSeat, TakenSeat};

use super::address::{Entrance, Target};
use super::mirror::Mirror;
use super::way_out::{Sign, quoted};
use crate::http::{client, problem};

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

/// Connects to a game. A server or a game that isn't there is an error now; a connection that is
/// lost later is made again.
pub fn connect(target: Target, name: Option<String>, sign: Sign) -> Result<Connection> {
    let Target { base, game, entrance } = target;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let seat = match entrance {
        Entrance::Watch => None,
        Entrance::Seat(secret) => Some(secret),
        Entrance::Invitation(secret) => {
            let seat = runtime.block_on(take_seat(&base, &game, &secret, name))?;
            // Nobody else knows the seat's secret, whatever goes wrong from now on.
            sign.show("To go back to this game", &command_for(&base, &game, Some(&seat)));
            Some(seat)
        }
    };
    let (commands, orders) = mpsc::channel();
    let (tell, news) = mpsc::channel();
    let url = socket_url(&base, &game);
    let mut link = Link { url, base, seat, tell, sign, pause: SHORTEST_PAUSE };
    let first = match runtime.block_on(link.open()) {
        Ok(first) => first,
        Err(Broken::Lost(text) | Broken::Refused(text)) => bail!("{}: {text}", link.base),
        Err(Broken::Left) => bail!("the board is closed"),
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
        .spawn(move || runtime.block_on(link.keep(first, queue)))?;
    Ok(Connection { commands, news })
}

/// The command that opens a game, at a seat if there is one.
fn command_for(base: &str, game: &str, seat: Option<&str>) -> String {
    let [base, game] = [base, game].map(quoted);
    let seat = seat.map(|seat| format!(" --seat {}", quoted(seat))).unwrap_or_default();
    format!("riga play --server {base} --game {game}{seat}")
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
    sign: Sign,
    /// How long to wait before the next attempt to connect.
    pause: Duration,
}

/// An open connection, and the game as it was told.
struct Open {
    socket: WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>,
    mirror: Option<Mirror>,
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
    async fn keep(mut self, first: Open, mut orders: Orders) {
        let mut opened = Ok(first);
        loop {
            let broken = match opened {
                Ok(open) => self.converse(open, &mut orders).await,
                Err(broken) => broken,
            };
            match broken {
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
            opened = self.open().await;
        }
    }

    /// Connects, and waits for the game.
    async fn open(&mut self) -> Result<Open, Broken> {
        let opening = timeout(PATIENCE, self.join()).await;
        opening.unwrap_or_else(|_| Err(Broken::Lost("the server doesn't answer".to_owned())))
    }

    async fn join(&mut self) -> Result<Open, Broken> {
        let mut socket = match tokio_tungstenite::connect_async(&self.url).await {
            Ok((socket, _)) => socket,
            Err(tokio_tungstenite::tungstenite::Error::Http(response)) => {
                let body = response.body().as_deref().unwrap_or_default();
                return Err(Broken::answer(response.status(), problem(response.status(), body)));
            }
            Err(error) => return Err(Broken::Lost(error.to_string())),
        };
        let join = ClientMessage::Join { seat: self.seat.clone(), unhurried: false };
        send(&mut socket, &join).await?;
        let mut open = Open { socket, mirror: None };
        while open.mirror.is_none() {
            let received = open.socket.next().await;
            self.receive(&mut open.mirror, received)?;
        }
        Ok(open)
    }

    /// Talks to the server until the connection ends.
    async fn converse(&mut self, open: Open, orders: &mut Orders) -> Broken {
        let Open { mut socket, mut mirror } = open;
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
                    if let Err(broken) = self.receive(&mut mirror, received) {
                        return broken;
                    }
                }
            }
        }
    }

    /// Hears what came over the socket.
    fn receive(
        &mut self,
        mirror: &mut Option<Mirror>,
        received: Option<Result<Message, tokio_tungstenite::tungstenite::Error>>,
    ) -> Result<(), Broken> {
        match received {
            Some(Ok(Message::Text(text))) => self.hear(mirror, &text),
            Some(Ok(Message::Close(_))) | None => {
                Err(Broken::Lost("the server has closed it".to_owned()))
            }
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) => Err(Broken::Lost(error.to_string())),
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
                self.sign.show("To play the rematch", &command);
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
mod tests;
