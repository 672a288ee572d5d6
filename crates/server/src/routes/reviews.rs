//! Reviews of games: ask for them, look at them, upload them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use review::{GameReport, Mode, fingerprint};
use store::{
    Export, JobFilter, JobKind, JobState, NewJob, Player, QueuedJob, Review, StoreError,
    StoredGame, UserId,
};
use wire::{NewReview, QueuedReview, QueuedReviews, ReviewQueue, ReviewState, ReviewView};

use crate::app::App;
use crate::extract::{Json, Path, Query};
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::reviews::{Maker, keep};
use crate::routes::games::{SeatHeader, find};
use crate::routes::list::Wanted;
use crate::visitor::Visitor;

/// Nodes per move, unless the request says otherwise.
const NODES: u64 = 100_000;

/// Allowed nodes per move.
const ALLOWED: std::ops::RangeInclusive<u64> = 10_000..=1_000_000;

/// Waiting reviews per user of a public server, and on a local one.
const MOST_WAITING: u64 = 200;
const MOST_WAITING_LOCALLY: u64 = 100_000;

/// Reviews shown in the queue.
const SHOWN: usize = 100;

/// Games per transaction of a request for many.
const AT_ONCE: usize = 100;

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
    request_body = NewReview,
    responses((status = 202, body = ReviewView), Problems))]
pub(crate) async fn ask(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
    Json(request): Json<NewReview>,
) -> Result<(StatusCode, Json<ReviewView>)> {
    let asker = asker(&app, &visitor)?;
    let (stored, _) = find(&app, &visitor, &id).await?;
    let nodes = request.nodes.unwrap_or(NODES);
    if !ALLOWED.contains(&nodes) {
        let detail = format!("{} to {} nodes are allowed", ALLOWED.start(), ALLOWED.end());
        return Err(Failure::field(Kind::InvalidRequest, "nodes", detail));
    }
    if stored.end.is_none() {
        return Err(Failure::new(Kind::Changed, "the game is still in progress"));
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
        let id = app.store.push_job(&job(&app, &stored, nodes, priority, asker)?).await?;
        let found = app.store.job(id).await?;
        if matches!(found.state, JobState::Failed | JobState::Done) {
            // Its report is gone, or there never was one.
            let again = JobFilter { id: Some(id), ..JobFilter::default() };
            app.store.retry_jobs(&again.in_state(found.state)).await?;
        }
        app.office.tell_news();
    }
    Ok((StatusCode::ACCEPTED, Json(view(&app, &stored).await?)))
}

/// Stores a review that was made in the browser. Only the players and the owner can.
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
        return Err(Failure::new(Kind::Changed, "the game is still in progress"));
    }
    let wrong = |error: review::BadReport| Failure::new(Kind::InvalidRequest, error.to_string());
    report.check(&stored.to_game()?).map_err(wrong)?;
    if app.config.public().is_some() && has_another_player(&stored, &visitor) {
        let detail = "a game against somebody else is reviewed by the server";
        return Err(Failure::new(Kind::Forbidden, detail));
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

/// Queues reviews of all matching games that are over, with the usual number of nodes.
#[utoipa::path(post, path = "/api/reviews", tag = "reviews", params(Wanted),
    responses((status = 202, body = QueuedReviews), Problems))]
pub(crate) async fn ask_many(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(wanted): Query<Wanted>,
) -> Result<(StatusCode, Json<QueuedReviews>)> {
    let asker = asker(&app, &visitor)?;
    let mut filter = wanted.filter(&app, &visitor)?;
    if filter.public {
        let detail = "only your own games can be reviewed all at once";
        return Err(Failure::field(Kind::InvalidRequest, "public", detail));
    }
    filter.finished = Some(true);
    let mut waiting = app.store.count_matching(&waiting(asker)).await?;
    let mut games = Export::new(&*app.store, filter);
    let (mut result, mut jobs) = (QueuedReviews::default(), Vec::new());
    loop {
        let game = games.next().await?;
        let is_last = game.is_none() || result.more;
        for game in game.into_iter().filter(|game| !game.moves.is_empty()) {
            if is_known(&app, &game, NODES).await? {
                result.known += 1;
            } else if waiting + jobs.len() as u64 >= most_waiting(&app) {
                result.more = true;
            } else {
                let priority = -(waiting + jobs.len() as u64).cast_signed();
                match job(&app, &game, NODES, priority, asker) {
                    Ok(job) => jobs.push(job),
                    // A game that can't be read doesn't stop the others.
                    Err(failure) => tracing::error!(detail = failure.detail, "failed to queue"),
                }
            }
        }
        if jobs.len() == AT_ONCE || is_last {
            let new = app.store.push_jobs(&jobs).await?;
            result.queued += new as u32;
            result.known += jobs.len() as u32 - new as u32;
            waiting += new;
            jobs.clear();
            app.office.tell_news();
        }
        if is_last {
            return Ok((StatusCode::ACCEPTED, Json(result)));
        }
    }
}

