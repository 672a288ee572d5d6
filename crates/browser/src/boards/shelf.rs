//! Things with numbers, by which JavaScript names them.

use std::collections::BTreeMap;

use crate::Trouble;

/// Things with numbers. A number is never used again.
#[derive(Debug)]
pub(super) struct Shelf<T> {
    next: u32,
    things: BTreeMap<u32, T>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self { next: 1, things: BTreeMap::new() }
    }
}

impl<T> Shelf<T> {
    pub(super) fn put(&mut self, thing: T) -> u32 {
        let number = self.next;
        self.next += 1;
        self.things.insert(number, thing);
        number
    }

    /// Puts a thing back that was removed for a while.
    pub(super) fn put_back(&mut self, number: u32, thing: T) {
        self.things.insert(number, thing);
    }

    pub(super) fn get(&self, number: u32) -> Result<&T, Trouble> {
        self.things.get(&number).ok_or_else(|| closed(number))
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Result<&mut T, Trouble> {
        self.things.get_mut(&number).ok_or_else(|| closed(number))
    }

    pub(super) fn remove(&mut self, number: u32) -> Result<T, Trouble> {
        self.things.remove(&number).ok_or_else(|| closed(number))
    }
}

fn closed(number: u32) -> Trouble {
    Trouble::new(format!("number {number} is closed"))
}
