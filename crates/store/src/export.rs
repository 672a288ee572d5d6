//! Iterates over many games without loading them all.

use std::collections::VecDeque;

use crate::error::Result;
use crate::{Cursor, GameFilter, Store, StoredGame};

/// Games to fetch at a time.
const AT_ONCE: usize = 500;

/// All games that match a filter, in its order. It holds a few hundred at a time and no
/// transaction, so that a slow reader blocks nobody.
pub struct Export<'a> {
    store: &'a dyn Store,
    filter: GameFilter,
    fetched: VecDeque<StoredGame>,
    next: Option<Cursor>,
    at_end: bool,
}

impl<'a> Export<'a> {
    /// Starts before the first game.
    pub const fn new(store: &'a dyn Store, filter: GameFilter) -> Self {
        Self { store, filter, fetched: VecDeque::new(), next: None, at_end: false }
    }

    /// The next game.
    pub async fn next(&mut self) -> Result<Option<StoredGame>> {
        if self.fetched.is_empty() && !self.at_end {
            let page = self.store.games(&self.filter, self.next, AT_ONCE).await?;
            self.fetched = page.games.into();
            self.next = page.next;
            self.at_end = page.next.is_none();
        }
        Ok(self.fetched.pop_front())
    }
}
