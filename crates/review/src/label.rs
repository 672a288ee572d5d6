//! What a move is called.

use crate::{Facts, Steps};

/// The label of a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// A sound sacrifice that is hard to see and clearly better than everything else.
    Brilliant,
    /// The only good move, and not an obvious one.
    Great,
    /// The engine's choice, or as good.
    Best,
    /// Costs next to nothing.
    Excellent,
    /// Costs little.
    Good,
    /// An opening move that people play.
    Book,
    /// The only legal move.
    Forced,
    /// A small mistake.
    Inaccuracy,
    /// A mistake.
    Mistake,
    /// The opponent's error was not used.
    Miss,
    /// A bad mistake.
    Blunder,
}

chess::names! {
    Label, schema "Label" "The label of a move in a review." {
        Brilliant = "brilliant",
        Great = "great",
        Best = "best",
        Excellent = "excellent",
        Good = "good",
        Book = "book",
        Forced = "forced",
        Inaccuracy = "inaccuracy",
        Mistake = "mistake",
        Miss = "miss",
        Blunder = "blunder",
    }
}

/// Labels of about the same weight: doubling the nodes shouldn't move a move from one to another.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Good or better.
    Fine,
    /// An inaccuracy.
    Inaccuracy,
    /// A mistake or a miss.
    Mistake,
    /// A blunder.
    Blunder,
}

impl Label {
    /// The group it belongs to.
    pub const fn group(self) -> Group {
        match self {
            Self::Inaccuracy => Group::Inaccuracy,
            Self::Mistake | Self::Miss => Group::Mistake,
            Self::Blunder => Group::Blunder,
            _ => Group::Fine,
        }
    }

    /// The sign of an annotator, if it has one: `!!`, `?!` and so on.
    pub const fn sign(self) -> Option<&'static str> {
        match self {
            Self::Brilliant => Some("!!"),
            Self::Great => Some("!"),
            Self::Inaccuracy => Some("?!"),
            Self::Mistake | Self::Miss => Some("?"),
            Self::Blunder => Some("??"),
            _ => None,
        }
    }

    /// Whether the move is criticised.
    pub fn is_marked(self) -> bool {
        self.group() != Group::Fine
    }
}

/// The label in mode `riga`. The first rule that holds counts; docs/review.md has them as a table.
pub(crate) fn label(facts: &Facts, steps: &Steps) -> Label {
    if facts.replies == 1 {
        Label::Forced
    } else if facts.book && facts.loss() < steps.inaccuracy {
        Label::Book
    } else if is_brilliant(facts) {
        Label::Brilliant
    } else if is_great(facts) {
        Label::Great
    } else if facts.is_best {
        Label::Best
    } else if is_miss(facts, steps) {
        Label::Miss
    } else {
        by_loss(facts, steps)
    }
}

/// A sacrifice that works, clearly better than all else and not already winning without it.
fn is_brilliant(facts: &Facts) -> bool {
    let Some(other) = facts.other else { return false };
    facts.loss() <= 0.5
        && facts.played >= 50.0
        && other <= 90.0
        && facts.played - other >= 10.0
        && facts.sacrifice
        && facts.surprising
}

/// The only move that holds what there is to hold.
fn is_great(facts: &Facts) -> bool {
    let Some(other) = facts.other else { return false };
    let gap = facts.played - other;
    let crosses = |line: f64| other < line && facts.played >= line;
    facts.is_best
        && !facts.obvious
        && other <= 90.0
        && facts.played >= 10.0
        && (gap >= 20.0 || gap >= 10.0 && (crosses(25.0) || crosses(75.0)))
}

/// The opponent has just made a present, and at least half of it is returned.
fn is_miss(facts: &Facts, steps: &Steps) -> bool {
    facts.gift.is_some_and(|gift| {
        gift.lost >= steps.mistake
            && facts.loss() >= steps.mistake
            && facts.loss() >= gift.lost / 2.0
            && facts.played >= gift.before - 5.0
    })
}

