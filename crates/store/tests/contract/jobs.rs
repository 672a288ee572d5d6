//! The job queue and the desk.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use store::{
    Claim, DataJob, DataReport, Desk, DeskError, GameId, Job, JobFilter, JobId, JobKind, JobState,
    NewJob, Progress, Report, ReviewJob, Store, StoreError, Timestamp,
};

use crate::place::{Place, friendly};
use crate::reviews::review;

const LONG: Duration = Duration::from_mins(10);

/// A job for a game that doesn't exist.
fn job(pgn: &str) -> NewJob {
    let game: GameId = "00000000000000".parse().expect("it looks like one");
    NewJob::new(Job::Review(ReviewJob { game, pgn: pgn.to_owned(), nodes: 1_000 }))
}

fn report() -> Report {
    Report::Review(review("quick", json!({ "accuracy": 92 })))
}

fn desk(store: &Arc<dyn Store>) -> Arc<dyn Desk> {
    Arc::clone(store).desk()
}

async fn claim(desk: &dyn Desk, worker: &str, lease: Duration) -> Option<Claim> {
    desk.claim(&JobKind::ALL, worker, lease).await.expect("asked")
}

pub async fn the_highest_priority_comes_first(place: Arc<Place>) {
    let store = place.open().await;
    for (pgn, priority) in [("a", 0), ("b", 5), ("c", 5), ("d", -1)] {
        store.push_job(&NewJob { priority, ..job(pgn) }).await.expect("pushed");
    }
    let desk = desk(&store);
    assert_eq!(desk.claim(&[], "w", LONG).await.expect("asked"), None);
    let mut order = String::new();
    while let Some(claim) = claim(&*desk, "w", LONG).await {
        assert_eq!(claim.attempt.number, 1);
        let queued = store.job(claim.attempt.job).await.expect("it is there");
        assert_eq!((queued.state, queued.worker.as_deref()), (JobState::Running, Some("w")));
        assert_eq!(queued.job, claim.job);
        let Job::Review(review) = claim.job else { panic!("a review") };
        order += &review.pgn;
    }
    assert_eq!(order, "bcad");
    let refused = desk.claim(&JobKind::ALL, "\0", LONG).await;
    assert!(matches!(refused, Err(DeskError::Refused(_))), "{refused:?}");
}

pub async fn a_job_of_an_unknown_kind_is_left_to_others(place: Arc<Place>) {
    let store = place.open().await;
    store.push_job(&job("a")).await.expect("pushed");
    place.tamper("UPDATE jobs SET kind = 'puzzle'").await;
    assert_eq!(claim(&*desk(&store), "w", LONG).await, None);
}

pub async fn eight_workers_do_two_hundred_jobs_once_each(place: Arc<Place>) {
    let store = place.open().await;
    for i in 0..200 {
        store.push_job(&job(&i.to_string())).await.expect("pushed");
    }
    let workers: Vec<_> = (0..8).map(|i| tokio::spawn(work(desk(&store), i))).collect();
    let mut done = Vec::new();
    for worker in workers {
        done.extend(worker.await.expect("no panic"));
    }
    assert_eq!(done.len(), 200);
    assert_eq!(done.iter().collect::<HashSet<_>>().len(), 200);
    let counts = store.count_jobs().await.expect("counted");
    assert_eq!((counts.len(), counts[0].state, counts[0].jobs), (1, JobState::Done, 200));
}

async fn work(desk: Arc<dyn Desk>, worker: u32) -> Vec<JobId> {
    let mut done = Vec::new();
    let name = format!("worker {worker}");
    while let Some(Claim { attempt, .. }) = claim(&*desk, &name, LONG).await {
        tokio::task::yield_now().await;
        desk.finish(attempt, &report()).await.expect("it is ours");
        done.push(attempt.job);
    }
    done
}

