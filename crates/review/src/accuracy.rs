//! Accuracy by the published formulas: how much of the expected score a player kept.

use chess::Color;

/// Win chance in percent of a score in centipawns, as lichess computes it.
pub fn win_percent(centipawns: i32) -> f64 {
    let centipawns = f64::from(centipawns.clamp(-CEILING, CEILING));
    50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * centipawns).exp()) - 1.0)
}

/// Scores beyond this count like it, and so does a mate.
pub const CEILING: i32 = 1000;

/// The score of the start position in the published formulas.
pub const START: i32 = 15;

/// The accuracy of a move, from 0 to 100, by the win chances before and after it in percent.
pub fn of_move(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let drop = before - after;
    // The last term is a bonus for the uncertainty of the analysis.
    let accuracy =
        103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * drop).exp() - 3.166_924_740_191_411;
    (accuracy + 1.0).clamp(0.0, 100.0)
}

/// The accuracy of both sides in a game, White's first, by the win chances of White in percent: at
/// the start, and after each move. None if a side hasn't moved.
pub fn of_game(first: Color, chances: &[f64]) -> Option<[f64; 2]> {
    let moves = chances.windows(2).enumerate().map(|(ply, pair)| match mover(first, ply) {
        Color::White => of_move(pair[0], pair[1]),
        Color::Black => of_move(100.0 - pair[0], 100.0 - pair[1]),
    });
    of_moves(first, chances, &moves.collect::<Vec<_>>())
}

/// The same if the accuracies of the moves are known.
///
/// It is the mean of a weighted and a harmonic mean. Moves weigh more when the win chances around
/// them vary a lot.
pub fn of_moves(first: Color, chances: &[f64], accuracies: &[f64]) -> Option<[f64; 2]> {
    let mut sides: [Vec<(f64, f64)>; 2] = [Vec::new(), Vec::new()];
    let moves = accuracies.iter().copied().zip(weights(chances));
    for (ply, weighted) in moves.enumerate() {
        sides[mover(first, ply).index()].push(weighted);
    }
    let [white, black] = sides.map(|moves| of_side(&moves));
    Some([white?, black?])
}

/// The weight of each move: how much the win chances vary around it.
pub fn weights(chances: &[f64]) -> Vec<f64> {
    let window = (chances.len().saturating_sub(1) / 10).clamp(2, 8).min(chances.len());
    if window < 2 {
        return Vec::new();
    }
    let weight = |chances: &[f64]| deviation(chances).clamp(0.5, 12.0);
    // The first window stands for the moves that have none.
    let start = std::iter::repeat_n(&chances[..window], window - 2);
    start.chain(chances.windows(window)).map(weight).collect()
}

/// Who makes the move with a number, from 0.
fn mover(first: Color, ply: usize) -> Color {
    if ply.is_multiple_of(2) { first } else { !first }
}

/// The mean of a weighted and a harmonic mean; none without moves.
fn of_side(moves: &[(f64, f64)]) -> Option<f64> {
    let weights: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let weighted: f64 = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum();
    let harmonic = harmonic(moves.iter().map(|&(accuracy, _)| accuracy))?;
    // Sums may exceed the range by a rounding error.
    Some(f64::midpoint(weighted / weights, harmonic).clamp(0.0, 100.0))
}

/// The harmonic mean of accuracies; anything below 1 counts as 1.
pub fn harmonic(accuracies: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = accuracies.len();
    (count > 0)
        .then(|| count as f64 / accuracies.map(|accuracy| 1.0 / accuracy.max(1.0)).sum::<f64>())
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 0.005
    }

    #[test]
    fn published_win_chances_and_accuracies() {
        for (centipawns, expected) in [(100, 59.10), (300, 75.11), (500, 86.31), (1000, 97.54)] {
            assert!(close(win_percent(centipawns), expected), "{centipawns}");
            assert!(close(win_percent(-centipawns), 100.0 - expected), "-{centipawns}");
        }
        assert!(close(win_percent(5000), 97.54));
        let drops = [
            (1.0, 96.60),
            (2.0, 92.40),
            (5.0, 80.82),
            (10.0, 64.58),
            (15.0, 51.52),
            (20.0, 41.02),
            (30.0, 25.77),
        ];
        for (drop, expected) in drops {
            assert!(close(of_move(60.0, 60.0 - drop), expected), "{drop}");
        }
        assert!(close(of_move(50.0, 51.0), 100.0));
    }

    /// Games given as the score after each move, and the accuracies of lichess, with a tolerance.
    #[test]
    fn games_have_the_published_accuracy() {
        let repeat = |scores: &[i32], times: usize| scores.repeat(times);
        let with = |mut scores: Vec<i32>, last: i32| {
            scores.push(last);
            scores
        };
        let cases = [
            (vec![15, 15], Some([100.0, 100.0]), 1.0),
            (vec![-900, -900], Some([10.0, 100.0]), 5.0),
            (vec![15, 900], Some([100.0, 10.0]), 5.0),
            (vec![-900, 0], Some([10.0, 10.0]), 5.0),
            (with(vec![15; 20], -900), Some([50.0, 100.0]), 5.0),
            (with(vec![15; 21], 900), Some([100.0, 50.0]), 5.0),
            (repeat(&[-50, 15], 5), Some([76.0, 76.0]), 8.0),
            (repeat(&[-50, 15], 50), Some([76.0, 76.0]), 8.0),
            (repeat(&[-135, 15], 50), Some([54.0, 54.0]), 8.0),
            (repeat(&[-435, 15], 50), Some([20.0, 20.0]), 8.0),
            (vec![], None, 0.0),
            (vec![15], None, 0.0),
        ];
        for (scores, expected, tolerance) in cases {
            let chances: Vec<f64> =
                std::iter::once(START).chain(scores.iter().copied()).map(win_percent).collect();
            let found = of_game(Color::White, &chances);
            match (found, expected) {
                (Some(found), Some(expected)) => {
                    let near = |i: usize| (found[i] - expected[i]).abs() <= tolerance;
                    assert!(near(0) && near(1), "{scores:?}: {found:?}, not {expected:?}");
                }
                (found, expected) => assert_eq!(found, expected, "{scores:?}"),
            }
        }
    }

    proptest! {
        #[test]
        fn any_game_has_an_accuracy_from_0_to_100(
            chances in proptest::collection::vec(0.0..=100.0, 0..200), black: bool,
        ) {
            let first = if black { Color::Black } else { Color::White };
            let found = of_game(first, &chances);
            prop_assert_eq!(found.is_some(), chances.len() > 2);
            for accuracy in found.into_iter().flatten() {
                prop_assert!((0.0..=100.0).contains(&accuracy), "{accuracy}");
            }
        }
    }
}
