//! Accounts and sessions.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum_extra::extract::CookieJar;
use store::{GameFilter, GameSummary, Leaver, Secret, Session, StoreError, User, UserId};
use wire::{Credentials, DeleteAccount, Me, NewPassword, Password, SignIn};

use crate::account::{SESSION, cookie};
use crate::app::App;
use crate::extract::Json;
use crate::guest::check_reserved;
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::rating::rate_finished;
use crate::room::Command;
use crate::views;
use crate::visitor::Visitor;

/// The current user.
#[utoipa::path(get, path = "/api/me", tag = "account",
    responses((status = 200, body = Me), Problems))]
pub(crate) async fn me(State(app): State<Arc<App>>, visitor: Visitor) -> Json<Me> {
    let settings = visitor.user().map(settings);
    let csrf =
        visitor.signed_in.as_ref().map(|signed_in| signed_in.session.csrf.as_str().to_owned());
    Json(Me {
        user: visitor.user().map(views::user),
        settings: settings.unwrap_or_else(|| serde_json::json!({})),
        public: app.config.public().is_some(),
        csrf,
    })
}

fn settings(user: &User) -> serde_json::Value {
    serde_json::from_str(&user.settings).unwrap_or_else(|_| serde_json::json!({}))
}

/// Creates an account on a public server, and signs in.
#[utoipa::path(post, path = "/api/account", tag = "account",
    request_body = Credentials,
    responses((status = 201, body = Me), Problems))]
pub(crate) async fn sign_up(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    jar: CookieJar,
    Json(request): Json<Credentials>,
) -> Result<(StatusCode, CookieJar, Json<Me>)> {
    if app.config.public().is_none() {
        return Err(Failure::new(Kind::Forbidden, "create a profile with POST /api/users instead"));
    }
    app.limiter.attempt(visitor.address)?;
    check_reserved(&request.name)?;
    let hash = app.passwords.hash(&request.name, request.password).await?;
    let (user, token, session) = app.store.create_account(&request.name, &hash, SESSION).await?;
    let (jar, me) = signed_in(&app, jar, &user, (token, session));
    Ok((StatusCode::CREATED, jar, me))
}

/// Signs in, or selects a profile on a local server.
#[utoipa::path(post, path = "/api/session", tag = "account",
    request_body = SignIn,
    responses((status = 200, body = Me), Problems))]
pub(crate) async fn sign_in(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    jar: CookieJar,
    Json(request): Json<SignIn>,
) -> Result<(CookieJar, Json<Me>)> {
    let user = match app.store.user_by_name(&request.name).await {
        Ok(user) => Some(user),
        Err(StoreError::NotFound(_)) => None,
        Err(error) => return Err(error.into()),
    };
    let (user, session) = if app.config.public().is_some() {
        let name = user.as_ref().map_or(&request.name, |user| &user.name);
        app.limiter.attempt(visitor.address)?;
        app.limiter.guess(name)?;
        let password = request.password.unwrap_or_else(|| Password(String::new()));
        let verified = verify(&app, user.as_ref(), password).await?;
        let wrong = || Failure::new(Kind::WrongPassword, "wrong name or password");
        let (user, hash) = user.zip(verified).ok_or_else(wrong)?;
        let session = app.store.sign_in(user.id, &hash, SESSION).await?;
        (user, session.ok_or_else(wrong)?)
    } else {
        let user = user.ok_or_else(|| Failure::not_found("profile"))?;
        let session = app.store.create_session(user.id, SESSION).await?;
        (user, session)
    };
    end(&app, &visitor).await?;
    Ok(signed_in(&app, jar, &user, session))
}

/// The password hash of a user, if this is the password.
async fn verify(app: &App, user: Option<&User>, password: Password) -> Result<Option<String>> {
    let hash = match user {
        Some(user) => app.store.password_hash(user.id).await?,
        None => None,
    };
    let right = app.passwords.verify(password, hash.clone()).await?;
    Ok(hash.filter(|_| right))
}