fn by_loss(facts: &Facts, steps: &Steps) -> Label {
    let ladder = [Label::Excellent, Label::Good, Label::Inaccuracy, Label::Mistake, Label::Blunder];
    let place = steps.all().iter().filter(|&&step| facts.loss() >= step).count();
    // Still winning: nothing much has happened. Lost anyway: there was nothing left to lose.
    let worst = if facts.best < 5.0 {
        1
    } else if facts.played >= 90.0 {
        2
    } else {
        4
    };
    ladder[place.min(worst)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Gift;

    /// The label with the usual steps.
    fn label(facts: &Facts) -> Label {
        super::label(facts, &Steps::default())
    }

    fn lost(loss: f64) -> Facts {
        Facts { best: 50.0, played: 50.0 - loss, is_best: false, ..Facts::default() }
    }

    #[test]
    fn each_step_belongs_to_the_worse_label() {
        let labels = [
            (1.99, Label::Excellent),
            (2.0, Label::Good),
            (4.99, Label::Good),
            (5.0, Label::Inaccuracy),
            (9.99, Label::Inaccuracy),
            (10.0, Label::Mistake),
            (19.99, Label::Mistake),
            (20.0, Label::Blunder),
        ];
        for (loss, expected) in labels {
            assert_eq!(label(&lost(loss)), expected, "{loss}");
        }
    }

    #[test]
    fn the_best_move_is_never_marked() {
        for loss in [0.0, 7.0, 30.0] {
            let facts = Facts { is_best: true, ..lost(loss) };
            assert_eq!(label(&facts), Label::Best);
        }
    }

    #[test]
    fn winning_and_lost_positions_are_judged_mildly() {
        let winning = Facts { best: 100.0, played: 91.0, ..lost(0.0) };
        assert_eq!(label(&winning), Label::Inaccuracy);
        let lost_anyway = Facts { best: 4.9, played: 0.0, ..lost(0.0) };
        assert_eq!(label(&lost_anyway), Label::Good);
    }

    #[test]
    fn a_miss_needs_a_gift_of_which_half_is_returned() {
        let gift = |lost, before| Some(Gift { lost, before });
        let missed = Facts { best: 80.0, played: 55.0, gift: gift(30.0, 50.0), ..lost(0.0) };
        assert_eq!(label(&missed), Label::Miss);
        let kept_most = Facts { played: 68.0, ..missed };
        assert_eq!(label(&kept_most), Label::Mistake);
        let worse_than_before = Facts { played: 44.0, ..missed };
        assert_eq!(label(&worse_than_before), Label::Blunder);
        let no_gift = Facts { gift: gift(9.0, 71.0), ..missed };
        assert_eq!(label(&no_gift), Label::Blunder);
    }

    #[test]
    fn great_is_the_only_move_and_not_an_obvious_one() {
        let only = Facts {
            best: 50.0,
            played: 50.0,
            other: Some(30.0),
            is_best: true,
            ..Facts::default()
        };
        assert_eq!(label(&only), Label::Great);
        assert_eq!(label(&Facts { obvious: true, ..only }), Label::Best);
        assert_eq!(label(&Facts { other: Some(31.0), ..only }), Label::Best);
        let saves = Facts { best: 30.0, played: 30.0, other: Some(20.0), ..only };
        assert_eq!(label(&saves), Label::Great);
        let wins = Facts { best: 99.0, played: 99.0, other: Some(91.0), ..only };
        assert_eq!(label(&wins), Label::Best);
    }

    #[test]
    fn brilliant_needs_a_sacrifice_that_is_hard_to_see() {
        let sacrifice = Facts {
            best: 70.0,
            played: 70.0,
            other: Some(60.0),
            is_best: true,
            sacrifice: true,
            surprising: true,
            ..Facts::default()
        };
        assert_eq!(label(&sacrifice), Label::Brilliant);
        assert_eq!(label(&Facts { surprising: false, ..sacrifice }), Label::Best);
        assert_eq!(label(&Facts { sacrifice: false, ..sacrifice }), Label::Best);
        assert_eq!(label(&Facts { other: Some(61.0), ..sacrifice }), Label::Best);
    }

    #[test]
    fn forced_and_book_come_first() {
        assert_eq!(label(&Facts { replies: 1, ..lost(30.0) }), Label::Forced);
        assert_eq!(label(&Facts { book: true, ..lost(4.9) }), Label::Book);
        assert_eq!(label(&Facts { book: true, ..lost(5.0) }), Label::Inaccuracy);
    }

    #[test]
    fn steps_can_be_others() {
        let strict: Steps = "1,2,3,4".parse().expect("they rise");
        assert_eq!(super::label(&lost(4.0), &strict), Label::Blunder);
        assert_eq!(super::label(&lost(0.9), &strict), Label::Excellent);
    }
}
