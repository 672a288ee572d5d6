//! The leaky bucket behind every rate limit of the server.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A rate limit: `burst` at once, and `per_second` in the long run.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Quota {
    pub(crate) per_second: f64,
    pub(crate) burst: f64,
}

/// The usage so far. It fills with use and leaks at the rate of the quota.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Bucket {
    level: f64,
    at: Instant,
}

impl Bucket {
    pub fn empty(now: Instant) -> Self {
        Self { level: 0.0, at: now }
    }

    /// The current level, given a leak per second since the last change. A negative leak fills it.
    pub fn level(self, leak: f64, now: Instant) -> f64 {
        let seconds = now.saturating_duration_since(self.at).as_secs_f64();
        (self.level - seconds * leak).max(0.0)
    }

    /// The same bucket with its level brought up to date, before the leak changes.
    pub fn settled(self, leak: f64, now: Instant) -> Self {
        Self { level: self.level(leak, now), at: now }
    }

    /// Uses some units, whether there is room for them or not. Returns how long to wait until there
    /// was.
    pub fn add(&mut self, units: f64, quota: Quota, now: Instant) -> Duration {
        let level = self.level(quota.per_second, now) + units;
        *self = Self { level, at: now };
        Duration::from_secs_f64((level - quota.burst).max(0.0) / quota.per_second)
    }

    /// Uses one unit, or returns how long to wait until there is room for it.
    pub fn take(&mut self, quota: Quota, now: Instant) -> Result<(), Duration> {
        *self = self.settled(quota.per_second, now);
        let over = self.level + 1.0 - quota.burst;
        if over > 1e-9 {
            return Err(Duration::from_secs_f64((over / quota.per_second).min(86_400.0)));
        }
        self.level += 1.0;
        Ok(())
    }
}

/// A bucket with the same quota for each key.
#[derive(Debug)]
pub(crate) struct Buckets<K> {
    quota: Quota,
    buckets: Mutex<HashMap<K, Bucket>>,
}

impl<K: Eq + Hash> Buckets<K> {
    pub fn new(quota: Quota) -> Self {
        Self { quota, buckets: Mutex::default() }
    }

    /// Uses one unit of a key's quota, or returns how long to wait.
    pub fn take(&self, key: K) -> Result<(), Duration> {
        let now = Instant::now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.entry(key).or_insert_with(|| Bucket::empty(now)).take(self.quota, now)
    }

    /// Drops empty buckets.
    pub fn tidy(&self) {
        let (leak, now) = (self.quota.per_second, Instant::now());
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.retain(|_, bucket| bucket.level(leak, now) > 0.0);
        buckets.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUOTA: Quota = Quota { per_second: 2.0, burst: 3.0 };

    #[test]
    fn a_burst_passes_and_then_the_steady_rate() {
        let start = Instant::now();
        let after = |millis| start + Duration::from_millis(millis);
        let mut bucket = Bucket::empty(start);
        for _ in 0..3 {
            assert_eq!(bucket.take(QUOTA, start), Ok(()));
        }
        assert_eq!(bucket.take(QUOTA, start), Err(Duration::from_millis(500)));
        assert!(bucket.take(QUOTA, after(490)).is_err());
        assert_eq!(bucket.take(QUOTA, after(500)), Ok(()));
        assert!(bucket.take(QUOTA, after(500)).is_err());
        let passed = (500..10_500).filter(|&ms| bucket.take(QUOTA, after(ms)).is_ok()).count();
        assert!((19..=20).contains(&passed), "{passed}");
    }

    #[test]
    fn what_is_too_much_must_be_waited_for() {
        let start = Instant::now();
        let mut bucket = Bucket::empty(start);
        assert_eq!(bucket.add(2.0, QUOTA, start), Duration::ZERO);
        assert_eq!(bucket.add(5.0, QUOTA, start), Duration::from_secs(2));
        assert_eq!(bucket.add(1.0, QUOTA, start + Duration::from_secs(3)), Duration::ZERO);
    }

    #[test]
    fn keys_are_counted_apart_and_forgotten_when_they_rest() {
        let buckets = Buckets::new(Quota { per_second: 1000.0, burst: 1.0 });
        assert!(buckets.take("a").is_ok() && buckets.take("b").is_ok());
        std::thread::sleep(Duration::from_millis(5));
        buckets.tidy();
        assert!(buckets.buckets.lock().expect("not poisoned").is_empty());
    }

    #[test]
    fn a_clock_that_steps_back_changes_nothing() {
        let before = Instant::now();
        let start = before + Duration::from_secs(30);
        let mut bucket = Bucket::empty(start);
        bucket.take(QUOTA, start).expect("it is empty");
        assert_eq!(bucket.level(2.0, before).to_bits(), 1.0f64.to_bits());
    }
}
