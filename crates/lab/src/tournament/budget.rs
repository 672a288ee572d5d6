//! One engine's clock during a game. The two sides may have different time controls.

use std::time::Duration;

use chess::Color;
use engine::{Clocks, Limits, Thinking};
use game::{Bonus, Stage};

use super::Control;

/// An engine's remaining time.
#[derive(Clone, Debug)]
pub struct Budget<'a> {
    control: &'a Control,
    left: Duration,
    stage: usize,
    /// Moves made in this stage.
    moves: u32,
}

/// The time is up; the value is what was left before the move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TimeIsUp(pub Duration);

/// Engines think for exactly the given time per move; reporting the move takes a little longer.
const REACTION: Duration = Duration::from_millis(100);

impl<'a> Budget<'a> {
    pub fn new(control: &'a Control) -> Self {
        let mut budget = Self { control, left: Duration::ZERO, stage: 0, moves: 0 };
        if let Some(stage) = budget.stage() {
            // A clock with only an increment starts with one.
            budget.left = if stage.time.is_zero() { budget.increment() } else { stage.time };
        }
        budget
    }

    fn stage(&self) -> Option<Stage> {
        self.control.clock.as_ref().map(|clock| clock.stages()[self.stage])
    }

    fn increment(&self) -> Duration {
        match self.stage().map(|stage| stage.bonus) {
            Some(Bonus::Increment(increment)) => increment,
            _ => Duration::ZERO,
        }
    }

    /// The limits that the engine of `color` gets for its move.
    pub fn limits(&self, color: Color, opponent: &Self) -> Limits {
        let thinking = if let Some(stage) = self.stage() {
            let other = if opponent.stage().is_some() { opponent } else { self };
            let mut sides = [self, other];
            if color == Color::Black {
                sides.swap(0, 1);
            }
            Thinking::Clock(Clocks {
                remaining: sides.map(|side| side.left),
                increment: sides.map(Self::increment),
                moves_to_go: stage.moves.map(|moves| moves - self.moves),
            })
        } else {
            self.control.move_time.map_or(Thinking::Unlimited, Thinking::MoveTime)
        };
        Limits {
            depth: self.control.depth,
            nodes: self.control.nodes,
            thinking,
            ..Limits::default()
        }
    }

    /// Subtracts the time of a move. Overstepping by up to `margin` is tolerated.
    pub fn spend(&mut self, time: Duration, margin: Duration) -> Result<(), TimeIsUp> {
        let Some(stage) = self.stage() else {
            let allowed = self.control.move_time.map(|allowed| allowed + margin + REACTION);
            return match allowed {
                Some(allowed) if time > allowed => Err(TimeIsUp(allowed)),
                _ => Ok(()),
            };
        };
        if time > self.left + margin {
            return Err(TimeIsUp(self.left));
        }
        self.left = self.left.saturating_sub(time) + self.increment();
        self.moves += 1;
        if stage.moves == Some(self.moves) {
            let stages = self.control.clock.as_ref().map_or(&[][..], |clock| clock.stages());
            // The last stage repeats.
            self.stage = (self.stage + 1).min(stages.len() - 1);
            self.left += stages[self.stage].time;
            self.moves = 0;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Limit;

    fn control(name: &str, value: &str) -> Control {
        let mut control = Control::default();
        control.set(Limit::from_name(name).expect("a limit"), value).expect("a value");
        control
    }

    const fn millis(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clocks(limits: &Limits) -> Clocks {
        match limits.thinking {
            Thinking::Clock(clocks) => clocks,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_clocks_are_told_and_time_is_taken_off() {
        let [fast, slow] = [control("tc", "1+0.1"), control("tc", "60")];
        let (mut white, black) = (Budget::new(&fast), Budget::new(&slow));
        white.spend(millis(400), Duration::ZERO).expect("in time");
        let told = clocks(&white.limits(Color::White, &black));
        assert_eq!(told.remaining, [millis(700), millis(60_000)]);
        assert_eq!(told.increment, [millis(100), millis(0)]);
        let told = clocks(&black.limits(Color::Black, &white));
        assert_eq!(told.remaining, [millis(700), millis(60_000)]);
    }

    #[test]
    fn a_late_move_loses_and_a_margin_forgives() {
        let fast = control("tc", "1");
        let mut budget = Budget::new(&fast);
        assert_eq!(budget.clone().spend(millis(1001), Duration::ZERO), Err(TimeIsUp(millis(1000))));
        budget.spend(millis(1001), millis(1)).expect("forgiven");
        assert_eq!(budget.left, Duration::ZERO);
        let move_time = control("st", "0.5");
        let mut budget = Budget::new(&move_time);
        budget.spend(millis(600), Duration::ZERO).expect("a little late");
        assert!(budget.spend(millis(601), Duration::ZERO).is_err());
    }

    #[test]
    fn stages_follow_each_other() {
        let stages = control("tc", "2/10:1/5");
        let mut budget = Budget::new(&stages);
        let to_go = |budget: &Budget<'_>| clocks(&budget.limits(Color::White, budget)).moves_to_go;
        assert_eq!(to_go(&budget), Some(2));
        budget.spend(millis(4000), Duration::ZERO).expect("in time");
        assert_eq!((to_go(&budget), budget.left), (Some(1), millis(6000)));
        budget.spend(millis(1000), Duration::ZERO).expect("in time");
        assert_eq!((to_go(&budget), budget.left), (Some(1), millis(10_000)));
        budget.spend(millis(1000), Duration::ZERO).expect("in time");
        assert_eq!((to_go(&budget), budget.left), (Some(1), millis(14_000)));
    }

    #[test]
    fn other_limits_are_told_as_they_are() {
        let mut nodes = control("nodes", "5000");
        nodes.set(Limit::Depth, "9").expect("a value");
        let budget = Budget::new(&nodes);
        let limits = budget.limits(Color::White, &budget);
        assert_eq!(limits, Limits { nodes: Some(5000), depth: Some(9), ..Limits::default() });
    }
}
