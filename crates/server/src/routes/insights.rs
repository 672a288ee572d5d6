//! What the reviews of one's own games have in common.

use std::sync::Arc;

use axum::extract::State;
use review::{Motif, Phase, Whose};
use store::{
    GameAccuracy, MistakeKind, MoveAccuracy, PuzzleCount, TIME_LEFT, TIME_SPENT, Timestamp,
};
use wire::{AccuracyPoint, AccuracyRow, MistakeAt, MistakeRow, ReviewStatistics, WorkOn};

use crate::app::App;
use crate::extract::Json;
use crate::openapi::Problems;
use crate::problem::Result;
use crate::visitor::Visitor;

/// The most games, openings and kinds of mistakes.
const MOST: u32 = 200;
/// The most openings and kinds of mistakes that are shown.
const SHOWN: usize = 12;
/// The most things to work on.
const WORK: usize = 3;
/// What happened once is no habit.
const HABIT: u64 = 2;

/// What the reviews of your games say about your play.
#[utoipa::path(get, path = "/api/statistics/reviews", tag = "users",
    responses((status = 200, body = ReviewStatistics), Problems))]
pub(crate) async fn reviews(
    State(app): State<Arc<App>>,
    visitor: Visitor,
) -> Result<Json<ReviewStatistics>> {
    let user = visitor.known()?.id;
    let found = app.store.insights(user, MOST).await?;
    let (_, themes) = app.store.count_puzzles(user, Timestamp::now()).await?;
    let mistakes: Vec<MistakeRow> = found.mistakes.into_iter().filter_map(mistake).collect();
    let work_on = work_on(&mistakes, &themes, found.games);
    let point = |game: store::ReviewedGame| AccuracyPoint {
        game: game.game.to_string(),
        at: game.played_at.0,
        accuracy: game.accuracy,
    };
    Ok(Json(ReviewStatistics {
        games: found.games,
        accuracy: found.accuracy,
        newest: found.newest.into_iter().map(point).collect(),
        sides: by_game(found.by_color),
        openings: by_game(found.by_opening).into_iter().take(SHOWN).collect(),
        speeds: by_game(found.by_speed),
        phases: by_move(found.by_phase, &Phase::ALL.map(Phase::as_str)),
        time_left: by_move(found.by_time_left, &TIME_LEFT.map(|(_, name)| name)),
        time_spent: by_move(found.by_time_spent, &TIME_SPENT.map(|(_, name)| name)),
        mistakes: mistakes.into_iter().take(SHOWN).collect(),
        work_on,
    }))
}

fn by_game(found: Vec<(String, GameAccuracy)>) -> Vec<AccuracyRow> {
    let row = |(of, GameAccuracy { games, accuracy })| AccuracyRow { of, count: games, accuracy };
    found.into_iter().map(row).collect()
}

/// Rows in an order of names; those of another version come last.
fn by_move(mut found: Vec<(String, MoveAccuracy)>, order: &[&str]) -> Vec<AccuracyRow> {
    found.sort_by_key(|(of, _)| order.iter().position(|name| name == of).unwrap_or(order.len()));
    let row =
        |(of, MoveAccuracy { moves, accuracy, .. })| AccuracyRow { of, count: moves, accuracy };
    found.into_iter().map(row).collect()
}

/// A kind of mistake; none if this version doesn't know it.
fn mistake(kind: MistakeKind) -> Option<MistakeRow> {
    let (motif, whose) = (kind.motif.parse().ok()?, kind.whose.parse().ok()?);
    let example = |mistake: store::Mistake| MistakeAt {
        game: mistake.game.to_string(),
        ply: mistake.ply,
        played: mistake.played,
        lost: mistake.lost,
    };
    let examples = kind.examples.into_iter().map(example).collect();
    Some(MistakeRow { motif, whose, count: kind.count, lost: kind.lost, examples })
}

/// The habits that cost most. `mistakes` begin with the costliest.
fn work_on(mistakes: &[MistakeRow], themes: &[(String, PuzzleCount)], games: u64) -> Vec<WorkOn> {
    let all: f64 = mistakes.iter().map(|mistake| mistake.lost).sum();
    let puzzles = |motif: Motif| themes.iter().find(|(theme, _)| *theme == motif.as_str());
    let habits = mistakes.iter().filter(|mistake| mistake.count >= HABIT);
    habits
        .filter(|mistake| is_lesson(mistake.motif, mistake.whose))
        .take(WORK)
        .map(|mistake| {
            let known = puzzles(mistake.motif).map(|(_, count)| count.clone()).unwrap_or_default();
            WorkOn {
                motif: mistake.motif,
                whose: mistake.whose,
                share: mistake.lost / all.max(f64::MIN_POSITIVE),
                per_game: mistake.lost / games.max(1) as f64,
                puzzles: known.all,
                due: known.due,
            }
        })
        .collect()
}

/// Whether a mistake says what to do about it: that a win or a draw was let go doesn't.
const fn is_lesson(motif: Motif, whose: Whose) -> bool {
    !matches!(
        motif,
        Motif::Win | Motif::Draw | Motif::Material | Motif::EngineMaterial | Motif::EngineMate
    ) && !matches!(whose, Whose::Found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(motif: Motif, count: u64, lost: f64) -> MistakeRow {
        MistakeRow { motif, whose: Whose::Missed, count, lost, examples: Vec::new() }
    }

    #[test]
    fn the_costliest_habits_are_worked_on() {
        let mistakes = [
            row(Motif::Win, 5, 200.0),
            row(Motif::Fork, 4, 100.0),
            row(Motif::Skewer, 1, 60.0),
            row(Motif::Hanging, 2, 40.0),
        ];
        let forks = ("fork".to_owned(), PuzzleCount { due: 1, all: 3 });
        let work = work_on(&mistakes, &[forks], 4);
        let motifs: Vec<Motif> = work.iter().map(|work| work.motif).collect();
        assert_eq!(motifs, [Motif::Fork, Motif::Hanging]);
        assert_eq!((work[0].puzzles, work[0].due), (3, 1));
        assert!((work[0].share - 0.25).abs() < 1e-9 && (work[0].per_game - 25.0).abs() < 1e-9);
    }

    #[test]
    fn parts_have_an_order() {
        let part =
            |name: &str| (name.to_owned(), MoveAccuracy { moves: 1, accuracy: 90.0, lost: 0.0 });
        let parts = ["more", "unheard_of", "under_10s", "under_1m"].map(part).to_vec();
        let rows = by_move(parts, &TIME_LEFT.map(|(_, name)| name));
        let names: Vec<&str> = rows.iter().map(|row| &*row.of).collect();
        assert_eq!(names, ["under_10s", "under_1m", "more", "unheard_of"]);
    }
}
