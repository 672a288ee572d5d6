//! Probes of the transposition table and the tablebases, and stores to the table.

use std::sync::atomic::Ordering;

use super::node::Node;
use super::see::is_tactical;
use super::tt::{Bound, Entry};
use super::value::{DRAW, MAX_PLY, NONE, TABLEBASE_WIN, Value, from_table, to_table};
use super::worker::Worker;
use crate::tablebase::{TableWdl, Tablebases};

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// The table entry of the node, with mate values counted from the root.
    pub(crate) fn look_up(&self, ply: usize) -> Option<Entry> {
        let position = self.position(ply);
        let entry = self.shared.table.probe(position.key())?;
        Some(Entry {
            // The entry may belong to another position with the same key bits.
            m: entry.m.filter(|&m| position.is_legal(m)),
            value: from_table(entry.value, ply, position.halfmoves()),
            ..entry
        })
    }

    /// Returns the table's value if it decides the node; otherwise notes the entry.
    #[inline]
    pub(crate) fn ask_table<const PV: bool>(
        &mut self,
        ply: usize,
        node: &mut Node,
    ) -> Option<Value> {
        let root = PV && ply == 0;
        node.in_check = self.position(ply).is_check();
        node.excluded = self.frame(ply).excluded;
        node.entry = self.look_up(ply);
        node.hash = if root {
            Some(self.root[self.pv_index].m)
        } else {
            node.entry.and_then(|entry| entry.m)
        };
        node.table_pv = PV || node.entry.is_some_and(|entry| entry.pv);
        self.frame_mut(ply).table_pv = node.table_pv;
        if !PV
            && node.excluded.is_none()
            && let Some(value) = self.table_cutoff(ply, node)
        {
            return Some(value);
        }
        node.tactical_hash = node.hash.is_some_and(|m| is_tactical(self.position(ply), m));
        None
    }

    /// The value in the table, if it decides the node.
    fn table_cutoff(&mut self, ply: usize, node: &Node) -> Option<Value> {
        let entry = node.entry?;
        let high = entry.value >= node.beta;
        let enough = entry.depth >= node.depth + i32::from(entry.value > node.beta);
        let expected = node.cut == high || node.depth > 5;
        // Near the fifty-move rule the same position has another value.
        if !(enough && expected && entry.is_beyond(node.alpha, node.beta))
            || self.position(ply).halfmoves() >= 90
        {
            return None;
        }
        if let Some(m) = entry.m
            && high
            && !is_tactical(self.position(ply), m)
        {
            self.credit_table_move(ply, m, node.depth);
        }
        Some(entry.value)
    }

    /// Returns the tablebases' value if it decides the node; otherwise it may bound the node's
    /// value.
    #[inline]
    pub(crate) fn ask_tablebases(&mut self, ply: usize, node: &mut Node) -> Option<Value> {
        let tablebases = self.shared.tablebases?;
        if node.excluded.is_some() {
            return None;
        }
        let (value, bound) = self.probe_tablebases(tablebases, ply)?;
        let decided = match bound {
            Bound::Lower => value >= node.beta,
            Bound::Upper => value <= node.alpha,
            _ => true,
        };
        if decided {
            let depth = (node.depth + 6).min(MAX_PLY as i32 - 1);
            let entry = Entry { m: None, value, eval: NONE, depth, bound, pv: node.table_pv };
            self.remember(ply, entry);
            return Some(value);
        }
        if node.pv && bound == Bound::Lower {
            node.best = value;
            node.alpha = node.alpha.max(value);
        } else if node.pv {
            node.ceiling = value;
        }
        None
    }

    /// The tablebase result, if there is one. Only right after a capture or pawn move: the tables
    /// don't know the fifty-move counter.
    fn probe_tablebases(&self, tablebases: &Tablebases, ply: usize) -> Option<(Value, Bound)> {
        let wdl = tablebases.probe_wdl(self.position(ply))?;
        self.shared.tablebase_hits.fetch_add(1, Ordering::Relaxed);
        let win = TABLEBASE_WIN - ply.min(MAX_PLY) as Value;
        Some(match wdl {
            TableWdl::Win => (win, Bound::Lower),
            TableWdl::Loss => (-win, Bound::Upper),
            // Won but for the fifty-move rule: a draw that one side must still find.
            TableWdl::CursedWin => (DRAW + 1, Bound::Exact),
            TableWdl::BlessedLoss => (DRAW - 1, Bound::Exact),
            TableWdl::Draw => (DRAW, Bound::Exact),
        })
    }

    /// Stores a result in the table.
    pub(crate) fn remember(&self, ply: usize, entry: Entry) {
        let key = self.position(ply).key();
        self.shared.table.store(key, Entry { value: to_table(entry.value, ply), ..entry });
    }
}
