//! What is known of a game at a glance: date, result and speed, packed into 32 bits.

use std::fmt;
use std::str::FromStr;

use game::{GameResult, Speed};

/// A date as in PGN; any part may be unknown. Unknown parts sort first.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(pub(crate) u32);

impl Date {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self(0);
    /// Later than every other date.
    pub const MAX: Self = Self((1 << 21) - 1);

    /// A date from its parts, zero for an unknown one; `None` if there is no such date.
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            // The year zero is an unknown one.
            2 if leap || year == 0 => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if year > 4000 || month > 12 || day > days {
            return None;
        }
        Some(Self((year as u32) << 9 | (month as u32) << 5 | day as u32))
    }

    /// The year; zero if unknown.
    pub const fn year(self) -> u16 {
        (self.0 >> 9) as u16
    }

    /// The month; zero if unknown.
    pub const fn month(self) -> u8 {
        (self.0 >> 5 & 15) as u8
    }

    /// The day; zero if unknown.
    pub const fn day(self) -> u8 {
        (self.0 & 31) as u8
    }

    /// The last date that starts like this one: the end of its year or month.
    pub const fn end(self) -> Self {
        if self.0 == 0 {
            Self::MAX
        } else if self.month() == 0 {
            Self(self.0 | 0x1FF)
        } else if self.day() == 0 {
            Self(self.0 | 31)
        } else {
            self
        }
    }
}

impl Date {
    /// Whether this is exactly how the date is written.
    pub(crate) fn is_written(self, text: &str) -> bool {
        let &[y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = text.as_bytes() else { return false };
        let digit = |number: u16, unit: u16| b'0' + (number / unit % 10) as u8;
        let two = |number: u8| match number {
            0 => [b'?'; 2],
            number => [digit(u16::from(number), 10), digit(u16::from(number), 1)],
        };
        let year = match self.year() {
            0 => [b'?'; 4],
            year => [1000, 100, 10, 1].map(|unit| digit(year, unit)),
        };
        year == [y1, y2, y3, y4] && two(self.month()) == [m1, m2] && two(self.day()) == [d1, d2]
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.year() {
            0 => f.write_str("????")?,
            year => write!(f, "{year:04}")?,
        }
        for part in [self.month(), self.day()] {
            match part {
                0 => f.write_str(".??")?,
                part => write!(f, ".{part:02}")?,
            }
        }
        Ok(())
    }
}

/// The text is not a date.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a date of the form 2024, 2024.05 or 2024.05.31")]
pub struct ParseDateError;

impl FromStr for Date {
    type Err = ParseDateError;

    /// Parses `2024.05.31`, also shortened or with `-` or `??`.
    fn from_str(text: &str) -> Result<Self, ParseDateError> {
        let mut parts = [0_u16; 3];
        for (count, part) in text.split(['.', '-']).enumerate() {
            let place = parts.get_mut(count).ok_or(ParseDateError)?;
            if part.is_empty() || part.len() > 4 {
                return Err(ParseDateError);
            }
            if !part.bytes().all(|c| c == b'?') {
                let digits = part.bytes().all(|c| c.is_ascii_digit());
                *place = part.parse().ok().filter(|_| digits).ok_or(ParseDateError)?;
            }
        }
        let [year, month, day] = parts;
        let small = |part: u16| u8::try_from(part).map_err(|_| ParseDateError);
        Self::new(year, small(month)?, small(day)?).ok_or(ParseDateError)
    }
}

/// Results in the order of their numbers.
pub(crate) const RESULTS: [GameResult; 4] =
    [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

/// Speeds in the order of their numbers, after none.
pub(crate) const SPEEDS: [Speed; 5] =
    [Speed::UltraBullet, Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Classical];

/// The number of a result.
pub(crate) fn result_number(result: GameResult) -> u32 {
    match result {
        GameResult::WhiteWins => 0,
        GameResult::BlackWins => 1,
        GameResult::Draw => 2,
        GameResult::Unknown => 3,
    }
}

/// The number of a speed; zero for none.
pub(crate) fn speed_number(speed: Option<Speed>) -> u32 {
    speed.and_then(|speed| SPEEDS.iter().position(|&s| s == speed)).map_or(0, |at| at as u32 + 1)
}

/// Result (2 bits), speed (3), date (21); in memory also whether the game is deleted.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts(pub(crate) u32);

impl Facts {
    pub(crate) const DELETED: u32 = 1 << 31;

    pub(crate) fn new(result: GameResult, speed: Option<Speed>, date: Date) -> Self {
        Self(result_number(result) | speed_number(speed) << 2 | date.0 << 5)
    }

    pub(crate) const fn result_bits(self) -> u32 {
        self.0 & 3
    }

    pub(crate) const fn result(self) -> GameResult {
        RESULTS[self.result_bits() as usize]
    }

    pub(crate) const fn speed_bits(self) -> u32 {
        self.0 >> 2 & 7
    }

    pub(crate) const fn date(self) -> Date {
        Date(self.0 >> 5 & 0x1F_FFFF)
    }

    pub(crate) const fn is_deleted(self) -> bool {
        self.0 & Self::DELETED != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_come_back_as_written() {
        for text in ["2024.05.31", "1999.??.??", "????.??.??", "1851.06.??", "????.05.01"] {
            let date: Date = text.parse().expect("a date");
            assert!(
                date.is_written(text)
                    && !date.is_written(&text[..9])
                    && !date.is_written("2023.05.31")
            );
            assert_eq!(text.parse::<Date>().map(|date| date.to_string()), Ok(text.to_owned()));
        }
        for (short, long) in [("2024", "2024.??.??"), ("2024-05", "2024.05.??")] {
            assert_eq!(short.parse::<Date>().map(|date| date.to_string()), Ok(long.to_owned()));
        }
        for text in ["", "2024.13.01", "2024.01.32", "99999", "2024.1.1.1", "+202", "last year"] {
            assert_eq!(text.parse::<Date>(), Err(ParseDateError), "{text}");
        }
    }

    #[test]
    fn an_incomplete_date_ends_with_its_year_or_month() {
        let date = |text: &str| text.parse::<Date>().expect("a date");
        assert!(date("2024.12.31") <= date("2024").end() && date("2024").end() < date("2025"));
        assert!(date("2024.02.29") <= date("2024.02").end());
        assert!(date("2024.02").end() < date("2024.03"));
        assert_eq!(date("2024.02.29").end(), date("2024.02.29"));
    }

    #[test]
    fn facts_keep_result_speed_and_date() {
        for result in RESULTS {
            for speed in SPEEDS.map(Some).into_iter().chain([None]) {
                let date = Date::new(4000, 12, 31).expect("a date");
                let facts = Facts::new(result, speed, date);
                assert_eq!((facts.result(), facts.date()), (result, date));
                assert_eq!(facts.speed_bits(), speed_number(speed));
                assert!(!facts.is_deleted());
            }
        }
    }
}
