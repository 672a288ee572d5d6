//! The languages of reviews.

use crate::Label;

/// A language.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// German.
    German,
}

chess::names! {
    Language, schema "Language" "The language of a text." { English = "en", German = "de" }
}

/// The word for a label.
pub const fn label(label: Label, language: Language) -> &'static str {
    match language {
        Language::English => match label {
            Label::Brilliant => "Brilliant",
            Label::Great => "Great",
            Label::Best => "Best",
            Label::Excellent => "Excellent",
            Label::Good => "Good",
            Label::Book => "Book",
            Label::Forced => "Forced",
            Label::Inaccuracy => "Inaccuracy",
            Label::Mistake => "Mistake",
            Label::Miss => "Miss",
            Label::Blunder => "Blunder",
        },
        Language::German => match label {
            Label::Brilliant => "Brillant",
            Label::Great => "Großartig",
            Label::Best => "Bester Zug",
            Label::Excellent => "Ausgezeichnet",
            Label::Good => "Gut",
            Label::Book => "Theorie",
            Label::Forced => "Erzwungen",
            Label::Inaccuracy => "Ungenauigkeit",
            Label::Mistake => "Fehler",
            Label::Miss => "Verpasste Chance",
            Label::Blunder => "Grober Fehler",
        },
    }
}
