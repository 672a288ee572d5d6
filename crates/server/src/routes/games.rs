//! Games: create, view, join, change.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::StatusCode;
use axum::response::Response;
use chess::{Color, Position};
use game::live::RatedTerms;
use game::{TimeControl, Variant};
use store::{GameId, Leaver, NewGame, Player, Rated, Seats, Secret, StoredGame};
use wire::{CreatedGame, Fault, GamePatch, GameView, Opponent, TakeSeat, TakenSeat};

use crate::access::Access;
use crate::app::App;
use crate::chance::random;
use crate::extract::{Json, Path};
use crate::guest::{guest, player};
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::rating::rate_finished;
use crate::room::{self, Claim, Command, Head, Table};
use crate::routes::position;
use crate::talk::open;
use crate::visitor::Visitor;

/// Maximum size of a player's message in bytes.
const LARGEST_MESSAGE: usize = 8 << 10;

/// Maximum time per side, in seconds.
const LONGEST_TIME: u64 = 24 * 60 * 60;

/// Creates a game.
#[utoipa::path(post, path = "/api/games", tag = "games",
    request_body = wire::NewGame,
    responses((status = 201, body = CreatedGame), Problems))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Json(request): Json<wire::NewGame>,
) -> Result<(StatusCode, Json<CreatedGame>)> {
    let mine = Secret::random();
    let (game, friend) = prepare(&app, &visitor, &request, &mine).await?;
    let id = app.store.create_game(game).await?;
    let table = Table::new(&app.store.game(&id).await?)?;
    let view = table.view(app.wall.now().into(), &app.openings);
    let friend = friend.map(|secret| secret.as_str().to_owned());
    let created = CreatedGame { game: view, seat: mine.as_str().to_owned(), friend };
    Ok((StatusCode::CREATED, Json(created)))
}

/// A game that the visitor wants to play, with the secret of their seat, and the secret for the
/// invitation link.
pub(super) async fn prepare(
    app: &App,
    visitor: &Visitor,
    request: &wire::NewGame,
    mine: &Secret,
) -> Result<(NewGame, Option<Secret>)> {
    let start = start(request)?;
    let me = player(app, visitor, request.name.as_deref()).await?;
    let may_count = RatedTerms {
        has_account: visitor.user().is_some(),
        chosen_position: request.fen.is_some(),
        shared_board: matches!(request.opponent, Opponent::Here { .. }),
    };
    let color = request.side.unwrap_or_else(by_lot);
    let mut friend = None;
    let mut seats = Seats::default();
    let opponent = match &request.opponent {
        Opponent::Engine { level } => Player::engine(*level),
        Opponent::Here { name } => {
            *seat(&mut seats, !color) = Some(mine.hash());
            guest(app, name).await?
        }
        Opponent::Friend => {
            let secret = Secret::random();
            *seat(&mut seats, !color) = Some(secret.hash());
            seats.open = Some(!color);
            friend = Some(secret);
            Player::Guest { name: "?".to_owned() }
        }
    };
    *seat(&mut seats, color) = Some(mine.hash());
    let (white, black) = match color {
        Color::White => (me, opponent),
        Color::Black => (opponent, me),
    };
    let mut game = NewGame::live(start, white, black);
    game.variant = request.rules;
    game.owner = visitor.user_id();
    game.time_control = request.time.as_deref().map(time).transpose()?;
    game.visibility = request.visibility;
    game.seats = seats;
    game.rated = request.rated && may_count.may_count();
    Ok((game, friend))
}

fn seat(seats: &mut Seats, color: Color) -> &mut Option<store::SecretHash> {
    match color {
        Color::White => &mut seats.white,
        Color::Black => &mut seats.black,
    }
}

/// The start position of a new game.
fn start(request: &wire::NewGame) -> Result<Position> {
    if request.fen.is_some() && request.array.is_some() {
        let detail = "give either a position or a Chess960 number";
        return Err(Failure::field(Kind::InvalidRequest, "array", detail));
    }
    let start = match (&request.fen, request.rules, request.array) {
        (Some(fen), rules, _) => position::position(fen, rules)?,
        (None, Variant::Standard, None) => Position::default(),
        (None, Variant::Standard, Some(_)) => {
            let detail = "only Chess960 has numbered start positions";
            return Err(Failure::field(Kind::InvalidRequest, "array", detail));
        }
        (None, Variant::Chess960, array) => {
            let number = array.unwrap_or_else(|| (random() % 960) as u16);
            let detail = "Chess960 positions are numbered 0 to 959";
            let none = || Failure::field(Kind::InvalidRequest, "array", detail);
            Position::chess960(number).ok_or_else(none)?
        }
    };
    match start.outcome() {
        Some(outcome) => {
            let detail = format!("the game would already be over: {outcome}");
            let fault = Fault::new("game_over", []);
            Err(Failure::field(Kind::InvalidPosition, "fen", detail).because(fault))
        }
        None => Ok(start),
    }
}

fn time(text: &str) -> Result<TimeControl> {
    let wrong = |detail: String| {
        let failure = Failure::field(Kind::InvalidRequest, "time", detail);
        failure.because(Fault::new("time_control", []))
    };
    let control: TimeControl =
        text.parse().map_err(|error: game::ParseTimeControlError| wrong(error.to_string()))?;
    let stages = control.stages();
    if stages.len() > 3 {
        return Err(wrong("a time control has at most three stages".to_owned()));
    }
    for stage in stages {
        let bonus = stage.bonus.time();
        if stage.time.as_secs() > LONGEST_TIME || bonus.as_secs() > LONGEST_TIME {
            return Err(wrong("the time control is longer than a day".to_owned()));
        }
        if stage.time.is_zero() && bonus.is_zero() {
            return Err(wrong("the time control gives no time".to_owned()));
        }
    }
    Ok(control)
}

