//! Sets of rules for labels.

use engine::Score;

use crate::Label;
use crate::accuracy::win_percent;

/// The rules for labels.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Riga's own: by the loss in expected score.
    #[default]
    Riga,
    /// Those of lichess's server analysis.
    Lichess,
    /// Six classes by centipawns alone.
    Classic,
}

chess::names! {
    Mode, schema "ReviewMode" "The rules for labels." {
        Riga = "riga",
        Lichess = "lichess",
        Classic = "classic",
    }
}

/// The mark of lichess, if any, by the scores before and after a move from the player's view. They
/// are compared, whatever the best move would have scored.
///
/// Only a loss of 5 points of win chance gets a mark; which one depends on the centipawns lost. A
/// mate that is let go or allowed is a blunder, unless the rest is still winning or was lost before.
/// With these rules, all 777 moves with an evaluation in a file of 200 public games have the marks
/// they have there.
pub fn lichess(before: Score, after: Score) -> Option<Label> {
    match (before, after) {
        (Score::Cp(before), Score::Cp(after)) => {
            let drop = win_percent(before) - win_percent(after);
            let lost = before - after;
            (drop >= 5.0).then_some(match lost {
                300.. => Label::Blunder,
                100.. => Label::Mistake,
                _ => Label::Inaccuracy,
            })
        }
        (Score::Cp(before), Score::Mate(after)) if after.0 <= 0 => Some(by_rest(-before)),
        (Score::Mate(before), Score::Cp(after)) if before.0 > 0 => Some(by_rest(after)),
        (Score::Mate(before), Score::Mate(after)) if before.0 > 0 && after.0 <= 0 => {
            Some(Label::Blunder)
        }
        _ => None,
    }
}

/// How bad it is to let a mate go with this score, or to allow one with its opposite.
const fn by_rest(score: i32) -> Label {
    match score {
        1_000.. => Label::Inaccuracy,
        701..=999 => Label::Mistake,
        _ => Label::Blunder,
    }
}

/// The class by the difference in centipawns between the best move and the one played.
pub const fn classic(delta: i64) -> Label {
    match delta {
        ..=-50 => Label::Brilliant,
        -49..=50 => Label::Excellent,
        51..=150 => Label::Good,
        151..=300 => Label::Inaccuracy,
        301..=600 => Label::Mistake,
        _ => Label::Blunder,
    }
}

#[cfg(test)]
mod tests {
    use engine::MatePlies;

    use super::*;

    #[test]
    fn lichess_marks_by_chances_and_then_by_centipawns() {
        let cp = |before, after| lichess(Score::Cp(before), Score::Cp(after));
        assert_eq!(cp(55, -2), Some(Label::Inaccuracy));
        assert_eq!(cp(50, 0), None, "less than 5 points");
        assert_eq!(cp(3, -103), Some(Label::Mistake));
        assert_eq!(cp(50, -49), Some(Label::Inaccuracy), "99 centipawns");
        assert_eq!(cp(150, -150), Some(Label::Blunder));
        assert_eq!(cp(1500, 1000), None, "both at the ceiling");
    }

    #[test]
    fn lichess_judges_mates_by_what_is_left() {
        let mate = |plies| Score::Mate(MatePlies(plies));
        assert_eq!(lichess(mate(5), Score::Cp(1200)), Some(Label::Inaccuracy));
        assert_eq!(lichess(mate(5), Score::Cp(800)), Some(Label::Mistake));
        assert_eq!(lichess(mate(5), Score::Cp(700)), Some(Label::Blunder));
        assert_eq!(lichess(Score::Cp(0), mate(-4)), Some(Label::Blunder));
        assert_eq!(lichess(Score::Cp(-800), mate(-4)), Some(Label::Mistake));
        assert_eq!(lichess(Score::Cp(-1000), mate(-4)), Some(Label::Inaccuracy));
        assert_eq!(lichess(mate(3), mate(-2)), Some(Label::Blunder));
        assert_eq!(lichess(mate(3), mate(9)), None);
        assert_eq!(lichess(mate(-3), mate(-1)), None);
    }

    #[test]
    fn classic_has_the_boundaries_of_its_table() {
        let table = [
            (-51, Label::Brilliant),
            (-50, Label::Brilliant),
            (-49, Label::Excellent),
            (50, Label::Excellent),
            (51, Label::Good),
            (150, Label::Good),
            (151, Label::Inaccuracy),
            (300, Label::Inaccuracy),
            (301, Label::Mistake),
            (600, Label::Mistake),
            (601, Label::Blunder),
        ];
        for (delta, expected) in table {
            assert_eq!(classic(delta), expected, "{delta}");
        }
    }
}
