//! Users: profiles on a local server, accounts on a public one.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use game::Glicko;
use store::{RatedGame, UserId};
use wire::{NewUser, RatingPoint, Statistics, Tally, TallyRow, User, UserPatch};

use crate::app::App;
use crate::extract::{Json, Path};
use crate::guest::check_reserved;
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::rating::rate_finished;
use crate::views;
use crate::visitor::Visitor;

/// Maximum size of the settings in bytes.
const LONGEST_SETTINGS: usize = 16 << 10;

/// Maximum number of openings and time controls in statistics.
const MOST_TALLIES: usize = 20;

/// Creates a profile, on a local server.
#[utoipa::path(post, path = "/api/users", tag = "users",
    request_body = NewUser,
    responses((status = 201, body = User), Problems))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Json(request): Json<NewUser>,
) -> Result<(StatusCode, Json<User>)> {
    local(&app, "create an account with POST /api/account instead")?;
    check_reserved(&request.name)?;
    let user = app.store.create_user(&request.name).await?;
    Ok((StatusCode::CREATED, Json(views::user(&user))))
}

/// All profiles, on a local server.
#[utoipa::path(get, path = "/api/users", tag = "users",
    responses((status = 200, body = Vec<User>), Problems))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<User>>> {
    local(&app, "a public server doesn't list its accounts")?;
    Ok(Json(app.store.users().await?.iter().map(views::user).collect()))
}

fn local(app: &App, detail: &str) -> Result<()> {
    match app.config.public() {
        None => Ok(()),
        Some(_) => Err(Failure::new(Kind::Forbidden, detail)),
    }
}

/// The user in a path, if the visitor has full access to it: themselves, or anyone on a local
/// server.
async fn known(app: &App, visitor: &Visitor, id: i64) -> Result<store::User> {
    if app.config.public().is_some() && visitor.known()?.id != UserId(id) {
        return Err(Failure::new(Kind::Forbidden, "this belongs to someone else"));
    }
    Ok(app.store.user(UserId(id)).await?)
}

/// A user.
#[utoipa::path(get, path = "/api/users/{id}", tag = "users",
    params(("id" = i64, Path, description = "The user id")),
    responses((status = 200, body = User), Problems))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> Result<Json<User>> {
    Ok(Json(views::user(&known(&app, &visitor, id).await?)))
}

/// Changes a user's name or settings.
#[utoipa::path(patch, path = "/api/users/{id}", tag = "users",
    params(("id" = i64, Path, description = "The user id")),
    request_body = UserPatch,
    responses((status = 200, body = User), Problems))]
pub(crate) async fn change(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Json(patch): Json<UserPatch>,
) -> Result<Json<User>> {
    let user = known(&app, &visitor, id).await?;
    if let Some(name) = patch.name {
        // Each attempt tells whether a name is taken.
        app.limiter.attempt(visitor.address)?;
        check_reserved(&name)?;
        app.store.rename_user(user.id, &name).await?;
    }
    if let Some(settings) = patch.settings {
        let wrong = |detail: &str| Failure::field(Kind::InvalidRequest, "settings", detail);
        if !settings.is_object() {
            return Err(wrong("settings must be an object"));
        }
        let text = settings.to_string();
        if text.len() > LONGEST_SETTINGS {
            return Err(wrong("settings are too long"));
        }
        app.store.set_settings(user.id, &text).await?;
    }
    show(State(app), visitor, Path(id)).await
}

/// Deletes a profile, on a local server. The games remain, under the same name.
#[utoipa::path(delete, path = "/api/users/{id}", tag = "users",
    params(("id" = i64, Path, description = "The user id")),
    responses((status = 204, description = "deleted"), Problems))]
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> Result<StatusCode> {
    local(&app, "delete your account with POST /api/account/delete instead")?;
    let user = known(&app, &visitor, id).await?;
    rate_finished(&app).await;
    app.store.delete_user(user.id).await?;
    app.sessions.send_replace(());
    Ok(StatusCode::NO_CONTENT)
}

/// A user's statistics.
#[utoipa::path(get, path = "/api/users/{id}/statistics", tag = "users",
    params(("id" = i64, Path, description = "The user id")),
    responses((status = 200, body = Statistics), Problems))]
pub(crate) async fn statistics(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> Result<Json<Statistics>> {
    let user = known(&app, &visitor, id).await?;
    let found = app.store.statistics(user.id, MOST_TALLIES).await?;
    let rating = app.store.latest_rating(user.id).await?;
    let untimed = || "no clock".to_owned();
    Ok(Json(Statistics {
        total: tally(found.all),
        levels: rows(found.by_level, |level| level.to_string()),
        sides: rows(found.by_color, |color| color.to_string()),
        speeds: rows(found.by_speed, |speed| speed.map_or_else(untimed, |speed| speed.to_string())),
        openings: rows(found.by_opening, |opening| format!("{} {}", opening.eco, opening.name)),
        months: rows(found.by_month, |month| month.to_string()),
        time_controls: rows(found.by_time_control, |control| control.unwrap_or_else(untimed)),
        rating: rating.as_ref().map(point),
    }))
}

fn rows<T>(found: Vec<(T, store::Tally)>, name: impl Fn(T) -> String) -> Vec<TallyRow> {
    found.into_iter().map(|(of, games)| TallyRow { of: name(of), record: tally(games) }).collect()
}

const fn tally(games: store::Tally) -> Tally {
    Tally { won: games.won as u32, drawn: games.drawn as u32, lost: games.lost as u32 }
}

/// A user's rating over time.
#[utoipa::path(get, path = "/api/users/{id}/ratings", tag = "users",
    params(("id" = i64, Path, description = "The user id")),
    responses((status = 200, body = Vec<RatingPoint>), Problems))]
pub(crate) async fn ratings(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> Result<Json<Vec<RatingPoint>>> {
    let user = known(&app, &visitor, id).await?;
    let history = app.store.rating_history(user.id).await?;
    Ok(Json(history.iter().map(point).collect()))
}

fn point(rated: &RatedGame) -> RatingPoint {
    let Glicko { rating, deviation, .. } = rated.after;
    RatingPoint { at: rated.time.0, rating, deviation }
}
