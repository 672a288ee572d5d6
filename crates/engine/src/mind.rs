//! The memory of a player: its hash table and what its threads have learnt.

use crate::Elo;
use crate::eval::Knowledge;
use crate::search::{Table, Thread};

/// The memory of one player.
#[derive(Debug)]
pub(crate) struct Mind {
    pub(crate) table: Table,
    /// At least one.
    pub(crate) threads: Vec<Thread>,
    /// The value of the last search in this game, for time management.
    pub(crate) last_value: Option<i32>,
}

impl Mind {
    /// An empty memory with a hash table of this many MiB and one thread; `None` if there is not
    /// enough memory.
    pub(crate) fn new(hash: usize, knowledge: &Knowledge) -> Option<Self> {
        let (table, thread) = (Table::new(hash)?, Thread::new(knowledge)?);
        Some(Self { table, threads: vec![thread], last_value: None })
    }

    /// Clears the hash table and the histories.
    pub(crate) fn forget(&mut self) {
        self.clear_table();
        self.threads.iter_mut().for_each(|thread| thread.experience.clear());
    }

    /// Clears the hash table.
    pub(crate) fn clear_table(&self) {
        self.table.clear(self.threads.len());
    }

    /// The next search is for another game.
    pub(crate) fn new_game(&mut self) {
        self.last_value = None;
        self.forget();
    }
}

/// The memory of limited players. It is separate from the engine's own: a weak player must not know
/// what the strong one has seen, nor fill its hash table with errors.
#[derive(Debug, Default)]
pub(crate) struct Limited {
    /// Allocated when first needed.
    mind: Option<Box<Mind>>,
    /// The rating of the last player.
    elo: Option<Elo>,
}

/// MiB for a limited player, which searches few nodes.
const HASH: usize = 2;

impl Limited {
    /// The memory of a player, which remembers the game so far unless it starts `afresh`; `None` if
    /// there is not enough memory.
    pub(crate) fn mind(
        &mut self,
        elo: Elo,
        afresh: bool,
        knowledge: &Knowledge,
    ) -> Option<&mut Mind> {
        let mind = match &mut self.mind {
            Some(mind) => {
                if afresh || self.elo != Some(elo) {
                    mind.new_game();
                }
                mind
            }
            none => none.insert(Box::new(Mind::new(HASH, knowledge)?)),
        };
        self.elo = Some(elo);
        Some(mind)
    }

    /// Clears everything.
    pub(crate) fn forget(&mut self) {
        self.elo = None;
    }
}
