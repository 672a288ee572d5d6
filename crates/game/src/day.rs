//! Days of the Gregorian calendar.

use std::fmt;

use crate::live::Moment;

/// A day, in UTC. Its text is that of a PGN date: `1960.05.07`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "names say it all")]
pub struct Day {
    pub year: i64,
    pub month: u32,
    pub day: u32,
}

const MILLISECONDS: i64 = 24 * 60 * 60 * 1000;
/// Years are counted from March here, so that the leap day is the last; an era has 400 of them.
const DAYS_OF_ERA: i64 = 146_097;
/// The days from March of the year 0 to 1970.
const BEFORE_1970: i64 = 719_468;

impl Day {
    /// The day with this year, month (from 1) and day; none if the calendar has no such day.
    pub fn new(year: i64, month: u32, day: u32) -> Option<Self> {
        let last = match month {
            2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        (1..=last).contains(&day).then_some(Self { year, month, day })
    }

    /// The day of a moment.
    pub fn of(moment: Moment) -> Self {
        let days = moment.0.div_euclid(MILLISECONDS) + BEFORE_1970;
        let (era, day_of_era) = (days.div_euclid(DAYS_OF_ERA), days.rem_euclid(DAYS_OF_ERA));
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = (month_from_march + 2) % 12 + 1;
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        Self { year, month: month as u32, day: day as u32 }
    }

    /// Midnight at its start.
    pub fn start(self) -> Moment {
        let year = self.year - i64::from(self.month <= 2);
        let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let month_from_march = i64::from((self.month + 9) % 12);
        let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(self.day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Moment((era * DAYS_OF_ERA + day_of_era - BEFORE_1970) * MILLISECONDS)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_the_calendar_does() {
        for (seconds, date) in [
            (0, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (1_709_251_199, "2024.02.29"),
            (1_709_251_200, "2024.03.01"),
            (4_107_542_400, "2100.03.01"),
            (-1, "1969.12.31"),
        ] {
            assert_eq!(Day::of(Moment(seconds * 1000)).to_string(), date, "{seconds}");
        }
        for (year, month, day) in
            [(1900, 2, 29), (2023, 4, 31), (2024, 13, 1), (2024, 0, 1), (2024, 1, 0)]
        {
            assert_eq!(Day::new(year, month, day), None);
        }
        for days in (-800_000..800_000).step_by(13) {
            let midnight = Moment(days * MILLISECONDS);
            let Day { year, month, day } = Day::of(Moment(midnight.0 + MILLISECONDS - 1));
            assert_eq!(Day::new(year, month, day).map(Day::start), Some(midnight));
        }
    }
}
