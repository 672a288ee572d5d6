//! The review of a game: ask for it, look at it, upload it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use review::{GameReport, Mode, fingerprint};
use store::{
    JobFilter, JobState, NewJob, Player, QueuedJob, Review, StoreError, StoredGame, UserId,
};
use wire::{NewReview, ReviewState, ReviewView};

use crate::app::App;
use crate::extract::{Json, JsonOrDefault, Path};
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::reviews::{Maker, keep};
use crate::routes::games::{SeatHeader, find};
use crate::routes::review_queue::{asker, most_waiting, waiting};
use crate::visitor::Visitor;

/// Nodes per move, unless the request says otherwise.
pub(super) const NODES: u64 = 100_000;

/// Allowed nodes per move.
const ALLOWED: std::ops::RangeInclusive<u64> = 10_000..=1_000_000;

/// Maximum size of an uploaded review in bytes.
pub(super) const LARGEST: usize = 4 << 20;

/// The priority of a review that somebody waits for. Each waiting review of a visitor lowers the
/// priority of the next, so that visitors take turns.
const CLICKED: i64 = 1_000;

/// The review of a game.
#[utoipa::path(get, path = "/api/games/{id}/review", tag = "reviews",
    params(("id" = String, Path, description = "The game id"), SeatHeader),
    responses((status = 200, body = ReviewView), Problems))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<ReviewView>> {
    let (stored, _) = find(&app, &visitor, &id).await?;
    Ok(Json(view(&app, &stored).await?))
}

/// Queues a review of a finished game. Asking again for the same review changes nothing.
#[utoipa::path(post, path = "/api/games/{id}/review", tag = "reviews",
    params(("id" = String, Path, description = "The game id"), SeatHeader),
    request_body(content = Option<NewReview>, description = "An empty body is one, too"),
    responses((status = 202, body = ReviewView), Problems))]
pub(crate) async fn ask(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonOrDefault(request): JsonOrDefault<NewReview>,
) -> Result<(StatusCode, Json<ReviewView>)> {
    let asker = asker(&app, &visitor)?;
    let (stored, _) = find(&app, &visitor, &id).await?;
    let nodes = request.nodes.unwrap_or(NODES);
    if !ALLOWED.contains(&nodes) {
        let detail = format!("{} to {} nodes are allowed", ALLOWED.start(), ALLOWED.end());
        return Err(Failure::field(Kind::InvalidRequest, "nodes", detail));
    }
    if stored.end.is_none() {
        return Err(Failure::in_progress());
    }
    if stored.moves.is_empty() {
        return Err(Failure::new(Kind::NothingToSay, "the game has no moves"));
    }
    if !is_known(&app, &stored, nodes).await? {
        let waiting = app.store.count_matching(&waiting(asker)).await?;
        if waiting >= most_waiting(&app) {
            let detail = format!("{waiting} of your reviews are waiting; try again later");
            return Err(Failure::new(Kind::TooManyRequests, detail));
        }
        let priority = CLICKED - waiting.cast_signed();
        let id = app.store.push_job(&job(&stored, nodes, priority, asker)?).await?;
        let found = app.store.job(id).await?;
        // A job that is done now was perhaps not done when the review was looked for.
        if matches!(found.state, JobState::Failed | JobState::Done)
            && !is_known(&app, &stored, nodes).await?
        {
            // Its report is gone, or there never was one. Another server may queue it again, too.
            let attempts = Some(found.attempts);
            let again = JobFilter { id: Some(id), attempts, ..JobFilter::default() };
            app.store.retry_jobs(&again.in_state(found.state)).await?;
        }
        app.office.tell_news();
    }
    Ok((StatusCode::ACCEPTED, Json(view(&app, &stored).await?)))
}

/// Stores a review that was made in the browser. Only the players and the owner can, and not if the
/// server has reviewed the game: its review is kept.
#[utoipa::path(put, path = "/api/games/{id}/review", tag = "reviews",
    params(("id" = String, Path, description = "The game id"), SeatHeader),
    request_body = GameReport,
    responses((status = 204, description = "stored"), Problems))]
