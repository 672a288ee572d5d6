//! The desk for workers on other machines. Only holders of the worker token get here, and what they
//! deliver is checked: a worker that dies, hangs or lies costs nothing but time.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use store::{
    Attempt, Claim, ClaimMessage, DeskError, ExtendMessage, FinishMessage, GiveUpMessage, JobState,
    QueuedJob, StoreError,
};

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::extract::Json;
use crate::guard::shows_token;
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::reviews::check;
use crate::to_the_end::to_the_end;
use crate::visitor::Visitor;

/// Maximum size of a report in bytes.
const LARGEST: usize = 32 << 20;

/// The longest claim in seconds, and the longest name of a worker in characters.
const LONGEST_LEASE: u64 = 600;
const LONGEST_NAME: usize = 100;

/// The desk's routes, with their documentation.
pub(super) fn all() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(claim))
        .routes(routes!(extend))
        .routes(routes!(finish))
        .routes(routes!(give_up))
}

/// The desk's routes, for a server with a worker token.
pub(super) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let (routes, _) = all().split_for_parts();
    routes
        .layer(DefaultBodyLimit::max(LARGEST))
        .layer(middleware::from_fn(to_the_end))
        .layer(middleware::from_fn_with_state(Arc::clone(app), show_token))
}

/// Passes on requests with the worker token.
async fn show_token(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
    next: Next,
) -> Response {
    if shows_token(app.config.worker_token.as_deref(), request.headers()) {
        return next.run(request).await;
    }
    let refused = Failure::new(Kind::Forbidden, "the worker token is missing or wrong");
    app.limiter.attempt(visitor.address).err().unwrap_or(refused).into_response()
}

/// Lends a job to a worker with the same engine. A server without a worker token has no desk.
#[utoipa::path(post, path = "/api/desk/claim", tag = "desk", security(("worker" = [])),
    request_body = ClaimMessage,
    responses((status = 200, body = Claim), (status = 204, description = "no job waits"), Problems))]
async fn claim(State(app): State<Arc<App>>, Json(message): Json<ClaimMessage>) -> Result<Response> {
    let ClaimMessage { kinds, worker, lease, engine, bench } = message;
    if worker.is_empty() || worker.chars().count() > LONGEST_NAME {
        let detail = format!("a name has 1 to {LONGEST_NAME} characters");
        return Err(Failure::field(Kind::InvalidRequest, "worker", detail));
    }
    let Some(wanted) = app.office.bench() else {
        let detail = "the server is still getting to know its engine";
        return Err(Failure { retry_after: Some(1), ..Failure::new(Kind::Busy, detail) });
    };
    if engine != app.office.engine {
        let detail = format!("the engine is {engine}, but {} is needed", app.office.engine);
        return Err(Failure::new(Kind::Forbidden, detail));
    }
    if bench != wanted {
        let detail = format!("the engine's bench is {bench}, which differs from this server's");
        return Err(Failure::new(Kind::Forbidden, detail));
    }
    if app.office.is_distrusted(&worker) {
        let detail = "a report of this worker was wrong; it gets no jobs for a while";
        return Err(Failure::new(Kind::Forbidden, detail));
    }
    let desk = Arc::clone(&app.store).desk();
    match desk.claim(&kinds, &worker, seconds(lease)).await.map_err(failure)? {
        Some(claim) => {
            app.office.forget(claim.attempt.job);
            Ok(Json(claim).into_response())
        }
        None => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}

/// Extends a claim, and tells how far the job has come.
#[utoipa::path(post, path = "/api/desk/extend", tag = "desk", security(("worker" = [])),
    request_body = ExtendMessage,
    responses((status = 204, description = "extended"), Problems))]
async fn extend(
    State(app): State<Arc<App>>,
    Json(message): Json<ExtendMessage>,
) -> Result<StatusCode> {
    let ExtendMessage { attempt, lease, progress } = message;
    let desk = Arc::clone(&app.store).desk();
    desk.extend(attempt, seconds(lease), &progress).await.map_err(failure)?;
    let moves = progress.so_far.and_then(|moves| serde_json::from_value(moves).ok());
    app.office.heard(attempt.job, progress.share, moves);
    Ok(StatusCode::NO_CONTENT)
}

/// Delivers the report of a job. A wrong report is refused, and its worker gets no jobs for a while.
#[utoipa::path(post, path = "/api/desk/finish", tag = "desk", security(("worker" = [])),
    request_body = FinishMessage,
    responses((status = 204, description = "stored"), Problems))]
async fn finish(
    State(app): State<Arc<App>>,
    Json(message): Json<FinishMessage>,
) -> Result<StatusCode> {
    let FinishMessage { attempt, report } = message;
    let QueuedJob { job, worker, .. } = held(&app, attempt).await?;
    let (engine, others) = (app.office.engine.clone(), app.config.check_report);
    let checked = tokio::task::spawn_blocking(move || check(&job, report, &engine, others)).await;
    let desk = Arc::clone(&app.store).desk();
    match checked.unwrap_or_else(|_| Err("the report can't be checked".to_owned())) {
        Ok(report) => {
            desk.finish(attempt, &report).await.map_err(failure)?;
            app.metrics.reports.inc();
        }
        Err(why) => {
            app.metrics.reports_refused.inc();
            let worker = worker.unwrap_or_default();
            tracing::warn!(worker, job = attempt.job.0, why, "refused a worker's report");
            desk.give_up(attempt, &format!("{worker}: {why}")).await.map_err(failure)?;
            app.office.distrust(worker);
            app.office.forget(attempt.job);
            return Err(Failure::new(Kind::InvalidRequest, why));
        }
    }
    app.office.forget(attempt.job);
    Ok(StatusCode::NO_CONTENT)
}

/// Returns a job, with an error or without.
#[utoipa::path(post, path = "/api/desk/give_up", tag = "desk", security(("worker" = [])),
    request_body = GiveUpMessage,
    responses((status = 204, description = "returned"), Problems))]
async fn give_up(
    State(app): State<Arc<App>>,
    Json(message): Json<GiveUpMessage>,
) -> Result<StatusCode> {
    let GiveUpMessage { attempt, why } = message;
    let desk = Arc::clone(&app.store).desk();
    let given = match why {
        Some(why) => desk.give_up(attempt, &why.chars().take(1_000).collect::<String>()).await,
        None => desk.give_back(attempt).await,
    };
    given.map_err(failure)?;
    app.office.forget(attempt.job);
    app.office.tell_news();
    Ok(StatusCode::NO_CONTENT)
}

/// The job of an attempt that isn't over.
async fn held(app: &App, attempt: Attempt) -> Result<QueuedJob> {
    let job = match app.store.job(attempt.job).await {
        Err(StoreError::NotFound(_)) => return Err(failure(DeskError::Lost)),
        job => job?,
    };
    if job.state != JobState::Running || job.attempts != attempt.number {
        return Err(failure(DeskError::Lost));
    }
    Ok(job)
}

fn seconds(lease: u64) -> Duration {
    Duration::from_secs(lease.clamp(1, LONGEST_LEASE))
}

fn failure(error: DeskError) -> Failure {
    match error {
        DeskError::Lost => Failure::new(Kind::Changed, error.to_string()),
        DeskError::Refused(why) => Failure::new(Kind::InvalidRequest, why),
        DeskError::Failed(why) => {
            tracing::error!(why, "desk error");
            let detail = "the server can't save at the moment; try again soon";
            Failure { retry_after: Some(2), ..Failure::new(Kind::StoreFails, detail) }
        }
    }
}
