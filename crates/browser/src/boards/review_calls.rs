//! Reviews for people: in words, with the arithmetic of the accuracy, and as files.

use chess::Color;
use game::Game;
use review::render::{Page, annotate};
use review::words::{self, Language};
use review::{GameReport, Label, Mode, accuracy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::core::Core;
use super::questions::Pgn;
use crate::Trouble;
use crate::ask::first_game;

/// A review to put into words.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TellReview {
    /// The review.
    pub report: GameReport,
    /// The language.
    pub language: Language,
}

/// A review in words.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ToldReview {
    /// A paragraph about the game.
    pub summary: String,
    /// The words for all labels.
    pub labels: Vec<LabelName>,
    /// What there is to say about each move.
    pub moves: Vec<ToldMove>,
    /// How White's accuracy is computed, unless a side hasn't moved.
    pub white: Option<AccuracySum>,
    /// How Black's accuracy is computed.
    pub black: Option<AccuracySum>,
}

/// The word for a label.
#[derive(Copy, Clone, Debug, Serialize, ToSchema)]
pub struct LabelName {
    /// The label.
    pub label: Label,
    /// Its name.
    #[schema(value_type = String)]
    pub name: &'static str,
}

/// What there is to say about a move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ToldMove {
    /// A sentence for each claim; empty if it can't be put into words.
    pub claims: Vec<String>,
    /// How much the move counts in the weighted mean of its side.
    pub weight: Option<f64>,
}

/// How an accuracy is computed: the mean of two means.
#[derive(Copy, Clone, Debug, Serialize, ToSchema)]
pub struct AccuracySum {
    /// The mean in which moves count by their weight.
    pub weighted: f64,
    /// The harmonic mean.
    pub harmonic: f64,
}

/// A game and its review.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewOf {
    /// The game.
    pub pgn: String,
    /// The review.
    pub report: GameReport,
    /// The language.
    pub language: Language,
}

/// A game and its review, to be shown on a page.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewPage {
    /// The game.
    pub pgn: String,
    /// The review.
    pub report: GameReport,
    /// The language.
    pub language: Language,
    /// The side that comes first, and plays from below.
    pub side: Color,
}

/// A web page.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Html {
    /// The page.
    pub html: String,
}

#[expect(clippy::needless_pass_by_value, reason = "a call owns its question")]
#[expect(clippy::unnecessary_wraps, reason = "every call may fail")]
#[expect(clippy::unused_self, reason = "every call is a method")]
impl Core {
    pub(super) fn tell_review(&mut self, question: TellReview) -> Result<ToldReview, Trouble> {
        let TellReview { report, language } = question;
        let weights = weights(&report);
        let told = |(ply, one): (usize, &review::MoveReport)| ToldMove {
            claims: one
                .claims
                .iter()
                .map(|claim| words::sentence(&report, ply, claim, language).unwrap_or_default())
                .collect(),
            weight: weights.get(ply).copied(),
        };
        Ok(ToldReview {
            summary: words::summary(&report, language),
            labels: Label::ALL
                .iter()
                .map(|&label| LabelName { label, name: words::label(label, language) })
                .collect(),
            moves: report.moves.iter().enumerate().map(told).collect(),
            white: sum(&report, &weights, Color::White),
            black: sum(&report, &weights, Color::Black),
        })
    }

    pub(super) fn annotate_review(&mut self, question: ReviewOf) -> Result<Pgn, Trouble> {
        let mut game = reviewed(&question.pgn, &question.report)?;
        annotate(&mut game, &question.report, question.language);
        Ok(Pgn { pgn: game.to_string() })
    }

    pub(super) fn review_page(&mut self, question: ReviewPage) -> Result<Html, Trouble> {
        let game = reviewed(&question.pgn, &question.report)?;
        let in_memory = |error: std::io::Error| Trouble::new(error.to_string());
        let mut page = Page::begin(Vec::new(), question.language).map_err(in_memory)?;
        page.add(&game, &question.report, question.side).map_err(in_memory)?;
        let page = page.end().map_err(in_memory)?;
        Ok(Html { html: String::from_utf8_lossy(&page).into_owned() })
    }
}

/// The game of a report; any other is refused.
fn reviewed(pgn: &str, report: &GameReport) -> Result<Game, Trouble> {
    let game = first_game(pgn)?;
    report.check(&game).map_err(|error| Trouble::new(error.to_string()))?;
    Ok(game)
}

