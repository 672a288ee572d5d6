//! The date of a game.

use game::live::Moment;

/// The day of a moment since 1970 in UTC, as PGN writes it: `2026.11.17`.
pub(crate) fn pgn_date(moment: Moment) -> String {
    let days = moment.0.div_euclid(86_400_000);
    // Years begin in March here, so that the leap day is the last; an era has 400 years.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        for (seconds, date) in [
            (0, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (1_709_251_199, "2024.02.29"),
            (1_709_251_200, "2024.03.01"),
            (4_107_542_400, "2100.03.01"),
            (-1, "1969.12.31"),
        ] {
            assert_eq!(pgn_date(Moment(seconds * 1000)), date, "{seconds}");
        }
    }
}
