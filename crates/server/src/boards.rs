//! The plain position service: one in-memory board per visitor.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use chess::{Line, Position};
use game::Variant;

use crate::pool::Owner;

/// Maximum number of boards; the least recently used one is evicted.
const MOST: usize = 10_000;

/// A visitor's board.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub variant: Variant,
    pub line: Line,
}

impl Default for Board {
    fn default() -> Self {
        Self { variant: Variant::Standard, line: Line::new(Position::default()) }
    }
}

/// All boards.
#[derive(Default)]
pub(crate) struct Boards(Mutex<HashMap<Owner, (Board, Instant)>>);

impl Boards {
    /// A visitor's board, or a new one.
    pub fn get(&self, owner: &Owner) -> Board {
        let boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        boards.get(owner).map(|(board, _)| board.clone()).unwrap_or_default()
    }

    /// Applies `change` to a visitor's board if it succeeds, and returns the board.
    pub fn change<E>(
        &self,
        owner: &Owner,
        change: impl FnOnce(&mut Board) -> Result<(), E>,
    ) -> Result<Board, E> {
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut board = boards.get(owner).map(|(board, _)| board.clone()).unwrap_or_default();
        change(&mut board)?;
        if boards.len() >= MOST && !boards.contains_key(owner) {
            let oldest = boards.iter().min_by_key(|(_, (_, used))| *used);
            let oldest = oldest.map(|(owner, _)| owner.clone());
            oldest.map(|owner| boards.remove(&owner));
        }
        boards.insert(owner.clone(), (board.clone(), Instant::now()));
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use store::UserId;

    use super::*;

    #[test]
    fn each_visitor_has_a_board_and_a_refused_change_leaves_it() {
        let boards = Boards::default();
        let (a, b) = (Owner::User(UserId(1)), Owner::User(UserId(2)));
        let e4 = |board: &mut Board| {
            let m = board.line.position().parse_san("e4").map_err(drop)?;
            board.line.play(m).map_err(drop)
        };
        assert_eq!(boards.change(&a, e4).expect("legal").line.len(), 1);
        boards.change(&a, e4).expect_err("White has moved");
        assert_eq!((boards.get(&a).line.len(), boards.get(&b).line.len()), (1, 0));
    }

    #[test]
    fn the_number_of_boards_is_bounded() {
        let boards = Boards::default();
        for number in 0..MOST as i64 + 10 {
            let owner = Owner::User(UserId(number));
            boards.change(&owner, |_| Ok::<(), ()>(())).expect("it is allowed");
        }
        assert_eq!(boards.0.lock().expect("not poisoned").len(), MOST);
    }
}