pub async fn a_report_is_kept_with_its_game(place: Arc<Place>) {
    let store = place.open().await;
    let game = store.create_game(friendly()).await.expect("kept");
    let work = ReviewJob { game: game.clone(), pgn: "*".to_owned(), nodes: 1_000 };
    let id = store.push_job(&NewJob::new(Job::Review(work))).await.expect("pushed");
    let desk = desk(&store);
    let attempt = claim(&*desk, "w", LONG).await.expect("it waits").attempt;
    let wrong = Report::Review(review("\0", json!({})));
    let refused = desk.finish(attempt, &wrong).await;
    assert!(matches!(refused, Err(DeskError::Refused(_))), "{refused:?}");
    assert_eq!(store.job(id).await.expect("it is there").state, JobState::Running);
    desk.finish(attempt, &report()).await.expect("it is ours");
    assert_eq!(store.job(id).await.expect("it is there").state, JobState::Done);
    let kept = store.review(&game, "quick").await.expect("kept");
    assert_eq!(Report::Review(kept.review), report());
}

pub async fn an_abandoned_job_is_lent_again_and_the_late_worker_is_refused(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.push_job(&job("*")).await.expect("pushed");
    let desk = desk(&store);
    let short = Duration::from_secs(1);
    let first = claim(&*desk, "slow", short).await.expect("a job").attempt;
    assert_eq!(claim(&*desk, "quick", LONG).await, None);
    tokio::time::sleep(short + Duration::from_millis(50)).await;
    // Late, but no other worker has claimed it yet.
    desk.extend(first, short, &Progress::of(0.5)).await.expect("it is still ours");
    assert_eq!(claim(&*desk, "quick", LONG).await, None);
    tokio::time::sleep(short + Duration::from_millis(50)).await;
    let second = claim(&*desk, "quick", LONG).await.expect("it").attempt;
    assert_eq!((second.job, second.number), (id, 2));
    let lost = |result: Result<(), DeskError>| {
        assert!(matches!(result, Err(DeskError::Lost)), "{result:?}");
    };
    lost(desk.extend(first, LONG, &Progress::of(0.9)).await);
    lost(desk.finish(first, &report()).await);
    lost(desk.give_up(first, "late").await);
    desk.finish(second, &report()).await.expect("it is ours");
    lost(desk.finish(second, &report()).await);
    let job = store.job(id).await.expect("it is there");
    assert_eq!((job.state, job.worker.as_deref()), (JobState::Done, Some("quick")));
}

pub async fn a_job_has_failed_after_three_attempts(place: Arc<Place>) {
    let store = place.open().await;
    let desk = desk(&store);
    let failing = store.push_job(&job("fails")).await.expect("pushed");
    for number in 1..=3 {
        let attempt = claim(&*desk, "w", LONG).await.expect("a job").attempt;
        assert_eq!((attempt.job, attempt.number), (failing, number));
        desk.give_up(attempt, "no engine\0").await.expect("it is ours");
    }
    assert_eq!(claim(&*desk, "w", LONG).await, None);
    let failed = store.job(failing).await.expect("it is there");
    assert_eq!(failed.state, JobState::Failed);
    assert_eq!(failed.error.as_deref(), Some("no engine\u{2400}"));
    let deadly = store.push_job(&job("kills")).await.expect("pushed");
    for _ in 0..3 {
        let attempt = claim(&*desk, "w", Duration::ZERO).await.expect("a job").attempt;
        assert_eq!(attempt.job, deadly);
    }
    assert_eq!(claim(&*desk, "w", LONG).await, None);
    assert_eq!(store.job(deadly).await.expect("it is there").state, JobState::Failed);
}

pub async fn a_key_makes_two_jobs_one(place: Arc<Place>) {
    let store = place.open().await;
    let keyed = |pgn| NewJob { once: Some("game 1, quick".to_owned()), ..job(pgn) };
    let first = store.push_job(&keyed("first")).await.expect("pushed");
    let pushes: Vec<_> = (0..8)
        .map(|_| {
            let (store, job) = (Arc::clone(&store), keyed("again"));
            tokio::spawn(async move { store.push_job(&job).await.expect("pushed") })
        })
        .collect();
    for push in pushes {
        assert_eq!(push.await.expect("no panic"), first);
    }
    assert_eq!(store.job(first).await.expect("it is there").job, job("first").job);
    assert_ne!(store.push_job(&job("other")).await.expect("pushed"), first);
    assert_ne!(store.push_job(&job("other")).await.expect("pushed"), first);
    let counts = store.count_jobs().await.expect("counted");
    assert_eq!(counts.iter().map(|count| count.jobs).sum::<u64>(), 3);
}

