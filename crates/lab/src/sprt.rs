//! The sequential test that ends a match as soon as the evidence is strong enough.
//!
//! It is the generalised sequential probability ratio test as Michel Van den Bergh describes it
//! ("A practical introduction to the GSPRT", "Normalized Elo"): the likelihood of the results
//! under the best-fitting distribution with the strength of one hypothesis is compared with that
//! of the other, without any assumption on draws or openings.

use std::str::FromStr;

use crate::elo::{NORMALISED_SCALE, Pairs, Tally, score_of_elo};

/// In which Elo the hypotheses are stated.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// The usual Elo of the expected score.
    #[default]
    Logistic,
    /// Elo in standard deviations of a game.
    Normalised,
}

/// Two hypotheses on an Elo difference and how often each may be rejected wrongly.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sprt {
    /// The difference of the null hypothesis.
    pub elo0: f64,
    /// The difference of the alternative; greater than `elo0`.
    pub elo1: f64,
    /// How often the alternative may be accepted wrongly.
    pub alpha: f64,
    /// How often the null hypothesis may be accepted wrongly.
    pub beta: f64,
    /// What the differences mean.
    pub model: EloModel,
}

/// What a test has found.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// The null hypothesis.
    H0,
    /// The alternative.
    H1,
}

impl Sprt {
    /// A test with errors of 5 % each.
    pub const fn new(elo0: f64, elo1: f64, model: EloModel) -> Self {
        Self { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// The log-likelihood ratios at which the test ends: below the first with H0, above the
    /// second with H1.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio of pairs of games.
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        self.ratio(&pairs.0, 2.0)
    }

    /// The log-likelihood ratio of single games.
    pub fn llr_of_games(&self, games: &Tally) -> f64 {
        self.ratio(&[games.losses, games.draws, games.wins], 1.0)
    }

    /// What a ratio means, if the test is over.
    pub fn accepted(&self, llr: f64) -> Option<Accepted> {
        let [lower, upper] = self.bounds();
        if llr <= lower {
            Some(Accepted::H0)
        } else if llr >= upper {
            Some(Accepted::H1)
        } else {
            None
        }
    }

    /// The ratio of results that are spread evenly from 0 to 1, each of so many games.
    fn ratio(&self, counts: &[u64], games: f64) -> f64 {
        if counts.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        // What never happened must stay possible, or one hypothesis could become impossible.
        let counts: Vec<f64> =
            counts.iter().map(|&n| if n == 0 { 1e-3 } else { n as f64 }).collect();
        let total: f64 = counts.iter().sum();
        let best = (counts.len() - 1) as f64;
        let seen: Vec<Atom> = counts
            .iter()
            .enumerate()
            .map(|(i, n)| Atom { value: i as f64 / best, weight: n / total })
            .collect();
        let [null, alternative] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => fit_mean(&seen, score_of_elo(elo)),
            EloModel::Normalised => fit_lead(&seen, elo / NORMALISED_SCALE * games.sqrt()),
        });
        let ratio =
            |((a, null), alternative): ((&Atom, f64), f64)| a.weight * (alternative / null).ln();
        total * seen.iter().zip(null).zip(alternative).map(ratio).sum::<f64>()
    }
}

/// The text is not a test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseSprtError {
    /// A part is not a known name and a number.
    #[error(
        "`{0}` is none of: elo0=NUMBER, elo1=NUMBER, alpha=NUMBER, beta=NUMBER, model=logistic, model=normalised"
    )]
    Part(String),
    /// The hypotheses don't make a test.
    #[error("elo0 must be less than elo1")]
    Order,
    /// An error rate makes no sense.
    #[error("alpha and beta must be greater than 0 and less than 0.5")]
    ErrorRate,
}

