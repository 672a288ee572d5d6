//! The queue of work.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use store::{JobId, JobState, NewJob, Store, StoreError};

use crate::place::Place;

const LONG: Duration = Duration::from_mins(10);

fn review(payload: &str) -> NewJob {
    NewJob { kind: "review".to_owned(), payload: payload.to_owned(), ..NewJob::default() }
}

pub async fn the_highest_priority_comes_first(place: Arc<Place>) {
    let store = place.open().await;
    for (payload, priority) in [("a", 0), ("b", 5), ("c", 5), ("d", -1)] {
        store.push_job(&NewJob { priority, ..review(payload) }).await.expect("pushed");
    }
    let other = NewJob { kind: "puzzle".to_owned(), priority: 9, ..review("e") };
    store.push_job(&other).await.expect("pushed");
    let mut order = String::new();
    while let Some(job) = store.claim_job(&["review"], "w", LONG).await.expect("asked") {
        assert_eq!((job.state, job.attempts), (JobState::Running, 1));
        assert_eq!(job.worker.as_deref(), Some("w"));
        order += &job.payload;
    }
    assert_eq!(order, "bcad");
    assert_eq!(store.claim_job(&[], "w", LONG).await.expect("asked"), None);
    let puzzle = store.claim_job(&["review", "puzzle"], "w", LONG).await.expect("asked");
    assert_eq!(puzzle.expect("it waits").payload, "e");
}

pub async fn eight_workers_do_two_hundred_jobs_once_each(place: Arc<Place>) {
    let store = place.open().await;
    for i in 0..200 {
        store.push_job(&review(&i.to_string())).await.expect("pushed");
    }
    let workers: Vec<_> = (0..8).map(|i| tokio::spawn(work(Arc::clone(&store), i))).collect();
    let mut done = Vec::new();
    for worker in workers {
        done.extend(worker.await.expect("no panic"));
    }
    assert_eq!(done.len(), 200);
    assert_eq!(done.iter().collect::<HashSet<_>>().len(), 200);
    let counts = store.count_jobs().await.expect("counted");
    assert_eq!((counts.len(), counts[0].state, counts[0].jobs), (1, JobState::Done, 200));
}

async fn work(store: Arc<dyn Store>, worker: u32) -> Vec<JobId> {
    let mut done = Vec::new();
    let name = format!("worker {worker}");
    while let Some(job) = store.claim_job(&["review"], &name, LONG).await.expect("asked") {
        tokio::task::yield_now().await;
        store.finish_job(job.attempt(), "{}").await.expect("it is ours");
        done.push(job.id);
    }
    done
}

pub async fn an_abandoned_job_is_lent_again_and_the_late_worker_is_refused(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.push_job(&review("{}")).await.expect("pushed");
    let short = Duration::from_secs(1);
    let first = store.claim_job(&["review"], "slow", short).await.expect("asked").expect("a job");
    assert_eq!(store.claim_job(&["review"], "quick", LONG).await.expect("asked"), None);
    tokio::time::sleep(short + Duration::from_millis(50)).await;
    // Late, but nobody else has it yet.
    store.extend_job(first.attempt(), short, 0.5).await.expect("it is still ours");
    assert_eq!(store.claim_job(&["review"], "quick", LONG).await.expect("asked"), None);
    tokio::time::sleep(short + Duration::from_millis(50)).await;
    let second = store.claim_job(&["review"], "quick", LONG).await.expect("asked").expect("it");
    assert_eq!((second.id, second.attempts), (id, 2));
    let stale = |result: store::Result<()>| {
        assert!(matches!(result, Err(StoreError::Stale { found: 2 })), "{result:?}");
    };
    stale(store.extend_job(first.attempt(), LONG, 0.9).await);
    stale(store.finish_job(first.attempt(), "late").await);
    stale(store.fail_job(first.attempt(), "late").await);
    store.finish_job(second.attempt(), "in time").await.expect("it is ours");
    stale(store.finish_job(second.attempt(), "twice").await);
    let job = store.job(id).await.expect("it is there");
    assert_eq!((job.state, job.answer.as_deref()), (JobState::Done, Some("in time")));
    assert_eq!((job.worker.as_deref(), job.lease_until), (Some("quick"), None));
}

