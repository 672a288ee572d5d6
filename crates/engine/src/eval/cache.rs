//! A cache of pawn structures and king shelters (pawn hash table).

use std::fmt;

use chess::{Color, Position, Role, Square};

use super::king::shelter;
use super::pawns::Structure;
use super::side::{Black, White};
use super::tally::{Ledger, Tally};
use super::{Tapered, Weights};

/// Caches what depends on pawns alone, and on pawns and one king.
///
/// An entry is used only for exactly the pawns it was made for (by their 64-bit key) and, for a
/// shelter, exactly the king's square.
pub struct PawnCache {
    entries: Box<[Entry; ENTRIES]>,
}

const ENTRIES: usize = 8192;

/// One cache line.
#[derive(Copy, Clone, Default)]
#[repr(align(64))]
struct Entry {
    key: u64,
    structure: Structure,
    /// By color: the king's square and its shelter, for White.
    shelters: [Option<(Square, Tapered)>; 2],
}

const _: () = assert!(size_of::<Entry>() == 64);

impl Default for PawnCache {
    fn default() -> Self {
        // An empty entry is valid: only a board without pawns has the key 0.
        let entries = vec![Entry::default(); ENTRIES].into_boxed_slice();
        Self { entries: entries.try_into().map_err(|_| ()).expect("the length is the same") }
    }
}

impl fmt::Debug for PawnCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = self.entries.iter().filter(|entry| entry.key != 0).count();
        f.debug_struct("PawnCache").field("entries", &ENTRIES).field("used", &used).finish()
    }
}

impl PawnCache {
    /// Clears the cache.
    pub fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    /// The structure, and the score of both shelters.
    pub(super) fn look_up(
        &mut self,
        position: &Position,
        weights: &Weights,
    ) -> (Structure, Tapered) {
        let key = position.keys().pawns;
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.key != key {
            let structure = Structure::new(position, weights, &mut ());
            *entry = Entry { key, structure, shelters: [None; 2] };
        }
        let mut shelters = Tapered::ZERO;
        for color in Color::ALL {
            let king = position.king(color);
            shelters += match entry.shelters[color.index()] {
                Some((square, score)) if square == king => score,
                _ => {
                    let score = shelter_of(color, position, weights, &mut ());
                    entry.shelters[color.index()] = Some((king, score));
                    score
                }
            };
        }
        (entry.structure, shelters)
    }
}

/// The same without the cache.
pub(super) fn compute<T: Tally>(
    position: &Position,
    weights: &Weights,
    tally: &mut T,
) -> (Structure, Tapered) {
    let structure = Structure::new(position, weights, tally);
    let white = shelter_of(Color::White, position, weights, tally);
    let black = shelter_of(Color::Black, position, weights, tally);
    (structure, white + black)
}

fn shelter_of<T: Tally>(
    color: Color,
    position: &Position,
    weights: &Weights,
    tally: &mut T,
) -> Tapered {
    let pawns = Color::ALL.map(|color| position.role(Role::Pawn) & position.color(color));
    let mut ledger = Ledger { weights, tally, score: Tapered::ZERO };
    match color {
        Color::White => shelter::<White, T>(position.king(color), pawns, &mut ledger),
        Color::Black => shelter::<Black, T>(position.king(color), pawns, &mut ledger),
    }
    ledger.score
}
