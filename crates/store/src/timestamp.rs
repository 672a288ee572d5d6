//! Timestamps as UTC milliseconds, and PGN dates.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use game::live::Moment;

const DAY: i64 = 24 * 60 * 60 * 1000;

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
        if !(1..=12).contains(&month) || day == 0 || day > days_in(year, month) {
            return None;
        }
        // Day numbers in a calendar that starts in March: the leap day is the last of its year.
        let year = i64::from(year) - i64::from(month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month_from_march = i64::from((month + 9) % 12);
        let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Some(Self((era * 146_097 + day_of_era - 719_468) * DAY))
    }

    /// Year, month and day.
    pub fn date(self) -> (i64, u32, u32) {
        let days = self.0.div_euclid(DAY) + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = (month_from_march + 2) % 12 + 1;
        (era * 400 + year_of_era + i64::from(month <= 2), month as u32, day as u32)
    }

    /// The date in PGN notation: `1960.05.07`.
    pub fn pgn_date(self) -> String {
        let (year, month, day) = self.date();
        format!("{year:04}.{month:02}.{day:02}")
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

fn days_in(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_counted_as_the_calendar_does() {
        assert_eq!(Timestamp::from_date(1970, 1, 1), Some(Timestamp(0)));
        assert_eq!(Timestamp::from_date(2000, 3, 1), Some(Timestamp(951_868_800_000)));
        assert_eq!(Timestamp::from_date(1900, 2, 29), None);
        assert_eq!(Timestamp::from_date(2023, 4, 31), None);
        for days in (-800_000..800_000).step_by(13) {
            let midnight = Timestamp(days * DAY);
            let (year, month, day) = Timestamp(midnight.0 + DAY - 1).date();
            assert_eq!(Timestamp::from_date(year as i32, month, day), Some(midnight));
        }
    }

    #[test]
    fn dates_of_pgn_may_be_partly_unknown() {
        let read = |text| Timestamp::from_pgn_date(text).map(Timestamp::pgn_date);
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
