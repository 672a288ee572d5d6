//! Network messages: what can be parsed round-trips through its text.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wire::{
    AnalysisMessage, AnalysisRequest, BoardMove, BoardPosition, BoardSearch, ClientMessage,
    Credentials, GamePatch, NewGame, PositionRequest, TakeSeat, UserPatch,
};

/// Reads bytes as every message that a client can send.
pub fn message(data: &[u8]) {
    read::<ClientMessage>(data);
    read::<AnalysisMessage>(data);
    read::<AnalysisRequest>(data);
    read::<PositionRequest>(data);
    read::<BoardPosition>(data);
    read::<BoardMove>(data);
    read::<BoardSearch>(data);
    read::<NewGame>(data);
    read::<TakeSeat>(data);
    read::<GamePatch>(data);
    read::<Credentials>(data);
    read::<UserPatch>(data);
}

fn read<T: Serialize + DeserializeOwned + PartialEq + Debug>(data: &[u8]) {
    let Ok(message) = serde_json::from_slice::<T>(data) else { return };
    let text = serde_json::to_string(&message).expect("what was read can be written");
    let again = serde_json::from_str::<T>(&text);
    assert_eq!(again.expect("what was written can be read"), message, "{text}");
}