pub async fn a_job_is_given_up_after_three_attempts(place: Arc<Place>) {
    let store = place.open().await;
    let failing = store.push_job(&review("fails")).await.expect("pushed");
    for attempt in 1..=3 {
        let job = store.claim_job(&["review"], "w", LONG).await.expect("asked").expect("a job");
        assert_eq!((job.id, job.attempts), (failing, attempt));
        store.fail_job(job.attempt(), "no engine\0").await.expect("it is ours");
    }
    assert_eq!(store.claim_job(&["review"], "w", LONG).await.expect("asked"), None);
    let job = store.job(failing).await.expect("it is there");
    assert_eq!((job.state, job.answer.as_deref()), (JobState::Failed, Some("no engine\u{2400}")));
    let deadly = store.push_job(&review("kills")).await.expect("pushed");
    for _ in 0..3 {
        let job = store.claim_job(&["review"], "w", Duration::ZERO).await.expect("asked");
        assert_eq!(job.expect("a job").id, deadly);
    }
    assert_eq!(store.claim_job(&["review"], "w", LONG).await.expect("asked"), None);
    assert_eq!(store.job(deadly).await.expect("it is there").state, JobState::Failed);
    assert_eq!(store.jobs(Some(JobState::Failed), 10).await.expect("a list").len(), 2);
}

pub async fn a_key_makes_two_jobs_one(place: Arc<Place>) {
    let store = place.open().await;
    let job = |payload| NewJob { once: Some("game 1, quick".to_owned()), ..review(payload) };
    let first = store.push_job(&job("first")).await.expect("pushed");
    let pushes: Vec<_> = (0..8)
        .map(|_| {
            let (store, job) = (Arc::clone(&store), job("again"));
            tokio::spawn(async move { store.push_job(&job).await.expect("pushed") })
        })
        .collect();
    for push in pushes {
        assert_eq!(push.await.expect("no panic"), first);
    }
    assert_eq!(store.job(first).await.expect("it is there").payload, "first");
    assert_ne!(store.push_job(&review("other")).await.expect("pushed"), first);
    assert_ne!(store.push_job(&review("other")).await.expect("pushed"), first);
    assert_eq!(store.jobs(None, 10).await.expect("a list").len(), 3);
}

pub async fn thousands_of_jobs_are_pushed_at_once(place: Arc<Place>) {
    let store = place.open().await;
    let jobs: Vec<_> = (0..6000)
        .map(|i| NewJob { once: Some(format!("game {}", i % 4000)), priority: i, ..review("{}") })
        .collect();
    assert_eq!(store.push_jobs(&jobs).await.expect("pushed"), 4000);
    assert_eq!(store.push_jobs(&jobs).await.expect("pushed"), 0);
    assert_eq!(store.push_jobs(&[]).await.expect("pushed"), 0);
    assert_eq!(store.push_jobs(&[review("a"), review("a")]).await.expect("pushed"), 2);
    let job = store.claim_job(&["review"], "w", LONG).await.expect("asked").expect("a job");
    assert_eq!((job.priority, job.attempts, job.state), (3999, 1, JobState::Running));
    let refused = store.push_jobs(&[review("a"), review("\0")]).await;
    assert!(matches!(refused, Err(StoreError::Refused { .. })));
    let counts = store.count_jobs().await.expect("counted");
    assert_eq!(counts.iter().map(|count| count.jobs).sum::<u64>(), 4002);
}

pub async fn progress_and_counts_are_kept(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.push_job(&review("{}")).await.expect("pushed");
    store.push_job(&review("{}")).await.expect("pushed");
    let job = store.claim_job(&["review"], "w", LONG).await.expect("asked").expect("a job");
    store.extend_job(job.attempt(), LONG, 0.25).await.expect("it is ours");
    assert!((store.job(id).await.expect("it is there").progress - 0.25).abs() < 1e-9);
    let counts = store.count_jobs().await.expect("counted");
    let counts: Vec<_> = counts.iter().map(|count| (count.state, count.jobs)).collect();
    assert_eq!(counts, [(JobState::Running, 1), (JobState::Waiting, 1)]);
    store.delete_job(id).await.expect("it is there");
    for gone in [store.delete_job(id).await, store.job(id).await.map(drop)] {
        assert!(matches!(gone, Err(StoreError::NotFound("job"))));
    }
    let gone = store.finish_job(job.attempt(), "{}").await;
    assert!(matches!(gone, Err(StoreError::NotFound("job"))));
}
