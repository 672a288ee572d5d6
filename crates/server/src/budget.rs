//! The engine time each visitor of a public server may use.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::bucket::Bucket;
use crate::pool::Owner;
use crate::problem::Failure;

/// Number of owners to remember before those without debt are dropped.
const MANY: usize = 10_000;

/// What a search gets whose owner has used up everything while it was waiting.
const LEAST: Duration = Duration::from_millis(1);

/// The engine time used by each owner. The debt decreases by `per_hour` each hour.
#[derive(Clone)]
pub(crate) struct Budgets {
    per_hour: Option<Duration>,
    debts: Arc<Mutex<HashMap<Owner, Debt>>>,
}

#[derive(Copy, Clone)]
struct Debt {
    seconds: Bucket,
    /// Running searches, each of which makes the debt grow.
    running: u32,
}

/// Meters one search, from [`start`](Meter::start) until it is dropped.
pub(crate) struct Meter {
    budgets: Budgets,
    owner: Owner,
    started: bool,
}

impl Budgets {
    /// A budget per owner and hour; unlimited if `None`.
    pub fn new(per_hour: Option<Duration>) -> Self {
        Self { per_hour, debts: Arc::default() }
    }

    /// A meter for a search, if the owner has budget left.
    pub fn meter(&self, owner: &Owner) -> Result<Meter, Failure> {
        if let Some(per_hour) = self.per_hour {
            let per_hour = per_hour.as_secs_f64();
            let debt = self.lock().get(owner).map_or(0.0, |debt| debt.now(per_hour));
            if debt >= per_hour {
                // Wait until one second of the debt is gone.
                let wait = (debt - per_hour + 1.0) * 3600.0 / per_hour.max(1.0);
                return Err(Failure::too_fast(wait.ceil() as u64));
            }
        }
        Ok(Meter { budgets: self.clone(), owner: owner.clone(), started: false })
    }

    /// Records that a search of an owner has started or ended. Returns how long all their running
    /// searches can go on, if there is a limit.
    fn count(&self, owner: &Owner, change: impl FnOnce(u32) -> u32) -> Option<Duration> {
        let per_hour = self.per_hour?.as_secs_f64();
        let mut debts = self.lock();
        if debts.len() >= MANY && !debts.contains_key(owner) {
            debts.retain(|_, debt| debt.running > 0 || debt.now(per_hour) > 0.0);
        }
        let now = Instant::now();
        let none = Debt { seconds: Bucket::empty(now), running: 0 };
        let debt = debts.entry(owner.clone()).or_insert(none);
        debt.seconds = debt.seconds.settled(debt.leak(per_hour), now);
        debt.running = change(debt.running);
        let left = (per_hour - debt.now(per_hour)).max(0.0) / f64::from(debt.running.max(1));
        Some(Duration::from_secs_f64(left).max(LEAST))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Owner, Debt>> {
        self.debts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Debt {
    fn now(self, per_hour: f64) -> f64 {
        self.seconds.level(self.leak(per_hour), Instant::now())
    }

    /// How much the debt decreases per second.
    fn leak(self, per_hour: f64) -> f64 {
        per_hour / 3600.0 - f64::from(self.running)
    }
}

impl Meter {
    /// Starts charging the owner. Returns the time that is left for this search, if it is limited.
    pub fn start(&mut self) -> Option<Duration> {
        self.started = true;
        self.budgets.count(&self.owner, |running| running + 1)
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if self.started {
            self.budgets.count(&self.owner, |running| running.saturating_sub(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use store::UserId;

    use super::*;

    #[test]
    fn who_has_used_all_must_wait_and_others_need_not() {
        let budgets = Budgets::new(Some(Duration::from_millis(100)));
        let (misha, anna) = (Owner::User(UserId(1)), Owner::User(UserId(2)));
        let waiting = budgets.meter(&misha).expect("nothing is used");
        sleep(Duration::from_millis(120));
        drop(waiting);
        let mut meter = budgets.meter(&misha).expect("waiting uses nothing");
        meter.start();
        assert!(budgets.meter(&misha).is_ok(), "it has just started");
        sleep(Duration::from_millis(120));
        let refused = budgets.meter(&misha).err().expect("used up while it runs");
        drop(meter);
        assert!(budgets.meter(&misha).is_err(), "and afterwards");
        assert!(refused.retry_after.is_some_and(|seconds| (1..=4000).contains(&seconds)));
        assert!(budgets.meter(&anna).is_ok(), "she has used nothing");
    }

    #[test]
    fn no_budget_is_no_limit_and_an_empty_one_is_always_used_up() {
        let owner = Owner::User(UserId(1));
        let mut meter = Budgets::new(None).meter(&owner).expect("there is no limit");
        meter.start();
        let refused = Budgets::new(Some(Duration::ZERO)).meter(&owner).err().expect("nothing");
        assert!(refused.retry_after.is_some_and(|seconds| seconds <= 3600));
    }
}
