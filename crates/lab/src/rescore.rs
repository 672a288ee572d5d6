//! Scores of longer searches for records of training data, to judge labels and networks by.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use chess::Line;
use engine::{
    Analyst, AnalystError, Engine, Limits, Options, Question, Score, Stop, search_thread,
};

use crate::stream::Record;

/// What a mate is worth, in centipawns: as good as won.
const MATE: i32 = 3000;

/// Why records can't be scored.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    /// A record is no position.
    #[error("record {0} is not a legal position with a legal move")]
    Record(usize),
    /// A search failed.
    #[error(transparent)]
    Search(#[from] AnalystError),
    /// A thread can't be started.
    #[error("can't start a thread")]
    Thread(#[from] std::io::Error),
}

/// The score of each record by a search of `nodes` nodes with an empty table, in centipawns for the side to move; `progress`
/// is called after each. The scores don't depend on the number of threads.
pub fn rescore(
    records: &[Record],
    nodes: u64,
    threads: NonZeroUsize,
    progress: &(dyn Fn() + Sync),
) -> Result<Vec<i32>, RescoreError> {
    let next = AtomicUsize::new(0);
    let scores = Mutex::new(vec![0; records.len()]);
    let work = || -> Result<(), RescoreError> {
        let mut engine = Engine::new(Options { hash: 2, ..Options::default() });
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(record) = records.get(index) else { return Ok(()) };
            let position = record.position().ok_or(RescoreError::Record(index))?;
            engine.new_game()?;
            let question = Question::new(Line::new(position)).limits(Limits::nodes(nodes));
            let score = match engine.decide(&question, &Stop::new())?.score() {
                Some(Score::Cp(score)) => score.clamp(-MATE, MATE),
                Some(Score::Mate(plies)) if plies.0 > 0 => MATE,
                Some(Score::Mate(_)) => -MATE,
                None => return Err(RescoreError::Record(index)),
            };
            scores.lock().expect("no thread panics")[index] = score;
            progress();
        }
    };
    std::thread::scope(|scope| {
        let threads: Result<Vec<_>, _> = (0..threads.get())
            .map(|_| search_thread("rescore").spawn_scoped(scope, work))
            .collect();
        threads?.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    Ok(scores.into_inner().expect("no thread panics"))
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::*;

    fn record(fen: &str) -> Record {
        let position: Position = fen.parse().expect("a legal FEN");
        Record::new(&position, 0, 0).expect("few pieces")
    }

    #[test]
    fn scores_are_for_the_side_to_move_on_any_number_of_threads() {
        let records = [
            record("4k3/8/8/8/8/8/PPPP4/4K2Q w - - 0 1"),
            record("4k3/8/8/8/8/8/PPPP4/4K2Q b - - 0 1"),
            record("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"),
        ];
        let score = |threads| {
            rescore(&records, 500, NonZeroUsize::new(threads).expect("not zero"), &|| ())
                .expect("sound")
        };
        let scores = score(1);
        assert!(scores[0] > 500 && scores[1] < -500 && scores[2] == MATE, "{scores:?}");
        assert_eq!(score(2), scores);
    }

    #[test]
    fn a_record_without_kings_is_an_error() {
        let records = [record("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Record::from_bytes([0; 32])];
        let one = NonZeroUsize::MIN;
        let error = rescore(&records, 10, one, &|| ()).expect_err("no kings");
        assert_eq!(error.to_string(), "record 1 is not a legal position with a legal move");
    }
}
