//! Which games may be rated.

/// The conditions for a new game to be rated. A takeback or an abort makes it unrated later.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RatedTerms {
    /// Whether the player who creates the game has an account.
    pub has_account: bool,
    /// Whether the start position was chosen: it could be a won one.
    pub chosen_position: bool,
    /// Whether both sides share a board.
    pub shared_board: bool,
}

impl RatedTerms {
    /// Whether the game may be rated.
    pub const fn may_count(self) -> bool {
        self.has_account && !self.chosen_position && !self.shared_board
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_chosen_positions_and_shared_boards_are_not_rated() {
        let fair = RatedTerms { has_account: true, chosen_position: false, shared_board: false };
        assert!(fair.may_count());
        assert!(!RatedTerms { has_account: false, ..fair }.may_count());
        assert!(!RatedTerms { chosen_position: true, ..fair }.may_count());
        assert!(!RatedTerms { shared_board: true, ..fair }.may_count());
    }
}
