//! The figures of both sides as a table: accuracy, centipawns, labels, time.

use std::fmt::Write;

use chess::Color;
use game::Game;

use super::heading::player;
use super::terms::Terms;
use super::wrap::cut;
use crate::words::{self, Language};
use crate::{GameReport, Label};

/// A line of the table: what it is about, and a value for each side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Figure {
    /// What it is about.
    pub name: String,
    /// Whether it belongs to the line above that isn't.
    pub is_part: bool,
    /// The label it counts, if any.
    pub label: Option<Label>,
    /// The values, White's first; a dash if there is none.
    pub values: [String; 2],
}

/// All figures that at least one side has.
pub(super) fn figures(report: &GameReport, language: Language) -> Vec<Figure> {
    let terms = Terms::of(language);
    let mut all = Vec::new();
    let mut add = |name: &str, is_part: bool, value: &dyn Fn(Color) -> Option<f64>| {
        let values = Color::ALL.map(value);
        if values.iter().any(Option::is_some) {
            let values = values.map(|value| value.map_or("-".to_owned(), |v| terms.decimal(v)));
            all.push(Figure { name: name.to_owned(), is_part, label: None, values });
        }
    };
    add(terms.accuracy, false, &|color| report.side(color).accuracy);
    for (i, phase) in terms.phases.iter().enumerate() {
        add(phase, true, &|color| report.side(color).phases[i]);
    }
    add(terms.centipawn_loss, false, &|color| report.side(color).centipawn_loss);
    add(terms.time_per_move, false, &|color| mean_time(report, color));
    for (i, phase) in terms.phases.iter().enumerate() {
        add(phase, true, &|color| report.side(color).time[i].map(seconds));
    }
    for (i, label) in Label::ALL.into_iter().enumerate() {
        let values = Color::ALL.map(|color| report.side(color).labels[i]);
        if values != [0, 0] {
            all.push(Figure {
                name: words::label(label, language).to_owned(),
                is_part: false,
                label: Some(label),
                values: values.map(|value| value.to_string()),
            });
        }
    }
    all
}

/// The figures as text, with the columns of the sides in this order.
pub(super) fn table(
    game: &Game,
    report: &GameReport,
    language: Language,
    first: Color,
    width: usize,
) -> String {
    let figures = figures(report, language);
    let indent = |figure: &Figure| if figure.is_part { 2 } else { 0 };
    let lens = figures.iter().map(|figure| figure.name.chars().count() + indent(figure));
    let names = lens.max().unwrap_or(0);
    let column = width.saturating_sub(names + 4).max(20) / 2;
    let order = [first, !first];
    let heads = order.map(|color| cut(&player(game, color, Terms::of(language)), column));
    let [one, other] = heads.each_ref().map(|head| head.chars().count().max(6));
    let mut out = format!("{:names$}  {:>one$}  {:>other$}\n", "", heads[0], heads[1]);
    for figure in &figures {
        let name = format!("{}{}", " ".repeat(indent(figure)), figure.name);
        let [a, b] = order.map(|color| &figure.values[color.index()]);
        let _ = writeln!(out, "{name:names$}  {a:>one$}  {b:>other$}");
    }
    out
}

fn seconds(millis: u64) -> f64 {
    millis as f64 / 1000.0
}

/// Seconds per move over the whole game, if the clocks are known.
fn mean_time(report: &GameReport, color: Color) -> Option<f64> {
    let own = report.moves.iter().filter(|one| one.side == color);
    let spent: Vec<u64> = own.filter_map(|one| one.clock?.spent).collect();
    let total: f64 = spent.iter().copied().map(seconds).sum();
    (!spent.is_empty()).then(|| total / spent.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clocked;
    use crate::render::testing;

    #[test]
    fn only_what_is_known_is_shown() {
        let (game, mut report) = testing::sample();
        let text = table(&game, &report, Language::English, Color::White, 80);
        assert!(text.contains("Accuracy") && text.contains("Blunder"), "{text}");
        assert!(!text.contains("Seconds per move") && !text.contains("Brilliant"), "{text}");
        for (one, spent) in report.moves.iter_mut().zip([1500, 2500, 500]) {
            one.clock = Some(Clocked { spent: Some(spent), left: None });
        }
        let figures = figures(&report, Language::English);
        let time = figures.iter().find(|figure| figure.name == "Seconds per move");
        assert_eq!(time.map(|time| time.values.clone()), Some(["1.0".into(), "2.5".into()]));
    }

    #[test]
    fn the_chosen_side_comes_first() {
        let (mut game, report) = testing::sample();
        game.tags.set("White", "Anderssen");
        game.tags.set("Black", "Kieseritzky");
        let heads = |first| {
            let text = table(&game, &report, Language::English, first, 80);
            text.lines().next().map(|line| line.trim().to_owned())
        };
        assert_eq!(heads(Color::White).as_deref(), Some("Anderssen  Kieseritzky"));
        assert_eq!(heads(Color::Black).as_deref(), Some("Kieseritzky  Anderssen"));
    }
}
