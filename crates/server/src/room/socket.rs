//! One connection to a room.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Utf8Bytes, WebSocket};
use serde::Serialize;
use store::{GameId, Secret};
use tokio::sync::mpsc;
use tokio::time::timeout;
use wire::{ClientMessage, Refusal, ServerMessage};

use super::actor::Command;
use super::connections::{ConnectionId, MOST_WAITING};
use super::refusal::Refused;
use super::rooms::Door;
use crate::app::App;
use crate::problem::{Failure, Kind, Result};
use crate::talk::{End, Heard, Talk};
use crate::visitor::Visitor;

/// Timeout for the client's `join` message.
const JOIN: Duration = Duration::from_secs(10);

/// Serves a connection until one end closes it.
pub(crate) async fn serve(app: Arc<App>, visitor: Visitor, id: GameId, socket: WebSocket) {
    let mut talk = Talk::new(&app, visitor, socket);
    let first = tokio::select! {
        first = timeout(JOIN, talk.hear()) => first,
        () = app.stopped() => Ok(Err(End::AGAIN)),
    };
    let joined = match first {
        Ok(Err(end)) => return talk.end(end).await,
        Ok(Ok(Heard::Text(text))) => join(&mut talk, &id, &text).await,
        _ => Err(not_join()),
    };
    let end = match joined {
        Ok(joined) => {
            app.metrics.connections.inc();
            let (door, id) = (joined.door.clone(), joined.id);
            let end = carry(&mut talk, joined).await;
            app.metrics.connections.dec();
            // The room may have closed meanwhile; then there is nobody to remove.
            let _ = door.send(Command::Leave(id)).await;
            end
        }
        Err(failure) => {
            let _ = talk.say(json(&failure.document())).await;
            End::REFUSED
        }
    };
    talk.end(end).await;
}

fn not_join() -> Failure {
    Failure::new(Kind::InvalidRequest, "the first message must be `join`")
}

/// A connection that has joined a room.
struct Joined {
    door: Door,
    id: ConnectionId,
    messages: mpsc::Receiver<Utf8Bytes>,
}

/// Joins the room, as the first message asks for.
async fn join(talk: &mut Talk, id: &GameId, text: &str) -> Result<Joined> {
    let (seat, unhurried) = match serde_json::from_str(text) {
        Ok(ClientMessage::Join { seat, unhurried }) => (seat, unhurried),
        Ok(_) => return Err(not_join()),
        Err(error) => return Err(Failure::new(Kind::InvalidRequest, error.to_string())),
    };
    let mut who = talk.visitor().who();
    who.secret = seat.map(Secret::from).or(who.secret);
    let (out, messages) = mpsc::channel(MOST_WAITING);
    let owner = talk.visitor().owner();
    let command = |joined| {
        let (who, owner, out) = (who.clone(), owner.clone(), out.clone());
        Command::Join { who, owner, unhurried, out, joined }
    };
    let app = talk.app();
    let (door, joined) = app.rooms.ask(app, id, command).await?;
    Ok(Joined { door, id: joined?, messages })
}

/// Forwards messages both ways until the connection ends.
async fn carry(talk: &mut Talk, joined: Joined) -> End {
    let Joined { door, id, mut messages } = joined;
    loop {
        let carried = tokio::select! {
            message = messages.recv() => match message {
                Some(text) => talk.say(text).await,
                // The room has closed, or this connection was too slow for it.
                None => Err(End::AGAIN),
            },
            heard = talk.hear() => match heard {
                Ok(heard) => match read(&heard) {
                    Ok(message) => {
                        door.send(Command::Say(id, message)).await.map_err(|_| End::AGAIN)
                    }
                    Err(refused) => talk.say(refusal(&heard, refused)).await,
                },
                Err(end) => Err(end),
            },
        };
        if let Err(end) = carried {
            return end;
        }
    }
}

fn read(heard: &Heard) -> std::result::Result<ClientMessage, Refused> {
    let Heard::Text(text) = heard else { return Err(Refused::too_fast()) };
    match serde_json::from_str(text) {
        Ok(ClientMessage::Join { .. }) => {
            Err(Refused::because(Refusal::Unreadable, "you have already joined"))
        }
        Ok(message) => Ok(message),
        Err(error) => Err(Refused::because(Refusal::Unreadable, error.to_string())),
    }
}

fn refusal(heard: &Heard, Refused { reason, detail }: Refused) -> Utf8Bytes {
    let (Heard::Text(text) | Heard::TooFast(text)) = heard;
    json(&ServerMessage::Refused { id: number(text), reason, detail })
}

/// The client's id of a message, if it can be parsed.
fn number(text: &str) -> Option<u32> {
    #[derive(serde::Deserialize)]
    struct Numbered {
        id: u32,
    }
    serde_json::from_str::<Numbered>(text).ok().map(|numbered| numbered.id)
}

fn json(message: &impl Serialize) -> Utf8Bytes {
    serde_json::to_string(message).expect("it can be written as JSON").into()
}