impl FromStr for Sprt {
    type Err = ParseSprtError;

    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic`; what is missing has these
    /// values.
    fn from_str(text: &str) -> Result<Self, ParseSprtError> {
        let mut sprt = Self::new(0.0, 5.0, EloModel::Logistic);
        for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
            let bad = || ParseSprtError::Part(part.to_owned());
            let (name, value) = part.split_once('=').ok_or_else(bad)?;
            let number = value.parse().ok().filter(|number: &f64| number.is_finite());
            match (name, number) {
                ("elo0", Some(elo)) => sprt.elo0 = elo,
                ("elo1", Some(elo)) => sprt.elo1 = elo,
                ("alpha", Some(rate)) => sprt.alpha = rate,
                ("beta", Some(rate)) => sprt.beta = rate,
                ("model", None) if value == "logistic" => sprt.model = EloModel::Logistic,
                ("model", None) if matches!(value, "normalised" | "normalized") => {
                    sprt.model = EloModel::Normalised;
                }
                _ => return Err(bad()),
            }
        }
        if sprt.elo0 >= sprt.elo1 {
            return Err(ParseSprtError::Order);
        }
        if [sprt.alpha, sprt.beta].iter().any(|rate| !(*rate > 0.0 && *rate < 0.5)) {
            return Err(ParseSprtError::ErrorRate);
        }
        Ok(sprt)
    }
}

/// A result and how likely it is.
#[derive(Copy, Clone, Debug)]
struct Atom {
    value: f64,
    weight: f64,
}

/// The distribution closest to what was seen whose mean is `mean`.
fn fit_mean(seen: &[Atom], mean: f64) -> Vec<f64> {
    let centered: Vec<Atom> =
        seen.iter().map(|a| Atom { value: a.value - mean, weight: a.weight }).collect();
    tilt(&centered)
}

/// The distribution closest to what was seen whose lead over 1/2 is `lead` standard deviations.
/// The variance depends on the distribution we look for, so it is found step by step.
fn fit_lead(seen: &[Atom], lead: f64) -> Vec<f64> {
    let mut fitted = vec![1.0 / seen.len() as f64; seen.len()];
    for _ in 0..10 {
        let mean: f64 = seen.iter().zip(&fitted).map(|(a, p)| a.value * p).sum();
        let variance: f64 =
            seen.iter().zip(&fitted).map(|(a, p)| (a.value - mean).powi(2) * p).sum();
        let deviation = variance.sqrt();
        let shifted: Vec<Atom> = seen
            .iter()
            .map(|a| {
                let spread = 1.0 + ((mean - a.value) / deviation).powi(2);
                Atom { value: a.value - 0.5 - lead * deviation * spread / 2.0, weight: a.weight }
            })
            .collect();
        let next = tilt(&shifted);
        let change =
            next.iter().zip(&fitted).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-9 {
            break;
        }
    }
    fitted
}

/// The weights `weight / (1 + x value)` that make the mean value zero: the maximum likelihood
/// under that constraint. The root `x` is found by bisection, for the sum falls as `x` grows.
fn tilt(atoms: &[Atom]) -> Vec<f64> {
    let least = atoms.iter().map(|a| a.value).fold(f64::INFINITY, f64::min);
    let greatest = atoms.iter().map(|a| a.value).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        let sum: f64 = atoms.iter().map(|a| a.weight * a.value / (1.0 + middle * a.value)).sum();
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    atoms.iter().map(|a| a.weight / (1.0 + x * a.value)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 2e-5, "{value} is not {expected}");
    }

    // LLR = n (max sum p_i log q_i over q with the strength of H1 - the same for H0), where p is
    // what was seen. Expected values by direct constrained maximisation with SciPy's SLSQP, not
    // by the formulas of this file.
    #[test]
    fn pairs_give_the_ratio_of_the_best_fits() {
        use EloModel::{Logistic, Normalised};
        let long = [41, 302, 1024, 341, 60];
        let clear = [300, 3000, 8000, 3200, 350];
        for (counts, elo0, elo1, model, expected) in [
            ([20, 60, 100, 80, 40], 0.0, 5.0, Logistic, 1.272_144),
            (long, 0.0, 5.0, Logistic, 2.513_372),
            (long, 0.0, 5.0, Normalised, 1.672_802),
            (long, -3.0, 1.0, Logistic, 3.391_277),
            (long, -3.0, 1.0, Normalised, 1.747_511),
            ([0, 3, 10, 9, 2], 0.0, 10.0, Logistic, 0.679_769),
            ([0, 3, 10, 9, 2], 0.0, 10.0, Normalised, 0.429_849),
            (clear, 0.0, 2.0, Logistic, 4.169_284),
            (clear, 0.0, 2.0, Normalised, 2.680_897),
        ] {
            close(Sprt::new(elo0, elo1, model).llr(&Pairs(counts)), expected);
        }
    }

    #[test]
    fn games_give_the_ratio_of_the_best_fits() {
        let games = Tally { wins: 250, draws: 302, losses: 341 };
        close(Sprt::new(0.0, 10.0, EloModel::Logistic).llr_of_games(&games), -4.510_787);
        close(Sprt::new(0.0, 10.0, EloModel::Normalised).llr_of_games(&games), -3.588_284);
    }

    /// Wald's bounds: ln(beta / (1 - alpha)) and ln((1 - beta) / alpha).
    #[test]
    fn the_test_ends_at_the_bounds_of_wald() {
        let sprt = Sprt::new(0.0, 5.0, EloModel::Logistic);
        let [lower, upper] = sprt.bounds();
        close(lower, -2.944_439);
        close(upper, 2.944_439);
        assert_eq!(sprt.accepted(lower), Some(Accepted::H0));
        assert_eq!(sprt.accepted(upper), Some(Accepted::H1));
        assert_eq!(sprt.accepted(2.9), None);
        let [lower, upper] = Sprt { alpha: 0.01, beta: 0.1, ..sprt }.bounds();
        close(lower, (0.1f64 / 0.99).ln());
        close(upper, (0.9f64 / 0.01).ln());
    }

    #[test]
    fn nothing_seen_is_no_evidence() {
        close(Sprt::new(0.0, 5.0, EloModel::Logistic).llr(&Pairs::default()), 0.0);
    }

    #[test]
    fn tests_are_read_and_nonsense_is_refused() {
        let sprt: Sprt = "elo0=-3,elo1=1 alpha=0.1,model=normalised".parse().expect("a test");
        let expected =
            Sprt { elo0: -3.0, elo1: 1.0, alpha: 0.1, beta: 0.05, model: EloModel::Normalised };
        assert_eq!(sprt, expected);
        assert_eq!("".parse(), Ok(Sprt::new(0.0, 5.0, EloModel::Logistic)));
        assert_eq!("elo0=5".parse::<Sprt>(), Err(ParseSprtError::Order));
        assert_eq!("alpha=0".parse::<Sprt>(), Err(ParseSprtError::ErrorRate));
        for text in ["elo", "elo0=", "elo0=x", "elo1=inf", "elo1=NaN", "model=5", "model=bayes"] {
            assert!(matches!(text.parse::<Sprt>(), Err(ParseSprtError::Part(_))), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_ratio_is_a_number_and_turns_around_with_the_sides(
            counts: [u16; 5],
            low in -50.0f64..50.0,
            width in 0.1f64..20.0,
            normalised: bool,
        ) {
            let model = if normalised { EloModel::Normalised } else { EloModel::Logistic };
            let pairs = Pairs(counts.map(u64::from));
            let there = Sprt::new(low, low + width, model).llr(&pairs);
            let back = Sprt::new(-low - width, -low, model).llr(&pairs.reversed());
            prop_assert!(there.is_finite());
            prop_assert!((there + back).abs() < 1e-4 * (1.0 + there.abs()), "{} {}", there, back);
        }

        #[test]
        fn no_text_is_a_panic(text in "[elo01phamdbt=.,0-9-]*") {
            let _ = text.parse::<Sprt>();
        }
    }
}
