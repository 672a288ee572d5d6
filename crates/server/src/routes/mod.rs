//! The routes, by resource.

mod account;
mod analysis;
mod board;
mod desk;
mod explorer;
mod games;
mod insights;
mod library;
mod list;
mod offline;
mod position;
mod puzzles;
mod ratings;
mod review_queue;
mod reviews;
mod service;
mod transfer;
mod users;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::assets;
use crate::guard::guard;
use crate::openapi::Document;
use crate::problem::{Failure, Kind};
use crate::to_the_end::to_the_end;

/// All routes with their `OpenAPI` documentation, also those of a server with workers.
pub(crate) fn documented() -> OpenApiRouter<Arc<App>> {
    all().merge(desk::all())
}

/// The routes of every server.
fn all() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(board::show))
        .routes(routes!(board::set_up))
        .routes(routes!(board::play))
        .routes(routes!(board::search))
        .routes(routes!(board::reset))
        .routes(routes!(position::show))
        .routes(routes!(position::set_up))
        .routes(routes!(games::socket))
        .routes(routes!(ratings::show))
        .routes(routes!(transfer::read))
        .routes(routes!(transfer::pgn, transfer::annotate))
        .routes(routes!(transfer::export))
        .routes(routes!(transfer::import))
        .routes(routes!(analysis::stream))
        .routes(routes!(analysis::socket))
        .routes(routes!(explorer::levels))
        .routes(routes!(explorer::openings))
        .routes(routes!(explorer::opening))
        .routes(routes!(explorer::book))
        .routes(routes!(explorer::tablebase))
        .routes(routes!(explorer::games))
        .routes(routes!(library::list))
        .routes(routes!(library::explore))
        .routes(routes!(library::games))
        .routes(routes!(library::game))
        .routes(routes!(library::players))
        .routes(routes!(library::player))
        .routes(routes!(library::repertoire))
        .routes(routes!(users::statistics))
        .routes(routes!(users::ratings))
        .routes(routes!(insights::reviews))
        .routes(routes!(puzzles::list))
        .routes(routes!(puzzles::count))
        .routes(routes!(puzzles::export))
        .routes(routes!(account::me))
        .merge(changes())
        .routes(routes!(service::openapi))
        .routes(routes!(service::health))
        .routes(routes!(service::metrics))
}

/// The routes that write to the store, and those that share a path with them.
fn changes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(games::create, list::list))
        .routes(routes!(games::show, games::change, games::delete, offline::upload))
        .routes(routes!(games::take_seat))
        .routes(routes!(puzzles::delete))
        .routes(routes!(puzzles::attempt))
        .merge(uploads())
        .routes(routes!(review_queue::ask_many, review_queue::queue, review_queue::cancel))
        .routes(routes!(users::create, users::list))
        .routes(routes!(users::show, users::change, users::delete))
        .routes(routes!(account::sign_up))
        .routes(routes!(account::sign_in, account::sign_out))
        .routes(routes!(account::set_password))
        .routes(routes!(account::delete))
        .layer(middleware::from_fn(to_the_end))
}

/// Routes with larger bodies than others.
fn uploads() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(reviews::show, reviews::ask, reviews::upload))
        .layer(DefaultBodyLimit::max(reviews::LARGEST))
}

/// The whole application.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let (mut routes, _) = all().split_for_parts();
    if app.config.worker_token.is_some() {
        routes = routes.merge(desk::routes(app));
    }
    routes
        .fallback(assets::serve)
        .method_not_allowed_fallback(|| async {
            Failure::new(Kind::MethodNotAllowed, "this resource doesn't support the method")
        })
        .layer(DefaultBodyLimit::max(app.config.largest_body))
        .layer(CatchPanicLayer::custom(|_| panicked()))
        .layer(middleware::from_fn_with_state(Arc::clone(app), guard))
        .with_state(Arc::clone(app))
}

fn panicked() -> Response {
    tracing::error!("request handler panicked");
    Failure::new(Kind::Internal, "an internal error occurred; nothing was changed").into_response()
}
