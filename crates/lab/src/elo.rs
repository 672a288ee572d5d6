//! Statistics of results: Elo with error bars, likelihood of superiority.
//!
//! Games from the same opening with colors swapped are not independent, but pairs of them are. So
//! the figures are based on pairs (the pentanomial model) wherever there are pairs.

use std::f64::consts::{LN_10, PI, SQRT_2};
use std::ops::AddAssign;

/// Won, drawn and lost games of one side.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "self-explanatory")]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

/// Pairs of games by the points one side scored in both: 0, 1/2, 1, 1 1/2 and 2.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

impl Tally {
    /// Number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Total points: 1 per win, 1/2 per draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The other side's view.
    pub const fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The games as a sample.
    pub fn sample(&self) -> Sample {
        Sample::new(&[self.losses, self.draws, self.wins].map(|count| count as f64), 1.0)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl Pairs {
    /// Number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The other side's view.
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// The pairs as a sample.
    pub fn sample(&self) -> Sample {
        Sample::new(&self.0.map(|count| count as f64), 2.0)
    }
}

impl AddAssign for Pairs {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

/// Mean and variance of results, each from 0 to 1.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sample {
    /// The mean result.
    pub mean: f64,
    /// The variance of one result.
    pub variance: f64,
    /// Number of results.
    pub count: f64,
    /// Games per result: 1, or 2 for pairs.
    pub games: f64,
}

/// The two-sided 95 % quantile of the normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

impl Sample {
    /// A sample from the frequencies of results that are evenly spaced from 0 to 1.
    fn new(counts: &[f64], games: f64) -> Self {
        let count: f64 = counts.iter().sum();
        let best = (counts.len() - 1) as f64;
        let moment = |f: &dyn Fn(f64) -> f64| {
            counts.iter().enumerate().map(|(i, n)| n * f(i as f64 / best)).sum::<f64>() / count
        };
        let mean = moment(&|result| result);
        Self { mean, variance: moment(&|result| (result - mean).powi(2)), count, games }
    }

    /// The standard error of the mean.
    pub fn deviation(&self) -> f64 {
        (self.variance / self.count).sqrt()
    }

    /// The Elo difference for this mean: `-400 log10(1 / mean - 1)`. Infinite if everything was won
    /// or lost, NaN without results.
    pub fn elo(&self) -> f64 {
        elo_of_score(self.mean)
    }

    /// The Elo differences at both ends of the 95 % interval of the mean.
    pub fn elo_interval(&self) -> [f64; 2] {
        let reach = Z95 * self.deviation();
        [self.mean - reach, self.mean + reach].map(|score| elo_of_score(score.clamp(0.0, 1.0)))
    }

    /// Half the width of the interval: the figure after `+-`. Infinite as long as all results are
    /// the same, because they don't determine a variance.
    pub fn elo_error(&self) -> f64 {
        if self.variance == 0.0 {
            return f64::INFINITY;
        }
        let [low, high] = self.elo_interval();
        (high - low) / 2.0
    }

    /// Likelihood of superiority (LOS): the probability that the true mean is above 1/2 if the
    /// measured one is normally distributed around it.
    pub fn los(&self) -> f64 {
        if self.variance > 0.0 {
            normal((self.mean - 0.5) / self.deviation())
        } else if self.mean > 0.5 {
            1.0
        } else if self.mean < 0.5 {
            0.0
        } else {
            0.5
        }
    }

    /// Normalised Elo: the lead in standard deviations of one game, on Elo's scale. It determines
    /// how many games it takes to see a difference, whatever the openings and the draw rate.
    pub fn normalised_elo(&self) -> f64 {
        (self.mean - 0.5) / (self.variance * self.games).sqrt() * NORMALISED_SCALE
    }

    /// Half the width of the 95 % interval of the normalised Elo.
    pub fn normalised_error(&self) -> f64 {
        Z95 / (self.count * self.games).sqrt() * NORMALISED_SCALE
    }
}

/// Elo per standard deviation of a game: for small differences without draws, normalised and
/// ordinary Elo agree.
pub const NORMALISED_SCALE: f64 = 800.0 / LN_10;

/// The Elo difference for an expected score.
pub fn elo_of_score(score: f64) -> f64 {
    // Written differently, `-400 log10(1 / score - 1)` gives -0 for a half.
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score for an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The cumulative distribution function of the normal distribution.
pub fn normal(x: f64) -> f64 {
    let upper = upper_tail(x.abs() / SQRT_2) / 2.0;
    if x > 0.0 { 1.0 - upper } else { upper }
}

/// The complementary error function for `x >= 0`: the series of erf near zero, the continued
/// fraction beyond.
fn upper_tail(x: f64) -> f64 {
    if x < 2.5 {
        let mut term = x;
        let mut sum = x;
        let mut n = 0.0;
        while term.abs() > 1e-17 * sum {
            n += 1.0;
            term *= -x * x / n;
            sum += term / (2.0 * n + 1.0);
            if n > 200.0 {
                break;
            }
        }
        1.0 - 2.0 / PI.sqrt() * sum
    } else {
        let fraction = (1..=60).rev().fold(0.0, |below, k| f64::from(k) / 2.0 / (x + below));
        (-x * x).exp() / PI.sqrt() / (x + fraction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-6, "{value} is not {expected}");
    }

    // mean = sum(n_i i/4) / n; variance = sum(n_i (i/4 - mean)^2) / n; Elo = -400 log10(1/mean -
    // 1); error = half of Elo(mean + 1.96 s) - Elo(mean - 1.96 s) with s = sqrt(variance / n);
    // LOS = Phi((mean - 1/2) / s); normalised Elo = (mean - 1/2) / sqrt(2 variance) 800 / ln 10,
    // its error 1.96 / sqrt(2 n) 800 / ln 10. Expected values computed with SciPy.
    #[test]
    fn pairs_give_the_published_figures() {
        let sample = Pairs([20, 60, 100, 80, 40]).sample();
        close(sample.mean, 0.55);
        close(sample.variance, 0.076_666_667);
        close(sample.elo(), 34.860_070);
        close(sample.elo_error(), 22.022_083);
        close(sample.los(), 0.999_119_149);
        close(sample.normalised_elo(), 44.363_522);
        close(sample.normalised_error(), 27.800_126);
        let sample = Pairs([41, 302, 1024, 341, 60]).sample();
        close(sample.elo(), 7.566_960);
        close(sample.elo_error(), 6.225_000);
        close(sample.los(), 0.991_425_412);
        close(sample.normalised_elo(), 13.926_186);
        close(sample.normalised_error(), 11.451_602);
    }

    /// The same with results 0, 1/2 and 1 of single games; normalised Elo without the factor 2.
    #[test]
    fn games_give_the_published_figures() {
        let sample = Tally { wins: 43, draws: 35, losses: 12 }.sample();
        close(sample.elo(), 124.773_343);
        close(sample.elo_error(), 57.871_468);
        let [low, high] = sample.elo_interval();
        close(low, 70.241_705);
        close(high, 185.984_642);
        close(sample.los(), 0.999_998_391);
        close(sample.normalised_elo(), 170.531_249);
        close(sample.normalised_error(), 71.779_617);
        let level = Tally { wins: 30, draws: 40, losses: 30 }.sample();
        close(level.elo(), 0.0);
        close(level.elo_error(), 53.157_980);
        close(level.los(), 0.5);
    }

    #[test]
    fn results_of_one_kind_have_no_error_bars() {
        let won = Pairs([0, 0, 0, 0, 7]).sample();
        assert!(won.elo().is_infinite() && won.elo_error().is_infinite());
        close(won.los(), 1.0);
        close(Pairs([7, 0, 0, 0, 0]).sample().los(), 0.0);
        close(Pairs([0, 0, 7, 0, 0]).sample().los(), 0.5);
        let drawn = Pairs([0, 0, 7, 0, 0]).sample();
        close(drawn.elo(), 0.0);
        assert!(drawn.elo_error().is_infinite());
        assert!(Pairs::default().sample().elo().is_nan());
    }

    #[test]
    fn both_sides_see_the_same_from_their_side() {
        let pairs = Pairs([1, 2, 3, 4, 5]);
        close(pairs.sample().elo(), -pairs.reversed().sample().elo());
        close(pairs.sample().los(), 1.0 - pairs.reversed().sample().los());
        let games = Tally { wins: 5, draws: 3, losses: 1 };
        close(games.sample().elo(), -games.reversed().sample().elo());
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-800.0, -35.0, 0.0, 1.5, 400.0] {
            close(elo_of_score(score_of_elo(elo)), elo);
        }
        close(score_of_elo(400.0), 10.0 / 11.0);
    }

    #[test]
    fn the_normal_distribution_is_exact_near_and_far() {
        for (x, expected) in [
            (-6.0, 9.865_876_450_376_946e-10),
            (-3.7, 0.000_107_799_733_477_388_23),
            (-1.0, 0.158_655_253_931_457_07),
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013_1),
            (1.96, 0.975_002_104_851_779_5),
            (3.4, 0.999_663_070_734_323_1),
            (3.6, 0.999_840_891_409_842_4),
            (8.0, 0.999_999_999_999_999_3),
        ] {
            let relative = (normal(x) - expected).abs() / expected;
            assert!(relative < 1e-10, "{x}: {} is not {expected}", normal(x));
        }
    }
}