/// The weight of each move; none in a mode whose chances aren't in the report.
fn weights(report: &GameReport) -> Vec<f64> {
    let Some(first) = report.moves.first().filter(|_| report.mode != Mode::Lichess) else {
        return Vec::new();
    };
    let white = |points: f64, side: Color| match side {
        Color::White => points,
        Color::Black => 100.0 - points,
    };
    let start = white(first.best_points, first.side);
    let after = report.moves.iter().map(|one| white(one.played_points, one.side));
    accuracy::weights(&std::iter::once(start).chain(after).collect::<Vec<_>>())
}

/// How the accuracy of a side follows from its moves.
fn sum(report: &GameReport, weights: &[f64], side: Color) -> Option<AccuracySum> {
    report.side(side).accuracy?;
    let own = report.moves.iter().zip(weights).filter(|(one, _)| one.side == side);
    let own: Vec<(f64, f64)> = own.map(|(one, &weight)| (one.accuracy, weight)).collect();
    let harmonic = accuracy::harmonic(own.iter().map(|&(accuracy, _)| accuracy))?;
    let total: f64 = own.iter().map(|(_, weight)| weight).sum();
    let weighted: f64 = own.iter().map(|(accuracy, weight)| accuracy * weight).sum();
    Some(AccuracySum { weighted: weighted / total, harmonic })
}

#[cfg(all(test, feature = "engine"))]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;
    use crate::{Searcher, World};

    const GAME: &str = "[White \"Ann\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";

    /// The review of the game by the module `engine`.
    fn report() -> Value {
        let world = World { now: || Duration::ZERO, stopped: || false, report: |_| {} };
        let net = include_bytes!("../../../../nets/riga.net");
        let mut searcher = Searcher::new(net, world, 1).expect("the project's network");
        let ask = json!({ "pgn": GAME, "nodes": 2_000 });
        let answer = searcher.call("review", ask.to_string().as_bytes()).expect("an answer");
        let mut answer: Value = serde_json::from_slice(&answer).expect("JSON");
        answer["report"].take()
    }

    fn call(name: &str, question: &Value) -> Result<Value, Trouble> {
        let answer = Core::default().call(name, question.to_string().as_bytes())?;
        Ok(serde_json::from_slice(&answer).expect("JSON"))
    }

    #[test]
    fn a_review_is_told_in_both_languages() {
        let report = report();
        for (language, label, words) in [("en", "Blunder", "mate"), ("de", "Grober Fehler", "matt")]
        {
            let question = json!({ "report": report, "language": language });
            let told = call("tell_review", &question).expect("words");
            let labels = told["labels"].as_array().expect("a list");
            assert!(labels.iter().any(|one| one["name"] == label), "{labels:?}");
            let said = told["moves"][5]["claims"][0].as_str().expect("a sentence");
            assert!(said.to_lowercase().contains(words), "{said}");
            assert!(told["summary"].as_str().is_some_and(|text| text.len() > 20), "{told}");
        }
    }

    #[test]
    fn the_means_add_up_to_the_accuracy() {
        let report = report();
        let told = call("tell_review", &json!({ "report": report, "language": "en" }));
        let told = told.expect("words");
        for side in ["white", "black"] {
            let mean = |name: &str| told[side][name].as_f64().expect("a number");
            let total = report[side]["accuracy"].as_f64().expect("a number");
            let sum = f64::midpoint(mean("weighted"), mean("harmonic"));
            assert!((sum - total).abs() < 0.1, "{side}: {sum}, not {total}");
        }
        assert!(told["moves"][5]["weight"].as_f64().is_some_and(|weight| weight >= 0.5));
    }

    #[test]
    fn a_review_is_written_as_pgn_and_as_a_page() {
        let mut question = json!({ "pgn": GAME, "report": report(), "language": "en" });
        let pgn = call("annotate_review", &question).expect("a game");
        let pgn = pgn["pgn"].as_str().expect("text");
        assert!(pgn.contains("[White \"Ann\"]") && pgn.contains("Blunder."), "{pgn}");
        question["side"] = "black".into();
        let page = call("review_page", &question).expect("a page");
        assert!(page["html"].as_str().is_some_and(|text| text.contains("Ann")), "{page}");
        question["pgn"] = "1. d4 *".into();
        assert!(call("review_page", &question).is_err(), "a report of another game");
    }
}
