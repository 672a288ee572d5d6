//! What the table says about a node, and what is told to it.

use super::see::is_tactical;
use super::tt::Entry;
use super::value::{Value, from_table, to_table};
use super::worker::Worker;

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// What the table knows about the node, with values counted from the root.
    pub(crate) fn look_up(&self, ply: usize) -> Option<Entry> {
        let position = self.position(ply);
        let entry = self.shared.table.probe(position.key())?;
        Some(Entry {
            // The entry may belong to another position with the same bits.
            m: entry.m.filter(|&m| position.is_legal(m)),
            value: from_table(entry.value, ply, position.halfmoves()),
            ..entry
        })
    }

    /// Whether the value in the table decides the node.
    pub(crate) fn table_cutoff(
        &mut self,
        ply: usize,
        entry: &Entry,
        alpha: Value,
        beta: Value,
        depth: i32,
        cut: bool,
    ) -> Option<Value> {
        let enough = entry.depth >= depth + i32::from(entry.value > beta);
        let fits =
            if entry.value >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() };
        let beyond = entry.value >= beta || entry.value <= alpha;
        let expected = cut == (entry.value >= beta) || depth > 5;
        // Near the fifty-move rule the same position is worth something else.
        if !(enough && fits && beyond && expected) || self.position(ply).halfmoves() >= 90 {
            return None;
        }
        if let Some(m) = entry.m
            && entry.value >= beta
            && !is_tactical(self.position(ply), m)
        {
            self.credit_table_move(ply, m, depth);
        }
        Some(entry.value)
    }

    /// Writes what was found out into the table.
    pub(crate) fn remember(&self, key: u64, ply: usize, entry: Entry) {
        self.shared.table.store(key, Entry { value: to_table(entry.value, ply), ..entry });
    }
}
