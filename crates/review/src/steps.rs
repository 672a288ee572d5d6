//! The steps between labels.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Points of expected score from which a move is no longer excellent, good, an inaccuracy, a
/// mistake.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// From here on a move is good, and no longer excellent.
    pub good: f64,
    /// From here on it is an inaccuracy.
    pub inaccuracy: f64,
    /// From here on it is a mistake.
    pub mistake: f64,
    /// From here on it is a blunder.
    pub blunder: f64,
}

impl Default for Steps {
    fn default() -> Self {
        Self::USUAL
    }
}

impl Steps {
    /// The steps of docs/review.md.
    pub const USUAL: Self = Self { good: 2.0, inaccuracy: 5.0, mistake: 10.0, blunder: 20.0 };

    /// All of them, in order.
    pub const fn all(&self) -> [f64; 4] {
        [self.good, self.inaccuracy, self.mistake, self.blunder]
    }

    /// Those between [groups](crate::Group) of labels: only these are worth a second search.
    pub(crate) const fn groups(&self) -> [f64; 3] {
        [self.inaccuracy, self.mistake, self.blunder]
    }

    /// Whether they rise from 0 to 100.
    pub fn is_sound(&self) -> bool {
        let all = self.all();
        all.iter().all(|step| (0.0..=100.0).contains(step)) && all.is_sorted_by(|a, b| a < b)
    }

    /// Whether they are the usual ones.
    pub fn are_usual(&self) -> bool {
        *self == Self::USUAL
    }
}

/// The steps can't be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "steps are four rising numbers from 0 to 100: good, inaccuracy, mistake, blunder, such as 2,5,10,20"
)]
pub struct BadSteps;

impl FromStr for Steps {
    type Err = BadSteps;

    fn from_str(text: &str) -> Result<Self, BadSteps> {
        let numbers: Vec<f64> = text
            .split(',')
            .map(|part| part.trim().parse())
            .collect::<Result<_, _>>()
            .map_err(|_| BadSteps)?;
        let [good, inaccuracy, mistake, blunder] = numbers[..] else { return Err(BadSteps) };
        let steps = Self { good, inaccuracy, mistake, blunder };
        if steps.is_sound() { Ok(steps) } else { Err(BadSteps) }
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [good, inaccuracy, mistake, blunder] = self.all();
        write!(f, "{good},{inaccuracy},{mistake},{blunder}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_rise() {
        assert_eq!("2,5,10,20".parse(), Ok(Steps::default()));
        assert_eq!(Steps::default().to_string().parse(), Ok(Steps::default()));
        assert!("1.5, 4, 8, 16".parse::<Steps>().is_ok());
        for wrong in [
            "",
            "1,2,3",
            "1,2,3,4,5",
            "2,5,5,20",
            "5,2,10,20",
            "-1,5,10,20",
            "2,5,10,101",
            "2,5,x,20",
            "NaN,5,10,20",
        ] {
            assert_eq!(wrong.parse::<Steps>(), Err(BadSteps), "{wrong}");
        }
    }
}
