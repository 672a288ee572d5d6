//! The sequential test (SPRT) that ends a match as soon as the evidence is strong enough.
//!
//! It is the generalised sequential probability ratio test as Michel Van den Bergh describes it
//! ("A practical introduction to the GSPRT", "Normalized Elo"): the likelihood of the results
//! under the best-fitting distribution with the strength of one hypothesis is compared with that
//! of the other, without any assumption on draws or openings.

use std::f64::consts::SQRT_2;
use std::str::FromStr;

use crate::elo::{NORMALISED_SCALE, Pairs, score_of_elo};

/// The Elo model in which the hypotheses are stated.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// Ordinary (logistic) Elo.
    #[default]
    Logistic,
    /// Normalised Elo: in standard deviations of a game.
    Normalised,
}

/// Two hypotheses on an Elo difference, and their error rates.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Sprt {
    /// The difference of the null hypothesis.
    pub elo0: f64,
    /// The difference of the alternative; greater than `elo0`.
    pub elo1: f64,
    /// Type I error: how often the alternative may be accepted wrongly.
    pub alpha: f64,
    /// Type II error: how often the null hypothesis may be accepted wrongly.
    pub beta: f64,
    /// The Elo model of the differences.
    pub model: EloModel,
}

/// The hypothesis a test has accepted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// The null hypothesis.
    H0,
    /// The alternative.
    H1,
}

impl Sprt {
    /// A test with error rates of 5 %.
    pub const fn new(elo0: f64, elo1: f64, model: EloModel) -> Self {
        Self { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// The log-likelihood ratios at which the test ends: H0 below the first, H1 above the second.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The accepted hypothesis, if the test is over.
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

    /// The log-likelihood ratio of pairs of games.
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        if pairs.0.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        // A result that never occurred must stay possible, or a hypothesis could become impossible.
        let counts = pairs.0.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let best = (counts.len() - 1) as f64;
        let seen: Vec<Atom> = counts
            .iter()
            .enumerate()
            .map(|(i, n)| Atom { value: i as f64 / best, weight: n / total })
            .collect();
        let [null, alternative] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => fit_mean(&seen, score_of_elo(elo)),
            // A pair is two games.
            EloModel::Normalised => fit_lead(&seen, elo / NORMALISED_SCALE * SQRT_2),
        });
        let ratio =
            |((a, null), alternative): ((&Atom, f64), f64)| a.weight * (alternative / null).ln();
        total * seen.iter().zip(null).zip(alternative).map(ratio).sum::<f64>()
    }
}

/// Why a text is not a test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseSprtError {
    /// A part is not a known name with a number.
    #[error(
        "`{0}` is none of: elo0=NUMBER, elo1=NUMBER, alpha=NUMBER, beta=NUMBER, model=logistic, model=normalised"
    )]
    Part(String),
    /// The hypotheses are in the wrong order.
    #[error("elo0 must be less than elo1")]
    Order,
    /// An error rate is out of range.
    #[error("alpha and beta must be greater than 0 and less than 0.5")]
    ErrorRate,
}

impl FromStr for Sprt {
    type Err = ParseSprtError;

    /// Parses `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic`; these are also the defaults.
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

/// A result and its probability.
#[derive(Copy, Clone, Debug)]
struct Atom {
    value: f64,
    weight: f64,
}

/// The distribution closest to the observed one whose mean is `mean`.
fn fit_mean(seen: &[Atom], mean: f64) -> Vec<f64> {
    let centered: Vec<Atom> =
        seen.iter().map(|a| Atom { value: a.value - mean, weight: a.weight }).collect();
    tilt(&centered)
}

/// The distribution closest to the observed one whose lead over 1/2 is `lead` standard deviations.
/// The variance depends on the distribution we look for, so it is found iteratively.
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

/// The weights `weight / (1 + x value)` that make the mean value zero: the maximum likelihood under
/// that constraint. The root `x` is found by bisection, because the sum decreases in `x`.
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
    // the observed distribution. Expected values by direct constrained maximisation with SciPy's
    // SLSQP, not by the formulas of this file.
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
