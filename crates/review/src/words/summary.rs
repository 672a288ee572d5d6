//! The paragraph about a game: the opening, who stood better when, what decided it, and one thing
//! for each side to work on.

use chess::Color;
use game::GameResult;

use super::spoken::san;
use super::{Language, Numbering, english, german};
use crate::report::{GameReport, Motif, MoveReport};

/// A paragraph about the game.
pub fn summary(report: &GameReport, language: Language) -> String {
    let sentences = [
        Some(opening(report, language)),
        course(report, language),
        turn(report, language),
        Some(result(report, language)),
        Some(lessons(report, language)),
    ];
    sentences.into_iter().flatten().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

fn side(color: Color, language: Language) -> &'static str {
    match (language, color) {
        (Language::English, Color::White) => "White",
        (Language::English, Color::Black) => "Black",
        (Language::German, Color::White) => "Weiß",
        (Language::German, Color::Black) => "Schwarz",
    }
}

fn opening(report: &GameReport, language: Language) -> String {
    let Some(opening) = &report.opening else { return String::new() };
    let moves = opening.book.div_ceil(2);
    match language {
        _ if moves == 0 => format!("{}.", opening.name),
        Language::English => format!("{}, in the book until move {moves}.", opening.name),
        Language::German => format!("{}, Theorie bis Zug {moves}.", opening.name),
    }
}

/// White's expected score after a move.
fn white(one: &MoveReport) -> f64 {
    match one.side {
        Color::White => one.played_points,
        Color::Black => 100.0 - one.played_points,
    }
}

/// Who stood better for most of the game.
fn course(report: &GameReport, language: Language) -> Option<String> {
    let moves = report.moves.len();
    if moves < 10 {
        return None;
    }
    let share = |test: &dyn Fn(f64) -> bool| {
        report.moves.iter().filter(|one| test(white(one))).count() as f64 / moves as f64
    };
    let better = [share(&|points| points >= 60.0), share(&|points| points <= 40.0)];
    let leader = Color::ALL.into_iter().find(|color| better[color.index()] >= 0.5);
    Some(match (language, leader) {
        (Language::English, Some(color)) => {
            format!("{} stood better for most of the game.", side(color, language))
        }
        (Language::German, Some(color)) => {
            format!("{} stand die meiste Zeit besser.", side(color, language))
        }
        (Language::English, None) if better[0] + better[1] < 0.3 => {
            "It was level for a long time.".to_owned()
        }
        (Language::German, None) if better[0] + better[1] < 0.3 => {
            "Lange war es ausgeglichen.".to_owned()
        }
        (Language::English, None) => "The advantage changed hands.".to_owned(),
        (Language::German, None) => "Der Vorteil wechselte die Seiten.".to_owned(),
    })
}

/// The costliest turning point.
fn turn(report: &GameReport, language: Language) -> Option<String> {
    let lost =
        |ply: usize| report.moves.get(ply).map_or(0.0, |one| one.best_points - one.played_points);
    let &ply = report.turning_points.iter().max_by(|&&a, &&b| lost(a).total_cmp(&lost(b)))?;
    let one = report.moves.get(ply)?;
    let text = Numbering::of_report(report).numbered(ply, &san(&one.played.san, language));
    let (before, after) = (one.best_points.round(), one.played_points.round());
    Some(match language {
        Language::English => format!(
            "The turning point was {text}: {}'s expected score fell from {before} to {after} points.",
            side(one.side, language)
        ),
        Language::German => format!(
            "Der Wendepunkt war {text}: Die Erwartung von {} fiel von {before} auf {after} Punkte.",
            side(one.side, language)
        ),
    })
}

fn result(report: &GameReport, language: Language) -> String {
    match (language, report.result) {
        (Language::English, GameResult::WhiteWins) => "White won.",
        (Language::English, GameResult::BlackWins) => "Black won.",
        (Language::English, GameResult::Draw) => "It ended in a draw.",
        (Language::German, GameResult::WhiteWins) => "Weiß gewann.",
        (Language::German, GameResult::BlackWins) => "Schwarz gewann.",
        (Language::German, GameResult::Draw) => "Es endete remis.",
        (_, GameResult::Unknown) => "",
    }
    .to_owned()
}

/// One thing for each side to work on.
fn lessons(report: &GameReport, language: Language) -> String {
    let own = Color::ALL.map(|color| (color, lesson(report, color, language)));
    if let [(_, Some(white)), (_, Some(black))] = own
        && white == black
    {
        return match language {
            Language::English => format!("For both sides to work on: {white}."),
            Language::German => format!("Für beide Seiten zum Üben: {white}."),
        };
    }
    let sentences = own.into_iter().filter_map(|(color, lesson)| {
        let (side, lesson) = (side(color, language), lesson?);
        Some(match language {
            Language::English => format!("For {side} to work on: {lesson}."),
            Language::German => format!("Für {side} zum Üben: {lesson}."),
        })
    });
    sentences.collect::<Vec<_>>().join(" ")
}

/// What a side's claims were most often about, weighted by what the moves cost.
fn lesson(report: &GameReport, color: Color, language: Language) -> Option<&'static str> {
    let words = |motif: Motif| match language {
        Language::English => english::lesson(motif),
        Language::German => german::lesson(motif),
    };
    let mut costs: Vec<(&'static str, f64)> = Vec::new();
    for one in report.moves.iter().filter(|one| one.side == color && one.label.is_marked()) {
        let Some(claim) = one.claims.first() else { continue };
        let cost = one.best_points - one.played_points;
        let lesson = words(claim.motif);
        match costs.iter_mut().find(|(known, _)| *known == lesson) {
            Some((_, sum)) => *sum += cost,
            None => costs.push((lesson, cost)),
        }
    }
    costs.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(lesson, _)| lesson)
}
