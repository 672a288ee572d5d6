//! Glicko-2 ratings, after Glickman's "Example of the Glicko-2 system" (2022). The numbered steps
//! are those of the paper.

use std::f64::consts::PI;

/// Conversion from the Glicko to the Glicko-2 scale.
const SCALE: f64 = 173.7178;
/// How much volatility may change over time.
const TAU: f64 = 0.5;
const EPSILON: f64 = 0.000_001;
/// The deviation of an unrated player, and the maximum.
const UNKNOWN: f64 = 350.0;

/// A player's rating and its uncertainty.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Glicko {
    /// The rating.
    pub rating: f64,
    /// The rating deviation: with 95 % probability, the true strength is within two of these.
    pub deviation: f64,
    /// How consistent the player's results are.
    pub volatility: f64,
}

/// A rated game from one player's point of view.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Encounter {
    /// The opponent's rating.
    pub rating: f64,
    /// The opponent's deviation; for a level of the engine, that of its measurement.
    pub deviation: f64,
    /// 1 for a win, ½ for a draw, 0 for a loss.
    pub score: f64,
}

impl Default for Glicko {
    /// An unrated player.
    fn default() -> Self {
        Self { rating: 1500.0, deviation: UNKNOWN, volatility: 0.06 }
    }
}

impl Glicko {
    /// The rating after the games of a period. Without games only the deviation grows.
    pub fn after(self, games: &[Encounter]) -> Self {
        // Step 2. To the Glicko-2 scale.
        let mu = (self.rating - 1500.0) / SCALE;
        let phi = self.deviation / SCALE;
        if games.is_empty() {
            let deviation = (phi.hypot(self.volatility) * SCALE).min(UNKNOWN);
            return Self { deviation, ..self };
        }
        // Step 3. The estimated variance, and step 4. the estimated improvement.
        let mut information = 0.0;
        let mut gain = 0.0;
        for game in games {
            let weight = weight(game.deviation / SCALE);
            let expected = expected(mu, (game.rating - 1500.0) / SCALE, weight);
            information += weight * weight * expected * (1.0 - expected);
            gain += weight * (game.score - expected);
        }
        let variance = 1.0 / information;
        // Step 5. The new volatility.
        let volatility = self.new_volatility(phi, variance, variance * gain);
        // Step 6. The deviation before the games, step 7. the new rating and deviation.
        let before = phi.hypot(volatility);
        let phi = 1.0 / (1.0 / (before * before) + 1.0 / variance).sqrt();
        let mu = mu + phi * phi * gain;
        // Step 8. Back to the Glicko scale.
        let deviation = (phi * SCALE).min(UNKNOWN);
        Self { rating: mu * SCALE + 1500.0, deviation, volatility }
    }

    /// Step 5: the new volatility, by the Illinois algorithm.
    fn new_volatility(self, phi: f64, variance: f64, improvement: f64) -> f64 {
        let start = (self.volatility * self.volatility).ln();
        let surprise = improvement * improvement - phi * phi - variance;
        let f = |x: f64| {
            let spread = phi * phi + variance + x.exp();
            x.exp() * (surprise - x.exp()) / (2.0 * spread * spread) - (x - start) / (TAU * TAU)
        };
        let mut a = start;
        let mut b = if surprise > 0.0 {
            surprise.ln()
        } else {
            let mut k = 1.0;
            while f(start - k * TAU) < 0.0 {
                k += 1.0;
            }
            start - k * TAU
        };
        let (mut f_a, mut f_b) = (f(a), f(b));
        while (b - a).abs() > EPSILON {
            let c = a + (a - b) * f_a / (f_b - f_a);
            let f_c = f(c);
            if f_c * f_b <= 0.0 {
                (a, f_a) = (b, f_b);
            } else {
                f_a /= 2.0;
            }
            (b, f_b) = (c, f_c);
        }
        (a / 2.0).exp()
    }
}

/// The weight of a game against an opponent with this deviation.
fn weight(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt()
}

/// The expected score.
fn expected(mu: f64, opponent: f64, weight: f64) -> f64 {
    1.0 / (1.0 + (-weight * (mu - opponent)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_of_the_paper() {
        let player = Glicko { rating: 1500.0, deviation: 200.0, volatility: 0.06 };
        let game = |rating, deviation, score| Encounter { rating, deviation, score };
        let after = player.after(&[
            game(1400.0, 30.0, 1.0),
            game(1550.0, 100.0, 0.0),
            game(1700.0, 300.0, 0.0),
        ]);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
    }

    #[test]
    fn without_games_only_the_doubt_grows() {
        let player = Glicko { rating: 1800.0, deviation: 50.0, volatility: 0.06 };
        let after = player.after(&[]);
        assert!(after.deviation > 50.0 && after.deviation < 52.0, "{after:?}");
        assert_eq!(Glicko { deviation: 50.0, ..after }, player);
        assert!(Glicko::default().after(&[]).deviation <= UNKNOWN);
    }

    #[test]
    fn no_result_however_strange_gives_a_rating_that_is_no_number() {
        for rating in [-1000.0, 100.0, 1500.0, 3500.0, 9000.0] {
            for score in [0.0, 0.5, 1.0] {
                let mut player = Glicko::default();
                for _ in 0..200 {
                    player = player.after(&[Encounter { rating, deviation: 30.0, score }]);
                    assert!(player.rating.is_finite() && player.deviation > 0.0, "{player:?}");
                    assert!(player.volatility.is_finite(), "{player:?}");
                }
            }
        }
    }
}
