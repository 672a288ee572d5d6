//! Why a position is not in the tables.

/// Why the tables don't cover a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotInTables {
    /// There are too many pieces.
    #[error("{men} pieces on the board, but the tablebases have at most {most}")]
    TooManyMen {
        /// Pieces on the board.
        men: u32,
        /// The largest number of pieces in a table.
        most: u32,
    },
    /// The position has castling rights.
    #[error("tablebases don't cover positions with castling rights")]
    Castling,
    /// The game is over, so there is no move to rank.
    #[error("the game is over: there is no legal move")]
    NoLegalMove,
    /// A table is missing.
    #[error("{0}")]
    Missing(String),
    /// A table is damaged.
    #[error("{0}")]
    Damaged(String),
}
