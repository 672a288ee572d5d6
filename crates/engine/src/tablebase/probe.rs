//! Opening and probing tables.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use chess::{Line, Position};
use shakmaty::Chess;
use shakmaty_syzygy::{ProbeError, SyzygyError, Tablebase};

use super::convert::to_shakmaty;
use super::fault::Faults;
use super::files::{Shelf, add_directory, empty_tables};
use super::missing::NotInTables;
use super::rank;
use super::root::RootMove;
use super::wdl::TableWdl;

/// A collection of tables. Probing needs no `&mut`, so that all threads of a search can share one
/// through an `Arc`.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    shelf: Shelf,
    faults: Faults,
}

impl Tablebases {
    /// Opens all tables in the directories, and returns messages about unusable ones. Files are
    /// checked here and mapped when first needed.
    pub fn open(directories: &[PathBuf]) -> (Self, Vec<String>) {
        let mut tables = empty_tables();
        let mut shelf = Shelf::default();
        let mut messages = Vec::new();
        for directory in directories {
            add_directory(&mut tables, &mut shelf, directory, &mut messages);
        }
        (Self { tables, shelf, faults: Faults::default() }, messages)
    }

    /// The tables found.
    pub const fn shelf(&self) -> Shelf {
        self.shelf
    }

    /// The largest number of pieces in a table, including kings; zero without tables. The search
    /// compares it with the pieces on the board before it probes.
    #[inline]
    pub const fn men(&self) -> u32 {
        self.shelf.men
    }

    /// The damage found while probing, since the last call.
    pub fn take_messages(&self) -> Vec<String> {
        self.faults.take_messages()
    }

    /// The result of a position right after a capture or a pawn move; `None` for any other, and if
    /// the tables don't cover it. Reads no DTZ tables, so it is fast enough for the search.
    ///
    /// The result respects the fifty-move rule: with the counter at zero it is exact.
    #[inline]
    pub fn probe_wdl(&self, position: &Position) -> Option<TableWdl> {
        if position.halfmoves() != 0
            || position.occupied().count() > self.men()
            || position.castling_rooks().any()
        {
            return None;
        }
        self.probe_wdl_after_zeroing(position).ok()
    }

    /// Ranks the legal moves at the end of a game, best first. The moves with the rank of the first
    /// keep the position's result; the first one also makes progress.
    ///
    /// Without DTZ tables, only results are compared: see [`RootMove::dtz`].
    pub fn probe_root(&self, line: &Line) -> Result<Vec<RootMove>, NotInTables> {
        self.check(line.position())?;
        rank::rank_moves(self, line)
    }

    /// The result as if the last move had been a capture or a pawn move.
    pub(super) fn probe_wdl_after_zeroing(
        &self,
        position: &Position,
    ) -> Result<TableWdl, NotInTables> {
        self.ask(position, Tablebase::probe_wdl_after_zeroing).map(Into::into)
    }

    /// The distance to the next capture, pawn move or mate in plies (DTZ), positive for the winner,
    /// and whether it is exact; otherwise it may be one ply too short.
    pub(super) fn probe_dtz(&self, position: &Position) -> Result<(i32, bool), NotInTables> {
        let dtz = self.ask(position, Tablebase::probe_dtz)?;
        Ok((dtz.ignore_rounding().into(), dtz.precise().is_some()))
    }

    /// The tables contradict each other about a position: one of them is damaged.
    pub(super) fn contradiction(&self, position: &Position) -> NotInTables {
        let message = format!("a tablebase is damaged: it contradicts itself about {position}");
        self.faults.note(position, &message);
        NotInTables::Damaged(message)
    }

    fn check(&self, position: &Position) -> Result<(), NotInTables> {
        let (men, most) = (position.occupied().count(), self.men());
        if men > most {
            Err(NotInTables::TooManyMen { men, most })
        } else if position.castling_rooks().any() {
            Err(NotInTables::Castling)
        } else {
            Ok(())
        }
    }

    /// Calls the library. It checks what it reads, but a damaged table may still cause a panic in
    /// its arithmetic, which must not cost the game.
    fn ask<T>(
        &self,
        position: &Position,
        question: impl FnOnce(&Tablebase<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Result<T, NotInTables> {
        if self.faults.include(position) {
            return Err(NotInTables::Damaged("a tablebase for it is damaged".to_owned()));
        }
        let chess = to_shakmaty(position).ok_or_else(|| {
            NotInTables::Missing("the tablebases don't cover this position".to_owned())
        })?;
        let answer = catch_unwind(AssertUnwindSafe(|| question(&self.tables, &chess)));
        let message = match answer {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(SyzygyError::ProbeFailed { metric, material, error })) => {
                let reason = match *error {
                    ProbeError::Read { error } => format!("can't be read: {error}"),
                    ProbeError::Magic { .. } => "is not a Syzygy table".to_owned(),
                    ProbeError::CorruptedTable { .. } => "is damaged".to_owned(),
                };
                format!("tablebase {material} ({metric}) {reason}")
            }
            Ok(Err(error)) => return Err(NotInTables::Missing(error.to_string())),
            Err(_) => format!("a tablebase is damaged: no answer about {position}"),
        };
        self.faults.note(position, &message);
        Err(NotInTables::Damaged(message))
    }
}

impl std::fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tablebases").field("shelf", &self.shelf).finish_non_exhaustive()
    }
}
