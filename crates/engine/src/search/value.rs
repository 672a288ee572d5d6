//! Scores inside the search: one integer with room for mates and tablebase wins.

use crate::eval::LIMIT;
use crate::{MatePlies, Score};

/// A score for the side to move. Centipawns, or beyond [`TABLEBASE_BOUND`] a known win.
pub(crate) type Value = i32;

/// The longest line of the search.
pub(crate) const MAX_PLY: usize = 240;

pub(crate) const DRAW: Value = 0;
/// Mate on the board, for the mating side.
pub(crate) const MATE: Value = 32_000;
/// More than any score.
pub(crate) const INFINITE: Value = 32_001;
/// No score is known.
pub(crate) const NONE: Value = 32_002;
/// Every score from here on is a forced mate.
pub(crate) const MATE_BOUND: Value = MATE - MAX_PLY as Value;
/// A win by tablebases at the root.
pub(crate) const TABLEBASE_WIN: Value = MATE_BOUND - 100;
/// Every score from here on is a known win; evaluations stay below.
pub(crate) const TABLEBASE_BOUND: Value = TABLEBASE_WIN - MAX_PLY as Value;

/// The score of the side that mates at this ply of the search.
pub(crate) const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// The score of the side that is mated at this ply of the search.
pub(crate) const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// Whether either side wins by force.
pub(crate) const fn is_decisive(value: Value) -> bool {
    value.abs() >= TABLEBASE_BOUND
}

/// Whether the side to move loses by force.
pub(crate) const fn is_lost(value: Value) -> bool {
    value <= -TABLEBASE_BOUND
}

/// Clamps an evaluation below the known wins.
pub(crate) fn as_evaluation(value: Value) -> Value {
    value.clamp(-LIMIT, LIMIT)
}

/// Fail-high blending: a value at or beyond beta is moved towards it. How far a cutoff is beyond
/// beta is a guess, especially at low depth. `weight` is that of the value, beta has 1.
pub(crate) const fn blended(value: Value, beta: Value, weight: i32) -> Value {
    if is_decisive(value) || is_decisive(beta) {
        value
    } else {
        (value * weight + beta) / (weight + 1)
    }
}

/// Known wins are counted from the root in the search, but from the position in the table, where
/// they are valid for any path to it.
pub(crate) const fn to_table(value: Value, ply: usize) -> Value {
    if value >= TABLEBASE_BOUND {
        value + ply as Value
    } else if value <= -TABLEBASE_BOUND {
        value - ply as Value
    } else {
        value
    }
}

/// The reverse of [`to_table`]. A win that comes too late for the fifty-move rule is only a very
/// good evaluation.
pub(crate) fn from_table(value: Value, ply: usize, halfmoves: u16) -> Value {
    let left = 100 - i32::from(halfmoves.min(100));
    if value >= TABLEBASE_BOUND {
        let late = value >= MATE_BOUND && MATE - value > left;
        if late { LIMIT } else { value - ply as Value }
    } else if value <= -TABLEBASE_BOUND {
        let late = value <= -MATE_BOUND && MATE + value > left;
        if late { -LIMIT } else { value + ply as Value }
    } else {
        value
    }
}

/// Converts to the user-facing form.
pub(crate) const fn to_score(value: Value) -> Score {
    if value >= MATE_BOUND {
        Score::Mate(MatePlies(MATE - value))
    } else if value <= -MATE_BOUND {
        Score::Mate(MatePlies(-(MATE + value)))
    } else if value >= TABLEBASE_BOUND {
        Score::Cp(20_000 - (TABLEBASE_WIN - value))
    } else if value <= -TABLEBASE_BOUND {
        Score::Cp(-20_000 + (TABLEBASE_WIN + value))
    } else {
        Score::Cp(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_the_same_number_of_plies_away_from_any_path() {
        let value = mate_in(7);
        let stored = to_table(value, 4);
        assert_eq!(stored, mate_in(3));
        assert_eq!(from_table(stored, 10, 0), mate_in(13));
        assert_eq!(from_table(-stored, 10, 0), mated_in(13));
    }

    #[test]
    fn a_mate_after_the_fiftieth_move_is_not_trusted() {
        let stored = mate_in(9);
        assert!(!is_decisive(from_table(stored, 2, 95)));
        assert!(!is_decisive(from_table(-stored, 2, 95)));
        assert!(is_decisive(from_table(stored, 2, 90)));
    }

    #[test]
    fn scores_read_as_people_expect() {
        assert_eq!(to_score(mate_in(1)), Score::Mate(MatePlies(1)));
        assert_eq!(to_score(mated_in(0)), Score::Mate(MatePlies(0)));
        assert_eq!(to_score(mated_in(4)), Score::Mate(MatePlies(-4)));
        assert_eq!(to_score(-35), Score::Cp(-35));
        assert_eq!(to_score(TABLEBASE_WIN - 3), Score::Cp(19_997));
        assert_eq!(to_score(3 - TABLEBASE_WIN), Score::Cp(-19_997));
    }
}