/// Your reviews that are under way or have failed, and their numbers.
#[utoipa::path(get, path = "/api/reviews", tag = "reviews",
    responses((status = 200, body = ReviewQueue), Problems))]
pub(crate) async fn queue(
    State(app): State<Arc<App>>,
    visitor: Visitor,
) -> Result<Json<ReviewQueue>> {
    let mine = mine(asker(&app, &visitor)?);
    let mut counts = [0; JobState::ALL.len()];
    for (count, state) in counts.iter_mut().zip(JobState::ALL) {
        *count = app.store.count_matching(&mine.in_state(state)).await? as u32;
    }
    let mut jobs = Vec::new();
    for job in app.store.jobs(&mine, SHOWN).await? {
        if let Some(game) = job.job.game() {
            let names = match app.store.game(game).await {
                Ok(game) => [game.white, game.black].map(|player| player.name().into_owned()),
                Err(StoreError::NotFound(_)) => continue,
                Err(error) => return Err(error.into()),
            };
            let [white, black] = names;
            let game = game.to_string();
            let (state, progress) = (state(job.state), progress(&app, &job).0);
            jobs.push(QueuedReview { game, white, black, state, progress, error: job.error });
        }
    }
    let [waiting, running, done, failed] = counts;
    Ok(Json(ReviewQueue { waiting, running, done, failed, jobs }))
}

/// Cancels your waiting reviews, and forgets those that have failed.
#[utoipa::path(delete, path = "/api/reviews", tag = "reviews",
    responses((status = 204, description = "cancelled"), Problems))]
pub(crate) async fn cancel(State(app): State<Arc<App>>, visitor: Visitor) -> Result<StatusCode> {
    app.store.cancel_jobs(&mine(asker(&app, &visitor)?)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// On whose behalf reviews are made: on a public server, only for users.
fn asker(app: &App, visitor: &Visitor) -> Result<Option<UserId>> {
    match app.config.public() {
        Some(_) => Ok(Some(visitor.known()?.id)),
        None => Ok(visitor.user_id()),
    }
}

fn mine(asker: Option<UserId>) -> JobFilter {
    JobFilter { asker: Some(asker), ..JobFilter::of_kind(JobKind::Review) }
}

fn waiting(asker: Option<UserId>) -> JobFilter {
    mine(asker).in_state(JobState::Waiting)
}

const fn most_waiting(app: &App) -> u64 {
    match app.config.public() {
        Some(_) => MOST_WAITING,
        None => MOST_WAITING_LOCALLY,
    }
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

fn job(
    app: &App,
    game: &StoredGame,
    nodes: u64,
    priority: i64,
    asker: Option<UserId>,
) -> Result<NewJob> {
    Ok(NewJob { priority, asker, ..NewJob::review(game, nodes, &app.office.engine)? })
}

/// A stored report; none if it was written by a version with other reports.
fn read(review: &Review) -> Option<GameReport> {
    serde_json::from_value(review.review.report.clone()).ok()
}

/// The review of a game: the newest report, those of the server before those of visitors, and the
/// state of the newest job.
async fn view(app: &App, game: &StoredGame) -> Result<ReviewView> {
    let reviews = app.store.reviews(&game.id).await?;
    let mut reports: Vec<_> = reviews.iter().filter_map(|kept| Some((kept, read(kept)?))).collect();
    reports.sort_by_key(|(kept, _)| Maker::of(&kept.review) == Maker::Visitor);
    let report = reports.into_iter().next();
    let mut view = ReviewView::NONE;
    if let Some((kept, report)) = report {
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

const fn state(state: JobState) -> ReviewState {
    match state {
        JobState::Waiting => ReviewState::Waiting,
        JobState::Running => ReviewState::Running,
        JobState::Done => ReviewState::Done,
        JobState::Failed => ReviewState::Failed,
    }
}

/// How far a job has come: what is in the store is a little older than what is known here.
fn progress(app: &App, job: &QueuedJob) -> (f64, Vec<wire::JudgedMove>) {
    let known = Some(job.id).filter(|_| job.state == JobState::Running);
    let known = known.and_then(|id| app.office.so_far(id));
    known.unwrap_or((job.progress, Vec::new()))
}
