//! The pool with a fake engine.

use chess::Line;
use engine::{AnalystError, Question};

use super::*;

/// Searches until stopped if the book is off, panics on positions with few pieces, and
/// otherwise plays the first legal move.
struct Fake;

impl Analyst for Fake {
    fn analyse(
        &mut self,
        question: &Question,
        stop: &Stop,
        _: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError> {
        while !question.book && !stop.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(question.position().occupied().count() > 3, "few pieces");
        let best = question.position().legal_moves()[0];
        Ok(Verdict { best, ponder: None, lines: Vec::new(), time: Duration::ZERO })
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        Ok(())
    }
}

fn pool() -> Pool {
    Pool::new(2, Arc::new(Metrics::new()), || Fake)
}

fn owner(number: i64) -> Owner {
    Owner::User(UserId(number))
}

fn player(line: Line) -> Task {
    Task { question: Question::new(line).book(true), work: Work::Move, meter: None }
}

fn analysis() -> Task {
    Task { question: Question::default(), work: Work::Analysis, meter: None }
}

#[tokio::test]
async fn the_pool_survives_a_panic_and_reports_it() {
    let pool = pool();
    for _ in 0..5 {
        let lonely = Line::new("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1".parse().expect("a FEN"));
        let mut search = pool.search(&owner(1), player(lonely)).expect("there is room");
        let answer = (&mut search.done).await.expect("an answer");
        assert_eq!(answer, Err("the engine failed".to_owned()));
    }
    let mut search = pool.search(&owner(1), player(Line::default())).expect("there is room");
    assert!((&mut search.done).await.expect("an answer").is_ok());
    pool.close();
}

#[tokio::test]
async fn analyses_leave_a_thread_for_moves_and_end_with_their_handles() {
    let pool = pool();
    let mut first = pool.search(&owner(1), analysis()).expect("there is room");
    let mut second = pool.search(&owner(2), analysis()).expect("there is room");
    let mut search = pool.search(&owner(1), player(Line::default())).expect("there is room");
    assert!((&mut search.done).await.expect("an answer").is_ok());
    assert!(first.done.try_recv().is_err() && second.done.try_recv().is_err());
    drop(first);
    // The second starts now and ends when the pool is closed.
    std::thread::sleep(Duration::from_millis(50));
    pool.close();
    assert!((&mut second.done).await.expect("it was begun").is_ok());
}

#[tokio::test]
async fn a_search_without_a_handle_is_not_started() {
    let pool = pool();
    let running = pool.search(&owner(1), analysis()).expect("there is room");
    for _ in 0..100 {
        drop(pool.search(&owner(2), analysis()).expect("nobody waits for the others"));
    }
    drop(running);
    let mut last = pool.search(&owner(3), player(Line::default())).expect("there is room");
    assert!((&mut last.done).await.expect("an answer").is_ok());
    pool.close();
    assert!(pool.shared.metrics.searches.get() < 20);
}

/// A search for a move that never ends by itself.
fn endless() -> Task {
    Task { work: Work::Move, ..analysis() }
}

#[tokio::test]
async fn many_games_of_one_owner_delay_no_one_else() {
    let pool = pool();
    let flood: Vec<_> =
        (0..12).map(|_| pool.search(&owner(1), endless()).expect("there is room")).collect();
    let start = Instant::now();
    let mut search = pool.search(&owner(2), player(Line::default())).expect("there is room");
    let answer = loop {
        pool.share();
        let soon = Duration::from_millis(20);
        if let Ok(answer) = tokio::time::timeout(soon, &mut search.done).await {
            break answer.expect("an answer");
        }
    };
    assert!(answer.is_ok());
    let waited = start.elapsed();
    assert!(waited < MOVE_SLICE * 3, "{waited:?}");
    drop(flood);
    pool.close();
}

#[tokio::test]
async fn a_search_is_not_cut_short_for_its_own_owner() {
    let pool = pool();
    let mut searches: Vec<_> =
        (0..3).map(|_| pool.search(&owner(1), endless()).expect("there is room")).collect();
    std::thread::sleep(MOVE_SLICE + Duration::from_millis(100));
    pool.share();
    std::thread::sleep(Duration::from_millis(50));
    assert!(searches.iter_mut().all(|search| search.done.try_recv().is_err()));
    pool.close();
}

#[tokio::test]
async fn other_work_gives_way_to_searches() {
    let pool = pool();
    let gate = Arc::clone(&pool.gates()[0]);
    let first = pool.search(&owner(1), endless()).expect("there is room");
    assert!(!gate.is_closed(), "a core is free");
    let second = pool.search(&owner(2), endless()).expect("there is room");
    assert!(gate.is_closed());
    drop(first);
    while gate.is_closed() {
        std::thread::sleep(Duration::from_millis(1));
    }
    drop(second);
    pool.close();
}
