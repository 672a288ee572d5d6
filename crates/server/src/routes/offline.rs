//! Games that were played without the server.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use chess::{DrawReason, Outcome, WinReason};
use game::Variant;
use game::live::{Command, End, Event, LiveGame, Moment, Record, RestoreError, Sides, Terms};
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

/// No game is older, whatever a client's clock says: 2000-01-01, in milliseconds since 1970.
const EARLIEST: i64 = 946_684_800_000;

/// Stores a game that was played offline, under the id that the client chose for it: 14 random
/// letters and digits. Sending it again changes nothing and returns the stored game, so that a game
/// whose upload broke off is stored exactly once. The header names the secret of the seat, which
/// visitors without an account need to see the game again.
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
    let seat = match &visitor.seat {
        Some(seat) => own_secret(seat.clone(), "x-seat")?,
        None if visitor.user().is_none() && app.config.public().is_some() => {
            let detail = "without an account, a game needs the secret of a seat";
            return Err(Failure::field(Kind::InvalidRequest, "x-seat", detail));
        }
        None => Secret::random(),
    };
    check(&offline.game)?;
    let (mut game, _) = prepare(&app, &visitor, &offline.game, &seat).await?;
    replay(&mut game, &offline)?;
    game.id = Some(id.clone());
    game.rated = false;
    let now = app.wall.now().0;
    game.played_at = Some(Timestamp(offline.created.clamp(EARLIEST.min(now), now)));
    if let Err(error) = app.store.create_game(game).await {
        // Another request has stored it in the meantime.
        return match known(&app, &visitor, &id).await? {
            Some(known) => Ok((StatusCode::OK, view(&app, &known)?)),
            None => Err(error.into()),
        };
    }
    Ok((StatusCode::CREATED, view(&app, &app.store.game(&id).await?)?))
}

/// Checks that a game could be played offline and leaves nothing to chance.
fn check(game: &wire::NewGame) -> Result<()> {
    let wrong = |field, detail| Err(Failure::field(Kind::InvalidRequest, field, detail));
    if game.side.is_none() {
        return wrong("side", "the side is missing");
    }
    if matches!(game.opponent, Opponent::Friend) {
        return wrong("opponent", "a game against a friend needs the server");
    }
    if game.rules == Variant::Chess960 && game.fen.is_none() && game.array.is_none() {
        return wrong("array", "the start position is missing");
    }
    Ok(())
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
    if let (Some(outcome), End::Closed(_)) = (line.outcome(), end) {
        return Err(wrong("outcome", format!("the moves lead to another end: {outcome}")));
    }
    if game.time_control.is_none() && !offline.clocks.is_empty() {
        return Err(wrong("clocks", "the game has no clocks".to_owned()));
    }
    let people = match (&offline.game.opponent, offline.game.side) {
        (Opponent::Engine { .. }, Some(side)) => Sides::One(side),
        _ => Sides::Both,
    };
    let mut record = Record::new(Terms {
        start: line.start().clone(),
        control: game.time_control.clone(),
        engine: match people {
            Sides::One(side) => Some(!side),
            _ => None,
        },
        ..Terms::default()
    });
    record.moves = line.moves().collect();
    record.lefts = offline.clocks.iter().map(|&left| Duration::from_millis(left.into())).collect();
    record.running_since = (game.time_control.is_some() && !line.is_empty()).then_some(BEGUN);
    let impossible = |error: RestoreError| wrong("moves", error.to_string());
    let played = LiveGame::restore(record.clone()).map_err(impossible)?;
    if !can_end(&played, end, people) {
        return Err(wrong("outcome", "the game can't have ended like this".to_owned()));
    }
    record.end = Some(end);
    LiveGame::restore(record).map_err(impossible)?;
    game.line = line;
    game.clocks.clone_from(&offline.clocks);
    game.end = Some(end);
    Ok(())
}

/// When the running clock has started, and when its flag has certainly fallen.
const BEGUN: Moment = Moment(0);
const LATE: Moment = Moment(1 << 52);

/// Whether a game can end like this, other than by the position on the board.
fn can_end(live: &LiveGame, end: End, people: Sides) -> bool {
    let may = |by, command| live.judge(by, &command, BEGUN).is_ok();
    match end.outcome() {
        None => may(people, Command::Abort),
        Some(Outcome::Win(winner, WinReason::Resignation)) => {
            people.plays(!winner) && may(Sides::One(!winner), Command::Resign)
        }
        Some(
            Outcome::Win(_, WinReason::Time) | Outcome::Draw(DrawReason::TimeWithoutMatingMaterial),
        ) => matches!(live.due(LATE), Some(Event::Ended(ended)) if ended.end == end),
        Some(Outcome::Draw(DrawReason::Agreement)) => live.plies() >= 2,
        Some(Outcome::Win(_, WinReason::Forfeit)) => false,
        Some(_) => true,
    }
}
