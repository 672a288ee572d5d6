//! Timestamps as UTC milliseconds, and PGN dates.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use game::Day;
use game::live::Moment;

/// UTC in milliseconds since 1970.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

/// Moments of a stored live game are UTC.
impl From<Moment> for Timestamp {
    fn from(moment: Moment) -> Self {
        Self(moment.0)
    }
}

impl From<Timestamp> for Moment {
    fn from(time: Timestamp) -> Self {
        Self(time.0)
    }
}

impl Timestamp {
    /// The system time.
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// The timestamp plus a duration.
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The duration since `earlier`; zero if it is in the future.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Midnight at the start of a day of the Gregorian calendar.
    pub fn from_date(year: i32, month: u32, day: u32) -> Option<Self> {
        Some(Day::new(year.into(), month, day)?.start().into())
    }

    /// The day.
    pub fn day(self) -> Day {
        Day::of(self.into())
    }

    /// Parses a PGN date, in which month and day may be unknown: `1960.05.??` is the start of May.
    pub fn from_pgn_date(text: &str) -> Option<Self> {
        let mut parts = text.split(['.', '-', '/']);
        let year = parts.next()?.parse().ok().filter(|year| (0..=9999).contains(year))?;
        let mut part = || parts.next().and_then(|text| text.parse().ok()).unwrap_or(1);
        Self::from_date(year, part(), part())
    }

    /// Adds a time of day, `17:30:05`, to the start of its day.
    pub(crate) fn at_time(self, text: &str) -> Option<Self> {
        let mut parts = text.split(':').map(|text| text.parse::<i64>().ok());
        let mut part = |limit| parts.next().flatten().filter(|part| (0..limit).contains(part));
        let (hours, minutes, seconds) = (part(24)?, part(60)?, part(60)?);
        Some(Self(self.0 + ((hours * 60 + minutes) * 60 + seconds) * 1000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_pgn_may_be_partly_unknown() {
        let read = |text| Timestamp::from_pgn_date(text).map(|time| time.day().to_string());
        assert_eq!(read("1960.05.07").as_deref(), Some("1960.05.07"));
        assert_eq!(read("1960.05.??").as_deref(), Some("1960.05.01"));
        assert_eq!(read("1960.??.??").as_deref(), Some("1960.01.01"));
        for text in ["????.??.??", "", "1960.13.01", "x", "99999999999"] {
            assert_eq!(read(text), None, "{text}");
        }
        let evening = Timestamp(0).at_time("17:30:05");
        assert_eq!(evening, Some(Timestamp(((17 * 60 + 30) * 60 + 5) * 1000)));
        assert_eq!(Timestamp(0).at_time("25:00:00"), None);
    }
}
