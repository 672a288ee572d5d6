//! Games that were played without the server.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use chess::Outcome;
use game::live::{End, LiveGame, Record, Terms};
use store::{GameId, NewGame, Secret, StoreError, StoredGame, Timestamp};
use wire::{GameView, OfflineGame, Opponent, PositionRequest};

use crate::access::Access;
use crate::app::App;
use crate::extract::{Json, Path};
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::room::{Head, Table};
use crate::routes::games::{SeatHeader, id, own_secret, prepare};
use crate::routes::position;
use crate::visitor::Visitor;

/// Stores a game that was played offline, under the id that the client chose for it: 14 random
/// letters and digits. Sending it again changes nothing and returns the stored game, so that a game
/// whose upload broke off is stored exactly once. The seat is the one that the header names.
#[utoipa::path(put, path = "/api/games/{id}", tag = "games",
    params(("id" = String, Path, description = "The game id"), SeatHeader),
    request_body = OfflineGame,
    responses((status = 201, body = GameView), (status = 200, body = GameView), Problems))]
pub(crate) async fn upload(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(name): Path<String>,
    Json(offline): Json<OfflineGame>,
) -> Result<(StatusCode, Json<GameView>)> {
    let id = id(&name)?;
    if let Some(known) = known(&app, &visitor, &id).await? {
        return Ok((StatusCode::OK, view(&app, &known)?));
    }
    if offline.game.side.is_none() {
        return Err(Failure::field(Kind::InvalidRequest, "side", "the side is missing"));
    }
    if matches!(offline.game.opponent, Opponent::Friend) {
        let detail = "a game against a friend needs the server";
        return Err(Failure::field(Kind::InvalidRequest, "opponent", detail));
    }
    let seat = match &visitor.seat {
        Some(seat) => own_secret(seat.clone(), "x-seat")?,
        None => Secret::random(),
    };
    let (mut game, _) = prepare(&app, &visitor, &offline.game, &seat).await?;
    replay(&mut game, &offline)?;
    game.id = id.clone();
    game.rated = false;
    game.played_at = Some(Timestamp(offline.created.min(app.wall.now().0)));
    app.store.create_game(game).await?;
    Ok((StatusCode::CREATED, view(&app, &app.store.game(&id).await?)?))
}

/// The stored game with this id, if there is one and the visitor has it.
async fn known(app: &App, visitor: &Visitor, id: &GameId) -> Result<Option<StoredGame>> {
    let stored = match app.store.game(id).await {
        Ok(stored) => stored,
        Err(StoreError::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let access = Access::new(&Head::new(&stored), &visitor.who(), &app.config.mode);
    match access.leave() {
        Ok(()) => Ok(Some(stored)),
        Err(_) => Err(Failure::new(Kind::Taken, "another game has this id")),
    }
}

fn view(app: &App, stored: &StoredGame) -> Result<Json<GameView>> {
    Ok(Json(Table::new(stored)?.view(app.wall.now().into(), &app.openings)))
}

/// Adds moves, clocks and end to a game, if it can have been played like this.
fn replay(game: &mut NewGame, offline: &OfflineGame) -> Result<()> {
    let wrong = |field, error: String| Failure::field(Kind::InvalidRequest, field, error);
    let request = PositionRequest {
        fen: Some(game.line.start().to_string()),
        moves: offline.moves.clone(),
        rules: game.variant,
    };
    let line = position::line(&request)?;
    let end = match &offline.outcome {
        None => End::ABORTED,
        Some(view) => {
            End::Over(Outcome::try_from(view).map_err(|error| wrong("outcome", error.to_string()))?)
        }
    };
    if let (Some(outcome), true) = (line.outcome(), offline.outcome.is_none()) {
        return Err(wrong("outcome", format!("the moves lead to another end: {outcome}")));
    }
    let against_engine = matches!(offline.game.opponent, Opponent::Engine { .. });
    let mut record = Record::new(Terms {
        start: line.start().clone(),
        control: game.time_control.clone(),
        engine: offline.game.side.filter(|_| against_engine).map(|side| !side),
        ..Terms::default()
    });
    record.moves = line.moves().collect();
    record.lefts = offline.clocks.iter().map(|&left| Duration::from_millis(left.into())).collect();
    record.end = Some(end);
    LiveGame::restore(record).map_err(|error| wrong("moves", error.to_string()))?;
    game.line = line;
    game.clocks.clone_from(&offline.clocks);
    game.end = Some(end);
    Ok(())
}
