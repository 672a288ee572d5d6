//! The course of a game: White's expected score before the first move and after each one.

use chess::Color;

use crate::{GameReport, MoveReport};

/// White's expected score, from 0 to 100: at the start, and after each move.
pub(super) fn course(report: &GameReport) -> Vec<f64> {
    let for_white = |one: &MoveReport, points: f64| match one.side {
        Color::White => points.clamp(0.0, 100.0),
        Color::Black => 100.0 - points.clamp(0.0, 100.0),
    };
    let start = report.moves.first().map_or(50.0, |first| for_white(first, first.best_points));
    let after = report.moves.iter().map(|one| for_white(one, one.played_points));
    std::iter::once(start).chain(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::testing;

    #[test]
    fn the_course_is_from_whites_point_of_view() {
        let (_, mut report) = testing::sample();
        report.moves[0].best_points = 55.0;
        report.moves[0].played_points = 52.0;
        report.moves[1].played_points = 30.0;
        let course = course(&report);
        assert_eq!(course.len(), report.moves.len() + 1);
        assert_eq!(course[..3], [55.0, 52.0, 70.0]);
    }
}
