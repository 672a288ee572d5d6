//! How labels are marked: their colors, and which moves are worth mentioning.

use super::terms::Terms;
use crate::words::{self, Language};
use crate::{Label, MoveReport};

/// The color of a label.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Tint {
    /// For a page.
    pub page: &'static str,
    /// The nearest of the 256 colors of a terminal.
    pub terminal: u8,
}

/// The color of a label; none for those that need no attention.
pub(super) const fn tint(label: Label) -> Option<Tint> {
    let (page, terminal) = match label {
        Label::Brilliant => ("#1baaa6", 37),
        Label::Great => ("#5b8baf", 67),
        Label::Best => ("#22ac38", 34),
        Label::Book => ("#a88764", 137),
        Label::Inaccuracy => ("#56b4e9", 74),
        Label::Mistake | Label::Miss => ("#e69f00", 172),
        Label::Blunder => ("#df5353", 167),
        Label::Excellent | Label::Good | Label::Forced => return None,
    };
    Some(Tint { page, terminal })
}

/// Whether a move is worth mentioning: it has a sign, or there is something to explain.
pub(super) fn is_notable(one: &MoveReport) -> bool {
    one.label.sign().is_some() || !one.claims.is_empty()
}

/// The word for a move's label, and whether it nearly got another one.
pub(super) fn called(one: &MoveReport, language: Language) -> String {
    let label = words::label(one.label, language);
    if one.close_call {
        format!("{label} ({})", Terms::of(language).close_call)
    } else {
        label.to_owned()
    }
}

/// How much a label stands out where there is room for one only.
pub(super) const fn weight(label: Label) -> u8 {
    match label {
        Label::Blunder => 6,
        Label::Mistake => 5,
        Label::Miss => 4,
        Label::Brilliant => 3,
        Label::Great => 2,
        Label::Inaccuracy => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_has_a_color_and_a_weight() {
        for label in Label::ALL {
            assert_eq!(label.sign().is_some(), weight(label) > 0, "{label}");
            assert!(label.sign().is_none() || tint(label).is_some(), "{label}");
        }
    }
}
