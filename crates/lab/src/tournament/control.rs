//! Limits of an engine's thinking: a clock, a time, nodes or a depth.

use std::fmt;
use std::time::Duration;

use game::{Bonus, TimeControl};

/// The limits of an engine's thinking; all of them apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// A game clock.
    pub clock: Option<TimeControl>,
    /// Time per move.
    pub move_time: Option<Duration>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Search depth.
    pub depth: Option<u32>,
}

/// One of the limits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A time control such as `8+0.08` or `40/60`.
    Clock,
    /// Seconds per move.
    MoveTime,
    /// Nodes per move.
    Nodes,
    /// Search depth.
    Depth,
}

impl Limit {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Clock, Self::MoveTime, Self::Nodes, Self::Depth];

    /// The name it is set by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clock => "tc",
            Self::MoveTime => "st",
            Self::Nodes => "nodes",
            Self::Depth => "depth",
        }
    }

    /// The limit with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|limit| limit.name() == name)
    }
}

/// Why a limit is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ControlError {
    /// The value of a limit is invalid.
    #[error("{name}={value}: {reason}")]
    Bad {
        /// The limit.
        name: &'static str,
        /// The value as written.
        value: String,
        /// The reason.
        reason: String,
    },
    /// A clock and a time per move exclude each other.
    #[error("tc and st exclude each other")]
    Both,
    /// There is no limit.
    #[error("no limit: give a time control (tc=8+0.08, st=0.1), nodes or depth")]
    Missing,
}

impl Control {
    /// Parses and sets a limit.
    pub fn set(&mut self, limit: Limit, value: &str) -> Result<(), ControlError> {
        let name = limit.name();
        let bad = |reason: String| ControlError::Bad { name, value: value.to_owned(), reason };
        let positive = |number: u64| {
            if number == 0 { Err(bad("must be greater than zero".to_owned())) } else { Ok(number) }
        };
        match limit {
            Limit::Clock => {
                let clock: TimeControl = value.parse().map_err(|error| bad(format!("{error}")))?;
                if clock.stages().iter().any(|stage| matches!(stage.bonus, Bonus::Delay(_))) {
                    return Err(bad("UCI doesn't support a delay".to_owned()));
                }
                self.clock = Some(clock);
            }
            Limit::MoveTime => {
                let seconds: f64 = value.parse().map_err(|error| bad(format!("{error}")))?;
                if !(0.001..=86_400.0).contains(&seconds) {
                    return Err(bad("must be from 0.001 to 86400 seconds".to_owned()));
                }
                self.move_time = Some(Duration::from_secs_f64(seconds));
            }
            Limit::Nodes => {
                let nodes = value.parse().map_err(|error| bad(format!("{error}")))?;
                self.nodes = Some(positive(nodes)?);
            }
            Limit::Depth => {
                let depth: u32 = value.parse().map_err(|error| bad(format!("{error}")))?;
                positive(depth.into())?;
                self.depth = Some(depth);
            }
        }
        Ok(())
    }

    /// Checks that the limits make sense together.
    pub fn check(&self) -> Result<(), ControlError> {
        if self.clock.is_some() && self.move_time.is_some() {
            Err(ControlError::Both)
        } else if *self == Self::default() {
            Err(ControlError::Missing)
        } else {
            Ok(())
        }
    }
}

impl fmt::Display for Control {
    /// The form in which it is set: `tc=8+0.08 nodes=1000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.as_ref().map(|clock| format!("tc={clock}")),
            self.move_time.map(|time| format!("st={}", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> Result<String, ControlError> {
        let mut control = Control::default();
        control.set(Limit::from_name(name).expect("a limit"), value)?;
        control.check()?;
        Ok(control.to_string())
    }

    #[test]
    fn limits_are_read_and_written() {
        for (name, value) in [
            ("tc", "8+0.08"),
            ("tc", "40/60+0.6"),
            ("st", "0.25"),
            ("nodes", "5000"),
            ("depth", "9"),
        ] {
            assert_eq!(set(name, value), Ok(format!("{name}={value}")));
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for (name, value) in [
            ("tc", "x"),
            ("tc", "300d3"),
            ("st", "0"),
            ("st", "nan"),
            ("st", "-1"),
            ("nodes", "0"),
            ("nodes", "many"),
            ("depth", "0"),
            ("depth", "-2"),
        ] {
            assert!(matches!(set(name, value), Err(ControlError::Bad { .. })), "{name}={value}");
        }
        assert_eq!(Control::default().check(), Err(ControlError::Missing));
        let mut both = Control::default();
        both.set(Limit::Clock, "1").expect("a limit");
        both.set(Limit::MoveTime, "1").expect("a limit");
        assert_eq!(both.check(), Err(ControlError::Both));
    }
}