fn by_lot() -> Color {
    if random().is_multiple_of(2) { Color::White } else { Color::Black }
}

/// The game id in a path.
pub(crate) fn id(text: &str) -> Result<GameId> {
    text.parse().map_err(|_| Failure::not_found("game"))
}

/// Finds a game that the visitor may see.
pub(crate) async fn find(app: &App, visitor: &Visitor, text: &str) -> Result<(StoredGame, Access)> {
    let stored = app.store.game(&id(text)?).await?;
    let access = Access::new(&Head::new(&stored), &visitor.who(), &app.config.mode);
    access.watch()?;
    Ok((stored, access))
}

/// A game.
#[utoipa::path(get, path = "/api/games/{id}", tag = "games",
    params(("id" = String, Path, description = "The game id"), SeatHeader),
    responses((status = 200, body = GameView), Problems))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<GameView>> {
    let (stored, _) = find(&app, &visitor, &id).await?;
    Ok(Json(Table::new(&stored)?.view(app.wall.now().into(), &app.openings)))
}

/// The secret of a seat.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only documents the header")]
pub(crate) struct SeatHeader {
    /// The secret of a seat, for visitors who haven't signed in.
    #[param(rename = "x-seat", required = false, max_length = 100)]
    seat: Option<String>,
}

/// A secret that a client has chosen for a seat.
pub(super) fn own_secret(own: Secret, field: &str) -> Result<Secret> {
    if (32..=100).contains(&own.as_str().len()) {
        return Ok(own);
    }
    Err(Failure::field(Kind::InvalidRequest, field, "a secret has 32 to 100 characters"))
}

/// Takes the open seat.
#[utoipa::path(post, path = "/api/games/{id}/seat", tag = "games",
    params(("id" = String, Path, description = "The game id")),
    request_body = TakeSeat,
    responses((status = 200, body = TakenSeat), Problems))]
pub(crate) async fn take_seat(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(name): Path<String>,
    Json(request): Json<TakeSeat>,
) -> Result<Json<TakenSeat>> {
    let id = id(&name)?;
    let own = match request.own {
        Some(own) => own_secret(Secret::from(own), "own")?,
        None => Secret::random(),
    };
    let player = player(&app, &visitor, request.name.as_deref()).await?;
    let link = Secret::from(request.seat);
    let claim = Claim { who: visitor.who(), player, link, own: own.clone() };
    let command = |seated| Command::Sit { claim: claim.clone(), seated };
    let (_, view) = app.rooms.ask(&app, &id, command).await?;
    Ok(Json(TakenSeat { game: view?, seat: own.as_str().to_owned() }))
}

/// Changes who may watch a game. Only its owner can.
#[utoipa::path(patch, path = "/api/games/{id}", tag = "games",
    params(("id" = String, Path, description = "The game id"), SeatHeader),
    request_body = GamePatch,
    responses((status = 200, body = GameView), Problems))]
pub(crate) async fn change(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(name): Path<String>,
    Json(patch): Json<GamePatch>,
) -> Result<Json<GameView>> {
    let (stored, access) = find(&app, &visitor, &name).await?;
    access.share()?;
    if let Some(visibility) = patch.visibility {
        let id = &stored.id;
        app.store.set_visibility(id, visibility).await?;
        if let Some(door) = app.rooms.open_door(id) {
            let _ = door.send(Command::Reload).await;
        }
    }
    show(State(app), visitor, Path(name)).await
}

/// Deletes a game that is over or that nobody has joined. The others who own or play it keep it; it
/// is gone when nobody has it any more.
#[utoipa::path(delete, path = "/api/games/{id}", tag = "games",
    params(("id" = String, Path, description = "The game id"), SeatHeader),
    responses((status = 204, description = "deleted"), Problems))]
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<StatusCode> {
    let (stored, access) = find(&app, &visitor, &name).await?;
    access.leave()?;
    if stored.end.is_none() && stored.seats.open.is_none() {
        return Err(Failure::in_progress());
    }
    if stored.end.is_some() && stored.rated == Rated::Due {
        // Deleting a game must not undo its result.
        rate_finished(&app).await;
    }
    let mut leaver = Leaver { user: visitor.user_id(), seats: access.sides };
    if leaver.user.is_none() && app.config.public().is_none() {
        // Without a profile everyone on this machine is the same guest and sees all games.
        leaver.seats = Color::ALL.to_vec();
        if stored.outlives(&leaver) {
            let detail = "a profile has this game: select it to delete the game";
            return Err(Failure::new(Kind::Forbidden, detail));
        }
    }
    let id = &stored.id;
    app.store.leave_game(id, stored.version, &leaver).await?;
    if let Some(door) = app.rooms.open_door(id) {
        let _ = door.send(Command::Reload).await;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The WebSocket of a game. See docs/protocol.md.
#[utoipa::path(get, path = "/api/games/{id}/socket", tag = "games",
    params(("id" = String, Path, description = "The game id"), SeatHeader),
    responses((status = 101, description = "switching to WebSocket"), Problems))]
pub(crate) async fn socket(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(name): Path<String>,
    upgrade: std::result::Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response> {
    let id = id(&name)?;
    open(&app, &visitor, upgrade, LARGEST_MESSAGE, {
        let (app, visitor) = (Arc::clone(&app), visitor.clone());
        move |socket| room::serve(app, visitor, id, socket)
    })
}
