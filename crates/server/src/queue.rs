//! The order of searches: game moves before analyses, and owners in turn.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// The kind of search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// A move of a game; a clock may be running.
    Move,
    /// An analysis, which may run as long as its client stays connected.
    Analysis,
}

/// Waiting searches.
pub(crate) struct Queue<O, T> {
    moves: Fair<O, T>,
    analyses: Fair<O, T>,
    analyses_running: usize,
    analyses_at_once: usize,
}

impl<O: Clone + Eq + Hash, T> Queue<O, T> {
    pub fn new(analyses_at_once: usize) -> Self {
        Self {
            moves: Fair::default(),
            analyses: Fair::default(),
            analyses_running: 0,
            analyses_at_once,
        }
    }

    /// Adds an item; returns it if its owner has too many waiting.
    pub fn push(&mut self, owner: &O, work: Work, item: T) -> Result<(), T> {
        match work {
            Work::Move => self.moves.push(owner, item),
            Work::Analysis => self.analyses.push(owner, item),
        }
    }

    /// The next item and its owner, if a thread is free. After an analysis, call
    /// [`done`](Self::done).
    pub fn pop(&mut self) -> Option<(Work, O, T)> {
        if let Some((owner, item)) = self.moves.pop() {
            return Some((Work::Move, owner, item));
        }
        if self.analyses_running == self.analyses_at_once {
            return None;
        }
        let (owner, item) = self.analyses.pop()?;
        self.analyses_running += 1;
        Some((Work::Analysis, owner, item))
    }

    /// Drops items that are no longer wanted.
    pub fn retain(&mut self, wanted: impl Fn(&T) -> bool) {
        self.moves.retain(&wanted);
        self.analyses.retain(&wanted);
    }

    pub fn done(&mut self, work: Work) {
        if work == Work::Analysis {
            self.analyses_running -= 1;
        }
    }

    /// Whether a waiting analysis could start if another ended.
    pub fn is_crowded(&self) -> bool {
        self.analyses.len > 0 && self.analyses_running == self.analyses_at_once
    }

    /// Whether a move of another owner is waiting.
    pub fn keeps_waiting(&self, owner: &O) -> bool {
        self.moves.turns.iter().any(|waiting| waiting != owner)
    }

    pub fn len(&self) -> usize {
        self.moves.len + self.analyses.len
    }
}

/// Items of many owners: owners take turns, and each owner's items stay in order.
struct Fair<O, T> {
    turns: VecDeque<O>,
    waiting: HashMap<O, VecDeque<T>>,
    len: usize,
}

/// Maximum number of waiting items per owner.
const MOST: usize = 16;

impl<O, T> Default for Fair<O, T> {
    fn default() -> Self {
        Self { turns: VecDeque::new(), waiting: HashMap::new(), len: 0 }
    }
}

impl<O: Clone + Eq + Hash, T> Fair<O, T> {
    fn push(&mut self, owner: &O, item: T) -> Result<(), T> {
        let items = self.waiting.entry(owner.clone()).or_default();
        if items.len() == MOST {
            return Err(item);
        }
        if items.is_empty() {
            self.turns.push_back(owner.clone());
        }
        items.push_back(item);
        self.len += 1;
        Ok(())
    }

    fn pop(&mut self) -> Option<(O, T)> {
        let owner = self.turns.pop_front()?;
        let items = self.waiting.get_mut(&owner).expect("an owner whose turn it is has an item");
        let item = items.pop_front().expect("an owner whose turn it is has an item");
        if items.is_empty() {
            self.waiting.remove(&owner);
        } else {
            self.turns.push_back(owner.clone());
        }
        self.len -= 1;
        Some((owner, item))
    }

    fn retain(&mut self, wanted: impl Fn(&T) -> bool) {
        self.waiting.retain(|_, items| {
            items.retain(&wanted);
            !items.is_empty()
        });
        self.turns.retain(|owner| self.waiting.contains_key(owner));
        self.len = self.waiting.values().map(VecDeque::len).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(queue: &mut Queue<&str, u32>) -> Vec<u32> {
        std::iter::from_fn(|| queue.pop().map(|(_, _, item)| item)).collect()
    }

    #[test]
    fn owners_take_turns() {
        let mut queue = Queue::new(1);
        for (owner, item) in [("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)] {
            queue.push(&owner, Work::Move, item).expect("the queue is short");
        }
        assert_eq!(queue.len(), 6);
        assert_eq!(drain(&mut queue), [1, 4, 5, 2, 6, 3]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn moves_come_first_and_analyses_leave_a_thread_free() {
        let mut queue = Queue::new(1);
        queue.push(&"a", Work::Analysis, 1).expect("the queue is short");
        queue.push(&"b", Work::Analysis, 2).expect("the queue is short");
        queue.push(&"c", Work::Move, 3).expect("the queue is short");
        assert!(queue.keeps_waiting(&"a") && !queue.keeps_waiting(&"c"));
        assert_eq!(queue.pop(), Some((Work::Move, "c", 3)));
        assert!(!queue.keeps_waiting(&"a"), "only analyses wait");
        assert_eq!(queue.pop(), Some((Work::Analysis, "a", 1)));
        assert!(queue.is_crowded());
        assert_eq!(queue.pop(), None);
        queue.push(&"a", Work::Move, 4).expect("the queue is short");
        assert_eq!(queue.pop(), Some((Work::Move, "a", 4)));
        queue.done(Work::Move);
        queue.done(Work::Analysis);
        assert_eq!(queue.pop(), Some((Work::Analysis, "b", 2)));
        assert!(!queue.is_crowded());
    }

    #[test]
    fn what_nobody_waits_for_takes_no_place() {
        let mut queue = Queue::new(1);
        for item in 0..MOST as u32 {
            queue.push(&"a", Work::Analysis, item).expect("the queue is short");
        }
        queue.push(&"b", Work::Analysis, 1).expect("b has none waiting");
        queue.retain(|item| item % 2 == 0);
        assert_eq!(queue.len(), MOST / 2);
        queue.push(&"a", Work::Move, 100).expect("there is room again");
        queue.push(&"b", Work::Move, 101).expect("there is room again");
        assert_eq!(drain(&mut queue)[..3], [100, 101, 0]);
    }

    #[test]
    fn nobody_fills_the_queue_alone() {
        let mut queue = Queue::new(1);
        let refused = (0..100).filter(|&i| queue.push(&"a", Work::Analysis, i).is_err()).count();
        assert_eq!(refused, 100 - MOST);
        queue.push(&"b", Work::Analysis, 0).expect("b has none waiting");
    }
}
