//! Counting the leaves of the move tree: the test that finds every mistake in a generator.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use crate::{Move, MoveList, Position};

/// The number of move sequences of exactly `depth` plies. The last ply is counted, not played.
///
/// ```
/// use chess::{Position, perft};
///
/// assert_eq!(perft(&Position::default(), 3), 8_902);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal_moves()),
        _ => {
            let mut moves = MoveList::new();
            position.legal_moves_into(&mut moves);
            let mut leaves = 0;
            for &m in &moves {
                let mut next = position.clone();
                next.play_unchecked(m);
                leaves += perft(&next, depth - 1);
            }
            leaves
        }
    }
}

/// The count below each legal move, on so many threads. The sum is `perft` of the position;
/// a depth of 0 has no moves to divide by.
pub fn divide(position: &Position, depth: u32, threads: NonZeroUsize) -> Vec<(Move, u64)> {
    divide_with(position, depth, threads, |_, _| {})
}

/// The same, and tells how many parts of the work are done out of how many.
pub fn divide_with(
    position: &Position,
    depth: u32,
    threads: NonZeroUsize,
    progress: impl Fn(usize, usize) + Sync,
) -> Vec<(Move, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let moves = position.legal_moves();
    // Split two plies deep, so that the threads end at about the same time.
    let tasks: Vec<(usize, Position)> = if below < 2 {
        moves.iter().enumerate().map(|(i, &m)| (i, position.after(m))).collect()
    } else {
        let replies = |(i, &m): (usize, &Move)| {
            let after = position.after(m);
            let moves = after.legal_moves();
            moves.into_iter().map(move |reply| (i, after.after(reply))).collect::<Vec<_>>()
        };
        moves.iter().enumerate().flat_map(replies).collect()
    };
    let below = if below < 2 { below } else { below - 1 };

    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads.get().min(tasks.len()) {
            scope.spawn(|| {
                while let Some((i, position)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    counts[*i].fetch_add(perft(position, below), Ordering::Relaxed);
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1, tasks.len());
                }
            });
        }
    });
    moves.into_iter().zip(counts.into_iter().map(AtomicU64::into_inner)).collect()
}