pub(crate) async fn upload(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
    Json(report): Json<GameReport>,
) -> Result<StatusCode> {
    let (stored, access) = find(&app, &visitor, &id).await?;
    access.leave()?;
    if stored.end.is_none() {
        return Err(Failure::in_progress());
    }
    let wrong = |error: review::BadReport| Failure::new(Kind::InvalidRequest, error.to_string());
    report.check(&stored.to_game()?).map_err(wrong)?;
    if app.config.public().is_some() && has_another_player(&stored, &visitor) {
        let detail = "a game against somebody else is reviewed by the server";
        return Err(Failure::new(Kind::Forbidden, detail));
    }
    if let Some((_, kept)) = shown(&app, &stored).await?.filter(|(kept, _)| is_servers(kept)) {
        let nodes = kept.nodes.unwrap_or_default();
        let detail = format!("the server's own review with {nodes} nodes per move is kept");
        return Err(Failure::new(Kind::Reviewed, detail));
    }
    app.store.put_review(&stored.id, &keep(&report, Maker::Visitor)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Whether somebody else played a game. They would see an uploaded review, and nobody can tell
/// whether its scores are right.
fn has_another_player(game: &StoredGame, visitor: &Visitor) -> bool {
    let mut users = [&game.white, &game.black].into_iter().filter_map(Player::user);
    let seats = &game.seats;
    users.any(|user| visitor.user_id() != Some(user))
        || seats.white.is_some() && seats.black.is_some() && seats.white != seats.black
}

/// Whether a game has the review that the server would make.
async fn is_known(app: &App, game: &StoredGame, nodes: u64) -> Result<bool> {
    let wanted = fingerprint(&app.office.engine, Some(nodes), Mode::Riga);
    match app.store.review(&game.id, &wanted).await {
        Ok(review) => Ok(read(&review).is_some()),
        Err(StoreError::NotFound(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn job(
    game: &StoredGame,
    nodes: u64,
    priority: i64,
    asker: Option<UserId>,
) -> Result<NewJob> {
    Ok(NewJob { priority, asker, ..NewJob::review(game, nodes)? })
}

/// A stored report; none if it was written by a version with other reports.
pub(super) fn read(review: &Review) -> Option<GameReport> {
    serde_json::from_value(review.review.report.clone()).ok()
}

/// The report of a game that is shown: the newest, those of the server before those of visitors.
async fn shown(app: &App, game: &StoredGame) -> Result<Option<(Review, GameReport)>> {
    let mut reviews = app.store.reviews(&game.id).await?;
    reviews.sort_by_key(|kept| !is_servers(kept));
    Ok(reviews.into_iter().find_map(|kept| read(&kept).map(|report| (kept, report))))
}

fn is_servers(kept: &Review) -> bool {
    Maker::of(&kept.review) == Maker::Server
}

/// The review of a game: the report that is shown, and the state of the newest job.
async fn view(app: &App, game: &StoredGame) -> Result<ReviewView> {
    let mut view = ReviewView::NONE;
    if let Some((kept, report)) = shown(app, game).await? {
        view.state = ReviewState::Done;
        view.progress = 1.0;
        view.created = Some(kept.created.0);
        view.report = Some(report);
    }
    let Some(job) = app.store.job_of_game(&game.id).await? else { return Ok(view) };
    let is_outdated = view.created.is_some_and(|created| created >= job.updated.0);
    match job.state {
        JobState::Done => return Ok(view),
        JobState::Failed if is_outdated => return Ok(view),
        JobState::Failed | JobState::Running => {}
        JobState::Waiting => view.ahead = Some(app.store.jobs_ahead(&job).await? as u32),
    }
    view.state = state(job.state);
    (view.progress, view.so_far) = progress(app, &job);
    view.error = job.error;
    Ok(view)
}

pub(super) const fn state(state: JobState) -> ReviewState {
    match state {
        JobState::Waiting => ReviewState::Waiting,
        JobState::Running => ReviewState::Running,
        JobState::Done => ReviewState::Done,
        JobState::Failed => ReviewState::Failed,
    }
}

/// How far a job has come: what is in the store is a little older than what is known here.
pub(super) fn progress(app: &App, job: &QueuedJob) -> (f64, Vec<wire::JudgedMove>) {
    let known = Some(job.id).filter(|_| job.state == JobState::Running);
    let known = known.and_then(|id| app.office.so_far(id));
    known.unwrap_or((job.progress, Vec::new()))
}