pub async fn a_review_is_one_job_for_all_servers(place: Arc<Place>) {
    let servers = [place.open().await, place.open().await];
    let id = servers[0].create_game(friendly()).await.expect("kept");
    let game = servers[0].game(&id).await.expect("kept");
    let job = NewJob::review(&game, 1_000).expect("it can be read");
    let pushes: Vec<_> = (0..8)
        .map(|i| {
            let (store, job) = (Arc::clone(&servers[i % 2]), job.clone());
            tokio::spawn(async move { store.push_jobs(&[job]).await.expect("pushed") })
        })
        .collect();
    let mut new = 0;
    for push in pushes {
        new += push.await.expect("no panic");
    }
    assert_eq!(new, 1);
    let keys = [NewJob::review_key(&id, 1_000), NewJob::review_key(&id, 2_000)];
    assert_eq!(servers[1].known_jobs(&keys).await.expect("asked"), keys[..1]);
    assert_eq!(servers[1].known_jobs(&[]).await.expect("asked"), [""; 0]);
    assert_eq!(job.once.as_ref(), Some(&keys[0]));
}

pub async fn a_job_that_is_done_is_queued_again_only_once(place: Arc<Place>) {
    let servers = [place.open().await, place.open().await];
    let id = servers[0].push_job(&job("*")).await.expect("pushed");
    let done = async || {
        let desk = desk(&servers[0]);
        let attempt = claim(&*desk, "w", LONG).await.expect("a job").attempt;
        desk.finish(attempt, &report()).await.expect("it is ours");
    };
    done().await;
    // Both servers have found the job, and neither its report.
    let attempts = Some(servers[1].job(id).await.expect("it is there").attempts);
    let again = JobFilter { id: Some(id), attempts, ..JobFilter::default() };
    let again = again.in_state(JobState::Done);
    assert_eq!(servers[0].retry_jobs(&again).await.expect("asked"), 1);
    done().await;
    assert_eq!(servers[1].retry_jobs(&again).await.expect("asked"), 0);
    assert_eq!(servers[1].job(id).await.expect("it is there").state, JobState::Done);
}

pub async fn a_job_that_has_failed_is_pushed_again(place: Arc<Place>) {
    let store = place.open().await;
    let keyed = NewJob { once: Some("game 1".to_owned()), ..job("*") };
    let id = store.push_job(&keyed).await.expect("pushed");
    let desk = desk(&store);
    for _ in 0..3 {
        let attempt = claim(&*desk, "w", LONG).await.expect("a job").attempt;
        desk.give_up(attempt, "no engine").await.expect("it is ours");
    }
    assert_eq!(store.job(id).await.expect("it is there").state, JobState::Failed);
    let key = ["game 1".to_owned()];
    assert_eq!(store.known_jobs(&key).await.expect("asked"), [""; 0]);
    assert_eq!(store.push_jobs(std::slice::from_ref(&keyed)).await.expect("pushed"), 1);
    assert_eq!(store.known_jobs(&key).await.expect("asked"), key);
    let attempt = claim(&*desk, "w", LONG).await.expect("a job").attempt;
    assert_eq!((attempt.job, attempt.number), (id, 4));
    desk.finish(attempt, &report()).await.expect("it is ours");
    assert_eq!(store.push_jobs(&[keyed]).await.expect("pushed"), 0, "it is done");
}

pub async fn reviews_queued_by_an_earlier_version_get_a_key_of_game_and_nodes(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.create_game(friendly()).await.expect("kept");
    let game = store.game(&id).await.expect("kept");
    for (nodes, engine) in [(1_000, " Riga 1"), (1_000, " Riga 2 abc"), (10_000, " Riga 1")] {
        let job = NewJob::review(&game, nodes).expect("it can be read");
        let once = job.once.clone().expect("a key") + engine;
        store.push_job(&NewJob { once: Some(once), ..job }).await.expect("pushed");
    }
    let other = NewJob { once: Some("data 1".to_owned()), ..job("*") };
    store.push_job(&other).await.expect("pushed");
    store.close().await;
    place.tamper("DELETE FROM _sqlx_migrations WHERE version = 9").await;
    let store = place.open().await;
    let key = |nodes| NewJob::review_key(&id, nodes);
    let keys = [key(1_000), key(10_000), "data 1".to_owned()];
    let mut known = store.known_jobs(&keys).await.expect("asked");
    known.sort_by_key(|known| keys.iter().position(|key| key == known));
    assert_eq!(known, keys);
    let again = NewJob::review(&game, 1_000).expect("it can be read");
    assert_eq!(store.push_jobs(&[again]).await.expect("pushed"), 0);
    assert_eq!(store.count_matching(&JobFilter::default()).await.expect("counted"), 4);
}

