//! What a player knows: the positions that it has searched and what its threads have learnt.

use std::sync::Arc;

use nnue::Net;

use crate::Elo;
use crate::search::{Table, Thread};

/// The memory of one player.
#[derive(Debug)]
pub(crate) struct Mind {
    pub(crate) table: Table,
    /// At least one.
    pub(crate) threads: Vec<Thread>,
    /// The value of the last search in this game, for the time management of the next one.
    pub(crate) last_value: Option<i32>,
}

impl Mind {
    /// An empty mind with so many mebibytes and one thread; `None` if there isn't so much memory.
    pub(crate) fn new(hash: usize, net: Option<Arc<Net>>) -> Option<Self> {
        let (table, thread) = (Table::new(hash)?, Thread::new(net)?);
        Some(Self { table, threads: vec![thread], last_value: None })
    }

    /// Forgets what was searched and what was learnt from it.
    pub(crate) fn forget(&mut self) {
        self.clear_table();
        self.threads.iter_mut().for_each(|thread| thread.experience.clear());
    }

    /// Forgets every position that was searched.
    pub(crate) fn clear_table(&self) {
        self.table.clear(self.threads.len());
    }

    /// The next search is of another game.
    pub(crate) fn new_game(&mut self) {
        self.last_value = None;
        self.forget();
    }
}

/// The memory of the limited players. It is apart from the engine's own: a weak player must not know
/// what the strong one has seen, nor fill its table with errors.
#[derive(Debug, Default)]
pub(crate) struct Limited {
    /// Made when it is first needed.
    mind: Option<Box<Mind>>,
    /// Who has thought in it last.
    elo: Option<Elo>,
}

/// Mebibytes for a limited player, who looks at few positions.
const HASH: usize = 2;

impl Limited {
    /// The mind of a player, who remembers the game so far unless it is to start `afresh`; `None` if
    /// there is no memory.
    pub(crate) fn mind(
        &mut self,
        elo: Elo,
        afresh: bool,
        net: Option<&Arc<Net>>,
    ) -> Option<&mut Mind> {
        let mind = match &mut self.mind {
            Some(mind) => {
                if afresh || self.elo != Some(elo) {
                    mind.new_game();
                }
                mind
            }
            none => none.insert(Box::new(Mind::new(HASH, net.cloned())?)),
        };
        self.elo = Some(elo);
        Some(mind)
    }

    /// Forgets what was searched and learnt.
    pub(crate) fn forget(&mut self) {
        self.elo = None;
    }
}
