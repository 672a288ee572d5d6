//! The queue of reviews: ask for many, look at them, cancel them.

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use review::Mode;
use store::{Export, JobFilter, JobKind, JobState, NewJob, StoreError, StoredGame, UserId};
use wire::{QueuedReview, QueuedReviews, ReviewQueue};

use crate::app::App;
use crate::extract::{Json, Query};
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::routes::list::Wanted;
use crate::routes::reviews::{NODES, job, progress, read, state};
use crate::visitor::Visitor;

/// Waiting reviews per user of a public server, and on a local one.
const MOST_WAITING: u64 = 200;
const MOST_WAITING_LOCALLY: u64 = 100_000;

/// Reviews shown in the queue.
const SHOWN: usize = 100;

/// Games per transaction of a request for many.
const AT_ONCE: usize = 100;

/// Queues reviews of all matching games that are over, with the usual number of nodes. A game is known
/// if it has a review with at least as many, by the server or a browser, or a job for one.
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
    let mut batch = Batch {
        app: &app,
        asker,
        waiting: app.store.count_matching(&waiting(asker)).await?,
        result: QueuedReviews::default(),
    };
    let mut games = Export::new(&*app.store, filter);
    let mut unknown = Vec::new();
    loop {
        let game = games.next().await?;
        let is_last = game.is_none();
        for game in game.into_iter().filter(|game| !game.moves.is_empty()) {
            if has_review(&app, &game).await? {
                batch.result.known += 1;
            } else {
                unknown.push(game);
            }
        }
        if unknown.len() == AT_ONCE || is_last {
            batch.queue(&unknown).await?;
            unknown.clear();
        }
        if is_last {
            return Ok((StatusCode::ACCEPTED, Json(batch.result)));
        }
    }
}

/// A request for many reviews.
struct Batch<'a> {
    app: &'a App,
    asker: Option<UserId>,
    /// Number of the visitor's waiting reviews.
    waiting: u64,
    result: QueuedReviews,
}

impl Batch<'_> {
    /// Queues games without a review, as many as fit. Those in the queue need no room.
    async fn queue(&mut self, games: &[StoredGame]) -> Result<()> {
        let key = |game: &StoredGame| NewJob::review_key(&game.id, NODES);
        let keys: Vec<_> = games.iter().map(key).collect();
        let known: HashSet<_> = self.app.store.known_jobs(&keys).await?.into_iter().collect();
        self.result.known += known.len() as u32;
        let mut jobs = Vec::new();
        for game in games.iter().filter(|game| !known.contains(&key(game))) {
            let before = self.waiting + jobs.len() as u64;
            if before >= most_waiting(self.app) {
                self.result.more = true;
                break;
            }
            match job(game, NODES, -before.cast_signed(), self.asker) {
                Ok(job) => jobs.push(job),
                // A game that can't be read doesn't stop the others.
                Err(failure) => tracing::error!(detail = failure.detail, "failed to queue"),
            }
        }
        let new = self.app.store.push_jobs(&jobs).await?;
        self.result.queued += new as u32;
        // Another request was faster.
        self.result.known += jobs.len() as u32 - new as u32;
        self.waiting += new;
        self.app.office.tell_news();
        Ok(())
    }
}

/// Whether a game has a review that is as good as the one it would get here, perhaps from a browser.
async fn has_review(app: &App, game: &StoredGame) -> Result<bool> {
    let reviews = app.store.reviews(&game.id).await?;
    let mut reports = reviews.iter().filter_map(read);
    Ok(reports.any(|report| {
        report.mode == Mode::Riga
            && report.steps.are_usual()
            && report.nodes.is_some_and(|nodes| nodes >= NODES)
            && report.moves.len() == game.moves.len()
    }))
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
pub(super) fn asker(app: &App, visitor: &Visitor) -> Result<Option<UserId>> {
    match app.config.public() {
        Some(_) => Ok(Some(visitor.known()?.id)),
        None => Ok(visitor.user_id()),
    }
}

fn mine(asker: Option<UserId>) -> JobFilter {
    JobFilter { asker: Some(asker), ..JobFilter::of_kind(JobKind::Review) }
}

pub(super) fn waiting(asker: Option<UserId>) -> JobFilter {
    mine(asker).in_state(JobState::Waiting)
}

pub(super) const fn most_waiting(app: &App) -> u64 {
    match app.config.public() {
        Some(_) => MOST_WAITING,
        None => MOST_WAITING_LOCALLY,
    }
}
