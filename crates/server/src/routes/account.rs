//! Accounts and sessions.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum_extra::extract::CookieJar;
use store::{StoreError, User};
use wire::{Credentials, Me, NewPassword, SignIn};

use crate::account::{SESSION, cookie};
use crate::app::App;
use crate::extract::Json;
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
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
    let hash = app.passwords.hash(&request.name, request.password).await?;
    let user = app.store.create_user(&request.name).await?;
    if let Err(error) = app.store.set_password_hash(user.id, Some(&hash)).await {
        // A user without a password could never sign in.
        app.store.delete_user(user.id).await?;
        return Err(error.into());
    }
    let (jar, me) = begin(&app, jar, user).await?;
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
    let user = if app.config.public().is_some() {
        app.limiter.attempt(visitor.address)?;
        let hash = match &user {
            Some(user) => app.store.password_hash(user.id).await?,
            None => None,
        };
        let password = request.password.unwrap_or_else(|| wire::Password(String::new()));
        let right = app.passwords.verify(password, hash).await?;
        let wrong = || Failure::new(Kind::WrongPassword, "wrong name or password");
        user.filter(|_| right).ok_or_else(wrong)?
    } else {
        user.ok_or_else(|| Failure::not_found("profile"))?
    };
    end(&app, &visitor).await?;
    begin(&app, jar, user).await
}

async fn begin(app: &App, jar: CookieJar, user: User) -> Result<(CookieJar, Json<Me>)> {
    let (token, session) = app.store.create_session(user.id, SESSION).await?;
    let me = Me {
        settings: settings(&user),
        user: Some(views::user(&user)),
        public: app.config.public().is_some(),
        csrf: Some(session.csrf.as_str().to_owned()),
    };
    Ok((jar.add(cookie(&app.config, Some(&token))), Json(me)))
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
    if app.config.public().is_none() {
        return Err(Failure::new(Kind::Forbidden, "profiles have no passwords"));
    }
    let user = visitor.known()?.clone();
    app.limiter.attempt(visitor.address)?;
    let hash = app.store.password_hash(user.id).await?;
    if !app.passwords.verify(request.old, hash).await? {
        return Err(Failure::new(Kind::WrongPassword, "the current password is wrong"));
    }
    let hash = app.passwords.hash(&user.name, request.new).await?;
    app.store.set_password_hash(user.id, Some(&hash)).await?;
    app.store.delete_sessions_of(user.id).await?;
    app.sessions.send_replace(());
    begin(&app, jar, user).await
}