pub async fn thousands_of_jobs_are_pushed_at_once(place: Arc<Place>) {
    let store = place.open().await;
    let jobs: Vec<_> = (0..6000)
        .map(|i| NewJob { once: Some(format!("game {}", i % 4000)), priority: i, ..job("*") })
        .collect();
    assert_eq!(store.push_jobs(&jobs).await.expect("pushed"), 4000);
    assert_eq!(store.push_jobs(&jobs).await.expect("pushed"), 0);
    assert_eq!(store.push_jobs(&[]).await.expect("pushed"), 0);
    let highest = NewJob { priority: 9_999, ..job("first") };
    assert_eq!(store.push_jobs(&[job("a"), highest.clone()]).await.expect("pushed"), 2);
    let claimed = claim(&*desk(&store), "w", LONG).await.expect("a job");
    assert_eq!((claimed.attempt.number, claimed.job), (1, highest.job));
    let wrong = NewJob { once: Some("\0".to_owned()), ..job("*") };
    let refused = store.push_jobs(&[job("a"), wrong]).await;
    assert!(matches!(refused, Err(StoreError::Refused { .. })));
    let counts = store.count_jobs().await.expect("counted");
    assert_eq!(counts.iter().map(|count| count.jobs).sum::<u64>(), 4002);
}

pub async fn progress_and_counts_are_kept(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.push_job(&job("*")).await.expect("pushed");
    store.push_job(&job("*")).await.expect("pushed");
    let desk = desk(&store);
    let attempt = claim(&*desk, "w", LONG).await.expect("a job").attempt;
    desk.extend(attempt, LONG, &Progress::of(0.25)).await.expect("it is ours");
    assert!((store.job(id).await.expect("it is there").progress - 0.25).abs() < 1e-9);
    let counts = store.count_jobs().await.expect("counted");
    let counts: Vec<_> = counts.iter().map(|count| (count.kind, count.state, count.jobs)).collect();
    let review = JobKind::Review;
    assert_eq!(counts, [(review, JobState::Running, 1), (review, JobState::Waiting, 1)]);
    let none = store.job(JobId(i64::MAX)).await;
    assert!(matches!(none, Err(StoreError::NotFound("job"))));
}

pub async fn a_job_given_back_has_lost_no_attempt(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.push_job(&job("*")).await.expect("pushed");
    let desk = desk(&store);
    for number in 1..=5 {
        let attempt = claim(&*desk, "w", LONG).await.expect("a job").attempt;
        assert_eq!((attempt.job, attempt.number), (id, number));
        desk.give_back(attempt).await.expect("it is ours");
        let late = desk.finish(attempt, &report()).await;
        assert!(matches!(late, Err(DeskError::Lost)), "{late:?}");
    }
    claim(&*desk, "server", LONG).await.expect("a job");
    assert_eq!(store.release_jobs("another").await.expect("released"), 0);
    assert_eq!(store.release_jobs("server").await.expect("released"), 1);
    assert_eq!(store.job(id).await.expect("it is there").state, JobState::Waiting);
}

