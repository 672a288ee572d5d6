//! The fixed words of reports, in each language. Sentences about moves are in [`crate::words`].

use chess::Color;

use crate::words::Language;

/// The fixed words of a language.
#[derive(Debug)]
pub(super) struct Terms {
    /// The code for `lang` attributes.
    pub code: &'static str,
    pub title: &'static str,
    pub sides: [&'static str; 2],
    /// Opening, middlegame, endgame.
    pub phases: [&'static str; 3],
    pub expected_score: &'static str,
    pub accuracy: &'static str,
    pub weighted_mean: &'static str,
    pub harmonic_mean: &'static str,
    pub arithmetic_head: &'static str,
    pub arithmetic: &'static str,
    pub centipawn_loss: &'static str,
    pub time_per_move: &'static str,
    pub moves: &'static str,
    pub move_: &'static str,
    pub label: &'static str,
    pub score: &'static str,
    pub lost: &'static str,
    pub points: &'static str,
    pub best: &'static str,
    pub better: &'static str,
    pub proof: &'static str,
    pub close_call: &'static str,
    pub nodes_per_position: &'static str,
    pub by_time: &'static str,
    pub rules: &'static str,
    pub steps: &'static str,
    pub no_moves: &'static str,
    pub decimal_mark: char,
    thousands: char,
}

const ENGLISH: Terms = Terms {
    code: "en",
    title: "Game review",
    sides: ["White", "Black"],
    phases: ["opening", "middlegame", "endgame"],
    expected_score: "White's expected score",
    accuracy: "Accuracy",
    weighted_mean: "weighted mean",
    harmonic_mean: "harmonic mean",
    arithmetic_head: "How accuracy is computed",
    arithmetic: "A move that costs d points has the accuracy 103.17 exp(-0.0435 d) - 2.17, at most \
                 100. The total is the average of two means: in the weighted one, moves count more \
                 while the expected score swings; in the harmonic one, a single bad move counts \
                 more than many good ones.",
    centipawn_loss: "Average centipawn loss",
    time_per_move: "Seconds per move",
    moves: "Moves",
    move_: "Move",
    label: "Label",
    score: "Score",
    lost: "Lost",
    points: "points",
    best: "Best",
    better: "Better",
    proof: "Line",
    close_call: "close call",
    nodes_per_position: "nodes per position",
    by_time: "searched by time",
    rules: "rules",
    steps: "steps between labels",
    no_moves: "No moves.",
    decimal_mark: '.',
    thousands: ',',
};

const GERMAN: Terms = Terms {
    code: "de",
    title: "Partieanalyse",
    sides: ["Weiß", "Schwarz"],
    phases: ["Eröffnung", "Mittelspiel", "Endspiel"],
    expected_score: "Erwartete Punkte für Weiß",
    accuracy: "Genauigkeit",
    weighted_mean: "gewichtetes Mittel",
    harmonic_mean: "harmonisches Mittel",
    arithmetic_head: "So wird die Genauigkeit berechnet",
    arithmetic: "Ein Zug, der d Punkte kostet, hat die Genauigkeit 103,17 exp(-0,0435 d) - 2,17, \
                 höchstens 100. Der Gesamtwert ist der Durchschnitt zweier Mittel: Im gewichteten \
                 zählen Züge mehr, solange die erwarteten Punkte schwanken; im harmonischen zählt \
                 ein einzelner schlechter Zug mehr als viele gute.",
    centipawn_loss: "Mittlerer Verlust (Zentibauern)",
    time_per_move: "Sekunden pro Zug",
    moves: "Züge",
    move_: "Zug",
    label: "Bewertung",
    score: "Stellung",
    lost: "Verlust",
    points: "Punkte",
    best: "Bester",
    better: "Besser",
    proof: "Variante",
    close_call: "knapp",
    nodes_per_position: "Knoten pro Stellung",
    by_time: "nach Zeit gesucht",
    rules: "Regeln",
    steps: "Stufen der Bewertungen",
    no_moves: "Keine Züge.",
    decimal_mark: ',',
    thousands: '.',
};

impl Terms {
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::German => &GERMAN,
        }
    }

    pub(super) const fn side(&self, color: Color) -> &'static str {
        self.sides[color.index()]
    }

    /// A number with one decimal.
    pub(super) fn decimal(&self, number: f64) -> String {
        format!("{number:.1}").replace('.', &self.decimal_mark.to_string())
    }

    /// A whole number with separators.
    pub(super) fn whole(&self, number: u64) -> String {
        let digits = number.to_string();
        let mut text = String::with_capacity(digits.len() * 4 / 3);
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                text.push(self.thousands);
            }
            text.push(digit);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_language() {
        let (english, german) = (Terms::of(Language::English), Terms::of(Language::German));
        assert_eq!(
            (english.decimal(87.3), english.whole(100_000)),
            ("87.3".into(), "100,000".into())
        );
        assert_eq!(
            (german.decimal(-0.5), german.whole(1_234_567)),
            ("-0,5".into(), "1.234.567".into())
        );
        assert_eq!(english.whole(999), "999");
    }
}
