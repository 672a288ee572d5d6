//! Which games count for ratings.

/// What decides whether a new game may count for ratings. A takeback or an abort ends it later.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RatedTerms {
    /// Whether the player who begins the game has an account.
    pub has_account: bool,
    /// Whether the position was chosen: it could be a won one.
    pub chosen_position: bool,
    /// Whether both sides are played at one board.
    pub shared_board: bool,
}

impl RatedTerms {
    /// Whether the game may count.
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
