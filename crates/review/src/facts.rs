//! What a label is decided by.

/// What is known about a move, in points of expected score for the player.
#[derive(Copy, Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Facts {
    /// Number of legal moves.
    pub replies: usize,
    /// Whether the position after it is in the opening book, as all before it.
    pub book: bool,
    /// The expected score with the best move.
    pub best: f64,
    /// The expected score with the move played.
    pub played: f64,
    /// The expected score with the best of all other moves, if it was searched.
    pub other: Option<f64>,
    /// Whether it is the best move, scores as much, or mates.
    pub is_best: bool,
    /// What the opponent's last move gave away.
    pub gift: Option<Gift>,
    /// Whether it gives up material for good.
    pub sacrifice: bool,
    /// Whether shallow searches prefer other moves.
    pub surprising: bool,
    /// Whether anybody would play it: a recapture, a free capture, a queen promotion, or an escape
    /// from check with at most two replies.
    pub obvious: bool,
}

/// What the opponent's last move gave away.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Gift {
    /// Points lost by it.
    pub lost: f64,
    /// The player's expected score before it.
    pub before: f64,
}

impl Facts {
    /// Points lost by the move.
    pub fn loss(&self) -> f64 {
        (self.best - self.played).max(0.0)
    }
}

impl Default for Facts {
    /// An even position in which the best of many moves was played.
    fn default() -> Self {
        Self {
            replies: 30,
            book: false,
            best: 50.0,
            played: 50.0,
            other: None,
            is_best: true,
            gift: None,
            sacrifice: false,
            surprising: false,
            obvious: false,
        }
    }
}
