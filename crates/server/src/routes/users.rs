//! People: profiles on a local server, accounts on a public one.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use game::Glicko;
use store::{RatedGame, Tally as Score, UserId};
use wire::{NewUser, RatingPoint, Record, Statistics, Tally, User, UserPatch};

use crate::app::App;
use crate::extract::{Json, Path};
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::views;
use crate::visitor::Visitor;

/// The longest settings, in bytes.
const LONGEST_SETTINGS: usize = 16 << 10;

/// How many openings and time controls statistics have.
const MOST_TALLIES: usize = 20;

/// Makes a profile, on a local server.
#[utoipa::path(post, path = "/api/users", tag = "users",
    request_body = NewUser,
    responses((status = 201, body = User), Problems))]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Json(request): Json<NewUser>,
) -> Result<(StatusCode, Json<User>)> {
    local(&app, "make an account at /api/account instead")?;
    let user = app.store.create_user(&request.name).await?;
    Ok((StatusCode::CREATED, Json(views::user(&user))))
}

/// All profiles, on a local server.
#[utoipa::path(get, path = "/api/users", tag = "users",
    responses((status = 200, body = Vec<User>), Problems))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<User>>> {
    local(&app, "a public server doesn't tell who has an account")?;
    Ok(Json(app.store.users().await?.iter().map(views::user).collect()))
}

fn local(app: &App, detail: &str) -> Result<()> {
    match app.config.public() {
        None => Ok(()),
        Some(_) => Err(Failure::new(Kind::Forbidden, detail)),
    }
}

/// The person of a path, whom the visitor may know all about: oneself, or on a local server
/// anybody.
async fn known(app: &App, visitor: &Visitor, id: i64) -> Result<store::User> {
    if app.config.public().is_some() && visitor.known()?.id != UserId(id) {
        return Err(Failure::new(Kind::Forbidden, "this is somebody else's"));
    }
    Ok(app.store.user(UserId(id)).await?)
}

/// A person.
#[utoipa::path(get, path = "/api/users/{id}", tag = "users",
    params(("id" = i64, Path, description = "The number of the person")),
    responses((status = 200, body = User), Problems))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> Result<Json<User>> {
    Ok(Json(views::user(&known(&app, &visitor, id).await?)))
}

/// Changes a name or settings.
#[utoipa::path(patch, path = "/api/users/{id}", tag = "users",
    params(("id" = i64, Path, description = "The number of the person")),
    request_body = UserPatch,
    responses((status = 200, body = User), Problems))]
pub(crate) async fn change(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Json(patch): Json<UserPatch>,
) -> Result<Json<User>> {
    let user = known(&app, &visitor, id).await?;
    if let Some(settings) = patch.settings {
        let wrong = |detail: &str| Failure::field(Kind::InvalidRequest, "settings", detail);
        if !settings.is_object() {
            return Err(wrong("they are no object"));
        }
        let text = settings.to_string();
        if text.len() > LONGEST_SETTINGS {
            return Err(wrong("they are too long"));
        }
        app.store.set_settings(user.id, &text).await?;
    }
    if let Some(name) = patch.name {
        app.store.rename_user(user.id, &name).await?;
    }
    show(State(app), visitor, Path(id)).await
}

/// Removes a person. Games stay, with the name.
#[utoipa::path(delete, path = "/api/users/{id}", tag = "users",
    params(("id" = i64, Path, description = "The number of the person")),
    responses((status = 204, description = "they are gone"), Problems))]
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> Result<StatusCode> {
    let user = known(&app, &visitor, id).await?;
    app.store.delete_user(user.id).await?;
    app.sessions.send_replace(());
    Ok(StatusCode::NO_CONTENT)
}

/// How a person has played.
#[utoipa::path(get, path = "/api/users/{id}/statistics", tag = "users",
    params(("id" = i64, Path, description = "The number of the person")),
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
        total: record(found.all),
        levels: tallies(found.by_level, |level| level.to_string()),
        sides: tallies(found.by_color, |color| color.to_string()),
        speeds: tallies(found.by_speed, |speed| {
            speed.map_or_else(untimed, |speed| speed.to_string())
        }),
        openings: tallies(found.by_opening, |opening| format!("{} {}", opening.eco, opening.name)),
        months: tallies(found.by_month, |month| month.to_string()),
        time_controls: tallies(found.by_time_control, |control| control.unwrap_or_else(untimed)),
        rating: rating.as_ref().map(point),
    }))
}

fn tallies<T>(found: Vec<(T, Score)>, name: impl Fn(T) -> String) -> Vec<Tally> {
    found.into_iter().map(|(of, score)| Tally { of: name(of), record: record(score) }).collect()
}

const fn record(score: Score) -> Record {
    Record { won: score.won as u32, drawn: score.drawn as u32, lost: score.lost as u32 }
}

/// The rating of a person over time.
#[utoipa::path(get, path = "/api/users/{id}/ratings", tag = "users",
    params(("id" = i64, Path, description = "The number of the person")),
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