/// The answer to a user who has just signed in.
fn signed_in(
    app: &App,
    jar: CookieJar,
    user: &User,
    (token, session): (Secret, Session),
) -> (CookieJar, Json<Me>) {
    let me = Me {
        settings: settings(user),
        user: Some(views::user(user)),
        public: app.config.public().is_some(),
        csrf: Some(session.csrf.as_str().to_owned()),
    };
    (jar.add(cookie(&app.config, Some(&token))), Json(me))
}

/// Ends the visitor's session, if any, and closes its sockets.
async fn end(app: &App, visitor: &Visitor) -> Result<()> {
    if let Some(signed_in) = &visitor.signed_in {
        app.store.delete_session(&signed_in.token).await?;
        app.sessions.send_replace(());
    }
    Ok(())
}

/// Signs out.
#[utoipa::path(delete, path = "/api/session", tag = "account",
    responses((status = 204, description = "signed out"), Problems))]
pub(crate) async fn sign_out(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    jar: CookieJar,
) -> Result<(StatusCode, CookieJar)> {
    end(&app, &visitor).await?;
    Ok((StatusCode::NO_CONTENT, jar.add(cookie(&app.config, None))))
}

/// Changes the password, and ends all other sessions.
#[utoipa::path(put, path = "/api/account/password", tag = "account",
    request_body = NewPassword,
    responses((status = 200, body = Me), Problems))]
pub(crate) async fn set_password(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    jar: CookieJar,
    Json(request): Json<NewPassword>,
) -> Result<(CookieJar, Json<Me>)> {
    let (user, verified) = proven(&app, &visitor, request.old).await?;
    let hash = app.passwords.hash(&user.name, request.new).await?;
    let session = app.store.change_password(user.id, &verified, &hash, SESSION).await?;
    let session = session.ok_or_else(wrong_password)?;
    app.sessions.send_replace(());
    Ok(signed_in(&app, jar, &user, session))
}

/// The user, who has to prove who they are with the password, and the password's hash.
async fn proven(app: &App, visitor: &Visitor, password: Password) -> Result<(User, String)> {
    if app.config.public().is_none() {
        return Err(Failure::new(Kind::Forbidden, "profiles have no passwords"));
    }
    let user = visitor.known()?;
    app.limiter.attempt(visitor.address)?;
    app.limiter.guess(&user.name)?;
    let hash = verify(app, Some(user), password).await?.ok_or_else(wrong_password)?;
    Ok((user.clone(), hash))
}

fn wrong_password() -> Failure {
    Failure::new(Kind::WrongPassword, "the current password is wrong")
}

/// Deletes the account, and its games except those that others have, where the name remains.
#[utoipa::path(post, path = "/api/account/delete", tag = "account",
    request_body = DeleteAccount,
    responses((status = 204, description = "deleted"), Problems))]
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    jar: CookieJar,
    Json(request): Json<DeleteAccount>,
) -> Result<(StatusCode, CookieJar)> {
    let (user, _) = proven(&app, &visitor, request.password).await?;
    // The opponents' ratings need the account.
    rate_finished(&app).await;
    leave_games(&app, user.id).await?;
    app.store.delete_user(user.id).await?;
    app.sessions.send_replace(());
    Ok((StatusCode::NO_CONTENT, jar.add(cookie(&app.config, None))))
}

/// Deletes all games of a user for them, one by one, so that nobody has to wait for long.
async fn leave_games(app: &App, user: UserId) -> Result<()> {
    let leaver = Leaver { user: Some(user), seats: Vec::new() };
    let filter = GameFilter { user: Some(user), ..GameFilter::default() };
    let mut after = None;
    loop {
        let page = app.store.search(&filter, after, 100).await?;
        for GameSummary { id, .. } in page.games {
            let left = match app.store.game(&id).await {
                Ok(game) => app.store.leave_game(&id, game.version, &leaver).await,
                Err(error) => Err(error),
            };
            match left {
                // What can't be read, or changes just now, stays without an owner.
                Ok(())
                | Err(
                    StoreError::NotFound(_) | StoreError::Damaged { .. } | StoreError::Stale { .. },
                ) => {}
                Err(error) => return Err(error.into()),
            }
            if let Some(door) = app.rooms.open_door(&id) {
                let _ = door.send(Command::Reload).await;
            }
        }
        after = page.next;
        if after.is_none() {
            return Ok(());
        }
    }
}