pub async fn jobs_are_listed_cancelled_and_tried_again(place: Arc<Place>) {
    let store = place.open().await;
    let misha = store.create_user("Misha").await.expect("created").id;
    let desk = desk(&store);
    let ids = [("a", None), ("b", Some(misha)), ("c", Some(misha)), ("d", Some(misha))];
    let mut jobs = Vec::new();
    for (pgn, asker) in ids {
        jobs.push(store.push_job(&NewJob { asker, ..job(pgn) }).await.expect("pushed"));
    }
    let first = claim(&*desk, "w", LONG).await.expect("a job").attempt;
    desk.finish(first, &report()).await.expect("it is ours");
    for _ in 0..3 {
        let attempt = claim(&*desk, "w", LONG).await.expect("a job").attempt;
        desk.give_up(attempt, "no engine").await.expect("it is ours");
    }
    claim(&*desk, "w", LONG).await.expect("a job");
    let mine = JobFilter { asker: Some(Some(misha)), ..JobFilter::default() };
    let states = async |filter: &JobFilter| {
        let jobs = store.jobs(filter, 10).await.expect("listed");
        jobs.iter().map(|job| (job.id, job.state)).collect::<Vec<_>>()
    };
    let (failed, running) = ((jobs[1], JobState::Failed), (jobs[2], JobState::Running));
    assert_eq!(states(&mine).await, [running, (jobs[3], JobState::Waiting), failed]);
    let nobodys = JobFilter { asker: Some(None), ..JobFilter::default() };
    assert_eq!(states(&nobodys).await, [(jobs[0], JobState::Done)]);
    assert_eq!(states(&mine.in_state(JobState::Failed)).await, [failed]);
    assert_eq!(store.jobs(&mine, 1).await.expect("listed").len(), 1);
    assert_eq!(store.count_matching(&mine).await.expect("counted"), 3);
    assert_eq!(store.retry_jobs(&mine).await.expect("retried"), 1);
    assert_eq!(states(&mine.in_state(JobState::Failed)).await, []);
    let last = store.job(jobs[3]).await.expect("it is there");
    assert_eq!(store.jobs_ahead(&last).await.expect("counted"), 1);
    let attempt = claim(&*desk, "w", LONG).await.expect("a job").attempt;
    assert_eq!((attempt.job, attempt.number), (jobs[1], 4), "attempts go on counting");
    desk.give_up(attempt, "no engine").await.expect("it is ours");
    let game = "00000000000000".parse().expect("it looks like one");
    let newest = store.job_of_game(&game).await.expect("asked").expect("there are four");
    assert_eq!(newest.id, jobs[3]);
    assert_eq!(store.cancel_jobs(&mine).await.expect("cancelled"), 2);
    assert_eq!(states(&mine).await, [running]);
    assert_eq!(store.purge_jobs(Timestamp(0)).await.expect("purged"), 0);
    assert_eq!(store.purge_jobs(Timestamp(i64::MAX)).await.expect("purged"), 1);
    assert_eq!(states(&nobodys).await, []);
}

pub async fn a_report_without_a_game_is_kept_until_collected(place: Arc<Place>) {
    let store = place.open().await;
    let work = |seed| Job::Data(DataJob { seed, nodes: 10, games: 1, net: "1".to_owned() });
    for seed in [u64::MAX, 1] {
        store.push_job(&NewJob::new(work(seed))).await.expect("pushed");
    }
    let desk = desk(&store);
    let none = desk.claim(&[JobKind::Review], "w", LONG).await.expect("asked");
    assert_eq!(none, None);
    let done = Report::Data(DataReport { file: "AAAA".to_owned() });
    let mut attempts = Vec::new();
    while let Some(Claim { attempt, .. }) = claim(&*desk, "w", LONG).await {
        let wrong = desk.finish(attempt, &report()).await;
        assert!(matches!(wrong, Err(DeskError::Refused(_))), "{wrong:?}");
        desk.finish(attempt, &done).await.expect("it is ours");
        attempts.push(attempt.job);
    }
    let first = store.done_after(JobKind::Data, JobId(0)).await.expect("asked").expect("done");
    assert_eq!((first.id, first.collected, &first.report), (attempts[0], false, &done));
    assert_eq!(first.job, work(u64::MAX));
    store.collect_job(first.id, Ok(())).await.expect("marked");
    let first = store.done_after(JobKind::Data, JobId(0)).await.expect("asked").expect("done");
    assert!(first.collected);
    let second = store.done_after(JobKind::Data, first.id).await.expect("asked").expect("done");
    store.collect_job(second.id, Err("damaged".to_owned())).await.expect("queued again");
    assert_eq!(store.done_after(JobKind::Data, first.id).await.expect("asked"), None);
    store.remove_done(first.id).await.expect("removed");
    assert_eq!(store.done_after(JobKind::Data, JobId(0)).await.expect("asked"), None);
    // Only what is done is removed.
    store.remove_done(second.id).await.expect("asked");
    let again = store.job(second.id).await.expect("it is there");
    assert_eq!((again.state, again.error.as_deref()), (JobState::Waiting, Some("damaged")));
}
